"""Whatever a model, a pack's file or an export holds: it is read, or refused in one line.

The loaders' own test of this kind is in ``test_loaders_lines``.
"""

import json
from collections import deque
from contextlib import suppress
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cmc_graph.errors import ConfigurationError, SourceError
from cmc_graph.exchange.parsing import parse
from cmc_graph.frontends.packs import load_pack, parse_pack
from cmc_graph.frontends.replies import Row, Unreadable, rows
from cmc_graph.frontends.verdicts import Verdict, interpretation, verdicts
from cmc_graph.llm import batch_lines, dialect
from cmc_graph.llm.chat import Reply
from cmc_graph.model import Status
from loaders import lines as text_lines
from tests.unit.test_exchange import GOOD

#: Texts of records that a model is asked about.
ASKED = {"1": "Lena  Vogt works for Acme in Porto.", "2": "It rains.", "3": "東京 is big."}

#: What answers are made of, right ones and wrong ones.
ANSWER = st.one_of(
    st.text(max_size=6),
    st.sampled_from([
        '{"records": [["1", "Lena Vogt", "employer", "Acme"], ["2", "no_fact"]]}',
        '{"records": [["3", "東京", "size", "big"], ["2", "unresolved", "a\\ud800b"]]}',
        '[["1", "Lena Vogt", "a\\ud800b", "Acme"]]', '["1", "Lena Vogt", "employer", "Acme"]',
        '"\\udc00"', "9" * 5_000, "-1e999", "NaN", "[" * 2_000, '{"records":', '[["1",', "]]}", "]",
        "<think>", "</think>", "```json", "\n", "null", '"no_fact"', '"unresolved"', ",", '{"a": ',
    ]),
)  # fmt: skip
JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
    | st.sampled_from(["\ud800", "1", "no_fact", "unresolved", "facts", "Lena Vogt", "Acme"]),
    lambda inner: st.lists(inner, max_size=5)
    | st.dictionaries(st.sampled_from(["records", "Records", "choices", "x"]), inner, max_size=3),
    max_leaves=20,
)  # fmt: skip


def read(answer: str) -> None:
    """Read it as an answer about the records, and look at every verdict."""
    found: list[Row] = []
    said = ""
    try:
        found = rows(Reply(text=answer, finish="stop", model="m"), "records")
    except Unreadable as error:
        said = str(error)
    assert "\n" not in said
    judged = verdicts(found, ASKED)
    assert judged.keys() == ASKED.keys()
    for number, verdict in judged.items():
        dumped = verdict.dump()
        dumped.encode()  # it can be kept
        assert Verdict.load(dumped) == verdict
        said = interpretation(verdict, "direct", lambda name: name)
        (said.reason or "").encode()
        assert said.status is not Status.FACTS or said.triples
        for triple in said.triples:
            "".join((triple.subject, triple.relation, triple.object)).encode()
            folded = " ".join(ASKED[number].split())
            assert triple.subject in folded
            assert triple.object in folded


@given(st.lists(ANSWER, max_size=6).map("".join))
def test_any_answer_is_read_or_unreadable(answer: str) -> None:
    """Whatever a model says: rows or what it said instead; each record gets one verdict."""
    read(answer)


@pytest.mark.parametrize("number", ["9" * 5_000, "1e999", "-0", "NaN"])
def test_a_number_that_is_none(number: str) -> None:
    """JSON that Python does not read as a number is no answer, and no error."""
    read(f'{{"records": [["1", {number}], ["2", "no_fact"]]}}')


@given(JSON)
def test_any_json_is_read_or_unreadable(value: Any) -> None:
    """JSON of any shape, also with texts that no store could encode."""
    read(json.dumps(value))
    read(json.dumps({"records": value}, ensure_ascii=False))


@given(JSON, st.lists(JSON, max_size=3))
def test_any_completion_is_a_reply_or_none(value: Any, choices: list[Any]) -> None:
    """What an endpoint sends is a completion, or a ValueError that is translated."""
    for each in (value, {"choices": choices}, {"choices": [{"message": value}], "usage": value}):
        with suppress(ValueError):
            dialect.reply(each, "m").text.encode()
        with suppress(ValueError):
            batch_lines.state(each)
    text = "\n".join(json.dumps(each) for each in (value, *choices))
    with suppress(ValueError):
        batch_lines.replies(text, "m")


@pytest.mark.parametrize("end", ["\u2028", "\u2029", "\x85", "\x0b", "\x1e"])
def test_a_line_of_answers_ends_at_a_line_feed(end: str) -> None:
    """What else may break lines stands inside a JSON text, where not all of it is an escape."""
    body = {"choices": [{"message": {"content": f"a{end}b"}}]}
    row = {"custom_id": "1", "response": {"status_code": 200, "body": body}}
    content = json.dumps(row, ensure_ascii=end < "\x20") + "\n"
    assert batch_lines.replies(content * 2, "m")[0]["1"].text == f"a{end}b"


#: A pack in pieces that can be put together wrongly.
PACK = st.lists(
    st.one_of(
        st.binary(max_size=6),
        st.sampled_from([
            b'name = "p"\n', b"[[pattern]]\n", b'text = "{S} lives in {O}"\n', b"relation = ",
            b'"home"\n', b'text = ["{S} is {O}", "{O} of {S}"]\n', b'text = "{S}{O}"\n',
            b'text = "{S} [a|b] {O:Kind}"\n', b"[kind.Kind]\n", b'is = ["a"]\n',
            b"capital = true\n",
            b'text = "{S} ((({O}"\n', b"values = \"many\"\n", b"[[relation]]\n", b"[names]\n",
            b"longest = 0\n", b"[frame]\n", b'before = ["Then,"]\n', b"retracts = 1\n", b"\xff\xfe",
            b"[words]\n", b'w = ["x", "y"]\n', b'name = "home"\n', b'also = ["at home"]\n', b"= ",
            b'text = "' + b"{S} " * 500 + b'{O}"\n', b"[" * 1_000, b'"\\ud800"', b"x = 1e400\n",
        ]),
    ),
    max_size=10,
).map(b"".join)  # fmt: skip


@given(PACK)
def test_any_pack_loads_or_says_what_is_wrong(content: bytes) -> None:
    """A pack's file is a pack, or one line names the file."""
    said = "pattern pack p.toml: "
    try:
        parse_pack.__wrapped__(content, "p.toml")
    except ConfigurationError as error:
        said = str(error)
    assert said.startswith("pattern pack p.toml: ")
    assert "\n" not in said


@cache
def shipped() -> list[bytes]:
    """The lines of a shipped pack."""
    load_pack("factconsolidation")
    from importlib.resources import files  # noqa: PLC0415 - only here

    pack = files("cmc_graph.frontends") / "packs" / "factconsolidation.toml"
    return pack.read_bytes().splitlines(keepends=True)


@settings(max_examples=30)
@given(st.data())
def test_a_damaged_pack_loads_or_says_what_is_wrong(data: st.DataObject) -> None:
    """So is a shipped one in which lines are gone, doubled, or in another place."""
    found = list(shipped())
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(found) - 1))
        match data.draw(st.sampled_from(["drop", "twice", "move", "cut"])):
            case "drop":
                del found[place]
            case "twice":
                found.insert(place, found[place])
            case "move":
                found.append(found.pop(place))
            case _:
                found[place] = found[place][: data.draw(st.integers(0, 40))]
    with suppress(ConfigurationError):
        parse_pack.__wrapped__(b"".join(found), "p.toml")


EXPORT = [json.dumps(each, ensure_ascii=False).encode() + b"\n" for each in GOOD]


@given(st.data())
def test_a_damaged_export_loads_or_names_a_line(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    """An export with bytes gone, doubled or changed is read as a whole, or refused in one line."""
    content = b"".join(data.draw(st.lists(st.sampled_from(EXPORT), max_size=6)) or EXPORT)
    for _ in range(data.draw(st.integers(0, 3))):
        place = data.draw(st.integers(0, max(0, len(content) - 1)))
        new = data.draw(
            st.binary(max_size=3) | st.sampled_from([b'"\\ud800"', b"9" * 5_000, b"\0", b"null"])
        )
        content = content[:place] + new + content[place + data.draw(st.integers(0, 5)) :]
    path = tmp_path_factory.getbasetemp() / "export.jsonl"
    path.write_bytes(content)
    said = "line"
    try:
        deque(parse(line for _, line in text_lines.lines(path)), maxlen=0)
    except SourceError as error:
        said = str(error)
    assert "line" in said or "cannot be unpacked" in said  # bytes may begin as a packed file does
    assert "\n" not in said
