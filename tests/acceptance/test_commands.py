"""What each command prints, where, in which form, and how it ends (architecture.md)."""

import gzip
import json
import os
import pty
import re
from collections.abc import Callable
from pathlib import Path

import pytest

import cmc_graph
from tests.acceptance.running import PREFIX, Ran, Workspace, finish, numbered, run, said, start

NOTES = numbered(
    "Ana lives in Graz.",
    "Ana speaks Dutch.",
    "The capital of Norland is Port Ash.",
    "hmm, who knows",
    "Ana lives in Porto.",
    "Ana speaks Basque.",
    "Ana no longer speaks Dutch.",
)
COMMANDS = (
    ("ingest",),
    ("read",),
    ("ask",),
    ("stats",),
    ("histories",),
    ("relations",),
    ("relations", "set"),
    ("rebuild",),
    ("forget",),
    ("config", "show"),
)
SERVER = (("server", "start"), ("server", "stop"), ("server", "status"), ("server", "browser"))
GROUPS = ((), ("server",), ("config",))


@pytest.fixture
def team(workspace: Workspace) -> Workspace:
    """A small history with updates, a many-valued relation, a retraction and a residual."""
    workspace.ingest(NOTES)
    return workspace


@pytest.mark.parametrize("command", [*GROUPS, *COMMANDS, *SERVER], ids=" ".join)
def test_every_command_has_help(command: tuple[str, ...]) -> None:
    """--help prints what a command does and ends with 0."""
    ran = run(*command, "--help")
    assert (ran.code, ran.err) == (0, "")
    assert " ".join(("Usage: cmc-graph", *command)) in ran.out
    assert len(ran.out.splitlines()) > 5


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_command_takes_the_shared_options(command: tuple[str, ...]) -> None:
    """--store, --history, -v and -q are taken by every command that opens a store."""
    shown = run(*command, "--help").out
    for option in ("--store", "--history", "-v", "--verbose", "-q", "--quiet"):
        assert option in shown


def test_the_version() -> None:
    """--version prints the version and nothing else."""
    assert run("--version") == Ran(0, f"{cmc_graph.__version__}\n", "")


@pytest.mark.parametrize(
    "arguments",
    [
        ("nonsense",),
        ("read",),
        ("ingest",),
        ("forget",),
        ("read", "a", "b"),
        ("stats", "--colour"),
        ("relations", "set"),
        ("relations", "get", "x"),
        ("server", "start", "--bolt-port", "0"),
    ],
    ids=" ".join,
)
def test_wrong_usage_ends_with_2(arguments: tuple[str, ...]) -> None:
    """What the command line does not know ends with 2, on standard error, without a traceback."""
    ran = run(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err
    assert "Traceback" not in ran.err


def test_no_command_shows_the_help() -> None:
    """Without a command the help is shown."""
    ran = run()
    assert "Usage: cmc-graph" in ran.out + ran.err
    assert "ingest" in ran.out + ran.err


def test_the_report_of_an_ingest(workspace: Workspace) -> None:
    """The report accounts for every record, as text and with the documented names as JSON."""
    path = workspace.file(NOTES)
    report = workspace.run("ingest", path, "--json").json()
    assert report.keys() >= {
        "records", "facts", "unresolved", "no_fact", "assertions", "skipped", "slots_changed",
        "calls", "input_tokens", "output_tokens", "seconds",
    }  # fmt: skip
    assert report["records"] == 7
    assert (report["facts"], report["unresolved"], report["no_fact"]) == (6, 1, 0)
    assert (report["skipped"], report["calls"], report["assertions"]) == (0, 0, 6)
    more = workspace.run("ingest", workspace.file(numbered("hmm", first=8), "more.txt"))
    assert more.code == 0
    assert "1 record = 0 facts + 1 unresolved + 0 no_fact + 0 skipped" in more.out
    assert "unresolved: 1" in more.err


def test_the_counts_of_a_history(team: Workspace) -> None:
    """`stats --json` has exactly the documented names."""
    assert team.stats() == {
        "records": 7,
        "facts": 6,
        "unresolved": 1,
        "no_fact": 0,
        "assertions": 6,
        "current": 3,
        "ended": 1,
        "superseded": 2,
        "slots_overwritten": 2,
        "subjects": 2,
        "entities": 7,
        "version": 1,
    }
    shown = team.run("stats")
    assert (shown.code, shown.err) == (0, "")
    for name, count in team.stats().items():
        assert re.search(rf"^{name} +{count}$", shown.out, re.MULTILINE), shown.out


def test_the_text_of_a_read_is_the_evidence(team: Workspace) -> None:
    """On standard output is the evidence and nothing else, one line a record."""
    with team.memory() as memory:
        evidence = memory.read("Where does Ana live?")
    ran = team.run("read", "Where does Ana live?")
    assert ran == Ran(0, evidence.text, "")
    assert ran.out == (
        f"{PREFIX}[4] hmm, who knows\n[5] Ana lives in Porto.\n[6] Ana speaks Basque.\n"
        "[7] Ana no longer speaks Dutch.\n"
    )
    piped = finish(team.start("read", "Where does Ana live?"))
    assert (piped.code, piped.out, piped.err) == (0, evidence.text, "")


def test_the_json_of_a_read(team: Workspace) -> None:
    """`read --json` is one document with the documented names."""
    evidence = team.read("Where does Ana live?")
    assert evidence.keys() == {
        "text", "records", "edges", "anchors", "unresolved", "fallback", "omitted", "version",
        "overflow", "cut", "damage",
    }  # fmt: skip
    assert evidence["text"] == team.run("read", "Where does Ana live?").out
    assert evidence["anchors"] == ["ana"]
    assert evidence["version"] == 1
    for edge in evidence["edges"]:
        assert edge.keys() >= {"subject", "relation", "object", "position", "depth", "ended"}
    found = [(e["object"], e["position"], e["depth"], e["ended"]) for e in evidence["edges"]]
    assert found == [
        ("Porto", 5, 1, False), ("Basque", 6, 1, False), ("Dutch", 7, 1, True),
    ]  # fmt: skip
    assert [r["text"] for r in evidence["unresolved"]] == ["hmm, who knows"]
    assert [r["position"] for r in evidence["records"]] == [4, 5, 6, 7]
    assert (evidence["fallback"], evidence["omitted"]) == (None, 0)


def test_what_is_left_out_is_said_on_standard_error(team: Workspace) -> None:
    """The fall-back and the records that the budget cut are notes; -q silences them."""
    for arguments in (("nothing known",), ("Ana?", "--budget", "100")):
        ran = team.run("read", *arguments)
        assert ran.code == 0
        assert ran.err.count("\n") == 1
        assert ran.out.startswith(PREFIX)
        quiet = team.run("read", *arguments, "-q")
        assert quiet == Ran(0, ran.out, "")
    assert "history" in team.run("read", "nothing known").err
    latest = team.run("read", "nothing known", "--fallback", "latest_state")
    assert latest.out == (
        f"{PREFIX}[3] The capital of Norland is Port Ash.\n[4] hmm, who knows\n"
        "[5] Ana lives in Porto.\n[6] Ana speaks Basque.\n[7] Ana no longer speaks Dutch.\n"
    )
    assert "latest state" in latest.err


def test_notes_of_an_ingest_are_quiet_with_q(workspace: Workspace) -> None:
    """-q silences the notes of an ingest, and changes nothing on standard output."""
    path = workspace.file(NOTES)
    ran = workspace.run("ingest", path, "--dry-run")
    assert "hmm, who knows" in ran.err
    quiet = workspace.run("ingest", path, "--dry-run", "-q")
    assert (quiet.code, quiet.err) == (0, "")
    assert quiet.out == ran.out


def test_verbose_says_more_on_standard_error_only(team: Workspace) -> None:
    """-v adds notes on standard error and changes nothing on standard output."""
    for command in (("read", "Where does Ana live?"), ("stats", "--json"), ("histories",)):
        plain, verbose = team.run(*command), team.run(*command, "-v")
        assert (verbose.code, verbose.out) == (plain.code, plain.out)


def test_verbose_shows_the_chain_of_causes(team: Workspace) -> None:
    """With -v an error shows what caused it; without, it is one line."""
    missing = ("ingest", "missing.txt")
    team.run(*missing).refused(3, "missing.txt")
    assert team.run(*missing, "-v").err.count("\n") > 1


def test_the_list_of_histories(team: Workspace, new_history: Callable[[str], str]) -> None:
    """`histories` lists name, records and version, sorted, as table and as JSON."""
    other = team.on(new_history("zz"))
    other.ingest(numbered("Ana lives in Bern."))
    listed = team.run("histories", "--json").json()
    assert [each["name"] for each in listed] == sorted(each["name"] for each in listed)
    ours = [each for each in listed if each["name"] in (team.history, other.history)]
    assert sorted((each["records"], each["version"]) for each in ours) == [(1, 1), (7, 1)]
    assert team.history in team.run("histories").out


def test_histories_of_one_database_know_nothing_of_each_other(
    team: Workspace, new_history: Callable[[str], str]
) -> None:
    """Equal positions and names in two histories stay apart, in reads, counts and deletions."""
    other = team.on(new_history("other"))
    other.ingest(numbered("Ana lives in Bern.", "Bern is in Norland."))
    assert other.walked("Where does Ana live?") == [1, 2]
    assert team.walked("Where does Ana live?") == [5, 6, 7]
    before = team.state()
    assert other.run("forget", "--position", "1-2").code == 0
    assert team.state() == before


def test_relations_are_listed_and_set(team: Workspace) -> None:
    """`relations` lists how many values each takes and who said so; `set` changes that at once."""
    listed = {each["name"]: each for each in team.run("relations", "--json").json()}
    by_values = {name: (each["values"], each["set_by"]) for name, each in listed.items()}
    (spoken,) = [name for name, (values, _) in by_values.items() if values == "many"]
    (home,) = [each["relation"] for each in team.read("Ana?")["edges"] if each["object"] == "Porto"]
    assert by_values[home] == ("one", "pack")
    assert by_values[spoken] == ("many", "pack")
    assert listed[spoken]["slots"] == 2
    ran = team.run("relations", "set", home, "--many")
    assert (ran.code, ran.err) == (0, "")
    assert team.walked("Ana?") == [1, 5, 6, 7]
    assert team.run("relations", "set", spoken, "--one").code == 0
    changed = {each["name"]: each for each in team.run("relations", "--json").json()}
    assert (changed[home]["values"], changed[home]["set_by"]) == ("many", "person")
    assert (changed[spoken]["values"], changed[spoken]["slots"]) == ("one", 1)
    assert not team.drift()
    table = team.run("relations").out
    assert home in table
    assert "person" in table


def test_a_persons_word_stays_when_more_comes(team: Workspace) -> None:
    """What a person said of a relation holds for later ingests, whatever the packs say."""
    (home,) = [each["relation"] for each in team.read("Ana?")["edges"] if each["object"] == "Porto"]
    assert team.run("relations", "set", home, "--many").code == 0
    team.ingest(numbered("Ana lives in Bern.", first=8), name="more.txt")
    assert team.walked("Ana?") == [1, 5, 6, 7, 8]


def test_setting_a_relation_needs_a_name_that_is_there(team: Workspace) -> None:
    """A relation nobody used, or neither --one nor --many: 2, and nothing changes."""
    before = (team.state(), team.stats())
    team.run("relations", "set", "shoe size", "--many").refused(2, "shoe size")
    (name, *_) = [each["name"] for each in team.run("relations", "--json").json()]
    team.run("relations", "set", name).refused(2, "--one", "--many")
    team.run("relations", "set", name, "--one", "--many").refused(2, "--one", "--many")
    assert (team.state(), team.stats()) == before


def test_options_before_the_subcommand_count_or_are_refused(team: Workspace) -> None:
    """`relations --history X set …` never works on another history than X."""
    (home,) = [each["relation"] for each in team.read("Ana?")["edges"] if each["object"] == "Porto"]
    ran = run("relations", *team.flags, "set", home, "--many", **team.environment)
    assert ran.code == 2 or team.walked("Ana?") == [1, 5, 6, 7]
    assert not (team.folder / "cmc.db").exists()


def test_rebuild_derives_the_same_state(team: Workspace) -> None:
    """`rebuild` says how many slots there are, and changes nothing that was right."""
    before = team.state()
    ran = team.run("rebuild")
    assert (ran.code, ran.err) == (0, "")
    assert "4" in ran.out
    assert team.state() == before


def test_forgetting_what_is_not_there_is_said(team: Workspace) -> None:
    """A mistyped source or name is no error, and no success that goes without a word."""
    for option, value in (("--source", "nothere"), ("--entity", "Nobody"), ("--position", "999")):
        ran = team.run("forget", option, value)
        assert (ran.code, ran.out.split()[0]) == (0, "0")
        assert "no record is meant" in ran.err


def test_forget_falls_back_to_what_remains(team: Workspace) -> None:
    """`forget` removes records by position and range; earlier values are current again."""
    report = team.run("forget", "--position", "5", "--position", "6-7", "--json").json()
    assert (report["records"], report["assertions"], report["slots_changed"]) == (3, 3, 3)
    assert team.walked("Ana?") == [1, 2]
    assert team.stats()["records"] == 4
    assert not team.drift()
    again = team.run("forget", "--position", "5-7", "--json").json()
    assert again["records"] == 0
    assert team.run("forget", "--position", "1-3").out.startswith("3 records, 3 assertions")


@pytest.mark.parametrize(
    "position", ["", "x", "-1", "3-1", "1-", "-", "1.5", "1-2-3", "0-99999999999", "9" * 5000]
)
def test_a_position_to_forget_that_is_none(team: Workspace, position: str) -> None:
    """A range that is none, runs backwards or is huge: 2, and nothing is forgotten."""
    before = team.state()
    team.run("forget", f"--position={position}").refused(2, "position")
    assert team.state() == before


def test_an_empty_history_reads_as_empty(workspace: Workspace) -> None:
    """A history that was never written is empty in every command, and reading does not make it."""
    assert workspace.run("read", "Ana?").out == PREFIX
    assert set(workspace.stats().values()) == {0}
    assert workspace.run("relations", "--json").json() == []
    assert workspace.run("rebuild").code == 0
    assert workspace.run("forget", "--position", "1").code == 0
    listed = workspace.run("histories", "--json").json()
    assert workspace.history not in [each["name"] for each in listed]


def test_a_dry_run_opens_no_store(sqlite: Workspace) -> None:
    """--dry-run reports what would be read, lists what is unresolved, and makes no file."""
    report = sqlite.run("ingest", sqlite.file(NOTES), "--dry-run", "--json").json()
    assert (report["records"], report["facts"], report["unresolved"]) == (7, 6, 1)
    assert [path.name for path in sqlite.folder.iterdir()] == ["notes.txt"]


def test_files_globs_and_folders(workspace: Workspace) -> None:
    """Paths may be files, globs and folders; a file that is named twice is read once."""
    for name, content in {
        "a/one.txt": "Ana lives in Graz.\n",
        "a/two.md": "Ana lives in Porto.\n",
        "b/three.jsonl": said("Ben is near.", ["Ben", "is", "near"]),
        "b/c/four.txt.gz": "Cleo lives in Bern.\n",
        "b/photo.jpg": "",
    }.items():
        path = workspace.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        data = content.encode()
        path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    glob, folder = str(workspace.folder / "a" / "*"), str(workspace.folder / "b")
    first = str(workspace.folder / "a" / "one.txt")
    report = workspace.run("ingest", glob, folder, first, "--json").json()
    assert (report["records"], report["facts"]) == (4, 4)
    assert sorted(kept.record.text for kept in workspace.state()[0]) == [
        "Ana lives in Graz.", "Ana lives in Porto.", "Ben is near.", "Cleo lives in Bern.",
    ]  # fmt: skip
    assert workspace.run("ingest", first, glob, folder, "--json").json()["skipped"] == 4
    workspace.run("ingest", str(workspace.folder / "a" / "*.csv")).refused(3, "*.csv")


def test_standard_input(workspace: Workspace) -> None:
    """A single dash reads standard input, numbered lines and JSON Lines alike."""
    ran = finish(workspace.start("ingest", "-", "--json"), NOTES)
    assert ran.json()["facts"] == 6
    line = said("Ben is near.", ["Ben", "is", "near"], position=20)
    assert finish(workspace.start("ingest", "-", "--json"), line).json()["assertions"] == 1
    assert workspace.walked("Ben and Ana") == [5, 6, 7, 20]
    finish(workspace.start("ingest", "-"), "").refused(3, "stdin")
    finish(workspace.start("ingest", "-"), "9. a\n7. Ana is not.\n").refused(3, "7")
    assert workspace.stats()["records"] == 8


def test_standard_input_that_is_closed(sqlite: Workspace) -> None:
    """Without any standard input a dash is one line: 3."""
    shell = ["sh", "-c", 'exec "$@" <&-', "sh"]
    finish(sqlite.start("ingest", "-", before=shell)).refused(3, "stdin")


def test_unnumbered_lines_get_the_next_positions(workspace: Workspace) -> None:
    """Lines without numbers are numbered in order, and the same file again is recognised."""
    workspace.ingest("Ana lives in Graz.\nAna lives in Porto.\n", name="a.txt")
    workspace.ingest("Ana lives in Bern.\n", name="b.txt")
    assert workspace.shown("Ana?") == [2]
    report = workspace.ingest("Ana lives in Graz.\nAna lives in Porto.\nOh.\n", name="a.txt")
    assert (report["skipped"], report["unresolved"]) == (2, 1)
    assert workspace.shown("Ana?") == [2, 3]


def test_a_grammar_of_ones_own(workspace: Workspace) -> None:
    """--grammar FILE adds patterns; the first pack that parses a record wins."""
    path = workspace.file(
        'name = "mine"\n[[pattern]]\ntext = "{S} is moored at {O}"\nrelation = "mooring"\n',
        "mine.toml",
    )
    notes = workspace.file(numbered("The Gull is moored at Pier 9.", "Ana lives in Graz."))
    report = workspace.run(
        "ingest", notes, "--grammar", path, "--grammar", "general", "--json"
    ).json()
    assert (report["facts"], report["unresolved"]) == (2, 0)
    assert [e["relation"] for e in workspace.read("Where is The Gull?")["edges"]] == ["mooring"]


@pytest.mark.parametrize(
    "arguments",
    [
        ("stats",),
        ("histories",),
        ("relations",),
        ("read", "Ana?"),
        ("read", "nothing known"),
        ("forget", "--position", "99"),
        ("ingest", "notes.txt"),
        ("ingest", "notes.txt", "--dry-run"),
    ],
    ids=" ".join,
)
def test_json_is_exactly_one_document(team: Workspace, arguments: tuple[str, ...]) -> None:
    """--json prints one JSON document, in the characters themselves, ended by a newline."""
    ran = team.run(*arguments, "--json")
    assert ran.code == 0
    assert ran.out.endswith("\n")
    json.loads(ran.out)
    assert "\\u" not in ran.out


def test_a_terminal_gets_progress_and_standard_output_stays_clean(sqlite: Workspace) -> None:
    """A progress bar goes to a terminal on standard error; the report stays one JSON document."""
    ours, theirs = pty.openpty()
    process = sqlite.start("ingest", sqlite.file(NOTES), "--json", stderr=theirs)
    os.close(theirs)
    ran = finish(process)
    assert ran.json()["facts"] == 6
    os.close(ours)


def test_a_record_cannot_steer_a_terminal(sqlite: Workspace) -> None:
    """Escape sequences and turned text are written out on a terminal, and untouched in a pipe."""
    text = "Ana \x1b[31mred \u202eback \u2066in"
    sqlite.ingest(f"1. {text}\n".encode())
    assert text in sqlite.run("read", "Ana?").out
    ours, theirs = pty.openpty()
    process = sqlite.start("read", "Ana?", stdout=theirs)
    os.close(theirs)
    finish(process)
    shown = os.read(ours, 10_000).decode()
    os.close(ours)
    assert "Ana \\x1b[31mred \\u202eback \\u2066in" in shown


@pytest.mark.parametrize("form", [(), ("--json",)], ids=["text", "json"])
def test_a_reader_that_closes_the_pipe(sqlite: Workspace, form: tuple[str, ...]) -> None:
    """Piping into `head` gives no traceback, and no complaint at the end of the process."""
    sqlite.ingest(numbered(*(f"hmm {n} " + "x" * 200 for n in range(5000)), first=0))
    process = sqlite.start("read", "anything", "--budget", "9999999", "-q", *form)
    assert process.stdout is not None
    assert process.stdout.readline()
    process.stdout.close()
    process.stdout = None
    ran = finish(process)
    assert ran.err == ""
    assert ran.code in (0, 1, 141, -13)


def test_an_output_that_is_full(sqlite: Workspace) -> None:
    """A standard output that takes nothing is one line, and no fault of the program."""
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("this system has no /dev/full")
    with full.open("w") as stream:
        ran = finish(sqlite.start("stats", "--json", stdout=stream))
    assert "internal" not in ran.refused(ran.code, "output")
    assert ran.code != 0


def test_the_program_and_the_module_are_one(tmp_path: Path) -> None:
    """`cmc-graph` and `python -m cmc_graph` are the same program, with the same exit codes."""
    ran = finish(start("read", "Ana?", "--store", "nonsense:", cwd=tmp_path))
    ran.refused(2, "bolt://")
    assert finish(start("--version", cwd=tmp_path)).out == run("--version").out
