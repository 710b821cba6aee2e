"""Server versions and settings that hurt, by the server's own words for them. Pure.

This module must not know how settings are read.
"""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from cmc_graph.doctor.commands import START, setting
from cmc_graph.doctor.problems import Problem
from cmc_graph.stores.inspection import Inspection

#: The first version that reads the statements, and the major version they are written for.
_OLDEST = (5, 26)
_VERSION = re.compile(r"Neo4j (\d+)\.(\d+)")

_UNITS = {
    **{"ms": 0.001, "s": 1, "m": 60, "h": 3_600, "d": 86_400},
    **{"B": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "TiB": 2**40},
}
_PART = re.compile(r"([0-9.]+)([A-Za-z]*)")


class _Least(NamedTuple):
    """A setting with a smallest value that does no harm; zero stands for no limit."""

    least: str
    why: str


_LEAST: Mapping[str, _Least] = {
    "db.transaction.timeout": _Least("120s", "it stops batches that take longer"),
    "db.lock.acquisition.timeout": _Least("30s", "writers that wait for one another fail"),
    "db.memory.transaction.max": _Least("256MiB", "a batch or a deep read may not fit"),
    "dbms.memory.transaction.total.max": _Least("256MiB", "a batch or a deep read may not fit"),
    "server.memory.heap.max_size": _Least("512MiB", "a batch or a deep read may not fit"),
}
_READ_ONLY = "server.databases.default_to_read_only"

SETTINGS = (*_LEAST, _READ_ONLY)


def problems(found: Inspection) -> Iterator[Problem]:
    """What is wrong with the version and the settings of a server."""
    version = _VERSION.match(found.server)
    if version and (int(version[1]), int(version[2])) < _OLDEST:
        yield Problem(
            code="old-server",
            place=found.server,
            sentence=f"{found.server} is older than 5.26, and cannot read all statements: "
            "update it, or use a server of your own",
            command=START,
        )
    for name, (least, why) in _LEAST.items():
        value = found.settings.get(name)
        if value is not None and 0 < amount(value) < amount(least):
            yield _setting(f"{name} is {value}, less than {least}: {why}", name, least)
    if found.settings.get(_READ_ONLY) == "true":
        yield _setting(f"{_READ_ONLY} is true: nothing can be written", _READ_ONLY, "false")


def amount(value: str) -> float:
    """A duration in seconds or a size in bytes, from texts like ``1m30s``, ``2.5GiB`` and ``9``."""
    return sum(float(number) * _UNITS.get(unit, 1) for number, unit in _PART.findall(value))


def _setting(sentence: str, name: str, value: str) -> Problem:
    return Problem(
        code="setting",
        place=name,
        sentence=f"{sentence}; the server reads its configuration when it is started",
        command=setting(name, value),
    )
