"""`gardenpath displacement`."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .options import ClusterOption, FiguresOption, Format, FormatOption, JobsOption, OutputOption, RunOption, SeedOption
from .output import check_target, emit
from .study import listed
from .treebank.split import ProcedureName

if TYPE_CHECKING:
    from ..runs.result import Result

app = typer.Typer()


class VariantName(StrEnum):
    """Morphological complexity as the paper's text defines it, or as its authors' script computes it."""

    text = "text"
    script = "script"


@app.command(no_args_is_help=True)
def displacement(
    train: Annotated[str, typer.Argument(help="Training data: a file, folder or glob.")] = "",
    test: Annotated[str, typer.Argument(help="Test data.")] = "",
    collection: Annotated[
        Path | None,
        typer.Option(help="A folder of treebank folders with *-train*.conllu and *-test*.conllu, instead of a pair."),
    ] = None,
    las: Annotated[
        list[str] | None,
        typer.Option(
            help="Scores by treebank, TSV or CSV, to correlate with; NAME=TABLE names the system. May be repeated."
        ),
    ] = None,
    las_column: Annotated[
        str, typer.Option(help="The column of the scores, if there are several and none is las.")
    ] = "",
    covariates: Annotated[
        str, typer.Option(help="Held constant one after the other, comma-separated.")
    ] = "train_tokens,test_length",
    by: Annotated[str, typer.Option(help="Break down by length (of sentences, 3 to 30).")] = "",
    subsamples: Annotated[
        str, typer.Option(help="Sizes of random parts of the training data, in sentences (with --collection).")
    ] = "500,1000,2000,4000,6000,8000",
    draws: Annotated[int, typer.Option(help="Draws for intervals and noise floors; 0 for none.", min=0)] = 1000,
    variant: Annotated[
        VariantName,
        typer.Option("--variant", help="Morphological complexity as the EDV paper's text or its script has it."),
    ] = VariantName.text,
    experiment: Annotated[
        bool,
        typer.Option("--experiment", help="Train and score a parser on the min-EDV, max-EDV and random splits."),
    ] = False,
    parser: Annotated[str, typer.Option(help="What to train: udpipe, stanza or spacy (with --experiment).")] = "udpipe",
    preset: Annotated[str, typer.Option(help="tiny, default or paper, as for train (with --experiment).")] = "default",
    option: Annotated[
        list[str] | None,
        typer.Option("--option", help="An option of the parser, as for train (with --experiment); may be repeated."),
    ] = None,
    gold: Annotated[
        str, typer.Option(help="Gold layers that the parser may use: lemmas, tags, feats (with --experiment).")
    ] = "",
    random: Annotated[int, typer.Option(help="Random splits of each treebank (with --experiment).", min=0)] = 3,
    procedure: Annotated[
        ProcedureName,
        typer.Option("--procedure", help="The most extreme splits, or the paper's sampling (with --experiment)."),
    ] = ProcedureName.best,
    seed: SeedOption = 0,
    jobs: JobsOption = 1,
    cluster: ClusterOption = None,
    run: RunOption = None,
    figures: FiguresOption = None,
    format: FormatOption = Format.table,
    output: OutputOption = None,
) -> None:
    """How far is test from training data, is that more than chance, and does it explain parsers' scores?

    Example: gardenpath displacement bundled:de-train bundled:de-test --by length

    Example: gardenpath displacement --collection treebanks/ --las scores.tsv --figures figures/

    Example: gardenpath displacement --collection treebanks/ --experiment --parser udpipe --run run/ --jobs 0
    """
    from ..studies.displacement.variables import checked_covariates

    _check_call(train, test, collection, las)
    settings: dict[str, Any] = {"draws": draws, "variant": variant.value, "by": _groupings(by)}
    check_target(output, figures)
    if experiment:
        asked = {"parser": parser, "preset": preset, "random": random, "procedure": procedure.value}
        asked |= _training(option, gold)
        result = _experiment(collection, las, asked, seed, jobs, cluster, run)
    elif collection is None:
        result = _pair(train, test, settings, seed, run)
    else:
        settings["sizes"] = _sizes(subsamples)
        more = {
            "las": las or [],
            "column": las_column,
            "covariates": list(checked_covariates(listed(covariates))),
        }
        result = _collection(collection, settings, more, seed, jobs, cluster, run)
    emit(result, format, output, figures, run)


def _check_call(train: str, test: str, collection: Path | None, las: list[str] | None) -> None:
    from ..errors import UsageError

    if collection is not None and train:
        raise UsageError("a pair of files and a collection", where=train, todo="give TRAIN TEST or --collection DIR")
    if collection is None and train and not test:
        todo = "give TRAIN TEST, such as train.conllu test.conllu; or --collection DIR for a folder of treebanks"
        raise UsageError("no test data to compare with", where=train, todo=todo)
    if collection is None and not test:
        raise UsageError(
            "TRAIN TEST or --collection DIR is needed", todo="gardenpath displacement train.conllu test.conllu"
        )
    if collection is None and las:
        raise UsageError("a correlation with scores needs treebanks", todo="give --collection DIR")


def _pair(train: str, test: str, settings: dict[str, Any], seed: int, run: Path | None) -> Result:
    from ..studies.displacement.pair import observations, pair_study
    from ..treebank.source import paths, read

    if run is None:
        return pair_study(read(train), read(test), seed=seed, **settings)
    from ..errors import UsageError
    from ..runs.record import Run

    inputs = [*paths(train), *paths(test)]
    if "-" in inputs:
        raise UsageError("a run cannot go on with standard input", where="-", todo="name a file, or leave out --run")
    with Run.open(run, command="displacement", settings=settings, inputs=inputs, seed=seed) as record:
        if record.finished:
            return record.result()
        both = read(train), read(test)
        result = pair_study(*both, seed=seed, **settings)
        record.finish(result, observations(*both, seed))
        return result


def _collection(
    folder: Path,
    settings: dict[str, Any],
    more: dict[str, Any],
    seed: int,
    jobs: int,
    cluster: str | None,
    run: Path | None,
) -> Result:
    from ..runs.signature import digest
    from ..studies.displacement.collection import measure_collection, treebank_folders
    from ..studies.displacement.las import read_scores
    from ..studies.displacement.study import collection_study

    scores = [read_scores(table, more["column"]) for table in more["las"]]  # a bad table fails before the work
    facts = {"variant": settings["variant"], "draws": settings["draws"] or None, "seed": seed}
    for number, one in enumerate(scores, 1):
        facts[f"scores{number}"] = f"{one.system}#{digest(str(one.whole), str(one.lengths))[:8]}"

    def study(record: Any = None) -> Result:
        found = measure_collection(folder, seed=seed, **settings, jobs=jobs, cluster=cluster, run=record)
        return collection_study(found, scores, covariates=more["covariates"], facts=facts)

    if run is None:
        return study()
    from ..runs.record import Run
    from ..studies.displacement.las import score_file

    files = [file for one in treebank_folders(folder) for file in (*one.train, *one.test)]
    inputs = [*files, *(str(score_file(table)) for table in more["las"])]
    kept = {**settings, **more, "las": [one.system for one in scores]}
    with Run.open(run, command="displacement --collection", settings=kept, inputs=inputs, seed=seed) as record:
        if record.finished:
            return record.result()
        result = study(record)
        record.finish(result)
        return result


def _training(option: list[str] | None, gold: str) -> dict[str, Any]:
    from .train import parsed_options

    return {
        "options": parsed_options(option or []),
        "gold": sorted(listed(gold)),
    }


def _experiment(
    folder: Path | None,
    las: list[str] | None,
    asked: dict[str, Any],
    seed: int,
    jobs: int,
    cluster: str | None,
    run: Path | None,
) -> Result:
    """Finished trainings are kept in the cache and in the run, so nothing is trained twice."""
    from ..errors import UsageError
    from ..runs.cache import ResultCache
    from ..studies.displacement.experiment import experiment, treebanks_in

    if folder is None or las:
        raise UsageError("the experiment makes scores from a collection", todo="give --collection DIR, without --las")
    if run is None:
        return experiment(folder, **asked, seed=seed, jobs=jobs, cluster=cluster, cache=ResultCache())
    from ..runs.record import Run

    inputs = [file for files in treebanks_in(folder).values() for file in files]
    with Run.open(run, command="displacement --experiment", settings=asked, inputs=inputs, seed=seed) as record:
        if record.finished:
            return record.result()
        result = experiment(folder, **asked, seed=seed, jobs=jobs, cluster=cluster, run=record, cache=ResultCache())
        record.finish(result)
        return result


def _groupings(by: str) -> list[str]:
    from ..errors import unknown_name
    from ..studies.displacement.pair import GROUPINGS

    names = listed(by)
    for name in names:
        if name not in GROUPINGS:
            raise unknown_name("grouping", name, GROUPINGS)
    return names


def _sizes(text: str) -> list[int]:
    from ..errors import UsageError

    parts = listed(text)
    if bad := [part for part in parts if not part.isdecimal() or int(part) < 1]:
        raise UsageError(f"--subsamples {bad[0]}: not a number of sentences", todo="write 2000,4000")
    return sorted({int(part) for part in parts})
