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
from .judged import JudgedConstructions
from .verdict import CLASSES, NOPARSE, RIGHT, SHOWN, UNDECIDED, Verdict, table_of

Key = tuple[tuple[str, Value], ...]
Answers = dict[str, dict[tuple[str, str, bool], tuple[str, bool]]]
"""System to suite, item and whether it is shown in part, to phenomenon and whether it is right."""


@dataclass(frozen=True, slots=True)
class ConstructionTally:
    """The items of one system in one group, by class."""

    suite: str
    system: str
    by: Key
    counts: Counter[str]
    """Items by primary class; right, shown, noparse and n/a among them."""
    held: Counter[str]
    """Items for which a class holds, be it the primary one or not."""

    @property
    def items(self) -> int:
        return self.counts.total()

    @property
    def n(self) -> int:
        """Items that are judged: all but n/a."""
        return self.items - self.counts[UNDECIDED]

    def share(self, *names: str) -> tuple[float, float, float] | None:
        """Per cent of the judged items in these classes, with its interval; None if there are none."""
        if not self.n or UNDECIDED in names:
            return None
        interval = wilson(sum(self.counts[name] for name in names), self.n)
        low, high = interval.low or 0.0, interval.high or 0.0
        return 100 * interval.value, 100 * low, 100 * high


@dataclass(frozen=True, slots=True)
class AccuracyDifference:
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


def tallies(judged: Sequence[JudgedConstructions]) -> list[ConstructionTally]:
    """For each system: all items, then those of each phenomenon and of each variant."""
    made = []
    for performance in judged:
        groups: dict[Key, list[Verdict]] = {(): [], (("scheme", performance.suite.scheme),): []}
        for phenomenon in PHENOMENA:
            groups[_key(performance, phenomenon)] = []
        for item, verdict in zip(performance.suite.items, performance.verdicts, strict=True):
            construction = item.construction
            keys = [(), (("scheme", performance.suite.scheme),), _key(performance, construction.phenomenon)]
            if construction.variant:
                keys.append((*_key(performance, construction.phenomenon), ("variant", construction.variant)))
            for key in keys:
                groups.setdefault(key, []).append(verdict)
        for key, verdicts in groups.items():
            if verdicts:
                counts = Counter(verdict.primary for verdict in verdicts)
                held = Counter(code for verdict in verdicts for code in verdict.codes)
                made.append(ConstructionTally(performance.suite.name, performance.system, key, counts, held))
    return made


def together(counted: Sequence[ConstructionTally]) -> list[ConstructionTally]:
    """The phenomena over all suites of a system, for systems that have several."""
    suites: dict[str, list[str]] = {}
    for tally in counted:
        if not tally.by:
            suites.setdefault(tally.system, []).append(tally.suite)
    pooled = []
    for system, names in suites.items():
        for phenomenon in PHENOMENA if len(names) > 1 else ():
            key = ("phenomenon", phenomenon)
            parts = [tally for tally in counted if tally.system == system and tally.by[1:] == (key,)]
            if parts:
                counts = sum((part.counts for part in parts), Counter[str]())
                held = sum((part.held for part in parts), Counter[str]())
                pooled.append(ConstructionTally(", ".join(names), system, (key,), counts, held))
    return pooled


def _key(performance: JudgedConstructions, phenomenon: str) -> Key:
    return (("scheme", performance.suite.scheme), ("phenomenon", phenomenon))


def classes_of(tally: ConstructionTally) -> list[str]:
    """The classes that a group can have, in the order of the paper's table."""
    phenomenon = dict(tally.by).get("phenomenon")
    return [RIGHT, SHOWN, *(CLASSES[table_of(str(phenomenon))] if phenomenon else ()), NOPARSE, UNDECIDED]


def differences(judged: Sequence[JudgedConstructions], *, draws: int = 1000, seed: int = 0) -> list[AccuracyDifference]:
    """Each system against the first, on the items that both were asked the same of, in whichever scheme."""
    answers: Answers = {}
    for performance in judged:
        own = answers.setdefault(performance.system, {})
        for item, verdict in zip(performance.suite.items, performance.verdicts, strict=True):
            if verdict.primary != UNDECIDED:  # an item that one scheme shows in full and the other in part is two
                key = (performance.suite.name, item.item, verdict.partial)
                own[key] = (item.construction.phenomenon, verdict.right)
    if len(answers) < 2:
        return []
    baseline, *others = answers
    compared = [
        difference
        for system in others
        for phenomenon in ("", *PHENOMENA)
        for difference in _difference(answers, baseline, system, phenomenon, draws, seed)
    ]
    corrected = holm([difference.p for difference in compared])
    return [replace(difference, p_holm=p) for difference, p in zip(compared, corrected, strict=True)]


def _difference(
    answers: Answers,
    baseline: str,
    system: str,
    phenomenon: str,
    draws: int,
    seed: int,
) -> Iterator[AccuracyDifference]:
    ours, theirs = answers[baseline], answers[system]
    shared = [key for key in ours if key in theirs and phenomenon in ("", ours[key][0])]
    if not shared:
        return
    first, second = (np.array([side[key][1] for key in shared], dtype=np.int64) for side in (ours, theirs))
    first_only, second_only = int((first > second).sum()), int((second > first).sum())
    low = high = None
    if draws and len(shared) > 1:
        ones = np.ones(len(shared), dtype=np.int64)
        drawn = paired_bootstrap((first, ones), (second, ones), draws=draws, seed=seed)
        low, high = 100 * drawn.low, 100 * drawn.high
    value = 100 * float(second.mean() - first.mean())
    p = mcnemar(first_only, second_only).p
    yield AccuracyDifference(baseline, system, phenomenon, len(shared), first_only, second_only, value, low, high, p)
