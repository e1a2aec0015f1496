"""What studies of displacement say in sentences: is a distance more than chance, and does it explain the score?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ...runs.result.layout import FindingIndex
from ...runs.result.result import Finding, Value, Verdict
from ...runs.result.verdict import MEASURED, NOT_SHOWN, clusters_text, count_text, difference_text, listed, score_text
from ..engine.verdicts import Effect, effect_of, surest
from .split_effects import official_verdicts
from .variables import LABELS

_DISTANCES = {"edv": ("EDV", "edges"), "slv": ("SLV", "sentence lengths")}
"""Measure to its name, and what of two samples it compares."""
_SPLITS = 3
"""Random splits before their standard deviation is worth a sentence."""


def pair_verdicts(findings: Sequence[Finding], train: str, test: str, cluster: str) -> Iterator[Verdict]:
    """Is test farther from training data than random splits of both would be, in edges and in sentence lengths?

    Without a `cluster` documents are not known: then random splits are of sentences, and nothing is claimed.
    """
    index = FindingIndex(findings)
    for measure, (name, compared) in _DISTANCES.items():
        distance, effect = index.get(measure), effect_of(index, f"{measure}_excess", f"{measure}_p")
        if distance is None:
            continue
        size = f"{name} {score_text(distance, 2)} tokens"
        if effect is None:
            drawn = index.get(f"{measure}_p") is not None
            reason = "too few documents to compare with random splits" if drawn else "random splits were not drawn"
            text = f"In its {compared}, {test} differs from {train}: {size}; {reason}."
            yield Verdict(text, MEASURED, (distance,), weight=1.0)
            continue
        excess = f"excess over random splits of {cluster or 'sentence'}s {difference_text(effect.finding)}"
        if not cluster:
            text = f"In its {compared}, {test} differs from {train}: {size}, {excess}. Documents are not marked, and "
            text += "documents alone can make such a difference."
            yield Verdict(text, MEASURED, (distance, *effect.rests_on), weight=1.0)
            continue
        size += f", {excess}, {clusters_text(effect.p, cluster)}"
        if effect.sure == NOT_SHOWN:
            claim = f"not shown to be farther from {train} than chance would put it"
        else:
            claim = f"{'farther from' if effect.size > 0 else 'nearer to'} {train} than chance would put it"
            size += f" ({effect.sure})"
        text = f"In its {compared}, {test} is {claim}: {size}."
        weight = 100.0 if measure == "edv" else 0.0
        yield Verdict(text, effect.sure, (distance, *effect.rests_on), weight=weight + abs(effect.size))
    lengths = [index.get(f"{side}_length") for side in ("train", "test")]
    known = [length for length in lengths if length is not None]
    if len(known) == 2:
        means = [score_text(length) for length in known]
        text = f"Sentences have {means[0]} words in {train} and {means[1]} in {test}, on average."
        yield Verdict(text, MEASURED, tuple(known))


def collection_verdicts(
    findings: Sequence[Finding], collection: str, treebanks: Sequence[str], covariates: Sequence[str]
) -> Iterator[Verdict]:
    """How many test sets are beyond chance, which is farthest, and what goes with the scores of each system."""
    index = FindingIndex(findings)
    for unit, marked, weight in (("document", "marked", 100.0), ("sentence", "not marked", 50.0)):
        beyond = index.get("edv_beyond_chance", by={"unit": unit}, suite=collection)
        if beyond is not None:
            text = f"{beyond.value} of {count_text(beyond.n, 'test set')} whose documents are {marked} differ from "
            text += f"their training data more than random splits of {unit}s do (EDV; corrected for all of them)"
            text += "." if unit == "document" else "; documents alone can make such a difference."
            yield Verdict(text, MEASURED, (beyond,), weight=weight)
    distances = [distance for name in treebanks if (distance := index.get("edv", suite=name)) is not None]
    if len(distances) > 1:
        nearest, *_, farthest = sorted(distances, key=lambda distance: (float(distance.value or 0), distance.suite))
        text = f"The farthest test set is that of {farthest.suite}, EDV {score_text(farthest, 2)} tokens; the nearest "
        text += f"that of {nearest.suite}, {score_text(nearest, 2)}."
        yield Verdict(text, MEASURED, (farthest, nearest), weight=1.0)
    for system in dict.fromkeys(finding.system for finding in findings if finding.measure == "spearman"):
        if system:
            yield from _of_scores(index, system, covariates)


def experiment_verdicts(findings: Sequence[Finding], collection: str, system: str) -> Iterator[Verdict]:
    """What the hardest split costs, how many random ones are hard, and whether the distance explains it."""
    index = FindingIndex(findings)
    change = effect_of(index, "delta_las_mean", "delta_las_p", system, suite=collection)
    losing = index.get("delta_las_negative", system, suite=collection)
    if change is not None and losing is not None:
        size = f"LAS {difference_text(change.finding)}, {count_text(change.p.n, 'treebank')}, lower in {losing.value}"
        if change.sure == NOT_SHOWN:
            text = f"No difference of {system} between the splits of greatest and of least EDV is shown: {size}."
        else:
            word = "lower" if change.size < 0 else "higher"
            text = f"{system} scores {word} on splits of greatest EDV than on those of least: {size} ({change.sure})."
        rests_on = (change.finding, change.p, losing)
        yield Verdict(text, change.sure, rests_on, weight=100 + abs(change.size))
    yield from official_verdicts(
        index, system, [finding.suite for finding in findings if finding.measure == "official_p"]
    )
    harder = index.get("random_harder", system, suite=collection)
    if harder is not None:
        drawn = count_text(harder.n, "random split")
        text = f"{harder.value} of {drawn} are harder by more than a point of LAS than the split of least EDV."
        yield Verdict(text, MEASURED, (harder,), weight=2.0)
    spreads = [finding for finding in findings if finding.measure == "las_random_sd" and (finding.n or 0) >= _SPLITS]
    if spreads:
        widest = max(spreads, key=lambda spread: (float(spread.value or 0), spread.suite))
        text = f"Luck of the split: the LAS of random splits varies most for {widest.suite}, standard deviation "
        text += f"{score_text(widest, 2)} over {count_text(widest.n, 'split')}."
        yield Verdict(text, MEASURED, (widest,), weight=1.0)
    for covariate in ("", "test length", "ΔSLV"):
        by: dict[str, Value] = {"variable": "ΔEDV", "target": "ΔLAS", "covariate": covariate}
        effect = effect_of(index, "rho", "p", system, by)
        yield from _correlation(effect, "difference in EDV", "loss of LAS", [covariate] if covariate else [], loss=True)


def _of_scores(index: FindingIndex, system: str, covariates: Sequence[str]) -> Iterator[Verdict]:
    """EDV and the scores of a system, without and with covariates; and the variable that goes with them most."""
    for held in dict.fromkeys([(), tuple(covariates)]):
        by = _keys("partial", "edv", held)
        effect = effect_of(index, "spearman", "spearman_p", system, by)
        yield from _correlation(effect, "EDV", f"LAS of {system}", [LABELS[name] for name in held])
    others = [
        effect_of(index, "spearman", "spearman_p", system, _keys("score", name))
        for name in LABELS
        if not name.startswith("edv")
    ]
    for closest in surest(others)[:1]:
        name = LABELS[str(closest.finding.by["x"])]
        yield from _correlation(closest, name, f"LAS of {system}", others=", the largest ρ beside EDV")


def _keys(analysis: str, x: str, covariates: Sequence[str] = ()) -> Mapping[str, Value]:
    return {"analysis": analysis, "x": x, "y": "las", "covariates": ",".join(covariates), "set": "all"}


def _correlation(
    effect: Effect | None, first: str, second: str, held: Sequence[str] = (), *, loss: bool = False, others: str = ""
) -> Iterator[Verdict]:
    """Do two variables go together, with others held constant or not? A `loss` is a negative value of the second."""
    if effect is None:
        return
    constant = f" with {listed(held)} held constant" if held else ""
    size = f"ρ {score_text(effect.finding, 2)}, {count_text(effect.finding.n, 'treebank')}"
    if effect.sure == NOT_SHOWN:
        text = f"No correlation of {first} and {second}{constant} is shown: {size}."
    else:
        more = "more" if first.endswith(("tokens", "sentences")) else "greater"
        rises = "greater" if loss else "higher"
        comes = rises if (effect.size > 0) != loss else "lower"
        text = f"With {more} {first} comes {comes} {second}{constant}: {size} ({effect.sure}){others}."
    yield Verdict(text, effect.sure, effect.rests_on, weight=10 * abs(effect.size) + (0 if held or others else 10))
