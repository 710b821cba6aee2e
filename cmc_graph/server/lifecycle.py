"""The use cases of a local server: start, stop, status."""

from pathlib import Path

import platformdirs

from cmc_graph.errors import ServerError
from cmc_graph.server.home import Home
from cmc_graph.server.info import OnProgress, Ports, Progress, ServerInfo
from cmc_graph.server.jars import VERSION, install, locked_jars
from cmc_graph.server.java import find_java
from cmc_graph.server.ports import choose_ports
from cmc_graph.server.process import end, is_server, set_initial_password, spawn
from cmc_graph.server.ready import await_ready


def start(
    home: Path | str | None = None,
    *,
    auth: bool = True,
    bolt_port: int | None = None,
    http_port: int | None = None,
    java_home: Path | None = None,
    on_progress: OnProgress | None = None,
) -> ServerInfo:
    """The server of a home, started unless it runs already, and answering.

    Args:
        home: Its folder, made when missing; None = one in the user's data folder.
        auth: Whether it asks for the generated password.
        bolt_port: 1 to 65535; None = that of the last start, else a free one.
        http_port: The same for HTTP.
        java_home: Folder of the Java to try first, usually JAVA_HOME; any 17 or 21 will do.
        on_progress: Called in this thread as the steps go on; the first start downloads 150 MB.

    Raises:
        UsageError: A port is out of range.
        ConfigurationError: The extra ``server`` is needed and not installed.
        StoreRefused: The server refused the password in the password file.
        ServerError: A port is in use, a folder cannot be written, a jar cannot be fetched or
            differs from the lock file, or Neo4j did not start or runs with other options.
    """
    tell = on_progress or (lambda _: None)
    place = Home.at(home)
    with place.held(tell):
        if running := _running(place):
            _check_options(running, auth=auth, bolt_port=bolt_port, http_port=http_port)
            await_ready(running, place)
            return running
        ports = choose_ports(bolt_port, http_port, place.kept_ports())
        java = find_java(java_home)
        jars = install(locked_jars(), jar_folder(), tell)
        place.write_conf(VERSION, ports, auth=auth)
        if auth:
            _secure(place, java, jars)
        tell(Progress(f"starting Neo4j {VERSION} on {java}"))
        return _launch(place, java, jars, ports, auth=auth)


def stop(home: Path | str | None = None) -> bool:
    """Whether a server was running in that home; it no longer is, and its data are closed.

    Args:
        home: Its folder; None = the one in the user's data folder.

    Raises:
        ServerError: The server cannot be stopped, or the home not be written.
    """
    place = Home.at(home)
    if place.read_state() is None:
        return False
    with place.held(lambda _: None):
        running = _running(place)
        if running:
            end(running.pid, place)
        place.clear_state()
    return running is not None


def status(home: Path | str | None = None) -> ServerInfo | None:
    """The server that runs in that home; None when none does.

    Args:
        home: Its folder; None = the one in the user's data folder.

    Raises:
        ServerError: The home cannot be read.
    """
    return _running(Home.at(home))


def jar_folder() -> Path:
    """The cache folder of the jars, shared by all homes of this user."""
    return platformdirs.user_cache_path("cmc-graph", appauthor=False) / f"neo4j-{VERSION}"


def _running(place: Home) -> ServerInfo | None:
    noted = place.read_state()
    return noted if noted and is_server(noted.pid, place) else None


def _check_options(
    running: ServerInfo, *, auth: bool, bolt_port: int | None, http_port: int | None
) -> None:
    """Refuse to pass a server off as one with other options."""
    wanted = running.ports.replaced(bolt_port, http_port)
    if wanted != running.ports or auth != (running.username is not None):
        mode = "with" if running.username else "without"
        raise ServerError(
            f"the server in {running.home} already runs on {running.bolt} and {running.http},"
            f" {mode} authentication: stop it before starting it with other options"
        )


def _secure(place: Home, java: Path, jars: tuple[Path, ...]) -> None:
    """See to it that the password file holds the password of the server's user."""
    if not place.has_password:
        place.make_password()
        set_initial_password(java, jars, place)
    elif not place.password_file.exists():
        raise ServerError(
            f"{place.password_file} is missing: write the password of this server to it"
        )


def _launch(
    place: Home, java: Path, jars: tuple[Path, ...], ports: Ports, *, auth: bool
) -> ServerInfo:
    """Start the process, note it, wait for it; leave nothing running when that fails."""
    info = ServerInfo.of(
        ports=ports,
        version=VERSION,
        pid=spawn(java, jars, place),
        home=place.folder,
        password_file=place.password_file if auth else None,
    )
    try:
        place.write_state(info)
        await_ready(info, place)
    except BaseException:
        end(info.pid, place)
        place.clear_state()
        raise
    return info
