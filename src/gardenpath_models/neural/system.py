"""`lstm:FOLDER` and `transformer:FOLDER`: language models over words, their presets, and how they are trained."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gardenpath.errors import UsageError, unknown_name
from gardenpath.systems import Habits, Outcome, Sentences, TextPlan, TextTrainer, torch_threads

from .folder import (
    NetworkModel,
    NetworkShape,
    TrainingSettings,
    changed,
    check_heads,
    check_size,
    identity_of,
    save_network,
)
from .training_loop import LONGEST, Ids, Items, Schedule, bucketed, fit, padded, within
from .vocabulary import BEGIN_ID, END_ID, OUTPUTS_FROM, PADDING_ID, vocabulary_from

if TYPE_CHECKING:
    import torch
    from torch import nn


KINDS = ("lstm", "transformer")
POSITIONS = ("learned", "sinusoidal")


@dataclass(frozen=True, slots=True)
class Architecture(NetworkShape):
    """The shape of an LSTM or a Transformer."""

    FORMAT = "gardenpath-network 1"
    NONE = "this describes no network"

    embedding: int
    dropout: float
    tied: bool = False
    """The output layer has the weights of the embedding."""
    heads: int = 0
    """Of a Transformer: heads of attention in each layer."""
    positions: str = ""
    """Of a Transformer: `learned` or `sinusoidal`."""
    longest: int = LONGEST
    """Words of a sentence in training; a Transformer looks back no further."""

    def check(self) -> None:
        if self.kind not in KINDS:
            raise unknown_name("kind of network", self.kind, KINDS)
        check_size(self, ("layers", "hidden", "embedding", "longest"), self.dropout)
        if self.tied and self.hidden != self.embedding:
            raise UsageError(
                f"hidden is {self.hidden} and embedding {self.embedding}, but tied weights need the same",
                todo="give both, or tied=no",
            )
        if self.kind == "transformer":
            if self.hidden != self.embedding:
                raise UsageError("hidden and embedding of a Transformer are the same", todo="give hidden alone")
            check_heads(self, self.heads)
            if self.hidden % 2 and self.positions == "sinusoidal":
                raise UsageError("sinusoidal positions need an even number of units", where="hidden")
            if self.positions not in POSITIONS:
                raise unknown_name("positions", self.positions, POSITIONS)


class NeuralSettings(TrainingSettings[Architecture]):
    """What decides a training on text."""


PRESETS: Mapping[str, Mapping[str, NeuralSettings]] = {
    "lstm": {
        "tiny": NeuralSettings(
            Architecture("lstm", 1, 64, 64, 0.1, tied=True),
            Schedule(epochs=8, batch=400, rate=5e-3, patience=2),
        ),
        "default": NeuralSettings(
            Architecture("lstm", 2, 256, 256, 0.4, tied=True),
            Schedule(epochs=30, batch=1000, rate=2e-3, patience=3),
        ),
        "paper": NeuralSettings(
            Architecture("lstm", 2, 256, 256, 0.3),
            Schedule(epochs=60, batch=1500, rate=1e-3, patience=5),
        ),
    },
    "transformer": {
        "tiny": NeuralSettings(
            Architecture("transformer", 2, 64, 64, 0.1, tied=True, heads=2, positions="learned"),
            Schedule(epochs=8, batch=400, rate=3e-3, warmup=20, patience=2, weight_decay=0.01),
        ),
        "default": NeuralSettings(
            Architecture("transformer", 4, 256, 256, 0.3, tied=True, heads=4, positions="learned"),
            Schedule(epochs=30, batch=1000, rate=1e-3, warmup=200, patience=3, weight_decay=0.01),
        ),
        "paper": NeuralSettings(
            Architecture("transformer", 12, 768, 768, 0.1, tied=True, heads=12, positions="learned"),
            Schedule(epochs=60, batch=4000, rate=2.5e-4, warmup=2000, patience=5, weight_decay=0.01),
        ),
    },
}  # fmt: skip
"""The sizes of `paper` are those of Table 3a of the Mandarin paper (its Transformer is GPT-2's)."""


def settings_of(kind: str, preset: str, options: Mapping[str, str]) -> NeuralSettings:
    """A preset with some options changed. A size that is named alone takes along those that must fit it."""
    base = PRESETS[kind][preset]
    if "hidden" in options and "embedding" not in options and (base.shape.tied or kind == "transformer"):
        options = {**options, "embedding": options["hidden"]}
    return changed(base, options, foreign=("heads", "positions") if kind == "lstm" else ())


def build(shape: Architecture, vocabulary: int) -> nn.Module:
    """A network with its first weights, which the seed decides."""
    from .networks import LSTMNetwork, TransformerNetwork

    return (LSTMNetwork if shape.kind == "lstm" else TransformerNetwork)(shape, vocabulary)


class NeuralModel(NetworkModel[Architecture]):
    """A network over a closed vocabulary: a word outside it has the surprisal of its class of unknown words.

    Its weights are read when the first sentence is scored.
    """

    habits = Habits(chunk=1000, repeatable=True)
    shapes = Architecture
    _last: tuple[Sentences, list[NDArray[np.float64]], NDArray[np.float64]] | None = None

    def build(self) -> nn.Module:
        return build(self.shape, len(self.vocabulary))

    def surprisals(self, sentences: Sentences) -> list[NDArray[np.float64]]:
        return self._scored(sentences)[0]

    def end_surprisals(self, sentences: Sentences) -> NDArray[np.float64]:
        """Surprisal of the end of each sentence."""
        return self._scored(sentences)[1]

    def _scored(self, sentences: Sentences) -> tuple[list[NDArray[np.float64]], NDArray[np.float64]]:
        """Words and ends come from one pass; whoever asks for one asks for the other next."""
        if self._last is None or self._last[0] is not sentences:
            longest = self.shape.longest if self.kind == "transformer" else None
            encoded = [self.vocabulary.encode(sentence) for sentence in sentences]
            self._last = sentences, *sentence_bits(self.network, encoded, longest)
        return self._last[1:]


class LSTM(NeuralModel):
    """`lstm:FOLDER`."""

    kind = "lstm"


class Transformer(NeuralModel):
    """`transformer:FOLDER`."""

    kind = "transformer"


_WORDS = 8000
"""Words of a batch in scoring."""
_CONTEXTS = 512
"""Contexts whose distributions are in memory at a time."""
_NONE = np.empty(0, np.int64)


def sentence_items(network: nn.Module, sentences: Sequence[Ids]) -> Items:
    """Encoded sentences to learn from or to stop by: every word and the end of the sentence are predicted."""
    from .networks import tensor

    rows = [np.concatenate(([BEGIN_ID], sentence, [END_ID])) for sentence in sentences]

    def loss(numbers: Ids) -> tuple[torch.Tensor, int]:
        ids = tensor(padded([rows[number] for number in numbers], PADDING_ID))
        target = ids[:, 1:]
        real = target != PADDING_ID
        wanted = target[real]
        return network.output.loss(network(ids[:, :-1])[real], wanted), len(wanted)

    return Items([len(row) - 1 for row in rows], loss)


def sentence_bits(
    network: nn.Module, sentences: Sequence[Ids], longest: int | None = None
) -> tuple[list[NDArray[np.float64]], NDArray[np.float64]]:
    """-log2 p of every word, and of the end of each sentence.

    Sentences that begin alike, as those of a minimal pair do, are one up to the word that tells them apart: this is
    faster, and what is the same for both gets the same value to the last digit. A network that looks back at most
    `longest` words reads a longer sentence in windows, in which every word has half of them before it at least.
    """
    import torch

    contexts, words = _beginnings(sentences)
    with torch_threads(), torch.inference_mode():
        network.eval()
        hidden = _hidden(network, contexts, longest)
        bits = _looked_up(network, hidden, contexts.of_event, words)
    cuts = np.cumsum([len(sentence) + 1 for sentence in sentences])[:-1]
    parts = np.split(bits, cuts) if len(sentences) else []
    return [part[:-1] for part in parts], np.array([part[-1] for part in parts])


@dataclass(frozen=True, slots=True)
class _Contexts:
    """All different beginnings of sentences; each belongs to one sentence that is read for it."""

    of_event: Ids
    """The context of every word and end."""
    rows: list[Ids]
    """Sentences that are read, with their begin: none is the beginning of another."""
    places: list[tuple[int, int]]
    """Of each row: the first position that is new, and the number of the context there."""
    count: int


def _beginnings(sentences: Sequence[Ids]) -> tuple[_Contexts, Ids]:
    """The contexts, and what comes after each: sorted, a sentence shares most with its neighbour before."""
    order = sorted(range(len(sentences)), key=lambda number: tuple(sentences[number].tolist()))
    of_sentence: list[Ids] = [_NONE] * len(sentences)
    rows: list[Ids] = []
    places: list[tuple[int, int]] = []
    before, numbers, count = _NONE, _NONE, 0
    for number in order:
        row = np.concatenate(([BEGIN_ID], sentences[number]))
        least = min(len(before), len(row))
        differ = np.flatnonzero(before[:least] != row[:least])
        shared = int(differ[0]) if len(differ) else least
        new = len(row) - shared
        numbers = np.concatenate((numbers[:shared], np.arange(count, count + new)))
        of_sentence[number] = numbers
        if rows and new and shared == len(before):
            rows[-1] = row  # it goes on where the one before ended: one reading does for both
        elif new:
            rows.append(row)
            places.append((shared, count))
        before, count = row, count + new
    words = [np.concatenate((sentence, [END_ID])) for sentence in sentences]
    return _Contexts(np.concatenate([_NONE, *of_sentence]), rows, places, count), np.concatenate([_NONE, *words])


def _hidden(network: nn.Module, contexts: _Contexts, longest: int | None) -> torch.Tensor:
    """The hidden state of every context."""
    import torch

    pieces: list[Ids] = []
    wanted: list[tuple[int, int, int]] = []
    """Of each piece: position, first context and end of the contexts that are read off there."""
    for row, (begin, first) in zip(contexts.rows, contexts.places, strict=True):
        for start, least, stop in _windows(len(row), longest):
            low, high = max(least, begin), stop
            if low < high:
                pieces.append(row[start:stop])
                wanted.append((low - start, first + low - begin, first + high - begin))
    hidden: torch.Tensor | None = None
    for numbers in bucketed([len(piece) for piece in pieces], _WORDS):
        states = network(torch.from_numpy(padded([pieces[number] for number in numbers], PADDING_ID)))
        if hidden is None:
            hidden = torch.empty(contexts.count, states.shape[-1])
        for at, number in enumerate(numbers):
            position, first, end = wanted[number]
            hidden[first:end] = states[at, position : position + end - first]
    return hidden if hidden is not None else torch.empty(0, 1)


def _windows(length: int, longest: int | None) -> list[tuple[int, int, int]]:
    """(start, first position that is read off, stop) of pieces that are no longer than a network can read."""
    width = length if longest is None else longest + 1
    if length <= width:
        return [(0, 0, length)]
    step = max(1, width // 2)
    windows = [(0, 0, width)]
    while windows[-1][2] < length:
        stop = min(length, windows[-1][2] + step)
        windows.append((stop - width, windows[-1][2], stop))
    return windows


def _looked_up(network: nn.Module, hidden: torch.Tensor, of_event: Ids, words: Ids) -> NDArray[np.float64]:
    """-log2 p of each word in its context; the distribution of a context is computed once."""
    import torch

    order = np.argsort(of_event, kind="stable")
    edges = np.searchsorted(of_event[order], np.arange(0, len(hidden) + _CONTEXTS, _CONTEXTS))
    bits = np.empty(len(words))
    for number, begin in enumerate(range(0, len(hidden), _CONTEXTS)):
        logits = network.output(hidden[begin : begin + _CONTEXTS])
        events = order[edges[number] : edges[number + 1]]
        rows = torch.from_numpy(of_event[events] - begin)
        chosen = logits[rows, torch.from_numpy(words[events] - OUTPUTS_FROM)].double()
        bits[events] = ((torch.logsumexp(logits, 1).double()[rows] - chosen) / math.log(2)).numpy()
    return bits


class NeuralTrainer(TextTrainer[NeuralSettings]):
    """One kind of network. The same text, options and seed give the same weights on the same machine."""

    resumable = True

    def settings(self, preset: str, options: Mapping[str, str]) -> NeuralSettings:
        return settings_of(self.kind, preset, options)

    def learn(self, plan: TextPlan[NeuralSettings], target: Path) -> Outcome:
        settings = plan.settings
        longest = settings.shape.longest
        counts, lengths = Counter[str](), list[int]()
        for line in plan.train.sentences():
            counts.update(line)
            lengths.append(len(line))
        kept = set(within(lengths, plan.tell, longest=longest).tolist())
        if len(kept) < len(lengths):  # words of sentences that nothing is learned from are not known
            counts = Counter(
                word for number, line in enumerate(plan.train.sentences()) if number in kept for word in line
            )
        vocabulary = vocabulary_from(
            counts, min_count=settings.min_count, size=settings.vocabulary or None, where=plan.train.name
        )
        sentences = [vocabulary.encode(line) for at, line in enumerate(plan.train.sentences()) if at in kept]
        words = sum(counts.values())
        known, classes = len(vocabulary.words), len(vocabulary.classes)
        plan.tell(
            f"{words} tokens, {len(sentences)} sentences, {len(counts)} different words: {known} known, the others in "
            f"{classes} class{'es' * (classes != 1)} of unknown words"
        )
        # Dev sentences to stop by; long ones are left out here, not in the scores of the finished model.
        held_out = [vocabulary.encode(line) for line in plan.dev.sentences()] if plan.dev else []
        if held_out:
            fitting = within([len(sentence) for sentence in held_out], plan.tell, "dev", longest)
            held_out = [held_out[number] for number in fitting.tolist()]
        with torch_threads(settings.schedule.threads, plan.seed):
            network = build(settings.shape, len(vocabulary))
            plan.tell(f"{sum(weight.numel() for weight in network.parameters())} parameters")
            fitted = fit(
                network,
                sentence_items(network, sentences),
                sentence_items(network, held_out) if held_out else None,
                settings.schedule,
                seed=plan.seed,
                tell=plan.tell,
                checkpoint=plan.checkpoint,
                identity=identity_of(plan, vocabulary.digest),
            )
            save_network(target, settings.shape, vocabulary, network)
        log = {
            "too_long": len(lengths) - len(sentences),
            "vocabulary": known,
            "unknown_classes": classes,
            "parameters": sum(weight.numel() for weight in network.parameters()),
            **fitted.log,
        }
        return Outcome(settings.described(), log, len(sentences), words)
