"""Each notebook runs in a fresh kernel and shows what is committed."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("nbclient", reason="needs the extra notebooks")
pytest.importorskip("ipykernel", reason="needs the extra notebooks")

from tests.notebooks.executing import NOTEBOOKS, ROOT


def cells(notebook: str) -> list[dict[str, Any]]:
    """Source and outputs of each cell."""
    found: list[dict[str, Any]] = json.loads(notebook)["cells"]
    return found


def test_the_notebooks_are_found() -> None:
    """The other test looks at real notebooks."""
    assert [path.stem for path in NOTEBOOKS] == ["evaluation_report", "weekly_meeting"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_shows_what_it_computes(path: Path) -> None:
    """Executed anew, every cell has the committed output; if it should change, write it anew with
    ``python -m tests.notebooks.executing``.
    """
    ran = subprocess.run(
        [sys.executable, "-m", "tests.notebooks.executing", path],
        cwd=ROOT,
        capture_output=True,
        check=False,
        encoding="utf-8",
        timeout=120,
    )
    assert ran.returncode == 0, ran.stderr[-2000:]
    for now, committed in zip(cells(ran.stdout), cells(path.read_text("utf-8")), strict=True):
        assert now == committed


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_names_no_machine(path: Path) -> None:
    """No folder of the machine it ran on, and nothing that failed, is in a notebook."""
    text = path.read_text("utf-8")
    for name in (str(ROOT), "/tmp/", "Traceback"):  # noqa: S108 - looked for, not used
        assert name not in text
