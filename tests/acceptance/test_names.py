"""Names of every script, and names that look like statements (field reports A17 and A19)."""

import pytest

from tests.acceptance.running import Workspace, finish, said

OFFICES = (
    said("東京支社の責任者は佐野ハルです。", ["東京支社", "責任者", "佐野ハル"], position=1),
    said(
        "Зоя Климова руководит отделом «Север».",
        ["Зоя Климова", "руководит", "отделом «Север»"],
        position=2,
    ),
    said("สมชาย อาศัยอยู่ที่ เชียงใหม่", ["สมชาย", "อาศัยอยู่ที่", "เชียงใหม่"], position=3),
)

#: Names that a key must keep apart, of several scripts and sign systems.
DISTINCT = (
    "C", "C#", "C++", "AT&T", "O'Neill", "Žižek", "Zizek", "ⵣⵉⵔⵉ", "नमस्ते", "नमसते", "🦊", "🐻",
    "½", "...", "!!!", "—", "١٢٣", "한국", "ไทย", "中文", "ABBA", "a\u0301", "a",
)  # fmt: skip

RELATIONS = (
    "co-founder of",
    "head (acting) of",
    "...",
    "`x`]->() DETACH DELETE n //",
    "上司",
    "a'b\"c\\d",
    "$history",
    "{name: 'x'}",
    "r; DROP TABLE record;--",
    "🦊",
    "%s %(x)s {0}",
    "CURRENT",
    "__proto__",
    "r" * 512,
)


@pytest.mark.parametrize(
    ("question", "position", "key"),
    [
        ("東京支社の責任者は誰ですか。", 1, "東 京 支 社"),
        ("今の東京支社はどうですか", 1, "東 京 支 社"),
        ("Кем руководит ЗОЯ КЛИМОВА?", 2, "зоя климова"),
        ("สมชายอาศัยอยู่ที่ไหน", 3, None),
        ("สมชาย อยู่ที่ไหน", 3, None),
    ],
)
def test_questions_in_other_scripts_find_their_names(
    workspace: Workspace, question: str, position: int, key: str | None
) -> None:
    """A17: a name is found in any script, with or without spaces around it."""
    workspace.bring(*OFFICES)
    evidence = workspace.read(question)
    assert [edge["position"] for edge in evidence["edges"]] == [position]
    assert key is None or evidence["anchors"] == [key]


def test_names_of_other_scripts_have_keys_of_their_own(workspace: Workspace) -> None:
    """A17: no name normalises to nothing, and distinct names stay distinct."""
    workspace.bring(
        *(said(f"{name} is item {n}", [name, "is", f"item {n}"]) for n, name in enumerate(DISTINCT))
    )
    counts = workspace.stats()
    assert (counts["current"], counts["subjects"]) == (len(DISTINCT), len(DISTINCT))
    assert all(a.subject for kept in workspace.state()[0] for a in kept.assertions)
    for number, name in enumerate(DISTINCT):
        if name not in ("...", "!!!", "—"):  # questions have no token for these
            assert workspace.walked(f"What is {name} ?") == [number], name


@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "latin-1", "cp1252"])
def test_the_terminal_shows_the_characters_themselves(workspace: Workspace, encoding: str) -> None:
    """A17: output is the characters, not escapes, whatever the terminal's encoding is."""
    workspace.bring(*OFFICES)
    expected = workspace.run("read", "東京支社は?").out
    ran = finish(workspace.start("read", "東京支社は?", env={"PYTHONIOENCODING": encoding}))
    assert (ran.code, ran.out) == (0, expected)
    assert "東京支社の責任者は佐野ハルです。" in ran.out
    listed = finish(workspace.start("relations", "--json", env={"PYTHONUTF8": "0", "LC_ALL": "C"}))
    assert "責任者" in listed.out


def test_relation_names_are_values(workspace: Workspace) -> None:
    """A19: whatever a relation is called, it is stored and found again, and nothing is deleted."""
    workspace.bring(
        *(
            said(f"Ana {name} Ben{n}", ["Ana", name, f"Ben{n}"], position=n)
            for n, name in enumerate(RELATIONS)
        )
    )
    edges = workspace.read("Ana?")["edges"]
    assert [edge["relation"] for edge in edges] == list(RELATIONS)
    assert workspace.stats()["current"] == len(RELATIONS)
    listed = workspace.run("relations", "--json").json()
    assert sorted(each["name"] for each in listed) == sorted(RELATIONS)


@pytest.mark.parametrize("name", RELATIONS)
def test_any_relation_can_be_set(workspace: Workspace, name: str) -> None:
    """A19: `relations set` takes any name that `relations` lists."""
    workspace.bring(
        said(f"Ana {name} Ben", ["Ana", name, "Ben"], position=1),
        said(f"Ana {name} Cleo", ["Ana", name, "Cleo"], position=2),
        said("Ana knows Dora", ["Ana", "knows", "Dora"], position=3),
    )
    assert workspace.walked("Ana?") == [2, 3]
    assert workspace.run("relations", "set", name, "--many").code == 0
    assert workspace.walked("Ana?") == [1, 2, 3]
    assert not workspace.drift()


@pytest.mark.parametrize(
    "name", ["x'}) DETACH DELETE n //", "`x`]->() DETACH DELETE n //", "'; DROP TABLE entity; --"]
)
def test_entity_names_are_values(workspace: Workspace, name: str) -> None:
    """A19: subjects and objects are values, too."""
    workspace.bring(
        said("Ana knows Ben", ["Ana", "knows", "Ben"], position=1),
        said(f"Ana knows {name}", [name, "known by", "Ana"], position=2),
    )
    edges = workspace.read(f"Who is {name} to?")["edges"]
    assert [(edge["subject"], edge["object"]) for edge in edges] == [(name, "Ana"), ("Ana", "Ben")]
    assert workspace.stats()["records"] == 2
