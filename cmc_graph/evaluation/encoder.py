"""A BERT-like sentence encoder in numpy: safetensors weights and a tokenizer, no other runtime.

Reads the folder of a sentence-transformers model (BERT or XLM-RoBERTa weights). Checked against
published similarities of ``all-MiniLM-L6-v2``. This module must not know what is encoded.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cmc_graph.errors import ConfigurationError
from cmc_graph.evaluation.optional import library

Floats = NDArray[np.float32]
Numbers = NDArray[np.int64]

_BATCH = 64
#: Rows of the position table before the first position: RoBERTa counts from behind the padding.
_FIRST_POSITION = {"bert": 0, "xlm-roberta": 2, "roberta": 2}
#: Abramowitz and Stegun 7.1.26: the error function to 1.5e-7, which numpy does not have.
_ERF = (0.254829592, -0.284496736, 1.421413741, -1.453152027, 1.061405429)
_ERF_SCALE = 0.3275911


class Encoder:
    """Turns texts into vectors of length one.

    Args:
        folder: Of the model: ``config.json``, ``model.safetensors``, ``tokenizer.json``, and, where
            there is one, ``1_Pooling/config.json``.

    Raises:
        ConfigurationError: It is no such folder, or the extra ``dense`` is not installed.
    """

    def __init__(self, folder: Path) -> None:
        load_file = library("safetensors.numpy", "dense").load_file
        tokenizer = library("tokenizers", "dense").Tokenizer
        try:
            config = json.loads((folder / "config.json").read_text("utf-8"))
            self._weights: Mapping[str, Floats] = _named(load_file(folder / "model.safetensors"))
            self._tokenizer = tokenizer.from_file(str(folder / "tokenizer.json"))
            self.identity = f"{folder.name} {_hash(folder / 'model.safetensors')}"
            self._first = _FIRST_POSITION[config["model_type"]]
        except (OSError, ValueError, KeyError) as error:
            raise ConfigurationError(
                f"{folder}: is no folder of a BERT-like sentence encoder ({error})"
            ) from error
        self._config = config
        self._takes_first = _takes_first(folder)
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(_longest(folder, config, self._first))

    def embed(self, texts: Sequence[str]) -> Floats:
        """One row per text, in order."""
        encoded = [found.ids for found in self._tokenizer.encode_batch(list(texts))]
        by_length = sorted(range(len(encoded)), key=lambda number: len(encoded[number]))
        vectors = np.zeros((len(texts), self._config["hidden_size"]), np.float32)
        for start in range(0, len(by_length), _BATCH):
            numbers = by_length[start : start + _BATCH]
            vectors[numbers] = self._pooled([encoded[number] for number in numbers])
        return vectors

    def _pooled(self, batch: Sequence[Sequence[int]]) -> Floats:
        longest = max(map(len, batch))
        ids = np.array([[*row, *[0] * (longest - len(row))] for row in batch])
        mask = np.array([[i < len(row) for i in range(longest)] for row in batch])
        states = self._embedded(ids)
        blocked = np.where(mask, 0.0, -1e9).astype(np.float32)[:, None, None, :]
        for layer in range(self._config["num_hidden_layers"]):
            states = self._layer(states, blocked, f"encoder.layer.{layer}.")
        kept = mask[:, :, None]
        means = _single((states * kept).sum(axis=1) / kept.sum(axis=1))
        pooled = states[:, 0] if self._takes_first else means
        return _single(pooled / np.linalg.norm(pooled, axis=1, keepdims=True))

    def _embedded(self, ids: Numbers) -> Floats:
        weights, prefix = self._weights, "embeddings."
        words = weights[f"{prefix}word_embeddings.weight"][ids]
        first, last = self._first, self._first + ids.shape[1]
        places = weights[f"{prefix}position_embeddings.weight"][first:last]
        kinds = weights[f"{prefix}token_type_embeddings.weight"][0]
        return self._normed(words + places + kinds, f"{prefix}LayerNorm")

    def _layer(self, states: Floats, blocked: Floats, prefix: str) -> Floats:
        """Attention, then the feed-forward part, each added to what came in, and normed."""
        attended = self._attended(states, blocked, f"{prefix}attention.self.")
        attended = self._dense(attended, f"{prefix}attention.output.dense")
        states = self._normed(states + attended, f"{prefix}attention.output.LayerNorm")
        inner = _gelu(self._dense(states, f"{prefix}intermediate.dense"))
        outer = self._dense(inner, f"{prefix}output.dense")
        return self._normed(states + outer, f"{prefix}output.LayerNorm")

    def _attended(self, states: Floats, blocked: Floats, prefix: str) -> Floats:
        heads = self._config["num_attention_heads"]
        rows, length, size = states.shape

        def split(name: str) -> Floats:
            found = self._dense(states, f"{prefix}{name}").reshape(rows, length, heads, -1)
            return found.transpose(0, 2, 1, 3)

        query, key, value = map(split, ("query", "key", "value"))
        scores = query @ key.transpose(0, 1, 3, 2) / np.float32((size // heads) ** 0.5) + blocked
        scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
        scores /= scores.sum(axis=-1, keepdims=True)
        return _single((scores @ value).transpose(0, 2, 1, 3).reshape(rows, length, size))

    def _dense(self, states: Floats, name: str) -> Floats:
        return _single(states @ self._weights[f"{name}.weight"].T + self._weights[f"{name}.bias"])

    def _normed(self, states: Floats, name: str) -> Floats:
        mean = states.mean(axis=-1, keepdims=True)
        variance = ((states - mean) ** 2).mean(axis=-1, keepdims=True)
        scaled = (states - mean) / np.sqrt(variance + self._config["layer_norm_eps"])
        weight, bias = self._weights[f"{name}.weight"], self._weights[f"{name}.bias"]
        return _single(scaled * weight + bias)


def _gelu(states: Floats) -> Floats:
    size = np.abs(states) / np.float32(2**0.5)
    inverse = 1 / (1 + np.float32(_ERF_SCALE) * size)
    series = np.zeros_like(states)
    for factor in reversed(_ERF):
        series = _single((series + np.float32(factor)) * inverse)
    erf = np.sign(states) * (1 - series * np.exp(-size * size))
    return _single(states * (1 + erf) / 2)


def _single(array: Any) -> Floats:
    """The numbers in single precision, whatever they were computed in."""
    found: Floats = np.asarray(array, dtype=np.float32)
    return found


def _named(weights: Mapping[str, Any]) -> dict[str, Any]:
    """The weights by their names without the name of a model around the encoder."""
    return {
        name.removeprefix("roberta.").removeprefix("bert."): tensor.astype("float32")
        for name, tensor in weights.items()
        if not name.endswith("position_ids")
    }


def _takes_first(folder: Path) -> bool:
    """True when a text's vector is that of its first token; else it is the mean of all tokens."""
    file = folder / "1_Pooling" / "config.json"
    return file.exists() and bool(_read(file).get("pooling_mode_cls_token"))


def _longest(folder: Path, config: Mapping[str, Any], first: int) -> int:
    """Tokens of a text at most; what is beyond them is cut."""
    file = folder / "sentence_bert_config.json"
    told = _read(file).get("max_seq_length") if file.exists() else None
    return int(told or config["max_position_embeddings"] - first)


def _read(file: Path) -> dict[str, Any]:
    try:
        found: dict[str, Any] = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise ConfigurationError(f"{file}: cannot be read ({error})") from error
    return found


def _hash(file: Path) -> str:
    with file.open("rb") as stream:
        found = sha256()
        for block in _blocks(stream):
            found.update(block)
    return found.hexdigest()[:16]


def _blocks(stream: Any) -> Iterator[bytes]:
    while block := stream.read(1 << 20):
        yield block
