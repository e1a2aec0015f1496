"""The best and the worst honest split: a parser trained on each, for a collection of treebanks (EDV, Section 6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...errors import InputError, UsageError
from ...runs.result import Finding, Result, Value
from ...runs.signature import digest, signature
from ...treebank.displacement_split import Procedure
from .split_training import SHARES, TRAIN, Training, trained, usable

if TYPE_CHECKING:
    from ...runs.cache import ResultCache
    from ...runs.cluster import Cluster
    from ...runs.record import Run

STUDY = "displacement"
FEWEST_SENTENCES = 100
"""Of the training part, as in the paper: scores of smaller treebanks say little."""
MEASURES = (
    "las", "uas", "upos", "edv", "edv_heights", "slv", "train_sentences", "train_tokens", "test_tokens", "test_length",
)  # fmt: skip

Scores = dict[str, Any]
"""What `trained` found out about one split."""


def experiment(
    collection: str | PathLike[str],
    *,
    parser: str = "udpipe",
    preset: str = "default",
    options: Mapping[str, str] | None = None,
    gold: Sequence[str] = (),
    random: int = 3,
    procedure: Procedure = "best",
    seed: int = 0,
    jobs: int | str = 1,
    cluster: str | Cluster | None = None,
    run: Run | None = None,
    cache: ResultCache | None = None,
    progress: bool | None = None,
) -> Result:
    """Trains on the min-EDV, the max-EDV and `random` random splits of every treebank, and compares the scores.

    `procedure` says how far the first two go: as far as can be, or as the paper's sampling does.
    The parser tags the test part itself unless `gold` gives it layers. Finished trainings are kept in the run or
    the cache and not done again; models are not kept.
    """
    from ...runs.work import map_tasks

    if random < 0:
        raise UsageError(f"{random} random splits", todo="give 0 or more")
    fitted = _options(parser, options)
    plan = Training("", b"", "", 0, seed, parser, preset, fitted, tuple(sorted(gold)), procedure)
    tasks, treebanks, failures = _tasks(Path(collection), plan, random)
    found: list[Scores] = map_tasks(
        trained, tasks, jobs=jobs, cluster=cluster, label="training", progress=progress,
        names=[task.name for task in tasks], keys=[task.key for task in tasks] if run or cache else None,
        run=run, cache=cache,
    )  # fmt: skip
    by_treebank: dict[str, dict[tuple[str, int], Scores]] = {name: {} for name in treebanks}
    for task, scores in zip(tasks, found, strict=True):
        by_treebank[task.treebank][task.split, task.draw] = scores
        failures |= {f"{task.name}: {kind}": count for kind, count in scores["failures"].items()}
    return _result(Path(collection).name, by_treebank, treebanks, failures, (
        ("study", STUDY), ("experiment", "splits"),
        ("treebanks", f"{len(treebanks)}#{digest(*sorted(treebanks.values()))[:8]}"),
        ("parser", parser), ("preset", preset),
        ("options", [f"{name}={value}" for name, value in fitted] or None), ("layers", sorted(gold) or None),
        ("shares", "/".join(f"{100 * share:.0f}" for share in SHARES)), ("random", random), ("procedure", procedure),
        ("seed", seed),
    ))  # fmt: skip


def treebanks_in(collection: Path) -> dict[str, list[str]]:
    """The files of every treebank: each folder of the collection is one, with all its files."""
    from ...treebank.source import paths

    if not collection.is_dir():
        raise InputError("this is no folder", where=str(collection), todo="name a folder of treebank folders")
    found = {}
    for folder in sorted(entry for entry in collection.iterdir() if entry.is_dir() and not entry.name.startswith(".")):
        try:
            found[folder.name] = paths(folder)
        except InputError:
            continue  # a folder of something else
    if not found:
        todo = "expected one folder for each treebank, with .conllu files in it"
        raise InputError("no treebank in this collection", where=str(collection), todo=todo)
    return found


def _options(parser: str, options: Mapping[str, str] | None) -> tuple[tuple[str, str], ...]:
    """Gold tokens are parsed, so UDPipe needs no tokenizer; that saves much of the time."""
    spared = (
        {"tokenizer": "none"} if parser == "udpipe" and not any("tokenizer" in name for name in options or ()) else {}
    )
    return tuple(sorted({**spared, **(options or {})}.items()))


def _tasks(collection: Path, plan: Training, random: int) -> tuple[list[Training], dict[str, str], dict[str, int]]:
    """All trainings; the treebanks with the hash of what is used of each; and what is left out."""
    from ...treebank.source import read

    tasks: list[Training] = []
    treebanks: dict[str, str] = {}
    failures: dict[str, int] = {}
    for name, files in treebanks_in(collection).items():
        try:
            whole = read(files, name=name)
        except InputError as error:  # the others go on
            failures[f"{name}: left out, {error.where or name}: {error.what}"] = 1
            continue
        treebank, left = usable(whole)
        failures |= {f"{name}: {why}": count for why, count in left.items()}
        if treebank is None or len(treebank) * TRAIN < FEWEST_SENTENCES:
            failures[f"{name}: left out, fewer than {FEWEST_SENTENCES} training sentences"] = 1
            continue
        treebanks[name] = digest(treebank.data)
        splits = [("min", 0), ("max", 0), *(("random", draw) for draw in range(1, random + 1))]
        tasks += [replace(plan, treebank=name, data=treebank.data, split=split, draw=draw) for split, draw in splits]
    if not tasks:
        raise InputError(
            "no treebank is large enough", where=str(collection), todo=f"{FEWEST_SENTENCES} training trees"
        )
    return tasks, treebanks, failures


def _result(
    collection: str,
    by_treebank: Mapping[str, Mapping[tuple[str, int], Scores]],
    treebanks: Mapping[str, str],
    failures: Mapping[str, int],
    facts: Sequence[tuple[str, object]],
) -> Result:
    from .experiment_summary import summary

    system = str(dict(facts)["parser"])
    findings = []
    for treebank, splits in by_treebank.items():
        for (split, draw), scores in splits.items():
            by: dict[str, Value] = {"split": split, **({"draw": draw} if draw else {})}
            findings += [
                Finding(STUDY, treebank, system, measure, scores[measure], scores["test_tokens"], by=by)
                for measure in MEASURES
            ]
    more, tables = summary(collection, system, by_treebank)
    return Result(signature(*facts), [*findings, *more], tables, failures)
