"""What a network says of sentences: the loss to learn from, and surprisals, each beginning of sentences once."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .batches import Ids, bucketed, padded
from .items import Items
from .training_loop import one_thread
from .vocabulary import BEGIN_ID, END_ID, OUTPUTS_FROM, PADDING_ID

if TYPE_CHECKING:
    import torch
    from torch import nn

    from .settings import Architecture

_WORDS = 8000
"""Words of a batch in scoring."""
_CONTEXTS = 512
"""Contexts whose distributions are in memory at a time."""
_NONE = np.empty(0, np.int64)


def build(shape: Architecture, vocabulary: int) -> nn.Module:
    """A network with its first weights, which the seed decides."""
    if shape.kind == "lstm":
        from .lstm import LSTMNetwork

        return LSTMNetwork(shape, vocabulary)
    from .transformer import TransformerNetwork

    return TransformerNetwork(shape, vocabulary)


def sentence_items(network: nn.Module, sentences: Sequence[Ids]) -> Items:
    """Encoded sentences to learn from or to stop by: every word and the end of the sentence are predicted."""
    import torch

    rows = [np.concatenate(([BEGIN_ID], sentence, [END_ID])) for sentence in sentences]

    def loss(numbers: Ids) -> tuple[torch.Tensor, int]:
        ids = torch.from_numpy(padded([rows[number] for number in numbers], PADDING_ID))
        target = ids[:, 1:]
        real = target != PADDING_ID
        wanted = target[real] - OUTPUTS_FROM
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
    with one_thread(), torch.inference_mode():
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
