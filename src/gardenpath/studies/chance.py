"""Is a system above chance? The findings that say so, and the sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..runs.result import Finding, Value, Verdict
from ..runs.verdict import NOT_SHOWN, count_text, listed, score_text
from ..stats.corrections import holm
from .verdicts import Effect, SystemVerdicts, effect_of

CHANCE = "chance"


def chance_findings(
    study: str, suite: str, tests: Sequence[tuple[str, Mapping[str, Value], float, int]]
) -> Iterator[Finding]:
    """p of each system (with its group) having the accuracy of chance, also corrected for all; n of p are clusters."""
    corrected = holm([p for *_, p, _ in tests])
    for (system, by, p, clusters), p_holm in zip(tests, corrected, strict=True):
        yield Finding(study, suite, system, "chance_p", p, clusters, by=dict(by))
        yield Finding(study, suite, system, "chance_p_holm", p_holm, clusters, by=dict(by))


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
