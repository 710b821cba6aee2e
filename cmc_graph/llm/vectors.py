"""Vectors and judgements from an endpoint: OpenAI's embeddings, and the rerank call of its kin.

Part of the seam to models, beside ``client``. This module must not know what is embedded.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import TypeVar

import openai
from pydantic import BaseModel, SecretStr, TypeAdapter, ValidationError

from cmc_graph.errors import EndpointError
from cmc_graph.llm.endpoint import Endpoint
from cmc_graph.llm.usage import Limits

T = TypeVar("T")

#: Texts of one request for vectors, and how often one is sent again.
_BATCH, _RETRIES = 128, 3


class _Vector(BaseModel):
    index: int
    embedding: list[float]


class _Vectors(BaseModel):
    data: list[_Vector]


class _Judged(BaseModel):
    index: int
    relevance_score: float


class _Judgement(BaseModel):
    results: list[_Judged]


_VECTORS, _JUDGEMENT = TypeAdapter(_Vectors), TypeAdapter(_Judgement)


class VectorEndpoint:
    """An embedding model, or a reranker, at an endpoint.

    Args:
        name: The model, as the endpoint names it.
        base_url: Address of the API; None: OpenAI's.
        api_key: None for local servers that ask for none.
        limits: How long an answer may take.

    Raises:
        ConfigurationError: No model, neither key nor address, or an address that is none.
    """

    def __init__(
        self,
        name: str,
        *,
        base_url: str | None = None,
        api_key: SecretStr | None = None,
        limits: Limits | None = None,
    ) -> None:
        self.name = name
        self._endpoint = Endpoint(name, base_url, api_key, limits or Limits(), retries=_RETRIES)

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """One vector per text, in order, as the model gives them.

        Raises:
            EndpointError: The endpoint cannot be reached, refuses, or is no such endpoint.
        """
        found: list[list[float]] = []
        source = iter(texts)
        while batch := list(islice(source, _BATCH)):
            body = {"model": self.name, "input": batch, "encoding_format": "float"}
            vectors = self._asked("/embeddings", body, _VECTORS).data
            self._check([each.index for each in vectors], batch)
            found += [each.embedding for each in sorted(vectors, key=lambda each: each.index)]
        return found

    def rerank(self, question: str, texts: Sequence[str]) -> list[float]:
        """How relevant each text is to the question, in the order of the texts.

        Raises:
            EndpointError: As ``embed``.
        """
        body = {"model": self.name, "query": question, "documents": list(texts)}
        judged = self._asked("/rerank", body, _JUDGEMENT).results
        self._check([each.index for each in judged], texts)
        return [each.relevance_score for each in sorted(judged, key=lambda each: each.index)]

    def close(self) -> None:
        """Close the connections."""
        self._endpoint.client.close()

    def _asked(self, path: str, body: Mapping[str, object], kind: TypeAdapter[T]) -> T:
        post: Callable[..., object] = self._endpoint.client.post
        try:
            return kind.validate_python(post(path, body=body, cast_to=object))
        except openai.APIError as error:
            raise self._endpoint.translated(error) from error
        except ValidationError as error:
            raise EndpointError(
                f"{self._endpoint.where} does not answer {path} as such endpoints do"
            ) from error

    def _check(self, indices: list[int], texts: Sequence[str]) -> None:
        if sorted(indices) != list(range(len(texts))):
            raise EndpointError(
                f"{self._endpoint.where} answered for {len(indices)} texts where {len(texts)} were "
                "sent"
            )
