"""Vectors of words from a language model of Transformers, whose weights stay as they are."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import accumulate
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
_REMEMBERED = 1 << 30
"""Bytes of vectors that are kept while a parser learns; sentences beyond that are read again in each epoch."""


class Pretrained(nn.Module):  # type: ignore[misc]
    """The last layer of the model at one piece of each word (B × N+2 × D); 0 for what has no piece.

    While the parser learns, each sentence is read by itself and remembered: it comes again in every epoch.
    """

    def __init__(self, network: nn.Module) -> None:
        super().__init__()
        self.network = network.requires_grad_(False)
        self.remembering = False
        self.remembered: dict[bytes, Tensor] = {}
        self.room = _REMEMBERED

    @property
    def width(self) -> int:
        return int(self.network.config.get_text_config().hidden_size)

    def train(self, mode: bool = True) -> Pretrained:
        """It does not learn, so it drops nothing either."""
        super().train(False)
        self.remembering = mode
        return self

    def forward(self, pieces: Pieces) -> Tensor:
        if not self.remembering:
            return self._read(pieces)
        vectors = torch.zeros((*pieces.places.shape, self.width))
        for number, there in enumerate(pieces.there.sum(1).tolist()):
            own = Pieces(*(part[number : number + 1] for part in (pieces.ids, pieces.there, pieces.places)))
            words = int((own.places >= 0).nonzero()[:, 1].amax()) + 1 if (own.places >= 0).any() else 0
            own = Pieces(own.ids[:, :there], own.there[:, :there], own.places[:, :words])
            vectors[number, :words] = self._remembered(own)
        return vectors

    def _remembered(self, sentence: Pieces) -> Tensor:
        key = sentence.ids.numpy().tobytes() + sentence.places.numpy().tobytes()
        vectors = self.remembered.get(key)
        if vectors is None:
            vectors = self._read(sentence)[0]
            if vectors.nbytes <= self.room:
                self.room -= vectors.nbytes
                self.remembered[key] = vectors
        return vectors

    def _read(self, pieces: Pieces) -> Tensor:
        with torch.no_grad():
            states = self.network(input_ids=pieces.ids, attention_mask=pieces.there).last_hidden_state
        at = pieces.places.clamp(min=0)[..., None].expand(-1, -1, states.shape[-1])
        vectors: Tensor = states.gather(1, at) * (pieces.places >= 0)[..., None]
        return vectors


def read_pretrained(folder: str) -> tuple[PretrainedText, nn.Module, str]:
    """A model in a folder that `hf:` can read: its texts, its network without the head, and its SHA-256."""
    files = model_files(folder)
    if files.task not in (MASKED, CAUSAL):
        raise InputError(
            f"a {files.architecture} is not an encoder for a parser",
            where=folder,
            todo="name a folder with a masked or causal language model of Transformers, or a GGUF file",
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
    """Sentences as pieces of the model, with blanks between the words.

    A masked model is asked for the first piece of a word; a causal one, which has not seen what comes after a piece,
    for the last.
    """

    def __init__(self, text: PretrainedText) -> None:
        from tokenizers import Tokenizer

        self.longest, self.last = text.longest, text.task == CAUSAL
        self.tokenizer = Tokenizer.from_str(text.tokenizer)
        self.tokenizer.no_padding()
        self.tokenizer.no_truncation()

    def pieces(self, sentences: Sequence[Sequence[str]]) -> Pieces:
        """All pieces, and one of each word; a word without one, or too far behind, has none."""
        rows, places = [], []
        encoded = self.tokenizer.encode_batch([" ".join(sentence) for sentence in sentences])
        for sentence, own in zip(sentences, encoded, strict=True):
            word_at = [number for number, word in enumerate(sentence) for _ in range(len(word) + 1)]
            blank = {end - 1 for end in accumulate(len(word) + 1 for word in sentence)}
            place: dict[int, int] = {}
            for at, (begin, end) in enumerate(own.offsets[: self.longest]):
                if end > begin and end - 1 not in blank and (self.last or word_at[end - 1] not in place):
                    place[word_at[end - 1]] = at
            rows.append(own.ids[: self.longest])
            places.append([-1, *(place.get(word, -1) for word in range(len(sentence))), -1])
        there = [[1] * len(row) for row in rows]
        return Pieces(*(torch.from_numpy(padded(part, fill)) for part, fill in ((rows, 0), (there, 0), (places, -1))))
