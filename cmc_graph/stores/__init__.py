"""Stage 2 and everything that is kept. ``open_store`` is the only place that chooses a database."""

from collections.abc import Callable, Mapping

from cmc_graph.errors import ConfigurationError
from cmc_graph.stores.base import Store
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
    scheme, separator, rest = url.strip().partition("://")
    opener = _OPENERS.get(scheme.lower()) if separator else None
    if opener is None:
        raise ConfigurationError(
            f"no store has an address that begins like this; use {join_names(_OPENERS)}, "
            "as in sqlite:///cmc.db or bolt://localhost:7687"
        )
    options = {"username": username, "password": password, "database": database}
    store = opener(f"{scheme.lower()}://{rest}", options)
    store.setup()
    return store


def _sqlite(url: str, _: Mapping[str, str | None]) -> Store:
    from cmc_graph.stores.sqlite import SqliteStore  # noqa: PLC0415 - only the store that is used

    path = url.removeprefix("sqlite://")
    if not path.startswith("/"):
        raise ConfigurationError(
            f"write sqlite:///{path} for a file in this folder: three slashes, four for a full path"
        )
    if path == "/":  # an unset variable in the address must not lose what is written
        raise ConfigurationError("sqlite:/// names no file; write sqlite:///cmc.db")
    return SqliteStore(path[1:])


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
