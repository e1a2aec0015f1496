"""`gguf:FILE`: a causal language model in a GGUF file, read by llama.cpp with its weights as they are."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...errors import FailedOnInput, InputError, TooLong, UsageError
from ...runs.progress import progress
from ...runs.signature import signature
from ..begin_token import TOKEN, WAYS, begin_token, warn_of_chat_mark
from ..hf.files import model_files
from ..hf.tokens import corrected, placed
from ..hf.trie import Ids, trie
from ..name_options import split_options
from ..protocol import Habits
from ..registry import package_version
from ..running_text import Reading
from ..text_reader import TextReader
from .engine import Engine

Floats = NDArray[np.float64]
CHOICES = {
    "bos": WAYS, "space": ("leading", "corrected"), "joiner": ("blank", "none"), "device": ("cpu", "gpu"),
}  # fmt: skip
_FEWEST = 8
"""Tokens that are read at once at least: for fewer, llama.cpp sums in another order."""
_SHOWN = 60


class GGUFModel(TextReader):
    """A model that reads running text, as `hf:` does. Its file is opened when the first sentence is scored."""

    habits = Habits(chunk=2000)

    def __init__(self, argument: str) -> None:
        file, given = split_options("gguf", argument, CHOICES, {"bos": TOKEN})
        self.options = {name: given.get(name, values[0]) for name, values in CHOICES.items()}
        if not file:
            raise UsageError("no file is named", where=f"gguf:{argument}", todo="write gguf:FILE")
        if not Path(file).expanduser().exists():
            raise InputError("no such file", where=file, todo="name a GGUF file")
        self.model_files = model_files(file)
        if not self.model_files.gguf:
            raise InputError("this is no GGUF file", where=file, todo=f"Transformers reads it: hf:{file}")
        self.path = self.model_files.folder / self.model_files.gguf
        shown = "".join(f"#{name}={value}" for name, value in self.options.items() if value != CHOICES[name][0])
        self.name = f"gguf:{self.path}{shown}"
        self.joiner = " " if self.options["joiner"] == "blank" else ""
        self.bos = begin_token(self.options["bos"], self.model_files.special_token, self.name)
        warn_of_chat_mark(self.options["bos"], self.bos, self.name)

    @cached_property
    def signature(self) -> str:
        options = self.options
        return signature(
            ("kind", "gguf"), ("model", self.model_files.sha256[:12]), ("bos", self.bos or "none"),
            ("space", options["space"]), ("device", None if options["device"] == "cpu" else options["device"]),
            ("joiner", None if self.joiner else "none"), ("llama-cpp-python", package_version("llama-cpp-python")),
        )  # fmt: skip

    @cached_property
    def engine(self) -> Engine:
        return Engine(self.path, self.options["device"] == "gpu")

    def release(self) -> None:
        """Gives the memory of the weights back; they are read again when they are needed."""
        if "engine" in self.__dict__:
            self.__dict__.pop("engine").close()
        self._last = None

    def readings(self, texts: Sequence[str]) -> list[Reading]:
        """The model's own tokens of each text."""
        if not texts:
            return []
        prefix = self._prefix()
        ids_of = [self.engine.tokens(text) for text in texts]
        sequences = [[*prefix, *ids] for ids in ids_of]
        for sequence, text in zip(sequences, texts, strict=True):
            if len(sequence) > self.engine.longest:
                short = text if len(text) <= _SHOWN else text[:_SHOWN] + "…"
                what = f"a sentence of {len(sequence)} tokens, and the model reads {self.engine.longest}: {short}"
                raise TooLong(what, where=self.name, todo="split the sentence, or take a model that reads more")
        starters = self._blank_starters() if self.options["space"] == "corrected" else None
        nats_of, blanks = nats(self.engine, sequences, starters)
        readings = []
        for number, text in enumerate(texts):
            ids, values = ids_of[number], nats_of[number][max(0, len(prefix) - 1) :]
            begins, ends = self._placed(text, ids)
            if starters is not None:
                values = corrected(text, begins, ends, np.isin(ids, starters), values, blanks[number])
            if not prefix and ids:
                values = np.concatenate(([np.nan], values))
            oov = np.array([self.engine.is_unknown(token) for token in ids], dtype=bool)
            readings.append(Reading(text, begins, ends, values / math.log(2), oov))
        return readings

    def _prefix(self) -> list[int]:
        """The token before a sentence as a number."""
        ids = self.engine.tokens(self.bos, special=True) if self.bos else []
        if len(ids) > 1:
            raise InputError(f"the model has no token {self.bos}", where=self.name, todo="write #bos=none")
        return ids

    def _placed(self, text: str, ids: Sequence[int]) -> tuple[Ids, Ids]:
        """Begin and end of each token in the text, by the bytes that it stands for."""
        pieces = [self.engine.piece(token) for token in ids]
        data, whole = text.encode(), b"".join(pieces)
        before = len(whole) - len(data)  # llama.cpp puts a blank before a text, where the model learned it so
        if whole != b" " * before + data:
            what = f"the tokens of llama.cpp do not sum to the text: {text[:_SHOWN]}"
            raise FailedOnInput(what, where=self.name, todo="its surprisals are not known; hf:FILE may have them")
        stops = np.maximum(np.cumsum([len(piece) for piece in pieces], dtype=np.int64) - before, 0).tolist()
        chars = [place for place, char in enumerate(text) for _ in char.encode()] + [len(text)]  # of each byte
        return placed(
            text,
            [
                (chars[begin], chars[end - 1] + 1 if end > begin else chars[begin])
                for begin, end in zip([0, *stops], stops, strict=False)
            ],
        )

    def _blank_starters(self) -> Ids:
        """The tokens that begin with a blank."""
        return np.array([token for token in range(self.engine.size) if self.engine.piece(token)[:1] == b" "], np.int64)


def nats(
    engine: Engine, sequences: Sequence[Sequence[int]], starters: Ids | None = None
) -> tuple[list[Floats], list[Floats]]:
    """-ln p of every token but the first; and -ln of the probability that one of `starters` comes, at each of them.

    Sequences come in alphabetical order, and what one shares with the one before it is read once. One is read at a
    time: with weights of few bits llama.cpp rounds what it computes with, and a different order of sums, which others
    beside it would bring, moves surprisals by tenths of a bit. For the same reason few tokens are never read alone.
    """
    events = trie(sequences)
    values, blanks = np.zeros(events.count), np.zeros(events.count if starters is not None else 0)
    with progress(events.count, "reading", unit="tokens") as bar:
        for number, same in zip(events.order, events.shared, strict=True):
            sequence, first = sequences[number], max(1, same)
            if first >= len(sequence):
                continue
            start = max(0, min(first - 1, len(sequence) - 1 - _FEWEST)) if engine.goes_back else 0
            read = sequence[start : len(sequence) - 1]
            logits = engine.logits([*read, *[sequence[-1]] * (_FEWEST - len(read))], start)
            rows = logits[first - 1 - start : len(sequence) - 1 - start]
            places = events.of_sequence[number][first - 1 :]
            whole = np.array([_log_sum(row) for row in rows])
            values[places] = whole - rows[np.arange(len(rows)), sequence[first:]]
            if starters is not None:
                blanks[places] = whole - np.array([_log_sum(row[starters]) for row in rows])
            bar.advance(len(places))
    mine = [values[some] for some in events.of_sequence]
    return mine, [blanks[some] for some in events.of_sequence] if starters is not None else []


def _log_sum(row: NDArray[np.float32]) -> float:
    """The logarithm of the sum of exponentials; single precision inside, double where it is summed."""
    top = float(row.max())
    return top + math.log(float(np.exp(row - np.float32(top)).sum(dtype=np.float64)))
