"""The findings of the surprisal study, effects word by word included."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ...runs.result.result import Finding, Value
from ...stats.sampling import Clusters
from ...suites.regions.model import RegionSuite
from ...suites.regions.positions import EFFECTS, contrasts_of
from ..engine.corrections import difference_findings, family_of
from ..engine.grouping import ColumnGroups
from ..engine.verdicts import CHANCE, chance_finding
from .asking import AskedSuite, Floats
from .declaration import STUDY
from .outcomes import SurprisalDifference, comparison_names, mean_difference
from .scores import SuiteGroup, SuiteScore, SuiteScores, groups_of, ladders_of, seed_mean

if TYPE_CHECKING:
    from .study import JudgedSurprisal


MEASURES = (
    "accuracy", "items_right", "ties", "accuracy_known", "oov_items", "accuracy_per_token", "accuracy_per_character",
    "accuracy_per_byte",
)  # fmt: skip
OVER_ITEMS, HUMAN = "accuracy_over_items", "human_accuracy"
"""Accuracy as the mean over all items, not over suites; that of people; and what guessing gives."""
_LEVELS = ("class", "suite", "comparison")
"""Differences are tested for each of these; p is corrected within a level."""


def suites_name(suites: Sequence[RegionSuite]) -> str:
    """The title of one suite, or how many they are."""
    return suites[0].title if len(suites) == 1 else f"{len(suites)} suites"


def suite_keys(suite: RegionSuite) -> dict[str, Value]:
    """The group that a finding of one suite belongs to."""
    return {key: value for key in ("class", "modifier") if (value := suite.property_of(key))}


def surprisal_findings(
    scores: SuiteScores, seeds: Mapping[str, Sequence[int]], by_column: ColumnGroups | None = None
) -> Iterator[Finding]:
    """All findings: system by system, then the differences of all of them.

    One suite alone is also all suites, and all of its class: what is the same finding is given once.
    """
    seen: set[object] = set()
    for finding in _findings(scores, seeds, by_column):
        key = (finding.suite, finding.system, finding.measure, *finding.by.items())
        if key not in seen:
            seen.add(key)
            yield finding


def _findings(
    scores: SuiteScores, seeds: Mapping[str, Sequence[int]], by_column: ColumnGroups | None
) -> Iterator[Finding]:
    everything = tuple(range(len(scores.suites)))
    whole = suites_name(scores.suites)
    groups = groups_of(scores.suites)
    for system in scores.outcomes:
        yield from _scored(scores, system, whole, {}, everything)
        for group in groups:
            yield from _scored(scores, system, whole, group.by, group.places)
        for place, suite in enumerate(scores.suites):
            by = suite_keys(suite)
            yield from _scored(scores, system, suite.title, by, (place,))
            for number in range(1, len(suite.predictions) + 1):
                score = scores.score(system, (place,), f"prediction {number}")
                keys: dict[str, Value] = {**by, "prediction": number}
                yield Finding(STUDY, suite.title, system, "accuracy", score.value, score.n, score.low, score.high, keys)
        for column_keys, chosen in zip(by_column.groups, by_column.members, strict=True) if by_column else ():
            for measure in MEASURES:
                yield from _found(whole, system, measure, scores.over_items(system, chosen, measure), column_keys)
        yield from _kinds(scores, system, whole)
        yield from _steps(scores, system, whole)
    yield from _people(scores.suites, whole)
    yield from _tested(scores, whole)
    yield from _against_chance(scores, whole)
    yield from _between_systems(scores, whole)
    for system in scores.outcomes:
        yield Finding(STUDY, whole, system, "items_failed", scores.failed(system), sum(map(len, scores.suites)))
        for group in groups:
            if failed := scores.failed(system, group.places):
                size = sum(len(scores.suites[place]) for place in group.places)
                yield Finding(STUDY, whole, system, "items_failed", failed, size, by=group.by)
    for system, numbers in seeds.items():
        yield Finding(STUDY, whole, system, "seeds", len(numbers))
    for group in groups:
        if "kind" in group.by:
            yield Finding(STUDY, whole, "", "suites", len(group.places), by=group.by)


def _scored(
    scores: SuiteScores, system: str, suite: str, by: Mapping[str, Value], places: Sequence[int]
) -> Iterator[Finding]:
    for measure in MEASURES:
        yield from _found(suite, system, measure, scores.score(system, places, measure), by)
    if len(places) > 1:
        pooled = scores.over_items(system, scores.items_of(places), "accuracy")
        yield from _found(suite, system, OVER_ITEMS, pooled, by)


def _found(suite: str, system: str, measure: str, score: SuiteScore, by: Mapping[str, Value]) -> Iterator[Finding]:
    if score.value is not None:
        yield Finding(STUDY, suite, system, measure, score.value, score.n, score.low, score.high, by)


def are_pairs(suites: Sequence[RegionSuite]) -> bool:
    """Do all items compare two sentences, once?"""
    return all(len(suite.asked) == 2 and len(comparison_names(suite)) == 1 for suite in suites)


def _people(suites: Sequence[RegionSuite], whole: str) -> Iterator[Finding]:
    """What people achieve, where it was published for every suite of a group."""
    known = {place: suite.said("human_accuracy") for place, suite in enumerate(suites)}
    groups = [SuiteGroup({}, tuple(known)), *(group for group in groups_of(suites) if tuple(group.by) == ("class",))]
    for group in groups:
        values = [float(known[place]) for place in group.places if known[place] is not None]
        if len(values) == len(group.places):
            yield Finding(STUDY, whole, "", HUMAN, sum(values) / len(values), len(values), by=group.by)
    for place, suite in enumerate(suites):
        if known[place] is not None and len(suites) > 1:
            yield Finding(STUDY, suite.title, "", HUMAN, float(known[place]), by=suite_keys(suite))


def _kinds(scores: SuiteScores, system: str, whole: str) -> Iterator[Finding]:
    """Syntactic against semantic classes (Section 4 and Appendix D.1)."""
    sides = {
        kind: [place for place, suite in enumerate(scores.suites) if suite.property_of("kind") == kind]
        for kind in ("syntactic", "semantic")
    }
    if all(sides.values()):
        gap = scores.gap(system, sides["syntactic"], sides["semantic"])
        by: dict[str, Value] = {"kind": "syntactic", "against": "semantic"}
        yield Finding(STUDY, whole, system, "accuracy_gap", gap.value, gap.n, gap.low, gap.high, by)


def _steps(scores: SuiteScores, system: str, whole: str) -> Iterator[Finding]:
    """Accuracy and difference by complexity of the modifier, and what a step changes (Section 4.1)."""
    for name, ladder in ladders_of(scores.suites).items():
        for step, place in ladder:
            by: dict[str, Value] = {
                "class": name, "complexity": _plain(step), "modifier": scores.suites[place].property_of("modifier"),
            }  # fmt: skip
            score = scores.score(system, (place,), "accuracy")
            yield Finding(STUDY, whole, system, "accuracy", score.value, score.n, score.low, score.high, by)
            test = scores.difference(system, (place,))
            yield next(test.findings((STUDY, whole, system), "difference", by))
        slope = scores.slope(system, [place for _, place in ladder], [step for step, _ in ladder])
        by = {"class": name}
        yield Finding(STUDY, whole, system, "accuracy_per_step", slope.value, slope.n, slope.low, slope.high, by)


def _plain(step: float) -> float | int:
    return int(step) if step.is_integer() else step


def _tested(scores: SuiteScores, whole: str) -> Iterator[Finding]:
    """Mean differences with their t-tests: by class, by suite, by comparison."""
    for level in _LEVELS:
        for system in scores.outcomes:
            for suite, keys, test in _differences(scores, system, whole, level):
                yield from test.findings((STUDY, suite, system), "difference", keys)
                if test.t is not None:
                    yield Finding(STUDY, suite, system, "difference_t", test.t, test.n, by=keys)


def family(test: Finding) -> Hashable:
    """Return what a test is corrected with; mean differences by class, suite and comparison are three families."""
    if test.measure in ("difference_p", f"{EFFECT}_p"):
        return test.measure, tuple(test.by)
    return family_of(test)


def _levels(scores: SuiteScores) -> Iterator[dict[tuple[tuple[str, Value], ...], Sequence[int]]]:
    """All suites together, then each class: p is corrected within each of the two."""
    yield {(): range(len(scores.suites))}
    yield {tuple(group.by.items()): group.places for group in groups_of(scores.suites) if tuple(group.by) == ("class",)}


def _against_chance(scores: SuiteScores, whole: str) -> Iterator[Finding]:
    """The accuracy that chance has, and p of a system having no more and no less; n of p are clusters."""
    for groups in _levels(scores):
        for group, places in groups.items():
            chance = scores.chance(places)
            if chance is None:
                continue
            n = sum(len(scores.suites[place]) for place in places)
            yield Finding(STUDY, whole, "", CHANCE, chance, n, by=dict(group))
            for system in scores.outcomes:
                accuracy = scores.score(system, places, "accuracy").estimate
                if accuracy is not None:
                    yield chance_finding(STUDY, whole, system, dict(group), accuracy, chance)


def _between_systems(scores: SuiteScores, whole: str) -> Iterator[Finding]:
    """The accuracy of each system minus that of the first, in points; n of p are clusters."""
    first, *others = scores.outcomes
    for groups in _levels(scores):
        for system in others:
            for group, places in groups.items():
                test, n = scores.against(first, system, places), sum(len(scores.suites[place]) for place in places)
                keys: dict[str, Value] = {**dict(group), "baseline": first}
                head = (STUDY, whole, system)
                yield from difference_findings(head, "accuracy_difference", "accuracy_p", test, keys, n)


def _differences(
    scores: SuiteScores, system: str, whole: str, level: str
) -> Iterator[tuple[str, dict[str, Value], SurprisalDifference]]:
    """Suite, group and test of every difference of a level."""
    if level == "class":
        for group in groups_of(scores.suites):
            if tuple(group.by) == ("class",):
                yield whole, dict(group.by), scores.difference(system, group.places)
        return
    for place, suite in enumerate(scores.suites):
        directed = directed_comparisons(suite)
        if level == "suite" and len(directed) == len(suite.predictions):
            yield suite.title, {}, scores.difference(system, (place,))
        elif level == "comparison" and needs_comparisons(suite):
            for at, (number, part) in enumerate(directed):
                keys: dict[str, Value] = {"prediction": number, "comparison": part}
                yield suite.title, keys, scores.difference(system, (place,), at)


def directed_comparisons(suite: RegionSuite) -> list[tuple[int, int]]:
    """(prediction, comparison) of those with < or >."""
    return [(number, part) for number, part, directed in comparison_names(suite) if directed]


def needs_comparisons(suite: RegionSuite) -> bool:
    """Are the comparisons of the suite told one by one, because the suite has not one for all?"""
    return not len(directed_comparisons(suite)) == len(suite.predictions) == 1


EFFECT = "effect"


def has_effects(asked: AskedSuite) -> bool:
    """Does the suite name words whose effects are wanted, and two conditions to compare?"""
    return bool(asked.suite.said(EFFECTS)) and len(contrasts_of(asked.suite)) == 1


def word_effects(asked: AskedSuite, bits: Sequence[Floats], region: int) -> Floats:
    """Harder minus easier condition for each item; NaN where the words differ or one was not scored.

    bits: (sentences as asked) × (words), of one seed.
    """
    (contrast,) = contrasts_of(asked.suite)
    sides: dict[int, dict[str, tuple[tuple[str, ...], float]]] = {}
    for (item, condition), cut, values in zip(asked.order, asked.cut, bits, strict=True):
        begin = sum(len(words) for number, words in cut.items() if number < region)
        words = cut.get(region, ())
        total = float(values[begin : begin + len(words)].sum()) if words else np.nan
        sides.setdefault(id(item), {})[condition.name] = (words, total)
    effects = np.full(len(asked.suite), np.nan)
    for place, item in enumerate(asked.suite.items):
        harder, easier = (sides[id(item)][name] for name in (contrast.harder, contrast.easier))
        if harder[0] == easier[0]:
            effects[place] = harder[1] - easier[1]
    return effects


def effect_findings(judged: JudgedSurprisal, suite: str, clusters: Clusters, independent: bool) -> Iterator[Finding]:
    """The mean effect at each word by class, with its interval and the p of no effect.

    n of an effect are items, n of its p clusters. One item alone is no mean.
    """
    begins = np.cumsum([0, *(len(asked.suite) for asked in judged.asked)])
    groups: dict[str, list[int]] = {}
    for place, asked in enumerate(judged.asked):
        if has_effects(asked):
            groups.setdefault(asked.suite.property_of("class") or asked.suite.title, []).append(place)
    for system, answer in judged.answers.items():
        for name, places in groups.items() if not answer.axis else ():
            items = np.concatenate([np.arange(begins[place], begins[place + 1]) for place in places])
            first = judged.asked[places[0]].suite
            for region in first.said(EFFECTS):
                by_seed = [
                    np.concatenate(
                        [word_effects(judged.asked[place], answer.words[place][seed], region) for place in places]
                    )
                    for seed in range(len(answer.seeds))
                ]
                means = seed_mean(by_seed)
                there = ~np.isnan(means)
                if there.sum() < 2:
                    continue
                test = mean_difference(means, None if independent else clusters.at(items), np.stack(by_seed))
                keys: dict[str, Value] = {"class": name, "word": first.region_names.get(region, str(region))}
                yield from test.findings((STUDY, suite, system), EFFECT, keys)
