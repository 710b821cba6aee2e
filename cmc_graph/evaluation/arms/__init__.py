"""Every arm of the paper by its name; one small module per arm or family.

All arms work on the same ``Bench``: one frozen interpretation, one window, source order restored.
"""

from collections.abc import Callable, Mapping
from functools import partial

from cmc_graph.errors import UsageError
from cmc_graph.evaluation.arms import car, g_walk, mello, sh_conflict
from cmc_graph.evaluation.arms.base import Answering, Arm, Bench, Tools, Window
from cmc_graph.evaluation.arms.block_bm25 import block_bm25
from cmc_graph.evaluation.arms.chunk_dense_rerank import chunk_dense_rerank
from cmc_graph.evaluation.arms.cmc import Cmc
from cmc_graph.evaluation.arms.dense import dense
from cmc_graph.evaluation.arms.fact_bm25 import fact_bm25, matched_bm25
from cmc_graph.evaluation.arms.prior_read_refresh import PriorReadRefresh
from cmc_graph.evaluation.arms.random_disjoint import RandomDisjoint
from cmc_graph.evaluation.arms.stale_closure import stale_closure, stale_closure_different
from cmc_graph.evaluation.arms.whole import (
    latest_state,
    latest_state_uncapped,
    raw_history,
    stale_state,
)
from cmc_graph.text import join_names, shorten

__all__ = [
    "ANSWERING",
    "ARMS",
    "EMBEDDING",
    "PROMPTS",
    "RERANKED",
    "Answering",
    "Arm",
    "Bench",
    "Tools",
    "Window",
    "make",
    "names",
    "require",
]

#: Every arm that calls no model, in the order of the paper's tables.
ARMS: Mapping[str, Callable[[Bench], Arm]] = {
    "cmc": Cmc,
    "latest_state": latest_state,
    "latest_state_uncapped": latest_state_uncapped,
    "raw_history": raw_history,
    "stale_closure": stale_closure,
    "stale_closure_different": stale_closure_different,
    "stale_state": stale_state,
    "prior_read_refresh": PriorReadRefresh,
    "fact_bm25": fact_bm25,
    "matched_bm25": matched_bm25,
    "block_bm25": block_bm25,
    "random_disjoint": RandomDisjoint,
    "hops_1": partial(Cmc, hops=1),
    "hops_2": partial(Cmc, hops=2),
    "hops_3": partial(Cmc, hops=3),
    "hops_5": partial(Cmc, hops=5),
}

#: The arms that need an embedding model, the last one a reranker too.
DENSE: Mapping[str, Callable[[Bench], Arm]] = {
    "dense": dense,
    "chunk_dense_rerank": chunk_dense_rerank,
}

#: Every arm that calls a model on its way and answers by itself.
ANSWERING: Mapping[str, Callable[[Bench], Answering]] = {
    "sh_conflict": sh_conflict.sh_conflict,
    "car": car.car,
    "g_walk": g_walk.g_walk,
    "mello": mello.mello,
}

#: The prompts that each of them uses, by part of the package and name.
PROMPTS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "sh_conflict": (sh_conflict.PROMPT,),
    "car": (car.PROMPT, sh_conflict.PROMPT),
    "g_walk": g_walk.PROMPTS,
    "mello": (mello.PROMPT,),
}

#: The arms that need an embedding model.
EMBEDDING = frozenset((*DENSE, "g_walk", "mello"))

#: The arm that needs a reranker too.
RERANKED = "chunk_dense_rerank"


def names() -> list[str]:
    """All arms there are."""
    return [*ARMS, *DENSE, *ANSWERING]


def require(name: str) -> Callable[[Bench], Arm | Answering]:
    """What makes the arm of that name.

    Raises:
        UsageError: There is no such arm.
    """
    found = ARMS.get(name) or DENSE.get(name) or ANSWERING.get(name)
    if found is None:
        raise UsageError(f"there is no arm {shorten(name)!r}; choose among {join_names(names())}")
    return found


def make(name: str, bench: Bench) -> Arm | Answering:
    """The arm of that name, ready on this bench.

    Raises:
        UsageError: There is no such arm.
        ConfigurationError: It needs a library that is not installed, or a tool nobody gave.
    """
    return require(name)(bench)
