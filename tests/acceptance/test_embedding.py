"""``Memory`` inside other people's programs: threads, event loops, forks, and after ``close``.

Each program runs as a process of its own in which every warning is an error, so that nothing that
was left open goes unnoticed.
"""

import inspect
import json
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from cmc_graph import Memory, Record
from cmc_graph.errors import StoreError
from tests.acceptance.running import Workspace, finish, said

#: What every program begins with; it is given the flags of the workspace.
BEGIN = """
import asyncio, gc, json, os, sys, threading
from concurrent.futures import ThreadPoolExecutor
from cmc_graph import Memory, Record
from cmc_graph.errors import StoreError
url, history = sys.argv[2], sys.argv[4]
def said(n, relation="floor"):
    text = f"Gate {n % 7} {relation} {n}"
    return Record(position=n, text=text, triples=[(f"Gate {n % 7}", relation, str(n))])
def asked(memory, n):
    return [edge.position for edge in memory.read(f"and gate {n}?").edges]
"""


def printed(workspace: Workspace, program: str) -> Any:
    """The JSON that the program printed; it ended well, and warned of nothing."""
    env = {"PYTHONWARNINGS": "error"}
    ran = finish(workspace.start(program=BEGIN + program, env=env))
    assert (ran.code, ran.err) == (0, ""), ran.err
    return json.loads(ran.out)


def test_sixteen_threads_on_one_memory(
    workspace: Workspace, another: Callable[[], Workspace]
) -> None:
    """Sixteen threads that ingest, read and tell at once: no error, and the state of one writer."""
    program = """
with Memory.open(url, history) as memory:
    start = threading.Barrier(16)
    def work(worker):
        start.wait()
        for n in range(worker, 64, 16):
            memory.ingest([said(n)])
            asked(memory, n % 7), memory.timeline(f"Gate {n % 7}"), memory.stats()
        memory.explain(f"gate {worker % 7}?"), memory.diff(0, worker), memory.relations()
    with ThreadPoolExecutor(16) as pool:
        list(pool.map(work, range(16)))
    print(json.dumps([asked(memory, n) for n in range(7)]))
"""
    assert printed(workspace, program) == [[63], [57], [58], [59], [60], [61], [62]]
    serial = another()
    serial.bring(
        *(said(f"Gate {n % 7} floor {n}", [f"Gate {n % 7}", "floor", str(n)], position=n)
          for n in range(64))
    )  # fmt: skip
    kept, expected = (
        [(each.record.position, each.record.text, each.assertions) for each in place.state()[0]]
        for place in (workspace, serial)
    )
    assert kept == expected


def test_inside_a_running_event_loop(workspace: Workspace) -> None:
    """A coroutine may call a memory directly, and through threads as many at once as it likes."""
    program = """
async def main():
    with Memory.open(url, history) as memory:
        memory.ingest([said(n) for n in range(7)])
        direct = asked(memory, 3)
        calls = (asyncio.to_thread(asked, memory, n) for n in range(7))
        found = await asyncio.gather(*calls)
        await asyncio.to_thread(memory.ingest, [said(10)])
        print(json.dumps([direct, found, asked(memory, 3)]))
asyncio.run(main())
"""
    direct, found, after = printed(workspace, program)
    assert (direct, found, after) == ([3], [[n] for n in range(7)], [10])


def test_a_fork_in_the_middle_of_a_listing(workspace: Workspace) -> None:
    """Parent and child both go on with the memory they share; a listing goes on in the parent.

    A child says in one line that the listing was begun before it, and ends like any program.
    """
    program = """
memory = Memory.open(url, history)
memory.ingest([said(n) for n in range(3000)])
whole = list(memory.export())
listing = memory.export()
begun = [next(listing) for _ in range(10)]
reading, writing = os.pipe()
def forked(work):
    child = os.fork()
    if child:
        return os.waitpid(child, 0)[1]
    work()
    sys.exit()  # with all that a program does at its end
def look():
    found = [asked(memory, 3)]
    try:
        found.append(list(listing) == whole[10:])
    except StoreError as error:
        found.append(str(error))
    os.write(writing, json.dumps(found).encode())
ended = [forked(look)]
told = json.loads(os.read(reading, 10_000))
found = [begun + list(listing) == whole, asked(memory, 3)]
ended.append(forked(lambda: memory.ingest([said(3000)])))
print(json.dumps([ended, told, found, asked(memory, 4)]))
"""
    ended, told, found, after = printed(workspace, program)
    assert ended == [0, 0]
    refusal = "this listing began before a fork; begin it again"
    assert told == [[2999], True if workspace.kind == "sqlite" else refusal]
    assert found == [True, [2999]]
    assert after == [3000]
    assert not workspace.drift()


def test_a_fork_beside_threads(workspace: Workspace) -> None:
    """Children of a program whose threads read all the time answer, and do not disturb them."""
    program = """
import time
memory = Memory.open(url, history)
memory.ingest([said(n) for n in range(70)])
stop, wrong = threading.Event(), []
def read():
    while not stop.is_set():
        if asked(memory, 6) != [69]:
            wrong.append(asked(memory, 6))
threads = [threading.Thread(target=read) for _ in range(3)]
for each in threads:
    each.start()
ended = []
for _ in range(8):
    child = os.fork()
    if child == 0:
        os._exit(0 if asked(memory, 5) == [68] else 3)
    ended.append(os.waitpid(child, 0)[1])
stop.set()
for each in threads:
    each.join()
memory.close()
print(json.dumps([ended, wrong]))
"""
    assert printed(workspace, program) == [[0] * 8, []]


@pytest.mark.parametrize(
    "end", ["", "del memory", "memory.close()", "memory.close()\ngc.collect()"]
)
def test_nothing_is_left_open(workspace: Workspace, end: str) -> None:
    """Closed, dropped, or open at the end of the program: no resource is warned of."""
    program = f"""
memory = Memory.open(url, history)
memory.ingest([said(1)])
kept = memory.export()
next(kept)
print(json.dumps(asked(memory, 1)))
{end}
gc.collect()
"""
    assert printed(workspace, program) == [1]


#: What each method of a memory is given after it was closed.
ARGUMENTS: dict[str, tuple[object, ...]] = {
    "ask": ("Gate 1?",),
    "diff": (0, 1),
    "explain": ("Gate 1?",),
    "forget": ([1],),
    "ingest": ([],),
    "load": ([],),
    "merge_relation": ("a", "b"),
    "position_at": ("2026-01-01",),
    "read": ("Gate 1?",),
    "set_relation": ("floor", "many"),
    "timeline": ("Gate 1",),
}
#: What says nothing of a store, and what is made without one.
APART = {"open", "doctor", "close", "extractor"}


def called(memory: Memory, name: str, exported: list[str]) -> None:
    """Call a method, and take all that it gives."""
    arguments = ARGUMENTS.get(name, ())
    if name == "load":
        arguments = (exported,)
    if name == "ingest":
        arguments = ([Record(text="Gate 2 is on floor 2.", position=2)],)
    result = getattr(memory, name)(*arguments)
    if isinstance(result, Iterable):
        list(result)


def test_after_close_every_method_says_so(workspace: Workspace) -> None:
    """A closed memory answers nothing: one error with one line; closing again does nothing."""
    workspace.bring(said("Gate 1 floor 1", ["Gate 1", "floor", "1"], position=1))
    memory = workspace.memory()
    exported = list(memory.export())
    memory.close()
    memory.close()
    methods = {name for name, _ in inspect.getmembers(Memory, callable) if not name.startswith("_")}
    assert {"read", "export", "verify"} < methods
    for name in sorted(methods - APART):
        with pytest.raises(StoreError, match=r"\Athe store .* is closed; open it again\Z"):
            called(memory, name, exported)
