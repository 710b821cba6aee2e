"""What to run, from a file or from options."""

from pathlib import Path

import pytest

from cmc_graph.errors import ConfigurationError, UsageError
from cmc_graph.evaluation.arms import ARMS
from cmc_graph.evaluation.configuration import Configuration

FILE = """\
data = ["cells/mh_6k.json"]
out = "runs/one"
arms = ["cmc", "fact_bm25"]
readers = ["path", "path-learned"]
tokens = 4096
"""


def test_a_file_is_relative_to_its_folder(tmp_path: Path) -> None:
    """The same file works wherever it is called from."""
    (tmp_path / "one.toml").write_text(FILE, encoding="utf-8")
    found = Configuration.read(tmp_path / "one.toml")
    assert found.data == (tmp_path / "cells" / "mh_6k.json",)
    assert found.out == tmp_path / "runs" / "one"
    assert (found.arms, found.tokens) == (("cmc", "fact_bm25"), 4096)


def test_all_model_free_arms_are_the_default() -> None:
    """Whoever names no arm runs every one that costs nothing."""
    assert Configuration.of({"data": ["x"], "out": "y"}, "here").arms == tuple(ARMS)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("data = [", "cannot be read"),
        ('out = "x"', "field 'data' is missing"),
        (FILE + "speed = 3", "unknown field 'speed'"),
        (FILE.replace("4096", "0"), "tokens"),
        (FILE + 'fallback = "none"', "fallback"),
    ],
)
def test_a_file_that_says_something_else(tmp_path: Path, text: str, problem: str) -> None:
    """The message names file and entry."""
    (tmp_path / "one.toml").write_text(text, encoding="utf-8")
    with pytest.raises(ConfigurationError, match=rf"one\.toml: {problem}"):
        Configuration.read(tmp_path / "one.toml")


def test_settings_are_all_that_predictions_depend_on(tmp_path: Path) -> None:
    """From the settings in a manifest the same configuration is made again, data and out apart."""
    found = Configuration(data=(Path("x"),), out=tmp_path, tokens=7, grammar=("general",), seed=3)
    assert not {"data", "out", "store", "workers"} & found.settings().keys()
    again = Configuration.restored(found.settings(), tmp_path)
    assert again.settings() == found.settings()


def test_settings_of_another_version(tmp_path: Path) -> None:
    """A run that this version cannot understand is not replayed wrongly."""
    with pytest.raises(UsageError, match="another version"):
        Configuration.restored({"colour": '"red"'}, tmp_path)
