"""Fixtures of the acceptance tests: a history to work on, and a server that asks for a password."""

import logging
import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.acceptance.running import Workspace, run
from tests.conftest import _REQUIRED as REQUIRED
from tests.support.database import Database
from tests.support.neo4j_target import Target


@pytest.fixture(autouse=True)
def _own_folder_and_logging(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Every test starts in an empty folder, and the log handlers a command sets go with it."""
    monkeypatch.chdir(tmp_path)
    yield
    logger = logging.getLogger("cmc_graph")
    logger.handlers = []
    logger.propagate = True
    logger.setLevel(logging.NOTSET)


@pytest.fixture
def workspace(database: Database, history: str, tmp_path: Path) -> Workspace:
    """A new history on each of the two databases in turn."""
    return Workspace(
        kind=database.kind,
        url=database.url,
        history=history,
        folder=tmp_path,
        options=database.options,
    )


@pytest.fixture
def another(workspace: Workspace, new_history: Callable[[str], str]) -> Callable[[], Workspace]:
    """Gives the same workspace with a history of its own, as often as wanted."""
    return lambda: workspace.on(new_history("another"))


@pytest.fixture
def sqlite(tmp_path: Path) -> Workspace:
    """A new history in a new SQLite file."""
    return Workspace(
        kind="sqlite", url=f"sqlite:///{tmp_path / 'memory.db'}", history="h", folder=tmp_path
    )


@dataclass(frozen=True, slots=True)
class Secured:
    """A Neo4j server of the tests' own that asks for a password.

    Attributes:
        target: The server and its right credentials.
        port: Where it listens for Bolt.
        home: Its folder.
    """

    target: Target
    port: int
    home: Path

    def admit(self) -> None:
        """Log in once with the right password, so that failures before it count no longer."""
        with self.target.driver() as driver:
            driver.verify_connectivity()


@pytest.fixture(scope="session")
def secured(
    neo4j_target: Target, pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Secured]:
    """One server with authentication for all tests, started from the command line."""
    home = tmp_path_factory.mktemp("secured")
    started = run("server", "start", "--home", str(home), "--json")
    if started.code:
        message = f"no Neo4j with authentication beside {neo4j_target.url}: {started.err}"
        if pytestconfig.stash[REQUIRED]:
            pytest.fail(message)
        pytest.skip(message)
    info = started.json()
    password = Path(info["password_file"]).read_text("utf-8").strip()
    target = Target(
        url=info["bolt"],
        options={"username": info["username"], "password": password, "database": "neo4j"},
        version=info["version"],
        origin="secured",
    )
    yield Secured(target, int(info["bolt"].rpartition(":")[2]), home)
    assert run("server", "stop", "--home", str(home)).code == 0


@pytest.fixture
def locked(secured: Secured, tmp_path: Path) -> Iterator[Workspace]:
    """A new history on the server with a password; wrong passwords are forgotten afterwards."""
    history = f"locked {secrets.token_hex(4)}"
    yield Workspace(
        kind="neo4j",
        url=secured.target.url,
        history=history,
        folder=tmp_path,
        options=secured.target.options,
    )
    secured.admit()
    secured.target.wipe([history])
