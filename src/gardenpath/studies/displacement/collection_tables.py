"""What a person sees of a collection: its treebanks, those left out, sub-samples, and names that match nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ...runs.layout import SIGNED, Column, FindingIndex, P, measured, table
from ...runs.result import Finding, Table
from ...stats.corrections import benjamini_hochberg
from .collection import MeasuredCollection
from .las import Matched
from .sample import DEPENDENCY_LENGTHS
from .settings import STUDY

_ACROSS = 3


def treebank_table(index: FindingIndex, collection: MeasuredCollection, systems: Sequence[str]) -> Table:
    """The treebanks, most distant first, with their scores."""
    names = _by_distance(collection)

    def of(measure: str, system: str = "") -> list[Finding | None]:
        return [index.get(measure, system, suite=name) for name in names]

    columns = [Column("treebank", names), *measured("train", of("train_tokens")), *measured("test", of("test_tokens"))]
    columns += [*measured("length", of("test_length"), digits=1), *measured("edv", of("edv"))]
    columns += [*measured("heights", of("edv_heights"), digits=5), *measured("slv", of("slv"), digits=2)]
    columns += measured("MC", of("train_morphological_complexity"), digits=2)
    for number, system in enumerate(systems, 1):
        scores = of("las", system)
        interval = any(score is not None and score.low is not None for score in scores)
        columns += measured(f"LAS {number}" if len(systems) > 1 else "LAS", scores, digits=2, interval=interval)
    note = "train, test: tokens; length: mean of test; heights: edv_heights; MC: morphological complexity of train."
    scored = [name for name in names if any(index.get("las", system, suite=name) for system in systems)]
    if release := [name for name in scored if "@" in name]:
        note += f" Matched without the release in its name: {', '.join(release)}."
    if len(systems) > 1:
        note += " " + ", ".join(f"LAS {number}: {system}" for number, system in enumerate(systems, 1)) + "."
    return table(f"Treebanks of {collection.name}", columns, note=note, digits=3)


def dependency_length_table(index: FindingIndex, collection: MeasuredCollection) -> Table:
    """How long the edges of test are, and would be in other orders of the same words."""
    names = _by_distance(collection)
    headings = ("length", "random", "random, projective", "best, projective", "best")
    columns = [Column("treebank", names)]
    for heading, measure in zip(headings, DEPENDENCY_LENGTHS, strict=True):
        columns += measured(heading, [index.get(f"test_{measure}", suite=name) for name in names], digits=2)
    note = "Mean words from a word of test to its head; in an order of all words by chance, and in the shortest one."
    return table("Dependency lengths of test, and in other orders", columns, note=note, name="dependency-lengths")


def excess_findings(index: FindingIndex, collection: MeasuredCollection) -> list[Finding]:
    """The p of no excess, corrected for all treebanks (Benjamini and Hochberg), and how many test sets are beyond."""
    tests = [test for name in collection.measured if (test := index.get("edv_p", suite=name)) is not None]
    if len(tests) < len(collection.measured):
        return []
    corrected = benjamini_hochberg([float(test.value or 0) for test in tests])
    above = [index.get("edv_excess", suite=test.suite) for test in tests]
    beyond = sum(
        excess is not None and float(excess.value or 0) > 0 and p < 0.05
        for excess, p in zip(above, corrected, strict=True)
    )
    return [
        *(replace(test, measure="edv_p_bh", value=p) for test, p in zip(tests, corrected, strict=True)),
        Finding(STUDY, collection.name, "", "edv_beyond_chance", beyond, len(tests)),
    ]


def excess_table(index: FindingIndex, collection: MeasuredCollection) -> Table | None:
    """EDV of each treebank, the noise floor, and the excess over it; None where nothing was drawn."""
    beyond = index.get("edv_beyond_chance", suite=collection.name)
    if beyond is None:
        return None
    names = _by_distance(collection)

    def of(measure: str) -> list[Finding | None]:
        return [index.get(measure, suite=name) for name in names]

    columns = [Column("treebank", names), *measured("edv", of("edv"), interval=True)]
    columns += [*measured("noise", of("edv_noise_mean")), *measured("sd", of("edv_noise_sd"))]
    columns += measured("excess", of("edv_excess"), kind=SIGNED, interval=True)
    columns += [*measured("z", of("edv_z"), kind=SIGNED, digits=1), *measured("p", of("edv_p"), kind=P)]
    columns += measured("BH", of("edv_p_bh"), kind=P)
    note = (
        "noise, sd: mean and standard deviation of edv over random splits of the same sizes; excess: edv less noise; "
        f"z: excess in sd; p: two-sided, of no excess. {beyond.value} of {beyond.n} test sets are further from their "
        "training data than chance would put them (p < 0.05 after BH)."
    )
    return table(f"EDV of {collection.name} over the noise floor", columns, note=note, digits=3)


def _by_distance(collection: MeasuredCollection) -> list[str]:
    return sorted(collection.measured, key=lambda name: -collection.measured[name]["distances"]["edv"]["value"])


def left_out_table(collection: MeasuredCollection) -> Table | None:
    """Treebanks that could not be used, with the reason."""
    rows = [(name, message.partition(": ")[2][:70]) for name, (_, message) in collection.left_out.items()]
    return Table("Left out", ["treebank", "why"], rows) if rows else None


def subsample_table(index: FindingIndex) -> Table | None:
    """Table D.1: mean and standard deviation of EDV over random parts of the training data."""
    sampled = [finding for finding in index.findings if finding.measure == "edv_mean" and set(finding.by) == {"sample"}]
    if not sampled:
        return None

    def of(measure: str) -> list[Finding | None]:
        return [index.get(measure, by=finding.by, suite=finding.suite) for finding in sampled]

    columns = [Column("treebank", [finding.suite for finding in sampled])]
    columns += measured("train", [index.get("train_sentences", suite=finding.suite) for finding in sampled])
    columns += [Column("sample", [finding.by["sample"] for finding in sampled])]
    for name, digits in (("edv", 3), ("edv_heights", 5)):
        columns += measured(name, of(f"{name}_mean"), digits=digits)
        columns += measured("sd", of(f"{name}_sd"), digits=digits)
    note = "train, sample: sentences. Mean and sd of 20 random samples of each size, up to half of the training data."
    return table("EDV of sub-samples of the training data (EDV paper: Table D.1)", columns, note=note)


def unmatched_tables(matched: Matched, system: str) -> list[Table]:
    """Names on both sides that found no partner, so that nobody must guess why n is small."""
    tables = []
    if matched.treebanks:
        rows = [(name, " or ".join(near) + "?" if near else "") for name, near in matched.treebanks.items()]
        tables.append(Table(f"Treebanks without a score in {system}", ["treebank", "did you mean"], rows))
    if matched.unused:
        names = [*matched.unused, *[""] * (-len(matched.unused) % _ACROSS)]
        lines = [tuple(names[begin : begin + _ACROSS]) for begin in range(0, len(names), _ACROSS)]
        title = f"{len(matched.unused)} scores of {system} without a treebank"
        tables.append(Table(title, ["name", *[""] * (_ACROSS - 1)], lines))
    return tables


def not_matched(matched: Mapping[str, Matched]) -> dict[str, dict[str, object]]:
    """The same for programs, by system."""
    return {system: {"treebanks": pairs.treebanks, "scores": pairs.unused} for system, pairs in matched.items()}
