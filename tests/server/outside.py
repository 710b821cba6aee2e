"""What can be seen of a server from outside: commands, connections, processes, sockets."""

import os
import subprocess
import sys
from pathlib import Path

from neo4j import Driver, GraphDatabase

from cmc_graph.server import ServerInfo

_PROGRAM = "import sys; from cmc_graph.cli import main; sys.exit(main())"
_LISTENING = "0A"


def popen(*arguments: str, **environ: str) -> subprocess.Popen[str]:
    """``cmc-graph server …`` in a process of its own, still running."""
    return subprocess.Popen(
        [sys.executable, "-c", _PROGRAM, "server", *arguments],
        cwd=Path(__file__).parents[2],
        env={**os.environ, **environ},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def command(*arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
    """``cmc-graph server …`` in a process of its own, done."""
    with popen(*arguments, **environ) as process:
        out, err = process.communicate(timeout=120)
    return subprocess.CompletedProcess(arguments, process.returncode, out, err)


def connect(info: ServerInfo, password: str | None = None) -> Driver:
    """A driver for the server, with the password of its file unless another is given."""
    if password is None and info.password_file is not None:
        password = info.password_file.read_text().strip()
    return GraphDatabase.driver(info.bolt, auth=(info.username or "", password or ""))


def write(info: ServerInfo, text: str) -> None:
    """Add a note with that text."""
    with connect(info) as driver:
        driver.execute_query("CREATE (:Note {text: $text})", text=text)


def count(info: ServerInfo, text: str) -> int:
    """How many notes with that text the server holds."""
    statement = "OPTIONAL MATCH (n {text: $text}) RETURN count(n) AS found"
    with connect(info) as driver:
        return int(driver.execute_query(statement, text=text).records[0]["found"])


def alive(pid: int) -> bool:
    """Whether a process runs; one that ended and is still listed does not."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes() != b""
    except (FileNotFoundError, ProcessLookupError):
        return False


def command_lines() -> str:
    """The command lines of all processes that anybody on this machine can see."""
    lines = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            lines.append(path.read_bytes().decode(errors="replace"))
        except (FileNotFoundError, ProcessLookupError):
            continue  # it ended meanwhile
    return "\n".join(lines)


def listening(pid: int) -> set[tuple[str, int]]:
    """The addresses (as the kernel writes them) and ports a process listens on."""
    links = [link.readlink() for link in Path(f"/proc/{pid}/fd").iterdir() if link.is_symlink()]
    own = {str(link)[8:-1] for link in links if str(link).startswith("socket:[")}
    found = set()
    for table in ("tcp", "tcp6"):
        for line in Path(f"/proc/{pid}/net/{table}").read_text().splitlines()[1:]:
            _, local, _, state, *_, inode = line.split()[:10]
            if state == _LISTENING and inode in own:
                address, port = local.split(":")
                found.add((address, int(port, 16)))
    return found
