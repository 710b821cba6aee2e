"""Plans of the server as values, to say in tests what a statement does."""

from collections.abc import Iterator, Mapping
from itertools import accumulate
from typing import Any, NamedTuple

import neo4j

from cmc_graph.queries import statement


class Step(NamedTuple):
    """One operator of a plan; ``rows`` and ``hits`` are 0 where it was not run."""

    operator: str
    details: str
    rows: int
    hits: int


def explain(
    driver: neo4j.Driver, name: str, parameters: Mapping[str, Any], hops: int | None = None
) -> list[Step]:
    """The plan of a statement, without running it."""
    return _plan(driver, "EXPLAIN", name, parameters, hops)


def profile(
    driver: neo4j.Driver, name: str, parameters: Mapping[str, Any], hops: int | None = None
) -> list[Step]:
    """The plan of a statement that was run, and rolled back."""
    return _plan(driver, "PROFILE", name, parameters, hops)


def operators(steps: list[Step]) -> set[str]:
    """The names of the operators."""
    return {step.operator for step in steps}


def seeks(steps: list[Step]) -> list[Step]:
    """The look-ups in an index; newer servers merge a node by one, too."""
    return [step for step in steps if "IndexSeek" in step.operator or "Merge" in step.operator]


def question(*tokens: str) -> dict[str, Any]:
    """Parameters of a read beside the history."""
    ends = accumulate(len(token) + 1 for token in tokens)
    stops = [end - 1 for end in ends]
    return {"text": " ".join(tokens), "stops": stops, "width": len(tokens)}


def _plan(
    driver: neo4j.Driver, how: str, name: str, parameters: Mapping[str, Any], hops: int | None
) -> list[Step]:
    text = f"{how} {statement(name, hops).text}"
    with driver.session() as session, session.begin_transaction() as transaction:
        summary = transaction.run(text, dict(parameters)).consume()
        transaction.rollback()
    plan = summary.profile if how == "PROFILE" else summary.plan
    assert plan is not None
    return list(_steps(plan))


def _steps(plan: Mapping[str, Any]) -> Iterator[Step]:
    details = plan["args"]
    yield Step(
        plan["operatorType"].partition("@")[0],
        details.get("Details", ""),
        details.get("Rows", 0),
        details.get("DbHits", 0),
    )
    for child in plan.get("children", ()):
        yield from _steps(child)
