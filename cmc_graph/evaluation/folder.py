"""The folder of one run: what is written there, in which order, and what must agree.

The manifest comes first and is sealed last; predictions are appended line by line, so that an
interrupted run loses none. This module must not know how a prediction is made.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path

from cmc_graph.errors import EvaluationError, SourceError
from cmc_graph.evaluation import frozen
from cmc_graph.evaluation.formats import (
    CASES,
    INTERPRETATIONS,
    MANIFEST,
    PREDICTIONS,
    Case,
    Manifest,
    Prediction,
    hash_file,
    hash_text,
    read_lines,
    read_manifest,
    to_lines,
    write_text,
)
from cmc_graph.evaluation.frozen import Frozen
from cmc_graph.stores.base import Kept


class RunFolder:
    """A run on disk.

    Args:
        path: Need not exist yet.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def manifest(self) -> Manifest | None:
        """The manifest; None before the run begins.

        Raises:
            SourceError: It cannot be read.
        """
        return read_manifest(self.path) if (self.path / MANIFEST).exists() else None

    def begin(self, manifest: Manifest, cases: Iterable[Case]) -> None:
        """Write what the run is, or see that the folder holds this very run.

        Raises:
            EvaluationError: The folder holds another run.
            SourceError: It cannot be read or written.
        """
        there = self.manifest()
        if there is None:
            write_text(self.path / CASES, to_lines(cases))
            write_text(self.path / MANIFEST, _text(manifest))
            return
        for name in Manifest.model_fields:
            if name not in ("models", "seal") and getattr(there, name) != getattr(manifest, name):
                raise EvaluationError(
                    f"{self.path}: holds a run with other {name}; run into a new folder"
                )

    def cases(self) -> list[Case]:
        """The questions of the run, checked against the manifest.

        Raises:
            EvaluationError: They are others than those that were run.
            SourceError: They cannot be read.
        """
        manifest = read_manifest(self.path)
        if hash_file(self.path / CASES) != manifest.dataset:
            raise EvaluationError(
                f"{self.path / CASES}: not the cases that were run; restore the file"
            )
        return list(read_lines(self.path / CASES, Case))

    def interpretation(self, frontend: str, history: str) -> list[Kept] | None:
        """The frozen interpretation of a history; None when there is none yet.

        Raises:
            SourceError: It cannot be read.
        """
        file = self._interpretation(frontend, history)
        if not file.exists():
            return None
        try:
            return frozen.load(file.read_text("utf-8"), str(file))
        except (OSError, UnicodeDecodeError) as error:
            raise SourceError(f"{file}: cannot be read: {error}") from error

    def freeze(self, frontend: str, history: str, kept: Iterable[Kept]) -> None:
        """Write the interpretation of a history.

        Raises:
            SourceError: It cannot be written.
        """
        write_text(self._interpretation(frontend, history), frozen.dump(kept))

    def interpretation_hash(self, frontend: str, history: str) -> str:
        """The SHA-256 of the frozen interpretation.

        Raises:
            SourceError: It cannot be read.
        """
        return hash_file(self._interpretation(frontend, history))

    def interpretations(self) -> Mapping[tuple[str, str], Frozen]:
        """Every frozen interpretation of the run, by frontend and history.

        Raises:
            EvaluationError: One was changed after the run.
            SourceError: One cannot be read.
        """
        found: dict[tuple[str, str], Frozen] = {}
        for name, sealed in read_manifest(self.path).interpretations.items():
            frontend, _, history = name.partition("/")
            kept = self.interpretation(frontend, history)
            if kept is None or self.interpretation_hash(frontend, history) != sealed:
                raise EvaluationError(
                    f"{self._interpretation(frontend, history)}: not the interpretation that the "
                    "arms selected from; restore the file"
                )
            found[frontend, history] = Frozen(kept)
        return found

    def predictions(self) -> list[Prediction]:
        """The predictions so far; what an interrupted write left of a last line is dropped.

        Raises:
            SourceError: They cannot be read or repaired.
        """
        file = self.path / PREDICTIONS
        if not file.exists():
            return []
        try:
            data = file.read_bytes()
            whole = data[: data.rfind(b"\n") + 1]
            if whole != data:
                write_text(file, whole.decode("utf-8"))
        except (OSError, UnicodeDecodeError) as error:
            raise SourceError(f"{file}: cannot be read: {error}") from error
        return list(read_lines(file, Prediction))

    def append(self, predictions: Iterable[Prediction]) -> None:
        """Add predictions; they are in the file when this returns.

        Raises:
            SourceError: They cannot be written.
        """
        file = self.path / PREDICTIONS
        try:
            with file.open("a", encoding="utf-8") as stream:
                stream.write(to_lines(predictions))
        except OSError as error:
            raise SourceError(f"{file}: cannot be written: {error.strerror}") from error

    def remember(self, asked: str, answered: Iterable[str]) -> None:
        """Add to the manifest which models answered when one was asked for.

        Raises:
            SourceError: It cannot be written.
        """
        models = read_manifest(self.path).models
        known = tuple(dict.fromkeys((*models.get(asked, ()), *answered)))
        self._change(models={**models, asked: known})

    def seal(self) -> Manifest:
        """The manifest of the complete run, its predictions sealed.

        Raises:
            SourceError: It cannot be written.
        """
        return self._change(seal=hash_file(self.path / PREDICTIONS))

    def _change(self, **values: object) -> Manifest:
        manifest = read_manifest(self.path).model_copy(update=values)
        write_text(self.path / MANIFEST, _text(manifest))
        return manifest

    def _interpretation(self, frontend: str, history: str) -> Path:
        return self.path / INTERPRETATIONS / frontend / f"{history}.jsonl"


def dataset_hash(cases: Iterable[Case]) -> str:
    """The hash of the cases as they are written in a run's folder."""
    return hash_text(to_lines(cases))


def _text(manifest: Manifest) -> str:
    return f"{manifest.model_dump_json(indent=2)}\n"
