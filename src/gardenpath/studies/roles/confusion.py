"""What went wrong in an item as a whole: roles swapped, only one found, wrong head, other label."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from .arcs import SWAPPED, WRONG_HEAD, Judged

KINDS: Mapping[str, str] = {
    "right": "all arcs right",
    "swapped": "subject and object swapped",
    "subject-only": "subject right, object not",
    "object-only": "object right, subject not",
    "preposition-only": "preposition right, noun not",
    "noun-only": "noun right, preposition not",
    "part": "some arcs right, in an item of more than two",
    "wrong-head": "no arc right, a head wrong or a word not found",
    "other-label": "no arc right, heads right, other labels",
}
"""Each item is of exactly one kind."""
_NAMES = tuple(KINDS)
_ONLY = {"roles": ("subject-only", "object-only"), "pp": ("preposition-only", "noun-only")}


def kinds_for(suite_kind: str) -> tuple[str, ...]:
    """Those that a suite can have: roles or PP."""
    foreign = {name for kind, names in _ONLY.items() if kind != suite_kind for name in names}
    foreign |= {"swapped"} if suite_kind == "pp" else set()
    return tuple(name for name in KINDS if name not in foreign)


def item_kinds(judged: Judged, suite_kind: str = "roles") -> NDArray[np.int8]:
    """Index into KINDS for every item, -1 where it has no gold arc."""
    arcs, outcome = judged.arcs, judged.outcome
    first, right = arcs.is_first, judged.right
    total = arcs.counts
    found = judged.per_item(right)
    first_total, first_right = judged.per_item(first), judged.per_item(first & right)
    second_total, second_right = total - first_total, found - first_right
    swapped = judged.per_item(outcome == SWAPPED)
    head_wrong = judged.per_item(outcome >= WRONG_HEAD)
    only_first, only_second = _ONLY[suite_kind]
    code = _NAMES.index
    return np.select(
        [
            total == 0,
            found == total,
            (first_right == first_total) & (second_right == 0) & (found > 0),
            (second_right == second_total) & (first_right == 0) & (found > 0),
            found > 0,
            head_wrong > 0,
            swapped == total,
        ],
        [-1, code("right"), code(only_first), code(only_second), code("part"), code("wrong-head"), code("swapped")],
        code("other-label"),
    ).astype(np.int8)


def kind_name(code: int) -> str:
    return _NAMES[code] if code >= 0 else ""
