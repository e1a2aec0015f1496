"""Vectors of words from a language model of Transformers, whose weights stay as they are."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn

from ...boundary.structured import read_object
from ...errors import InputError
from ..hf.files import CAUSAL, MASKED, model_files
from ..hf.loading import load_network, load_tokenizer, longest
from ..neural.batches import padded
from .inventory import PretrainedText
from .network import Pieces

_READ_AT_ONCE = 512
"""Pieces, where a model does not say how many it can read."""


class Pretrained(nn.Module):  # type: ignore[misc]
    """The last layer of the model at the first piece of each word (B × N+2 × D); 0 for what has no piece."""

    def __init__(self, network: nn.Module) -> None:
        super().__init__()
        self.network = network.requires_grad_(False)

    @property
    def width(self) -> int:
        return int(self.network.config.get_text_config().hidden_size)

    def train(self, mode: bool = True) -> Pretrained:
        """It does not learn, so it drops nothing either."""
        super().train(False)
        return self

    def forward(self, pieces: Pieces) -> Tensor:
        with torch.no_grad():
            states = self.network(input_ids=pieces.ids, attention_mask=pieces.there).last_hidden_state
        at = pieces.firsts.clamp(min=0)[..., None].expand(-1, -1, states.shape[-1])
        vectors: Tensor = states.gather(1, at) * (pieces.firsts >= 0)[..., None]
        return vectors


def read_pretrained(folder: str) -> tuple[PretrainedText, nn.Module, str]:
    """A model in a folder that `hf:` can read: its texts, its network without the head, and its SHA-256."""
    files = model_files(folder)
    if files.gguf or files.task not in (MASKED, CAUSAL):
        raise InputError(
            f"a {files.architecture} is not an encoder for a parser",
            where=folder,
            todo="name a folder with a masked or causal language model of Transformers",
        )
    network, tokenizer = load_network(files, files.task, "float32"), load_tokenizer(files)
    text = PretrainedText(
        files.task,
        json.dumps(network.config.to_dict(), sort_keys=True),
        tokenizer.backend_tokenizer.to_str(),
        longest(network, tokenizer) or _READ_AT_ONCE,
    )
    return text, network.base_model, files.sha256


def built(text: PretrainedText) -> Pretrained:
    """A network of this configuration, whose weights are still to be filled in; only Transformers' own code is run."""
    from transformers import AutoConfig, AutoModelForCausalLM, AutoModelForMaskedLM

    auto: Any = {MASKED: AutoModelForMaskedLM, CAUSAL: AutoModelForCausalLM}[text.task]
    try:
        config = dict(read_object(text.config.encode(), "encoder", finite=False))
        known = AutoConfig.for_model(str(config.pop("model_type", "")), **config)
        return Pretrained(auto.from_config(known, trust_remote_code=False).base_model)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise InputError(f"the encoder cannot be built: {error}", todo="train the parser again") from error


class PieceReader:
    """Words as pieces of the model."""

    def __init__(self, text: PretrainedText) -> None:
        from tokenizers import Tokenizer

        self.longest = text.longest
        self.tokenizer = Tokenizer.from_str(text.tokenizer)
        self.tokenizer.no_padding()
        self.tokenizer.no_truncation()

    def pieces(self, sentences: Sequence[Sequence[str]]) -> Pieces:
        """All pieces, and the first of each word; a word without one, or too far behind, has none."""
        rows, firsts = [], []
        encoded = self.tokenizer.encode_batch([list(sentence) for sentence in sentences], is_pretokenized=True)
        for sentence, own in zip(sentences, encoded, strict=True):
            first: dict[int, int] = {}
            for at, word in enumerate(own.word_ids[: self.longest]):
                if word is not None:
                    first.setdefault(word, at)
            rows.append(own.ids[: self.longest])
            firsts.append([-1, *(first.get(word, -1) for word in range(len(sentence))), -1])
        there = [[1] * len(row) for row in rows]
        return Pieces(*(torch.from_numpy(padded(part, fill)) for part, fill in ((rows, 0), (there, 0), (firsts, -1))))
