"""Libraries that only some arms need: imported when they are used, missed in one line.

This module must not know what they are used for.
"""

from importlib import import_module
from typing import Any

from cmc_graph.errors import ConfigurationError


def library(name: str, extra: str) -> Any:
    """The module of that name.

    Args:
        name: As it is imported.
        extra: Of this package, which brings it.

    Raises:
        ConfigurationError: It is not installed.
    """
    try:
        return import_module(name)
    except ImportError as error:
        raise ConfigurationError(
            f"{name.partition('.')[0]} is not installed: pip install 'cmc-graph[{extra}]'"
        ) from error
