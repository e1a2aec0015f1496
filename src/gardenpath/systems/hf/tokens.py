"""Tokens in the text they were cut from: where each begins and ends, and to whom the blank before a word belongs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import UsageError

Ids = NDArray[np.int64]
Floats = NDArray[np.float64]
_MARKS = ("Ġ", "▁")
"""What stands for a blank at the begin of a token: in byte-level BPE, and in SentencePiece."""


def placed(text: str, offsets: Sequence[tuple[int, int]]) -> tuple[Ids, Ids]:
    """Begin and end of each token without the blanks around it; a blank alone is part of what follows."""
    begins, ends = [], []
    for begin, end in offsets:
        while begin < len(text) and text[begin].isspace():
            begin += 1
        while end > begin and text[end - 1].isspace():
            end -= 1
        begins.append(begin)
        ends.append(max(begin, end))
    return np.array(begins, dtype=np.int64), np.array(ends, dtype=np.int64)


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
