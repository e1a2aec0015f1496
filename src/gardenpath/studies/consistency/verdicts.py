"""What a study of consistency says in sentences: how often a tree changes, with which values, and into what."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ...runs.result import Finding, Value, Verdict
from ...runs.verdict import MEASURED, SUGGESTED, difference_text, listed, outlying, share_text
from ..verdicts import MeasureWords, SystemVerdicts, effect_of
from .judging import NO_TREE
from .settings import STAGES

_LEAST = 10
"""Sentences that a value was tried in before it is called one of the worst."""
_WORST = 3
"""Values, and changes of labels, that one sentence names at most."""
_OFTEN = 5
"""Words with the same change of label before it is called frequent."""
CHANGED = {
    "name": "variants with another tree", "more": "changes its trees more often", "less": "changes its trees less often"
}  # fmt: skip


def consistency_verdicts(
    findings: Sequence[Finding], perturbations: Sequence[str], order: str, cluster: str
) -> Iterator[Verdict]:
    """Of every system and perturbation; then whether the others change their trees more often than the first."""
    words = MeasureWords("changed", unit="variant", cluster=cluster, **CHANGED)
    verdicts = SystemVerdicts(findings, words)
    for perturbation in perturbations:
        about = _About(verdicts, perturbation, order)
        for system in verdicts.index.systems:
            yield from about.changed(system)
            yield from about.without_tree(system)
            yield from about.stages(system)
            yield from about.worst_values(system)
            yield from about.right(system)
            yield from about.relabelled(system)
        first, *others = verdicts.index.systems
        where = f" with other {perturbation}" if len(perturbations) > 1 else ""
        for system in others:
            yield from verdicts.difference(system, first, {"perturbation": perturbation}, where=where, keyed=False)


def remedy_verdicts(
    findings: Sequence[Finding], baseline: str, remedies: Sequence[str], perturbations: Sequence[str], cluster: str
) -> Iterator[Verdict]:
    """For every test treebank: is the parser that was trained otherwise better than the one that was trained as is?

    Another seed of either training could do as much, and was not tried: no more than a suggestion.
    """
    suites = list(dict.fromkeys(finding.suite for finding in findings))
    changed = MeasureWords("changed", unit="variant", cluster=cluster, **CHANGED)
    right = MeasureWords(
        "right", "variants right", "variant", cluster, "gets more variants right", "gets fewer variants right"
    )
    for suite in suites:
        own = [finding for finding in findings if finding.suite == suite]
        where = f" on {suite}" if len(suites) > 1 else ""
        for words in (changed, right):
            verdicts = SystemVerdicts(own, words)
            for remedy in remedies:
                for perturbation in perturbations:
                    other = f" with other {perturbation}" if len(perturbations) > 1 else ""
                    yield from verdicts.difference(
                        remedy, baseline, {"perturbation": perturbation}, where=other + where,
                        also=", one training each", keyed=False, most=SUGGESTED,
                    )  # fmt: skip
        las = SystemVerdicts(own, MeasureWords("las", f"LAS{where}", "word", cluster))
        yield from las.scores(las.overall())


class _About:
    """Sentences about one perturbation."""

    def __init__(self, verdicts: SystemVerdicts, perturbation: str, order: str) -> None:
        self.index, self.names, self.perturbation = verdicts.index, verdicts.names, perturbation
        self.by: dict[str, Value] = {"perturbation": perturbation}
        self.whole: dict[str, Value] = {**self.by, "order": order}

    def get(self, measure: str, system: str, by: Mapping[str, Value] | None = None) -> Finding | None:
        """A finding that has a value."""
        finding = self.index.get(measure, system, self.whole if by is None else by)
        return finding if finding is not None and finding.value is not None else None

    def changed(self, system: str) -> Iterator[Verdict]:
        """How many variants get another tree, and how many sentences keep theirs."""
        changed, consistent = self.get("changed", system), self.get("consistent", system)
        if changed is None:
            return
        text = f"Other {self.perturbation} change the tree of {self.names[system]} in {share_text(changed)} of "
        text += f"{changed.n:,} variants"
        if consistent is not None:
            text += f"; {share_text(consistent)} of {consistent.n:,} sentences keep one tree throughout"
        rests_on = (changed, *([consistent] if consistent else []))
        yield Verdict(f"{text}.", MEASURED, rests_on, 100 + float(changed.value or 0), "changed")

    def without_tree(self, system: str) -> Iterator[Verdict]:
        """How much what has no tree could matter."""
        counts = [self.get(f"variants_{outcome.replace(' ', '_')}", system) for outcome in NO_TREE]
        least, most = (self.get(f"changed_{end}", system) for end in ("least", "most"))
        if least is None or most is None or not any(count and count.value for count in counts):
            return
        text = (
            f"{self.names[system]}: some variants have no tree. If they were all as the original, {share_text(least)} "
            f"would have changed; if they were all different, {share_text(most)}."
        )
        yield Verdict(text, MEASURED, (least, most), float(most.value or 0) - float(least.value or 0), "failed")

    def stages(self, system: str) -> Iterator[Verdict]:
        """Does the parser keep its trees more often where a part of the work is done for it?"""
        alone = self.get("consistent", system)
        for stage, words in STAGES.items():
            by = {**self.by, "stage": stage}
            after = self.get("consistent", system, by)
            effect = effect_of(self.index, "consistent_difference", "consistent_p", system, by)
            if alone is None or after is None or effect is None:
                continue
            text = (
                f"{self.names[system]} with {words}: one tree in {share_text(after)} of {after.n:,} sentences "
                f"instead of {share_text(alone)}: {difference_text(effect.finding)} points ({effect.sure})."
            )
            yield Verdict(text, effect.sure, (after, alone, *effect.rests_on), 90.0 + abs(effect.size), "changed")

    def worst_values(self, system: str) -> Iterator[Verdict]:
        """The values whose tree is another one surely more often than that of all."""
        overall = self.get("changed", system)
        groups = [
            finding
            for finding in self.index.findings
            if finding.measure == "differs_from_original" and finding.system == system
            and finding.by["perturbation"] == self.perturbation and "replacement" in finding.by
        ]  # fmt: skip
        values = {str(finding.by["replacement"]): finding for finding in groups}
        worst = outlying(values, overall, least=_LEAST, low=False) if overall else []
        if not worst or overall is None:
            return
        named = worst[:_WORST]
        texts = [f"{value} in {share_text(values[value])} of {values[value].n:,} sentences" for value in named]
        text = (
            f"{self.names[system]}: worst {'are' if len(named) > 1 else 'is'} {listed(texts)}, against "
            f"{share_text(overall)} with any value."
        )
        gap = float(values[named[0]].value or 0) - float(overall.value or 0)
        rests_on = (*(values[value] for value in named), overall)
        yield Verdict(text, MEASURED, rests_on, gap, f"changed:{named[0]}")

    def right(self, system: str) -> Iterator[Verdict]:
        """How many trees are right, before and after the change."""
        before, after = self.get("original_right", system), self.get("right", system)
        if before is not None and after is not None:
            text = f"{self.names[system]}: right trees for {share_text(before)} of {before.n:,} originals and "
            text += f"{share_text(after)} of {after.n:,} variants with other {self.perturbation}."
            yield Verdict(text, MEASURED, (before, after), 1.0, "broken")

    def relabelled(self, system: str) -> Iterator[Verdict]:
        """The most frequent changes of labels; of those that are equally frequent, all or none."""
        changes = [
            finding
            for finding in self.index.findings
            if finding.measure == "relabelled_words" and finding.system == system
            and finding.by["perturbation"] == self.perturbation
        ]  # fmt: skip
        often = sorted(
            (change for change in changes if int(change.value or 0) >= _OFTEN),
            key=lambda change: (-int(change.value or 0), str(change.by["from"]), str(change.by["to"])),
        )
        named = often[:_WORST]
        while named and len(often) > len(named) and often[len(named)].value == named[-1].value:
            named = [change for change in named if change.value != named[-1].value]
        if named:
            first, *others = [f"{change.by['from']} > {change.by['to']} ({change.value:,}" for change in named]
            texts = [f"{first} of {named[0].n:,} words)", *(f"{other})" for other in others)]
            text = f"{self.names[system]}: where a word gets another label, it is most often {listed(texts)}."
            yield Verdict(text, MEASURED, tuple(named), 0.0, "changed")
