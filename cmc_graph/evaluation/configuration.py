"""What to run: the matrix of frontends, arms and readers, and what all of them share.

Read from a TOML file or made from the options of a command. This module must not know how any of
it is run.
"""

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, ClassVar, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from cmc_graph import render
from cmc_graph.errors import ConfigurationError, UsageError
from cmc_graph.evaluation.arms import ARMS
from cmc_graph.evaluation.arms.base import RELATION_THRESHOLD
from cmc_graph.model import Fallback
from loaders.documents import explain

#: Who can read the histories of a run.
FrontendName = Literal["grammar", "direct", "hybrid"]

Names = Annotated[tuple[str, ...], Field(min_length=1)]


class Configuration(BaseModel):
    """One run.

    Attributes:
        data: Files with questions; a configuration file's are relative to its folder.
        out: Folder of the run.
        store: Where histories are ingested; None: a SQLite file in the folder of the run.
        frontends: Who reads the histories: ``grammar``, ``direct``, ``hybrid``.
        arms: What is shown.
        readers: Who answers from it.
        grammar: Pattern packs; none: those of the data's loader, then ``general``.
        fallback: What is shown when a selection is empty.
        characters: Of evidence at most; 0: no limit.
        tokens: The readers' input limit; None: no limit.
        reserved: Tokens of that limit for instruction, question and answer.
        tokenizer: A ``tokenizer.json``; None: letters are counted.
        embedding: Folder of an embedding model; None: the one that an installed package carries.
        embedding_model: One at an endpoint, by its name there; comes before the folder.
        reranker: A reranker at an endpoint, by its name there.
        vectors_url: Address of that endpoint; None: what the settings say for models.
        seed: Of the arms that draw at random.
        weights: Of the reader ``path-learned``, as ``scripts/train_reader`` writes them; None: the
            shipped ones, learned from MQuAKE-CF-3k. Data made from that needs weights of its own.
        model: The model that the reader ``openai`` and some arms ask; None: what the settings say.
        answer_tokens: Of an answer of that reader at most; the paper takes 32 and 64.
        relation_threshold: Similarity from which ``g_walk`` takes a planned relation for one of
            the bank; the default belongs to Contriever.
        workers: Cases under way at once; more than one only helps where a model is asked.
    """

    model_config: ClassVar[ConfigDict] = ConfigDict(frozen=True, extra="forbid")

    data: Annotated[tuple[Path, ...], Field(min_length=1)]
    out: Path
    store: str | None = None
    frontends: Annotated[tuple[FrontendName, ...], Field(min_length=1)] = ("grammar",)
    arms: Names = tuple(ARMS)
    readers: Names = ("path",)
    grammar: tuple[str, ...] = ()
    fallback: Fallback = "history"
    characters: int = Field(render.DEFAULT_BUDGET, ge=0)
    tokens: int | None = Field(None, ge=1)
    reserved: int = Field(512, ge=0)
    tokenizer: Path | None = None
    embedding: Path | None = None
    embedding_model: str | None = None
    reranker: str | None = None
    vectors_url: str | None = None
    seed: int = 0
    weights: Path | None = None
    model: str | None = None
    answer_tokens: int = Field(64, ge=1)
    relation_threshold: float = RELATION_THRESHOLD
    workers: int = Field(1, ge=1, le=64)

    @classmethod
    def read(cls, file: Path) -> Self:
        """The configuration in a TOML file.

        Raises:
            ConfigurationError: It cannot be read, or says something else.
        """
        try:
            values = tomllib.loads(file.read_text("utf-8"))
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            raise ConfigurationError(f"{file}: cannot be read: {error}") from error
        found = cls.of(values, str(file))
        folder = file.parent
        return found.model_copy(
            update={
                "data": tuple(folder / path for path in found.data),
                "out": folder / found.out,
                "tokenizer": found.tokenizer and folder / found.tokenizer,
                "embedding": found.embedding and folder / found.embedding,
                "weights": found.weights and folder / found.weights,
            }
        )

    @classmethod
    def of(cls, values: Mapping[str, object], where: str) -> Self:
        """The configuration with these values.

        Raises:
            ConfigurationError: A value is missing, unknown or out of range.
        """
        try:
            return cls.model_validate(values)
        except ValidationError as error:
            raise ConfigurationError(f"{where}: {explain(error)}") from error

    def settings(self) -> dict[str, str]:
        """What predictions depend on beside data, frontends, arms and readers, as text."""
        own = self.model_dump(mode="json", exclude=set(_NOT_SETTINGS))
        return {name: json.dumps(value) for name, value in own.items()}

    @classmethod
    def restored(cls, settings: Mapping[str, str], out: Path) -> Self:
        """A configuration with these settings again, for a run that is in its folder.

        Raises:
            UsageError: They are not the settings of this version.
        """
        values = {name: json.loads(value) for name, value in settings.items()}
        try:
            return cls.model_validate({"data": [out], "out": out, **values})
        except ValidationError as error:
            raise UsageError(f"{out}: was run by another version; run it anew") from error


_NOT_SETTINGS = (
    "data",
    "out",
    "store",
    "frontends",
    "arms",
    "readers",
    "workers",
    "vectors_url",
)
