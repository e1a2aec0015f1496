"""Surprisals by a causal model: beginnings that sentences share are read once, in the fastest way that is exact."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...runs.progress import progress
from ..neural.training_loop import one_thread
from .trie import Batch, Ids, buckets, packs, trie

if TYPE_CHECKING:
    import torch

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
TOLERANCE = {"float32": 1e-3}
_COARSE = 0.05
"""Nats by which a way may differ from plain reading: in half precision the order of sums counts."""
PLACES = {True: 320, False: 1280}
"""Places of a pack: more of them share more beginnings, and cost more attention to places that are masked. Tokens of
sentences of one length, which cost no more for standing together."""
_NUMBERS = 16_000_000
"""Logits in memory at a time."""


@dataclass(frozen=True, slots=True)
class Way:
    """How a network is read: beginnings as a tree or sentence by sentence; its own logits or ours."""

    tree: bool
    fused: bool

    def __str__(self) -> str:
        return "tree" if self.tree else "buckets"


WAYS = (Way(True, True), Way(True, False), Way(False, True), Way(False, False))
PLAIN = WAYS[-1]


def way_for(network: Any, dtype: str) -> Way:
    """The first way in which the network says the same as sentence by sentence, tried on three short sequences."""
    size = int(network.config.get_text_config().vocab_size)
    draw = np.random.default_rng(0).integers(0, size, 16).tolist()
    probe = [draw[:9], [*draw[:4], *draw[9:13]], [*draw[:4], *draw[9:11], *draw[13:16]]]
    expected = [_plain(network, sequence) for sequence in probe]
    for way in WAYS[:-1]:
        try:
            values, _ = nats(network, probe, way)
        except Exception:  # a network that knows no positions or masks of this form fails in its own way
            continue
        gap = max(float(np.abs(one - other).max()) for one, other in zip(values, expected, strict=True))
        if gap <= TOLERANCE.get(dtype, _COARSE):
            return way
    return PLAIN


def _plain(network: Any, sequence: Sequence[int]) -> Floats:
    import torch

    with one_thread(), torch.inference_mode():
        logits = network(input_ids=torch.tensor([sequence], device=network.device)).logits[0, :-1].float().cpu()
        log_probabilities = torch.log_softmax(logits, -1)[torch.arange(len(sequence) - 1), torch.tensor(sequence[1:])]
    values: Floats = -log_probabilities.double().numpy()
    return values


def asked_nats(
    network: Any, sequences: Sequence[Sequence[int]], way: Way, wanted: Sequence[Bools], places: int = 0
) -> list[Floats]:
    """-ln p of the tokens that are wanted, NaN of all others; `wanted` has one mark for every token but the first.

    What comes after the last of them is not read, and of what stands before them nothing is predicted.
    """
    ends = [int(np.flatnonzero(marks)[-1]) + 2 if marks.any() else 0 for marks in wanted]
    read = [sequence[:end] for sequence, end in zip(sequences, ends, strict=True)]
    marked = [marks[: max(0, end - 1)] for marks, end in zip(wanted, ends, strict=True)]
    of_read, _ = nats(network, read, way, places=places, wanted=marked)
    values = [np.full(len(marks), np.nan) for marks in wanted]
    for whole, marks, part in zip(values, marked, of_read, strict=True):
        whole[np.flatnonzero(marks)] = part[marks]
    return values


def nats(
    network: Any, sequences: Sequence[Sequence[int]], way: Way, starters: Ids | None = None, places: int = 0,
    wanted: Sequence[Bools] | None = None,
) -> tuple[list[Floats], list[Floats]]:  # fmt: skip
    """-ln p of every token but the first; and -ln of the probability that one of `starters` comes, at each of them.

    About `places` tokens are read at once (0: as many as is quick), and a whole sentence at least. Whatever the
    network computes in, the sum over the vocabulary is in single precision. Of tokens that are not wanted it is 0.
    """
    import torch

    size = places or PLACES[way.tree]
    prefixes = trie(sequences, wanted)
    values = np.zeros(prefixes.count)
    blanks = np.zeros(prefixes.count if starters is not None else 0)
    chosen = None if starters is None else torch.from_numpy(starters).to(network.device)
    with one_thread(), torch.inference_mode(), progress(int(prefixes.needed.sum()), "reading", unit="tokens") as bar:
        for batch in packs(sequences, prefixes, size) if way.tree else buckets(sequences, prefixes, size):
            edges = np.argsort(batch.row_of, kind="stable")
            for begin, logits in _logits(network, batch, way):
                low, high = np.searchsorted(batch.row_of[edges], [begin, begin + len(logits)])
                part = edges[low:high]
                rows = torch.from_numpy(batch.row_of[part] - begin).to(logits.device)
                whole = torch.logsumexp(logits, 1)
                said = logits[rows, torch.from_numpy(batch.tokens[part]).to(logits.device)]
                values[batch.events[part]] = (whole[rows].cpu().double() - said.cpu().double()).numpy()
                if chosen is not None:
                    mass = torch.logsumexp(logits[:, chosen], 1)
                    blanks[batch.events[part]] = (whole - mass)[rows].cpu().double().numpy()
                bar.advance(len(part))
    mine = [values[events] for events in prefixes.of_sequence]
    return mine, [blanks[events] for events in prefixes.of_sequence] if starters is not None else []


def _logits(network: Any, batch: Batch, way: Way) -> Iterator[tuple[int, torch.Tensor]]:
    """The logits at the wanted rows, some rows at a time: (number of the first row, rows × vocabulary)."""
    import torch

    device = network.device
    given: dict[str, Any] = {"input_ids": torch.from_numpy(batch.ids).to(device)}
    if batch.parents is not None:
        seen = torch.from_numpy(batch.seen)[None, None].to(device)
        least = torch.finfo(network.dtype).min
        mask = torch.zeros(seen.shape, dtype=network.dtype, device=device)
        given["attention_mask"] = mask.masked_fill_(~seen, least)
        given["position_ids"] = torch.from_numpy(batch.depths)[None].to(device)
    rows = torch.from_numpy(batch.rows).to(device)
    step = max(1, _NUMBERS // int(network.config.get_text_config().vocab_size))
    if way.fused:
        hidden = network.base_model(**given)[0].flatten(0, 1)[rows]
        head = network.get_output_embeddings()
        for begin in range(0, len(rows), step):
            yield begin, head(hidden[begin : begin + step]).float()
    else:
        logits = network(**given).logits.flatten(0, 1)
        for begin in range(0, len(rows), step):
            yield begin, logits[rows[begin : begin + step]].float()
