"""Words that not all sentences of a batch have, such as an adverb that was put in: trees are compared without them.

They are found by their characters, so that a parser may cut the text as it likes. What hangs on such a word hangs on
its head instead, and is marked: no right tree has anything there.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ...systems.answer import characters

MARK = "@"
"""Behind the label of a word that hung on one of these."""
_HEAD, _LABEL = 6, 7
_COMPARED = (3, 5, _HEAD, _LABEL)


def without_aside(conllu: bytes, gold: bytes, aside: Collection[int]) -> bytes:
    """A parse, of one or several sentences, without these words of the gold sentence."""
    if not aside or not conllu:
        return conllu
    spans = _spans(_rows(gold))
    hidden = {place for number in aside for place in range(*spans[number])}
    at, done = 0, []
    for block in conllu.strip(b"\n").split(b"\n\n"):
        rows = _rows(block)
        own = _spans(rows, at)
        at = max((end for _, end in own.values()), default=at)
        left_out = {number for number, span in own.items() if span[0] < span[1] and hidden.issuperset(range(*span))}
        done.append(_left(rows, left_out))
    return "".join(done).encode("utf-8")


def aside_right(conllu: bytes, gold: bytes, aside: Collection[int]) -> bool:
    """Do these words have the head, label, part of speech and features that they have in gold?"""
    if not aside:
        return True
    mine, theirs = ([row for row in _rows(data) if row[0].isdigit()] for data in (conllu, gold))
    return len(mine) == len(theirs) and all(
        mine[number - 1][column] == theirs[number - 1][column] for number in aside for column in _COMPARED
    )


def core_words(words: Sequence[int], aside: Collection[int], length: int) -> tuple[int, ...]:
    """The IDs of edited words among those that are compared; of a word that is not there, that of its neighbour."""
    kept = [number for number in range(1, length + 1) if number not in aside]
    nearest = (min(range(len(kept)), key=lambda place: abs(kept[place] - number)) for number in words)
    return tuple(dict.fromkeys(place + 1 for place in nearest)) if kept else (1,)


def _rows(block: bytes) -> list[list[str]]:
    lines = block.decode("utf-8").strip("\n").split("\n")
    return [line.split("\t") for line in lines if line and not line.startswith("#")]


def _spans(rows: Sequence[Sequence[str]], at: int = 0) -> dict[int, tuple[int, int]]:
    """Where each word stands among the characters that are not blank; words of one token stand where it does."""
    spans: dict[int, tuple[int, int]] = {}
    last = 0
    for row in rows:
        first, _, end = row[0].partition("-")
        if not first.isdigit() or (not end and int(first) <= last):
            continue
        last = int(end or first)
        size = len(characters(row[1]))
        spans |= dict.fromkeys(range(int(first), last + 1), (at, at + size))
        at += size
    return spans


def _left(rows: Sequence[list[str]], left_out: Collection[int]) -> str:
    """The rows without these words; tokens and empty nodes are not compared and go."""
    words = {int(row[0]): row for row in rows if row[0].isdigit()}
    kept = [number for number in words if number not in left_out]
    new = {0: 0} | {number: place for place, number in enumerate(kept, 1)}
    lines = []
    for number in kept:
        row = list(words[number])
        head, steps = (int(row[_HEAD]) if row[_HEAD].isdigit() else -1), 0
        while head in left_out and steps <= len(words):
            above = words[head][_HEAD]
            head, steps = (int(above) if above.isdigit() else -1), steps + 1
        row[0], row[_HEAD] = str(new[number]), str(new[head]) if head in new else "_"
        row[_LABEL] += MARK if steps else ""
        row[8] = row[9] = "_"
        lines.append("\t".join(row) + "\n")
    return "".join(lines) + "\n" if lines else ""
