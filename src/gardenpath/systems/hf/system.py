"""`hf:MODEL`: any causal, masked or encoder-decoder language model of Transformers, from a folder or by name."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ...errors import FailedOnInput, InputError, TooLong, UsageError
from ...runs.signature import signature
from ..begin_token import begin_token, warn_of_chat_mark
from ..protocol import Habits
from ..registry import package_version
from ..running_text import Reading, Spans, inside
from ..text_reader import TextReader
from .files import CAUSAL, MASKED, SEQ2SEQ, model_files
from .options import parse
from .tokens import blank_starters, corrected, placed

T = TypeVar("T")
_SHOWN = 60


class HFModel(TextReader):
    """A model that reads running text. Its weights are read when the first sentence is scored."""

    habits = Habits(chunk=2000)

    def __init__(self, argument: str) -> None:
        model, self.options = parse(argument)
        self.model_files = model_files(model, self.options.download == "yes", self.options.revision)
        there = self.model_files.folder / self.model_files.gguf if self.model_files.gguf else self.model_files.folder
        # Another process makes it from the folder of its revision, which is there.
        self.name = f"hf:{there}{replace(self.options, revision='main', download='no').given()}"
        self.task = self.model_files.task if self.options.task == "auto" else self.options.task
        if not self.task:
            raise InputError(
                f"a {self.model_files.architecture} is not a causal, masked or encoder-decoder language model",
                where=str(there),
                todo="write #as=causal, #as=masked or #as=seq2seq behind its name if it can be loaded as one",
            )
        for option, task in (("pll", MASKED), ("bos", CAUSAL), ("space", CAUSAL)):
            if f"#{option}=" in self.options.given() and self.task != task:
                raise UsageError(f"{option} is for {task} models, and this one is {self.task}", where=self.name)
        self.joiner = " " if self.options.joiner == "blank" else ""
        self._places = int(self.options.batch) if self.options.batch != "auto" else 0
        warn_of_chat_mark(self.options.bos, self.bos, self.name)

    @property
    def bos(self) -> str:
        """The token that stands before every sentence of a causal model; empty: none does."""
        if self.task != CAUSAL:
            return ""
        return begin_token(self.options.bos, self.model_files.special_token, self.name)

    @cached_property
    def signature(self) -> str:
        options, causal = self.options, self.task == CAUSAL
        return signature(
            ("kind", "hf"), ("model", self.model_files.sha256[:12]), ("lm", self.task),
            ("bos", (self.bos or "none") if causal else None),
            ("space", options.space if causal else None), ("pll", options.pll if self.task == MASKED else None),
            ("dtype", options.dtype), ("device", None if options.device == "cpu" else options.device),
            ("joiner", "none" if options.joiner == "none" else None),
            ("torch", package_version("torch")), ("transformers", package_version("transformers")),
        )  # fmt: skip

    @cached_property
    def tokenizer(self) -> Any:
        from .loading import load_tokenizer

        return load_tokenizer(self.model_files)

    @cached_property
    def network(self) -> Any:
        from .loading import load_network

        network = load_network(self.model_files, self.task, self.options.dtype, self.options.device)
        if self.task == SEQ2SEQ:
            from .seq2seq import Decoder

            return Decoder(network, self.tokenizer)
        return network

    def release(self) -> None:
        """Gives the memory of the weights back; they are read again when they are needed."""
        self.__dict__.pop("network", None)
        self._last = None

    @cached_property
    def longest(self) -> int | None:
        from .loading import longest

        return longest(self.network, self.tokenizer)

    @cached_property
    def way(self) -> Any:
        """How a causal network is read: as a tree where that is exact, else sentence by sentence."""
        from .causal import way_for

        way = way_for(self.network, self.options.dtype)
        if not way.tree:
            warning = (
                f"{self.name}: beginnings that sentences share are read anew for each, because this model needs it"
            )
            warnings.warn(warning, stacklevel=2)
        return way

    def readings(self, texts: Sequence[str]) -> list[Reading]:
        """The model's own tokens of each text."""
        return self._masked(texts) if self.task == MASKED else self._causal(texts)

    def asked_readings(self, texts: Sequence[str], asked: Sequence[Spans]) -> list[Reading]:
        """The same, with surprisals of those tokens alone that share a character with what is asked."""
        return self._masked(texts, asked) if self.task == MASKED else self._causal(texts, asked)

    def _causal(self, texts: Sequence[str], asked: Sequence[Spans] | None = None) -> list[Reading]:
        from .causal import PLACES, PLAIN, asked_nats, nats
        from .seq2seq import decoder_prefix

        if not texts:
            return []
        encoded = self.tokenizer(list(texts), add_special_tokens=False, return_offsets_mapping=True)
        prefix = self._ids_of(self.bos) if self.task == CAUSAL else decoder_prefix(self.network.config, self.tokenizer)
        sequences = [[*prefix, *ids] for ids in encoded["input_ids"]]
        self._check_lengths(sequences, texts)
        starters = None
        if self.options.space == "corrected":
            starters = blank_starters(self.tokenizer, int(self.network.config.get_text_config().vocab_size), self.name)
        window = getattr(self.network.config.get_text_config(), "sliding_window", None)
        # A tree has no window of its own: where sentences are longer than it, each is read as the model reads text.
        wide = isinstance(window, int) and max(map(len, sequences)) > window
        way = PLAIN if wide else self.way
        tokens_at = [placed(text, offsets) for text, offsets in zip(texts, encoded["offset_mapping"], strict=True)]

        def read(places: int) -> tuple[list[NDArray[np.float64]], list[NDArray[np.float64]]]:
            if asked is None or starters is not None:  # the blank before a word needs the token after it
                return nats(self.network, sequences, way, starters, places)
            wanted = [
                np.concatenate([np.zeros(len(prefix), bool), inside(*at, spans)])[1:]
                for at, spans in zip(tokens_at, asked, strict=True)
            ]
            return asked_nats(self.network, sequences, way, wanted, places), []

        nats_of, blanks = self._within_memory(read, PLACES[way.tree])
        readings = []
        for number, text in enumerate(texts):
            ids, values = encoded["input_ids"][number], nats_of[number][max(0, len(prefix) - 1) :]
            begins, ends = tokens_at[number]
            if starters is not None:
                values = corrected(text, begins, ends, np.isin(ids, starters), values, blanks[number])
            if not prefix and ids:
                values = np.concatenate(([np.nan], values))
            readings.append(self._reading(text, begins, ends, values, ids))
        return readings

    def _masked(self, texts: Sequence[str], asked: Sequence[Spans] | None = None) -> list[Reading]:
        from .masked import PLACES, Encoded, nats

        if not texts:
            return []
        mask = self.tokenizer.mask_token_id
        if mask is None:
            raise InputError("its tokenizer has no mask token", where=self.name, todo="is it a masked model?")
        encoded = self.tokenizer(list(texts), return_offsets_mapping=True, return_special_tokens_mask=True)
        self._check_lengths(encoded["input_ids"], texts)
        sentences = []
        for number, ids in enumerate(encoded["input_ids"]):
            special = encoded["special_tokens_mask"][number]
            words = [None if hide else word for word, hide in zip(encoded.word_ids(number), special, strict=True)]
            sentences.append(Encoded(ids, words))
        tokens_at = [
            placed(text, [offsets[place] for place in sentence.places])
            for text, offsets, sentence in zip(texts, encoded["offset_mapping"], sentences, strict=True)
        ]
        wanted = None
        if asked is not None:
            wanted = [inside(*at, spans) for at, spans in zip(tokens_at, asked, strict=True)]
        nats_of = self._within_memory(
            lambda places: nats(self.network, sentences, self.options.pll, mask, places, wanted), PLACES
        )
        return [
            self._reading(text, *at, values, [sentence.ids[place] for place in sentence.places])
            for text, at, values, sentence in zip(texts, tokens_at, nats_of, sentences, strict=True)
        ]

    def _within_memory(self, read: Callable[[int], T], usual: int) -> T:
        """What `read` says with so many tokens at once that memory is enough: half of them each time it is not."""
        while True:
            try:
                return read(self._places)
            except RuntimeError as error:
                if not _is_out_of_memory(error):
                    raise
                self._places = (self._places or usual) // 2
                if not self._places:
                    what = "there is not enough memory to read one sentence"
                    raise FailedOnInput(what, where=self.name, todo="take a smaller dtype or a shorter one") from error

    def _reading(
        self, text: str, begins: NDArray[np.int64], ends: NDArray[np.int64], values: NDArray[np.float64],
        ids: Sequence[int],
    ) -> Reading:  # fmt: skip
        unknown = self.tokenizer.unk_token_id
        # Where the token for unknown words is also that of the edges (GPT-2), bytes leave no word unknown.
        edges = (self.tokenizer.bos_token_id, self.tokenizer.eos_token_id)
        oov = np.array([one == unknown and one not in edges for one in ids], dtype=bool)
        return Reading(text, begins, ends, values / math.log(2), oov)

    def _ids_of(self, token: str) -> list[int]:
        if not token:
            return []
        number = self.tokenizer.convert_tokens_to_ids(token)
        if number is None or (number == self.tokenizer.unk_token_id and token != self.tokenizer.unk_token):
            raise InputError(f"its tokenizer has no token {token}", where=self.name, todo="write #bos=none")
        return [int(number)]

    def _check_lengths(self, sequences: Sequence[Sequence[int]], texts: Sequence[str]) -> None:
        for sequence, text in zip(sequences, texts, strict=True):
            if self.longest is not None and len(sequence) > self.longest:
                short = text if len(text) <= _SHOWN else text[:_SHOWN] + "…"
                what = f"a sentence of {len(sequence)} tokens, and the model reads {self.longest}: {short}"
                raise TooLong(what, where=self.name, todo="split the sentence, or take a model that reads more")


def _is_out_of_memory(error: RuntimeError) -> bool:
    """On a GPU, or on the processor, where PyTorch has no error of its own for it."""
    import torch

    message = str(error).lower()
    return isinstance(error, torch.OutOfMemoryError) or "out of memory" in message or "allocate memory" in message
