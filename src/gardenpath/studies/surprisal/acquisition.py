"""Accuracy over the checkpoints of a model: from which step on a class is learned, and the sentences about it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ...runs.result.layout import Column, FindingIndex, measured, short_names, table
from ...runs.result.result import Finding, Table, Value, Verdict
from ...runs.result.verdict import NOT_SHOWN, SUGGESTED, count_text, listed, outlying, score_text
from ..engine.corrections import corrected
from ..engine.verdicts import CHANCE, Effect, chance_finding, effect_of
from .declaration import STEP, STUDY
from .findings import suites_name
from .outcomes import suite_chance
from .scores import SuiteScore, SuiteScores, groups_of

ABOVE_CHANCE, ABOVE_THRESHOLD = "step_above_chance", "step_above_threshold"
_ACROSS = 8
"""So many classes stand side by side."""
_WHOLE = "all"
_ONE_SEED = "; one seed: another may learn in another order"


@dataclass(frozen=True)
class LearnedGroup:
    """What may be learned: all suites, a class, or where there are none a suite."""

    name: str
    suite: str
    by: Mapping[str, Value]
    places: tuple[int, ...]


class Acquisition:
    """Systems with an axis: `axes` has the name of each checkpoint, as the scores know it, by system and step."""

    def __init__(self, scores: SuiteScores, axes: Mapping[str, Mapping[int, str]], threshold: float) -> None:
        self.scores, self.axes, self.threshold = scores, axes, threshold
        self.groups = _groups(scores)
        self.seeds = {system: len(scores.outcomes[next(iter(steps.values()))][0]) for system, steps in axes.items()}

    def findings(self) -> list[Finding]:
        """Return accuracies by step, chance with its test at the last step, and the steps of chance and threshold.

        The tests of all classes and systems are one family, those of all items together another.
        """
        return corrected(self._findings(), lambda test: len(test.by) > 1 or test.suite != self.groups[0].suite)

    def _findings(self) -> Iterator[Finding]:
        for group in self.groups:
            chance = 100 * sum(suite_chance(self.scores.suites[place]) for place in group.places) / len(group.places)
            yield Finding(STUDY, group.suite, "", CHANCE, chance, by=group.by)
            for system, steps in self.axes.items():
                scores = {
                    step: self.scores.score(checkpoint, group.places, "accuracy")
                    for step, checkpoint in sorted(steps.items())
                }
                for step, score in scores.items():
                    by = {**group.by, STEP: step}
                    yield Finding(
                        STUDY, group.suite, system, "accuracy", score.value, score.n, score.low, score.high, by
                    )
                last = max(scores)
                if estimate := scores[last].estimate:
                    yield chance_finding(STUDY, group.suite, system, {**group.by, STEP: last}, estimate, chance)
                n = scores[last].n
                first = learned_from(scores, chance)
                yield Finding(STUDY, group.suite, system, ABOVE_CHANCE, first, n, by=group.by)
                first = reached_from(scores, self.threshold)
                yield Finding(STUDY, group.suite, system, ABOVE_THRESHOLD, first, n, by=group.by)
        for system, seeds in self.seeds.items():
            yield Finding(STUDY, suites_name(self.scores.suites), system, "seeds", seeds)

    def tables(self, findings: Sequence[Finding]) -> list[Table]:
        """Steps down and classes across for each system, and when each class was learned."""
        index, names = FindingIndex(findings), short_names(list(self.axes))
        return [*(self._over_steps(index, system, names[system]) for system in self.axes), self._learned(index, names)]

    def _over_steps(self, index: FindingIndex, system: str, name: str) -> Table:
        steps = sorted(self.axes[system])
        columns = [Column(STEP, steps)]
        for group in self.groups if len(self.groups) <= 1 + _ACROSS else self.groups[:1]:
            scores = [index.get("accuracy", system, {**group.by, STEP: step}, group.suite) for step in steps]
            columns += measured(group.name, scores, interval=group is self.groups[0])
        note = f"Per cent of the predictions that hold; intervals are over {self.scores.clusters.name}s"
        seeds = self.seeds[system]
        if seeds > 1 and not self.scores.independent:
            note += f" and {seeds} seeds"
        return table(f"Accuracy over steps: {name}", columns, note=note + (_ONE_SEED if seeds == 1 else ""))

    def _learned(self, index: FindingIndex, names: Mapping[str, str]) -> Table:
        rows = [(group, system) for group in self.groups for system in self.axes]

        def measure(name: str) -> list[Finding | None]:
            return [index.get(name, system, group.by, group.suite) for group, system in rows]

        last = [
            index.get("accuracy", system, {**group.by, STEP: max(self.axes[system])}, group.suite)
            for group, system in rows
        ]
        kind = "class" if any(group.by for group in self.groups) else "suite"
        columns = [Column(kind, [group.name for group, _ in rows])]
        if len(self.axes) > 1:
            columns.append(Column("system", [names[system] for _, system in rows]))
        columns += [
            *measured("items", last, of="n"),
            *measured("chance", [index.get(CHANCE, "", group.by, group.suite) for group, _ in rows], digits=1),
            *measured("above chance from step", measure(ABOVE_CHANCE)),
            *measured(f"at {self.threshold:g} % from step", measure(ABOVE_THRESHOLD)),
            *measured("accuracy at the last", last, interval=True),
        ]
        note = (
            "Above chance: at this and every later checkpoint the 95 % interval lies above chance, each class taken "
            f"for itself; at {self.threshold:g} %: at this and every later one the accuracy itself is as high"
        )
        return table("When it was learned", columns, note=note + (_ONE_SEED if 1 in self.seeds.values() else ""))


def learned_from(scores: Mapping[int, SuiteScore], chance: float) -> int | None:
    """The first step from which on the interval of every checkpoint lies above chance; None where the last does not."""
    return _from({step: score.low is not None and score.low > chance for step, score in scores.items()})


def reached_from(scores: Mapping[int, SuiteScore], threshold: float) -> int | None:
    """The first step from which on the accuracy of every checkpoint is the threshold or more."""
    return _from({step: score.value is not None and score.value >= threshold for step, score in scores.items()})


def _from(holds: Mapping[int, bool]) -> int | None:
    first = None
    for step in sorted(holds, reverse=True):
        if not holds[step]:
            break
        first = step
    return first


def _groups(scores: SuiteScores) -> list[LearnedGroup]:
    suites, whole = scores.suites, suites_name(scores.suites)
    groups = [LearnedGroup(_WHOLE, whole, {}, tuple(range(len(suites))))]
    classes = [group for group in groups_of(suites) if tuple(group.by) == ("class",)]
    groups += [LearnedGroup(str(group.by["class"]), whole, group.by, group.places) for group in classes]
    if not classes and len(suites) > 1:
        groups += [LearnedGroup(suite.title, suite.title, {}, (place,)) for place, suite in enumerate(suites)]
    return groups


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
    test: Effect | None
    """The last accuracy against chance, with its corrected p."""

    @property
    def last(self) -> Finding:
        return self.scores[max(self.scores, key=lambda step: int(step or 0))]

    @property
    def first(self) -> Finding | None:
        """The accuracy at the step from which on it is above chance."""
        return self.scores.get(self.learned.value)

    @property
    def side(self) -> str:
        """`above` or `below` chance at the last checkpoint, or empty if that is not even suggested."""
        if self.test is None or self.test.sure == NOT_SHOWN:
            return ""
        above = float(self.last.value or 0) > float(self.chance.value or 0)
        return "above" if above and self.first else "" if above else "below"

    @property
    def rests_on(self) -> tuple[Finding, ...]:
        return (self.learned, self.chance, *(self.test.rests_on if self.test else (self.last,)))


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
            last = max(scores, key=lambda step: int(step or 0))
            test = effect_of(index, "accuracy", "chance_p", system, {**by, STEP: last}, suite)
            yield LearningCurve(str(by.get("class", suite)), learned, chance, scores, test)


def _whole(name: str, curve: LearningCurve, seeds: Finding | None) -> Iterator[Verdict]:
    """All items: above chance and from which step on, below it, or neither."""
    first, last, alone = curve.first, curve.last, "; one seed" if seeds and seeds.value == 1 else ""
    end = f"accuracy {score_text(last)} against {score_text(curve.chance)}, {count_text(last.n, 'item')}{alone}"
    at_last = f"at step {_step(last)}, the last"
    if curve.side == "above" and first is not None and first is not last:
        claim = f"is above chance from step {_step(first)} on: accuracy {score_text(first)} there, and {at_last},"
    else:
        claim = f"is {curve.side or 'not shown to be above'} chance {at_last}:"
    sure = SUGGESTED if curve.side else NOT_SHOWN
    text = f"{name} {claim} {end}{_mark(sure)}."
    rests_on = [*curve.rests_on, *(finding for finding in (first, seeds) if finding is not None)]
    yield Verdict(text, sure, tuple(rests_on), weight=100.0)


def _learned(name: str, curves: Sequence[LearningCurve]) -> Iterator[Verdict]:
    """The classes that are above chance at the last step, those with the earliest step first."""
    firsts = [(curve, first) for curve in curves if (first := curve.first)]
    named = sorted(firsts, key=lambda pair: int(pair[1].by[STEP] or 0))[:_NAMED]
    if named:
        parts = [f"{curve.name} from step {_step(first)} on ({score_text(first)} there)" for curve, first in named]
        rests_on = tuple(finding for curve, first in named for finding in (first, *curve.rests_on))
        text = f"{name} is above chance at {listed(parts)}{_others(firsts)}{_mark(SUGGESTED)}."
        yield Verdict(text, SUGGESTED, rests_on, weight=50.0)


def _not_learned(name: str, curves: Sequence[LearningCurve], side: str) -> Iterator[Verdict]:
    """The classes that are not above chance at the last step, the worst first: surely below, or not told from it."""
    named = sorted(curves, key=lambda curve: float(curve.last.value or 0) - float(curve.chance.value or 0))[:_NAMED]
    if named:
        scores = [f"{curve.name} ({score_text(curve.last)} against {score_text(curve.chance)})" for curve in named]
        rests_on = tuple(finding for curve in named for finding in curve.rests_on)
        sure, at_last = SUGGESTED if side else NOT_SHOWN, f"at step {_step(named[0].last)}, the last"
        claim = f"is {side or 'not shown to be above'} chance at {listed(scores)} {at_last}"
        yield Verdict(f"{name} {claim}{_others(curves)}{_mark(sure)}.", sure, rests_on, weight=40.0)


def _lost(name: str, curve: LearningCurve, where: str) -> Iterator[Verdict]:
    """Yield what was better at an earlier step.

    Intervals that do not meet and a correction for the steps leave little to luck (p below .006) at a single class.
    """
    last = curve.last
    steps = {str(step): score for step, score in curve.scores.items()}
    higher = outlying(steps, last, least=1, low=False)
    if higher:
        best = steps[higher[0]]
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
