"""The arms that show the same whatever the question: a whole state, or the whole history.

``latest_state`` is the version-only control: within the window it is clipped (paper, table 1);
``latest_state_uncapped`` shows all of it (the grammar grid, table 2). ``stale_state`` is the whole
state one version back (appendix B.1). ``raw_history`` resolves nothing.
"""

from dataclasses import dataclass, replace

from cmc_graph.evaluation.arms.base import Bench, View
from cmc_graph.model import Evidence


@dataclass(frozen=True, slots=True)
class Fixed:
    """The same records for every question."""

    view: View

    def evidence(self, question: str) -> Evidence:
        """All of the view."""
        return self.view.evidence(question)


def latest_state(bench: Bench) -> Fixed:
    """The current state, newest suffix on overflow."""
    return Fixed(bench.chosen(version.position for version in bench.history.current.values()))


def latest_state_uncapped(bench: Bench) -> Fixed:
    """The current state without any limit."""
    return latest_state(replace(bench, window=replace(bench.window, characters=None, tokens=None)))


def stale_state(bench: Bench) -> Fixed:
    """The state one version back, where there is one: wrong versions, and nothing selected."""
    history = bench.history
    return Fixed(bench.chosen(history.preceding(slot).position for slot in history.current))


def raw_history(bench: Bench) -> Fixed:
    """Every record, nothing resolved and nothing selected, newest suffix on overflow."""
    return Fixed(bench.view(bench.history.records.values()))
