"""From the paths a person names to records: which files, which loader, all of it checked first.

A first pass reads the whole input before the first record is given out, so that nothing is written
of an input that cannot be read to its end. This module must not know any format, frontend or store.
"""

import glob
import logging
import os
import re
import shutil
import stat
import sys
import tempfile
import weakref
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from cmc_graph.errors import PositionConflict, SourceError, UsageError
from cmc_graph.model import Record
from cmc_graph.text import join_names, shorten
from loaders import Loader, registry
from loaders.lines import head, shown, source_of

_log = logging.getLogger(__name__)

AUTO = "auto"
STDIN = "-"

#: The loader of files that a person names and no loader recognises.
_PLAIN = "text"
_JSON_START = re.compile(rb'\s*(?:\{\s*["}]|\[\s*[{"\]])')

#: A position, or a line of a source that a record names itself.
_Identity = int | tuple[str | None, int]


def open_sources(paths: Sequence[str], loader: str = AUTO) -> "Sources":
    """The records behind the paths, after a first pass that found nothing wrong with them.

    Args:
        paths: Files, globs, folders (every file below that a loader recognises, hidden ones left
            out, by name), and ``-`` for standard input. A file counts once, where it comes first.
        loader: Name of a loader; ``auto``: each file's is found by its name and first bytes.

    Raises:
        UsageError: No path at all, or no such loader.
        SourceError: Something is missing, unreadable, empty, or not of its format.
        PositionConflict: Two records of the input claim one position with different texts.
    """
    if not paths or not all(paths):
        raise UsageError("name a file, a glob or a folder to read, or - for standard input")
    names = registry.names() if loader == AUTO else [loader]
    loaders = {name: registry.find(name) for name in names}
    with ExitStack() as kept:
        spool = keep_stdin(kept) if STDIN in paths else None
        files = _recognised(paths, spool, loaders, is_auto=loader == AUTO)
        return Sources(files, _check(files), kept.pop_all())


@dataclass(frozen=True, slots=True)
class _File:
    """One file to read, and what it is called.

    Attributes:
        source: Its identity; None for standard input, which never is the same source again.
        is_named: A person named it; it was not merely found in a folder.
    """

    path: Path
    name: str
    source: str | None
    loader: Loader
    is_named: bool

    def records(self) -> Iterator[Record]:
        """The records, each with the identity that its loader left open."""
        with called(self.path, self.name):
            for number, record in enumerate(self.loader.records(self.path), 1):
                yield self._identified(record, number)

    def identity(self, record: Record) -> _Identity | None:
        """What no other record of the input may claim with another text."""
        if record.position is not None:
            return record.position
        if record.source_line is None or self.owns(record):
            return None
        return (record.source, record.source_line)

    def owns(self, record: Record) -> bool:
        """True when the record comes from this file or a part of it, not from a named source."""
        return (record.source or "").startswith(self.source or self.name)

    def _identified(self, record: Record, number: int) -> Record:
        source, line = record.source, record.source_line
        if self.source is None:
            kept = source_of(self.path)
            if source is None or source.startswith(kept):
                source, line = self.name + (source or "").removeprefix(kept), None
        else:
            source = source or self.source
            if line is None and record.position is None:
                line = number
        if (source, line) == (record.source, record.source_line):
            return record
        return replace(record, source=source, source_line=line)


class Sources:
    """The records of one input, checked as a whole; made by ``open_sources``.

    Iterating reads the files again, lazily, and may be repeated. What was kept of standard input
    goes with ``close``, at the end of a ``with`` block, or with the object.

    Attributes:
        files: Names of the files that are read, in order.
        packs: Names of the grammar packs that their loaders bring, in order, each once.
        count: How many records there are.
    """

    def __init__(self, files: Sequence[_File], counts: Sequence[int], kept: ExitStack) -> None:
        self._counted = tuple(zip(files, counts, strict=True))
        self._release = weakref.finalize(self, kept.close)
        self.files = tuple(file.name for file in files)
        brought = (pack for file in files for pack in getattr(file.loader, "PACKS", ()))
        self.packs: tuple[str, ...] = tuple(dict.fromkeys(brought))
        self.count = sum(counts)

    def __iter__(self) -> Iterator[Record]:
        """The records, file by file.

        Raises:
            SourceError: A file is not what it was when it was checked.
        """
        for file, count in self._counted:
            number = 0
            for number, record in enumerate(file.records(), 1):  # noqa: B007  # counted below
                yield record
            if number != count:
                raise SourceError(
                    f"{file.name}: changed from {count} to {number} records while being read; "
                    "read it again once nothing writes to it"
                )

    def close(self) -> None:
        """Drop what was kept of standard input; closing again does nothing."""
        self._release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@contextmanager
def called(path: Path, name: str) -> Iterator[None]:
    """Makes errors inside speak of a file by another name than its path's."""
    try:
        yield
    except SourceError as error:
        if name == shown(path):
            raise
        raise SourceError(str(error).replace(shown(path), name)) from error.__cause__


def keep_stdin(kept: ExitStack) -> Path:
    """A temporary file with all of standard input, so that it can be read twice."""
    if sys.stdin is None:  # closed by whoever started the process
        raise SourceError("stdin: is closed; pipe something into it, or name a file")
    try:
        path = Path(kept.enter_context(tempfile.TemporaryDirectory(prefix="cmc-graph-")), "stdin")
        with path.open("wb") as file:
            shutil.copyfileobj(sys.stdin.buffer, file)
    except OSError as error:
        raise SourceError(f"stdin: cannot be read: {error.strerror or error}") from error
    return path


def _recognised(
    paths: Sequence[str], spool: Path | None, loaders: Mapping[str, Loader], *, is_auto: bool
) -> list[_File]:
    found: dict[str, _File] = {}
    for given in paths:
        candidates = [(spool, True)] if spool and given == STDIN else _expanded(given)
        taken = 0
        for path, is_named in candidates:
            name, source = (shown(path), source_of(path)) if path != spool else ("stdin", None)
            with called(path, name):
                loader = _choose(path, loaders, is_named=is_named, is_auto=is_auto)
            if loader is None:
                _log.info("%s: left out, no loader recognises it", name)
                continue
            taken += 1
            found.setdefault(source or name, _File(path, name, source, loader, is_named))
        if not taken:
            raise SourceError(f"{shown(Path(given))}: no file in it is of a known format")
    return list(found.values())


def _expanded(given: str) -> Iterator[tuple[Path, bool]]:
    """The regular files behind one path, each with whether the path names it."""
    path = Path(given)
    mode = _mode(path)
    if mode is None:
        matches = sorted(glob.glob(given, recursive=True))  # noqa: PTH207  # may be absolute
        there = [match for match in matches if _mode(Path(match)) is not None]
        if not there:
            raise SourceError(f"{shown(path)}: no such file or folder")
        for match in there:
            yield from _expanded(match)
    elif stat.S_ISDIR(mode):
        yield from ((file, False) for file in _files_below(path))
    elif stat.S_ISREG(mode):
        yield path, True
    else:
        raise SourceError(f"{shown(path)}: is no regular file; pipe it in and read it as -")


def _mode(path: Path) -> int | None:
    """The kind of thing at a path; None when nothing is there."""
    try:
        return path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise _unreadable(path, error) from error
    except ValueError as error:  # a NUL character in the name
        raise SourceError(f"{shown(path)}: is no path: {error}") from error


def _files_below(folder: Path) -> list[Path]:
    """The regular files below a folder, by path; what begins with a dot is hidden."""

    def refuse(error: OSError) -> None:
        raise _unreadable(Path(error.filename or folder), error) from error

    found: list[Path] = []
    for root, folders, names in os.walk(folder, onerror=refuse):
        folders[:] = [name for name in folders if not name.startswith(".")]
        found.extend(Path(root, name) for name in names if not name.startswith("."))
    return sorted(path for path in found if stat.S_ISREG(_mode(path) or 0))


def _unreadable(path: Path, error: OSError) -> SourceError:
    return SourceError(f"{shown(path)}: cannot be read: {error.strerror or error}")


def _choose(
    path: Path, loaders: Mapping[str, Loader], *, is_named: bool, is_auto: bool
) -> Loader | None:
    """The loader to read a file with; None for a file in a folder that none recognises."""
    if is_named and not is_auto:
        return next(iter(loaders.values()))
    start = head(path)
    name = path.name.removesuffix(".gz")
    fitting = [known for known, loader in loaders.items() if loader.accepts(name, start)]
    special = [known for known in fitting if known != _PLAIN] or fitting
    if len(special) > 1:
        raise SourceError(
            f"{shown(path)}: {join_names(special)} all recognise it; name one with --loader"
        )
    if special:
        return loaders[special[0]]
    if not is_named:
        return None
    if _JSON_START.match(start):
        raise SourceError(
            f"{shown(path)}: looks like JSON, but no loader recognises it; "
            f"name one with --loader ({join_names(loaders)})"
        )
    return registry.find(_PLAIN)


def _check(files: Sequence[_File]) -> list[int]:
    """How many records each file holds, all of which were read."""
    counts: list[int] = []
    last, is_ascending = -1, True
    for file in files:
        count = 0
        for record in file.records():
            count += 1
            identity = file.identity(record)
            if isinstance(identity, int) and identity > last:
                last = identity
            elif identity is not None:
                is_ascending = False
        if file.is_named and not count:
            raise SourceError(f"{file.name}: holds no records: it is empty or blank")
        counts.append(count)
    if not any(counts):
        raise SourceError(f"{shorten(join_names(file.name for file in files))}: no records there")
    if not is_ascending:
        _refuse_conflicts(files)
    return counts


def _refuse_conflicts(files: Sequence[_File]) -> None:
    """Compare all identities; only for input whose positions do not simply ascend."""
    seen: dict[_Identity, tuple[int, _File, str, int]] = {}
    for file in files:
        for number, record in enumerate(file.records(), 1):
            identity = file.identity(record)
            if identity is None:
                continue
            is_line = record.source_line is not None and file.owns(record)
            place = ("line", record.source_line or 0) if is_line else ("record", number)
            text = hash(record.text)
            first = seen.setdefault(identity, (text, file, *place))
            if first[0] != text:
                raise _conflict(identity, first[1:], (file, *place))


def _conflict(
    identity: _Identity, first: tuple[_File, str, int], second: tuple[_File, str, int]
) -> PositionConflict:
    places = " and ".join(f"{file.name}, {word} {number}" for file, word, number in (first, second))
    if isinstance(identity, int):
        claim, positions = f"position {identity}", [identity]
    else:
        claim, positions = f"line {identity[1]} of {identity[0]!r:.60}", []
    return PositionConflict(
        f"{places} claim {claim} with different texts; give each a position of its own", positions
    )
