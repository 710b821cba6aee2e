"""Settings from flags, environment and ``.env``: the only module that reads the environment.

Precedence: flag, environment, ``.env``, default. Read once, at the rim; nothing here connects to
anything. Secrets are ``SecretStr`` and never leave in a text.
"""

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import ClassVar, Literal

from pydantic import AliasChoices, Field, SecretStr, ValidationError
from pydantic_settings import (
    BaseSettings,
    DotEnvSettingsSource,
    EnvSettingsSource,
    SettingsConfigDict,
)

from cmc_graph.errors import ConfigurationError

DEFAULT_STORE = "sqlite:///cmc.db"

#: ``user:password@`` before the host; an SQLite path may hold an @ of its own.
_SECRETS_IN_ADDRESS = re.compile(r"(?!sqlite:)[^/@]*://.*@", re.IGNORECASE)

#: The same inside any other address, which is shown without it.
_ADDRESS_SECRET = re.compile(r"(?<=://)[^/]*@")

#: What is shown as it is set, with the name it is set by.
_SHOWN = {
    "neo4j_username": "NEO4J_USERNAME",
    "neo4j_password": "NEO4J_PASSWORD",
    "neo4j_database": "NEO4J_DATABASE",
    "model": "CMC_MODEL",
    "openai_api_key": "OPENAI_API_KEY",
    "openai_base_url": "OPENAI_BASE_URL",
}

Origin = Literal["flag", "environment", ".env", "default"]


class Settings(BaseSettings):
    """What environment and ``.env`` say; empty values count as not given.

    Where two names stand for one setting (``NEO4J_USER`` is an older ``NEO4J_USERNAME``), the
    first one wins.
    """

    model_config: ClassVar[SettingsConfigDict] = SettingsConfigDict(
        env_file=".env",
        env_file_encoding="utf-8",
        env_ignore_empty=True,
        extra="ignore",
        frozen=True,
    )

    store: str | None = Field(None, validation_alias="CMC_STORE")
    history: str = Field("default", validation_alias="CMC_HISTORY")
    neo4j_uri: str | None = Field(None, validation_alias=AliasChoices("NEO4J_URI", "NEO4J_URL"))
    neo4j_username: str = Field(
        "neo4j", validation_alias=AliasChoices("NEO4J_USERNAME", "NEO4J_USER")
    )
    neo4j_password: SecretStr | None = Field(None, validation_alias="NEO4J_PASSWORD")
    neo4j_database: str | None = Field(None, validation_alias="NEO4J_DATABASE")
    model: str | None = Field(None, validation_alias="CMC_MODEL")
    openai_api_key: SecretStr | None = Field(None, validation_alias="OPENAI_API_KEY")
    openai_base_url: str | None = Field(None, validation_alias="OPENAI_BASE_URL")
    java_home: str | None = Field(None, validation_alias="JAVA_HOME")


@dataclass(frozen=True, slots=True)
class Choice:
    """One effective setting: its value, and where it comes from."""

    name: str
    value: str
    origin: Origin
    why: str


def load() -> Settings:
    """The settings of this process.

    Raises:
        ConfigurationError: A value, or the ``.env`` file, cannot be read.
    """
    try:
        with _no_line_left_out():
            return Settings()
    except (ValidationError, UnicodeDecodeError, OSError) as error:
        raise ConfigurationError(
            "the environment or the file .env cannot be read as settings; check the CMC_*, "
            f"NEO4J_* and OPENAI_* entries ({type(error).__name__})"
        ) from error


def store_url(settings: Settings, flag: str | None = None) -> Choice:
    """Which store to use and why: ``--store``, ``CMC_STORE``, ``NEO4J_URI``, else SQLite here.

    Raises:
        ConfigurationError: The address holds a user or a password, which would end up in logs.
    """
    if flag is not None:
        choice = Choice("store", flag, "flag", "--store")
    elif settings.store is not None:
        choice = Choice("store", settings.store, _origin(settings, "store"), "CMC_STORE")
    elif settings.neo4j_uri is not None:
        choice = Choice("store", settings.neo4j_uri, _origin(settings, "neo4j_uri"), "NEO4J_URI")
    else:
        why = "no --store, CMC_STORE or NEO4J_URI"
        choice = Choice("store", DEFAULT_STORE, "default", why)
    if _SECRETS_IN_ADDRESS.match(choice.value.strip()):
        raise ConfigurationError(
            f"the address in {choice.why} holds a user or password: take them out and set "
            "NEO4J_USERNAME and NEO4J_PASSWORD"
        )
    return choice


def history_name(settings: Settings, flag: str | None = None) -> Choice:
    """Which history to use and why: ``--history``, ``CMC_HISTORY``, else ``default``."""
    if flag is not None:
        return Choice("history", flag, "flag", "--history")
    origin = _origin(settings, "history")
    why = "no --history or CMC_HISTORY" if origin == "default" else "CMC_HISTORY"
    return Choice("history", settings.history, origin, why)


def model_name(settings: Settings, flag: str | None = None) -> str:
    """Which model to ask: ``--model``, else ``CMC_MODEL``.

    Raises:
        ConfigurationError: Neither says so.
    """
    name = flag or settings.model
    if not name:
        raise ConfigurationError("no model is chosen; give --model NAME or set CMC_MODEL")
    return name


def choices(
    settings: Settings, store: str | None = None, history: str | None = None
) -> Iterator[Choice]:
    """Every effective setting with its origin, secrets masked, for ``config show``."""
    yield store_url(settings, store)
    yield history_name(settings, history)
    for field, why in _SHOWN.items():
        value = getattr(settings, field)
        shown = "" if value is None else str(value)  # SecretStr prints as asterisks
        yield Choice(field, _ADDRESS_SECRET.sub("***@", shown), _origin(settings, field), why)


def password(settings: Settings) -> str | None:
    """The Neo4j password in clear, for the one call that opens the store."""
    secret = settings.neo4j_password
    return None if secret is None else secret.get_secret_value()


@contextmanager
def _no_line_left_out() -> Iterator[None]:
    """A block in which lines of ``.env`` that cannot be read are an error, not a note of a library.

    Raises:
        ConfigurationError: There are such lines.
    """
    parser, kept = logging.getLogger("dotenv.main"), _Kept()
    propagates, parser.propagate = parser.propagate, False
    parser.addHandler(kept)
    try:
        yield
    finally:
        parser.removeHandler(kept)
        parser.propagate = propagates
    if kept.messages:
        raise ConfigurationError(
            f"the file .env cannot be read as settings: {kept.messages[0]}; write NAME=value on "
            "each line"
        )


class _Kept(logging.Handler):
    """Keeps what is logged."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep one message."""
        self.messages.append(record.getMessage())


def _origin(settings: Settings, field: str) -> Origin:
    if field not in settings.model_fields_set:
        return "default"
    names = _names(field)
    if names & EnvSettingsSource(Settings)().keys():
        return "environment"
    return ".env" if names & DotEnvSettingsSource(Settings)().keys() else "default"


def _names(field: str) -> set[str]:
    alias = Settings.model_fields[field].validation_alias
    if isinstance(alias, AliasChoices):
        return {str(choice) for choice in alias.choices}
    return {str(alias)}
