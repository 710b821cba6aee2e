"""What an arm is: a rule that chooses the records a reader sees, from one frozen interpretation.

``Bench`` is what all arms share, so that they differ in nothing but their rule. This module must
not know any arm.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Protocol, TypeVar, runtime_checkable

from cmc_graph import closure, render
from cmc_graph.errors import ConfigurationError
from cmc_graph.evaluation.frozen import Frozen, Graph
from cmc_graph.evaluation.tokens import Counter, by_letters
from cmc_graph.evaluation.vectors import Embedder, Reranker
from cmc_graph.evaluation.witness import Witness
from cmc_graph.model import Edge, Evidence, Fallback, Record, Status
from cmc_graph.readers import Answer

T = TypeVar("T")

#: The released one, for unnormalised Contriever vectors.
RELATION_THRESHOLD = 0.845


@runtime_checkable
class Arm(Protocol):
    """Chooses the evidence for a question; never sees an answer."""

    def evidence(self, question: str) -> Evidence:
        """What the reader is shown, in source order."""
        ...


@runtime_checkable
class Answering(Protocol):
    """An arm that calls a model on its way and needs nobody to read for it."""

    @property
    def identity(self) -> str:
        """What its answers depend on beside history and question: prompts, model, thresholds."""
        ...

    def answer(self, question: str) -> Answer:
        """Its answer, and as evidence the records it was given on the way.

        Raises:
            EndpointError: The model's endpoint failed.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Tools:
    """What some arms work with beside the history; None where the person gave none.

    Attributes:
        chat: A model to ask.
        embedder: Turns texts into vectors.
        reranker: Judges texts against a question.
        relation_threshold: Similarity from which ``g_walk`` takes a relation for one of the bank;
            the released one belongs to Contriever.
    """

    chat: Witness | None = None
    embedder: Embedder | None = None
    reranker: Reranker | None = None
    relation_threshold: float = RELATION_THRESHOLD


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """How much a reader takes in: whole records, the oldest ones cut.

    Attributes:
        characters: Of evidence, its first line and the line ends included; None: no limit.
        tokens: The reader's own limit; None: no limit.
        reserved: Tokens of that limit for instruction, question and answer.
        count: Counts tokens.
    """

    characters: int | None = render.DEFAULT_BUDGET
    tokens: int | None = None
    reserved: int = 512
    count: Counter = by_letters

    def show(self, records: Iterable[Record]) -> tuple[str, tuple[Record, ...], int]:
        """The evidence text, the records in it, and how many did not fit."""
        chosen = list({record.position: record for record in records}.values())
        unlimited = len(render.PREFIX) + sum(len(line_of(record)) for record in chosen)
        budget = unlimited if self.characters is None else min(self.characters, unlimited)
        text, shown, omitted = render.evidence(chosen, budget)
        if self.tokens is None or self.count(text) <= self.tokens - self.reserved:
            return text, shown, omitted
        fitting = self._newest(shown)
        text, kept, _ = render.evidence(fitting, budget)
        return text, kept, omitted + len(shown) - len(kept)

    def holds(self, lines: Iterable[str]) -> bool:
        """True when these lines fit together, whole."""
        text = render.PREFIX + "".join(lines)
        if self.characters is not None and len(text) > self.characters:
            return False
        return self.tokens is None or self.count(text) <= self.tokens - self.reserved

    def _newest(self, records: tuple[Record, ...]) -> list[Record]:
        """The newest records that fit the token limit."""
        room = (self.tokens or 0) - self.reserved - self.count(render.PREFIX)
        fitting: list[Record] = []
        for record in reversed(records):
            room -= self.count(line_of(record))
            if room < 0:
                break
            fitting.append(record)
        return fitting


def needed(tool: T | None, arm: str, what: str) -> T:
    """The tool, which an arm cannot do without.

    Args:
        tool: None where the person gave none.
        arm: Name of the arm, for the message.
        what: The tool and how to give it, for the message.

    Raises:
        ConfigurationError: There is none.
    """
    if tool is None:
        raise ConfigurationError(f"the arm {arm} needs {what}")
    return tool


#: What to say of tools that are missing.
EMBEDDER = "an embedding model: give --embedding or --embedding-model"
RERANKER = "a reranker: give --reranker"
CHAT = "a model: give --model NAME or set CMC_MODEL"


@dataclass(frozen=True, slots=True)
class View:
    """Some records as a reader sees them, whatever the question.

    Attributes:
        text: The rendered records.
        records: Those that fit the window, in source order.
        omitted: How many did not fit.
        graph: What the shown records tell by themselves, the newest one winning.
    """

    text: str
    records: tuple[Record, ...]
    omitted: int
    graph: Graph

    def evidence(self, question: str, fallback: Fallback | None = None) -> Evidence:
        """The view as evidence for a question: what an offline reader can follow in it."""
        anchors = self.graph.anchors(question)
        edges = self.graph.closure(anchors, closure.MAX_HOPS)
        return _evidence(self, anchors, edges, fallback)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """What every arm works on and with.

    Attributes:
        history: The shared interpretation.
        window: The reader's.
        fallback: What is shown when a selection is empty: the raw ``history`` (the paper's
            algorithm 1) or the ``latest_state`` (its grammar grid).
        seed: Of the arms that draw at random.
        tools: What some arms need besides.
    """

    history: Frozen
    window: Window = field(default_factory=Window)
    fallback: Fallback = "history"
    seed: int = 0
    tools: Tools = field(default_factory=Tools)

    def view(self, records: Iterable[Record]) -> View:
        """The records as a reader sees them.

        Args:
            records: In any order, each once or more often.
        """
        text, shown, omitted = self.window.show(records)
        graph = self.history.shown_graph(record.position or 0 for record in shown)
        return View(text, shown, omitted, graph)

    def chosen(self, positions: Iterable[int]) -> View:
        """The records at these positions, and the unresolved ones, as a reader sees them."""
        return self.view(self._records(positions))

    def closure(self, edges: tuple[Edge, ...], anchors: tuple[str, ...]) -> Evidence:
        """The records of these edges, and the unresolved ones; a reader follows the edges."""
        records = self._records(edge.position for edge in edges)
        view = View(*self.window.show(records), self.history.graph)
        return _evidence(view, anchors, edges, None)

    def instead(self, question: str) -> Evidence:
        """The evidence for a question whose selection is empty."""
        if self.fallback == "latest_state":
            view = self.chosen(version.position for version in self.history.current.values())
        else:
            view = self.view(self.history.records.values())
        return view.evidence(question, self.fallback)

    def _records(self, positions: Iterable[int]) -> list[Record]:
        records = [self.history.records[position] for position in positions]
        return [*records, *self.history.unresolved]


def _evidence(
    view: View, anchors: tuple[str, ...], edges: tuple[Edge, ...], fallback: Fallback | None
) -> Evidence:
    return Evidence(
        text=view.text,
        records=view.records,
        edges=edges,
        anchors=anchors,
        unresolved=tuple(r for r in view.records if r.status is Status.UNRESOLVED),
        fallback=fallback,
        omitted=view.omitted,
        version=0,
    )


def line_of(record: Record) -> str:
    """A record as a line of evidence."""
    return render.line(record.position or 0, record.text)
