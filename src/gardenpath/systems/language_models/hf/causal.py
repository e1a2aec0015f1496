"""Surprisals by a causal model: beginnings that sentences share are read once, in the fastest way that is exact."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ....errors import UsageError
from ....runs.work.progress_bars import progress
from .loading import torch_threads

if TYPE_CHECKING:
    import torch


Ids = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """What a network reads at once, and which predictions are wanted of it."""

    ids: Ids
    """Tokens, sequences × positions; a pack is one sequence."""
    parents: Ids | None
    """Of a pack: the place before each place, -1 of a first one. None: each place follows the one before it."""
    rows: Ids
    """Places (counted through all sequences) whose distribution is wanted, each once."""
    row_of: Ids
    """For each event the number of its row."""
    tokens: Ids
    """For each event what comes next."""
    events: Ids
    """For each event its number."""

    @property
    def depths(self) -> Ids:
        """How many places stand before each place of a pack."""
        assert self.parents is not None
        depths = np.zeros(len(self.parents), dtype=np.int64)
        for place, parent in enumerate(self.parents.tolist()):
            depths[place] = depths[parent] + 1 if parent >= 0 else 0
        return depths

    @property
    def seen(self) -> NDArray[np.bool_]:
        """Which places each place of a pack may look at: itself and those on its way to the root."""
        assert self.parents is not None
        size = len(self.parents)
        visible = np.zeros((size, size), dtype=bool)
        for place, parent in enumerate(self.parents.tolist()):
            if parent >= 0:
                visible[place] = visible[parent]
            visible[place, place] = True
        return visible


@dataclass(frozen=True, slots=True, eq=False)
class Trie:
    """The events of all sequences: token after beginning, the same event once."""

    of_sequence: list[Ids]
    """The events of each sequence: of all its tokens but the first."""
    order: list[int]
    shared: list[int]
    """In that order: how many first tokens a sequence has in common with the one before it."""
    needed: NDArray[np.bool_]
    """Of each event: does any sequence want it?"""

    @property
    def count(self) -> int:
        return len(self.needed)


def trie(sequences: Sequence[Sequence[int]], wanted: Sequence[NDArray[np.bool_]] | None = None) -> Trie:
    """Sorted, a sequence shares most with its neighbour before. `wanted` are tokens of each, from the second on."""
    order = sorted(range(len(sequences)), key=lambda number: tuple(sequences[number]))
    of_sequence: list[Ids] = [np.empty(0, np.int64)] * len(sequences)
    shared: list[int] = []
    before: Sequence[int] = ()
    events = np.empty(0, np.int64)
    count = 0
    for number in order:
        sequence = sequences[number]
        same = 0
        for last_token, token in zip(before, sequence, strict=False):
            if last_token != token:
                break
            same += 1
        kept = max(0, same - 1)
        new = max(0, len(sequence) - 1 - kept)
        events = np.concatenate((events[:kept], np.arange(count, count + new)))
        of_sequence[number] = events
        shared.append(same)
        before, count = sequence, count + new
    needed = np.full(count, wanted is None)
    for numbers, tokens in zip(of_sequence, wanted or (), strict=False):
        needed[numbers[tokens]] = True
    return Trie(of_sequence, order, shared, needed)


def packs(sequences: Sequence[Sequence[int]], prefixes: Trie, size: int) -> Iterator[Batch]:
    """Packs of about `size` places. The last token of a sequence predicts nothing and has no place, unless another
    sequence goes on after it; a beginning is read again where a new pack begins, but predicts nothing anew."""
    pack = _Pack()
    for number, same in zip(prefixes.order, prefixes.shared, strict=True):
        sequence, events = sequences[number], prefixes.of_sequence[number]
        new = len(sequence) - 1 - min(same, len(pack.path))
        if pack.ids and len(pack.ids) + new > size:
            if pack.tokens:
                yield pack.batch()
            pack = _Pack()
        pack.add(sequence, same, events, prefixes.needed)
    if pack.tokens:
        yield pack.batch()


class _Pack:
    def __init__(self) -> None:
        self.ids: list[int] = []
        self.parents: list[int] = []
        self.path: list[int] = []
        """The places of the sequence that was added last."""
        self.places: list[int] = []
        self.tokens: list[int] = []
        self.events: list[int] = []

    def add(self, sequence: Sequence[int], same: int, events: Ids, needed: NDArray[np.bool_]) -> None:
        del self.path[same:]
        for token in sequence[len(self.path) : len(sequence) - 1]:
            self.parents.append(self.path[-1] if self.path else -1)
            self.path.append(len(self.ids))
            self.ids.append(token)
        for at in range(max(1, same), len(sequence)):
            if needed[events[at - 1]]:
                self.places.append(self.path[at - 1])
                self.tokens.append(sequence[at])
                self.events.append(int(events[at - 1]))

    def batch(self) -> Batch:
        rows, row_of = np.unique(np.array(self.places, np.int64), return_inverse=True)
        ids, parents = np.array([self.ids], np.int64), np.array(self.parents, np.int64)
        return Batch(ids, parents, rows, row_of.astype(np.int64), np.array(self.tokens), np.array(self.events))


def buckets(sequences: Sequence[Sequence[int]], prefixes: Trie, size: int) -> Iterator[Batch]:
    """For networks that cannot read a tree: sequences of one length together, without padding."""
    by_length: dict[int, list[int]] = {}
    for number, same in zip(prefixes.order, prefixes.shared, strict=True):
        if same < len(sequences[number]) and len(sequences[number]) > 1:
            by_length.setdefault(len(sequences[number]) - 1, []).append(number)
    known = ~prefixes.needed
    for length, numbers in sorted(by_length.items()):
        step = max(1, size // length)
        for begin in range(0, len(numbers), step):
            part = numbers[begin : begin + step]
            ids = np.array([sequences[number] for number in part], np.int64)
            events, first = np.unique(
                np.concatenate([prefixes.of_sequence[number] for number in part]), return_index=True
            )
            new = ~known[events]
            events, first = events[new], first[new]
            known[events] = True
            if not len(events):
                continue
            tokens = ids[:, 1:].reshape(-1)[first]
            rows, row_of = np.unique(first, return_inverse=True)
            yield Batch(ids[:, :-1], None, rows, row_of.astype(np.int64), tokens, events)


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

    with torch_threads(), torch.inference_mode():
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
    with torch_threads(), torch.inference_mode(), progress(int(prefixes.needed.sum()), "reading", unit="tokens") as bar:
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


_MARKS = ("Ġ", "▁")
"""What stands for a blank at the begin of a token: in byte-level BPE, and in SentencePiece."""


def blank_starters(tokenizer: Any, size: int, where: str) -> Ids:
    """The tokens that begin with a blank; an error where the tokens of a model do not have the blank before a word."""
    pieces = tokenizer.convert_ids_to_tokens(tokenizer("a a", add_special_tokens=False)["input_ids"])
    mark = next((piece[0] for piece in pieces[1:] if piece and piece[0] in _MARKS), "")
    if not mark:
        what = "the blank before a word is in none of its tokens, so there is nothing to correct"
        raise UsageError(what, where=where, todo="leave #space=corrected out")
    numbers = [number for piece, number in tokenizer.get_vocab().items() if piece.startswith(mark) and number < size]
    return np.array(sorted(numbers), dtype=np.int64)


def corrected(text: str, begins: Ids, ends: Ids, starts: NDArray[np.bool_], values: Floats, blanks: Floats) -> Floats:
    """Surprisals in which the blank before a word is part of the word before it (Oh & Schuler 2024; Pimentel &
    Meister 2024): what it costs that any blank comes is taken from the token with the blank and given to the one
    before. The sum over a sentence stays what it was; nothing follows its last word, which gets nothing.

    `values` are those of all tokens after the first place read, `starts` says which tokens begin with a blank.
    """
    moved = values.copy()
    skipped = len(values) - len(begins)  # -1 where the first token is not predicted
    for at in range(1, len(begins)):
        if starts[at] and any(char.isspace() for char in text[ends[at - 1] : begins[at]]):
            place = at + skipped
            moved[place] -= blanks[place]
            if place:
                moved[place - 1] += blanks[place]
    return moved
