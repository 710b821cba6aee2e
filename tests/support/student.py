"""A script that plays a model for the arms that ask one: it knows the way of each question.

It plans by the relations of a known path, extracts from what it is shown and from nothing else, and
guesses wrongly, so that an answer can only come from retrieved facts.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from cmc_graph.evaluation.arms import g_walk
from cmc_graph.evaluation.frozen import Frozen
from cmc_graph.prompts import prompt
from tests.support.endpoint import Answer, Request

_QUESTION = re.compile(r"Question: (.*)")
_FACT = re.compile(r"^(\d+)\. (.*)$", re.MULTILINE)
_SUBQUESTION = re.compile(r"^Subquestion: (.*)$", re.MULTILINE)
_RETRIEVED = re.compile(r"^Retrieved fact: (.*)$", re.MULTILINE)


class Hop(NamedTuple):
    """One relation of a question's way, and what it starts from there."""

    subject: str
    relation: str


def wording(relation: str, subject: str) -> str:
    """The question for one relation of a subject."""
    form = g_walk.question_forms().get(relation, f"What is the {relation} of {{S}}?")
    return form.replace("{S}", subject)


class Student:
    """Answers every prompt of the evaluation.

    Args:
        history: What the facts it is shown say.
        ways: The way of each question.
    """

    def __init__(self, history: Frozen, ways: Mapping[str, Sequence[Hop]]) -> None:
        self._ways = ways
        self._said = {
            history.records[position].text: version
            for position, versions in history.said.items()
            for version in versions
        }
        self._scripts: Mapping[str, Callable[[str], str]] = {
            prompt(part, name).text: script
            for part, name, script in (
                ("readers", "answer", self._read),
                ("evaluation", "sh_conflict", self._extract),
                ("evaluation", "car", self._decompose),
                ("evaluation", "mello", self._continue),
                ("evaluation", "g_walk_entity", lambda user: f"[{self._way(user)[0].subject}]"),
                ("evaluation", "g_walk_chain", self._plan),
                ("evaluation", "g_walk_ask", self._ask),
                ("evaluation", "g_walk_guess", lambda _: "Nobody knows {}. Nothing\nand more"),
            )
        }

    def __call__(self, request: Request) -> Answer:
        return Answer(text=self._scripts[request.system](request.user))

    def knows(self, request: Request) -> bool:
        """True for prompts of the evaluation."""
        return request.system in self._scripts

    def way(self, question: str) -> Sequence[Hop]:
        """The way of a question."""
        return self._ways[question]

    def _way(self, user: str) -> Sequence[Hop]:
        found = _QUESTION.search(user)
        return self._ways[found[1]] if found else ()

    def _read(self, user: str) -> str:
        """Follows the way through the records it is given, the newest one winning."""
        way = self._way(user)
        subject = way[0].subject if way else "Not said."
        for hop in way:
            told = [v for text, v in self._said.items() if f"] {text}\n" in user]
            fitting = [v for v in told if (v.subject_text, v.relation) == (subject, hop.relation)]
            if not fitting:
                return "Not said."
            subject = max(fitting, key=lambda version: version.position).object_text
        return subject

    def _extract(self, user: str) -> str:
        query = _QUESTION.search(user)
        candidates = [
            {"serial": int(serial), "fact_text": text, "answer_entity": version.object_text}
            for serial, text in _FACT.findall(user)
            for version in (self._said[text],)
            if query and wording(version.relation, version.subject_text) == query[1]
        ]
        return json.dumps({"candidates": candidates})

    def _decompose(self, user: str) -> str:
        hops = [
            {"id": number, "query": wording(hop.relation, subject)}
            for number, hop in enumerate(self._way(user), 1)
            for subject in (hop.subject if number == 1 else f"{{hop_{number - 1}_answer}}",)
        ]
        return json.dumps({"hops": hops})

    def _continue(self, user: str) -> str:
        """Goes on with the transcript, and runs on into facts of its own making."""
        way, asked = self._way(user), _SUBQUESTION.findall(user)
        lines: list[str] = []
        subject = way[0].subject
        if asked:
            fact = self._said[_RETRIEVED.findall(user)[-1]]
            is_it = wording(fact.relation, fact.subject_text) == asked[-1]
            subject = fact.object_text if is_it else "nothing"
            lines.append(f"Retrieved fact contradicts, so the intermediate answer is: {subject}")
        if len(asked) == len(way):
            return "\n".join([*lines, f"Final answer: {subject}.", "", "Question: And another?"])
        lines.append(f"Subquestion: {wording(way[len(asked)].relation, subject)}")
        return "\n".join([*lines, "Generated answer: Nothing.", "Retrieved fact: Made up."])

    def _plan(self, user: str) -> str:
        return "".join(f"({hop.relation})->" for hop in self._way(user)) + "answer"

    def _ask(self, user: str) -> str:
        entity, relation = (line.partition(": ")[2] for line in user.splitlines())
        return wording(relation, entity)
