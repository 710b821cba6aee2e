"""How many tokens a text has: what budgets and costs are counted in.

Without a tokenizer of a reader's own, letters are counted. This module must not know what is
counted for.
"""

from collections.abc import Callable
from pathlib import Path

from cmc_graph.errors import ConfigurationError
from cmc_graph.evaluation.optional import library

Counter = Callable[[str], int]

#: Letters per token of English text.
_LETTERS = 4


def by_letters(text: str) -> int:
    """About the tokens of an English text: one for each four characters, rounded up."""
    return -(-len(text) // _LETTERS)


def counter(file: Path | None) -> Counter:
    """The counter of a reader's tokenizer, or the rough one.

    Args:
        file: A ``tokenizer.json`` as the ``tokenizers`` library reads it; None: count letters.

    Raises:
        ConfigurationError: No such file, no tokenizer, or the library is not installed.
    """
    if file is None:
        return by_letters
    try:
        tokenizer = library("tokenizers", "dense").Tokenizer.from_file(str(file))
    except Exception as error:  # the library raises nothing narrower
        raise ConfigurationError(f"{file}: is no tokenizer file ({error})") from error
    return lambda text: len(tokenizer.encode(text, add_special_tokens=False).ids)
