"""Which address opens which store, and what is said of the others."""

from contextlib import closing
from pathlib import Path

import pytest

from cmc_graph.errors import ConfigurationError
from cmc_graph.stores import open_store
from tests.support.builders import batch, entry


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("", "begins like this"),
        ("cmc.db", "begins like this"),
        ("postgres://host/db", "sqlite"),
        ("http://host:7474", "bolt"),
        ("sqlite://cmc.db", "sqlite:///cmc.db"),
        ("sqlite://", "three slashes"),
        ("sqlite:///", "names no file"),
    ],
)
def test_an_address_of_no_store_is_refused(url: str, said: str) -> None:
    """An unknown scheme, or an SQLite address without a file, is one clear error."""
    with pytest.raises(ConfigurationError, match=said):
        open_store(url)


def test_three_slashes_are_relative_and_four_absolute(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The path of an SQLite address is what follows the third slash."""
    monkeypatch.chdir(tmp_path)
    with (
        closing(open_store("sqlite:///here.db")) as here,
        closing(open_store(f"sqlite:///{tmp_path}/x.db")) as there,
    ):
        for store in (here, there):
            store.append("h", batch(entry(1)))
        assert {path.name for path in tmp_path.glob("*.db")} == {"here.db", "x.db"}


def test_memory_needs_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The store in memory writes nothing to the folder."""
    monkeypatch.chdir(tmp_path)
    with closing(open_store("sqlite:///:memory:")) as store:
        assert store.histories() == []
    assert list(tmp_path.iterdir()) == []
