"""Which setting wins, and that secrets stay secret."""

from pathlib import Path

import pytest

from cmc_graph import settings
from cmc_graph.errors import ConfigurationError

SECRET = "s3cret@/:%#"  # noqa: S105 - made up here


@pytest.fixture(autouse=True)
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder without ``.env``."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_default_store_is_sqlite_in_the_working_folder() -> None:
    """Without any setting the store is cmc.db here, and the reason says so."""
    choice = settings.store_url(settings.load())
    assert (choice.value, choice.origin) == ("sqlite:///cmc.db", "default")


def test_flag_beats_environment_beats_dotenv_beats_default(
    empty_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The precedence is flag, environment, .env, default."""
    (empty_folder / ".env").write_text("CMC_STORE=sqlite:///dotenv.db\nCMC_HISTORY=dotenv\n")
    assert settings.store_url(settings.load()).value == "sqlite:///dotenv.db"
    assert settings.store_url(settings.load()).origin == ".env"
    monkeypatch.setenv("CMC_STORE", "sqlite:///environment.db")
    assert settings.store_url(settings.load()).value == "sqlite:///environment.db"
    assert settings.store_url(settings.load()).origin == "environment"
    assert settings.store_url(settings.load(), "sqlite:///flag.db").value == "sqlite:///flag.db"
    assert settings.history_name(settings.load()).value == "dotenv"
    assert settings.history_name(settings.load(), "flag").origin == "flag"


def test_neo4j_uri_chooses_the_store_only_without_cmc_store(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """NEO4J_URI makes Neo4j the store unless CMC_STORE says otherwise."""
    monkeypatch.setenv("NEO4J_URI", "bolt://somewhere:7687")
    assert settings.store_url(settings.load()).value == "bolt://somewhere:7687"
    monkeypatch.setenv("CMC_STORE", "sqlite:///mine.db")
    assert settings.store_url(settings.load()).value == "sqlite:///mine.db"


def test_older_names_count_only_without_the_newer_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    """NEO4J_USER and NEO4J_URL are read where NEO4J_USERNAME and NEO4J_URI are not set."""
    monkeypatch.setenv("NEO4J_USER", "older")
    monkeypatch.setenv("NEO4J_URL", "bolt://older")
    assert settings.load().neo4j_username == "older"
    assert settings.load().neo4j_uri == "bolt://older"
    monkeypatch.setenv("NEO4J_USERNAME", "newer")
    assert settings.load().neo4j_username == "newer"


def test_an_empty_value_counts_as_not_given(monkeypatch: pytest.MonkeyPatch) -> None:
    """An exported but empty variable changes nothing."""
    monkeypatch.setenv("CMC_STORE", "")
    assert settings.store_url(settings.load()).origin == "default"


def test_secrets_are_masked(monkeypatch: pytest.MonkeyPatch) -> None:
    """The password is in no representation of the settings, and one call gives it in clear."""
    monkeypatch.setenv("NEO4J_PASSWORD", SECRET)
    loaded = settings.load()
    shown = repr(loaded) + str(loaded) + str(list(settings.choices(loaded)))
    assert SECRET not in shown
    assert settings.password(loaded) == SECRET


def test_a_line_of_dotenv_that_cannot_be_read_is_an_error(
    empty_folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """No setting is left out in silence: the line is named, the library's log stays away."""
    (empty_folder / ".env").write_text('CMC_STORE=sqlite:///a.db\nCMC_HISTORY="unterminated\n')
    with pytest.raises(ConfigurationError, match=r"\.env .* line 2"):
        settings.load()
    assert caplog.text == ""


def test_a_dotenv_that_is_not_text_is_one_clear_error(empty_folder: Path) -> None:
    """An unreadable .env is a ConfigurationError that names it."""
    (empty_folder / ".env").write_bytes(b"CMC_STORE=\xff\xfe\n")
    with pytest.raises(ConfigurationError, match=r"\.env"):
        settings.load()


@pytest.mark.parametrize(
    "address",
    ["bolt://neo4j:s3cret@host:7687", "neo4j+s://me@host", " BOLT://a:b/c@host", "x://a:b@c"],
)
def test_a_secret_in_the_address_is_refused_without_showing_it(address: str) -> None:
    """An address with a user or password is refused, and the message does not repeat it."""
    with pytest.raises(ConfigurationError, match="NEO4J_PASSWORD") as caught:
        settings.store_url(settings.load(), address)
    assert "s3cret" not in str(caught.value)


def test_an_sqlite_path_may_hold_an_at_sign() -> None:
    """Only addresses of servers are searched for secrets."""
    assert settings.store_url(settings.load(), "sqlite:///me@home.db").value.endswith("@home.db")
