"""The ``openai`` reader: one call to a model, with evidence and question (paper, section 3).

This module must not know how the model is called.
"""

from dataclasses import dataclass

from cmc_graph.errors import EndpointError
from cmc_graph.llm.chat import Chat
from cmc_graph.llm.usage import Usage
from cmc_graph.model import Evidence
from cmc_graph.prompts import prompt
from cmc_graph.readers.base import Answer
from cmc_graph.text import fold_space, shorten

#: Tokens an answer may have.
MAX_TOKENS = 64
#: What the prompt has the model say when the evidence does not.
_NOT_SAID = "not said"
#: How models end that answer nothing.
_NO_ANSWER = ("refusal", "content_filter")
#: What models put around an answer.
_WRAPPING = " \"'`*."


@dataclass(frozen=True, slots=True)
class ModelReader:
    """Answers with what a model says of the evidence.

    Args:
        chat: The model.
    """

    chat: Chat

    def answer(self, question: str, evidence: Evidence) -> Answer:
        """What the model says; without text when it says that the evidence does not.

        Raises:
            EndpointError: The endpoint failed, or the model refused, or came to no answer.
        """
        reply = self.chat.chat(
            prompt("readers", "answer").text,
            f"{evidence.text}\nQuestion: {question}",
            max_tokens=MAX_TOKENS,
        )
        said = fold_space(reply.text.rpartition("</think>")[2])
        if reply.finish in _NO_ANSWER or (reply.finish == "length" and not said):
            why = f" ({shorten(said)})" if said else ""
            raise EndpointError(
                f"the model {self.chat.name} gave no answer: {reply.finish}{why}; ask otherwise, "
                "with a smaller budget, or take another model or reader"
            )
        used = Usage(calls=1, input_tokens=reply.input_tokens, output_tokens=reply.output_tokens)
        is_said = said.strip(_WRAPPING).casefold() not in ("", _NOT_SAID)
        return Answer(text=said if is_said else None, evidence=evidence, usage=used)
