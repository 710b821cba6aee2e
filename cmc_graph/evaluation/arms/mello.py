"""``mello``: the model asks itself sub-questions, and is shown the nearest fact for each.

A port of MeLLo (Zhong et al., 2023; paper, B.2) with our own worked examples: at most four rounds,
in each of which the model writes a sub-question and a tentative answer, sees one fact, and says
whether it contradicts. The memory is the resolved one, one fact per key. Which facts are near
depends on the embedding model, which was Contriever in the original.
"""

from dataclasses import dataclass

from cmc_graph.evaluation.arms.base import CHAT, EMBEDDER, Bench, needed
from cmc_graph.evaluation.arms.dense import fact_index
from cmc_graph.evaluation.arms.structured import used
from cmc_graph.evaluation.vectors import Dense
from cmc_graph.llm.chat import Chat
from cmc_graph.llm.usage import Usage
from cmc_graph.model import Record
from cmc_graph.prompts import prompt
from cmc_graph.readers import Answer

ROUNDS, MAX_TOKENS = 4, 256
PROMPT = ("evaluation", "mello")

SUBQUESTION, FACT, FINAL = "Subquestion:", "Retrieved fact:", "Final answer:"


@dataclass(frozen=True, slots=True)
class Mello:
    """Answers by a transcript that the model continues.

    Attributes:
        positions: Of the facts in the index.
        index: Over the current facts.
    """

    bench: Bench
    chat: Chat
    positions: tuple[int, ...]
    index: Dense

    @property
    def identity(self) -> str:
        """The prompt, the model, and the embedding model."""
        return f"mello {self.chat.name} {prompt(*PROMPT).hash} {self.index.identity}"

    def answer(self, question: str) -> Answer:
        """The final answer of the transcript; none when it comes to none in four rounds.

        Raises:
            EndpointError: The endpoint failed.
        """
        transcript = f"Question: {question}\n"
        usage, shown = Usage(), dict[Record, None]()
        final: str | None = None
        for _ in range(ROUNDS):
            reply = self.chat.chat(prompt(*PROMPT).text, transcript, max_tokens=MAX_TOKENS)
            usage += used(reply)
            said = continued(reply.text)
            if said and said[-1].startswith(FINAL):
                final = said[-1].removeprefix(FINAL).strip().removesuffix(".") or None
                break
            if len(said) < 2 or not said[-2].startswith(SUBQUESTION):
                break
            record = self._nearest(said[-2].removeprefix(SUBQUESTION).strip())
            shown[record] = None
            transcript += "\n".join([*said, f"{FACT} {record.text}", ""])
        evidence = self.bench.view(shown).evidence(question)
        return Answer(text=final, evidence=evidence, usage=usage)

    def _nearest(self, subquestion: str) -> Record:
        [best] = self.index.best(subquestion, 1)
        return self.bench.history.records[self.positions[best]]


def continued(text: str) -> list[str]:
    """The lines that count of what the model wrote: up to the fact it may not make up itself."""
    before = text.partition(FACT)[0].partition("\nQuestion:")[0]
    lines = [line.strip() for line in before.splitlines() if line.strip()]
    ends = [number for number, line in enumerate(lines) if line.startswith(FINAL)]
    return lines[: ends[0] + 1] if ends else lines


def mello(bench: Bench) -> Mello:
    """The arm on this bench.

    Raises:
        ConfigurationError: There is no model, or no embedding model.
    """
    chat = needed(bench.tools.chat, "mello", CHAT)
    embedder = needed(bench.tools.embedder, "mello", EMBEDDER)
    return Mello(bench, chat, *fact_index(bench.history, embedder))
