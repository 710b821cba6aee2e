"""Looks at a Neo4j database as it is, and mends what follows from what is whole.

This module must not know what a finding means to a person.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from cmc_graph.errors import StoreRefused
from cmc_graph.stores import neo4j_rows as rows
from cmc_graph.stores import neo4j_schema as schema
from cmc_graph.stores import surfaces
from cmc_graph.stores.inspection import SHOWN, Damage, Inspection, first
from cmc_graph.stores.neo4j_batch import Locked, Outcome, chunks, in_batch
from cmc_graph.stores.neo4j_ledger import WHOLE, resolve
from cmc_graph.stores.neo4j_link import Link, Row, Transaction
from cmc_graph.stores.neo4j_verify import lost_words
from cmc_graph.stores.surfaces import Named

#: The statements that look for damage without any index, since none holds what lacks a property.
_LOOKS = (
    *("damaged_head", "damaged_records", "doubled_records", "damaged_entities"),
    *("damaged_assertions", "damaged_relations", "damaged_patterns", "damaged_edges"),
)
#: Those of them that concern the ledger.
_LEDGER_LOOKS = ("damaged_entities", "damaged_assertions", "damaged_relations")

#: What helps where a piece can neither be derived nor forgotten: how it is matched, what is done
#: to it, and what that means. The first that fits counts; an empty detail fits all.
_BY_HAND = (
    ("relation", "merged_into", "MATCH (n:Relation)", "REMOVE n.merged_into", "parts them"),
    ("relation", "values", "MATCH (n:Relation)", "SET n.values = 'one'", "takes one value"),
    ("relation", "", "MATCH (n:Relation)", "DELETE n", "deletes it"),
    ("assertion", "", "MATCH ()-[n:ASSERTED]->()", "DELETE n", "deletes it"),
    ("entity", "history", "MATCH (n)", "DETACH DELETE n", "deletes it with its assertions"),
    ("entity", "", "MATCH (n:Entity)", "DETACH DELETE n", "deletes it with its assertions"),
    ("record", "", "MATCH (n:Record)", "DELETE n", "deletes it"),
    ("position", "", "MATCH (n:Record)", "DELETE n", "deletes one of them"),
    ("pattern", "", "MATCH (n:Pattern)", "DELETE n", "deletes it"),
)


def inspect(link: Link, history: str, settings: Sequence[str]) -> Inspection:
    """What is found, without writing.

    Args:
        link: To the database.
        history: Whose pieces are looked at.
        settings: Names of the server's settings to look up.

    Raises:
        SchemaMismatch: The database is of another version, or not ours.
        StoreError: It cannot be read.
    """
    (component,) = link.read("components")
    server = f"Neo4j {component['version']} {component['edition']}"
    held = _settings(link, settings)
    if not schema.check_version(link):
        return Inspection(server=server, is_new=True, settings=held)
    missing = tuple(map(str, schema.missing(link).values()))
    looks = (*_LOOKS, *(() if missing else ("damaged_verdicts",)))
    found = [first(_damages(link, look, history)) for look in looks]
    if not missing:
        found.append(first(_contradictions(link, history)))
    found.append(first(_of_no_history(link, history)))
    return Inspection(
        server=server,
        has_history=bool(link.read("head", history=history, relations=[]) or any(found[:-1])),
        missing=missing,
        settings=held,
        damages=_given_back([damage for some in found for damage in some[:SHOWN]]),
        is_cut=any(len(some) > SHOWN for some in found),
    )


def mend(link: Link, history: str) -> bool:
    """Derive what is damaged of a history's pieces; False while its ledger lacks something.

    The projection may be derived anew only of a ledger that is whole; then damaged edges are
    cleared, too. All is done in batches under the history's write lock.

    Raises:
        StoreError: The database cannot be read or written.
    """
    if not schema.check_version(link):
        return False
    if link.read("damaged_head", history=history):
        link.write(partial(_restore_head, history=history))
    schema.setup(link)
    if not link.read("head", history=history, relations=[]):
        return False
    _mend_ledger(link, history)
    lacking = (*_LEDGER_LOOKS, "damaged_verdicts")
    if any(each.is_of_ledger for look in lacking for each in _damages(link, look, history)):
        return False
    if any(each.is_of_ledger for each in _contradictions(link, history)):
        return False
    if any(lost_words(link, history)):
        return False
    edges = (row["element"] for row in link.read("damaged_edges", history=history))
    _in_batches(link, history, edges, _clear_edges)
    schema.setup(link)
    return True


def _contradictions(link: Link, history: str) -> Iterator[Damage]:
    return surfaces.damages(_ends(link, history), lambda key: _has_entity(link, history, key))


def _ends(link: Link, history: str) -> Iterator[Named]:
    return (Named(*row.values()) for row in link.stream("surfaces", history=history))


def _has_entity(link: Link, history: str, key: str) -> bool:
    return bool(link.read("naming", history=history, keys=[key]))


def _mend_ledger(link: Link, history: str) -> None:
    """Derive what is provable: keys, relations, and then what follows from these."""
    keys = surfaces.wrong_keys(_ends(link, history))
    _in_batches(link, history, list(keys), partial(_mend_keys, keys=keys))
    entities = _derivable(link, "damaged_entities", history, "element", ("history", "key"))
    _in_batches(link, history, entities, _run("mend_entities", "elements"))
    relations = _derivable(link, "damaged_relations", history, "place", ("node", "values"))
    _in_batches(link, history, relations, _run("mend_relations", "names"))
    words = _derivable(link, "damaged_relations", history, "place", ("set_by",))
    _in_batches(link, history, words, _run("mend_words", "names"))
    is_torn = any(each.what == "assertion" for each in _contradictions(link, history))
    said = ("history", "member", *(() if is_torn else ("subject",)))  # the start may be wrong
    assertions = _derivable(link, "damaged_assertions", history, "element", said)
    _in_batches(link, history, assertions, _run("mend_assertions", "elements"))


def _derivable(
    link: Link, look: str, history: str, column: str, details: Sequence[str]
) -> list[str]:
    """A column of the damages that can be derived, each value once."""
    found = link.read(look, history=history)
    derived = (row for row in found if row["is_derived"] and row["detail"] in details)
    return list(dict.fromkeys(row[column] for row in derived))


def _in_batches(
    link: Link,
    history: str,
    pieces: Iterator[str] | Sequence[str],
    body: Callable[[Locked, list[str]], None],
) -> None:
    def whole(locked: Locked, some: list[str]) -> Outcome[None]:
        body(locked, some)
        return Outcome(None, locked.counters)

    for some in chunks(dict.fromkeys(pieces)):
        in_batch(link, history, partial(whole, some=some))


def _run(name: str, parameter: str) -> Callable[[Locked, list[str]], None]:
    def body(locked: Locked, some: list[str]) -> None:
        locked.run(name, **{parameter: some})

    return body


def _mend_keys(locked: Locked, elements: list[str], keys: Mapping[str, str]) -> None:
    locked.run("mend_keys", elements=elements, keys=[keys[each] for each in elements])


def _clear_edges(locked: Locked, elements: list[str]) -> None:
    """Delete edges, and resolve the slots they may have been of."""
    slots = map(rows.slot, locked.read("clear_damaged_edges", elements=elements))
    resolve(locked, {slot: WHOLE for slot in slots if rows.is_slot(slot)})


def _restore_head(transaction: Transaction, history: str) -> None:
    transaction.run("lock", history=history)
    transaction.run("restore_head", history=history)


def _damages(link: Link, look: str, history: str) -> Iterator[Damage]:
    seen: set[Damage] = set()
    for row in link.stream(look, history=history):
        damage = _damage(row, history)
        if damage not in seen:  # a doubled slot has a row for each edge
            seen.add(damage)
            yield damage


def _damage(row: Row, history: str) -> Damage:
    what, place, detail = row["what"], row["place"], row["detail"]
    plain = Damage(what, place, detail, row["position"], row["is_derived"])
    if plain.is_derived or plain.position is not None:
        return plain
    if (what, detail) == ("relation", "node"):
        made = {"history": history, "name": place, "values": "many", "set_by": "person"}
        values = ", ".join(f"{name}: {_text(value)}" for name, value in made.items())
        hint = "makes it one with many values; doctor --repair does the rest"
        return plain._replace(by_hand=f"CREATE (:Relation {{{values}}})", hint=hint)
    match, todo, hint = next(
        by_hand for kind, which, *by_hand in _BY_HAND if kind == what and which in ("", detail)
    )
    command = f"{match} WHERE elementId(n) = {_text(row['element'])} {todo}"
    return plain._replace(by_hand=command, hint=hint, gives_up="DELETE" in todo)


def _given_back(damages: Sequence[Damage]) -> tuple[Damage, ...]:
    """The same, where a record is lost that can be given back with the command that does it."""
    found = {each.position: each for each in damages if each.what == "no-history"}
    return tuple(
        each._replace(by_hand=found[each.position].by_hand, hint=found[each.position].hint)
        if each.what == "no-record" and each.position in found
        else each
        for each in damages
    )


def _of_no_history(link: Link, history: str) -> Iterator[Damage]:
    for row in link.read("of_no_history", history=history):
        place = row["label"]
        if row["position"] is not None:
            place += f" [{row['position']}]"
            todo, hint = f"SET n.history = {_text(history)}", "makes it one of this history"
        else:
            todo, hint = "RETURN n", "shows them; of which history they are, nothing proves"
        ids = ", ".join(map(_text, row["elements"]))
        command = f"MATCH (n{row['label']}) WHERE elementId(n) IN [{ids}] {todo}"
        pieces = str(row["pieces"])
        yield Damage(row["what"], place, pieces, row["position"], by_hand=command, hint=hint)


def _text(value: str) -> str:
    """A text as a statement that a person runs has it."""
    return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _settings(link: Link, names: Sequence[str]) -> dict[str, str]:
    try:
        found = link.read("settings", names=list(names))
    except StoreRefused:  # not every user may look
        return {}
    return {row["name"]: row["value"] for row in found if row["value"] is not None}
