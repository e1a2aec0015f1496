"""What went wrong in an item as a whole: roles swapped, only one found, wrong head, other label."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath

import numpy as np
from numpy.typing import NDArray

from ...runs.result import Finding, Value
from ...suites.model import RoleSuite
from .arcs import SWAPPED, WRONG_HEAD, JudgedArcs
from .groups import Groups
from .settings import STUDY

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


def item_kinds(judged: JudgedArcs, suite_kind: str = "roles") -> NDArray[np.int8]:
    """Index into KINDS for every item, -1 where it has no gold arc."""
    arcs, outcome = judged.arcs, judged.outcome
    first, right = arcs.is_first, judged.right
    total = arcs.counts
    right_arcs = judged.per_item(right)
    first_total, first_right = judged.per_item(first), judged.per_item(first & right)
    second_total, second_right = total - first_total, right_arcs - first_right
    swapped = judged.per_item(outcome == SWAPPED)
    head_wrong = judged.per_item(outcome >= WRONG_HEAD)
    only_first, only_second = _ONLY[suite_kind]
    code = _NAMES.index
    return np.select(
        [
            total == 0,
            right_arcs == total,
            (first_right == first_total) & (second_right == 0) & (right_arcs > 0),
            (second_right == second_total) & (first_right == 0) & (right_arcs > 0),
            right_arcs > 0,
            head_wrong > 0,
            swapped == total,
        ],
        [-1, code("right"), code(only_first), code(only_second), code("part"), code("wrong-head"), code("swapped")],
        code("other-label"),
    ).astype(np.int8)


def kind_name(code: int) -> str:
    return _NAMES[code] if code >= 0 else ""


def kind_findings(suite: RoleSuite, groups: Groups, system: str, judged: JudgedArcs) -> list[Finding]:
    """Items of each kind and their share, overall, by order and by property."""
    codes = item_kinds(judged, suite.kind)
    kept = codes >= 0
    counts = groups.sums(kept.astype(np.int64), np.where(kept, codes, 0).astype(np.int64), len(KINDS))  # kinds × groups
    name, known = PurePath(suite.name).name, kinds_for(suite.kind)
    findings = []
    for number in [0, *groups.numbers("order"), *groups.numbers("property")]:
        size = int(groups.sizes[number])
        for kind in known:
            count = int(counts[_NAMES.index(kind), number])
            by: dict[str, Value] = {**groups.keys[number], "kind": kind}
            findings.append(Finding(STUDY, name, system, "items", count, size, by=by))
            findings.append(Finding(STUDY, name, system, "items_share", 100 * count / size, size, by=by))
    return findings


def label_findings(suite: RoleSuite, system: str, judged: JudgedArcs) -> list[Finding]:
    """Arcs by gold label, label of the system, and whether the head is right; n is all arcs of the gold label."""
    gold, predicted = judged.arcs.label, judged.predicted
    size = len(predicted.values)
    codes = (gold.codes.astype(np.int64) * size + predicted.codes) * 2 + judged.head_right
    present, counts = np.unique(codes, return_counts=True)
    totals = np.bincount(gold.codes, minlength=len(gold.values)).tolist()
    findings = []
    for code, count in zip(present.tolist(), counts.tolist(), strict=True):
        gold_code, predicted_code = divmod(code // 2, size)
        by: dict[str, Value] = {"label": gold.values[gold_code], "predicted": predicted.values[predicted_code]}
        if not judged.arcs.labels_only:
            by["head"] = "right" if code % 2 else "wrong"
        findings.append(Finding(STUDY, PurePath(suite.name).name, system, "arcs", count, totals[gold_code], by=by))
    return findings
