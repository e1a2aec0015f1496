"""Result of a split: sizes, distance of test from train beside random splits, duplicates and strata."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ...runs.record.signatures import signature
from ...runs.result.layout import Column, measured, table, unfolded
from ...runs.result.result import Finding, Result, Table, Value
from ...runs.result.verdict import count_text
from ...stats.distributions import wasserstein, wasserstein_of_heights
from ..format.treebank import Treebank
from ..trees.duplicates import first_alike
from .deal import DocumentDeal, Floats, Ints, Split, documents, strata
from .displacement import CLASSES, Units, units

DRAWS = 100
_CHUNK = 4096  # Units whose histograms are added up in one step, so that memory stays bounded


@dataclass(frozen=True, slots=True)
class Distance:
    """EDV between train and test, in tokens and as published, and the mean and spread of EDV over random splits."""

    edv: float
    edv_heights: float
    draws: int
    mean: float | None
    sd: float | None

    @property
    def excess(self) -> float | None:
        """EDV less the mean of random splits, its noise floor."""
        return None if self.mean is None else self.edv - self.mean

    @property
    def z(self) -> float | None:
        """Standard deviations above the mean of random splits."""
        if self.mean is None or not self.sd:
            return None
        return (self.edv - self.mean) / self.sd


def distance(treebank: Treebank, split: Split, *, draws: int = DRAWS, seed: int = 0) -> Distance | None:
    """Of train and test; None where one of them has no edge, or is not there."""
    if not {"train", "test"} <= split.parts.keys():
        return None
    labels = np.full(len(treebank), -1)
    names = [part for part in ("train", "dev", "test") if part in split.parts]
    for number, part in enumerate(names):
        labels[split.parts[part]] = number
    kept = labels >= 0
    unit_of = np.full(len(treebank), -1)
    unit_of[kept] = (
        np.unique(documents(treebank)[kept], return_inverse=True)[1] if split.by_document else np.arange(kept.sum())
    )
    dealt = units(treebank, unit_of)
    part_of = np.empty(len(dealt), dtype=np.int8)
    part_of[unit_of[kept]] = labels[kept]
    train, test = (dealt.histogram(part_of == number) for number in (0, len(names) - 1))
    if not train.sum() or not test.sum():
        return None
    by_chance = _drawn(dealt, part_of, split, draws, seed)
    draws = len(by_chance)
    spread = float(by_chance.std(ddof=1)) if draws > 1 else None
    mean = float(by_chance.mean()) if draws else None
    return Distance(float(wasserstein(train, test)), float(wasserstein_of_heights(train, test)), draws, mean, spread)


def _drawn(dealt: Units, part_of: Ints, split: Split, draws: int, seed: int) -> Floats:
    """EDV of random splits: of the same sizes, or with documents dealt out as `random_split` does."""
    rng = np.random.default_rng([seed, draws])
    last = int(part_of.max())
    if not draws:
        labels = np.empty((0, len(dealt)), dtype=np.int8)
    elif split.by_document:
        sizes = np.bincount(part_of, weights=dealt.sentences)
        shares = {str(part): float(size / sizes.sum()) for part, size in enumerate(sizes)}
        labels = DocumentDeal.of(dealt.sentences, shares).random(draws, rng).astype(np.int8)
    else:
        labels = rng.permuted(np.tile(np.sort(part_of), (draws, 1)), axis=1)
    draws = len(labels)
    train, test = np.zeros((draws, CLASSES)), np.zeros((draws, CLASSES))
    for begin in range(0, len(dealt), _CHUNK):
        which = np.arange(begin, min(begin + _CHUNK, len(dealt)))
        counts = dealt.histograms(which).astype(np.float32)
        piece = labels[:, begin : begin + _CHUNK]
        train += (piece == 0).astype(np.float32) @ counts
        test += (piece == last).astype(np.float32) @ counts
    return wasserstein(train, test)


STUDY = "treebank"
_MOST_ROWS = 40  # Of more rows than that a person is shown the summary, and the rows are kept


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
    doubles, note = list[Finding](), ""
    if len(splits) == 1:
        first = splits[0].split.first
        doubles, note = _duplicates(first_alike(treebank, near) if first is None else first, splits[0], near)
    findings, tables = [*sizes, *doubles], [_size_table(splits, sizes, note)]
    if stratify:
        kinds = [finding for written in splits for finding in _strata(treebank, written, stratify)]
        findings += kinds
        tables.append(_strata_table(kinds, stratify, several=len(splits) > 1))
    draws = None
    if len(splits) == 1 and splits[0].distance is not None:
        distances, shown = _distance(splits[0], splits[0].distance)
        draws = splits[0].distance.draws or None
        findings += distances
        tables.append(shown)
    elif len(splits) > 1:
        spread, spread_tables = _spread(treebank, splits)
        findings += spread
        tables = [*spread_tables, *tables]
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


def _duplicates(first: Ints, written: WrittenSplit, near: float | None) -> tuple[list[Finding], str]:
    """Count sentences that are the same as an earlier one, and those of each part that are in train, with a note."""
    parts, targets = written.split.parts, written.targets
    kept = first[np.concatenate(list(parts.values()))]
    count = len(kept) - len(np.unique(kept))
    if not count:
        return [], ""
    train = next(iter(parts))
    findings = [Finding(STUDY, targets[train].name, "", "repeated", count, by=_of(written, "all"))]
    inside = []
    for part in list(parts)[1:]:
        value, total = int(np.isin(first[parts[part]], first[parts[train]]).sum()), len(parts[part])
        findings.append(Finding(STUDY, targets[part].name, "", f"in_{train}", value, total, by=_of(written, part)))
        inside.append(f"{value} of {part}")
    how = "the words of" if near is None else "the words of, or nearly those of,"
    return findings, f"{count} sentences have {how} an earlier one; in {train}, too: {', '.join(inside)}."


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


def _distance(written: WrittenSplit, apart: Distance) -> tuple[list[Finding], Table]:
    suite, n = written.targets["test"].name, len(written.split.parts["test"])
    values = [
        ("edv", "EDV", apart.edv, n),
        ("edv_heights", "EDV of heights, as published", apart.edv_heights, n),
        ("edv_noise_mean", "noise: EDV of random splits, mean", apart.mean, apart.draws),
        ("edv_noise_sd", "noise, standard deviation", apart.sd, apart.draws),
        ("edv_excess", "excess: EDV less noise", apart.excess, apart.draws),
        ("edv_z", "z: excess in standard deviations", apart.z, apart.draws),
    ]
    known = [row for row in values if row[2] is not None]
    findings = [Finding(STUDY, suite, "", measure, value, count) for measure, _, value, count in known]
    title = "Train to test" + (f", beside {apart.draws} random splits of these sizes" if apart.draws else "")
    columns = [Column("measure", [name for _, name, _, _ in known]), *measured("value", findings)]
    return findings, table(title, columns, digits=5, name="distance")


def _spread(treebank: Treebank, splits: Sequence[WrittenSplit]) -> tuple[list[Finding], list[Table]]:
    """Return EDV of each of many splits, and its mean, spread and ends over all of them, with their table if any."""
    singly = [
        Finding(STUDY, written.targets["test"].name, "", "edv", written.distance.edv,
                len(written.split.parts["test"]), by=_of(written))
        for written in splits if written.distance is not None
    ]  # fmt: skip
    if not singly:
        return [], []
    values, together = np.array([finding.value for finding in singly], dtype=np.float64), list[Finding]()
    if len(values) > 1:
        ends = {"mean": values.mean(), "sd": values.std(ddof=1), "least": values.min(), "greatest": values.max()}
        name = Path(treebank.name).name
        together = [Finding(STUDY, name, "", f"edv_{end}", float(value), len(values)) for end, value in ends.items()]
    shown = together or singly
    columns = [Column("EDV", [finding.measure.removeprefix("edv_") for finding in shown]), *measured("value", shown)]
    title = f"Train to test over {count_text(len(singly), 'split')}"
    return [*singly, *together], [table(title, columns, digits=5, name="distances")]
