"""`hf:MODEL`: models of Transformers, which read running text: causal, masked and encoder-decoder ones.

A masked model (of an encoder-decoder, the encoder's) says each token from all others: pseudo-log-likelihood.
"""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ....errors import FailedOnInput, InputError, TooLong, UsageError
from ....runs.record.signatures import signature
from ....runs.work.progress_bars import progress
from ...asking.protocol import Habits
from ...asking.registry import package_version, split_options
from ..running_text import Reading, Spans, TextReader, inside, placed
from .loading import (
    CAUSAL,
    MASKED,
    SEQ2SEQ,
    Decoder,
    decoder_prefix,
    load_network,
    load_tokenizer,
    longest,
    model_files,
    torch_threads,
)  # fmt: skip

Wanted = Sequence[NDArray[np.bool_]]
"""Of each sentence: which of its tokens are wanted."""
_NUMBERS = 16_000_000
"""Logits in memory at a time."""
MASKED_PLACES = 1280
"""Tokens with which to begin where the usual number was too much for memory."""


@dataclass(frozen=True, slots=True)
class Encoded:
    """A sentence with the special tokens of its model; `words` has None for those, else the tokenizer's words."""

    ids: Sequence[int]
    words: Sequence[int | None]

    @property
    def places(self) -> list[int]:
        return [place for place, word in enumerate(self.words) if word is not None]

    def hidden(self, place: int, pll: str) -> list[int]:
        """What is masked when this place is asked: it alone (Salazar et al. 2020), or with the rest of its word, so
        that a word's later tokens do not give it away (`l2r`, Kauf & Ivanova 2023)."""
        if pll == "original":
            return [place]
        return [other for other in self.places if other >= place and self.words[other] == self.words[place]]


def masked_nats(
    network: Any, sentences: Sequence[Encoded], pll: str, mask: int, places: int = 0, wanted: Wanted | None = None
) -> list[NDArray[np.float64]]:
    """-ln p of every token that is no special one; about `places` tokens are read at once (0: as many as is quick).

    Tokens that are not wanted are not hidden, and have NaN.
    """
    import torch

    values = [np.full(len(sentence.places), np.nan) for sentence in sentences]
    wanted = wanted or [np.ones(len(text), bool) for text in values]
    tokens = sum(int(marks.sum()) for marks in wanted)
    with torch_threads(), torch.inference_mode(), progress(tokens, "reading", unit="tokens") as bar:
        size = _NUMBERS // int(network.config.get_text_config().vocab_size)
        for rows in _batches(sentences, wanted, min(size, places) if places else size):
            given, hidden, targets = [], [], []
            for number, at in rows:
                sentence = sentences[number]
                place = sentence.places[at]
                ids = list(sentence.ids)
                for hidden_place in sentence.hidden(place, pll):
                    ids[hidden_place] = mask
                given.append(ids)
                hidden.append(place)
                targets.append(sentence.ids[place])
            read = network(input_ids=torch.tensor(given, device=network.device)).logits
            logits = read[torch.arange(len(rows)), torch.tensor(hidden)].float().cpu()
            bits = torch.logsumexp(logits, 1).double() - logits[torch.arange(len(rows)), torch.tensor(targets)].double()
            for (number, at), value in zip(rows, bits.tolist(), strict=True):
                values[number][at] = value
            bar.advance(len(rows))
    return values


def _batches(sentences: Sequence[Encoded], wanted: Wanted, size: int) -> Iterator[list[tuple[int, int]]]:
    """(sentence, number of the token) of sentences of one length, about `size` tokens, so that nothing is padded."""
    by_length: dict[int, list[tuple[int, int]]] = {}
    for number, (sentence, marks) in enumerate(zip(sentences, wanted, strict=True)):
        by_length.setdefault(len(sentence.ids), []).extend((number, int(at)) for at in np.flatnonzero(marks))
    for length, rows in sorted(by_length.items()):
        step = max(1, size // max(1, length))
        for begin in range(0, len(rows), step):
            yield rows[begin : begin + step]


WAYS = ("auto", "add", "eos", "none")
"""`auto`: the token that begins a text, else the one that ends it; `add`: only the former; `eos`; nothing."""
TOKEN = r".*[^A-Za-z0-9].*"
"""A token by its own name has a character besides letters and digits."""
_CHAT = re.compile(r"im_start|start_of_turn|start_header|\bINST\b|<\|?(user|assistant|system|human)\|?>", re.IGNORECASE)
"""Tokens that begin a turn of a conversation."""


def begin_token(way: str, special_token: Callable[[str], str], where: str) -> str:
    """The token of a way, or a token by its name; empty: none. `special_token` knows those of `bos` and `eos`.

    Where no token begins a text, `auto` takes the one that ends it, as most models saw it between texts.
    """
    if way == "none":
        return ""
    if way not in WAYS:
        return way
    roles = {"add": ("bos",), "eos": ("eos",)}.get(way, ("bos", "eos"))
    for role in roles:
        if token := special_token(role):
            return token
    if way == "auto":
        return ""
    raise UsageError(f"its tokenizer has no {roles[0].upper()} token", where=where, todo="write #bos=none")


def warn_of_chat_mark(way: str, token: str, name: str) -> None:
    """A mark of chats that nobody asked for by its name."""
    if way in ("auto", "add") and _CHAT.search(token):
        warning = f"{name}: {token} stands before every sentence, and is a mark of chats, not of texts"
        warnings.warn(f"{warning}; #bos=TOKEN names another, such as #bos=<|endoftext|>", stacklevel=3)


CHOICES = {
    "as": ("auto", "causal", "masked", "seq2seq"),  # what it is; auto: what its config.json says
    "bos": WAYS,  # what stands before a sentence
    "space": ("leading", "corrected"),  # corrected: the blank before a word belongs to the word before the blank
    "pll": ("l2r", "original"),  # of masked models: what is masked with a token, the rest of its word or nothing
    "dtype": ("float32", "bfloat16", "float16"),
    "joiner": ("blank", "none"),  # what stands between words where a list of words is given and no text
    "download": ("no", "yes"),
    "device": ("cpu", "auto", "mps", "cuda"),  # auto: a GPU, if there is one; over several, layers are spread
    "revision": ("main",),  # of a model by name: a branch, a tag or a commit
    "batch": ("auto",),  # tokens that are read at once; the scores do not depend on it
}
"""The values of each option, its default first."""
_DEVICE = r"(cpu|cuda:[0-9]+)"
OTHERS = {
    "bos": TOKEN, "device": rf"{_DEVICE}(,{_DEVICE})*", "revision": r"\w[\w./-]*", "batch": r"[1-9][0-9]*",
}  # fmt: skip
"""What else an option may be: a token before sentences, one GPU by its number, several devices."""


def parse(argument: str) -> tuple[str, dict[str, str]]:
    """Return the model and all options of an argument; `NAME@step1000` is a model by name in a revision."""
    model, given = split_options("hf", argument, CHOICES, OTHERS)
    if not model:
        raise UsageError("no model is named", where=f"hf:{argument}", todo="write hf:FOLDER or hf:NAME")
    name, at, revision = model.rpartition("@")
    if at and "revision" not in given and not Path(model).expanduser().exists():
        model, given = name, {**given, "revision": revision}
    return model, {option: given.get(option, values[0]) for option, values in CHOICES.items()}


def written(options: Mapping[str, str]) -> str:
    """Return options as in a name, without those that have their default."""
    return "".join(f"#{option}={value}" for option, value in options.items() if value != CHOICES[option][0])


T = TypeVar("T")
_SHOWN = 60


class HFModel(TextReader):
    """A model that reads running text. Its weights are read when the first sentence is scored."""

    habits = Habits(chunk=2000, repeatable=True)

    def __init__(self, argument: str) -> None:
        model, self.options = parse(argument)
        self.model_files = model_files(model, self.options["download"] == "yes", self.options["revision"])
        there = self.model_files.folder / self.model_files.gguf if self.model_files.gguf else self.model_files.folder
        # Another process makes it from the folder of its revision, which is there.
        self.name = f"hf:{there}{written(self.options | {'revision': 'main', 'download': 'no'})}"
        self.task = self.model_files.task if self.options["as"] == "auto" else self.options["as"]
        if not self.task:
            raise InputError(
                f"a {self.model_files.architecture} is not a causal, masked or encoder-decoder language model",
                where=str(there),
                todo="write #as=causal, #as=masked or #as=seq2seq behind its name if it can be loaded as one",
            )
        for option, task in (("pll", MASKED), ("bos", CAUSAL), ("space", CAUSAL)):
            if f"#{option}=" in written(self.options) and self.task != task:
                raise UsageError(f"{option} is for {task} models, and this one is {self.task}", where=self.name)
        self.joiner = " " if self.options["joiner"] == "blank" else ""
        self._places = int(self.options["batch"]) if self.options["batch"] != "auto" else 0
        warn_of_chat_mark(self.options["bos"], self.bos, self.name)

    @property
    def bos(self) -> str:
        """The token that stands before every sentence of a causal model; empty: none does."""
        if self.task != CAUSAL:
            return ""
        return begin_token(self.options["bos"], self.model_files.special_token, self.name)

    @cached_property
    def signature(self) -> str:
        options, causal = self.options, self.task == CAUSAL
        return signature(
            ("kind", "hf"), ("model", self.model_files.sha256[:12]), ("lm", self.task),
            ("bos", (self.bos or "none") if causal else None),
            ("space", options["space"] if causal else None), ("pll", options["pll"] if self.task == MASKED else None),
            ("dtype", options["dtype"]), ("device", None if options["device"] == "cpu" else options["device"]),
            ("joiner", "none" if options["joiner"] == "none" else None),
            ("torch", package_version("torch")), ("transformers", package_version("transformers")),
        )  # fmt: skip

    @cached_property
    def tokenizer(self) -> Any:
        return load_tokenizer(self.model_files)

    @cached_property
    def network(self) -> Any:
        network = load_network(self.model_files, self.task, self.options["dtype"], self.options["device"])
        if self.task == SEQ2SEQ:
            return Decoder(network, self.tokenizer)
        return network

    def release(self) -> None:
        """Gives the memory of the weights back; they are read again when they are needed."""
        self.__dict__.pop("network", None)
        self._last = None

    @cached_property
    def longest(self) -> int | None:
        return longest(self.network, self.tokenizer)

    @cached_property
    def way(self) -> Any:
        """How a causal network is read: as a tree where that is exact, else sentence by sentence."""
        from .causal import way_for

        way = way_for(self.network, self.options["dtype"])
        if not way.tree:
            what = "beginnings that sentences share are read anew for each, because this model needs it"
            warnings.warn(f"{self.name}: {what}", stacklevel=2)
        return way

    def readings(self, texts: Sequence[str]) -> list[Reading]:
        """The model's own tokens of each text."""
        return self._masked(texts) if self.task == MASKED else self._causal(texts)

    def asked_readings(self, texts: Sequence[str], asked: Sequence[Spans]) -> list[Reading]:
        """The same, with surprisals of those tokens alone that share a character with what is asked."""
        return self._masked(texts, asked) if self.task == MASKED else self._causal(texts, asked)

    def _causal(self, texts: Sequence[str], asked: Sequence[Spans] | None = None) -> list[Reading]:
        from .causal import PLACES, PLAIN, asked_nats, blank_starters, corrected, nats

        if not texts:
            return []
        encoded = self.tokenizer(list(texts), add_special_tokens=False, return_offsets_mapping=True)
        prefix = self._ids_of(self.bos) if self.task == CAUSAL else decoder_prefix(self.network.config, self.tokenizer)
        sequences = [[*prefix, *ids] for ids in encoded["input_ids"]]
        self._check_lengths(sequences, texts)
        starters = None
        if self.options["space"] == "corrected":
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
            lambda places: masked_nats(self.network, sentences, self.options["pll"], mask, places, wanted),
            MASKED_PLACES,
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
