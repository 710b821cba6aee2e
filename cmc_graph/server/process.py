"""The server's process: its command line, starting it detached, recognising and ending it."""

import os
import re
import signal
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

from cmc_graph.errors import ServerError
from cmc_graph.server.home import Home

_JVM = (
    "-Xms256m",
    "-Xmx1g",
    "--add-opens=java.base/java.nio=ALL-UNNAMED",
    "--add-opens=java.base/java.io=ALL-UNNAMED",
    "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
    "--add-opens=java.base/java.util.concurrent=ALL-UNNAMED",
    "--enable-native-access=ALL-UNNAMED",
    "-Dfile.encoding=UTF-8",
    "-Djava.awt.headless=true",
    "-Dlog4j2.disable.jmx=true",
    "-Dio.netty.tryReflectionSetAccessible=true",
)
_SERVER = "org.neo4j.server.CommunityEntryPoint"
_ADMIN = "org.neo4j.cli.AdminTool"

#: All that the server inherits: no secret of the caller's environment, and a locale in which every
#: file name can be written.
_ENVIRONMENT = {"LC_ALL": "C.UTF-8"}

#: The shell ends at once and leaves the program to the system, which also reaps it: a caller that
#: lives on keeps no zombie, and one that ends takes nothing along.
_DETACH = 'log=$1; shift; "$@" </dev/null >"$log" 2>&1 & echo $!'

_PAUSE = 0.1
_PATIENCE = 60.0
_AFTER_KILL = 10.0

_TROUBLE = re.compile(r"^(?:Exception in thread \S+|Caused by:|\S+ \S+ ERROR) ?(.*)$", re.MULTILINE)
_CLASS = re.compile(r"^(?:[a-z]\w*\.)+([A-Z][\w$]*: )")
_SHOWN = 400


def set_initial_password(java: Path, jars: Sequence[Path], home: Home) -> None:
    """Give the server's user the password in the password file; before the first start with it.

    The program reads the file itself, so that the password is on no command line.

    Raises:
        ServerError: The program failed.
    """
    command = [str(java), "-cp", _class_path(jars), _ADMIN, "dbms", "set-initial-password"]
    done = subprocess.run(  # noqa: S603 - no shell, and every part is ours
        [*command, f"@{home.password_file}"],
        env={**_ENVIRONMENT, "NEO4J_HOME": str(home.folder), "NEO4J_CONF": str(home.conf)},
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    if done.returncode:
        reason = trouble(done.stderr + done.stdout)
        raise ServerError(f"cannot set the password of the server in {home.folder}: {reason}")


def spawn(java: Path, jars: Sequence[Path], home: Home) -> int:
    """The process id of a server just started, in a session of its own, printing to its log.

    Raises:
        ServerError: It could not be started.
    """
    server = [
        *(str(java), *_JVM, "-cp", _class_path(jars), _SERVER),
        *(_home_argument(home), f"--config-dir={home.conf}", "--console-mode"),
    ]
    started = subprocess.run(  # noqa: S603 - the script is a constant, the rest are arguments
        ["/bin/sh", "-c", _DETACH, "sh", str(home.log), *server],
        cwd=home.folder,
        env=_ENVIRONMENT,
        capture_output=True,
        text=True,
        errors="replace",
        start_new_session=True,
        check=False,
    )
    if started.returncode:
        raise ServerError(f"cannot start {java}: {trouble(started.stderr)}; see {home.log}")
    return int(started.stdout)


def is_server(pid: int, home: Home) -> bool:
    """Whether that process is alive and the server of that home, not one that got its number."""
    return f" {_home_argument(home)} --config-dir=" in _command_line(pid)


def end(pid: int, home: Home) -> None:
    """Ask the server to stop, wait for it, and kill it when it does not.

    Raises:
        ServerError: It may not be stopped by this user, or survived.
    """
    try:
        for number, patience in ((signal.SIGTERM, _PATIENCE), (signal.SIGKILL, _AFTER_KILL)):
            if _gone(pid, home, 0.0):
                return
            os.kill(pid, number)
            if _gone(pid, home, patience):
                return
    except ProcessLookupError:
        return
    except PermissionError as error:
        raise ServerError(f"process {pid} of {home.folder} belongs to another user") from error
    raise ServerError(f"process {pid} of {home.folder} did not end")


def trouble(output: str) -> str:
    """One line that says what went wrong, from what a Java program printed.

    The first complaint and the root cause where the output has such lines, else its end.
    """
    found = [_CLASS.sub(r"\1", line).strip() for line in _TROUBLE.findall(output)]
    told = list(dict.fromkeys(line.rstrip(".") for line in found[:1] + found[-1:] if line))
    if not told:
        told = [line.strip() for line in output.splitlines() if line.strip()][-2:]
    return ("; ".join(told) or "it printed nothing")[:_SHOWN]


def _class_path(jars: Sequence[Path]) -> str:
    return os.pathsep.join(map(str, jars))


def _home_argument(home: Home) -> str:
    return f"--home-dir={home.folder}"


def _gone(pid: int, home: Home, patience: float) -> bool:
    """Whether the server has ended, waiting for it up to that many seconds."""
    deadline = time.monotonic() + patience
    while is_server(pid, home):
        if time.monotonic() >= deadline:
            return False
        time.sleep(_PAUSE)
    return True


def _command_line(pid: int) -> str:
    """The command line of a process, in words; empty when it has ended."""
    if Path("/proc/self/cmdline").exists():
        try:
            return os.fsdecode(Path(f"/proc/{pid}/cmdline").read_bytes()).replace("\0", " ")
        except (FileNotFoundError, ProcessLookupError):
            return ""
    listed = subprocess.run(  # noqa: S603 - a constant program and a number
        ["/bin/ps", "-ww", "-o", "command=", "-p", str(pid)],
        capture_output=True,
        text=True,
        check=False,
    )
    return listed.stdout
