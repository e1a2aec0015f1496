"""What one pair of train and test data shows: all measures in plain values, and the findings made of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any, cast

from ...runs.result import Finding, Value
from ...stats.corrections import holm
from ...treebank.displacement import LIMIT
from ...treebank.morphology import Variant
from ...treebank.treebank import Treebank
from .distances import DISTANCES, by_length, distances, subsamples
from .sample import Ints, joined, sample, side_measures
from .settings import STUDY

SIDES = ("train", "test")


def measure_pair(
    train: Treebank,
    test: Treebank,
    *,
    draws: int = 1000,
    seed: int = 0,
    variant: str = "text",
    by: Sequence[str] = (),
    sizes: Sequence[int] = (),
    names: tuple[str, str] = ("", ""),
    independent: bool = True,
) -> dict[str, Any]:
    """All that one pair shows, in plain values that can be kept as JSON; sentences are drawn where not by document."""
    documents = (None, None) if independent else documents_of(train, test)
    sides = first, second = sample(train, names[0], documents[0]), sample(test, names[1], documents[1])
    kind = cast("Variant", variant)
    measures = joined(*(side_measures(tb, side, kind) for tb, side in zip((train, test), sides, strict=True)))
    bins = by_length(first, second, draws=draws if "length" in by else 0, seed=seed)
    parts = subsamples(first, second, tuple(sizes), seed=seed)
    return {
        "measures": measures,
        "distances": {
            name: asdict(measured) for name, measured in distances(first, second, draws=draws, seed=seed).items()
        },
        "lengths": [asdict(one) for one in bins],
        "counts": {side: counts.histogram.tolist() for side, counts in zip(SIDES, sides, strict=True)},
        "subsamples": [
            {"size": size, "measure": name, "values": values.tolist()}
            for size, measured in parts.items()
            for name, values in measured.items()
        ],
    }


def documents_of(train: Treebank, test: Treebank) -> tuple[Ints | None, Ints | None]:
    """The documents of both sides, if both have two and more; else sentences are what was sampled."""
    documents = [treebank.documents for treebank in (train, test)]
    if any(numbers is None or numbers[-1] == 0 for numbers in documents):
        return None, None
    return documents[0], documents[1]


def measure_findings(suite: str, measured: Mapping[str, Any], clusters: int | None = None) -> list[Finding]:
    """Distances and their excess over the noise floor, with intervals, and the measures of both sides.

    `clusters`: how many were sampled of the side that has fewer; sentences where nothing is said.
    """
    findings, measures = list[Finding](), measured["measures"]
    fewest = clusters or min(measures[f"{side}_sentences"] for side in SIDES)
    for name in DISTANCES:
        findings += _distance_findings(suite, name, measured["distances"][name], measures["test_sentences"], {}, fewest)
    for name, value in measures.items():
        side = name.partition("_")[0]
        findings.append(Finding(STUDY, suite, "", name, value, measures[f"{side}_sentences"]))
    return findings


def _distance_findings(
    suite: str, name: str, distance: Mapping[str, Any], n: int, by: dict[str, Value], clusters: int | None = None
) -> list[Finding]:
    """n of p are the clusters behind it."""
    first = Finding(STUDY, suite, "", name, distance["value"], n, distance["low"], distance["high"], by)
    if distance["noise_mean"] is None:
        return [first]
    low, middle, high = distance["noise_quantiles"]
    above = (distance["excess"], n, distance["excess_low"], distance["excess_high"])
    return [
        first,
        Finding(STUDY, suite, "", f"{name}_excess", *above, by),
        Finding(STUDY, suite, "", f"{name}_noise_mean", distance["noise_mean"], by=by),
        Finding(STUDY, suite, "", f"{name}_noise_sd", distance["noise_sd"], by=by),
        Finding(STUDY, suite, "", f"{name}_noise_median", middle, None, low, high, by),
        Finding(STUDY, suite, "", f"{name}_z", distance["z"], by=by),
        Finding(STUDY, suite, "", f"{name}_p", distance["p"], clusters, by=by),
    ]


def corrected_findings(findings: Sequence[Finding]) -> list[Finding]:
    """The p of all distances of a pair, corrected for each other."""
    tests = [finding for finding in findings if finding.measure in [f"{name}_p" for name in DISTANCES]]
    corrected = holm([float(test.value or 0) for test in tests])
    return [
        replace(test, measure=f"{test.measure}_holm", value=p) for test, p in zip(tests, corrected, strict=True)
    ]  # fmt: skip


def length_findings(suite: str, measured: Mapping[str, Any]) -> list[Finding]:
    """The same for the sentences of each length."""
    findings = []
    for part in measured["lengths"]:
        by: dict[str, Value] = {"length": part["length"]}
        for name, distance in part["distances"].items():
            findings += _distance_findings(suite, name, distance, part["test"], by)
        findings += [Finding(STUDY, suite, "", f"{side}_sentences", part[side], by=by) for side in SIDES]
    return findings


def share_findings(suite: str, measured: Mapping[str, Any]) -> list[Finding]:
    """Both distributions, for Figure 2."""
    findings = []
    for side, counts in measured["counts"].items():
        total = sum(counts)
        findings += [
            Finding(STUDY, suite, "", "share", count / total, total, by={"split": side, "displacement": place - LIMIT})
            for place, count in enumerate(counts)
        ]
    return findings
