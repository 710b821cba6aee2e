"""Neo4j servers of a benchmark's own: a folder, a version and an amount of memory of its choice.

``cmc-graph server`` always starts the version of its lock file with memory for everyday use. Here
the same files and command line are used with more memory, or with the jars of another version.
Borrows the command line of ``cmc_graph.server.process``, on purpose: one place says how to start.
"""

import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from cmc_graph.server.home import Home
from cmc_graph.server.info import ServerInfo
from cmc_graph.server.jars import VERSION, install, locked_jars
from cmc_graph.server.java import find_java
from cmc_graph.server.lifecycle import jar_folder
from cmc_graph.server.ports import choose_ports
from cmc_graph.server.process import _JVM, _SERVER, is_server
from cmc_graph.server.ready import await_ready

#: What a Java of today and the server of a calendar version want beside the options of the lock's.
_NEWEST_JVM = (
    "--sun-misc-unsafe-memory-access=allow",
    "-Dorg.neo4j.shaded.lucene9.vectorization.upperJavaFeatureVersion=25",
)
_NEWEST_SERVER = "org.neo4j.server.Neo4jCommunity"
_STOP_SECONDS, _PAUSE = 120, 0.01


@dataclass(frozen=True, slots=True)
class Program:
    """What to run: a Java, and the jars of one version of Neo4j."""

    java: Path
    jars: tuple[Path, ...]
    server: str = _SERVER
    options: tuple[str, ...] = ()

    @classmethod
    def locked(cls) -> Self:
        """The version of the lock file, its jars fetched if they are not there."""
        jars = install(locked_jars(), jar_folder(), lambda _progress: None)
        return cls(find_java(None), jars)

    @classmethod
    def newest(cls, jars: Path, java: Path) -> Self:
        """The calendar version whose jars lie in a folder, on the Java in another."""
        found = tuple(sorted(jars.glob("*.jar")))
        return cls(java / "bin" / "java", found, _NEWEST_SERVER, _NEWEST_JVM)


@contextmanager
def running(folder: Path, program: Program, *, heap: str, page_cache: str) -> Iterator[str]:
    """The url of a server without authentication in a folder of its own, stopped at the end.

    Args:
        folder: Made when missing; what is stored in it stays.
        program: What to run.
        heap: Memory, as Java writes it.
        page_cache: The same, as Neo4j's settings write it.
    """
    home = Home.at(folder)
    with home.held(lambda _progress: None):
        ports = choose_ports(None, None, home.kept_ports())
        home.write_conf(VERSION, ports, auth=False)
        written = home.conf / "neo4j.conf"
        settings = written.read_text("utf-8")
        written.write_text(settings.replace("size=256m", f"size={page_cache}"), "utf-8")
        memory = (f"-Xms{heap}", f"-Xmx{heap}")
        others = (option for option in _JVM if not option.startswith("-Xm"))
        command = [str(program.java), *memory, *others, *program.options, "-cp"]
        command += [os.pathsep.join(map(str, program.jars)), program.server]
        command += [f"--home-dir={home.folder}", f"--config-dir={home.conf}", "--console-mode"]
        with home.log.open("wb") as log:
            process = subprocess.Popen(command, cwd=home.folder, stdout=log, stderr=log)
        try:
            info = ServerInfo.of(
                ports=ports,
                version=VERSION,
                pid=process.pid,
                home=home.folder,
                password_file=None,
            )
            while process.poll() is None and not is_server(process.pid, home):
                time.sleep(_PAUSE)  # its command line cannot be read while the system starts it
            await_ready(info, home)
            yield info.bolt
        finally:
            process.terminate()
            process.wait(_STOP_SECONDS)
