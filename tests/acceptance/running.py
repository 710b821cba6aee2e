"""Runs the command line as a person does: inside this process, or as a process of its own.

The acceptance tests see the product only through this module, through ``Memory``, and, where they
count what a database really holds, through the database's own client.
"""

import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self

import pytest

from cmc_graph import Memory
from cmc_graph.cli import main
from cmc_graph.model import Drift, Relation
from cmc_graph.stores import open_store
from cmc_graph.stores.base import Kept

ROOT = Path(__file__).parents[2]
#: The first line of every evidence.
PREFIX = "Records in source order; a larger number in brackets is newer.\n"


@dataclass(frozen=True, slots=True)
class Ran:
    """How a command ended and what it said on its two streams."""

    code: int
    out: str
    err: str

    def json(self) -> Any:
        """The one JSON document on standard output."""
        assert self.code == 0, self.err
        return json.loads(self.out)

    def refused(self, code: int, *words: str) -> str:
        """The one line of a command that refused: nothing else was said, and it names the words."""
        assert (self.code, self.out) == (code, ""), self
        assert self.err.endswith("\n"), self
        assert self.err.count("\n") == 1, self
        assert self.err.startswith("cmc-graph: "), self
        assert "Traceback" not in self.err, self
        missing = [word for word in words if word.casefold() not in self.err.casefold()]
        assert not missing, f"{missing} not in: {self.err}"
        return self.err


def run(*arguments: str, **environment: str) -> Ran:
    """One command in this process, with some more environment variables."""
    out, err = io.BytesIO(), io.BytesIO()
    with variables(environment), _text(out) as stdout, _text(err) as stderr:
        with redirect_stdout(stdout), redirect_stderr(stderr):
            code = main(arguments)
        stdout.flush()
        stderr.flush()
        return Ran(code, out.getvalue().decode(), err.getvalue().decode())


def start(
    *arguments: str, program: str | None = None, before: Sequence[str] = (), **options: Any
) -> "subprocess.Popen[str]":
    """One command as a process of its own; its streams are pipes unless said otherwise.

    Args:
        arguments: Of the command line, or of the program.
        program: Python code to run instead of the command line.
        before: Another program, which runs this one.
        options: Those of ``Popen``; ``env`` is added to the environment of this process.
    """
    what = ("-m", "cmc_graph") if program is None else ("-c", program)
    pipes: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    env = os.environ | options.pop("env", {})  # cleaned by tests/conftest.py
    return subprocess.Popen(
        [*before, sys.executable, *what, *arguments],
        **(pipes | {"encoding": "utf-8", "env": env} | options),
    )


def finish(process: "subprocess.Popen[str]", given: str | None = None) -> Ran:
    """How the process ended, after its standard input was written and closed."""
    out, err = process.communicate(given, timeout=120)
    return Ran(process.returncode, out or "", err or "")


@contextmanager
def variables(environment: Mapping[str, str]) -> Iterator[None]:
    """These environment variables are set within the block."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in environment.items():
            patch.setenv(name, value)
        yield


def said(text: str, *triples: object, **fields: object) -> str:
    """One line of JSON Lines input: a record, with its own triples where some are given."""
    brought = {"triples": list(triples)} if triples else {}
    return json.dumps({"text": text, **brought, **fields}, ensure_ascii=False) + "\n"


def numbered(*lines: str, first: int = 1) -> str:
    """The lines as a numbered source."""
    return "".join(f"{number}. {line}\n" for number, line in enumerate(lines, first))


@dataclass(frozen=True, slots=True, kw_only=True)
class Workspace:
    """A history in a store, and a folder for the files that go into it.

    Attributes:
        options: User, password and database of the store, as ``open_store`` takes them.
    """

    kind: str
    url: str
    history: str
    folder: Path
    options: Mapping[str, str] = field(default_factory=dict)

    @property
    def flags(self) -> tuple[str, str, str, str]:
        """The two options that lead every command to this history."""
        return ("--store", self.url, "--history", self.history)

    @property
    def environment(self) -> dict[str, str]:
        """The credentials, as every command takes them."""
        return {f"NEO4J_{name.upper()}": value for name, value in self.options.items()}

    def on(self, history: str) -> Self:
        """The same place, with another history."""
        return replace(self, history=history)

    def run(self, *arguments: str, **environment: str) -> Ran:
        """A command on this history, in this process."""
        return run(*arguments, *self.flags, **(self.environment | environment))

    def start(self, *arguments: str, **options: Any) -> "subprocess.Popen[str]":
        """A command, or a program, on this history, as a process of its own."""
        env = self.environment | options.pop("env", {})
        return start(*arguments, *self.flags, env=env, cwd=self.folder, **options)

    def file(self, content: str | bytes, name: str = "notes.txt") -> str:
        """The path of a file of that name and content in the folder."""
        path = self.folder / name
        path.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
        return str(path)

    def ingest(self, content: str | bytes, *arguments: str, name: str = "notes.txt") -> Any:
        """The report of an ingest of that content."""
        return self.run("ingest", self.file(content, name), *arguments, "--json").json()

    def bring(self, *records: str, name: str = "records.jsonl") -> Any:
        """The report of an ingest of lines that ``said`` made."""
        return self.ingest("".join(records), name=name)

    def read(self, question: str, *arguments: str) -> Any:
        """The evidence for a question, as JSON."""
        return self.run("read", question, *arguments, "--json").json()

    def shown(self, question: str, *arguments: str) -> list[int]:
        """The positions of the records that a read shows."""
        return [record["position"] for record in self.read(question, *arguments)["records"]]

    def walked(self, question: str, *arguments: str) -> list[int]:
        """The positions of the closure that a read finds, ascending."""
        return sorted(edge["position"] for edge in self.read(question, *arguments)["edges"])

    def stats(self) -> dict[str, int]:
        """What ``stats --json`` counts."""
        counts: dict[str, int] = self.run("stats", "--json").json()
        return counts

    def counts(self) -> dict[str, int]:
        """What ``stats`` counts without the version, which depends on how the input was split."""
        return {name: count for name, count in self.stats().items() if name != "version"}

    def memory(self) -> Memory:
        """A Python client on this history; the caller closes it."""
        with variables(self.environment):
            return Memory.open(self.url, self.history)

    def drift(self) -> Drift:
        """Where ledger and projection disagree; falsy when they do not."""
        with self.memory() as memory:
            return memory.verify()

    def state(self) -> tuple[list[Kept], list[Relation]]:
        """Everything the history holds; the projection was found to agree with it."""
        with closing(open_store(self.url, **self.options)) as store:
            assert not store.verify(self.history)
            return list(store.scan(self.history)), store.relations(self.history)


def _text(stream: io.BytesIO) -> io.TextIOWrapper:
    """A text stream like those of a process."""
    return io.TextIOWrapper(stream, "utf-8", newline="")
