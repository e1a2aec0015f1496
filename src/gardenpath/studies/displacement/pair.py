"""One pair of train and test data: all measures, as findings and tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import numpy as np

from ...runs.result import Finding, Result, Table, Value
from ...runs.signature import digest, signature
from ...treebank.displacement import LIMIT
from ...treebank.morphology import Variant
from ...treebank.treebank import Treebank
from .distances import DISTANCES, by_length, distances, subsamples
from .sample import SIDE, Sample, joined, sample, side_measures

if TYPE_CHECKING:
    from ...runs.observations import Observations

STUDY = "displacement"
GROUPINGS = ("length",)
NOTES = (
    "edv: Equation 2 of the EDV paper, in tokens; edv_heights: as published; slv: sentence lengths, in tokens. "
    "95 %: the distance less the noise of drawing sentences (basic bootstrap). noise, sd: what random deals of all "
    "sentences to sides of these sizes show; z: sds above it; p: share of deals that show as much."
)


def measure_pair(
    train: Treebank,
    test: Treebank,
    *,
    draws: int = 1000,
    seed: int = 0,
    variant: Variant = "text",
    by: Sequence[str] = (),
    sizes: tuple[int, ...] = (),
    names: tuple[str, str] = ("", ""),
) -> dict[str, Any]:
    """All that one pair shows, in plain values that can be kept as JSON."""
    sides = [sample(one, name) for one, name in zip((train, test), names, strict=True)]
    measures = joined(*(side_measures(tb, one, variant) for tb, one in zip((train, test), sides, strict=True)))
    bins = by_length(sides[0], sides[1], draws=draws if "length" in by else 0, seed=seed)
    parts = subsamples(sides[0], sides[1], sizes, seed=seed)
    return {
        "measures": measures,
        "distances": {
            name: asdict(found) for name, found in distances(sides[0], sides[1], draws=draws, seed=seed).items()
        },
        "lengths": [asdict(one) for one in bins],
        "counts": {side: one.histogram.tolist() for side, one in zip(("train", "test"), sides, strict=True)},
        "subsamples": [
            {"size": size, "measure": name, "values": values.tolist()}
            for size, found in parts.items()
            for name, values in found.items()
        ],
    }


def pair_study(
    train: Treebank,
    test: Treebank,
    *,
    draws: int = 1000,
    seed: int = 0,
    variant: Variant = "text",
    by: Sequence[str] = (),
) -> Result:
    """`gardenpath displacement TRAIN TEST`."""
    found = measure_pair(train, test, draws=draws, seed=seed, variant=variant, by=by)
    names = [PurePath(one.name).name for one in (train, test)]
    suite = names[1]
    findings = [
        *measure_findings(suite, found),
        *share_findings(suite, found),
        *(length_findings(suite, found) if "length" in by else []),
    ]
    tables = [_distance_table(found, names, draws), _side_table(found)]
    if "length" in by:
        tables.append(_length_table(found))
    failures = {f"edges longer than {LIMIT} words": sum(found["measures"][f"{side}_outside"] for side in _SIDES)}
    marks = [
        (side, f"{name}#{digest(one.to_bytes())[:8]}")
        for side, name, one in zip(_SIDES, names, (train, test), strict=True)
    ]
    drawn = [("draws", draws), ("seed", seed)] if draws else []
    signed = signature(("study", STUDY), *marks, ("range", LIMIT), ("variant", variant), *drawn)
    return Result(signed, findings, tables, failures)


_SIDES = ("train", "test")


def measure_findings(suite: str, found: Mapping[str, Any]) -> list[Finding]:
    """Distances with intervals and noise floors, and the measures of both sides."""
    findings = []
    for name in DISTANCES:
        findings += _distance_findings(suite, name, found["distances"][name], found["measures"]["test_sentences"], {})
    for name, value in found["measures"].items():
        side = name.partition("_")[0]
        findings.append(Finding(STUDY, suite, "", name, value, found["measures"][f"{side}_sentences"]))
    return findings


def _distance_findings(suite: str, name: str, one: Mapping[str, Any], n: int, by: dict[str, Value]) -> list[Finding]:
    found = [Finding(STUDY, suite, "", name, one["value"], n, one["low"], one["high"], by)]
    if one["noise_mean"] is None:
        return found
    low, middle, high = one["noise_quantiles"]
    return [
        *found,
        Finding(STUDY, suite, "", f"{name}_noise_mean", one["noise_mean"], by=by),
        Finding(STUDY, suite, "", f"{name}_noise_sd", one["noise_sd"], by=by),
        Finding(STUDY, suite, "", f"{name}_noise_median", middle, None, low, high, by),
        Finding(STUDY, suite, "", f"{name}_z", one["z"], by=by),
        Finding(STUDY, suite, "", f"{name}_p", one["p"], by=by),
    ]


def length_findings(suite: str, found: Mapping[str, Any]) -> list[Finding]:
    findings = []
    for one in found["lengths"]:
        by: dict[str, Value] = {"length": one["length"]}
        for name, distance in one["distances"].items():
            findings += _distance_findings(suite, name, distance, one["test"], by)
        findings += [Finding(STUDY, suite, "", f"{side}_sentences", one[side], by=by) for side in _SIDES]
    return findings


def share_findings(suite: str, found: Mapping[str, Any]) -> list[Finding]:
    """Both distributions, for Figure 2."""
    findings = []
    for side, counts in found["counts"].items():
        total = sum(counts)
        findings += [
            Finding(STUDY, suite, "", "share", count / total, total, by={"split": side, "displacement": place - LIMIT})
            for place, count in enumerate(counts)
        ]
    return findings


def _distance_table(found: Mapping[str, Any], names: Sequence[str], draws: int) -> Table:
    rows = []
    for name in DISTANCES:
        one = found["distances"][name]
        # Heights are a hundredth of the others; three digits that count are shown of each.
        rows.append([name, _shown(one["value"]), *_with_noise(one)])
    title = f"Distance of {names[1]} from {names[0]}"
    columns = ["measure", "value", "less noise, 95 %", "noise", "sd", "z", "p"]
    return Table(title, columns, rows, note=NOTES) if draws else Table(title, columns[:2], [row[:2] for row in rows])


def _with_noise(one: Mapping[str, Any]) -> list[Value]:
    if one["noise_mean"] is None:
        return ["", "", "", "", ""]
    z = "" if one["z"] is None else f"{one['z']:+.1f}"
    interval = f"[{_shown(one['low'])}, {_shown(one['high'])}]"
    return [interval, _shown(one["noise_mean"]), _shown(one["noise_sd"]), z, f"{one['p']:.3f}"]


def _shown(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:.4f}" if value >= 0.01 or value == 0 else f"{value:.5f}"


def _side_table(found: Mapping[str, Any]) -> Table:
    rows: list[list[Value]] = []
    for name in SIDE:
        values = [found["measures"][f"{side}_{name}"] for side in _SIDES]
        rows.append([name.replace("_", " "), *values])
    note = "length: mean words per sentence; med: mean edge displacement of a sentence (Equation 3), its mean and sd."
    return Table("Both sides", ["measure", *_SIDES], rows, digits=4, note=note)


def _length_table(found: Mapping[str, Any]) -> Table:
    rows: list[list[Value]] = []
    for one in found["lengths"]:
        distance = one["distances"]["edv"]
        rows.append([one["length"], one["train"], one["test"], _shown(distance["value"]), *_with_noise(distance)])
    columns = ["length", "train", "test", "edv", "less noise, 95 %", "noise", "sd", "z", "p"]
    return Table("By sentence length", columns, rows, note="train, test: sentences of this length.")


def observations(train: Treebank, test: Treebank, seed: int = 0) -> Observations:
    """One row per sentence: its MED (`value`) and its length."""
    from ...runs.observations import Observations

    parts = []
    for side, treebank in zip(_SIDES, (train, test), strict=True):
        counts: Sample = sample(treebank)
        columns = {
            "study": STUDY, "suite": PurePath(treebank.name).name, "condition": side, "system": "", "seed": seed,
            "item": [sent_id or str(number + 1) for number, sent_id in enumerate(treebank.sent_ids)],
            "unit": "sentence",
            "outcome": ["measured" if known else "no edge" for known in (~np.isnan(counts.med)).tolist()],
            "value": [None if np.isnan(value) else value for value in counts.med.tolist()],
            "length": counts.lengths.tolist(),
        }  # fmt: skip
        parts.append(Observations(columns))
    return Observations.joined(parts)
