"""The test run itself: it says which Neo4j it uses, and does not pass for one that is missing."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.support.neo4j_target import Target

ROOT = Path(__file__).parents[2]
NOBODY = "bolt://127.0.0.1:1"


def run_tests(environment: Mapping[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    """A run of pytest in a process of its own, on one small test of both stores."""
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *arguments]
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    return subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": path, **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


SMALL = ("tests/contract/test_append.py", "-k", "test_an_empty_batch")


def test_a_missing_server_is_a_skip_with_its_reason() -> None:
    """Without Neo4j its half is skipped, and header and summary say why."""
    done = run_tests({"NEO4J_URI": NOBODY}, *SMALL)
    assert done.returncode == 0, done.stdout
    assert f"neo4j: none; NEO4J_URI: {NOBODY} gives no answer" in done.stdout
    assert "1 passed, 1 skipped" in done.stdout


def test_a_missing_server_is_a_failure_where_it_is_required() -> None:
    """With CMC_REQUIRE_NEO4J=1, as in CI, a run without Neo4j is not green."""
    done = run_tests({"NEO4J_URI": NOBODY, "CMC_REQUIRE_NEO4J": "1"}, *SMALL)
    assert done.returncode == 1, done.stdout
    assert "CMC_REQUIRE_NEO4J=1, but there is no Neo4j" in done.stdout


def test_the_header_names_server_and_version(neo4j_target: Target) -> None:
    """A run with Neo4j says which server answered, and its version."""
    given = {f"NEO4J_{name.upper()}": value for name, value in neo4j_target.options.items()}
    done = run_tests({"NEO4J_URI": neo4j_target.url, **given}, *SMALL)
    assert f"neo4j: {neo4j_target.version} at {neo4j_target.url} (NEO4J_URI)" in done.stdout
    assert "2 passed" in done.stdout


@pytest.mark.parametrize("prefix", ["CMC_", "NEO4J_", "OPENAI_"])
def test_no_setting_of_the_caller_reaches_the_tests(prefix: str) -> None:
    """The environment of the tests holds none of the variables that cmc-graph reads."""
    assert not [name for name in os.environ if name.startswith(prefix)]
