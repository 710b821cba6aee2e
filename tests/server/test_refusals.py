"""What start refuses, each in one line and before any process runs."""

import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from cmc_graph import server
from cmc_graph.errors import ConfigurationError, ServerError, UsageError
from cmc_graph.server import lifecycle
from cmc_graph.server.home import Home
from tests.server.outside import command


@pytest.fixture
def taken() -> Iterator[int]:
    """A port on the loopback address that a program listens on."""
    with socket.create_server(("127.0.0.1", 0)) as program:
        yield program.getsockname()[1]


def _log(home: Path) -> Path:
    return Home(home).log


def test_a_port_in_use_is_named(taken: int, tmp_path: Path) -> None:
    """The line names the port and its role, the exit code is 6, and nothing was started."""
    for option, role in (("--bolt-port", "Bolt"), ("--http-port", "HTTP")):
        done = command("start", "--home", str(tmp_path), option, str(taken))
        assert (done.returncode, done.stdout) == (6, "")
        assert f"{role} port {taken} on 127.0.0.1" in done.stderr
        assert done.stderr.count("\n") == 1
    assert not _log(tmp_path).exists()


def test_a_kept_port_that_is_in_use_now_is_not_silently_replaced(
    taken: int, tmp_path: Path
) -> None:
    """A restart on other ports would leave old addresses pointing at another program."""
    place = Home(tmp_path)
    with place.held(lambda _: None):
        place.write_conf("5.26.29", server.info.Ports(taken, 7474), auth=False)
    with pytest.raises(ServerError, match=f"Bolt port {taken} "):
        server.start(tmp_path)


@pytest.mark.parametrize("port", [0, -1, 65_536, 10**9])
def test_impossible_ports_are_a_usage_error(port: int, tmp_path: Path) -> None:
    """A port is a number from 1 to 65535."""
    with pytest.raises(UsageError, match="out of range"):
        server.start(tmp_path, bolt_port=port)


def test_one_port_for_both_is_a_usage_error(tmp_path: Path) -> None:
    """Bolt and HTTP need a port each."""
    with pytest.raises(UsageError, match="cannot share port 7687"):
        server.start(tmp_path, bolt_port=7687, http_port=7687)


def test_a_home_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    """Where the home is a file, below one, or full of files in the way, one line says so."""
    file = tmp_path / "file"
    file.write_text("not a folder")
    crowded = tmp_path / "crowded"
    crowded.mkdir()
    (crowded / "conf").write_text("not a folder")
    for home in (file, file / "below", crowded, Path("/proc/none")):
        done = command("start", "--home", str(home))
        assert (done.returncode, done.stdout) == (6, "")
        assert str(home) in done.stderr
        assert done.stderr.count("\n") == 1
        assert server.status(home) is None


def test_a_cache_folder_that_cannot_be_written_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the cache folder is a file, one line says so."""
    file = tmp_path / "file"
    file.write_text("not a folder")
    monkeypatch.setattr(lifecycle, "jar_folder", lambda: file / "jars")
    with pytest.raises(ServerError, match="cannot use the cache folder"):
        server.start(tmp_path / "home")


def test_a_changed_jar_is_named_and_never_run(
    jars: tuple[Path, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One changed byte in one cached jar, and start refuses."""
    folder = tmp_path / "jars"
    folder.mkdir()
    for jar in jars:
        (folder / jar.name).symlink_to(jar)
    changed = folder / jars[-1].name
    content = bytearray(changed.read_bytes())
    changed.unlink()
    content[len(content) // 2] ^= 1
    changed.write_bytes(content)
    monkeypatch.setattr(lifecycle, "jar_folder", lambda: folder)
    with pytest.raises(ServerError, match="was changed: its sha256") as refused:
        server.start(tmp_path / "home")
    assert str(changed) in str(refused.value)
    assert not _log(tmp_path / "home").exists()


def test_without_a_network_the_first_start_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With an empty cache and no way out, one line names the jar and the remedy."""
    for variable in ("HTTPS_PROXY", "https_proxy"):
        monkeypatch.setenv(variable, "http://127.0.0.1:1")
    for variable in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(lifecycle, "jar_folder", lambda: tmp_path / "jars")
    with pytest.raises(ServerError, match=r"cannot download .*jar .*check network") as refused:
        server.start(tmp_path / "home")
    assert "\n" not in str(refused.value)
    assert [path.name for path in (tmp_path / "jars").iterdir()] == ["lock"]
    assert not _log(tmp_path / "home").exists()


def test_a_lost_password_file_is_named(jars: tuple[Path, ...], tmp_path: Path) -> None:
    """A server whose password is set does not get a new one behind its owner's back."""
    assert jars
    dbms = tmp_path / "data" / "dbms"
    dbms.mkdir(parents=True)
    (dbms / "auth.ini").touch()
    with pytest.raises(ServerError, match="password is missing"):
        server.start(tmp_path)


@pytest.mark.parametrize("name", ["ports.json", "run/server.json"])
def test_a_damaged_note_is_named(name: str, tmp_path: Path) -> None:
    """A file of ours that cannot be read as what it is gives one line, no traceback."""
    (tmp_path / "run").mkdir()
    (tmp_path / name).write_text('{"bolt": "?"')
    with pytest.raises(ServerError, match="is damaged: delete it"):
        server.start(tmp_path)


def test_a_system_without_file_locks_is_told_what_to_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the locks of POSIX are missing, the way with Docker is named."""
    monkeypatch.setitem(sys.modules, "fcntl", None)
    with pytest.raises(ConfigurationError, match=r"compose\.yaml"):
        server.start(tmp_path)
