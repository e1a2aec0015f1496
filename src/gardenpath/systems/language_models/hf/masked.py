"""Pseudo-log-likelihood: what a masked model says of each token of a sentence when the token is hidden from it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....runs.work.progress_bars import progress
from .loading import one_thread

Wanted = Sequence[NDArray[np.bool_]]
"""Of each sentence: which of its tokens are wanted."""
_NUMBERS = 16_000_000
"""Logits in memory at a time."""
PLACES = 1280
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


def nats(
    network: Any, sentences: Sequence[Encoded], pll: str, mask: int, places: int = 0, wanted: Wanted | None = None
) -> list[NDArray[np.float64]]:
    """-ln p of every token that is no special one; about `places` tokens are read at once (0: as many as is quick).

    Tokens that are not wanted are not hidden, and have NaN.
    """
    import torch

    values = [np.full(len(sentence.places), np.nan) for sentence in sentences]
    wanted = wanted or [np.ones(len(one), bool) for one in values]
    tokens = sum(int(marks.sum()) for marks in wanted)
    with one_thread(), torch.inference_mode(), progress(tokens, "reading", unit="tokens") as bar:
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
