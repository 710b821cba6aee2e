"""The lock file, and a cache folder that never holds anything else."""

import re
import shutil
import sys
from pathlib import Path

import pytest
from jgo.maven import Artifact, PythonResolver

from cmc_graph.errors import ConfigurationError, ServerError
from cmc_graph.server import Progress
from cmc_graph.server import jars as module
from cmc_graph.server.jars import Jar, install, locked_jars
from cmc_graph.server.lifecycle import jar_folder

_FEW = 5


class _LocalRepository(PythonResolver):
    """Gives out the jars of the user's cache folder, and notes which it was asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []
        self.spoils: str | None = None
        self.fails_first = False

    def download(self, artifact: Artifact) -> Path:
        """The jar, copied to where the caller wants it, as the real one does it."""
        self.asked.append(artifact.filename)
        target = artifact.cached_path
        assert target is not None
        target.parent.mkdir(parents=True)
        shutil.copyfile(jar_folder() / artifact.filename, target)
        if artifact.filename == self.spoils:
            target.write_bytes(target.read_bytes()[:-1])
        if self.fails_first and len(self.asked) == 1:
            raise ConnectionError("cut off")
        return target


@pytest.fixture
def few(jars: tuple[Path, ...]) -> tuple[Jar, ...]:
    """The first few jars of the lock file."""
    assert jars
    return locked_jars()[:_FEW]


@pytest.fixture
def repository(monkeypatch: pytest.MonkeyPatch) -> _LocalRepository:
    """A repository that needs no network, in the place of the real one."""
    local = _LocalRepository()
    monkeypatch.setattr(module, "_resolver", lambda: local)
    return local


def _ignore(_: Progress) -> None:
    """Nobody watches."""


def test_the_lock_file_names_every_jar_exactly() -> None:
    """Full coordinates, a whole sha256, and a file name of its own for each."""
    jars = locked_jars("linux-x86_64")
    assert len({jar.file_name for jar in jars}) == len(jars) > 200
    assert all(re.fullmatch(r"[0-9a-f]{64}", jar.sha256) for jar in jars)
    assert not any(re.search(r"[\[\](),]|SNAPSHOT|LATEST", jar.version) for jar in jars)
    names = {jar.file_name for jar in jars}
    assert {"neo4j-5.26.29.jar", "neo4j-browser-5.24.0.jar"} <= names


@pytest.mark.parametrize(
    ("platform", "native"),
    [
        ("linux-x86_64", ["epoll"]),
        ("linux-aarch_64", ["epoll"]),
        ("osx-x86_64", ["kqueue"]),
        ("osx-aarch_64", ["kqueue"]),
        ("plan9-mips", []),
    ],
)
def test_native_code_for_other_platforms_is_left_out(platform: str, native: list[str]) -> None:
    """Each platform gets its own native transport and no other; an unknown one gets none."""
    found = [jar for jar in locked_jars(platform) if jar.classifier]
    assert [jar.artifact.rsplit("-", 1)[1] for jar in found] == native
    assert all(jar.classifier == platform for jar in found)


def test_install_gives_the_jars_in_the_order_of_the_lock_file(
    few: tuple[Jar, ...], repository: _LocalRepository, tmp_path: Path
) -> None:
    """From an empty folder every jar is fetched once, told as it goes, and named in order."""
    steps: list[Progress] = []
    paths = install(few, tmp_path / "new" / "jars", steps.append)
    assert [path.name for path in paths] == [jar.file_name for jar in few]
    assert sorted(repository.asked) == sorted(jar.file_name for jar in few)
    assert [(at.done, at.total) for at in steps] == [(done, _FEW) for done in range(_FEW + 1)]


def test_what_is_there_is_kept_and_what_a_killed_download_left_is_not(
    few: tuple[Jar, ...], repository: _LocalRepository, tmp_path: Path
) -> None:
    """Only the missing jar is fetched again; half a jar under its temporary name is cleared."""
    paths = install(few, tmp_path, _ignore)
    paths[2].unlink()
    half = tmp_path / "partial-killed"
    half.mkdir()
    (half / few[2].file_name).write_bytes(b"half")
    repository.asked.clear()
    assert install(few, tmp_path, _ignore) == paths
    assert repository.asked == [few[2].file_name]
    assert {path.name for path in tmp_path.iterdir()} == {"lock", *(path.name for path in paths)}


def test_a_connection_that_breaks_once_is_tried_again(
    few: tuple[Jar, ...], repository: _LocalRepository, tmp_path: Path
) -> None:
    """A cut connection leaves half a jar, which is thrown away and fetched anew."""
    repository.fails_first = True
    install(few[:1], tmp_path, _ignore)
    assert repository.asked == [few[0].file_name] * 2


def test_a_repository_that_gives_another_jar_is_refused(
    few: tuple[Jar, ...], repository: _LocalRepository, tmp_path: Path
) -> None:
    """A fetched jar that differs from the lock file is named, and not kept under its name."""
    repository.spoils = few[1].file_name
    with pytest.raises(ServerError, match="gave another") as refused:
        install(few[1:2], tmp_path, _ignore)
    assert few[1].file_name in str(refused.value)
    assert few[1].sha256 in str(refused.value)
    assert [path.name for path in tmp_path.iterdir()] == ["lock"]


def test_without_the_extra_a_missing_jar_says_what_to_install(
    few: tuple[Jar, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the extra, a missing jar is a matter of installation and says which."""
    monkeypatch.setitem(sys.modules, "jgo.maven", None)
    with pytest.raises(ConfigurationError, match=r"pip install 'cmc-graph\[server\]'"):
        install(few, tmp_path, _ignore)
