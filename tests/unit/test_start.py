"""What is imported when: names and commands come when they are used."""

import subprocess
import sys
from importlib import import_module

import pytest
import typer

import cmc_graph
from cmc_graph.cli.commands import COMMANDS, whole

#: What takes long to import, and the modules of the project that need it.
HEAVY = {"asyncio", "neo4j", "neomodel", "openai", "pydantic", "rich", "sqlite3", "tenacity"}


def loaded(program: str) -> set[str]:
    """The modules that a fresh interpreter has after a program."""
    code = f"{program}\nimport sys\nprint(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stderr.split())


def test_help_imports_nothing_heavy() -> None:
    """The list of commands needs neither a database, nor a model, nor the commands themselves."""
    modules = loaded("from cmc_graph.cli import main\nmain(['--help'])")
    assert not modules & HEAVY
    assert "cmc_graph.memory" not in modules


def test_a_read_of_sqlite_imports_no_driver_and_no_client_of_models() -> None:
    """A program that reads an embedded store waits for no package that it does not use."""
    program = (
        "from cmc_graph import Memory\n"
        "with Memory.open('sqlite:///:memory:', 'h') as memory:\n    memory.read('Where?')"
    )
    assert not loaded(program) & {"neo4j", "neomodel", "openai", "rich", "typer"}


@pytest.mark.parametrize("name", COMMANDS)
def test_every_listed_command_is_there(name: str) -> None:
    """A name in the list of commands has a command of that name behind it."""
    assert whole(name).name == name


@pytest.mark.parametrize("module", sorted({module for module, _ in COMMANDS.values()}))
def test_no_command_is_missing_from_the_list(module: str) -> None:
    """What a module registers is in the list, under the module's name."""
    app = typer.Typer()
    import_module(f"cmc_graph.cli.{module}").register(app)
    registered = {*typer.main.get_group(app).commands}
    assert registered == {name for name, (home, _) in COMMANDS.items() if home == module}


@pytest.mark.parametrize("name", cmc_graph.__all__)
def test_every_public_name_can_be_imported(name: str) -> None:
    """The names of ``__all__`` exist, those that are imported late too."""
    assert getattr(cmc_graph, name) is not None
    assert name in dir(cmc_graph)


def test_another_name_is_an_attribute_error() -> None:
    """Asking the package for a name it does not have is the ordinary error."""
    with pytest.raises(AttributeError, match="'cmc_graph' has no attribute 'memmory'"):
        _ = cmc_graph.memmory
