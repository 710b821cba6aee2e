"""Stopping, killing and starting again: data stay, and one home has one server."""

import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from cmc_graph import server
from cmc_graph.errors import ServerError
from cmc_graph.server import ServerInfo
from cmc_graph.server.home import Home
from tests.server.outside import alive, command, count, popen, write
from tests.support import neo4j_target
from tests.support.neo4j_target import Target, Unreachable


def test_data_and_addresses_survive_stop_and_start(info: ServerInfo) -> None:
    """After stop nothing runs; the next start has the same ports, password and data."""
    write(info, "before the stop")
    stopped = command("stop", "--home", str(info.home))
    assert (stopped.returncode, stopped.stdout) == (0, "stopped\n")
    assert not alive(info.pid)
    assert server.status(info.home) is None
    again = server.start(info.home)
    assert (again.bolt, again.http, again.password_file) == (
        info.bolt,
        info.http,
        info.password_file,
    )
    assert again.pid != info.pid
    assert count(again, "before the stop") == 1


def test_a_killed_server_starts_again_with_its_data_and_only_once(info: ServerInfo) -> None:
    """After SIGKILL the stale note misleads nobody; of two starts at once, one starts it."""
    write(info, "before the kill")
    os.kill(info.pid, signal.SIGKILL)
    while alive(info.pid):
        time.sleep(0.05)
    assert Home(info.home).read_state() == info
    assert server.status(info.home) is None
    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(server.start, [info.home] * 2)
    assert first == second
    assert count(first, "before the kill") == 1


def test_a_process_that_got_the_number_is_neither_shown_nor_stopped(tmp_path: Path) -> None:
    """A note whose number now belongs to another program counts as not running."""
    place = Home(tmp_path)
    with place.held(lambda _: None):
        ports = server.info.Ports(7687, 7474)
        note = ServerInfo.of(
            ports=ports, version="", pid=os.getpid(), home=tmp_path, password_file=None
        )
        place.write_state(note)
    assert server.status(tmp_path) is None
    assert server.stop(tmp_path) is False
    assert place.read_state() is None


def test_two_servers_run_side_by_side(info: ServerInfo) -> None:
    """Another home is another server: other ports, other data; this is what the tests run on."""
    write(info, "here")
    other = neo4j_target.start_local({})
    assert isinstance(other, Target)
    try:
        assert other.version == "5.26.29"
        assert other.url != info.bolt
        with other.driver() as driver:
            assert driver.execute_query("MATCH (n) RETURN n").records == []
    finally:
        other.stop()
    assert count(info, "here") == 1
    assert other.origin == "local server"


def test_a_server_asked_for_by_address_is_not_replaced() -> None:
    """With NEO4J_URI the tests use that server or none."""
    found = neo4j_target.find({"NEO4J_URI": "bolt://127.0.0.1:1"})
    assert isinstance(found, Unreachable)
    assert "NEO4J_URI" in found.reason


@pytest.mark.usefixtures("jars")
def test_a_server_that_ends_while_starting_is_told_in_one_line(tmp_path: Path) -> None:
    """The error names the cause and the log, comes at once, and nothing is left running."""
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "databases").write_text("in the way")
    begun = time.monotonic()
    with pytest.raises(ServerError) as failed:
        server.start(tmp_path, auth=False)
    assert time.monotonic() - begun < 60
    message = str(failed.value)
    assert "FileAlreadyExistsException" in message
    assert str(tmp_path / "logs" / "console.log") in message
    assert "\n" not in message
    assert server.status(tmp_path) is None


@pytest.mark.usefixtures("jars")
def test_an_interrupted_start_leaves_nothing_behind(tmp_path: Path) -> None:
    """Ctrl-C while the server starts ends it too, with exit code 130."""
    place = Home(tmp_path)
    with popen("start", "--no-auth", "--home", str(tmp_path)) as starting:
        while (noted := place.read_state()) is None:
            assert starting.poll() is None
            time.sleep(0.05)
        starting.send_signal(signal.SIGINT)
        starting.communicate(timeout=60)
    assert starting.returncode == 130
    assert not alive(noted.pid)
    assert place.read_state() is None


def test_commands_on_a_home_without_a_server(tmp_path: Path) -> None:
    """Without a server `stop` is content, `status` ends with 1, `browser` with 6."""
    home = str(tmp_path / "none")
    stop, status, browser = (
        command(verb, "--home", home) for verb in ("stop", "status", "browser")
    )
    assert (stop.returncode, stop.stdout) == (0, "not running\n")
    assert (status.returncode, status.stdout) == (1, "not running\n")
    assert (browser.returncode, browser.stdout) == (6, "")
    assert browser.stderr.count("\n") == 1
    assert not Path(home).exists()
