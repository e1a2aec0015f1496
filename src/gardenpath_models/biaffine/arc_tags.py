"""Dependency arcs as tags of words: which word of a part of speech, counted from here, is the head."""

from __future__ import annotations

from collections.abc import Sequence

ROOT_LABEL = "root"


def arc_tags(tags: Sequence[str], heads: Sequence[int], labels: Sequence[str]) -> list[str]:
    """Return `+2 NOUN nsubj` for a subject whose head is the second noun to its right, `0  root` for the root.

    >>> arc_tags(["DET", "NOUN", "VERB"], [2, 3, 0], ["det", "nsubj", "root"])
    ['+1 NOUN det', '+1 VERB nsubj', '0  root']
    """
    made = []
    for at, (head, label) in enumerate(zip(heads, labels, strict=True)):
        if not head:
            made.append(f"0  {label}")
            continue
        upos = tags[head - 1]
        between = tags[at + 1 : head] if head - 1 > at else tags[head - 1 : at]
        distance = between.count(upos) * (1 if head - 1 > at else -1)
        made.append(f"{distance:+d} {upos} {label}")
    return made


def split_tag(tag: str) -> tuple[int, str, str]:
    """Return distance, part of speech and label of an arc tag."""
    distance, upos, label = tag.split(" ", 2)
    return int(distance), upos, label


def head_at(tags: Sequence[str], at: int, distance: int, upos: str) -> int | None:
    """Return the head (from 1; 0 is the root) that an arc tag of the word `at` names; None if there is no such word."""
    if not distance:
        return 0
    places = range(at + 1, len(tags)) if distance > 0 else range(at - 1, -1, -1)
    found = [place + 1 for place in places if tags[place] == upos]
    return found[abs(distance) - 1] if len(found) >= abs(distance) else None
