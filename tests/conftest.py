"""Fixtures of every test folder: a clean environment, and both stores behind one name.

The Neo4j server is found once per run and always named in the report header, so that a green run
cannot hide that half of it never ran. With ``CMC_REQUIRE_NEO4J=1`` a missing server is a failure.
"""

import itertools
import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from cmc_graph.stores.base import Store
from tests.support import neo4j_target as servers
from tests.support.database import Database, NewHistory
from tests.support.neo4j_target import Target, Unreachable

#: The same examples in every run; ``--hypothesis-profile=explore`` looks for new ones. A store is
#: shared by the examples of a test, since each example takes a history of its own.
_ANY_RUN = {"deadline": None, "suppress_health_check": list(HealthCheck)}
settings.register_profile("fixed", derandomize=True, database=None, **_ANY_RUN)  # type: ignore[arg-type]  # mixed values
settings.register_profile("explore", max_examples=1_000, print_blob=True, **_ANY_RUN)  # type: ignore[arg-type]  # same
settings.load_profile("fixed")

_PREFIXES = ("CMC_", "NEO4J_", "OPENAI_")
_FOUND = pytest.StashKey[Target | Unreachable]()
_REQUIRED = pytest.StashKey[bool]()


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_REQUIRED] = os.environ.get("CMC_REQUIRE_NEO4J") == "1"  # for CI


def pytest_report_header(config: pytest.Config) -> str:
    found = _find(config)
    if isinstance(found, Unreachable):
        return f"neo4j: none; {found.reason}"
    return f"neo4j: {found.version} at {found.url} ({found.origin})"


def pytest_unconfigure(config: pytest.Config) -> None:
    found = config.stash.get(_FOUND, None)
    if isinstance(found, Target):
        found.stop()


def _find(config: pytest.Config) -> Target | Unreachable:
    if _FOUND not in config.stash:
        config.stash[_FOUND] = servers.find(os.environ)  # once, before it is cleaned
    return config.stash[_FOUND]


@pytest.fixture(scope="session", autouse=True)
def _clean_environment(pytestconfig: pytest.Config) -> Iterator[None]:
    """No setting of the person who runs the tests reaches them."""
    _find(pytestconfig)
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith(_PREFIXES)]:  # cleaned here
            patch.delenv(name)
        yield


@pytest.fixture(scope="session")
def neo4j_target(pytestconfig: pytest.Config) -> Target:
    """The Neo4j server of this run; without one the test is skipped, in CI it fails."""
    found = _find(pytestconfig)
    if isinstance(found, Target):
        return found
    if pytestconfig.stash[_REQUIRED]:
        pytest.fail(f"CMC_REQUIRE_NEO4J=1, but there is no Neo4j: {found.reason}")
    pytest.skip(f"no Neo4j: {found.reason}")


@pytest.fixture(params=["sqlite", "neo4j"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Database:
    """Each of the two databases in turn; SQLite in a file of the test's own."""
    if request.param == "sqlite":
        return Database("sqlite", f"sqlite:///{tmp_path / 'memory.db'}")
    target = request.getfixturevalue("neo4j_target")
    return Database("neo4j", target.url, target.options)


@pytest.fixture
def store(database: Database) -> Iterator[Store]:
    """A store on each of the two databases in turn."""
    with closing(database.open()) as opened:
        yield opened


_numbers = itertools.count(1)


@pytest.fixture
def new_history(request: pytest.FixtureRequest, database: Database) -> Iterator[NewHistory]:
    """Gives names of histories nobody else uses, around a given text; cleans up afterwards."""
    names: list[str] = []

    def new(text: str = "history") -> str:
        names.append(f"{text} #{os.getpid()}-{next(_numbers)}")
        return names[-1]

    yield new
    if database.kind == "neo4j" and names:
        request.getfixturevalue("neo4j_target").wipe(names)


@pytest.fixture
def history(new_history: NewHistory) -> str:
    """The name of a history of the test's own."""
    return new_history("history")


@pytest.fixture
def examples(database: Database) -> int:
    """How many random examples to try; fewer where each costs many round trips."""
    profile = settings.get_profile(settings.get_current_profile_name())
    return profile.max_examples // (1 if database.kind == "sqlite" else 5)
