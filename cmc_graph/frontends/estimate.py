"""What an extraction will cost, before anything is spent.

Rough on purpose: letters are counted, not tokens, and a hybrid run costs a part of it that depends
on the records. This module must not know any endpoint.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from cmc_graph.frontends.asking import BATCH_SIZES, chunks, scope
from cmc_graph.frontends.extraction import statements
from cmc_graph.interpretations import Interpretations
from cmc_graph.model import Record
from cmc_graph.prompts import prompt

#: Letters per token of English text, and tokens that go with a record besides its text: number and
#: line end in the prompt; number, relation and punctuation in the answer.
_LETTERS_PER_TOKEN, _PER_RECORD_IN, _PER_RECORD_OUT = 4, 4, 10
#: Tokens of the list of relations in a prompt, and calls that align names.
_CATALOGUE, _ALIGNMENT_CALLS = 150, 6
#: Of a statement's letters, subject and object are repeated in the answer.
_NAMES_SHARE = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """What reading some records with a model would take.

    Attributes:
        statements: Distinct texts without a verdict of their own.
        known: Those that were paid for before.
        calls: About; repair comes on top.
        input_tokens: About.
        output_tokens: About.
    """

    statements: int
    known: int
    calls: int
    input_tokens: int
    output_tokens: int


def estimate(kept: Interpretations, model: str, records: Iterable[Record]) -> Estimate:
    """What the direct frontend will take for these records, and the hybrid one at most.

    Args:
        kept: What was answered before.
        model: Name of the model.
        records: In source order.
    """
    texts = statements(records)
    known = kept.get(scope(model), texts)
    new = [text for text in texts if text not in known]
    batches = list(chunks(new, BATCH_SIZES[0]))
    calls = len(batches) + _ALIGNMENT_CALLS if new else 0
    letters = sum(map(len, new))
    per_call = len(prompt("frontends", "extract").text) // _LETTERS_PER_TOKEN + _CATALOGUE
    told = calls * per_call + letters // _LETTERS_PER_TOKEN + len(new) * _PER_RECORD_IN
    said = int(letters * _NAMES_SHARE) // _LETTERS_PER_TOKEN + len(new) * _PER_RECORD_OUT
    return Estimate(
        statements=len(texts),
        known=len(known),
        calls=calls,
        input_tokens=told,
        output_tokens=said,
    )
