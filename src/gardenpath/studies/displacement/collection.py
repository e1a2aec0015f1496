"""A folder of treebank folders: which train and test files there are, and what each pair shows."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...errors import GardenpathError, InputError
from ...runs.result import Table, Value
from ...stats.corrections import benjamini_hochberg
from ...treebank.source import SUFFIXES
from .pair import measure_pair

if TYPE_CHECKING:
    from ...runs.record import Run

SIZES = (500, 1000, 2000, 4000, 6000, 8000)
"""Sentences in the sub-samples of training data; those of Table D.1 and two smaller ones."""


@dataclass(frozen=True, slots=True)
class TreebankFiles:
    """A treebank's folder; several train (or test) files are joined."""

    name: str
    folder: str
    train: tuple[str, ...]
    test: tuple[str, ...]

    @property
    def missing(self) -> str:
        return "no train file" if not self.train else "no test file" if not self.test else ""


@dataclass(slots=True)
class Collection:
    """What was measured, by treebank, and which folders were left out, why."""

    name: str
    measured: dict[str, dict[str, Any]] = field(default_factory=dict)
    left_out: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Treebank to kind of reason and message."""

    @property
    def failures(self) -> dict[str, int]:
        kinds: dict[str, int] = {}
        for kind, _ in self.left_out.values():
            kinds[kind] = kinds.get(kind, 0) + 1
        return kinds


def treebank_folders(folder: str | PathLike[str]) -> list[TreebankFiles]:
    """The folders in `folder` that hold treebank files, by name."""
    place = Path(folder)
    if not place.is_dir():
        raise InputError("no such folder", where=str(folder), todo="name a folder of treebank folders")
    found = []
    for child in sorted(place.iterdir()):
        if not child.is_dir() or child.name.startswith("."):
            continue
        files = sorted(file for file in child.iterdir() if file.name.lower().endswith(SUFFIXES))
        if files:
            train, test = (tuple(str(file) for file in files if _side(file.name) == side) for side in _SIDES)
            found.append(TreebankFiles(child.name, str(child), train, test))
    if not found:
        todo = "expected folders such as UD_Tamil-TTB with files *-train*.conllu and *-test*.conllu"
        if any(_side(file.name) for file in place.iterdir() if file.name.lower().endswith(SUFFIXES)):
            todo = "it has treebank files itself: name the folder above it, or compare its files as TRAIN TEST"
        raise InputError("no treebank folder in this folder", where=str(folder), todo=todo)
    return found


_SIDES = ("train", "test")


def _side(name: str) -> str:
    """`train`, `dev` or `test`: the last of them in the name, since a split of `x-train` has all as `x-train-…`."""
    found = re.findall(r"-(train|dev|test)", name.lower())
    return found[-1] if found else ""


def measure_treebank(task: tuple[str, list[str], list[str], Mapping[str, Any]]) -> dict[str, Any]:
    """One treebank, in any process. What is wrong with it is told and not raised: the others go on."""
    from ...treebank.source import read

    folder, train, test, options = task
    try:
        return measure_pair(read(train), read(test), **options, names=(f"{folder} (train)", f"{folder} (test)"))
    except GardenpathError as error:
        where = error.where if error.where.startswith(folder) else f"{folder}: {error.where}"
        return {"error": f"{where}: {error.what}", "kind": error.what if len(error.what) < 60 else "cannot be read"}


def measure_collection(
    folder: str | PathLike[str],
    *,
    draws: int = 1000,
    seed: int = 0,
    variant: str = "text",
    by: Sequence[str] = (),
    sizes: Sequence[int] = SIZES,
    jobs: int = 1,
    cluster: str | None = None,
    run: Run | None = None,
) -> Collection:
    """Every treebank of the folder; each file is read once."""
    from ...runs.work import map_tasks

    found = Collection(Path(folder).resolve().name)
    usable = []
    for one in treebank_folders(folder):
        if one.missing:
            found.left_out[one.name] = (one.missing, f"{one.folder}: {one.missing}")
        else:
            usable.append(one)
    options = {"draws": draws, "seed": seed, "variant": variant, "by": list(by), "sizes": tuple(sizes)}
    tasks = [(one.folder, list(one.train), list(one.test), options) for one in usable]
    names = [one.name for one in usable]
    results = map_tasks(
        measure_treebank, tasks, jobs=jobs, cluster=cluster, label="treebanks", names=names, keys=names, run=run
    )
    for name, result in zip(names, results, strict=True):
        if "error" in result:
            found.left_out[name] = (result["kind"], result["error"])
        else:
            found.measured[name] = result
    if not found.measured:
        reasons = "; ".join(message for _, message in list(found.left_out.values())[:5])
        raise InputError("no treebank with train and test data", where=str(folder), todo=reasons)
    return found


def treebank_table(found: Collection, scores: Mapping[str, Mapping[str, float]]) -> Table:
    """The treebanks, most distant first, with their scores."""
    names = sorted(found.measured, key=lambda name: -found.measured[name]["distances"]["edv"]["value"])
    p_values = [found.measured[name]["distances"]["edv"]["p"] for name in names]
    drawn = all(p is not None for p in p_values)
    rows: list[list[Value]] = []
    for name in names:
        one = found.measured[name]
        measures, distances = one["measures"], one["distances"]
        z = distances["edv"]["z"]
        row: list[Value] = [
            name,
            measures["train_tokens"],
            measures["test_tokens"],
            f"{measures['test_length']:.1f}",
            f"{distances['edv']['value']:.3f}",
            *([f"{distances['edv']['noise_mean']:.3f}", "" if z is None else f"{z:+.1f}"] if drawn else []),
            f"{1000 * distances['edv_heights']['value']:.2f}",
            f"{distances['slv']['value']:.2f}",
            _places(measures["train_morphological_complexity"]),
            *(scores[system].get(name) for system in scores),
        ]
        rows.append(row)
    columns = ["treebank", "train", "test", "length", "edv", *(["noise", "z"] if drawn else []), "heights", "slv"]
    columns += ["MC", *(f"LAS {number}" if len(scores) > 1 else "LAS" for number, _ in enumerate(scores, 1))]
    note = "train, test: tokens; length: mean of test; heights: 10³ edv_heights; MC: morphological complexity of train."
    if drawn:
        above = sum(p < 0.05 for p in benjamini_hochberg([float(p) for p in p_values]))
        note += f" {above} of {len(names)} test sets are further away than chance (edv, p < 0.05 after BH)."
    if release := [name for name in names if "@" in name and any(name in found_las for found_las in scores.values())]:
        note += f" Matched without the release in its name: {', '.join(release)}."
    if len(scores) > 1:
        note += " " + ", ".join(f"LAS {number}: {system}" for number, system in enumerate(scores, 1)) + "."
    return Table(f"Treebanks of {found.name}", columns, rows, note=note)


def _places(value: float | None) -> str | None:
    return None if value is None else f"{value:.2f}"


def left_out_table(found: Collection) -> Table | None:
    rows = [(name, message.partition(": ")[2][:70]) for name, (_, message) in found.left_out.items()]
    return Table("Left out", ["treebank", "why"], rows) if rows else None


def subsample_tables(found: Collection) -> list[Table]:
    """Table D.1: mean and standard deviation of EDV over random parts of the training data."""
    tables = []
    for measure, factor, unit in (("edv", 1, "tokens"), ("edv_heights", 10_000, "10⁻⁴")):
        values = {
            name: {part["size"]: part["values"] for part in one["subsamples"] if part["measure"] == measure}
            for name, one in found.measured.items()
        }
        sizes = sorted({size for parts in values.values() for size in parts})
        rows: list[list[Value]] = []
        for name, parts in values.items():
            if parts:
                cells = [_mean_sd(parts[size], factor) if size in parts else None for size in sizes]
                rows.append([name, found.measured[name]["measures"]["train_sentences"], *cells])
        if rows:
            title = f"{measure} of sub-samples of the training data, in {unit}: mean (sd) (EDV paper: Table D.1)"
            note = "Columns: sentences in a sub-sample; 20 of each, up to half of the training data."
            tables.append(Table(title, ["treebank", "train", *map(str, sizes)], rows, note=note))
    return tables


def _mean_sd(values: Sequence[float], factor: float) -> str:
    mean = factor * sum(values) / len(values)
    sd = (sum((factor * value - mean) ** 2 for value in values) / (len(values) - 1)) ** 0.5
    return f"{mean:.3f} ({sd:.3f})" if factor == 1 else f"{mean:.1f} ({sd:.1f})"
