"""Text from files, byte by byte accountable: what every loader reads through.

A line ends at a line feed and nowhere else; one carriage return before it belongs to the line end.
Packed files (gzip) are unpacked on the way; byte offsets then count the unpacked bytes. This module
must not know any format.
"""

import gzip
import io
import os.path
import re
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cmc_graph.errors import SourceError

_BOM = b"\xef\xbb\xbf"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_GZIP = b"\x1f\x8b"
#: How much of a file is looked at to recognise its format, or that it is no text at all.
_HEAD_BYTES = 4096
_NUMBERED = re.compile(r"[ \t]*(?:(-?[0-9]+)\.|\[(-?[0-9]+)\])[ \t]+(\S.*)", re.DOTALL)


def source_of(path: Path) -> str:
    """The identity of a file as a source: its absolute path, links kept, with forward slashes."""
    return Path(os.path.abspath(path)).as_posix()  # noqa: PTH100  # resolve() would follow links


def shown(path: Path) -> str:
    """The path for a message, on one line whatever its name is made of."""
    return str(path) if str(path).isprintable() else ascii(str(path))


def located(path: Path, line: int, error: SourceError) -> SourceError:
    """The error with file and line before its message; raise it from the error's own cause."""
    return SourceError(f"{shown(path)}, line {line}: {error}")


def head(path: Path) -> bytes:
    """The first bytes of a file, unpacked and without byte order mark; at most 4096.

    Raises:
        SourceError: The file cannot be read.
    """
    with _opened(path) as stream:
        return stream.read(_HEAD_BYTES).removeprefix(_BOM)


def lines(path: Path) -> Iterator[tuple[int, str]]:
    """The lines that are not blank, each with its number; lazy, one line in memory at a time.

    Blank lines count, a byte order mark does not. Nothing else is taken away.

    Raises:
        SourceError: The file cannot be read, is not UTF-8, or holds a NUL byte; names file, line
            and byte (numbered from 0).
    """
    with _opened(path) as stream:
        _refuse_nul(path, stream.peek(_HEAD_BYTES), 1, 0)
        offset = 0
        for number, raw in enumerate(stream, 1):
            line = _decoded(path, raw, number, offset).removesuffix("\n").removesuffix("\r")
            offset += len(raw)
            if line.strip():
                yield number, line


def document(path: Path) -> str:
    """The whole text of a file, for formats that are one document.

    Raises:
        SourceError: As for ``lines``.
    """
    with _opened(path) as stream:
        return _decoded(path, stream.read(), 1, 0)


def numbered(line: str) -> tuple[str, str] | None:
    """The digits and the text of ``12. text`` or ``[12] text``; None for any other line."""
    match = _NUMBERED.fullmatch(line)
    return (match[1] or match[2], match[3]) if match else None


def position_of(digits: str) -> int:
    """The number that the digits write.

    Raises:
        SourceError: More digits than any number here can have.
    """
    try:
        return int(digits)
    except ValueError as error:
        raise SourceError(f"a position of {len(digits)} digits is too large") from error


@contextmanager
def _opened(path: Path) -> Iterator[io.BufferedReader | gzip.GzipFile]:
    try:
        with path.open("rb") as file:
            packed = file.peek(len(_GZIP)).startswith(_GZIP)
            yield gzip.GzipFile(fileobj=file) if packed else file
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise SourceError(f"{shown(path)}: cannot be unpacked: {error}") from error
    except OSError as error:
        raise SourceError(f"{shown(path)}: cannot be read: {error.strerror or error}") from error


def _decoded(path: Path, data: bytes, line: int, offset: int) -> str:
    _refuse_nul(path, data, line, offset)
    skipped = len(_BOM) if offset == 0 and data.startswith(_BOM) else 0
    try:
        return data[skipped:].decode("utf-8")
    except UnicodeDecodeError as error:
        wrong = skipped + error.start
        raise SourceError(
            f"{_place(path, data, wrong, line, offset)}: not UTF-8 (byte 0x{data[wrong]:02x}); "
            "save the file as UTF-8"
        ) from error


def _refuse_nul(path: Path, data: bytes, line: int, offset: int) -> None:
    found = data.find(0)
    if found >= 0:
        is_utf16 = offset == 0 and data.startswith(_UTF16)
        kind = "is UTF-16" if is_utf16 else "looks binary"
        raise SourceError(
            f"{_place(path, data, found, line, offset)}: {kind} (a NUL byte); "
            "give a text file in UTF-8"
        )


def _place(path: Path, data: bytes, index: int, line: int, offset: int) -> str:
    return f"{shown(path)}, line {line + data.count(10, 0, index)}, byte {offset + index}"
