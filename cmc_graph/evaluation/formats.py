"""The files of an evaluation, one frozen value per line: cases, predictions, and the manifest.

A run is a folder::

    manifest.json                          what was run, with what, and the seal
    cases.jsonl                            the questions and their references
    interpretations/<frontend>/<history>.jsonl    records and assertions, frozen, shared by all arms
    predictions.jsonl                      one line per case, frontend, arm and reader

``cases.jsonl`` is also the format of data of your own; only ``id``, ``question``, ``references``
and ``history`` are required, and ``history`` is a file that a loader reads, relative to the folder
of ``cases.jsonl``. This module must not know how anything is selected or scored.
"""

from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Annotated, ClassVar, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from cmc_graph.errors import EvaluationError, SourceError
from loaders.documents import explain

CASES, PREDICTIONS, MANIFEST = "cases.jsonl", "predictions.jsonl", "manifest.json"
INTERPRETATIONS = "interpretations"

#: The reader of arms that call a model themselves and need nobody to read for them.
OWN_READER = "own"
#: The reader whose weights were learned from other questions.
LEARNED_READER = "path-learned"
#: The reader that asks a model once, with evidence and question.
MODEL_READER = "openai"

Sha256 = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]


class Line(BaseModel):
    """A value that is one line of a file."""

    model_config: ClassVar[ConfigDict] = ConfigDict(frozen=True, strict=True, extra="forbid")


class Case(Line):
    """One question and what counts as right.

    Attributes:
        id: Unique in its file.
        references: Every right answer, the main one first.
        history: The records it is about: a file in ``cases.jsonl``, a name in a run's folder.
        cell: Population it is counted in, ``<group>_<length>`` as ``mh_32k``; without ``_`` the
            whole is the group.
        hops: How many relations the question follows, where the data says so.
        excluded: Why the question is in the file and not in the scores; None: it counts.
    """

    id: str = Field(min_length=1)
    question: str = Field(min_length=1)
    references: tuple[str, ...] = Field(min_length=1)
    history: str = Field(min_length=1)
    cell: str = "all"
    hops: int | None = Field(None, ge=1)
    excluded: str | None = None

    @property
    def group(self) -> str:
        """The part of the cell before its first ``_``: ``sh`` or ``mh`` in FactConsolidation."""
        return self.cell.partition("_")[0]

    @property
    def length(self) -> str:
        """The part of the cell after its first ``_``: how long the history is; may be empty."""
        return self.cell.partition("_")[2]


class Step(Line):
    """One edge of the path an answer rests on, as its record writes it."""

    subject: str
    relation: str
    object: str
    position: int


class Prediction(Line):
    """What one reader made of one arm's evidence for one case; never changed by a score.

    Attributes:
        case: Id of the case.
        arm: Name of the arm.
        reader: Name of the reader, or ``OWN_READER``.
        frontend: Whose interpretation the arm selected from.
        request: SHA-256 over all that the reader was given; the same request has the same answer.
        evidence_hash: SHA-256 of the evidence text alone.
        positions: Positions of the records shown, ascending.
        clipped: Records that were selected and did not fit the window.
        fallback: What was shown instead of an empty selection.
        answer: None: the reader says that the evidence does not say. Kept as the reader said it.
        path: The edges the answer rests on, in order, where the reader knows them.
        confidence: From 0 to 1, where the reader knows it.
        evidence_characters: Length of the evidence text.
        evidence_tokens: By the run's token counter.
        calls: Model calls; 0 for offline readers and for reused answers.
        input_tokens: As the endpoint reports them.
        output_tokens: As the endpoint reports them.
        seconds: Selecting and reading.
        reused: An exact request made before was reused.
        error: Why there is no answer; the case stays in the denominator.
    """

    case: str
    arm: str
    reader: str
    frontend: str
    request: Sha256
    evidence_hash: Sha256
    positions: tuple[int, ...] = ()
    clipped: int = Field(0, ge=0)
    fallback: str | None = None
    answer: str | None = None
    path: tuple[Step, ...] = ()
    confidence: float | None = None
    evidence_characters: int = Field(0, ge=0)
    evidence_tokens: int = Field(0, ge=0)
    calls: int = Field(0, ge=0)
    input_tokens: int = Field(0, ge=0)
    output_tokens: int = Field(0, ge=0)
    seconds: float = Field(0.0, ge=0)
    reused: bool = False
    error: str | None = None

    @property
    def key(self) -> tuple[str, str, str, str]:
        """What there is one prediction of: case, frontend, arm, reader."""
        return (self.case, self.frontend, self.arm, self.reader)


class Manifest(Line):
    """What was run, with what; written before the first prediction, sealed after the last.

    Attributes:
        dataset: SHA-256 over ``cases.jsonl``.
        histories: SHA-256 over the records of each history, by name.
        interpretations: SHA-256 over each frozen interpretation, by ``<frontend>/<history>``.
        frontends: In the order they were run, as are arms and readers.
        settings: Everything else that the predictions depend on, as text.
        versions: Of Python, of this package, and of the libraries that take part.
        prompts: Hash of each prompt, by name.
        models: Identifiers of the models that answered, by the name that was asked for.
        seal: SHA-256 over ``predictions.jsonl``; None: the run is not complete.
    """

    dataset: Sha256
    histories: Mapping[str, Sha256]
    interpretations: Mapping[str, Sha256]
    frontends: tuple[str, ...]
    arms: tuple[str, ...]
    readers: tuple[str, ...]
    settings: Mapping[str, str] = {}
    versions: Mapping[str, str] = {}
    prompts: Mapping[str, str] = {}
    models: Mapping[str, tuple[str, ...]] = {}
    seal: Sha256 | None = None


L = TypeVar("L", bound=Line)


def read_lines(path: Path, kind: type[L]) -> Iterator[L]:
    """The values of a JSON Lines file, in order; blank lines are passed over.

    Raises:
        SourceError: Not readable, or a line is no such value; names file and line.
    """
    try:
        with path.open(encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                if line.strip():
                    yield _parsed(line, kind, f"{path}, line {number}")
    except (OSError, UnicodeDecodeError) as error:
        raise SourceError(f"{path}: cannot be read: {_reason(error)}") from error


def read_manifest(path: Path) -> Manifest:
    """The manifest of a run's folder.

    Raises:
        SourceError: Not readable, or no manifest.
    """
    file = path / MANIFEST
    try:
        return _parsed(file.read_text(encoding="utf-8"), Manifest, str(file))
    except (OSError, UnicodeDecodeError) as error:
        raise SourceError(f"{file}: cannot be read: {_reason(error)}") from error


def write_text(path: Path, text: str) -> None:
    """Put the text there at once: whoever reads the file sees the old one or the new one.

    Raises:
        SourceError: The file cannot be written.
    """
    beside = path.with_name(f"{path.name}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside.write_text(text, encoding="utf-8")
        beside.replace(path)
    except OSError as error:
        raise SourceError(f"{path}: cannot be written: {_reason(error)}") from error


def to_lines(values: Iterable[Line]) -> str:
    """The values as JSON Lines."""
    return "".join(f"{value.model_dump_json(exclude_defaults=True)}\n" for value in values)


def hash_text(text: str) -> str:
    """The SHA-256 of a text."""
    return sha256(text.encode("utf-8", errors="surrogatepass")).hexdigest()


def hash_file(path: Path) -> str:
    """The SHA-256 of a file.

    Raises:
        SourceError: It cannot be read.
    """
    try:
        return sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise SourceError(f"{path}: cannot be read: {_reason(error)}") from error


def sealed_predictions(run: Path) -> list[Prediction]:
    """The predictions of a complete run, exactly as they were when it ended.

    Raises:
        EvaluationError: The run is not complete, or its predictions were changed afterwards.
        SourceError: A file cannot be read.
    """
    manifest = read_manifest(run)
    if manifest.seal is None:
        raise EvaluationError(
            f"{run}: the run is not complete, so its predictions are not sealed; "
            "run it again with the same arguments, it continues"
        )
    if hash_file(run / PREDICTIONS) != manifest.seal:
        raise EvaluationError(
            f"{run / PREDICTIONS}: not the predictions that were sealed; restore the file, or "
            "run into a new folder"
        )
    return list(read_lines(run / PREDICTIONS, Prediction))


def _parsed(text: str, kind: type[L], where: str) -> L:
    try:
        return kind.model_validate_json(text)
    except ValidationError as error:
        raise SourceError(f"{where}: {explain(error)}") from error


def _reason(error: OSError | UnicodeDecodeError) -> str:
    return error.strerror or str(error) if isinstance(error, OSError) else "not UTF-8"
