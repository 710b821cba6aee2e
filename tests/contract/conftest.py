"""What the contract tests are given beside a store."""

import sqlite3
from contextlib import closing

import pytest

from tests.support.database import Damage, Database


@pytest.fixture
def damage(request: pytest.FixtureRequest, database: Database) -> Damage:
    """Does to a history what is said in SQL or in Cypher."""

    def do(history: str, sql: str, cypher: str) -> None:
        if database.kind == "neo4j":
            with request.getfixturevalue("neo4j_target").driver() as driver:
                driver.execute_query(cypher, h=history)
        else:
            with closing(sqlite3.connect(database.url.removeprefix("sqlite:///"))) as connection:
                connection.execute("PRAGMA foreign_keys = OFF")
                connection.executescript(sql)

    return do
