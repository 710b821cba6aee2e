"""Which loaders there are, of this package and of others that are installed.

This module must not know any format.
"""

from importlib.metadata import EntryPoint, entry_points
from typing import cast

from cmc_graph.errors import UsageError
from cmc_graph.text import join_names
from loaders import Loader

GROUP = "cmc_graph.loaders"


def names() -> list[str]:
    """The names of all loaders."""
    return sorted(_registered())


def find(name: str) -> Loader:
    """The loader of that name.

    Raises:
        UsageError: There is none, or it cannot be imported, or it is no loader.
    """
    known = _registered()
    if name not in known:
        raise UsageError(
            f"there is no loader {name!r:.60}; known are {join_names(['auto', *sorted(known)])}"
        )
    return _load(known[name])


def _registered() -> dict[str, EntryPoint]:
    return {found.name: found for found in entry_points(group=GROUP)}


def _load(found: EntryPoint) -> Loader:
    try:
        loader = found.load()
    except (ImportError, AttributeError) as error:
        raise UsageError(
            f"the loader {found.name!r} ({found.value}) cannot be imported: {error}"
        ) from error
    if not all(callable(getattr(loader, verb, None)) for verb in ("accepts", "records")):
        raise UsageError(f"the loader {found.name!r} ({found.value}) lacks accepts or records")
    return cast(Loader, loader)
