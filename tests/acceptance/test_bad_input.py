"""Bad input: one clear line, the right exit code, nothing lost and nothing half-written."""

import gzip
import json
from collections.abc import Callable

import pytest

from cmc_graph.model import MAX_POSITION
from tests.acceptance.running import PREFIX, Workspace, numbered, run, said

GOOD = numbered("Ana lives in Graz.", "Ana lives in Porto.", "hmm, who knows")
NUMBERED = numbered(*(f"Gate {n} is on floor {n}." for n in range(3000)), first=10)
LUCENE = 'Ana) AND (title:"*~2^4 || \\ [a TO z] {!func} `x` /re/ \' " ; DETACH DELETE n // --'
JPEG = b"\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01" + bytes(range(256)) * 20


@pytest.fixture
def settled(workspace: Workspace) -> Workspace:
    """A history that holds three records already."""
    workspace.ingest(GOOD, name="good.txt")
    return workspace


def unchanged(workspace: Workspace) -> Callable[[], bool]:
    """Says later whether the history is still what it is now, its version included."""
    before = (workspace.state(), workspace.stats())
    return lambda: (workspace.state(), workspace.stats()) == before


def test_a_missing_file_is_named(settled: Workspace) -> None:
    """A path that is not there: 3, and the path."""
    same = unchanged(settled)
    settled.run("ingest", "no/such/notes.txt").refused(3, "no/such/notes.txt")
    assert same()


def test_one_missing_file_among_others_writes_nothing(settled: Workspace) -> None:
    """Nothing of the other files is written when one of them cannot be read."""
    same = unchanged(settled)
    path = settled.file("Lena lives in Porto.\n", "fine.txt")
    settled.run("ingest", path, "missing.txt").refused(3, "missing.txt")
    assert same()


#: Content that cannot be read as records: name of the file, its bytes, what the line must name.
UNREADABLE: dict[str, tuple[str, bytes, tuple[str, ...]]] = {
    "empty": ("empty.txt", b"", ("empty.txt", "empty")),
    "blank": ("blank.txt", b"\n \n\r\n", ("blank.txt",)),
    "empty-jsonl": ("empty.jsonl", b"", ("empty.jsonl", "empty")),
    "empty-gzip": ("empty.txt.gz", gzip.compress(b""), ("empty.txt.gz",)),
    "binary": ("photo.txt", JPEG, ("photo.txt",)),
    "binary-late": ("late.txt", NUMBERED.encode() + b"1. a\x00b\n", ("late.txt", "line 3001")),
    "binary-named-jsonl": ("photo.jsonl", JPEG, ("photo.jsonl",)),
    "elf": ("program", b"\x7fELF\x02\x01\x01" + bytes(2000), ("program",)),
    "torn-gzip": ("torn.txt.gz", gzip.compress(NUMBERED.encode())[:-400], ("torn.txt.gz",)),
    "latin-1": ("latin.txt", "1. Zoë\n2. caf\xe9\n".encode("latin-1"), ("latin.txt", "line 1")),
    "invalid-late": (
        "late.txt",
        NUMBERED.encode() + b"3010. caf\xe9 is\n",
        ("late.txt", "line 3001", f"byte {len(NUMBERED.encode()) + 9}"),
    ),
    "surrogate-utf8": ("s.txt", b"1. \xed\xa0\x80\n", ("s.txt", "line 1", "byte 3")),
    "overlong": ("o.txt", b"1. a\n2. \xc0\xaf\n", ("o.txt", "line 2", "byte 8")),
    "utf-16": ("wide.txt", "1. Ana lives in Graz.\n".encode("utf-16"), ("wide.txt", "UTF-16")),
    "invalid-jsonl": (
        "bad.jsonl",
        b'{"text": "a"}\n{"text": "\xff"}\n',
        ("bad.jsonl", "line 2", "byte 24"),
    ),
    "duplicate": (
        "twice.txt",
        b"7. Ana lives in Graz.\n8. a\n7. Ana lives in Porto.\n",
        ("7", "twice.txt"),
    ),
    "taken": ("taken.txt", b"2. Ana lives in Bern.\n", ("2", "taken.txt", "line 1")),
    "negative": ("n.txt", b"-4. Ana lives in Bern.\n", ("n.txt", "line 1")),
    "negative-bracket": ("n.txt", b"[9] a b\n[-4] Ana lives in Bern.\n", ("n.txt", "line 2")),
    "huge": ("h.txt", b"99999999999999999999. Ana lives in Bern.\n", ("h.txt", "line 1")),
    "astronomic": ("h.txt", b"1" * 5000 + b". Ana lives in Bern.\n", ("h.txt", "line 1")),
    "one-too-many": ("h.txt", b"%d. Ana is.\n" % (MAX_POSITION + 1), ("h.txt", "line 1")),
    "negative-jsonl": ("n.jsonl", b'{"text": "a", "position": -1}\n', ("n.jsonl", "line 1")),
    "huge-jsonl": (
        "h.jsonl",
        b'{"text": "a", "position": 1%s}\n' % (b"0" * 400),
        ("h.jsonl", "line 1"),
    ),
    "float-position": ("f.jsonl", b'{"text": "a", "position": 1.5}\n', ("f.jsonl", "line 1")),
    "boolean-position": ("b.jsonl", b'{"text": "a", "position": true}\n', ("b.jsonl", "line 1")),
    "text-position": ("t.jsonl", b'{"text": "a", "position": "7"}\n', ("t.jsonl", "line 1")),
    "broken-line-3": (
        "b.jsonl",
        b'{"text": "a"}\n{"text": "b"}\n{"text": "c"\n{"text": "d"}\n',
        ("b.jsonl", "line 3"),
    ),
    "array-line": ("a.jsonl", b'{"text": "a"}\n["text", "b"]\n', ("a.jsonl", "line 2")),
    "no-text": ("t.jsonl", b'{"position": 4}\n', ("t.jsonl", "line 1", "text")),
    "blank-text": ("t.jsonl", b'{"text": " "}\n', ("t.jsonl", "line 1", "text")),
    "text-is-a-number": ("t.jsonl", b'{"text": 4}\n', ("t.jsonl", "line 1", "text")),
    "unknown-field": ("u.jsonl", b'{"text": "a", "postion": 4}\n', ("u.jsonl", "postion")),
    "lone-surrogate": ("s.jsonl", b'{"text": "a \\ud800 b"}\n', ("s.jsonl", "line 1")),
    "nan": ("n.jsonl", b'{"text": "a", "position": NaN}\n', ("n.jsonl", "line 1")),
    "two-elements": (
        "w.jsonl",
        b'{"text": "a b", "triples": [["a", "b"]]}\n',
        ("w.jsonl", "line 1", "triple"),
    ),
    "four-elements": (
        "w.jsonl",
        b'{"text": "a", "triples": [["a", "a", "a", "a"]]}\n',
        ("w.jsonl", "line 1"),
    ),
    "triples-a-text": ("w.jsonl", b'{"text": "a", "triples": "a b c"}\n', ("w.jsonl", "triples")),
    "triples-a-map": ("w.jsonl", b'{"text": "a", "triples": {"a": 1}}\n', ("w.jsonl", "triples")),
    "nested-object": (
        "w.jsonl",
        b'{"text": "a b", "triples": [["a", "is", {"name": "b"}]]}\n',
        ("w.jsonl", "line 1", "triple"),
    ),
    "nested-list": (
        "w.jsonl",
        b'{"text": "a b", "triples": [["a", ["is"], "b"]]}\n',
        ("w.jsonl", "line 1"),
    ),
    "null-object": (
        "w.jsonl",
        b'{"text": "a b", "triples": [["a", "is", null]]}\n',
        ("w.jsonl", "line 1"),
    ),
    "misspelt-triple": (
        "w.jsonl",
        b'{"text": "a b", "triples": [{"subject": "a", "relation": "is", "objekt": "b"}]}\n',
        ("w.jsonl", "line 1"),
    ),
    "retracts-a-text": (
        "w.jsonl",
        b'{"text": "a b", "triples": [{"subject": "a", "relation": "is", "object": "b",'
        b' "retracts": "no"}]}\n',
        ("w.jsonl", "line 1"),
    ),
    "status-unknown": ("s.jsonl", b'{"text": "a", "status": "fact"}\n', ("s.jsonl", "status")),
    "status-against-triples": (
        "s.jsonl",
        b'{"text": "a b", "status": "no_fact", "triples": [["a", "is", "b"]]}\n',
        ("s.jsonl", "line 1"),
    ),
    "bad-time": (
        "t.jsonl",
        b'{"text": "a", "observed_at": "yesterday"}\n',
        ("t.jsonl", "line 1", "observed_at"),
    ),
    "deep": ("d.jsonl", b'{"text": ' + b"[" * 100_000 + b"\n", ("d.jsonl", "line 1")),
    "cell-without-context": ("c.json", b'{"source": "x", "questions": []}\n', ("c.json",)),
}


@pytest.mark.parametrize(("name", "content", "words"), UNREADABLE.values(), ids=UNREADABLE.keys())
def test_unreadable_content_is_refused(
    sqlite: Workspace, name: str, content: bytes, words: tuple[str, ...]
) -> None:
    """Content that cannot be read as records: 3, the place, and nothing of the file is written."""
    sqlite.ingest(GOOD, name="good.txt")
    same = unchanged(sqlite)
    sqlite.run("ingest", sqlite.file(content, name)).refused(3, *words)
    assert same()


@pytest.mark.parametrize("kind", ["invalid-late", "duplicate", "taken", "broken-line-3"])
def test_unreadable_content_leaves_either_store_alone(settled: Workspace, kind: str) -> None:
    """What is refused is refused on both stores, with the same line."""
    name, content, words = UNREADABLE[kind]
    same = unchanged(settled)
    settled.run("ingest", settled.file(content, name)).refused(3, *words)
    assert same()


def test_a_conflict_keeps_finished_batches_only(settled: Workspace) -> None:
    """A taken position in a later batch: 3, and nothing of that batch or of later ones is there."""
    content = NUMBERED + "2. Ana lives in Bern.\n" + numbered("Ana lives in Oslo.", first=9_000)
    path = settled.file(content, "late.txt")
    settled.run("ingest", path).refused(3, "late.txt", "line 3001")
    assert settled.stats()["records"] in (3, 1_003, 2_003, 3_003)
    assert settled.walked("Where does Ana live?") == [2]
    assert not settled.drift()


def test_a_changed_line_of_a_known_source_is_a_conflict(settled: Workspace) -> None:
    """An earlier line that says something else now: 3, source and line, nothing written."""
    path = settled.file("Lena lives in Porto.\nMarek lives in Graz.\n", "log.txt")
    assert settled.run("ingest", path).code == 0
    same = unchanged(settled)
    settled.file("Lena lives in Bern.\nMarek lives in Graz.\nAna lives in Bern.\n", "log.txt")
    settled.run("ingest", path).refused(3, "log.txt", "line 1")
    assert same()


def test_the_same_file_in_another_loader_is_no_way_round(settled: Workspace) -> None:
    """A loader that does not fit the file is refused with its name and place."""
    same = unchanged(settled)
    path = settled.file(GOOD, "good.txt")
    settled.run("ingest", path, "--loader", "jsonl").refused(3, "good.txt", "line 1")
    settled.run("ingest", path, "--loader", "csv").refused(2, "csv", "jsonl")
    settled.run("ingest", path, "--grammar", "klingon").refused(2, "klingon")
    assert same()


def test_a_grammar_file_that_is_none_is_refused(settled: Workspace) -> None:
    """A pattern file with a mistake: 2, and the file."""
    same = unchanged(settled)
    path = settled.file("[[pattern]\nsentence = 4\n", "mine.toml")
    settled.run("ingest", settled.file("x is y.\n"), "--grammar", path).refused(2, "mine.toml")
    assert same()


def test_line_ends_do_not_matter_and_other_breaks_do_not_split(workspace: Workspace) -> None:
    """A byte order mark, CRLF and blank lines are no content; U+2028 and form feed do not split."""
    strange = "Ana\u2028Lima lives in Graz\u000cor near it\u0085 \u001d."
    content = f"\ufeff1. {strange}\r\n\r\n  \r\n2. Ana lives in Porto.\r\n\n3. Ana is in Bern."
    report = workspace.ingest(content)
    assert report["records"] == 3
    kept = [(k.record.position, k.record.text) for k in workspace.state()[0]]
    assert kept == [(1, strange), (2, "Ana lives in Porto."), (3, "Ana is in Bern.")]
    ran = workspace.run("read", "something else altogether")
    assert ran.out == f"{PREFIX}[1] {strange}\n[2] Ana lives in Porto.\n[3] Ana is in Bern.\n"


def test_line_breaks_inside_a_record_do_not_break_the_evidence(workspace: Workspace) -> None:
    """A record of several lines stays one record, is kept as it is, and shown on one line."""
    workspace.bring(said("Ana\nlives in\r\nGraz.", ["Ana", "lives in", "Graz"], position=3))
    assert workspace.state()[0][0].record.text == "Ana\nlives in\r\nGraz."
    assert workspace.run("read", "Where is Ana?").out == f"{PREFIX}[3] Ana lives in Graz.\n"


def test_triples_that_are_no_spans_stay_visible(workspace: Workspace) -> None:
    """A triple whose ends are not in the text gives no edge; its record is shown in every read."""
    lines = (
        said("He lives in Porto.", ["Marek", "lives in", "Porto"], position=1),
        said("Lena lives in Graz.", ["Lena", "lives in", "Graz"], position=2),
    )
    ran = workspace.run("ingest", workspace.file("".join(lines), "r.jsonl"))
    assert ran.out.startswith("2 records = 1 facts + 1 unresolved + 0 no_fact + 0 skipped\n")
    assert ran.err.count("\n") == 1
    assert "'Marek' is no span of the text" in ran.err
    assert workspace.stats()["assertions"] == 1
    evidence = workspace.read("Where does Lena live?")
    assert [r["position"] for r in evidence["records"]] == [1, 2]
    assert [r["position"] for r in evidence["unresolved"]] == [1]
    assert evidence["unresolved"][0]["reason"]


def test_no_literal_takes_triples_as_they_are(workspace: Workspace) -> None:
    """With --no-literal the same triple is a fact, and its assertion says that it is no span."""
    line = said("He lives in Porto.", ["Marek", "lives in", "Porto"], position=1)
    report = workspace.ingest(line, "--no-literal", name="r.jsonl")
    assert (report["facts"], report["unresolved"]) == (1, 0)
    assert workspace.walked("Where does Marek live?") == [1]
    assert [a.literal for kept in workspace.state()[0] for a in kept.assertions] == [False]


def star(points: int, position: int) -> str:
    """A record with that many triples."""
    names = [f"N{n}" for n in range(points)]
    triples = [["Hub", f"r{n}", name] for n, name in enumerate(names)]
    return said(f"Hub {' '.join(names)}", *triples, position=position)


def test_ten_thousand_triples_in_one_record(workspace: Workspace) -> None:
    """A record with 10,000 triples is not taken by halves: it stays visible, with the reason."""
    assert workspace.bring(star(1_000, 1))["assertions"] == 1_000
    ran = workspace.run("ingest", workspace.file(star(10_000, 2), "star.jsonl"))
    assert ran.code == 0
    assert "10000" in ran.err
    assert "1000 is the limit" in ran.err
    counts = workspace.stats()
    assert (counts["facts"], counts["unresolved"], counts["current"]) == (1, 1, 1_000)
    assert workspace.shown("Hub?", "--budget", "99999") == [1, 2]


def test_names_beyond_the_limits_make_a_record_unresolved(workspace: Workspace) -> None:
    """A name too long for an index entry is no error: the record stays visible, with the reason."""
    long = "N" * 2_001
    report = workspace.bring(
        said(f"{long} is near Graz.", [long, "near", "Graz"], position=1),
        said("Ana likes Graz.", ["Ana", "r" * 513, "Graz"], position=2),
        said(f"Ana is near {'é' * 1000}.", ["Ana", "near", "é" * 1000], position=3),
    )
    assert (report["facts"], report["unresolved"]) == (1, 2)
    reasons = [r["reason"] for r in workspace.read("Where is Ana?")["unresolved"]]
    assert ["2000" in reasons[0], "512" in reasons[1]] == [True, True]
    assert workspace.walked("Ana?") == [3]


@pytest.mark.parametrize(
    "name",
    [
        "h'}) DETACH DELETE n //",
        '"; DROP TABLE record; --',
        "`x`]->() MATCH (n) DELETE n",
        "$history",
        "日本語の歴史",
        "naïve\u2028two lines",
        " spaces around ",
        "x" * 256,
    ],
)
def test_history_names_are_values(
    workspace: Workspace, new_history: Callable[[str], str], name: str
) -> None:
    """A history may be called anything; no character of its name reaches a statement."""
    workspace.ingest(GOOD)
    before = workspace.stats()
    other = workspace.on(new_history(name) if len(name) < 200 else name)
    try:
        other.ingest(numbered("Ana lives in Bern."))
        assert other.walked("Where does Ana live?") == [1]
        assert other.history in {each["name"] for each in other.run("histories", "--json").json()}
        assert workspace.stats() == before
    finally:
        if len(name) >= 200:
            other.run("forget", "--position", "1")


@pytest.mark.parametrize(
    "name",
    ["", "   ", "x" * 257, "é" * 129, "h" * 5_000, "a\ud800b"],
    ids=["none", "blank", "long", "long-in-bytes", "5000", "surrogate"],
)
@pytest.mark.parametrize(
    "command",
    [("ingest", "good.txt"), ("read", "Ana?"), ("stats",), ("rebuild",), ("relations",)],
    ids=lambda command: command[0],
)
def test_a_history_name_that_cannot_be_one_is_refused(
    sqlite: Workspace, command: tuple[str, ...], name: str
) -> None:
    """No name, or one longer than 256 bytes: 2, and no store is made."""
    sqlite.file(GOOD, "good.txt")
    sqlite.on(name).run(*command).refused(2, "history")
    assert not (sqlite.folder / "memory.db").exists()


#: Arguments of a read that are out of range, and what the line must name.
REFUSED_READS = {
    "empty": (("",), "question"),
    "blank": ((" \t\u2003",), "question"),
    "no-hops": (("Ana?", "--hops", "0"), "hops"),
    "99-hops": (("Ana?", "--hops", "99"), "hops"),
    "negative-hops": (("Ana?", "--hops", "-1"), "hops"),
    "budget-10": (("Ana?", "--budget", "10"), "budget"),
    "budget-one-less": (("Ana?", "--budget", str(len(PREFIX) - 1)), "budget"),
    "negative-budget": (("Ana?", "--budget", "-1"), "budget"),
    "as-of-negative": (("Ana?", "--as-of", "-1"), "as"),
    "as-of-huge": (("Ana?", "--as-of", "9" * 30), "as"),
    "fallback": (("Ana?", "--fallback", "guess"), "latest_state"),
}


@pytest.mark.parametrize(("arguments", "word"), REFUSED_READS.values(), ids=REFUSED_READS.keys())
def test_a_read_out_of_range_is_refused(
    settled: Workspace, arguments: tuple[str, ...], word: str
) -> None:
    """An argument of a read that is out of range: 2, and its name."""
    settled.run("read", *arguments).refused(2, word)


@pytest.mark.parametrize("option", ["--hops", "--budget", "--as-of"])
def test_numbers_that_are_none_are_a_usage_error(sqlite: Workspace, option: str) -> None:
    """What typer refuses by itself ends with 2, too, and without a traceback."""
    ran = sqlite.run("read", "Ana?", option, "many")
    assert (ran.code, ran.out) == (2, "")
    assert option in ran.err
    assert "Traceback" not in ran.err


def test_the_smallest_budget_shows_the_first_line_alone(settled: Workspace) -> None:
    """A budget that fits the prefix only shows it, and says how many records were left out."""
    ran = settled.run("read", "Where does Ana live?", "--budget", str(len(PREFIX)))
    assert (ran.code, ran.out) == (0, PREFIX)
    assert "2" in ran.err


def test_a_question_of_200000_characters(settled: Workspace) -> None:
    """A very long question is answered like any other."""
    question = "where oh where " * 13_400 + "does Ana live?"
    assert len(question) > 200_000
    ran = settled.run("read", question)
    assert ran.code == 0
    assert ran.out == settled.run("read", "Where does Ana live?").out


@pytest.mark.parametrize(
    "question", [LUCENE, LUCENE * 50, "`" * 3000 + " Ana", "Ana\x00Graz", "Ana \ud800"],
    ids=["lucene", "long", "backticks", "nul", "surrogate"],
)  # fmt: skip
def test_a_question_full_of_syntax(settled: Workspace, question: str) -> None:
    """No character of a question means anything but itself."""
    ran = settled.run("read", question, "--json")
    assert ran.code == 0, ran.err
    assert json.loads(ran.out)["anchors"] == ["ana"]
    assert settled.stats()["records"] == 3


def test_a_question_of_punctuation_only_shows_the_history(settled: Workspace) -> None:
    """A question that names nothing falls back to the history, and says so."""
    evidence = settled.read("`'\"*?!…")
    assert (evidence["anchors"], evidence["fallback"]) == ([], "history")
    assert len(evidence["records"]) == 3


@pytest.mark.parametrize(
    "url",
    [
        "mysql://localhost/x",
        "postgres://localhost/db",
        "memory.db",
        "localhost:7687",
        "",
        "sqlite:",
        "://",
        "http://127.0.0.1:7474",
        "file:///tmp/x.db",
    ],
)
@pytest.mark.parametrize("command", [("stats",), ("ingest", "good.txt"), ("read", "Ana?")])
def test_a_store_url_of_an_unknown_scheme(
    sqlite: Workspace, command: tuple[str, ...], url: str
) -> None:
    """An address that no store has: 2, and the schemes there are."""
    sqlite.file(GOOD, "good.txt")
    run(*command, "--store", url).refused(2, "sqlite:///", "bolt://")
    assert [path.name for path in sqlite.folder.iterdir()] == ["good.txt"]
