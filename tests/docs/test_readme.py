"""What the README says is true: its commands and its code run, and print what it shows."""

import doctest
import os
import re
import secrets
import subprocess
import sys
from pathlib import Path

import pytest

import cmc_graph
from cmc_graph import Memory
from cmc_graph.sources import open_sources
from cmc_graph.stores import open_store
from tests.docs import readme
from tests.support.neo4j_target import Target

ROOT = readme.README.parent

#: Commands a test cannot run from within itself, and what stands in for running them.
ELSEWHERE = {
    "scripts/check": "the test run itself is a part of it; .ci/run calls it",
    "pip install 'cmc-graph[server]'": "scripts/test did, from the checkout",
    "pip install 'cmc-graph[eval]'": "scripts/test did, from the checkout",
    ". .venv/bin/activate": "the tests run in a virtual environment of their own",
    "docker compose up -d": "needs a Docker engine; compose.yaml is read by tests/server",
}
TEAM = "examples/team-history.txt"
MARK = "-- end of command --"


def _same(expected: str, got: str) -> bool:
    """True when the output is the one shown, where … stands for anything."""
    flags = doctest.ELLIPSIS
    return doctest.OutputChecker().check_output(expected.replace("…", "..."), got, flags)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A working folder as the README assumes it: a checkout's examples and scripts."""
    path = tmp_path_factory.mktemp("readme")
    for name in ("examples", "scripts"):
        (path / name).symlink_to(ROOT / name)
    return path


def _environment(home: Path) -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("CMC_", "NEO4J_"))}
    binaries = str(Path(sys.executable).parent)
    return kept | {
        "PATH": os.pathsep.join([binaries, kept["PATH"]]),
        "VIRTUAL_ENV": sys.prefix,
        "XDG_DATA_HOME": str(home / "data"),
        "COLUMNS": "100",
        "PYTHONUNBUFFERED": "1",
    }


@pytest.mark.timeout(600)
def test_every_command_prints_what_the_readme_shows(folder: Path) -> None:
    """The console blocks, run in order in one shell, print exactly what stands below them."""
    commands = [command for command in readme.commands() if command.line not in ELSEWHERE]
    script = "".join(f'{command.line}\necho "{MARK}$?"\n' for command in commands)
    ran = subprocess.run(
        ["bash"],
        input=script,
        cwd=folder,
        env=_environment(folder),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    *printed, rest = re.split(rf"{MARK}(\d+)\n", ran.stdout)
    assert (len(printed), rest) == (2 * len(commands), "")
    wrong = [
        f"$ {command.line}\nREADME:\n{command.output}\nprinted, exit code {code}:\n{got}"
        for command, got, code in zip(commands, printed[::2], printed[1::2], strict=True)
        if code != "0" or not _same(command.output, got)
    ]
    assert not wrong, "\n\n".join(wrong)


def test_every_python_block_runs_and_prints_what_follows(folder: Path) -> None:
    """A python block prints the text block below it; all run in one folder, in order."""
    found = readme.blocks()
    python = [
        (block, following)
        for block, following in zip(found, [*found[1:], readme.Block("", "")], strict=True)
        if block.language == "python"
    ]
    assert python
    for block, following in python:
        ran = subprocess.run(
            [sys.executable, "-W", "error", "-c", block.text],
            cwd=folder,
            env=_environment(folder),
            capture_output=True,
            text=True,
            check=False,
        )
        assert ran.returncode == 0, ran.stderr
        expected = following.text if following.language == "text" else ""
        assert _same(expected, ran.stdout), f"{block.text}\nprinted:\n{ran.stdout}"


def test_every_cypher_block_finds_something(neo4j_target: Target) -> None:
    """A statement shown for Neo4j Browser runs on a history as the README ingests it."""
    history = f"readme {secrets.token_hex(8)}"
    statements = [block.text for block in readme.blocks() if block.language == "cypher"]
    assert statements
    store = open_store(neo4j_target.url, **neo4j_target.options)
    with Memory(store, history) as memory, open_sources([str(ROOT / TEAM)]) as sources:
        memory.ingest(sources)
    with neo4j_target.driver() as driver:
        for statement in statements:
            found = driver.execute_query(statement.replace('"default"', f'"{history}"'))
            assert found.records
    neo4j_target.wipe([history])


def test_what_is_not_run_here_is_run_elsewhere() -> None:
    """The commands left out are in the README, and CI runs the one that contains the tests."""
    lines = {command.line for command in readme.commands()}
    assert lines >= ELSEWHERE.keys()
    assert "scripts/check" in (ROOT / ".ci" / "run").read_text("utf-8")


def test_the_readme_has_no_block_of_another_kind() -> None:
    """Every block is either run or the output of one that is, or a picture."""
    assert {block.language for block in readme.blocks()} <= {
        "console",
        "cypher",
        "mermaid",
        "python",
        "text",
    }


def test_the_example_of_the_package_runs() -> None:
    """The example in the package's docstring prints what it shows."""
    assert doctest.testmod(cmc_graph).failed == 0
