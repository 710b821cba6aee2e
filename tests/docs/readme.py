"""Takes the code blocks out of the README, so that a test can run them as a reader would."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

README = Path(__file__).parents[2] / "README.md"

_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Block:
    """One fenced block: its language and its lines."""

    language: str
    text: str


@dataclass(frozen=True, slots=True)
class Command:
    """One shell command and what the README says it prints, on both streams."""

    line: str
    output: str


def blocks() -> list[Block]:
    """All fenced blocks of the README, in order."""
    found = _BLOCK.findall(README.read_text("utf-8"))
    return [Block(language, text) for language, text in found]


def commands() -> Iterator[Command]:
    """The commands of all console blocks, in order; each begins with a dollar sign."""
    for block in blocks():
        if block.language != "console":
            continue
        for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
            line, _, output = part.partition("\n")
            yield Command(line, output)
