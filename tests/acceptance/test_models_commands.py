"""Commands that ask a model: what they print, how they end, and what they never say."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from cmc_graph import Memory, ModelOptions, Record
from tests.acceptance.running import Ran, Workspace, said, variables
from tests.support.endpoint import Answer, Endpoint, Request, annotator
from tests.support.endpoint.annotator import records_of
from tests.support.endpoint.faults import WRONG, refusing
from tests.support.endpoint.sentences import sentences

KEY = "sk-very-secret-0123456789"
TEXTS = sentences(240)
LINES = "".join(f"{line}\n" for line in TEXTS)
PLACE = "The weekly meeting is in Room B.\n"


@pytest.fixture(autouse=True)
def _own_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What models answer in a test is kept in a file of its own."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with Endpoint(annotator) as running:
        yield running


def at(endpoint: Endpoint) -> dict[str, str]:
    """The environment that leads to the endpoint."""
    return {"OPENAI_BASE_URL": endpoint.url, "OPENAI_API_KEY": KEY, "CMC_MODEL": "small"}


def ingest(place: Workspace, endpoint: Endpoint, *arguments: str, text: str = LINES) -> Ran:
    """An ingest by the direct frontend, unless said otherwise."""
    frontend = () if "--frontend" in arguments else ("--frontend", "direct")
    return place.run("ingest", place.file(text), *frontend, *arguments, **at(endpoint))


def asked(endpoint: Endpoint) -> list[str]:
    """The statements the endpoint was asked for, each as often as it was."""
    return [text for each in endpoint.log for _, text in records_of(each.request.user)]


@pytest.mark.parametrize("frontend", ["direct", "hybrid"])
def test_an_ingest_with_a_model_says_what_it_cost(
    workspace: Workspace, endpoint: Endpoint, frontend: str
) -> None:
    """The report adds up and has calls and tokens as the endpoint counts them; twice costs 0."""
    report = ingest(workspace, endpoint, "--frontend", frontend, "--json").json()
    assert report["records"] == report["facts"] == 240
    assert report["unresolved"] == report["no_fact"] == report["skipped"] == 0
    assert report["calls"] == endpoint.calls > 0
    assert report["input_tokens"] == endpoint.input_tokens
    assert report["output_tokens"] == endpoint.output_tokens
    assert report["retries"] == 0
    assert report["seconds"] > 0
    before = endpoint.calls
    again = workspace.run("ingest", "notes.txt", "--frontend", frontend, "--json")  # and no key
    assert (again.json()["skipped"], again.json()["calls"]) == (240, 0)
    assert endpoint.calls == before


def test_the_text_form_names_calls_and_tokens(sqlite: Workspace, endpoint: Endpoint) -> None:
    """After the records comes one line of what a model cost; a grammar has none."""
    ran = ingest(sqlite, endpoint)
    assert ran.code == 0
    lines = ran.out.splitlines()
    assert lines[0].startswith("240 records = 240 facts + 0 unresolved")
    assert lines[2] == (
        f"{endpoint.calls} model calls, {endpoint.input_tokens} input and "
        f"{endpoint.output_tokens} output tokens, 0 retried"
    )
    other = sqlite.on("other").run("ingest", sqlite.file(PLACE, "place.txt"))
    assert len(other.out.splitlines()) == 2


def test_a_text_is_paid_for_once(sqlite: Workspace, endpoint: Endpoint) -> None:
    """Another history with the same texts in another order makes no call for them."""
    ingest(sqlite, endpoint)
    text = "".join(f"{line}\n" for line in reversed(TEXTS))
    report = ingest(sqlite.on("other"), endpoint, "--json", text=text).json()
    assert report["facts"] == 240
    assert len(asked(endpoint)) == len(set(asked(endpoint))) == 240


def test_names_that_mean_the_same_are_one_relation(
    workspace: Workspace, endpoint: Endpoint
) -> None:
    """The annotator names six relations freely; the history has six, and lists the other names."""
    ingest(workspace, endpoint)
    relations = workspace.run("relations", "--json").json()
    counted = [each for each in relations if each["slots"]]
    assert len(counted) == 6
    others = [each for each in relations if not each["slots"]]
    assert others
    assert {each["merged_into"] for each in others} <= {each["name"] for each in counted}
    table = workspace.run("relations").out
    assert "merged into" in table
    assert not workspace.drift()


def test_merging_relations_by_hand(workspace: Workspace, endpoint: Endpoint) -> None:
    """Two relations become one, their slots are resolved anew, and nobody is asked."""
    workspace.bring(
        said("Ana lives in Porto.", ["Ana", "lives in", "Porto"]),
        said("Ana's home is Graz.", ["Ana", "home", "Graz"]),
    )
    assert workspace.stats()["current"] == 2
    ran = workspace.run("relations", "merge", "home", "lives in")
    assert ran.out == "home counts as lives in: 1 slot\n"
    assert workspace.shown("Where does Ana live?") == [1]
    assert workspace.run("relations", "merge", "home", "lives in", "--json").json() == {
        "relation": "home",
        "into": "lives in",
        "slots": 1,
    }
    workspace.run("relations", "merge", "lives in", "home").refused(2, "was merged into it")
    workspace.run("relations", "merge", "floor", "nowhere").refused(2, "nowhere")
    assert endpoint.calls == 0


def test_induced_patterns_are_a_pack(
    workspace: Workspace, another: Callable[[], Workspace], endpoint: Endpoint
) -> None:
    """They are kept with the history, and `--grammar` reads with them what the model read."""
    ingest(workspace, endpoint, "--frontend", "hybrid")
    printed = workspace.run("relations", "patterns")
    assert printed.code == 0
    pack = workspace.file(printed.out, "induced.toml")
    report = another().run("ingest", "notes.txt", "--grammar", pack, "--json").json()
    assert (report["facts"], report["calls"]) == (240, 0)
    found = workspace.run("relations", "patterns", "--json").json()
    assert {each["relation"] for each in found} == {
        each["name"] for each in workspace.run("relations", "--json").json() if each["slots"]
    }


def test_an_estimate_spends_nothing(sqlite: Workspace, endpoint: Endpoint) -> None:
    """--dry-run says what a model will cost, near what it costs; no key, no store, no call."""
    arguments = ("ingest", sqlite.file(LINES), "--frontend", "direct", "--dry-run", "--model", "m")
    estimate = sqlite.run(*arguments, "--json").json()
    assert (estimate["statements"], estimate["known"]) == (240, 0)
    assert not (sqlite.folder / "memory.db").exists()
    assert endpoint.calls == 0
    report = ingest(sqlite, endpoint, "--model", "m", "--json").json()
    for name in ("input_tokens", "output_tokens"):
        assert 0.5 < estimate[name] / report[name] < 2
    assert report["calls"] <= estimate["calls"] <= report["calls"] + 8
    known = sqlite.run(*arguments)
    assert known.out.startswith("about 0 calls, 0 input and 0 output tokens\n")
    assert "240 distinct statements, 240 of them known" in known.out
    hybrid = sqlite.run(*arguments[:2], "--frontend", "hybrid", *arguments[4:])
    assert hybrid.out.startswith("at most ")


@pytest.mark.parametrize("budget", [("--max-calls", "3"), ("--max-tokens", "8000")], ids=str)
def test_a_budget_ends_the_run_with_a_hint(
    sqlite: Workspace, endpoint: Endpoint, budget: tuple[str, str]
) -> None:
    """Exit 5, nothing is written, and the same command without it goes on where it was."""
    error = ingest(sqlite, endpoint, *budget).refused(5, budget[0], "same command again goes on")
    assert "of 240 statements are read and kept" in error
    assert sqlite.stats()["records"] == 0
    spent = len(asked(endpoint))
    assert 0 < spent < 240
    assert ingest(sqlite, endpoint, "--json").json()["facts"] == 240
    assert len(asked(endpoint)) == 240


Setting = dict[str, str]


def test_an_endpoint_that_is_not_there(sqlite: Workspace) -> None:
    """A few attempts, each said as it is waited for; then exit 5 and what to check."""
    settings = {"OPENAI_BASE_URL": "http://127.0.0.1:9/v1", "CMC_MODEL": "small"}
    ran = sqlite.run("ask", "Where?", "--reader", "openai", **settings)
    assert (ran.code, ran.out) == (5, "")
    *waiting, error = ran.err.splitlines()
    assert all("does not answer; waiting" in line for line in waiting)
    assert "http://127.0.0.1:9/v1 cannot be reached" in error
    assert error.endswith("check OPENAI_BASE_URL")


@pytest.mark.parametrize(
    ("environment", "code", "words"),
    [
        ({"OPENAI_API_KEY": "", "OPENAI_BASE_URL": ""}, 2, ["OPENAI_API_KEY", "OPENAI_BASE_URL"]),
        ({"CMC_MODEL": ""}, 2, ["--model", "CMC_MODEL"]),
        ({"OPENAI_BASE_URL": "localhost"}, 2, ["OPENAI_BASE_URL"]),
    ],
    ids=["no key", "no model", "no address"],
)
def test_settings_that_lead_nowhere(
    sqlite: Workspace, endpoint: Endpoint, environment: Setting, code: int, words: list[str]
) -> None:
    """One line that says which setting to look at, for an ingest and for a question."""
    settings = at(endpoint) | environment
    for command in (
        ("ingest", sqlite.file(PLACE), "--frontend", "direct"),
        ("ask", "Where?", "--reader", "openai"),
    ):
        error = sqlite.run(*command, **settings).refused(code, *words)
        assert KEY not in error
    assert endpoint.calls == 0


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (refusing(401, f"invalid key {KEY}"), ["refuses the key", "OPENAI_API_KEY"]),
        (refusing(404, "model_not_found"), ["no model 'small'", "CMC_MODEL"]),
        (refusing(429, "insufficient_quota"), ["quota is used up"]),
        (lambda _: Answer(body="<html>Welcome</html>"), ["Chat Completions", "OPENAI_BASE_URL"]),
    ],
    ids=["wrong key", "unknown model", "no quota", "no such endpoint"],
)
def test_an_endpoint_that_refuses_is_tried_once(
    sqlite: Workspace, answer: Callable[[Request], Answer], words: list[str]
) -> None:
    """Exit 5 after one attempt, and the key is not in what is said, whoever quotes it."""
    with Endpoint(answer) as endpoint:
        for number, command in enumerate(
            (
                ("ingest", sqlite.file(LINES), "--frontend", "direct"),
                ("ask", "Where?", "--reader", "openai"),
            ),
            1,
        ):
            error = sqlite.run(*command, **at(endpoint)).refused(5, *words)
            assert KEY not in error
            assert endpoint.calls == number
            told = sqlite.run(*command, "-v", **at(endpoint))
            assert KEY not in told.out + told.err
            endpoint._numbers = number  # the second look does not count
    kept = (sqlite.folder / "data" / "cmc-graph" / "interpretations.db").read_bytes()
    assert KEY.encode() not in kept


def test_a_model_that_refuses_everything(sqlite: Workspace) -> None:
    """An ingest ends with 4 and writes nothing; a question ends with 5."""
    with Endpoint(WRONG["refusal"]) as endpoint:
        ingest(sqlite, endpoint).refused(4, "no usable answer", "refused", "another model")
        ask = sqlite.run("ask", "Where?", "--reader", "openai", **at(endpoint))
        ask.refused(5, "gave no answer", "can't help")
    assert sqlite.stats()["records"] == 0


def test_some_refused_records_stay_visible(workspace: Workspace) -> None:
    """A model that invents names in some records: these are unresolved, and the run succeeds."""
    bad = TEXTS[7]

    def script(request: Request) -> Answer:
        is_bad = any(text == bad for _, text in records_of(request.user))
        return (WRONG["invented"] if is_bad else annotator)(request)

    with Endpoint(script) as endpoint:
        report = ingest(workspace, endpoint, "--json").json()
    assert (report["facts"], report["unresolved"]) == (239, 1)
    assert "is no span of the text" in report["reasons"][0][0]
    assert bad in workspace.run("read", "Who is it?").out


def test_the_batch_api_from_the_command_line(workspace: Workspace, endpoint: Endpoint) -> None:
    """Submitted today, collected tomorrow, and ingested like any other."""
    submitted = ingest(workspace, endpoint, "--batch-api", "submit", "--json").json()
    assert submitted == {"batches": ["batch_0"], "calls": 5, "statements": 200}
    assert workspace.stats()["records"] == 0
    endpoint.batches.open = False
    ingest(workspace, endpoint, "--batch-api", "collect").refused(5, "in_progress", "collect again")
    endpoint.batches.open = True
    report = ingest(workspace, endpoint, "--batch-api", "collect", "--json").json()
    assert report["facts"] == 240
    assert report["calls"] == endpoint.calls - 1  # the first one was made when it was submitted
    assert len(asked(endpoint)) == 240
    again = ingest(workspace, endpoint, "--batch-api", "submit")
    assert again.out == "0 statements in 0 calls wait in no batch\n"
    ingest(workspace, endpoint, "--batch-api", "submit", "--frontend", "hybrid").refused(
        2, "direct"
    )


def test_recompiling_with_a_model(workspace: Workspace, endpoint: Endpoint) -> None:
    """Stored records are read anew; what records brought stays; afterwards back to the grammar."""
    workspace.ingest(LINES)
    workspace.bring(said("Zoe won the cup.", ["Zoe", "prize", "the cup"]))
    first = workspace.state()
    counts = workspace.counts()
    assert counts["records"] == 241
    report = workspace.run("recompile", "--frontend", "direct", "--json", **at(endpoint)).json()
    assert (report["records"], report["facts"], report["calls"]) == (241, 241, endpoint.calls)
    assert workspace.stats()["current"] == 241
    assert workspace.walked("What did Zoe win?") == [240]
    by_model = workspace.state()
    assert [kept.record.text for kept in by_model[0]] == [kept.record.text for kept in first[0]]
    again = workspace.run("recompile", "--frontend", "direct", "--json", **at(endpoint)).json()
    assert again["calls"] == again["slots_changed"] == 0
    assert workspace.run("recompile").code == 0
    assert workspace.counts() == counts
    assert workspace.state()[0] == first[0]


def test_recompiling_an_empty_history(workspace: Workspace) -> None:
    """There is nothing to read, and no model is asked."""
    ran = workspace.run("recompile", "--frontend", "hybrid")
    assert ran.out.startswith("0 records = 0 facts")


def test_asking_a_model(workspace: Workspace) -> None:
    """The answer, then all records it read; --json has usage and evidence."""
    workspace.ingest("The weekly meeting is in Room A.\nThe weekly meeting moved to Room B.\n")

    def script(request: Request) -> Answer:
        return Answer(text="Room B" if "moved to Room B" in request.user else "not said")

    question = "Where is the weekly meeting?"
    with Endpoint(script) as endpoint:
        ran = workspace.run("ask", question, "--reader", "openai", **at(endpoint))
        assert (ran.code, ran.out) == (0, "Room B\nrecords: 1\n")
        answer = workspace.run(
            "ask", question, "--reader", "openai", "--model", "large", "--json", **at(endpoint)
        ).json()
        assert endpoint.log[-1].request.body["model"] == "large"
        assert (answer["text"], answer["usage"]["calls"]) == ("Room B", 1)
        assert answer["usage"]["input_tokens"] == endpoint.log[-1].input_tokens
        early = workspace.run("ask", question, "--reader", "openai", "--as-of", "0", **at(endpoint))
        assert (early.out, early.code) == ("records: 0\n", 0)
        assert "the evidence does not say" in early.err
        with variables(at(endpoint)), workspace.memory() as memory:
            assert memory.ask(question, reader="openai").text == "Room B"
    workspace.run("ask", question, "--model", "m").refused(2, "openai")


def test_python_does_the_same(sqlite: Workspace, endpoint: Endpoint) -> None:
    """`Memory` has the frontends, the batch API, recompile and patterns."""
    records = [Record(text=text) for text in TEXTS]
    with variables(at(endpoint)), Memory.open(sqlite.url, "h") as memory:
        report = memory.ingest(iter(records), frontend="hybrid", model=ModelOptions(concurrency=2))
        assert (report.facts, report.calls) == (240, endpoint.calls)
        assert memory.patterns()
        assert memory.recompile(frontend="direct", model=ModelOptions(name="other")).facts == 240
        assert memory.recompile().facts > 0


def test_what_is_forgotten_is_forgotten_by_the_file_of_answers(
    sqlite: Workspace, endpoint: Endpoint
) -> None:
    """The text has to be paid for again; others have not."""
    ingest(sqlite, endpoint)
    sqlite.run("forget", "--position", "3")
    report = ingest(sqlite.on("other"), endpoint, "--json").json()
    assert report["facts"] == 240
    assert asked(endpoint).count(TEXTS[3]) == 2
    assert len(asked(endpoint)) == 241


def test_config_shows_the_model_but_no_secret(sqlite: Workspace) -> None:
    """The key is masked, and so is what stands before the host of an address."""
    settings = {
        "OPENAI_API_KEY": KEY,
        "OPENAI_BASE_URL": "https://me:s3cr3t@models.example/v1",
        "CMC_MODEL": "small",
    }
    for arguments in (("--json",), ()):
        ran = sqlite.run("config", "show", *arguments, **settings)
        assert KEY not in ran.out
        assert "s3cr3t" not in ran.out
        assert "models.example" in ran.out
    shown: dict[str, Any] = json.loads(sqlite.run("config", "show", "--json", **settings).out)
    assert shown["model"] == {"value": "small", "from": "environment", "why": "CMC_MODEL"}
