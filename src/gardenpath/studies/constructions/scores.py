"""Accuracy and error classes of groups of items, with Wilson intervals; and systems paired on the same items."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...runs.result import Value
from ...stats.corrections import holm
from ...stats.intervals import wilson
from ...stats.resample import paired_bootstrap
from ...stats.tests import mcnemar
from ...suites.constructions.model import PHENOMENA
from .judged import Judged
from .verdict import CLASSES, NOPARSE, RIGHT, UNDECIDED, Verdict, table_of

Key = tuple[tuple[str, Value], ...]


@dataclass(frozen=True, slots=True)
class Tally:
    """The items of one system in one group, by class."""

    suite: str
    system: str
    by: Key
    counts: Counter[str]
    """Items by primary class; right, noparse and n/a among them."""
    held: Counter[str]
    """Items for which a class holds, be it the primary one or not."""

    @property
    def items(self) -> int:
        return self.counts.total()

    @property
    def n(self) -> int:
        """Items that are judged: all but n/a."""
        return self.items - self.counts[UNDECIDED]

    def share(self, name: str) -> tuple[float, float, float] | None:
        """Per cent of the judged items in this class, with its interval; None if there are none."""
        if not self.n or name == UNDECIDED:
            return None
        found = wilson(self.counts[name], self.n)
        low, high = found.low or 0.0, found.high or 0.0
        return 100 * found.value, 100 * low, 100 * high


@dataclass(frozen=True, slots=True)
class Difference:
    """Accuracy of `system` minus that of `baseline` on the same items, in points."""

    baseline: str
    system: str
    phenomenon: str
    """Empty: all."""
    n: int
    first_only: int
    second_only: int
    value: float
    low: float | None
    high: float | None
    p: float
    """McNemar's test, mid-p."""
    p_holm: float = 1.0


def tallies(judged: Sequence[Judged]) -> list[Tally]:
    """For each system: all items, then those of each phenomenon and of each variant."""
    found = []
    for one in judged:
        groups: dict[Key, list[Verdict]] = {(): [], (("scheme", one.suite.scheme),): []}
        for phenomenon in PHENOMENA:
            groups[_key(one, phenomenon)] = []
        for item, verdict in zip(one.suite.items, one.verdicts, strict=True):
            construction = item.construction
            keys = [(), (("scheme", one.suite.scheme),), _key(one, construction.phenomenon)]
            if construction.variant:
                keys.append((*_key(one, construction.phenomenon), ("variant", construction.variant)))
            for key in keys:
                groups.setdefault(key, []).append(verdict)
        for key, verdicts in groups.items():
            if verdicts:
                counts = Counter(verdict.primary for verdict in verdicts)
                held = Counter(code for verdict in verdicts for code in verdict.codes)
                found.append(Tally(one.suite.name, one.system, key, counts, held))
    return found


def _key(one: Judged, phenomenon: str) -> Key:
    return (("scheme", one.suite.scheme), ("phenomenon", phenomenon))


def classes_of(tally: Tally) -> list[str]:
    """The classes that a group can have, in the order of the paper's table."""
    phenomenon = dict(tally.by).get("phenomenon")
    return [RIGHT, *(CLASSES[table_of(str(phenomenon))] if phenomenon else ()), NOPARSE, UNDECIDED]


def differences(judged: Sequence[Judged], *, draws: int = 1000, seed: int = 0) -> list[Difference]:
    """Each system against the first, on the items that both were judged on, in whichever scheme."""
    answers: dict[str, dict[tuple[str, str], tuple[str, bool]]] = {}
    for one in judged:
        own = answers.setdefault(one.system, {})
        for item, verdict in zip(one.suite.items, one.verdicts, strict=True):
            if verdict.primary != UNDECIDED:
                own[one.suite.name, item.item] = (item.construction.phenomenon, verdict.right)
    if len(answers) < 2:
        return []
    baseline, *others = answers
    found = [
        difference
        for system in others
        for phenomenon in ("", *PHENOMENA)
        for difference in _difference(answers, baseline, system, phenomenon, draws, seed)
    ]
    corrected = holm([one.p for one in found])
    return [replace(one, p_holm=p) for one, p in zip(found, corrected, strict=True)]


def _difference(
    answers: dict[str, dict[tuple[str, str], tuple[str, bool]]],
    baseline: str,
    system: str,
    phenomenon: str,
    draws: int,
    seed: int,
) -> Iterator[Difference]:
    ours, theirs = answers[baseline], answers[system]
    shared = [key for key in ours if key in theirs and phenomenon in ("", ours[key][0])]
    if not shared:
        return
    first, second = (np.array([side[key][1] for key in shared], dtype=np.int64) for side in (ours, theirs))
    one, two = int((first > second).sum()), int((second > first).sum())
    low = high = None
    if draws and len(shared) > 1:
        ones = np.ones(len(shared), dtype=np.int64)
        drawn = paired_bootstrap((first, ones), (second, ones), draws=draws, seed=seed)
        low, high = 100 * drawn.low, 100 * drawn.high
    value = 100 * float(second.mean() - first.mean())
    p = mcnemar(one, two).p
    yield Difference(baseline, system, phenomenon, len(shared), one, two, value, low, high, p)
