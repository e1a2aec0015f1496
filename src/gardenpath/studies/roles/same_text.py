"""Gold and system must be the same text: the alignment of their words, or an error that names the first difference."""

from __future__ import annotations

from collections.abc import Sequence

from ...errors import InputError
from ...treebank.alignment import Alignment, align
from ...treebank.matching import SentenceKey, match
from ...treebank.treebank import Treebank

_TODO = "gold and system must have the same sentences, in any order; was another file or release parsed?"


def aligned(gold: Treebank, system: Treebank, lines: Sequence[int] = ()) -> Alignment:
    """Words of both; tokens may differ, characters may not. `lines` says where the sentences of gold begin in a file
    that was no CoNLL."""
    try:
        return align(gold, system)
    except InputError as error:
        raise _by_sentence(gold, system, lines) or error from None


def _by_sentence(gold: Treebank, system: Treebank, lines: Sequence[int]) -> InputError | None:
    """The first sentence of gold that the system does not have, or the first that it has beside those of gold."""
    mine, theirs = (
        [
            SentenceKey(text, sent_id)
            for text, sent_id in zip(treebank.surface.sentences(), treebank.sent_ids, strict=True)
        ]
        for treebank in (gold, system)
    )
    places = match(mine, theirs)
    missing = next((number for number, place in enumerate(places) if place is None), None)
    surplus = sorted(set(range(len(system))) - set(places))
    if missing is None:
        extra = _text(system, surplus[0])
        what = f"{system.name} has {len(system):,} sentences and gold {len(gold):,}; gold does not have {extra}"
        return InputError(what, where=_place(system, surplus[0]), todo=_TODO)
    place = f"{gold.name}:{lines[missing]}" if lines else _place(gold, missing)
    if not surplus:
        what = f"{system.name} has {len(system):,} of {len(gold):,} sentences; {_text(gold, missing)} is missing"
        return InputError(what, where=place, todo=_TODO)
    instead = missing if missing in surplus else surplus[0]
    left, right = str(mine[missing].content), str(theirs[instead].content)
    if left.startswith(right) or right.startswith(left):
        return None  # cut elsewhere: where the text itself differs, the alignment says
    name = mine[missing].sent_id or missing + 1
    what = f"sentence {name} differs: gold has {_text(gold, missing)}, the system {_text(system, instead)}"
    return InputError(what, where=f"{place} and {_place(system, instead)}", todo=_TODO)


def _text(treebank: Treebank, number: int) -> str:
    return repr(treebank[number].text[:60])


def _place(treebank: Treebank, number: int) -> str:
    return treebank.place(int(treebank.index.starts[treebank.index.rows[number]]))
