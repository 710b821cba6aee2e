"""The shared benchmark data: real histories, and questions with their answers."""

import gzip
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.acceptance.running import ROOT

DATA = ROOT.parent / "shared" / "data" / "factconsolidation"

#: File of each history.
HISTORIES = {
    "6k": "sh_6k.json",
    "32k": "sh_32k.json",
    "64k": "history_64k.json.gz",
    "262k": "history_262k.json.gz",
}
CELLS = ("sh_6k", "sh_32k", "mh_6k", "mh_32k")

needs_data = pytest.mark.skipif(not DATA.is_dir(), reason=f"no benchmark data in {DATA}")


@dataclass(frozen=True, slots=True)
class Question:
    """One question of a cell and its one right answer."""

    text: str
    gold: str


def path(size: str) -> Path:
    """The file of a history."""
    return DATA / HISTORIES[size]


def lines(size: str) -> list[str]:
    """The numbered lines of a history, without its header."""
    opened = gzip.open if path(size).suffix == ".gz" else open
    with opened(path(size), "rt", encoding="utf-8") as file:
        context: str = json.load(file)["context"]
    return context.splitlines(keepends=True)[1:]


def questions(cell: str) -> list[Question]:
    """The hundred questions of a cell."""
    found: dict[str, Any] = json.loads((DATA / f"{cell}.json").read_text("utf-8"))
    pairs = zip(found["questions"], found["answers"], strict=True)
    return [Question(text, answers[0]) for text, answers in pairs]


def size_of(cell: str) -> str:
    """The history a cell's questions are about."""
    return cell.partition("_")[2]
