"""``block_bm25``: raw blocks of at most 12,000 characters, ranked by BM25 (paper, appendix I)."""

from dataclasses import dataclass

from cmc_graph.evaluation.arms.base import Bench, line_of
from cmc_graph.evaluation.packing import runs
from cmc_graph.evaluation.ranking import Bm25
from cmc_graph.model import Evidence, Record

BLOCK_CHARACTERS = 12_000


@dataclass(frozen=True, slots=True)
class BlockBm25:
    """The best blocks of the raw history that fit the window together.

    Attributes:
        blocks: In source order.
        texts: The lines of each block.
    """

    bench: Bench
    blocks: list[list[Record]]
    texts: list[str]
    index: Bm25

    def evidence(self, question: str) -> Evidence:
        """Their records, in source order; a block that does not fit is passed over."""
        chosen: list[int] = []
        for number in self.index.best(question, len(self.blocks)):
            if self.bench.window.holds(self.texts[each] for each in (*chosen, number)):
                chosen.append(number)
        records = [record for number in chosen for record in self.blocks[number]]
        return self.bench.view(records).evidence(question)


def block_bm25(bench: Bench) -> BlockBm25:
    """The arm on this bench."""
    found = runs(bench.history.records.values(), BLOCK_CHARACTERS)
    texts = ["".join(map(line_of, block)) for block in found]
    searched = [" ".join(record.text for record in block) for block in found]
    return BlockBm25(bench, found, texts, Bm25(searched))
