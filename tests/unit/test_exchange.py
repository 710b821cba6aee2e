"""The export format without a store: what is refused, and that nothing breaks the reader."""

import json
from contextlib import suppress
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cmc_graph.errors import SourceError
from cmc_graph.exchange import graphml, lines
from cmc_graph.exchange.parsing import parse
from cmc_graph.model import Relation, SetBy, Values
from cmc_graph.stores.base import Entry, Kept, Version
from tests.support.builders import entry

CITY = Relation(name="city", values=Values.ONE, set_by=SetBy.PACK, slots=0)


def version(position: int, obj: str, superseded_at: int | None = None) -> Version:
    return Version(
        position=position, ordinal=0, subject="ana", relation="city", object=obj.lower(),
        member="", retracts=False, superseded_at=superseded_at, subject_text="Ana",
        object_text=obj, literal=True, frontend="test",
    )  # fmt: skip


KEPT = [
    Kept(entry(position, ("Ana", "city", obj), text=text).record, (version(position, obj, end),))
    for position, obj, end, text in [(1, "Graz", 2, "a <b> & \x01\r"), (2, "Porto", None, "b")]
]
GOOD = [json.loads(line) for line in lines.render([CITY], [], KEPT)]


def text(documents: list[Any]) -> list[str]:
    return [json.dumps(each) for each in documents]


def test_good_lines_are_read() -> None:
    """The lines that the other tests break are whole, with blank lines among them, too."""
    relation, *entries = parse(["\n", *text(GOOD), " "])
    assert (len(entries), relation) == (2, CITY)
    assert isinstance(entries[0], Entry)
    assert entries[0].assertions == entry(1, ("Ana", "city", "Graz")).assertions


def test_an_error_names_file_and_line() -> None:
    """As the file has it, blank lines included, and what to do."""
    with pytest.raises(SourceError, match=r"h\.jsonl, line 4: .*export the history again"):
        list(parse([text(GOOD)[0], "", "", "{}"], "h.jsonl"))


def changed(index: int, **fields: Any) -> list[Any]:
    return [*GOOD[:index], {**GOOD[index], **fields}, *GOOD[index + 1 :]]


def said(**fields: Any) -> list[Any]:
    return changed(2, assertions=[{**GOOD[2]["assertions"][0], **fields}])


@pytest.mark.parametrize(
    ("documents", "words"),
    [
        pytest.param([], "breaks off", id="nothing"),
        pytest.param(GOOD[:-1], "breaks off", id="no end"),
        pytest.param(GOOD[1:], "not the first one", id="no beginning"),
        pytest.param([*GOOD, GOOD[-1]], "cannot come here", id="two ends"),
        pytest.param([GOOD[0], GOOD[2], GOOD[1], *GOOD[3:]], "none that counts", id="order"),
        pytest.param([*GOOD[:2], *GOOD[3:]], "lines were lost", id="a record is lost"),
        pytest.param(changed(0, format=2), "format 2", id="another format"),
        pytest.param(changed(1, values="few"), "values", id="no such number of values"),
        pytest.param(changed(1, name="x" * 600), "512 bytes", id="a long relation"),
        pytest.param(changed(1, merged_into="city"), "merged into", id="merged into itself"),
        pytest.param(changed(1, name="home"), "none that counts", id="an unknown relation"),
        pytest.param(changed(2, position=2), "does not come after", id="a position twice"),
        pytest.param(changed(2, position=-1), "position", id="no position"),
        pytest.param(changed(2, text=" "), "blank", id="no text"),
        pytest.param(changed(2, status="unresolved"), "1 assertion", id="facts of a residual"),
        pytest.param(changed(2, assertions=[]), "0 assertions", id="no facts"),
        pytest.param(changed(2, more=1), "unknown field", id="another field"),
        pytest.param(changed(2, observed_at="soon"), "ISO 8601", id="no time"),
        pytest.param(said(subject=" "), "blank", id="no subject"),
        pytest.param(said(subject="\ud800"), "hex escape", id="a lone surrogate"),
        pytest.param(said(object="x " * 3000), "2000 bytes", id="a long object"),
        pytest.param([*GOOD[:2], 7, *GOOD[2:]], "line 3", id="a number"),
    ],
)
def test_what_is_refused(documents: list[Any], words: str) -> None:
    """A line that says what a history cannot hold is refused, and named."""
    with pytest.raises(SourceError, match=words):
        list(parse(text(documents)))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


@given(
    st.integers(0, len(GOOD) - 1),
    st.sampled_from(sorted({name for line in GOOD for name in line} | {"reason", "source"})),
    json_values,
)
def test_any_value_anywhere(index: int, name: str, value: Any) -> None:
    """Whatever stands in a field, the export is read or refused with an error of ours."""
    with suppress(SourceError):
        list(parse(text(changed(index, **{name: value}))))


@given(st.lists(st.text(max_size=40), max_size=4))
def test_any_text(found: list[str]) -> None:
    """No text that is no export is taken for one."""
    with pytest.raises(SourceError):
        list(parse(found))


def test_graphml_is_well_formed() -> None:
    """Entities and all versions are there, with layers; what XML cannot hold is replaced."""
    document = "".join(graphml.render(KEPT))
    root = ElementTree.fromstring(document)  # noqa: S314 - our own text
    space = {"g": "http://graphml.graphdrawing.org/xmlns"}
    assert len(root.findall(".//g:node", space)) == 3
    layers = [each.text for each in root.findall(".//g:edge/g:data[@key='edge_layer']", space)]
    assert layers == ["superseded", "current"]
    (first, _) = [each.text for each in root.findall(".//g:edge/g:data[@key='edge_record']", space)]
    assert first == "a <b> & \ufffd\r"


def test_a_retraction_without_effect_has_a_layer_of_its_own() -> None:
    """It neither held nor was it superseded."""
    said = replace(version(3, "Rome", 3), retracts=True)
    document = "".join(graphml.render([Kept(entry(3, ("Ana", "city", "Rome")).record, (said,))]))
    assert '<data key="edge_layer">without effect</data>' in document
