"""Stage 2 and everything that is kept. ``open_store`` is the only place that chooses a database."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path

from cmc_graph.errors import ConfigurationError
from cmc_graph.stores.base import Store
from cmc_graph.stores.inspection import Inspection
from cmc_graph.text import join_names


def open_store(
    url: str,
    *,
    username: str | None = None,
    password: str | None = None,
    database: str | None = None,
) -> Store:
    """The store at the address, set up and ready.

    Args:
        url: ``sqlite:///relative.db``, ``sqlite:////absolute.db``, ``sqlite:///:memory:``, or a
            Neo4j address: ``bolt://``, ``neo4j://``, each also with ``+s`` or ``+ssc``.
        username: Neo4j's user.
        password: Neo4j's password; without one, no authentication.
        database: Neo4j's database; None: the user's home database.

    Raises:
        ConfigurationError: No store has such an address.
        StoreError: The store cannot be reached, or is not one of ours.
    """
    address = _address(url)
    options = {"username": username, "password": password, "database": database}
    store = _OPENERS[address.partition("://")[0]](address, options)
    store.setup()
    return store


def inspect_store(
    url: str,
    history: str,
    settings: Sequence[str],
    *,
    username: str | None = None,
    password: str | None = None,
    database: str | None = None,
) -> Inspection:
    """What is found at the address, as it is: nothing is set up or written.

    Args:
        url: As for ``open_store``, like the credentials.
        history: Whose pieces are looked at.
        settings: Names of settings to look up, where there is a server.
        username: Neo4j's user.
        password: Neo4j's password.
        database: Neo4j's database.

    Raises:
        ConfigurationError: No store has such an address.
        StoreError: The store cannot be reached, or is not one of ours.
    """
    address = _address(url)
    if address.startswith("sqlite:"):
        from cmc_graph.stores import sqlite_inspect  # noqa: PLC0415 - only the store that is used

        path = _sqlite_path(address)
        if path == ":memory:":
            raise ConfigurationError("a store in memory is new whenever it is opened; name a file")
        return sqlite_inspect.inspect(Path(path), history)
    from cmc_graph.stores import neo4j_inspect  # noqa: PLC0415 - the driver is slow to import
    from cmc_graph.stores.neo4j_link import Link  # noqa: PLC0415 - same

    link = Link(address, username, password, database)
    with closing(link):
        return neo4j_inspect.inspect(link, history, settings)


def mend_store(
    url: str,
    history: str,
    *,
    username: str | None = None,
    password: str | None = None,
    database: str | None = None,
) -> bool:
    """Create what the schema lacks, derive what is damaged; False while the ledger is not whole.

    The projection may be derived anew only after that is True: while an assertion is lost, an older
    value would become current. What was never written is left alone.

    Args:
        url: As for ``open_store``, like the credentials.
        history: Whose pieces.
        username: Neo4j's user.
        password: Neo4j's password.
        database: Neo4j's database.

    Raises:
        StoreError: The store failed.
    """
    address = _address(url)
    if address.startswith("sqlite:"):
        from cmc_graph.stores import sqlite_inspect  # noqa: PLC0415 - only the store that is used

        return sqlite_inspect.mend(Path(_sqlite_path(address)), history)
    from cmc_graph.stores import neo4j_inspect  # noqa: PLC0415 - the driver is slow to import
    from cmc_graph.stores.neo4j_link import Link  # noqa: PLC0415 - same

    with closing(Link(address, username, password, database)) as link:
        return neo4j_inspect.mend(link, history)


def _address(url: str) -> str:
    """The address with its scheme in lower case, if a store has such a one."""
    scheme, separator, rest = url.strip().partition("://")
    if not separator or scheme.lower() not in _OPENERS:
        raise ConfigurationError(
            f"no store has an address that begins like this; use {join_names(_OPENERS)}, "
            "as in sqlite:///cmc.db or bolt://localhost:7687"
        )
    return f"{scheme.lower()}://{rest}"


def _sqlite(url: str, _: Mapping[str, str | None]) -> Store:
    from cmc_graph.stores.sqlite import SqliteStore  # noqa: PLC0415 - only the store that is used

    return SqliteStore(_sqlite_path(url))


def _sqlite_path(url: str) -> str:
    """The path of the file, or ``:memory:``."""
    path = url.removeprefix("sqlite://")
    if not path.startswith("/"):
        raise ConfigurationError(
            f"write sqlite:///{path} for a file in this folder: three slashes, four for a full path"
        )
    if path == "/":  # an unset variable in the address must not lose what is written
        raise ConfigurationError("sqlite:/// names no file; write sqlite:///cmc.db")
    return path[1:]


def _neo4j(url: str, options: Mapping[str, str | None]) -> Store:
    from cmc_graph.stores.neo4j import Neo4jStore  # noqa: PLC0415 - the driver is slow to import

    return Neo4jStore(url, **options)


_OPENERS: dict[str, Callable[[str, Mapping[str, str | None]], Store]] = {
    "sqlite": _sqlite,
    **dict.fromkeys(
        ("bolt", "bolt+s", "bolt+ssc", "neo4j", "neo4j+s", "neo4j+ssc"),
        _neo4j,
    ),
}
