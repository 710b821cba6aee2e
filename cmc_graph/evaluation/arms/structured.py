"""What the arms that call a model share: the JSON they ask for, and what a call cost.

This module must not know what is asked.
"""

from collections.abc import Mapping
from typing import Any

from cmc_graph.llm.chat import Reply, Schema
from cmc_graph.llm.usage import Usage


def schema_of(name: str, fields: Mapping[str, str]) -> Schema:
    """The schema of an object with one list of objects, all of whose fields are required.

    Args:
        name: Of the schema and of the list.
        fields: JSON type of each field of the listed objects.
    """
    types = {field: {"type": kind} for field, kind in fields.items()}
    return Schema(name, _object({name: {"type": "array", "items": _object(types)}}))


def used(reply: Reply) -> Usage:
    """What one call cost."""
    return Usage(calls=1, input_tokens=reply.input_tokens, output_tokens=reply.output_tokens)


def _object(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }
