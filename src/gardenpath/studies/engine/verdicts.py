"""Sentences about systems: how good each is, which is better, where it is weakest, whether it is above chance."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil

from ...runs.result.layout import FindingIndex, short_names
from ...runs.result.result import Finding, Value, Verdict
from ...runs.result.verdict import (
    MEASURED,
    NOT_SHOWN,
    SHOWN,
    count_text,
    difference_text,
    listed,
    outlying,
    sample_text,
    score_text,
    sureness,
)
from ...stats.distributions import student_bound
from ...stats.sampling import Estimate

_LEAST = 30
"""Words that a group has at least before it is called the worst."""
_OVERALL = 100.0
"""What is true of everything outweighs what is true of a part, whatever its points."""
_SCORES = 6
"""Scores at most that one sentence lists: the best ones and the last."""
_NAMED = 3
"""Groups at most that one sentence names."""
_POWER = 0.8416
"""80% of a standard normal distribution lie below."""


@dataclass(frozen=True)
class Effect:
    """A difference or correlation with the p of there being none, alone and corrected; n of p are clusters."""

    finding: Finding
    p: Finding
    holm: Finding
    bh: Finding

    @property
    def size(self) -> float:
        return float(self.finding.value or 0)

    @property
    def effective(self) -> float:
        return self.p.effective or self.p.n or 0

    @property
    def sure(self) -> str:
        p, by_holm, by_bh = (float(test.value or 0) for test in (self.p, self.holm, self.bh))
        return sureness(p, by_holm, by_bh, self.effective)

    @property
    def rests_on(self) -> tuple[Finding, ...]:
        return (self.finding, self.p, self.holm, self.bh)

    @property
    def needed(self) -> int | None:
        """Number of clusters that would show a difference of this size with a power of 80%, from its interval."""
        low, high, size = self.finding.low, self.finding.high, self.size
        if low is None or high is None or not size or not self.p.n or self.effective <= 1:
            return None
        error = (high - low) / (2 * student_bound(self.effective - 1))
        return ceil(self.p.n * ((1.959964 + _POWER) * error / size) ** 2)


def effect_of(
    index: FindingIndex,
    measure: str,
    p: str,
    system: str = "",
    by: Mapping[str, Value] | None = None,
    suite: str | None = None,
) -> Effect | None:
    """Return the findings of one test; None where it was not tested. p itself counts where it was the only test."""
    size, alone = (index.get(name, system, by, suite) for name in (measure, p))
    if size is None or alone is None:
        return None
    by_holm = index.get(f"{p}_holm", system, by, suite) or alone
    effect = Effect(size, alone, by_holm, index.get(f"{p}_bh", system, by, suite) or by_holm)
    tested = all(isinstance(test.value, int | float) for test in (size, alone, by_holm, effect.bh))
    return effect if tested else None


def surest(effects: Iterable[Effect | None]) -> list[Effect]:
    """Return the effects that are at least suggested: what is shown first, then by size."""
    sure = [effect for effect in effects if effect is not None and effect.sure != NOT_SHOWN]
    return sorted(sure, key=lambda effect: (effect.sure != SHOWN, -abs(effect.size)))


def comparisons_text(effect: Effect) -> str:
    """Return how many groups were compared, and of a suggestion how many false ones are among such findings."""
    tests = effect.holm.n or 0
    if tests < 2 or effect.holm is effect.p:
        return ""
    if effect.sure == SHOWN:
        return f"; {tests:,} comparisons"
    q = float(effect.bh.value or 0)
    return f"; {tests:,} comparisons, q {f'= {q:.2f}' if q >= 0.005 else '< 0.01'}"


@dataclass(frozen=True)
class MeasureWords:
    """How sentences speak of a measure: its name, what it is a share of, and what was sampled."""

    measure: str
    name: str
    unit: str
    cluster: str
    more: str = "is better"
    """What a system with more of it is or does; `than` follows."""
    less: str = "is worse"
    seeds: Mapping[str, int] = field(default_factory=dict)
    """How many seeds each system has, where differences go by them."""
    alone: str = ""
    """What is said of a single system, with {system}, {value}, {interval} and {size}; else its name and score."""


def _is_rule(system: str) -> bool:
    return system.startswith("baseline:")


@dataclass(frozen=True)
class Difference:
    """A system against a baseline; `size` is from how much it comes, in words."""

    system: str
    baseline: str
    keys: Mapping[str, Value]
    effect: Effect
    sure: str
    size: str

    @property
    def is_no_news(self) -> bool:
        """That a rule loses to a system."""
        return self.effect.size < 0 and _is_rule(self.system) and not _is_rule(self.baseline)

    @property
    def alike(self) -> tuple[object, ...]:
        """What differences that one sentence tells have in common."""
        return self.sure, self.effect.size > 0, self.size, self.is_no_news


def named_group(by: Mapping[str, Value]) -> str:
    """`order OVS`."""
    return ", ".join(f"{key} {value}" for key, value in by.items())


class SystemVerdicts:
    """Sentences about one measure of all systems. `names` are the systems as sentences call them."""

    def __init__(self, findings: Sequence[Finding], words: MeasureWords) -> None:
        self.index, self.words = FindingIndex(findings), words
        baselines = [str(finding.by["baseline"]) for finding in findings if "baseline" in finding.by]
        short = short_names(list(dict.fromkeys([*self.index.systems, *baselines])))
        self.names = {system: f"“{name}”" if " " in name else name for system, name in short.items()}

    def overall(self) -> dict[str, Finding]:
        """The score of every system, by the name of the system."""
        scores = {name: self.index.get(self.words.measure, system) for system, name in self.names.items()}
        return {name: score for name, score in scores.items() if score is not None and score.value is not None}

    def scores(self, scores: Mapping[str, Finding], tail: str = "", weight: float = _OVERALL) -> Iterator[Verdict]:
        """How good every system is, in one sentence, the best first; `scores` by what the sentence calls each."""
        best = sorted(scores, key=lambda name: (-float(scores[name].value or 0), name))
        if not best:
            return
        named = best if len(best) <= _SCORES else [*best[: _SCORES - 1], best[-1]]
        sizes = {name: count_text(scores[name].n, self.words.unit) for name in named}
        same = sizes[named[0]] if len(set(sizes.values())) == 1 else ""
        if len(best) == 1 and self.words.alone:
            value, _, interval = score_text(scores[best[0]]).partition(" ")
            text = self.words.alone.format(system=best[0], value=value, interval=interval, size=same)
        elif len(best) == 1:
            text = f"{best[0]}: {self.words.name} {score_text(scores[best[0]])}, {same}"
        else:
            parts = [f"{name} {score_text(scores[name])}{'' if same else f' ({sizes[name]})'}" for name in named]
            parts[-1:] = ["…", parts[-1]] if len(named) < len(best) else parts[-1:]
            text = f"{self.words.name[0].upper()}{self.words.name[1:]}: {', '.join(parts)}{f'; {same}' if same else ''}"
        yield Verdict(f"{text}{tail}.", MEASURED, tuple(scores[name] for name in named), weight)

    def difference(
        self,
        system: str,
        baseline: str,
        by: Mapping[str, Value] | None = None,
        *,
        where: str = "",
        also: str = "",
        keyed: bool = True,
        most: str = SHOWN,
    ) -> Iterator[Verdict]:
        """Is it better than the baseline, in all or in the group `by`, which the sentence calls `where`?

        Of a group nothing is said where nothing is shown. `also` is said of a difference that is there; `keyed`: the
        findings name their baseline; `most`: how sure it can be at most.
        """
        difference = self._difference(
            system, baseline, {**(by or {}), **({"baseline": baseline} if keyed else {})}, most
        )
        if difference is None:
            return
        if difference.sure != NOT_SHOWN:
            yield self._told([difference], where, also)
        elif not where:
            yield self._not_shown(difference)

    def differences(self, systems: Sequence[str], baseline: str) -> Iterator[Verdict]:
        """Which are better than the baseline, which worse, each in one sentence, and of which neither is shown."""
        there: dict[tuple[object, ...], list[Difference]] = {}
        for system in systems:
            difference = self._difference(system, baseline, {"baseline": baseline}, SHOWN)
            if difference is None:
                continue
            if difference.sure == NOT_SHOWN:
                yield self._not_shown(difference)
            else:
                there.setdefault(difference.alike, []).append(difference)
        for alike in there.values():
            yield self._told(sorted(alike, key=lambda member: (-abs(member.effect.size), self.names[member.system])))

    def _difference(self, system: str, baseline: str, keys: Mapping[str, Value], most: str) -> Difference | None:
        words = self.words
        effect = effect_of(self.index, f"{words.measure}_difference", f"{words.measure}_p", system, keys)
        if effect is None:
            return None
        sure = most if effect.sure == SHOWN else effect.sure
        size = sample_text(effect.p, words.cluster, self._seeds(system, baseline), sure=sure != NOT_SHOWN)
        return Difference(system, baseline, keys, effect, sure, size)

    def _seeds(self, system: str, baseline: str) -> tuple[int, int]:
        return self.words.seeds.get(system, 1), self.words.seeds.get(baseline, 1)

    def _told(self, differences: Sequence[Difference], where: str = "", also: str = "") -> Verdict:
        """A difference that is there, or several of one kind, the largest first."""
        named = differences if len(differences) <= _SCORES else differences[: _SCORES - 1]
        others = ["others"] if len(named) < len(differences) else []
        first, words = named[0], self.words
        does = words.more if first.effect.size > 0 else words.less
        if len(differences) > 1:
            does = re.sub("^is ", "are ", does)
        systems = listed([*(self.names[difference.system] for difference in named), *others])
        sizes = listed([difference_text(difference.effect.finding) for difference in named])
        text = f"{systems} {does} than {self.names[first.baseline]}{where}: {words.name} {sizes}, {first.size}{also}"
        weight = abs(first.effect.size) + (0.0 if where else _OVERALL)
        rests_on = tuple(finding for difference in named for finding in difference.effect.rests_on)
        return Verdict(f"{text} ({first.sure}).", first.sure, rests_on, -1.0 if first.is_no_news else weight)

    def _not_shown(self, difference: Difference) -> Verdict:
        """That there may be none, and how many items or clusters would show one of this size."""
        words, effect, rests_on = self.words, difference.effect, difference.effect.rests_on
        plan = self.index.get(f"{words.measure}_items_needed", difference.system, difference.keys)
        more = effect.needed if plan is None else plan.value
        if max(self._seeds(difference.system, difference.baseline)) > 1:
            more = None  # more items do not make the seeds more alike
        number = f"{more:,}{' items' if plan else ''}" if isinstance(more, int) and more else ""
        tail = f"; about {number} would be needed to show a difference of this size" if number else ""
        rests_on = (*rests_on, *([plan] if plan and more else []))
        names = f"{self.names[difference.system]} and {self.names[difference.baseline]}"
        size = f"{words.name} {difference_text(effect.finding)}, {difference.size}"
        weight = -1.0 if difference.is_no_news else abs(effect.size) + _OVERALL
        return Verdict(f"No difference between {names} is shown: {size}{tail}.", NOT_SHOWN, rests_on, weight)

    def group_differences(
        self, system: str, baseline: str, called: Callable[[Mapping[str, Value]], str] = named_group
    ) -> Iterator[Verdict]:
        """Yield where it loses and where it gains most against the baseline: of what is shown, else suggested."""
        measure = f"{self.words.measure}_difference"
        sure = surest(
            effect_of(self.index, measure, f"{self.words.measure}_p", system, finding.by)
            for finding in self.index.findings
            if finding.measure == measure and finding.system == system and len(finding.by) > 1
        )
        for side in (-1, 1):
            for effect in [effect for effect in sure if effect.size * side > 0][:1]:
                by = {key: value for key, value in effect.finding.by.items() if key != "baseline"}
                also = comparisons_text(effect)
                yield from self.difference(system, baseline, by, where=f" at {called(by)}", also=also)

    def weakest(self, system: str, *keys: str) -> Iterator[Verdict]:
        """The group by these keys that scores least, where that is surely less than all of them together."""
        groups, examples = dict[str, Finding](), dict[str, str]()
        for by in self.index.groups(*keys, measure=self.words.measure, system=system):
            score, name = self.index.get(self.words.measure, system, by), ", ".join(f"{key} {by[key]}" for key in keys)
            if score is not None:
                groups[name] = score
            if keys == ("label",):
                examples[name] = str(by["label"])
        overall = self.index.get(self.words.measure, system)
        yield from self.extreme(self.names[system], overall, groups, least=_LEAST, examples=examples)

    def extreme(
        self,
        name: str,
        overall: Finding | None,
        groups: Mapping[str, Finding],
        *,
        least: int,
        low: bool = True,
        examples: Mapping[str, str] | None = None,
    ) -> Iterator[Verdict]:
        """Yield up to three groups that a system called `name` scores least (or most) in, with their intervals.

        Nothing is said where the groups do not differ from the whole, or hold most of it. `least`: units that a group
        has at least; `examples`: what `--examples` has to name for each group.
        """
        if overall is None or overall.value is None:
            return
        outside = outlying(groups, overall, least=least, low=low)
        named = outside[:_NAMED]
        covered = sum(groups[group].n or 0 for group in named)
        if not named or (len(named) > 1 and 2 * covered > (overall.n or 0)):
            return
        scores = [groups[group] for group in named]
        small = sum((score.n or 0) < least for score in groups.values())
        texts = [
            f"{group} ({score_text(score)}, {count_text(score.n, self.words.unit)})"
            for group, score in zip(named, scores, strict=True)
        ]
        more = len(outside) - len(named)
        tail = f"; {more} more {'is' if more == 1 else 'are'} {'below' if low else 'above'} that" if more else ""
        tail += f"; {count_text(small, 'group')} of fewer than {least} {self.words.unit}s not ranked" if small else ""
        text = (
            f"{name} has its {'lowest' if low else 'highest'} {self.words.name} at {listed(texts)}, compared with "
            f"{score_text(overall)} overall{tail}."
        )
        weight = abs(float(overall.value) - float(scores[0].value or 0))
        yield Verdict(text, MEASURED, (*scores, overall), weight, (examples or {}).get(named[0], ""))


def score_verdicts(
    findings: Sequence[Finding], words: MeasureWords, baseline: str, by: Sequence[Sequence[str]] = ()
) -> Iterator[Verdict]:
    """Of all systems: their main score, the differences to the baseline, and of each its weakest group.

    Where a rule is weakest is news only where there are no other systems.
    """
    verdicts = SystemVerdicts(findings, words)
    yield from verdicts.scores(verdicts.overall())
    yield from verdicts.differences(verdicts.index.systems, baseline)
    systems = verdicts.index.systems
    for system in [system for system in systems if not _is_rule(system)] or systems:
        for keys in by:
            yield from verdicts.weakest(system, *keys)


CHANCE = "chance"


def chance_finding(
    study: str, suite: str, system: str, by: Mapping[str, Value], accuracy: Estimate, chance: float
) -> Finding:
    """Return p of a system (in a group) having the accuracy of chance, in per cent; n are clusters."""
    p = accuracy.p_of_share(chance / 100)
    return Finding(study, suite, system, "chance_p", p, accuracy.clusters, by=dict(by), effective=accuracy.effective)


@dataclass(frozen=True)
class AgainstChance:
    """The accuracy of a system, in all or in a group, with the test against that of chance."""

    name: str
    accuracy: Effect
    chance: Finding
    lost: float = 0.0
    """Points that chance would have had in what counts as wrong because nothing was decided."""

    @property
    def sure(self) -> str:
        """As sure as the difference from chance; what is below it only for lack of decisions is not shown."""
        high = self.accuracy.finding.high
        undecided = self.gap < 0 < self.lost and (high is None or high + self.lost >= float(self.chance.value or 0))
        return NOT_SHOWN if undecided else self.accuracy.sure

    @property
    def gap(self) -> float:
        return self.accuracy.size - float(self.chance.value or 0)

    @property
    def side(self) -> str:
        """Above or below, where that is shown or suggested."""
        return "" if self.sure == NOT_SHOWN else "above" if self.gap > 0 else "below"


def against_chance(
    verdicts: SystemVerdicts, system: str, by: Mapping[str, Value] | None = None, lost: float = 0.0
) -> AgainstChance | None:
    accuracy = effect_of(verdicts.index, "accuracy", "chance_p", system, by)
    chance = verdicts.index.get(CHANCE, "", by)
    return AgainstChance(verdicts.names[system], accuracy, chance, lost) if accuracy and chance else None


def by_chance(
    systems: Sequence[AgainstChance], where: str = "", *, what: str = "accuracy", unit: str = "item"
) -> Iterator[Verdict]:
    """One sentence for all systems that are above chance, one for those below, one for the others; the best first."""
    groups: dict[tuple[str, str], list[AgainstChance]] = {}
    for system in sorted(systems, key=lambda system: (-system.gap, system.name)):
        groups.setdefault((system.sure, system.side), []).append(system)
    for (sure, side), members in groups.items():
        be, score = ("is" if len(members) == 1 else "are"), members[0].accuracy.finding
        claim = f"{be} {side} chance" if side else f"{be} not shown to be above chance"
        scores = listed([score_text(member.accuracy.finding) for member in members])
        text = (
            f"{listed([member.name for member in members])} {claim}{where}: {what} {scores} against "
            f"{score_text(members[0].chance)}, {count_text(score.n, unit)}{f' ({sure})' if side else ''}."
        )
        rests_on = tuple(finding for member in members for finding in (*member.accuracy.rests_on, member.chance))
        weight = abs(members[0].gap) + (0.0 if where else 100.0)
        yield Verdict(text, sure, rests_on, weight=weight)
