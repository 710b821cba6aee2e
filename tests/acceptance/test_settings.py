"""Where settings come from, and that secrets go nowhere (architecture.md, "Command line")."""

from pathlib import Path

import pytest

from cmc_graph import Memory, settings
from tests.acceptance.running import Workspace, numbered, run, variables

HIDDEN = "s3cr3t@/:%#pass"
ADDRESS = "bolt://127.0.0.1:1"


def effective(*arguments: str, **environment: str) -> dict[str, tuple[str, str]]:
    """What `config show` says: value and origin of each setting."""
    shown = run("config", "show", "--json", *arguments, **environment).json()
    return {name: (each["value"], each["from"]) for name, each in shown.items()}


def dotenv(**values: str) -> None:
    """Write a .env file into the working folder."""
    lines = (f"{name}={value}\n" for name, value in values.items())
    Path(".env").write_text("".join(lines), "utf-8")


def test_the_default_is_a_file_in_this_folder() -> None:
    """Without any setting the store is sqlite:///cmc.db and the history is called default."""
    shown = effective()
    assert shown["store"] == ("sqlite:///cmc.db", "default")
    assert shown["history"] == ("default", "default")


def test_flag_before_environment_before_dotenv_before_default() -> None:
    """A flag wins over the environment, that over .env, that over the default."""
    dotenv(CMC_STORE="sqlite:///dotenv.db", CMC_HISTORY="dotenv")
    assert effective()["store"] == ("sqlite:///dotenv.db", ".env")
    assert effective()["history"] == ("dotenv", ".env")
    environment = {"CMC_STORE": "sqlite:///env.db", "CMC_HISTORY": "env"}
    assert effective(**environment)["store"] == ("sqlite:///env.db", "environment")
    assert effective(**environment)["history"] == ("env", "environment")
    flags = ("--store", "sqlite:///flag.db", "--history", "flag")
    assert effective(*flags, **environment)["store"] == ("sqlite:///flag.db", "flag")
    assert effective(*flags, **environment)["history"] == ("flag", "flag")


def test_neo4j_is_the_store_when_its_address_is_set() -> None:
    """NEO4J_URI chooses Neo4j unless CMC_STORE or --store says otherwise."""
    assert effective(NEO4J_URI=ADDRESS)["store"] == (ADDRESS, "environment")
    both = effective(NEO4J_URI=ADDRESS, CMC_STORE="sqlite:///x.db")
    assert both["store"] == ("sqlite:///x.db", "environment")
    dotenv(NEO4J_URI=ADDRESS, NEO4J_USERNAME="ana", NEO4J_DATABASE="memories")
    shown = effective()
    assert shown["store"] == (ADDRESS, ".env")
    assert shown["neo4j_username"] == ("ana", ".env")
    assert shown["neo4j_database"] == ("memories", ".env")
    assert effective(CMC_STORE="sqlite:///x.db")["store"][0] == "sqlite:///x.db"


def test_an_empty_value_is_no_value() -> None:
    """An empty environment variable counts as not given."""
    assert effective(CMC_STORE="", CMC_HISTORY="")["store"] == ("sqlite:///cmc.db", "default")
    dotenv(CMC_HISTORY="dotenv")
    assert effective(CMC_HISTORY="")["history"] == ("dotenv", ".env")


def test_the_commands_use_what_config_shows(tmp_path: Path) -> None:
    """Store and history that `config show` names are those that the commands use."""
    notes = tmp_path / "notes.txt"
    notes.write_text(numbered("Ana lives in Graz."), "utf-8")
    dotenv(CMC_STORE="sqlite:///dotenv.db", CMC_HISTORY="team")
    assert run("ingest", str(notes)).code == 0
    assert Path("dotenv.db").exists()
    assert [each["name"] for each in run("histories", "--json").json()] == ["team"]
    assert run("stats", "--json", CMC_HISTORY="other").json()["records"] == 0
    assert run("stats", "--json", "--history", "team", CMC_HISTORY="other").json()["records"] == 1
    assert run("read", "Ana?", CMC_STORE="sqlite:///env.db").code == 0
    assert not Path("cmc.db").exists()


def test_config_show_says_why() -> None:
    """The table names value, origin and reason of every setting."""
    ran = run("config", "show", CMC_STORE="sqlite:///env.db")
    assert (ran.code, ran.err) == (0, "")
    (line,) = [line for line in ran.out.splitlines() if line.startswith("store")]
    assert "sqlite:///env.db" in line
    assert "environment" in line
    assert "CMC_STORE" in line


def test_a_dotenv_that_cannot_be_read_is_one_line() -> None:
    """A .env file that is no UTF-8: 2, and its name."""
    Path(".env").write_bytes(b"CMC_HISTORY=caf\xe9\n")
    run("stats").refused(2, ".env")
    run("config", "show").refused(2, ".env")


@pytest.mark.parametrize(
    "command",
    [
        ("config", "show"),
        ("config", "show", "--json"),
        ("stats",),
        ("stats", "-v"),
        ("ingest", "notes.txt", "-v"),
        ("read", "Ana?", "-v"),
        ("read", ""),
        ("stats", "--colour"),
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("where", ["environment", ".env"])
def test_a_password_is_in_no_output(command: tuple[str, ...], where: str) -> None:
    """A password given by environment or .env is in no output, error, log or file."""
    Path("notes.txt").write_text("Ana lives in Graz.\n", "utf-8")
    values = {"NEO4J_PASSWORD": HIDDEN, "NEO4J_URI": ADDRESS}
    if where == ".env":
        dotenv(**{**values, "NEO4J_PASSWORD": f"'{HIDDEN}'"})
        values = {}
    ran = run(*command, **values)
    assert "s3cr3t" not in ran.out + ran.err
    written = [path.read_text("utf-8") for path in Path().iterdir() if path.name != ".env"]
    assert not any("s3cr3t" in text for text in written)


def test_a_password_is_in_no_repr(sqlite: Workspace) -> None:
    """Neither settings nor the client show the password, and the client hides its store's."""
    with variables({"NEO4J_PASSWORD": HIDDEN, "NEO4J_URI": ADDRESS}):
        found = settings.load()
        with Memory.open(sqlite.url, sqlite.history) as memory:
            texts = [repr(memory), str(memory), repr(vars(memory))]
        texts += [repr(found), str(found), repr(found.model_dump()), found.model_dump_json()]
        texts += [repr(list(settings.choices(found)))]
        assert settings.password(found) == HIDDEN
    assert not [text for text in texts if "s3cr3t" in text]


@pytest.mark.parametrize("name", ["CMC_STORE", "NEO4J_URI"])
def test_a_password_in_the_address_is_not_shown(name: str) -> None:
    """`config show` masks what stands before the @ of an address, or refuses such an address."""
    address = "bolt://neo4j:s3cr3t@127.0.0.1:1"
    for command in (("config", "show"), ("config", "show", "--json"), ("stats",)):
        ran = run(*command, **{name: address})
        assert "s3cr3t" not in ran.out + ran.err, ran
    ran = run("config", "show", "--store", address)
    assert "s3cr3t" not in ran.out + ran.err, ran
