"""Gold and system must be the same text: the alignment of their words, or an error that names the first difference."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from ...errors import InputError
from ...treebank.alignment import Alignment, align
from ...treebank.treebank import Treebank

_TODO = "gold and system must have the same sentences in the same order; was another file or release parsed?"


def aligned(gold: Treebank, system: Treebank, lines: Sequence[int] = ()) -> Alignment:
    """Words of both; tokens may differ, characters may not. `lines` says where the sentences of gold begin in a file
    that was no CoNLL."""
    try:
        return align(gold, system)
    except InputError as error:
        raise _by_sentence(gold, system, lines) or error from None


def _by_sentence(gold: Treebank, system: Treebank, lines: Sequence[int]) -> InputError | None:
    """The first sentence that differs, where both have the same sentences up to it."""

    def place(number: int) -> str:
        return f"{gold.name}:{lines[number]}" if lines else _place(gold, number)

    for number, (mine, theirs) in enumerate(zip_longest(gold, system)):
        if mine is None:
            what = f"{system.name} goes on after the last of {len(gold):,} sentences with {theirs.text[:60]!r}"
            return InputError(what, where=_place(system, number), todo=_TODO)
        if theirs is None:
            what = f"{system.name} ends after sentence {number:,} of {len(gold):,}; {mine.text[:60]!r} is missing"
            return InputError(what, where=place(number), todo=_TODO)
        left, right = ("".join(token.form for token in one.tokens).replace(" ", "") for one in (mine, theirs))
        if left == right:
            continue
        if left.startswith(right) or right.startswith(left):
            return None  # cut elsewhere: where the text itself differs, the alignment says
        name = mine.sent_id or number + 1
        what = f"sentence {name} differs: gold has {mine.text[:60]!r}, the system {theirs.text[:60]!r}"
        return InputError(what, where=f"{place(number)} and {_place(system, number)}", todo=_TODO)
    return None


def _place(treebank: Treebank, number: int) -> str:
    return treebank.place(int(treebank.index.starts[treebank.index.rows[number]]))
