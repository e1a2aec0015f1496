"""What a study of consistency says in sentences: how often a tree changes, with which values, and into what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from ...runs.result.result import Finding, Value, Verdict
from ...runs.result.verdict import MEASURED, SHOWN, SUGGESTED, count_text, difference_text, listed, outlying, share_text
from ..engine.doubts import noise_of
from ..engine.verdicts import MeasureWords, SystemVerdicts, effect_of
from .declaration import STAGES
from .judging import NO_TREE

_LEAST = 10
"""Sentences that a value was tried in before it is called one of the worst."""
_WORST = 3
"""Values, and changes of labels, that one sentence names at most."""
_OFTEN = 5
"""Words with the same change of label before it is called frequent."""
CHANGES = {
    "numerals": ("Another number", "changes"), "years": ("Another year", "changes"),
    "amounts": ("Another amount", "changes"), "ordinals": ("Another ordinal", "changes"),
    "names": ("Another name", "changes"), "places": ("Another place", "changes"),
    "currencies": ("Another currency", "changes"), "pronouns": ("Another pronoun", "changes"),
    "synonyms": ("A synonym", "changes"), "adverbs": ("One more adverb", "changes"),
    "articles": ("A definite article", "changes"), "digits": ("Digits for words, or words for digits,", "change"),
    "contractions": ("A contraction", "changes"), "capitals": ("Other capitals", "change"),
    "punctuation": ("Another mark at the end", "changes"), "quotes": ("Other quotation marks", "change"),
    "typos": ("A slip of the keyboard", "changes"),
}  # fmt: skip
"""What is done to a sentence, and its verb."""
_SEEDS = 3
"""Trainings of each before their difference can be more than a suggestion."""


def changed_words(cluster: str, seeds: Mapping[str, int] | None = None) -> MeasureWords:
    """How sentences speak of variants whose tree changes."""
    more, less = "changes its trees more often", "changes its trees less often"
    return MeasureWords("changed", "variants with another tree", "variant", cluster, more, less, seeds or {})


def consistency_verdicts(
    findings: Sequence[Finding], perturbations: Sequence[str], order: str, cluster: str
) -> Iterator[Verdict]:
    """Of every system and perturbation; then whether the others change their trees more often than the first."""
    words = changed_words(cluster)
    verdicts = SystemVerdicts(findings, words)
    for perturbation in perturbations:
        where = f" with other {perturbation}" if len(perturbations) > 1 else ""
        about = _About(verdicts, perturbation, order, where)
        for system in verdicts.index.systems:
            yield from about.changed(system) if about.exceeds_noise(system) else about.noise(system)
            yield from about.without_tree(system)
            yield from about.right(system)
            if about.exceeds_noise(system):
                yield from about.stages(system)
                yield from about.worst_values(system)
                yield from about.relabelled(system)
        first, *others = verdicts.index.systems
        for system in others if about.exceeds_noise(first) else ():
            if not about.exceeds_noise(system):
                continue
            yield from verdicts.difference(system, first, {"perturbation": perturbation}, where=where, keyed=False)


def remedy_verdicts(
    findings: Sequence[Finding],
    baseline: str,
    remedies: Sequence[str],
    perturbations: Sequence[str],
    cluster: str,
    seeds: int = 1,
) -> Iterator[Verdict]:
    """For every test treebank: is the parser that was trained otherwise better than the one that was trained as is?

    Of fewer than three seeds of either training another could do as much: no more than a suggestion.
    """
    trainings = ", one training each" if seeds == 1 else ""
    counts = dict.fromkeys([baseline, *remedies], seeds)
    suites = list(dict.fromkeys(finding.suite for finding in findings))
    more, less = "gets more variants right", "gets fewer variants right"
    changed = changed_words(cluster, counts)
    right = MeasureWords("right", "variants right", "variant", cluster, more, less, counts)
    for suite in suites:
        own = [finding for finding in findings if finding.suite == suite]
        where = f" on {suite}" if len(suites) > 1 else ""
        for words in (changed, right):
            verdicts = SystemVerdicts(own, words)
            for remedy in remedies:
                for perturbation in perturbations:
                    of_kind = f" with other {perturbation}" if len(perturbations) > 1 else ""
                    yield from verdicts.difference(
                        remedy, baseline, {"perturbation": perturbation}, where=of_kind + where,
                        also=trainings, keyed=False, most=SUGGESTED if seeds < _SEEDS else SHOWN,
                    )  # fmt: skip
        las = SystemVerdicts(own, MeasureWords("las", f"LAS{where}", "word", cluster))
        yield from las.scores(las.overall())


class _About:
    """Sentences about one perturbation; `where` names it, if there are several."""

    def __init__(self, verdicts: SystemVerdicts, perturbation: str, order: str, where: str = "") -> None:
        self.index, self.names, self.perturbation, self.where = verdicts.index, verdicts.names, perturbation, where
        self.by: dict[str, Value] = {"perturbation": perturbation}
        self.whole: dict[str, Value] = {**self.by, "order": order}

    def get(self, measure: str, system: str, by: Mapping[str, Value] | None = None) -> Finding | None:
        """A finding that has a value."""
        finding = self.index.get(measure, system, self.whole if by is None else by)
        return finding if finding is not None and finding.value is not None else None

    def changed(self, system: str) -> Iterator[Verdict]:
        """How many sentences get another tree, with which values most often, and what changes where."""
        changed, sentences = self.get("changed", system), self.get("sentences_changed", system)
        if changed is None or sentences is None:
            return
        what, verb = CHANGES.get(self.perturbation, (f"Other {self.perturbation}", "change"))
        tried = f"{share_text(sentences)} of {count_text(sentences.n, 'sentence')}"
        text = f"{what} {verb} the tree of {tried}, by {self.names[system]}"
        text += f" ({share_text(changed)} of {count_text(changed.n, 'variant')})"
        rests_on = [sentences, changed]
        if (noise := noise_of(self.index.findings, system)) is not None:
            text += f"; queried again unchanged, {share_text(noise)} of {count_text(noise.n, 'sentence')} change too"
            rests_on.append(noise)
        if worst := self._worst(system):
            text += f"; {listed(list(worst))} {'are' if len(worst) > 1 else 'is'} the worst"
            rests_on += worst.values()
        if pairs := self._pairs(system):
            (first, second), words = pairs.most_common(1)[0]
            text += f"; labels change most often between {first} and {second}" if words >= _OFTEN else ""
        away = self.get("changed_words_away", system, self.by)
        if away is not None and float(away.value or 0) >= 1:  # a kind that edits all words has no distances
            distance = f"{away.value:g} word{'' if away.value == 1 else 's'}"
            text += f"; half of the words that change are at most {distance} away from the edit"
            rests_on.append(away)
        share = float(changed.value or 0)
        weight = 100 + share if self._is_enough(system) else share / 1000 - 0.5
        yield Verdict(f"{text}.", MEASURED, tuple(rests_on), weight, "changed")

    def exceeds_noise(self, system: str) -> bool:
        """Return whether trees change more often than they do when sentences are queried again unchanged."""
        changed, noise = self.get("changed", system), noise_of(self.index.findings, system)
        if changed is None or noise is None:
            return True
        return changed.low is not None and noise.high is not None and changed.low > noise.high

    def noise(self, system: str) -> Iterator[Verdict]:
        """That the changes of trees cannot be told from those that happen without any change of the sentence."""
        changed, noise = self.get("changed", system), noise_of(self.index.findings, system)
        if changed is not None and noise is not None:
            text = (
                f"{self.names[system]}{self.where}: no more trees change than without any change of the sentence: "
                f"{share_text(changed)} of {count_text(changed.n, 'variant')}, and {share_text(noise)} of "
                f"{count_text(noise.n, 'sentence')} that were queried twice."
            )
            yield Verdict(text, MEASURED, (changed, noise), 100.0, "changed")

    def _worst(self, system: str) -> dict[str, Finding]:
        """The values whose tree is another one surely more often than that of all."""
        overall = self.get("changed", system)
        values = {
            str(finding.by["replacement"]): finding
            for finding in self.index.findings
            if finding.measure == "differs_from_original" and finding.system == system
            and finding.by["perturbation"] == self.perturbation and "replacement" in finding.by
        }  # fmt: skip
        worst = outlying(values, overall, least=_LEAST, low=False) if overall else []
        return {value: values[value] for value in worst[:_WORST]}

    def _relabelled(self, system: str) -> list[Finding]:
        return [
            finding
            for finding in self.index.findings
            if finding.measure == "relabelled_words" and finding.system == system
            and finding.by["perturbation"] == self.perturbation
        ]  # fmt: skip

    def _pairs(self, system: str) -> Counter[tuple[str, str]]:
        """Words whose label changes between two, whichever of the two was the more frequent one."""
        pairs = Counter[tuple[str, str]]()
        for change in self._relabelled(system):
            first, second = sorted((str(change.by["from"]), str(change.by["to"])))
            pairs[first, second] += int(change.value or 0)
        return pairs

    def without_tree(self, system: str) -> Iterator[Verdict]:
        """How much what has no tree could matter."""
        counts = [self.get(f"variants_{outcome.replace(' ', '_')}", system) for outcome in NO_TREE]
        least, most = (self.get(f"changed_{end}", system) for end in ("least", "most"))
        if least is None or most is None or not any(count and count.value for count in counts):
            return
        text = (
            f"{self.names[system]}{self.where}: some variants have no tree. If they were all as the original, "
            f"{share_text(least)} would have changed; if they were all different, {share_text(most)}."
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
        """How often the worst values change the tree."""
        overall, worst = self.get("changed", system), self._worst(system)
        if not worst or overall is None:
            return
        texts = [f"{value} in {share_text(finding)} of {finding.n:,} sentences" for value, finding in worst.items()]
        text = (
            f"{self.names[system]}{self.where}: worst {'are' if len(worst) > 1 else 'is'} {listed(texts)}, against "
            f"{share_text(overall)} with any value."
        )
        first = next(iter(worst))
        gap = float(worst[first].value or 0) - float(overall.value or 0)
        yield Verdict(text, MEASURED, (*worst.values(), overall), gap, f"changed:{first}")

    def right(self, system: str) -> Iterator[Verdict]:
        """How many trees are right, before and after the change."""
        before, after = self.get("original_right", system), self.get("right", system)
        if before is not None and after is not None:
            originals, variants = count_text(before.n, "original"), count_text(after.n, "variant")
            text = f"{self.names[system]}: right trees for {share_text(before)} of {originals} and "
            text += f"{share_text(after)} of {variants} with other {self.perturbation}."
            weight = 1.0 if (before.n or 0) >= _LEAST else -1.0
            yield Verdict(text, MEASURED, (before, after), weight, "broken")

    def relabelled(self, system: str) -> Iterator[Verdict]:
        """The most frequent changes of labels; of those that are equally frequent, all or none."""
        often = sorted(
            (change for change in self._relabelled(system) if int(change.value or 0) >= _OFTEN),
            key=lambda change: (-int(change.value or 0), str(change.by["from"]), str(change.by["to"])),
        )
        named = often[:_WORST]
        while named and len(often) > len(named) and often[len(named)].value == named[-1].value:
            named = [change for change in named if change.value != named[-1].value]
        if named:
            first, *others = [f"{change.by['from']} > {change.by['to']} ({change.value:,}" for change in named]
            texts = [f"{first} of {named[0].n:,} words)", *(f"{other})" for other in others)]
            text = (
                f"{self.names[system]}{self.where}: where a word gets another label, it is most often {listed(texts)}."
            )
            yield Verdict(text, MEASURED, tuple(named), 0.0 if self._is_enough(system) else -0.8, "changed")

    def _is_enough(self, system: str) -> bool:
        """Are there so many sentences that a share of them may lead a list?"""
        sentences = self.get("sentences_changed", system)
        return sentences is not None and (sentences.n or 0) >= _LEAST
