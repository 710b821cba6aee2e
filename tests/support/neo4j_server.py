"""The Neo4j server of a test run: one given, else a local one of our own, else a container.

It adds the local server to ``neo4j_target``: without authentication, in a home that is thrown
away, on free ports. Nothing here reads the environment; the caller passes it.
"""

import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from cmc_graph import server
from cmc_graph.errors import CmcError
from tests.support import neo4j_target
from tests.support.neo4j_target import Target, Unreachable


def find(environ: Mapping[str, str]) -> Target | Unreachable:
    """The server to test against, or why there is none; the caller calls its ``stop``.

    Args:
        environ: The environment of the test run; ``NEO4J_URI`` in it is the only server asked for.
    """
    if environ.get("NEO4J_URI"):
        return neo4j_target.find(environ)
    local = start_local(environ)
    if isinstance(local, Target):
        return local
    other = neo4j_target.find(environ)
    if isinstance(other, Target):
        return other
    return Unreachable(f"{other.reason}; the local server: {local.reason}")


def start_local(environ: Mapping[str, str]) -> Target | Unreachable:
    """A local server of our own, or why it did not start; ``stop`` removes its home too.

    Args:
        environ: ``JAVA_HOME`` in it is the Java to try first.
    """
    home = Path(tempfile.mkdtemp(prefix="cmc-graph-neo4j-"))

    def stop() -> None:
        server.stop(home)
        shutil.rmtree(home)

    java_home = environ.get("JAVA_HOME")
    try:
        info = server.start(home, auth=False, java_home=Path(java_home) if java_home else None)
    except CmcError as error:
        shutil.rmtree(home)
        return Unreachable(str(error))
    return neo4j_target.check(info.bolt, {}, "local server", stop)
