"""The fault scripts of ``benchmarks/faults``, in short; and a server that is away for a moment."""

import json
import os
import subprocess
import sys
import time
from contextlib import ExitStack
from dataclasses import replace
from threading import Timer
from urllib.parse import urlsplit

import pytest

from tests.acceptance.proxy import Proxy
from tests.acceptance.real import needs_data
from tests.acceptance.running import ROOT, Workspace

SCRIPTS = ROOT / "benchmarks" / "faults"

#: Script and options of what is tried on both stores.
EITHER = {
    "killed-client": ("killed_client.py", "--rounds", "2", "--size", "64k"),
    "killed-commands": (
        *("killed_commands.py", "--rounds", "1", "--size", "6k"),
        *("--only", "load", "forget"),
    ),
}


def holds(*command: str, **environment: str) -> None:
    """A script ends with 0, and says of each of its rules that it holds."""
    script, *options = command
    ran = subprocess.run(
        [sys.executable, str(SCRIPTS / script), *options],
        capture_output=True,
        encoding="utf-8",
        env=os.environ | environment,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    limits = json.loads(ran.stdout)["limits"]
    assert limits
    assert [limit for limit in limits if not limit["holds"]] == []


@needs_data
@pytest.mark.parametrize("command", EITHER.values(), ids=EITHER.keys())
def test_on_both_stores(workspace: Workspace, command: tuple[str, ...]) -> None:
    """A client killed at random moments, and run again, leaves what an undisturbed one leaves."""
    store = ("--store", workspace.url) if workspace.kind == "neo4j" else ()
    holds(*command, *store, **workspace.environment)


@needs_data
def test_a_full_disk() -> None:
    """SQLite at a limit on file sizes: one clear error, whole batches stay, the rest can follow."""
    holds("full_disk.py", "--rounds", "2", "--size", "32k", "--no-mount")


@needs_data
def test_a_killed_server(locked: Workspace) -> None:
    """A server killed in the middle of an ingest comes back: the same result, or a clear error."""
    assert locked.kind == "neo4j"  # a server can be started here, else this test is skipped
    holds("killed_server.py", "--rounds", "1", "--size", "32k", "--only-back")


@needs_data
def test_answers_lost_at_the_commit(locked: Workspace) -> None:
    """A cable cut at random commits: no assertion twice, none lost."""
    command = ("lost_answers.py", "--rounds", "2", "--size", "32k", "--store", locked.url)
    holds(*command, **locked.environment)


def test_a_read_waits_for_a_server_that_starts_anew(locked: Workspace) -> None:
    """A client whose server was there waits for it; one that has never reached it does not."""
    port = urlsplit(locked.url).port or 0
    with ExitStack() as later:
        with Proxy(port) as first:
            through = replace(locked, url=f"bolt://127.0.0.1:{first.port}")
            memory = later.enter_context(through.memory())
            assert memory.stats().records == 0
        through.run("stats").refused(6, "nothing listens there")
        again = Timer(3, lambda: later.enter_context(Proxy(port, listen=first.port)))
        again.start()
        started = time.monotonic()
        assert memory.stats().records == 0
        assert 2 < time.monotonic() - started < 30
        again.join()
