"""The error tree and its drawing."""

import inspect
import re

import pytest

from cmc_graph import errors
from cmc_graph.errors import CmcError

CLASSES = [
    value
    for value in vars(errors).values()
    if inspect.isclass(value) and issubclass(value, CmcError)
]
DRAWN = dict(re.findall(r"(\w+) +(\d)\b", errors.__doc__ or ""))


@pytest.mark.parametrize("error", CLASSES)
def test_every_error_is_drawn_with_its_exit_code(error: type[CmcError]) -> None:
    """The tree in the module's docstring names every class and its exit code."""
    assert DRAWN[error.__name__] == str(error.exit_code)


def test_the_tree_draws_nothing_else() -> None:
    """No class in the drawing is missing from the module."""
    assert set(DRAWN) == {error.__name__ for error in CLASSES}
