"""Acquisition: the accuracy of each class over the checkpoints of a model, and from which step on it is learned."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ...runs.layout import Column, FindingIndex, measured, short_names, table
from ...runs.result import Finding, Table, Value
from ..chance import CHANCE
from .findings import suites_name
from .outcomes import chance_of
from .scores import SuiteScore, SuiteScores
from .settings import STEP, STUDY
from .suite_groups import groups_of

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

    def findings(self) -> Iterator[Finding]:
        """Accuracies by step, chance, and the steps from which on accuracy is above chance and the threshold."""
        for group in self.groups:
            chance = 100 * sum(chance_of(self.scores.suites[place]) for place in group.places) / len(group.places)
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
                n = next(iter(scores.values())).n
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
