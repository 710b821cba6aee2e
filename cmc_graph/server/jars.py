"""The jars of the server: the lock file of this package, and a cache folder that agrees with it.

Each jar is fetched by its exact coordinates through the Maven layer of ``jgo``, which knows the
repository; nothing is resolved, so nothing drifts. A jar whose sha256 is not the one of the lock
file is never run. This module must not know what the jars are for.
"""

import hashlib
import platform
import shutil
import sys
import tomllib
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from tenacity import Retrying, retry_if_exception_type, stop_after_attempt, wait_fixed

from cmc_graph.errors import ConfigurationError, ServerError
from cmc_graph.server.info import OnProgress, Progress
from cmc_graph.server.locking import exclusive

if TYPE_CHECKING:
    from jgo.maven import PythonResolver

VERSION = "5.26.29"

_DOWNLOADS_AT_ONCE = 4
_ATTEMPTS = 3
_PARTIAL = "partial-"
_SYSTEMS = {"linux": "linux", "darwin": "osx"}
_MACHINES = {"amd64": "x86_64", "arm64": "aarch_64", "aarch64": "aarch_64"}


@dataclass(frozen=True, slots=True)
class Jar:
    """One jar of the lock file.

    Attributes:
        group: Group of its coordinates.
        artifact: Its name there.
        version: Its exact version.
        classifier: The platform it is for; empty when it is for all.
        sha256: Of its bytes, in hexadecimal digits.
    """

    group: str
    artifact: str
    version: str
    classifier: str
    sha256: str

    @property
    def file_name(self) -> str:
        """Its name in a repository and in the cache folder."""
        return "-".join(filter(None, (self.artifact, self.version, self.classifier))) + ".jar"


def locked_jars(platform_name: str | None = None) -> tuple[Jar, ...]:
    """The jars the server needs on a platform, in the order of the class path.

    Args:
        platform_name: Classifier such as ``linux-x86_64``; None = this machine. Jars with native
            code for another platform are left out.
    """
    text = (files("cmc_graph.server") / f"neo4j-{VERSION}.lock.toml").read_text("utf-8")
    wanted = ("", platform_name or _this_platform())
    jars = (_jar(name, digest) for name, digest in tomllib.loads(text)["jars"].items())
    return tuple(jar for jar in jars if jar.classifier in wanted)


def _jar(coordinates: str, sha256: str) -> Jar:
    group, artifact, version, *classifier = coordinates.split(":")
    return Jar(group, artifact, version, "".join(classifier), sha256)


def _this_platform() -> str:
    machine = platform.machine().lower()
    return f"{_SYSTEMS.get(sys.platform, sys.platform)}-{_MACHINES.get(machine, machine)}"


def install(jars: Sequence[Jar], folder: Path, on_progress: OnProgress) -> tuple[Path, ...]:
    """The files of the jars, all of them there and all of them equal to the lock file.

    What is missing is downloaded; what a broken download left is fetched again, the rest is kept.

    Args:
        jars: What to install, in the order of the class path.
        folder: The cache folder; several servers may share it.
        on_progress: Called as the steps go on, in this thread.

    Raises:
        ConfigurationError: Something is missing and the extra ``server`` is not installed.
        ServerError: A jar differs from the lock file, cannot be downloaded or cannot be written.
    """
    with _cache_folder(folder, on_progress), ThreadPoolExecutor(_DOWNLOADS_AT_ONCE) as pool:
        present = [jar for jar in jars if (folder / jar.file_name).is_file()]
        if present:
            on_progress(Progress(f"checking {len(present)} jars"))
        digests = pool.map(_sha256, [folder / jar.file_name for jar in present])
        for jar, digest in zip(present, digests, strict=True):
            if digest != jar.sha256:
                raise ServerError(
                    f"{folder / jar.file_name} was changed: its sha256 is not the one in the lock"
                    " file of cmc-graph; delete it and start again"
                )
        if missing := [jar for jar in jars if jar not in present]:
            _download_all(missing, folder, pool, on_progress)
    return tuple(folder / jar.file_name for jar in jars)


@contextmanager
def _cache_folder(folder: Path, on_progress: OnProgress) -> Iterator[None]:
    """Make the folder, hold its lock, and clear what a killed download left."""
    wait = Progress("waiting for another start that fetches the jars")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with exclusive(folder / "lock", lambda: on_progress(wait)):
            for leftover in folder.glob(f"{_PARTIAL}*"):
                shutil.rmtree(leftover)
            yield
    except OSError as error:
        raise ServerError(f"cannot use the cache folder {folder}: {error.strerror}") from error


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _download_all(
    jars: Sequence[Jar], folder: Path, pool: ThreadPoolExecutor, on_progress: OnProgress
) -> None:
    resolver = _resolver()
    step = f"downloading Neo4j {VERSION} ({len(jars)} jars)"
    on_progress(Progress(step, 0, len(jars)))
    downloads = [pool.submit(_download, jar, folder, resolver) for jar in jars]
    try:
        for done, download in enumerate(as_completed(downloads), start=1):
            download.result()
            on_progress(Progress(step, done, len(jars)))
    finally:
        pool.shutdown(cancel_futures=True)


def _resolver() -> "PythonResolver":
    try:
        from jgo.maven import PythonResolver  # noqa: PLC0415 - an extra, needed only to download
    except ImportError as error:
        raise ConfigurationError(
            "the jars of Neo4j are not there yet: pip install 'cmc-graph[server]' to fetch them"
        ) from error
    return PythonResolver()


def _download(jar: Jar, folder: Path, resolver: "PythonResolver") -> None:
    """Fetch one jar, compare it, and only then give it its name in the folder."""
    attempts = Retrying(
        stop=stop_after_attempt(_ATTEMPTS),
        wait=wait_fixed(1),
        retry=retry_if_exception_type((OSError, RuntimeError)),
        reraise=True,
    )
    try:
        attempts(_fetch, jar, folder, resolver)
    except (OSError, RuntimeError) as error:  # requests' errors are OSErrors, jgo's RuntimeErrors
        reason = getattr(error, "strerror", None) or type(error).__name__
        raise ServerError(
            f"cannot download {jar.file_name} from the Maven repository ({reason}): check network"
            f" and proxy and start again; the jars already in {folder} are kept"
        ) from error


def _fetch(jar: Jar, folder: Path, resolver: "PythonResolver") -> None:
    from jgo.maven import MavenContext  # noqa: PLC0415 - see _resolver

    with TemporaryDirectory(prefix=_PARTIAL, dir=folder) as partial_folder:
        context = MavenContext(resolver=resolver, repo_cache=Path(partial_folder))
        component = context.project(jar.group, jar.artifact).at_version(jar.version)
        fetched = component.artifact(jar.classifier).resolve()
        if (digest := _sha256(fetched)) != jar.sha256:
            raise ServerError(
                f"the Maven repository gave another {jar.file_name} than the lock file of cmc-graph"
                f" names: sha256 {digest} instead of {jar.sha256}"
            )
        fetched.replace(folder / jar.file_name)
