"""The split experiment: a parser trained on the easiest, the hardest and random splits of every treebank."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from ..._version import __version__
from ...errors import FailedOnInput, GardenpathError, InputError
from ...plugins import version_of
from ...runs.record.signatures import digest
from ...runs.record.writing import scratch_folder
from ...runs.result.layout import opening
from ...runs.result.observations import Observations
from ...runs.result.result import Finding, Result, Value, Verdict
from ...runs.work.where import Where
from ...stats.distributions import wasserstein
from ...stats.sampling import Clusters
from ...treebank.format.treebank import Treebank
from ...treebank.split.deal import DocumentDeal, Split
from ...treebank.split.displacement import SHORTEST, Extreme, Procedure, displacement_split
from ...treebank.split.methods import random_split
from ...treebank.split.report import distance
from ...treebank.trees.tree import tree_mask
from ..engine.study import Kept, Study, Work
from .collection import side_of
from .declaration import ANALYSES, FEWEST_RANDOM, OFFICIAL, STUDY, ExperimentSettings

if TYPE_CHECKING:
    from ...systems.asking.entrants import Entrant
    from .split_effects import Splits


PARTS = ("train", "dev", "test")
SHARES = (0.6, 0.2, 0.2)
"""Of the parts, as in the paper."""
_DEALT = "same words together"
"""How sentences are dealt out: what the cache has of an earlier way is of other splits."""


@dataclass(frozen=True, slots=True)
class SplitTraining:
    """A split by name (min, max, random) and what to train on it. The bytes come along: a worker needs no file."""

    treebank: str
    data: bytes
    split: str
    draw: int
    seed: int
    parser: str
    preset: str
    options: tuple[tuple[str, str], ...]
    gold: tuple[str, ...]
    procedure: Procedure = "best"
    sizes: tuple[int, ...] | None = None
    """Sentences of train, dev and test of the official split, which stand in `data` in this order."""
    documents: tuple[int, ...] | None = None
    """The document of each sentence, where random splits deal out whole documents."""

    @property
    def shares(self) -> tuple[float, ...]:
        """Of train, dev and test: those of the official split where it is trained, too."""
        return SHARES if self.sizes is None else tuple(size / sum(self.sizes) for size in self.sizes)

    @property
    def name(self) -> str:
        return f"{self.treebank} {self.split}" + (f" {self.draw}" if self.draw else "")

    @property
    def key(self) -> str:
        """Everything that the scores depend on; not the treebank's name."""
        asked = (
            _DEALT, self.split, self.draw, self.seed, self.parser, self.preset, self.options, self.gold, self.shares,
        )  # fmt: skip
        # Random splits are the same ones beside either procedure.
        variant: list[str] = [self.procedure] if self.split != "random" and self.procedure != "best" else []
        variant += [repr(self.documents)] if self.split == "random" and self.documents is not None else []
        return digest(self.data, repr(asked), __version__, release_of(self.parser), *variant)

    def split_of(self, treebank: Treebank) -> Split:
        """The named split; random ones differ by their number."""
        if self.split == OFFICIAL and self.sizes is not None:
            bounds = [0, *accumulate(self.sizes)]
            return Split({part: np.arange(*ends) for part, ends in zip(PARTS, pairwise(bounds), strict=True)})
        train, dev, test = self.shares
        if self.split == "random":
            own = int(np.random.default_rng([self.seed, self.draw]).integers(1 << 31))
            if self.documents is not None:
                part_of = self.dealt()[np.array(self.documents)]
                return Split({part: np.flatnonzero(part_of == number) for number, part in enumerate(PARTS)})
            return random_split(treebank, train=train, dev=dev, test=test, seed=own, near=None)
        extreme: Extreme = "min" if self.split == "min" else "max"
        return displacement_split(
            treebank, extreme, train=train, dev=dev, test=test, seed=self.seed, procedure=self.procedure, near=None
        )

    def dealt(self) -> NDArray[np.int64]:
        """The part of each document in a random split of the official sizes."""
        deal = DocumentDeal.of(np.bincount(self.documents or ()), dict(zip(PARTS, self.shares, strict=True)))
        return np.asarray(deal.random(1, np.random.default_rng([self.seed, self.draw]))[0])


@dataclass(frozen=True)
class UsablePart:
    """The trees of three words and more, on which all splits are made, and how many sentences are left out why."""

    treebank: Treebank | None
    documents: NDArray[np.int64] | None
    """The document of each of them, where the file marks documents."""
    left_out: Mapping[str, int]

    @classmethod
    def of(cls, treebank: Treebank) -> UsablePart:
        trees = tree_mask(treebank.heads, treebank.offsets)
        long = treebank.lengths >= SHORTEST
        left = {"shorter than 3 words": int((~long).sum()), "not a tree": int((long & ~trees).sum())}
        kept = trees & long
        part = (treebank if kept.all() else treebank.select(kept)) if kept.any() else None
        documents = None if treebank.documents is None else treebank.documents[kept]
        return cls(part, documents, {why: count for why, count in left.items() if count})


def ready(task: SplitTraining) -> None:
    """Loads the parser's package, before the clock of a time limit starts."""
    from ...systems.asking.registry import kinds

    known = kinds()[task.parser]
    known.load(known.trainer)


def trained(task: SplitTraining) -> dict[str, Any]:
    """Makes the split, trains, parses the gold tokens of the test part, and scores; the model is not kept."""
    from ...systems.parsers.parsing import parse_with
    from ...systems.training.training import train
    from ...treebank.trees.scores import score

    treebank = Treebank(task.data, name=task.treebank)
    split = task.split_of(treebank)
    parts = {part: treebank.select(numbers) for part, numbers in split.parts.items()}
    with scratch_folder() as folder:
        try:
            model = train(
                task.parser, parts["train"], parts["dev"], output=folder / "model", preset=task.preset,
                seed=task.seed, options=dict(task.options),
            )  # fmt: skip
            parsed = parse_with(model.system, parts["test"], gold=task.gold, where=Where(cache=False, progress=False))
        except GardenpathError as error:
            error.add_note(f"on the split {task.name}")
            raise
    scores = score(parts["test"], parsed.treebank)
    return {
        **measured(treebank, split, parts),
        "las": scores.f1("LAS"),
        "uas": scores.f1("UAS"),
        "upos": scores.f1("UPOS"),
        "failures": dict(parsed.failures),
    }


def measured(treebank: Treebank, split: Split, parts: Mapping[str, Treebank]) -> dict[str, float]:
    """What Table 7 correlates: EDV, SLV, sizes and mean length."""
    edv = distance(treebank, split, draws=0)
    assert edv is not None  # every part has trees of three words
    return {
        "edv": edv.edv,
        "edv_heights": edv.edv_heights,
        "slv": _length_distance(parts["train"].lengths, parts["test"].lengths),
        "trees": len(treebank),
        "train_sentences": len(parts["train"]),
        "train_tokens": parts["train"].word_count,
        "test_tokens": parts["test"].word_count,
        "test_length": float(parts["test"].lengths.mean()),
    }


def _length_distance(first: Any, second: Any) -> float:
    """SLV: the Wasserstein distance between two distributions of sentence lengths."""
    longest = int(max(first.max(), second.max())) + 1
    return float(wasserstein(*(np.bincount(one, minlength=longest) for one in (first, second))))


def release_of(parser: str) -> str:
    """Which release of the parser's package: another one may train another model."""
    package = {"udpipe": "ufal.udpipe"}.get(parser, parser)
    version = version_of(package)
    return f"{package} {version}" if version else parser


_DIVIDED = "no official split of train, dev and test"
MEASURES = (
    "las", "uas", "upos", "edv", "edv_heights", "slv", "train_sentences", "train_tokens", "test_tokens", "test_length",
)  # fmt: skip


@dataclass(frozen=True)
class PlannedSplits:
    """All trainings; the treebanks with the hash of what is used of each; and what is left out."""

    collection: str
    tasks: Sequence[SplitTraining]
    treebanks: Mapping[str, str]
    failures: Mapping[str, int]

    @property
    def by_document(self) -> set[str]:
        """The treebanks whose random splits deal out whole documents."""
        return {task.treebank for task in self.tasks if task.documents is not None}


@dataclass(frozen=True)
class ScoredSplits:
    """The scores of every split that was trained, by treebank, and what failed."""

    collection: str
    treebanks: Mapping[str, Splits]
    failures: Mapping[str, int]
    by_document: Collection[str] = ()


class DisplacementExperiment(Study[ExperimentSettings, PlannedSplits, list[Any], ScoredSplits]):
    """Trains on the min-EDV, the max-EDV and random splits of every treebank of a folder, and compares the scores.

    The parser tags the test part itself unless `gold` gives it layers. Finished trainings are kept in the run and the
    cache and not done again; models are not kept.
    """

    name = STUDY
    settings = ExperimentSettings
    needs_systems = False

    def check(self, source: Any, entrants: Sequence[Entrant], settings: ExperimentSettings) -> None:
        from ...systems.asking.registry import TREES
        from ...systems.training.training import check_kind

        kind = check_kind(settings.parser, settings.preset, settings.seed, TREES)
        kind.load(kind.trainer)(settings.parser).settings(settings.preset, dict(training_options(settings)))

    def files(self, source: Any, settings: ExperimentSettings) -> list[str]:
        return [file for files in treebanks_in(Path(source)).values() for file in files]

    def read(self, source: Any, settings: ExperimentSettings) -> PlannedSplits:
        procedure = cast("Procedure", settings.procedure)
        plan = SplitTraining(
            "", b"", "", 0, settings.seed, settings.parser, settings.preset, training_options(settings),
            settings.gold, procedure,
        )  # fmt: skip
        return _planned(Path(source), plan, settings)

    def facts(self, material: PlannedSplits, settings: ExperimentSettings) -> Iterable[tuple[str, object]]:
        treebanks = material.treebanks
        return [
            ("experiment", "splits"),
            ("treebanks", f"{len(treebanks)}#{digest(*sorted(treebanks.values()))[:8]}"),
            ("parser", settings.parser), ("preset", settings.preset),
            ("options", [f"{name}={value}" for name, value in training_options(settings)] or None),
            ("trainer", release_of(settings.parser)),
            ("shares", OFFICIAL if settings.official else "/".join(f"{100 * share:.0f}" for share in SHARES)),
            ("random", settings.random),
            ("by_document", len(material.by_document) or None),
            ("procedure", settings.procedure),
        ]  # fmt: skip

    def clusters(self, material: PlannedSplits, settings: ExperimentSettings) -> Clusters:
        return Clusters.independent(len(material.treebanks), "treebank")

    def ask(
        self, material: PlannedSplits, entrants: Sequence[Entrant], settings: ExperimentSettings, work: Work
    ) -> list[Any]:
        """The scores of each training, or the failure that came instead."""
        tasks = material.tasks
        return work.place.map(
            trained, tasks, label="training", names=[task.name for task in tasks], keys=[task.key for task in tasks],
            run=work.run, prepare=ready, tolerated=FailedOnInput,
        )  # fmt: skip

    def judge(self, material: PlannedSplits, answers: list[Any], settings: ExperimentSettings) -> ScoredSplits:
        failures, failed = dict(material.failures), list[FailedOnInput]()
        treebanks: dict[str, dict[tuple[str, int], dict[str, Any]]] = {name: {} for name in material.treebanks}
        for task, scores in zip(material.tasks, answers, strict=True):
            if isinstance(scores, FailedOnInput):
                scores.where = scores.where or task.name
                failed.append(scores)
                failures[f"{task.name}: {scores.what}"] = 1
            else:
                treebanks[task.treebank][task.split, task.draw] = scores
                failures |= {f"{task.name}: {kind}": count for kind, count in scores["failures"].items()}
        if not any(_is_complete(splits) for splits in treebanks.values()):
            raise failed[0]
        return ScoredSplits(material.collection, treebanks, failures, material.by_document)

    def findings(self, judged: ScoredSplits, settings: ExperimentSettings) -> Result:
        from .split_effects import experiment_tables, official_findings, summary

        system, findings = settings.parser, list[Finding]()
        for treebank, splits in judged.treebanks.items():
            for (split, draw), scores in splits.items():
                by: dict[str, Value] = {"split": split, **({"draw": draw} if draw else {})}
                findings += [
                    Finding(STUDY, treebank, system, measure, scores[measure], scores["test_tokens"], by=by)
                    for measure in MEASURES
                ]
        complete = {name: splits for name, splits in judged.treebanks.items() if _is_complete(splits)}
        more, undefined = summary(judged.collection, system, complete)
        findings += [*more, *official_findings(system, complete, judged.by_document)]
        tables = experiment_tables(findings, judged.collection, undefined)
        return Result(findings=findings, tables=opening(tables, ANALYSES in settings.by), failures=judged.failures)

    def verdicts(
        self, findings: Sequence[Finding], judged: ScoredSplits, settings: ExperimentSettings
    ) -> Iterable[Verdict]:
        from .verdicts import experiment_verdicts

        return experiment_verdicts(findings, judged.collection, settings.parser)

    def kept(self, judged: ScoredSplits, settings: ExperimentSettings) -> Kept:
        """One row for each training: the LAS on its test part (`value`), with what else was measured of the split."""
        rows = [
            (treebank, split, draw, scores)
            for treebank, splits in judged.treebanks.items()
            for (split, draw), scores in splits.items()
        ]
        columns = {
            "study": STUDY, "suite": judged.collection, "item": [treebank for treebank, *_ in rows],
            "condition": [split for _, split, *_ in rows], "system": settings.parser, "seed": settings.seed,
            "unit": [f"draw {draw}" if draw else "" for *_, draw, _ in rows], "outcome": "measured",
            "value": [scores["las"] for *_, scores in rows],
            **{measure: [scores[measure] for *_, scores in rows] for measure in MEASURES},
        }  # fmt: skip
        return Kept(Observations(columns))


DISPLACEMENT_EXPERIMENT = DisplacementExperiment()


def _is_complete(splits: Splits) -> bool:
    """Were both ends of the range trained? Only then can they be compared."""
    return ("min", 0) in splits and ("max", 0) in splits


def training_options(settings: ExperimentSettings) -> tuple[tuple[str, str], ...]:
    """Return the parser's options for gold tokens."""
    from ...systems.training.training import options_for

    return options_for(settings.parser, settings.train)


def treebanks_in(collection: Path) -> dict[str, list[str]]:
    """The files of every treebank: each folder of the collection is one, with all its files; or it is one itself."""
    from ...treebank.format.reading import paths

    if not collection.is_dir():
        raise InputError("this is not a folder", where=str(collection), todo="name a folder of treebank folders")
    treebanks = {}
    folders = sorted(entry for entry in collection.iterdir() if entry.is_dir() and not entry.name.startswith("."))
    for folder in [*folders, *([] if folders else [collection])]:
        try:
            treebanks[folder.name] = paths(folder)
        except InputError:
            continue  # a folder of something else
    if not treebanks:
        todo = "expected one folder for each treebank, with .conllu files in it"
        raise InputError("no treebank in this collection", where=str(collection), todo=todo)
    return treebanks


def _planned(collection: Path, plan: SplitTraining, settings: ExperimentSettings) -> PlannedSplits:
    """All trainings that the treebanks of a folder allow."""
    random, official, fewest = settings.random, settings.official, settings.min_train
    tasks, treebanks, failures = list[SplitTraining](), dict[str, str](), dict[str, int]()
    for name, files in treebanks_in(collection).items():
        sides = (
            [[file for file in files if side_of(Path(file).name) == part] for part in PARTS] if official else [files]
        )
        if not all(sides):
            failures[f"{name}: left out, {_DIVIDED}"] = 1
            continue
        try:
            parts = [_usable(side, name) for side in sides]
        except InputError as error:  # the others go on
            failures[f"{name}: left out, {error.where or name}: {error.what}"] = 1
            continue
        for why in dict.fromkeys(why for part in parts for why in part.left_out):
            failures[f"{name}: {why}"] = sum(part.left_out.get(why, 0) for part in parts)
        sizes = [0 if part.treebank is None else len(part.treebank) for part in parts]
        training = sizes[0] if official else sizes[0] * SHARES[0]
        if not all(sizes) or training < fewest:
            failures[f"{name}: left out, fewer than {fewest} training sentences"] = 1
            continue
        data = b"".join(part.treebank.to_bytes() for part in parts if part.treebank is not None)
        treebanks[name] = digest(data)
        task = replace(plan, treebank=name, data=data, sizes=tuple(sizes) if official else None)
        tasks += [replace(task, split=split) for split in ("min", "max", *([OFFICIAL] if official else []))]
        drawn = [replace(task, split="random", draw=draw) for draw in range(1, random + 1)]
        different = _by_document(drawn, parts) if official else drawn
        if len(different) < len(drawn):
            failures[f"{name}: random splits of documents like another one, left out"] = len(drawn) - len(different)
        tasks += different
    if not tasks:
        divided = not official or not all(_DIVIDED in why for why in failures)
        what = "no treebank is large enough" if divided else f"no treebank can be used: {_DIVIDED}"
        todo = f"{fewest} training trees are needed (--set min_train=N)"
        todo += ", in files *-train*, *-dev* and *-test*; or --splits without official" if official else ""
        raise InputError(what, where=str(collection), todo=todo)
    return PlannedSplits(collection.name, tasks, treebanks, failures)


def _by_document(drawn: Sequence[SplitTraining], parts: Sequence[UsablePart]) -> list[SplitTraining]:
    """Random splits of whole documents, each different from the others and from the official one.

    Of sentences where a part does not mark its documents, or where documents allow too few splits of these sizes.
    """
    numbers, official = list[int](), list[int]()
    for part, usable in enumerate(parts):
        if usable.documents is None:
            return list(drawn)
        names, own = np.unique(usable.documents, return_inverse=True)
        numbers += (own + len(official)).tolist()
        official += [part] * len(names)
    seen, different = {tuple(official)}, list[SplitTraining]()
    for task in drawn:
        by_document = replace(task, documents=tuple(numbers))
        try:
            part_of = tuple(by_document.dealt().tolist())
        except InputError:
            break
        if part_of not in seen:
            seen.add(part_of)
            different.append(by_document)
    return different if len(different) >= FEWEST_RANDOM else list(drawn)


def _usable(files: Sequence[str], name: str) -> UsablePart:
    from ...treebank.format.reading import read

    return UsablePart.of(read(files, name=name))
