"""A folder of treebank folders: its training and test files, and the measures of each pair."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..._version import __version__
from ...errors import FailedOnInput, GardenpathError, InputError
from ...runs.record.signatures import describe_input, digest
from ...treebank.format.reading import SUFFIXES
from ..engine.study import Work
from .declaration import LENGTH, CollectionSettings

if TYPE_CHECKING:
    pass


_SIDES = ("train", "test")
_KEPT = "distances, excess by document, effective documents, dependency lengths"
"""What the cache keeps of a treebank: without all of these it is of an earlier release."""


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


@dataclass(frozen=True)
class CollectionFiles:
    """The treebanks of a folder, each with the hash of what is in its files, and those that are of no use."""

    folder: str
    usable: Mapping[TreebankFiles, str]
    left_out: Mapping[str, tuple[str, str]]
    """Treebank to kind of reason and message."""

    @property
    def name(self) -> str:
        return Path(self.folder).resolve().name


@dataclass(frozen=True, slots=True)
class TreebankTask:
    """One treebank to measure, in any process that sees the same files."""

    files: TreebankFiles
    options: Mapping[str, Any]


@dataclass(frozen=True)
class MeasuredCollection:
    """What was measured, by treebank, and which folders were left out, why."""

    name: str
    measured: Mapping[str, Mapping[str, Any]]
    left_out: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """Treebank to kind of reason and message."""

    @property
    def failures(self) -> dict[str, int]:
        return dict(Counter(kind for kind, _ in self.left_out.values()))


def treebank_folders(folder: str | PathLike[str]) -> list[TreebankFiles]:
    """The folders in `folder` that hold treebank files, by name."""
    place = Path(folder)
    if not place.is_dir():
        raise InputError("no such folder", where=str(folder), todo="name a folder of treebank folders")
    treebanks = []
    for child in sorted(place.iterdir()):
        if not child.is_dir() or child.name.startswith("."):
            continue
        files = sorted(file for file in child.iterdir() if file.name.lower().endswith(SUFFIXES))
        if files:
            train, test = (tuple(str(file) for file in files if side_of(file.name) == side) for side in _SIDES)
            treebanks.append(TreebankFiles(child.name, str(child), train, test))
    if not treebanks:
        todo = "expected folders such as UD_Tamil-TTB with files *-train*.conllu and *-test*.conllu"
        if any(side_of(file.name) for file in place.iterdir() if file.name.lower().endswith(SUFFIXES)):
            todo = (
                "it has treebank files itself: name the folder above it, or compare its files: displacement TRAIN TEST"
            )
        raise InputError("no treebank folder in this folder", where=str(folder), todo=todo)
    return treebanks


def side_of(name: str) -> str:
    """`train`, `dev` or `test`: the last of them in the name, since a split of `x-train` has all as `x-train-…`."""
    sides = re.findall(r"-(train|dev|test)", name.lower())
    return sides[-1] if sides else ""


def collection_files(folder: str | PathLike[str]) -> CollectionFiles:
    """The treebanks of a folder; one without train or test files, or with a file that cannot be read, is left out."""
    usable, left_out = dict[TreebankFiles, str](), dict[str, tuple[str, str]]()
    for files in treebank_folders(folder):
        if files.missing:
            left_out[files.name] = files.missing, f"{files.folder}: {files.missing}"
            continue
        try:
            sides = (digest(*(describe_input(file)["sha256"] for file in side)) for side in (files.train, files.test))
            usable[files] = digest(*sides)
        except InputError as error:
            left_out[files.name] = "cannot be read", f"{error.where}: {error.what}"
    return CollectionFiles(str(folder), usable, left_out)


def measure_treebank(task: TreebankTask) -> dict[str, Any]:
    """One treebank, in any process. What is wrong with it is a failure of this one: the others go on."""
    from ...treebank.format.reading import read
    from .pair import measure_pair

    files = task.files
    names = (f"{files.folder} (train)", f"{files.folder} (test)")
    try:
        return measure_pair(read(list(files.train)), read(list(files.test)), **task.options, names=names)
    except GardenpathError as error:
        where = error.where if error.where.startswith(files.folder) else f"{files.folder}: {error.where}"
        raise FailedOnInput(error.what, where=where, todo=error.todo) from error


def ready(task: TreebankTask) -> None:
    """Loads what measuring needs, before the clock of a time limit starts."""
    from . import pair as pair


def measure_collection(files: CollectionFiles, settings: CollectionSettings, work: Work) -> MeasuredCollection:
    """Every treebank of the folder. Measures are kept in the cache by what is in the files."""
    options = {
        "draws": settings.draws, "seed": settings.seed, "variant": settings.variant,
        "by": [LENGTH] if LENGTH in settings.by else [],
        "sizes": settings.subsamples,
    }  # fmt: skip
    tasks = [TreebankTask(treebank, options) for treebank in files.usable]
    names = [task.files.name for task in tasks]
    keys = [f"displacement {digest(contents, _KEPT, repr(options), __version__)}" for contents in files.usable.values()]
    results = work.place.map(
        measure_treebank, tasks, label="treebanks", names=names, keys=keys, run=work.run, prepare=ready,
        tolerated=FailedOnInput,
    )  # fmt: skip
    measured, left_out = dict[str, Mapping[str, Any]](), dict(files.left_out)
    for task, result in zip(tasks, results, strict=True):
        if isinstance(result, FailedOnInput):
            kind = result.what if len(result.what) < 60 else "cannot be measured"
            where = result.where if result.where.startswith(task.files.folder) else task.files.folder
            left_out[task.files.name] = kind, f"{where}: {result.what}"
        elif (sentences := int(result["measures"]["train_sentences"])) < settings.min_train:
            kind = f"fewer than {settings.min_train} training sentences"
            left_out[task.files.name] = kind, f"{task.files.folder}: {kind} ({sentences})"
        else:
            measured[task.files.name] = result
    if not measured:
        reasons = "; ".join(message for _, message in list(left_out.values())[:5])
        raise InputError("no treebank with train and test data", where=files.folder, todo=reasons)
    return MeasuredCollection(files.name, measured, left_out)
