"""JSON that comes from outside, checked against a model; its errors in words of ours.

The one place in the loaders that knows what a pydantic error looks like. This module must not know
any format.
"""

from pathlib import Path
from typing import TypeVar

from pydantic import TypeAdapter, ValidationError

from cmc_graph.errors import SourceError
from cmc_graph.text import shorten
from loaders.lines import document, shown

T = TypeVar("T")


def read(path: Path, model: TypeAdapter[T]) -> T:
    """The file, which is one JSON document, as the model describes it.

    Raises:
        SourceError: Not readable, not JSON, or not of that shape; names the file and the place.
    """
    text = document(path)
    if not text.strip():
        raise SourceError(f"{shown(path)}: the file is empty")
    try:
        return model.validate_json(text)
    except ValidationError as error:
        raise SourceError(f"{shown(path)}: {explain(error)}") from error


def explain(error: ValidationError) -> str:
    """What is wrong first, on one line."""
    first = error.errors(include_url=False, include_input=False)[0]
    place = shorten(".".join(map(str, first["loc"])))
    match first["type"]:
        case "extra_forbidden":
            return f"unknown field {place!r}"
        case "missing":
            return f"field {place!r} is missing"
        case _:
            return f"{place}: {first['msg']}" if place else first["msg"]
