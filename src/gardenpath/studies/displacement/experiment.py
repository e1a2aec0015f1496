"""The easiest and the hardest honest split: a parser trained on each, for many treebanks (EDV, Section 6)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from ...errors import FailedOnInput, InputError
from ...runs.layout import opening
from ...runs.result import Finding, Value, Verdict
from ...runs.signature import digest
from ...stats.sampling import Clusters
from ..study import Findings, Study, Work
from .collection import side_of
from .settings import ANALYSES, STUDY, ExperimentSettings
from .split_training import OFFICIAL, PARTS, SHARES, SplitTraining, ready, release_of, trained, usable

if TYPE_CHECKING:
    from ...systems.entrants import Entrant
    from ...treebank.displacement_split import Procedure
    from ...treebank.treebank import Treebank
    from .experiment_summary import Splits

FEWEST_SENTENCES = 100
"""Of the training part, as in the paper: scores of smaller treebanks say little."""
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


@dataclass(frozen=True)
class ScoredSplits:
    """The scores of every split that was trained, by treebank, and what failed."""

    collection: str
    treebanks: Mapping[str, Splits]
    failures: Mapping[str, int]


class DisplacementExperiment(Study[ExperimentSettings, PlannedSplits, list[Any], ScoredSplits]):
    """Trains on the min-EDV, the max-EDV and random splits of every treebank of a folder, and compares the scores.

    The parser tags the test part itself unless `gold` gives it layers. Finished trainings are kept in the run and the
    cache and not done again; models are not kept.
    """

    name = STUDY
    about = "What does the split do to the score? A parser is trained on the easiest, the hardest and random splits."
    settings = ExperimentSettings
    needs_systems = False

    def check(self, source: Any, entrants: Sequence[Entrant], settings: ExperimentSettings) -> None:
        from ...systems.registry import TREES
        from ...systems.training import check_kind

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
        return _planned(Path(source), plan, settings.random, settings.official)

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
        return ScoredSplits(material.collection, treebanks, failures)

    def findings(self, judged: ScoredSplits, settings: ExperimentSettings) -> Findings:
        from .experiment_summary import summary
        from .experiment_tables import experiment_tables
        from .official import official_findings

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
        findings += [*more, *official_findings(system, complete)]
        tables = experiment_tables(findings, judged.collection, undefined)
        return Findings(findings, opening(tables, ANALYSES in settings.by), judged.failures)

    def verdicts(
        self, findings: Sequence[Finding], judged: ScoredSplits, settings: ExperimentSettings
    ) -> Iterable[Verdict]:
        from .verdicts import experiment_verdicts

        return experiment_verdicts(findings, judged.collection, settings.parser)


DISPLACEMENT_EXPERIMENT = DisplacementExperiment()


def _is_complete(splits: Splits) -> bool:
    """Were both ends of the range trained? Only then can they be compared."""
    return ("min", 0) in splits and ("max", 0) in splits


def training_options(settings: ExperimentSettings) -> tuple[tuple[str, str], ...]:
    """The parser's options. Gold tokens are parsed, so UDPipe needs no tokenizer; that saves much of the time."""
    from ...systems.tool_options import parsed_options

    options = parsed_options(settings.parser_options)
    if settings.parser == "udpipe" and not any("tokenizer" in name for name in options):
        options["tokenizer"] = "none"
    return tuple(sorted(options.items()))


def treebanks_in(collection: Path) -> dict[str, list[str]]:
    """The files of every treebank: each folder of the collection is one, with all its files; or it is one itself."""
    from ...treebank.source import paths

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


def _planned(collection: Path, plan: SplitTraining, random: int, official: bool) -> PlannedSplits:
    """All trainings that the treebanks of a folder allow."""
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
        for why in dict.fromkeys(why for _, left in parts for why in left):
            failures[f"{name}: {why}"] = sum(left.get(why, 0) for _, left in parts)
        sizes = [0 if part is None else len(part) for part, _ in parts]
        training = sizes[0] if official else sizes[0] * SHARES[0]
        if not all(sizes) or training < FEWEST_SENTENCES:
            failures[f"{name}: left out, fewer than {FEWEST_SENTENCES} training sentences"] = 1
            continue
        data = b"".join(part.to_bytes() for part, _ in parts if part is not None)
        treebanks[name] = digest(data)
        splits = [("min", 0), ("max", 0), *([(OFFICIAL, 0)] if official else [])]
        splits += [("random", draw) for draw in range(1, random + 1)]
        task = replace(plan, treebank=name, data=data, sizes=tuple(sizes) if official else None)
        tasks += [replace(task, split=split, draw=draw) for split, draw in splits]
    if not tasks:
        divided = not official or not all(_DIVIDED in why for why in failures)
        what = "no treebank is large enough" if divided else f"no treebank can be used: {_DIVIDED}"
        todo = f"{FEWEST_SENTENCES} training trees are needed"
        todo += ", in files *-train*, *-dev* and *-test*; or leave out --official" if official else ""
        raise InputError(what, where=str(collection), todo=todo)
    return PlannedSplits(collection.name, tasks, treebanks, failures)


def _usable(files: Sequence[str], name: str) -> tuple[Treebank | None, dict[str, int]]:
    from ...treebank.source import read

    return usable(read(files, name=name))
