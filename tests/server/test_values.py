"""The pure parts: addresses, free ports, and one line out of a long output."""

import re
from pathlib import Path

import pytest

from cmc_graph import server
from cmc_graph.server.home import Home
from cmc_graph.server.info import Ports, ServerInfo
from cmc_graph.server.jars import VERSION
from cmc_graph.server.ports import choose_ports
from cmc_graph.server.process import trouble

_ROOT = Path(__file__).parents[2]

_BIND = """\
2026-01-01 10:00:00.000+0000 INFO  Starting...
2026-01-01 10:00:01.000+0000 ERROR Failed to start Neo4j on 127.0.0.1:7474.
java.lang.RuntimeException: Error starting Neo4j database server at /data/databases
\tat org.neo4j.server.Bootstrapper.start(Bootstrapper.java:1)
Caused by: org.neo4j.kernel.lifecycle.LifecycleException: BoltServer failed to start
Caused by: io.netty.channel.unix.Errors$NativeIoException: bind(..): Address already in use
2026-01-01 10:00:02.000+0000 INFO  Stopped.
"""
_SETTING = """\
Exception in thread "main" java.lang.IllegalArgumentException: No declared setting with name: x.
\tat org.neo4j.configuration.Config.<init>(Config.java:1)
"""
_VM = """\
Error occurred during initialization of VM
Could not reserve enough space for 1048576KB object heap
"""


@pytest.mark.parametrize(
    ("output", "line"),
    [
        pytest.param(
            _BIND,
            "Failed to start Neo4j on 127.0.0.1:7474;"
            " Errors$NativeIoException: bind(..): Address already in use",
            id="complaint and root cause",
        ),
        pytest.param(
            _SETTING, "IllegalArgumentException: No declared setting with name: x", id="exception"
        ),
        pytest.param(
            _VM,
            "Error occurred during initialization of VM;"
            " Could not reserve enough space for 1048576KB object heap",
            id="end of the output",
        ),
        pytest.param("", "it printed nothing", id="silence"),
    ],
)
def test_trouble_is_told_in_one_line(output: str, line: str) -> None:
    """The first complaint and the root cause say what went wrong; stack frames do not."""
    assert trouble(output) == line


def test_trouble_is_never_long() -> None:
    """However long the line of the server, ours stays readable."""
    assert len(trouble("Caused by: " + "x" * 10_000)) == 400


def test_without_authentication_the_browser_is_connected_at_once(tmp_path: Path) -> None:
    """The address asks for no login form where there is nothing to log in with."""
    info = ServerInfo.of(
        ports=Ports(7001, 7002), version="5.26.29", pid=1, home=tmp_path, password_file=None
    )
    assert info.username is None
    assert server.browser_url(info) == (
        "http://127.0.0.1:7002/browser/?dbms=bolt://127.0.0.1:7001&preselectAuthMethod=NO_AUTH"
    )


def test_a_noted_server_is_read_back_as_it_was(tmp_path: Path) -> None:
    """The note in the home holds every field of the server."""
    place = Home(tmp_path)
    (tmp_path / "run").mkdir()
    for secret in (None, place.password_file):
        info = ServerInfo.of(
            ports=Ports(7001, 7002), version="5", pid=1, home=tmp_path, password_file=secret
        )
        place.write_state(info)
        assert place.read_state() == info


def test_ports_not_given_are_free_ones_and_kept() -> None:
    """A port comes from the command, else from the last start, else it is a free one."""
    chosen = choose_ports(None, None, None)
    assert chosen.bolt != chosen.http
    assert choose_ports(None, None, chosen) == chosen
    other = choose_ports(None, None, None).http
    assert choose_ports(None, other, chosen) == Ports(chosen.bolt, other)


def test_the_default_home_is_in_the_data_folder_of_the_user() -> None:
    """Without a home the server lives where the system keeps the data of programs."""
    folder = Home.at(None).folder
    assert folder.is_absolute()
    assert folder.parts[-2:] == ("cmc-graph", "server")


def test_the_compose_file_publishes_on_loopback_and_demands_a_password() -> None:
    """With Docker it is the same server version, on loopback, and with no default password."""
    text = (_ROOT / "compose.yaml").read_text()
    published = re.findall(r'^\s+- "(.+:\d+)"', text, re.MULTILINE)
    assert published == ["127.0.0.1:7687:7687", "127.0.0.1:7474:7474"]
    assert 'NEO4J_AUTH: "neo4j/${NEO4J_PASSWORD:?' in text
    assert re.findall(r"image: (\S+)$", text, re.MULTILINE) == [f"neo4j:{VERSION}-community"]
