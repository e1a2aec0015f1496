"""What acquisition curves say in sentences: from which step on, at which classes, at which not, and what was lost.

No test is corrected over steps and classes here, so nothing is *shown*: what the 95 % interval of a checkpoint bears
is *suggested*. A step is the first checkpoint from which on it holds; the order of two steps is not tested.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ...runs.layout import FindingIndex, short_names
from ...runs.result import Finding, Value, Verdict
from ...runs.verdict import NOT_SHOWN, SUGGESTED, count_text, listed, score_text
from ..chance import CHANCE
from .acquisition import ABOVE_CHANCE
from .settings import STEP

_LEAST = 10
"""Items of a class before it is spoken of."""
_NAMED = 4
"""Classes that a sentence names."""


@dataclass(frozen=True)
class LearningCurve:
    """Accuracy over steps at one class (or suite, or all of them), and from where it is above chance."""

    name: str
    learned: Finding
    chance: Finding
    scores: dict[Value, Finding]

    @property
    def last(self) -> Finding:
        return self.scores[max(self.scores, key=lambda step: int(step or 0))]

    @property
    def first(self) -> Finding | None:
        """The accuracy at the step from which on it is above chance."""
        return self.scores.get(self.learned.value)

    @property
    def side(self) -> str:
        """Where the interval of the last checkpoint lies, beside chance."""
        chance, last = float(self.chance.value or 0), self.last
        return "above" if self.first else "below" if last.high is not None and last.high < chance else ""


def acquisition_verdicts(findings: Sequence[Finding]) -> Iterator[Verdict]:
    """Of every system with an axis: all items together, then its classes."""
    index = FindingIndex(findings)
    systems = list(dict.fromkeys(finding.system for finding in findings if finding.measure == ABOVE_CHANCE))
    for system, name in short_names(systems).items():
        whole, *classes = _curves(index, system)
        yield from _whole(name, whole, index.get("seeds", system))
        spoken_of = [curve for curve in classes if (curve.last.n or 0) >= _LEAST]
        yield from _learned(name, [curve for curve in spoken_of if curve.side == "above"])
        for side in ("below", ""):
            yield from _not_learned(name, [curve for curve in spoken_of if curve.side == side], side)
        for curve in [whole, *spoken_of]:
            yield from _lost(name, curve, "" if curve is whole else f" at {curve.name}")


def _curves(index: FindingIndex, system: str) -> Iterator[LearningCurve]:
    """All items first, as the findings have them."""
    for learned in index.findings:
        if learned.system != system or learned.measure != ABOVE_CHANCE:
            continue
        by, suite = dict(learned.by), learned.suite
        scores = {
            score.by[STEP]: score
            for score in index.findings
            if (score.measure, score.system, score.suite) == ("accuracy", system, suite)
            and {**score.by} == {**by, STEP: score.by.get(STEP)}
            and score.value is not None
        }
        chance = index.get(CHANCE, "", by, suite)
        if scores and chance:
            yield LearningCurve(str(by.get("class", suite)), learned, chance, scores)


def _whole(name: str, curve: LearningCurve, seeds: Finding | None) -> Iterator[Verdict]:
    """All items: above chance and from which step on, below it, or neither."""
    first, last, alone = curve.first, curve.last, "; one seed" if seeds and seeds.value == 1 else ""
    end = f"accuracy {score_text(last)} against {score_text(curve.chance)}, {count_text(last.n, 'item')}{alone}"
    at_last = f"at step {_step(last)}, the last"
    if first is not None and first is not last:
        claim = f"is above chance from step {_step(first)} on: accuracy {score_text(first)} there, and {at_last},"
    else:
        claim = f"is {curve.side or 'not shown to be above'} chance {at_last}:"
    sure = SUGGESTED if curve.side else NOT_SHOWN
    text = f"{name} {claim} {end}{_mark(sure)}."
    rests_on = [curve.learned, curve.chance, last, *(finding for finding in (first, seeds) if finding is not None)]
    yield Verdict(text, sure, tuple(rests_on), weight=100.0)


def _learned(name: str, curves: Sequence[LearningCurve]) -> Iterator[Verdict]:
    """The classes that are above chance at the last step, those with the earliest step first."""
    firsts = [(curve, first) for curve in curves if (first := curve.first)]
    named = sorted(firsts, key=lambda pair: int(pair[1].by[STEP] or 0))[:_NAMED]
    if named:
        parts = [f"{curve.name} from step {_step(first)} on ({score_text(first)} there)" for curve, first in named]
        rests_on = tuple(finding for curve, first in named for finding in (curve.learned, first, curve.chance))
        text = f"{name} is above chance at {listed(parts)}{_others(firsts)}{_mark(SUGGESTED)}."
        yield Verdict(text, SUGGESTED, rests_on, weight=50.0)


def _not_learned(name: str, curves: Sequence[LearningCurve], side: str) -> Iterator[Verdict]:
    """The classes that are not above chance at the last step, the worst first: surely below, or not told from it."""
    named = sorted(curves, key=lambda curve: float(curve.last.value or 0) - float(curve.chance.value or 0))[:_NAMED]
    if named:
        scores = [f"{curve.name} ({score_text(curve.last)} against {score_text(curve.chance)})" for curve in named]
        rests_on = tuple(finding for curve in named for finding in (curve.learned, curve.last, curve.chance))
        sure, at_last = SUGGESTED if side else NOT_SHOWN, f"at step {_step(named[0].last)}, the last"
        claim = f"is {side or 'not shown to be above'} chance at {listed(scores)} {at_last}"
        yield Verdict(f"{name} {claim}{_others(curves)}{_mark(sure)}.", sure, rests_on, weight=40.0)


def _lost(name: str, curve: LearningCurve, where: str) -> Iterator[Verdict]:
    """What was better at an earlier step: its interval lies above that of the last."""
    last, best = curve.last, max(curve.scores.values(), key=lambda score: float(score.value or 0))
    if last.high is not None and best.low is not None and best.low > last.high:
        text = (
            f"{name} was better before{where}: accuracy {score_text(best)} at step {_step(best)} and "
            f"{score_text(last)} at step {_step(last)}, the last{_mark(SUGGESTED)}."
        )
        yield Verdict(text, SUGGESTED, (best, last), weight=float(best.value or 0) - float(last.value or 0))


def _step(score: Finding) -> str:
    """As it is written behind the name of a model."""
    return str(score.by[STEP])


def _mark(sure: str) -> str:
    return "" if sure == NOT_SHOWN else f" ({sure})"


def _others(classes: Sequence[object]) -> str:
    return "; the table has the others" if len(classes) > _NAMED else ""
