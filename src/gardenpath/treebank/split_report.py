"""Splits as a result: sizes of the parts, how far test is from train, what stands in two parts, strata."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..runs.layout import Column, measured, table, unfolded
from ..runs.result import Finding, Result, Table, Value
from ..runs.signature import signature
from ..runs.verdict import count_text
from .dealt_units import Ints, Split
from .duplicates import first_alike, repeats, shared
from .split_chance import Distance
from .strata import strata
from .treebank import Treebank

STUDY = "treebank"
_MOST_ROWS = 40
"""Of more rows than that a person is shown the summary, and the rows are kept."""


@dataclass(frozen=True)
class WrittenSplit:
    """A split, the files of its parts, and how far its test part is from train."""

    split: Split
    targets: Mapping[str, Path]
    distance: Distance | None = None
    label: str = ""
    """Of one split among many."""


def split_result(
    treebank: Treebank,
    splits: Sequence[WrittenSplit],
    marks: Mapping[str, object],
    *,
    near: float | None,
    stratify: str = "",
) -> Result:
    """Tables and findings of one split, or of many: folds, documents, repeated splits."""
    sizes = [finding for written in splits for finding in _sizes(treebank, written)]
    doubles = []
    if len(splits) == 1:
        first = splits[0].split.first
        doubles = _duplicates(first_alike(treebank, near) if first is None else first, splits[0])
    findings, tables = [*sizes, *doubles], [_size_table(splits, sizes, _double_note(doubles, near))]
    if stratify:
        kinds = [finding for written in splits for finding in _strata(treebank, written, stratify)]
        findings += kinds
        tables.append(_strata_table(kinds, stratify, several=len(splits) > 1))
    draws = None
    if len(splits) == 1 and splits[0].distance is not None:
        distances = _distance(splits[0], splits[0].distance)
        draws = splits[0].distance.draws or None
        findings += distances
        tables.append(_distance_table(distances, splits[0].distance.draws))
    elif len(splits) > 1:
        spread = _spread(treebank, splits)
        findings += spread
        tables = [*([_spread_table(spread)] if spread else []), *tables]
    split = splits[0].split
    left = {
        "shorter than 3 words, left out": split.removed,
        "with the words of another, left out": split.repeated,
        "in another part, too, left out": sum(written.split.shared for written in splits),
    }
    failures = {why: count for why, count in left.items() if count}
    keys = {"command": "treebank split", **marks, "draws": draws}
    return Result(signature(*keys.items()), findings, tables, failures)


def _of(written: WrittenSplit, part: str = "", **more: Value) -> dict[str, Value]:
    by: dict[str, Value] = {"split": written.label} if written.label else {}
    return by | ({"part": part} if part else {}) | more


def _sizes(treebank: Treebank, written: WrittenSplit) -> list[Finding]:
    dealt = sum(map(len, written.split.parts.values()))
    findings = []
    for part, numbers in written.split.parts.items():
        count, suite, by = len(numbers), written.targets[part].name, _of(written, part)
        words = int(treebank.lengths[numbers].sum())
        for measure, value in (("sentences", count), ("words", words), ("share", count / dealt)):
            findings.append(Finding(STUDY, suite, "", measure, value, count, by=by))
    return findings


def _size_table(splits: Sequence[WrittenSplit], sizes: Sequence[Finding], note: str) -> Table:
    rows = [(written, part) for written in splits for part in written.split.parts]
    columns = [Column("split", [written.label for written, _ in rows])] if len(splits) > 1 else []
    columns.append(Column("part", [part for _, part in rows]))
    for measure in ("sentences", "words", "share"):
        columns += measured(measure, [size for size in sizes if size.measure == measure])
    columns.append(Column("file", [str(written.targets[part]) for written, part in rows]))
    title = "Split" if len(splits) == 1 else f"{len(splits)} splits"
    shown = table(title, columns, digits=3, note=note, name="parts")
    return unfolded([shown], len(rows) <= _MOST_ROWS)[0]


def _duplicates(first: Ints, written: WrittenSplit) -> list[Finding]:
    """How many sentences are the same as an earlier one, and how many of each part are in train, too."""
    parts, targets = written.split.parts, written.targets
    count = repeats(first, parts.values())
    train = next(iter(parts))
    held = {part: shared(first, parts[train], numbers) for part, numbers in parts.items() if part != train}
    if not count:
        return []
    counted = [Finding(STUDY, targets[train].name, "", "repeated", count, by=_of(written, "all"))]
    return counted + [
        Finding(STUDY, targets[part].name, "", f"in_{train}", value, len(parts[part]), by=_of(written, part))
        for part, value in held.items()
    ]


def _double_note(doubles: Sequence[Finding], near: float | None) -> str:
    if not doubles:
        return ""
    how = "the words of" if near is None else "the words of, or nearly those of,"
    count, *held = doubles
    train = held[0].measure.removeprefix("in_")
    inside = ", ".join(f"{finding.value} of {finding.by['part']}" for finding in held)
    return f"{count.value} sentences have {how} an earlier one; in {train}, too: {inside}."


def _strata(treebank: Treebank, written: WrittenSplit, stratify: str) -> list[Finding]:
    stratum_of, names = strata(treebank, stratify)
    findings = []
    for part, numbers in written.split.parts.items():
        counts = np.bincount(stratum_of[numbers], minlength=len(names)).tolist()
        for name, count in zip(names, counts, strict=True):
            by = _of(written, part, **{stratify: name or "(none)"})
            share = count / len(numbers)
            findings.append(Finding(STUDY, written.targets[part].name, "", "stratum_share", share, len(numbers), by=by))
    return findings


def _strata_table(kinds: Sequence[Finding], stratify: str, several: bool) -> Table:
    """Strata in rows, parts in columns; of several splits the least and the greatest share of any."""
    names = list(dict.fromkeys(finding.by[stratify] for finding in kinds))
    parts = list(dict.fromkeys(finding.by["part"] for finding in kinds))
    columns = [Column(stratify, names)]
    for part in parts:
        of_part = [[kind for kind in kinds if kind.by["part"] == part and kind.by[stratify] == name] for name in names]
        if several:
            ends = [[extreme(float(kind.value or 0) for kind in same) for extreme in (min, max)] for same in of_part]
            columns.append(Column(f"{part}, from to", ends, kind="interval"))
        else:
            columns += measured(str(part), [same[0] for same in of_part])
    return table("Share of each part", columns, digits=3, name="strata")


def _distance(written: WrittenSplit, apart: Distance) -> list[Finding]:
    suite, n = written.targets["test"].name, len(written.split.parts["test"])
    values = [
        ("edv", apart.edv), ("edv_heights", apart.edv_heights), ("edv_noise_mean", apart.mean),
        ("edv_noise_sd", apart.sd), ("edv_excess", apart.excess), ("edv_z", apart.z),
    ]  # fmt: skip
    return [
        Finding(STUDY, suite, "", measure, value, n if measure in ("edv", "edv_heights") else apart.draws)
        for measure, value in values
        if value is not None
    ]


_EDV_NAMES = {
    "edv": "EDV",
    "edv_heights": "EDV of heights, as published",
    "edv_noise_mean": "noise: EDV of random splits, mean",
    "edv_noise_sd": "noise, standard deviation",
    "edv_excess": "excess: EDV less noise",
    "edv_z": "z: excess in standard deviations",
}


def _distance_table(distances: Sequence[Finding], draws: int) -> Table:
    title = "Train to test" + (f", beside {draws} random splits of these sizes" if draws else "")
    columns = [Column("measure", [_EDV_NAMES[finding.measure] for finding in distances])]
    return table(title, [*columns, *measured("value", distances)], digits=5, name="distance")


def _spread(treebank: Treebank, splits: Sequence[WrittenSplit]) -> list[Finding]:
    """EDV of each of many splits, and its mean, spread and ends over all of them."""
    singly = [
        Finding(STUDY, written.targets["test"].name, "", "edv", written.distance.edv,
                len(written.split.parts["test"]), by=_of(written))
        for written in splits if written.distance is not None
    ]  # fmt: skip
    values = np.array([finding.value for finding in singly], dtype=np.float64)
    if len(values) < 2:
        return singly
    ends = {"mean": values.mean(), "sd": values.std(ddof=1), "least": values.min(), "greatest": values.max()}
    name = Path(treebank.name).name
    return singly + [Finding(STUDY, name, "", f"edv_{end}", float(value), len(values)) for end, value in ends.items()]


def _spread_table(spread: Sequence[Finding]) -> Table:
    ends = [finding for finding in spread if not finding.by] or list(spread)
    columns = [Column("EDV", [finding.measure.removeprefix("edv_") for finding in ends])]
    title = f"Train to test over {count_text(sum(bool(finding.by) for finding in spread), 'split')}"
    return table(title, [*columns, *measured("value", ends)], digits=5, name="distances")
