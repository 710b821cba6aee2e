"""Servers that are down, refuse, or are somewhere else (field reports A10 to A13)."""

import re
import socket
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.acceptance.conftest import Secured
from tests.acceptance.proxy import Proxy
from tests.acceptance.running import ROOT, Workspace, finish, numbered, run
from tests.acceptance.test_bad_input import GOOD

WRONG = "wr0ng@/:%#'\"pass word"
COMMANDS = {
    "ingest": ("ingest", "good.txt"),
    "read": ("read", "Where does Ana live?"),
    "stats": ("stats",),
    "histories": ("histories",),
    "relations": ("relations",),
    "set": ("relations", "set", "location", "--many"),
    "rebuild": ("rebuild",),
    "forget": ("forget", "--position", "1"),
}
every_command = pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS.keys())


@pytest.fixture
def proxy(secured: Secured) -> Iterator[Proxy]:
    """A port mapping to the server with a password."""
    with Proxy(secured.port) as opened:
        yield opened


def through(workspace: Workspace, proxy: Proxy, scheme: str = "bolt", **options: str) -> Workspace:
    """The workspace as seen through the port mapping, with some other credentials."""
    return replace(
        workspace,
        url=f"{scheme}://127.0.0.1:{proxy.port}",
        options={**workspace.options, **options},
    )


@every_command
def test_a_server_that_is_down(sqlite: Workspace, command: tuple[str, ...]) -> None:
    """Nothing listens: 6, the address, and what to try."""
    sqlite.file(GOOD, "good.txt")
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    down = replace(sqlite, url=f"bolt://127.0.0.1:{port}")
    down.run(*command).refused(6, f"127.0.0.1:{port}")


@pytest.mark.parametrize("scheme", ["neo4j", "bolt", "neo4j+s", "bolt+ssc"])
@pytest.mark.parametrize("host", ["nobody.invalid:7687", "127.0.0.1:1", "[::1]:1"])
def test_no_server_at_the_address(sqlite: Workspace, scheme: str, host: str) -> None:
    """A name that resolves to nothing, a port where nothing listens: 6, and the address."""
    lost = replace(sqlite, url=f"{scheme}://{host}")
    finish(lost.start("stats")).refused(6, host)


def test_a_port_where_something_else_listens(sqlite: Workspace) -> None:
    """A server that closes the connection without speaking Bolt: 6, and the address."""
    with Proxy(1) as nothing_behind:
        url = f"bolt://127.0.0.1:{nothing_behind.port}"
        replace(sqlite, url=url).run("stats").refused(6, str(nothing_behind.port))


def test_a_port_that_accepts_and_never_answers(sqlite: Workspace) -> None:
    """A listener that stays silent is tried once, within the time a person waits: 6."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"127.0.0.1:{silent.getsockname()[1]}"
        started = time.monotonic()
        replace(sqlite, url=f"bolt://{address}").run("stats").refused(6, address, "in time")
        assert time.monotonic() - started < 30
        silent.settimeout(0)
        silent.accept()[0].close()
        with pytest.raises(BlockingIOError):
            silent.accept()


def test_an_http_port_is_recognised(secured: Secured, sqlite: Workspace) -> None:
    """The browser's port instead of Bolt's: 6, one line."""
    status = run("server", "status", "--home", str(secured.home), "--json").json()
    port = status["http"].rpartition(":")[2]
    replace(sqlite, url=f"bolt://127.0.0.1:{port}").run("stats").refused(6, port)


def test_encryption_where_there_is_none(locked: Workspace, proxy: Proxy) -> None:
    """TLS against a server without it: 6, and that it is about encryption."""
    error = through(locked, proxy, "neo4j+s").run("stats").refused(6)
    assert re.search(r"TLS|encrypt|bolt://", error), error


@every_command
def test_a_wrong_password_is_tried_once(
    locked: Workspace, proxy: Proxy, secured: Secured, command: tuple[str, ...]
) -> None:
    """A12: one attempt, no retry, 6; the password appears nowhere."""
    locked.file(GOOD, "good.txt")
    ran = through(locked, proxy, password=WRONG).run(*command)
    error = ran.refused(6, "NEO4J_PASSWORD", "first start")
    assert WRONG not in error
    assert proxy.answers(b"Unauthorized") == 1
    assert proxy.connections == 1
    secured.admit()
    assert locked.stats()["records"] == 0


@pytest.mark.parametrize("scheme", ["bolt", "neo4j"])
def test_one_line_and_one_attempt_of_a_process(
    locked: Workspace, proxy: Proxy, secured: Secured, scheme: str
) -> None:
    """A12: a process of its own says one line, too, and the driver's own log stays out of it."""
    wrong = through(locked, proxy, scheme, password=WRONG)
    finish(wrong.start("stats")).refused(6, "NEO4J_PASSWORD")
    assert proxy.answers(b"Unauthorized") == 1
    secured.admit()
    missing = through(locked, proxy, scheme, database="memories")
    finish(missing.start("stats")).refused(6, "memories", "NEO4J_DATABASE")


@pytest.mark.parametrize("scheme", ["bolt", "neo4j"])
def test_no_password_where_one_is_asked_for(
    locked: Workspace, proxy: Proxy, secured: Secured, scheme: str
) -> None:
    """A12: a missing password is one attempt at most and one line, and the setting is named."""
    url = f"{scheme}://127.0.0.1:{proxy.port}"
    run("stats", "--store", url).refused(6, "NEO4J_PASSWORD")
    assert proxy.connections <= 1
    secured.admit()


@every_command
def test_a_database_that_is_not_there(
    locked: Workspace, proxy: Proxy, command: tuple[str, ...]
) -> None:
    """A10: a missing database: 6, its name and the setting, and nothing is written elsewhere."""
    locked.file(GOOD, "good.txt")
    through(locked, proxy, database="memories").run(*command).refused(
        6, "memories", "NEO4J_DATABASE"
    )
    assert set(proxy.databases()) <= {"memories"}
    assert locked.stats()["records"] == 0


def test_every_query_runs_in_the_named_database(locked: Workspace, proxy: Proxy) -> None:
    """A10: with a database named, every transaction of every command is sent to it."""
    locked.file(GOOD, "good.txt")
    mapped = through(locked, proxy)
    for command in COMMANDS.values():
        before = len(proxy.databases())
        assert mapped.run(*command).code in (0, 2)
        asked = proxy.databases()[before:]
        assert asked, command
        assert set(asked) == {"neo4j"}, command


def test_routing_through_a_port_mapping(locked: Workspace, proxy: Proxy) -> None:
    """A11: neo4j:// through a port mapping works, or says in one line to try bolt://."""
    locked.ingest(GOOD)
    ran = through(locked, proxy, "neo4j").run("read", "Where does Ana live?")
    if ran.code:
        ran.refused(6, "bolt://")
    else:
        assert ran == locked.run("read", "Where does Ana live?")


def test_an_address_without_scheme(locked: Workspace) -> None:
    """A11: host and port alone are no address: 2, and the schemes there are."""
    for url in ("127.0.0.1:7687", "localhost"):
        run("stats", "--store", url).refused(2, "bolt://")


@pytest.mark.parametrize("around", ["{} ", " {}", "{}/", "\t{}\n"])
def test_an_address_with_white_space_around(locked: Workspace, around: str) -> None:
    """A11: white space around an address is no part of it."""
    spaced = replace(locked, url=around.format(locked.url))
    assert spaced.run("stats").code == 0
    assert run("stats", NEO4J_URI=spaced.url, **locked.environment).code == 0


@pytest.mark.parametrize("port", ["0", "99999", "x", "-1"])
def test_an_address_with_an_impossible_port(port: str) -> None:
    """A11: a port that is none is one line, and no attempt."""
    ran = run("stats", "--store", f"bolt://127.0.0.1:{port}")
    ran.refused(ran.code, port)
    assert ran.code in (2, 6)


def test_a_password_of_special_characters_works_and_stays_secret(
    locked: Workspace, secured: Secured
) -> None:
    """A12: a password of URL syntax logs in, and is in no output and no file."""
    with secured.target.driver() as driver:
        driver.execute_query(
            "CREATE OR REPLACE USER odd SET PASSWORD $password CHANGE NOT REQUIRED",
            password=WRONG,
            database_="system",
        )
    odd = replace(locked, options={**locked.options, "username": "odd", "password": WRONG})
    odd.file(GOOD, "good.txt")
    said = [odd.run(*command, "-v") for command in COMMANDS.values()]
    said += [odd.run("config", "show"), odd.run("config", "show", "--json")]
    assert [ran.code for ran in said if ran.code not in (0, 2)] == []
    assert odd.stats()["records"] == 2
    with odd.memory() as memory:
        texts = [repr(memory), str(memory), repr(memory._store), str(vars(memory))]
    texts += [ran.out + ran.err for ran in said]
    texts += [path.read_text("utf-8") for path in odd.folder.iterdir() if path.is_file()]
    assert [text for text in texts if WRONG in text or "wr0ng" in text] == []


@pytest.mark.parametrize("where", ["flag", "CMC_STORE", "NEO4J_URI"])
def test_a_password_inside_the_address_is_shown_nowhere(secured: Secured, where: str) -> None:
    """A12: a password that somebody writes into the address is in no output either."""
    url = f"bolt://neo4j:s3cr3t-pa55@127.0.0.1:{secured.port}"
    flags = ("--store", url) if where == "flag" else ()
    environment = {} if where == "flag" else {where: url}
    for command in (("stats", "-v"), ("config", "show"), ("config", "show", "--json")):
        ran = run(*command, *flags, **environment)
        assert "s3cr3t-pa55" not in ran.out + ran.err, command
    secured.admit()


def test_no_plugin_is_needed(locked: Workspace, secured: Secured) -> None:
    """A13: a server without APOC or any other plugin runs everything."""
    with secured.target.driver() as driver:
        plugins, _, _ = driver.execute_query(
            "SHOW PROCEDURES YIELD name WHERE name STARTS WITH 'apoc' OR name STARTS WITH 'gds' "
            "RETURN name"
        )
    assert plugins == []
    locked.ingest(numbered("Ana lives in Graz.", "Ana lives in Porto.", "Ana speaks Dutch."))
    relation = locked.run("relations", "--json").json()[0]["name"]
    for command in (
        ("relations", "set", relation, "--many"),
        ("read", "Where does Ana live?", "--as-of", "1"),
        ("read", "nothing at all", "--fallback", "latest_state"),
        ("rebuild",),
        ("forget", "--position", "1"),
        ("stats",),
        ("histories",),
    ):
        assert locked.run(*command).code == 0, command


def test_no_statement_names_a_plugin() -> None:
    """A13: no Cypher file of the project calls a procedure that a plugin brings."""
    for path in Path(ROOT, "cypher").rglob("*.cypher"):
        assert not re.search(r"\b(apoc|gds|n10s)\.", path.read_text("utf-8")), path
