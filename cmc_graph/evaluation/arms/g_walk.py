"""``g_walk``: the model plans a chain of relations, and a bank of facts is looked up on the way.

A port of G-Walk (MQuAKE-Remastered, Zhong et al., 2025; paper, B.2) with our own examples. The bank
has one current object per subject and relation. A relation of the plan counts as one of the bank
when their vectors are near enough; the released threshold belongs to Contriever and says little
about another embedding model. There are no aliases in the data, so subjects stay as they are.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from cmc_graph.evaluation.arms.base import CHAT, EMBEDDER, Bench, needed
from cmc_graph.evaluation.arms.structured import used
from cmc_graph.evaluation.vectors import Dense
from cmc_graph.frontends.packs import load_pack
from cmc_graph.llm.chat import Chat
from cmc_graph.llm.usage import Usage
from cmc_graph.model import Record
from cmc_graph.prompts import prompt
from cmc_graph.readers import Answer
from cmc_graph.stores.base import Version
from cmc_graph.text import key

#: Tokens of a plan, and of a tentative answer.
PLAN_TOKENS, ANSWER_TOKENS = 50, 50
ENTITY, CHAIN, ASK, GUESS = (
    ("evaluation", f"g_walk_{name}") for name in ("entity", "chain", "ask", "guess")
)
PROMPTS = (ENTITY, CHAIN, ASK, GUESS)

_RELATION = re.compile(r"\(([^()]+)\)")
_QUESTION_FORMS = "factconsolidation"


@dataclass(slots=True)
class _Walk:
    """Where one walk is.

    Attributes:
        subject: The entity it stands on; None: it came to nothing.
        transcript: What the model is shown of the way so far.
    """

    subject: str | None
    transcript: str
    usage: Usage
    shown: dict[Record, None]


@dataclass(frozen=True, slots=True)
class GWalk:
    """Answers with the entity at the end of the walk.

    Attributes:
        bank: The current fact of a subject's key and a relation.
        relations: The relations of the bank, in the order of the index.
        index: Over their names.
        threshold: Similarity from which a planned relation is one of the bank.
    """

    bench: Bench
    chat: Chat
    bank: Mapping[tuple[str, str], Version]
    relations: tuple[str, ...]
    index: Dense
    threshold: float

    @property
    def identity(self) -> str:
        """The prompts, the model, the embedding model and the threshold."""
        hashes = " ".join(prompt(*each).hash for each in PROMPTS)
        return f"g_walk {self.chat.name} {hashes} {self.index.identity} {self.threshold}"

    def answer(self, question: str) -> Answer:
        """The last subject of the walk; none when the model gave no plan or no way on.

        Raises:
            EndpointError: The endpoint failed.
        """
        walk = _Walk(None, f"Question: {question}\n", Usage(), {})
        said = self._ask(walk, ENTITY, f"Question: {question}", PLAN_TOKENS)
        walk.subject = start_entity(said, question) or None
        asked = f"Question: {question}\n{walk.subject}->"
        for relation in _RELATION.findall(self._ask(walk, CHAIN, asked, PLAN_TOKENS)):
            if walk.subject is not None:
                self._step(walk, relation)
        evidence = self.bench.view(walk.shown).evidence(question)
        return Answer(text=walk.subject, evidence=evidence, usage=walk.usage)

    def _step(self, walk: _Walk, planned: str) -> None:
        """One relation further: by the bank where it knows the fact, else by the model's guess."""
        subject = walk.subject or ""
        relation = self._snapped(planned)
        form = question_forms().get(relation) if relation else None
        subquestion = (
            form.replace("{S}", subject)
            if form
            else self._ask(walk, ASK, f"Entity: {subject}\nRelation: {planned}", PLAN_TOKENS)
        )
        walk.transcript += f"Subquestion: {subquestion}\n"
        guess = self._ask(walk, GUESS, f"{walk.transcript}Generated answer:", ANSWER_TOKENS)
        line = guess.partition("\n")[0].removeprefix("Generated answer:").strip()
        fact = self.bank.get((key(subject), relation)) if relation else None
        walk.subject = line.partition(". ")[2].strip().removesuffix(".") or None
        if walk.subject is None:
            return
        told = "<no fact>"
        if fact is not None:
            record = self.bench.history.records[fact.position]
            walk.shown[record] = None
            walk.subject, told = fact.object_text, record.text
        verdict = "contradicts" if fact else "does not contradict"
        walk.transcript += (
            f"Generated answer: {line}\nRetrieved fact: {told}\n"
            f"Retrieved fact {verdict}, continue with: {walk.subject}\n"
        )

    def _snapped(self, planned: str) -> str | None:
        """The relation of the bank that is meant; None when none is near enough."""
        [(best, similarity)] = self.index.nearest(planned, 1)
        return self.relations[best] if similarity >= self.threshold else None

    def _ask(self, walk: _Walk, name: tuple[str, str], asked: str, most: int) -> str:
        reply = self.chat.chat(prompt(*name).text, asked, max_tokens=most)
        walk.usage += used(reply)
        return reply.text.strip()


def g_walk(bench: Bench) -> GWalk:
    """The arm on this bench.

    Raises:
        ConfigurationError: There is no model, or no embedding model.
    """
    chat = needed(bench.tools.chat, "g_walk", CHAT)
    embedder = needed(bench.tools.embedder, "g_walk", EMBEDDER)
    current = bench.history.current.values()
    bank = {(fact.subject, fact.relation): fact for fact in current if not fact.retracts}
    relations = tuple(sorted({relation for _, relation in bank}))
    index = Dense(relations, embedder)
    return GWalk(bench, chat, bank, relations, index, bench.tools.relation_threshold)


def start_entity(said: str, question: str) -> str:
    """The entity the model named, as the question writes it.

    With initials the model tends to stop at a full stop: the name then goes on to the next space.
    What follows an apostrophe, and question marks, are no part of it.
    """
    name = said.partition("\n")[0].strip(" []")
    place = question.find(name)
    if name and place >= 0:
        rest = question[place + len(name) :]
        if rest.startswith(".") and len(rest) > 1:
            name += rest.partition(" ")[0]
    return re.split(r"['’?]", name)[0].strip()


@cache
def question_forms() -> Mapping[str, str]:
    """One form of question for each relation that the shipped pack has one for, by relation."""
    patterns = load_pack(_QUESTION_FORMS).patterns
    return {p.relation: p.questions[0] for p in patterns if p.relation and p.questions}
