"""The questions to evaluate, and the histories they are about: files in, cases out.

A file with questions of its own (a FactConsolidation cell) is read by its loader; any other is
``cases.jsonl``. This module must not know arms, readers or scores.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from cmc_graph.errors import SourceError
from cmc_graph.evaluation.formats import Case, read_lines
from cmc_graph.sources import Sources, open_sources
from loaders import AskingLoader, registry
from loaders.lines import head, shown, source_of

_UNSAFE = re.compile(r"[^\w.-]+")


@dataclass(frozen=True, slots=True)
class Dataset:
    """Questions and histories, the cases naming the histories by the keys of the mapping."""

    cases: tuple[Case, ...]
    histories: Mapping[str, "Source"]


@dataclass(frozen=True, slots=True)
class Source:
    """The file of one history, and what is in it.

    Attributes:
        hash: SHA-256 over the positions and texts of its records.
    """

    path: Path
    hash: str

    def open(self) -> Sources:
        """Its records.

        Raises:
            SourceError: The file is not what it was.
        """
        return open_sources([str(self.path)])


def open_dataset(paths: Sequence[Path]) -> Dataset:
    """The questions of these files with the histories they are about.

    Files with the same records, as a single-hop and a multi-hop cell of one length, share one
    history, which is named after the first of them.

    Raises:
        SourceError: A file cannot be read, or two cases have one id.
    """
    found = [case for path in paths for case in _cases(path)]
    seen: set[str] = set()
    for case in found:
        if case.id in seen:
            raise SourceError(f"two cases have the id {case.id!r:.60}; give each its own")
        seen.add(case.id)
    if not found:
        raise SourceError("no questions in these files")
    names, histories = _named([Path(case.history) for case in found])
    cases = tuple(case.model_copy(update={"history": names[Path(case.history)]}) for case in found)
    return Dataset(cases, histories)


def _named(files: Sequence[Path]) -> tuple[dict[Path, str], dict[str, Source]]:
    """The name of each file's history, and the histories by name."""
    names: dict[Path, str] = {}
    histories: dict[str, Source] = {}
    by_hash: dict[str, str] = {}
    for file in dict.fromkeys(files):
        source = Source(file, _hash(file))
        if source.hash not in by_hash:
            by_hash[source.hash] = name = _free_name(file, histories)
            histories[name] = source
        names[file] = by_hash[source.hash]
    return names, histories


def _hash(file: Path) -> str:
    found = sha256()
    with open_sources([str(file)]) as sources:
        for record in sources:
            found.update(f"{record.position} {record.text}\n".encode())
    return found.hexdigest()


def _free_name(file: Path, taken: Mapping[str, Source]) -> str:
    stem = _UNSAFE.sub("_", _stem(file))
    candidates = (stem, *(f"{stem}-{number}" for number in range(2, len(taken) + 3)))
    return next(name for name in candidates if name not in taken)


def _stem(file: Path) -> str:
    return file.name.removesuffix(".gz").rpartition(".")[0] or file.name


def _cases(path: Path) -> Iterator[Case]:
    loader = _asking_loader(path)
    if loader is None:
        for case in read_lines(path, Case):
            file = path.parent / case.history
            yield case.model_copy(update={"history": str(file)})
        return
    for asked in loader.cases(path):
        if asked.source != source_of(path):
            raise SourceError(
                f"{shown(path)}: each question is about records of its own; write them to files "
                "and the questions to a cases.jsonl"
            )
        yield Case(
            id=asked.id,
            question=asked.question,
            references=asked.answers,
            history=str(path),
            cell=_stem(path),
        )


def _asking_loader(path: Path) -> AskingLoader | None:
    """The loader that recognises the file and finds questions in it."""
    start, name = head(path), path.name.removesuffix(".gz")
    for loader in map(registry.find, registry.names()):
        if isinstance(loader, AskingLoader) and loader.accepts(name, start):
            return loader
    return None
