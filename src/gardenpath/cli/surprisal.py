"""`gardenpath surprisal`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .options import ClusterOption, FiguresOption, Format, FormatOption, JobsOption, OutputOption, RunOption, SeedOption
from .output import check_target, emit
from .study import bounds, check_bounds, groupings

if TYPE_CHECKING:
    from ..runs.observations import Observations
    from ..runs.result import Result
    from ..runs.where import Where
    from ..studies.surprisal.entrants import Entrant

app = typer.Typer()


@app.command(no_args_is_help=True)
def surprisal(
    arguments: Annotated[
        list[str],
        typer.Argument(
            metavar="SUITE... SYSTEM...",
            help="Suites (files, folders, or data by name), and language models: kind:argument, or several seeds of "
            "one model as NAME=kind:argument,kind:argument.",
        ),
    ],
    by: Annotated[
        str,
        typer.Option(help="Tables to show: class, modifier, suite, prediction, kind, complexity, difference, or all."),
    ] = "class",
    ties: Annotated[
        str, typer.Option(help="A tie is worth half a point (half), is thrown for (coin), or is wrong (strict).")
    ] = "half",
    metric: Annotated[
        str,
        typer.Option(help="Surprisal of a region: sum, mean, median, range, max, min; else as the suite says."),
    ] = "",
    tokens: Annotated[
        str,
        typer.Option(
            help="What models are given: the words of the suite (suite), the same with punctuation split off "
            "(punctuation), or characters; else suite, and characters where it has no blanks."
        ),
    ] = "",
    model: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FORMULA",
            help="A mixed model of the judgements, as in lme4: outcome ~ syntax + (1|modifier) + (1|item) + (1|seed); "
            "outcome makes it binomial, accuracy is that of a suite by a seed; may be given again.",
        ),
    ] = None,
    model_by: Annotated[
        str, typer.Option(help="One model for each class, suite, modifier, kind or system; else one for all.")
    ] = "",
    mark: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=SYSTEM,...",
            help="A column for models that is 1 for these systems and 0 for the others, as syntax=RNNG,PLM; may be "
            "given again.",
        ),
    ] = None,
    draws: Annotated[int, typer.Option(help="Bootstrap draws for intervals; 0 for none.", min=0)] = 1000,
    fail_under: Annotated[
        str, typer.Option(help="Exit 1 if a system is below: 60 (accuracy, %) or MEASURE=VALUE, comma-separated.")
    ] = "",
    seed: SeedOption = 0,
    jobs: JobsOption = 1,
    cluster: ClusterOption = None,
    run: RunOption = None,
    figures: FiguresOption = None,
    format: FormatOption = Format.table,
    output: OutputOption = None,
) -> None:
    """Does a language model expect what the grammar demands, in which class of suites, across which modifier?

    Example: gardenpath surprisal syntaxgym ngram:en.arpa --by suite,difference

    Example: gardenpath surprisal mandarin/test_suites surprisals:lstm_outputs surprisals:rnng_outputs --by all

    Example: gardenpath surprisal suites/ LSTM=lstm:a RNNG=rnng:b --mark syntax=RNNG --model "outcome ~ syntax +
    (1|modifier) + (1|item) + (1|seed)" --model-by class
    """
    from ..errors import UsageError
    from ..runs.where import Where
    from ..studies.surprisal.entrants import entrants, is_system
    from ..studies.surprisal.models import parsed_marks
    from ..studies.surprisal.study import GROUPINGS, MEASURES

    names = [one for one in arguments if not is_system(one)]
    found = entrants([one for one in arguments if is_system(one)])
    if not names:
        raise UsageError("no suite is named", todo="gardenpath surprisal SUITE... SYSTEM...")
    if not found:
        todo = "name a language model after the suites, such as ngram:MODEL or surprisals:FOLDER"
        raise UsageError("no system is named", where=", ".join(names), todo=todo)
    shown = groupings(by, GROUPINGS)
    formulas = _formulas(model or [], model_by, mark or [])
    marks = parsed_marks(mark or [], [one.name for one in found])
    models = {"formulas": formulas, "by": model_by, "marks": marks} if formulas else {}
    settings: dict[str, Any] = {"by": shown, "ties": ties, "metric": metric, "tokens": tokens, "draws": draws}
    wanted = bounds(fail_under, MEASURES, "accuracy")
    check_target(output, figures)
    files = _files(names)
    if run is None:
        result, _, _ = _work(files, found, settings, models, seed, Where(jobs, cluster))
    else:
        result = _recorded(run, files, found, settings, models, seed, Where(jobs, cluster))
    emit(result, format, output, figures, run)
    check_bounds(result, wanted, "known words need a model that says which it does not know; lengths need pairs")


def _formulas(given: list[str], by: str, marks: list[str]) -> list[str]:
    """The formulas, read before anything is scored: a typo must not cost an hour."""
    from ..errors import UsageError, unknown_name
    from ..studies.surprisal.models import MODEL_BY, checked_formula

    if by and by not in MODEL_BY:
        raise unknown_name("grouping of models", by, MODEL_BY)
    if not given and (by or marks):
        raise UsageError("--model-by and --mark say how to fit a model, and there is none", todo="add --model FORMULA")
    return [checked_formula(one, [mark.partition("=")[0].strip() for mark in marks]).text for one in given]


def _files(names: list[str]) -> list[str]:
    """The files of the suites; data by name is brought here first."""
    from ..data import records
    from ..suites.regions.reader import region_files
    from .fetching import fetched
    from .suites.arguments import expanded

    known = {record.name for record in records()}
    files = []
    for name in names:
        place: str | Path = name
        if (name in known or name.startswith("bundled:")) and not Path(name).exists():
            place = fetched(name)
        files += [file for one in expanded(str(place)) for file in region_files(one)]
    return files


def _work(
    files: list[str],
    found: list[Entrant],
    settings: dict[str, Any],
    models: dict[str, Any],
    seed: int,
    where: Where,
    keep: bool = False,
) -> tuple[Result, Observations, bytes]:
    from dataclasses import replace

    from ..studies.surprisal.curves import attached
    from ..studies.surprisal.models import modelled
    from ..studies.surprisal.observed import observations
    from ..studies.surprisal.study import suites_name, surprisal
    from ..suites.regions.reader import read_region_suites

    suites = [suite for file in files for suite in read_region_suites(file)]
    result, judged = surprisal(suites, found, **settings, seed=seed, where=where)
    observed = observations(judged)
    if models:
        findings, tables, failures = modelled(
            observed, models["formulas"], suites_name(suites), by=models["by"], marks=models["marks"]
        )
        result = replace(
            result,
            findings=[*result.findings, *findings],
            tables=[*result.tables, *tables],
            failures={**result.failures, **failures},
        )
    return result, observed, attached(judged) if keep else b""


def _recorded(
    folder: Path,
    files: list[str],
    found: list[Entrant],
    settings: dict[str, Any],
    models: dict[str, Any],
    seed: int,
    where: Where,
) -> Result:
    """The same with a record: a finished run is read; in an interrupted one, what was scored is in the cache."""
    from ..errors import UsageError
    from ..runs.record import Run
    from ..studies.surprisal.curves import SURPRISALS

    if "-" in files:
        raise UsageError("a run cannot go on with standard input", where="-", todo="name a file, or leave out --run")
    inputs = [*files, *(file for one in found for file in one.files)]
    kept = {**settings, **({"models": models} if models else {}), "systems": {one.name: one.signature for one in found}}
    with Run.open(folder, command="surprisal", settings=kept, inputs=inputs, seed=seed) as record:
        if record.finished:
            return record.result()
        result, judged, curves = _work(files, found, settings, models, seed, where, keep=True)
        record.finish(result, judged, attached={SURPRISALS: curves})
        return result
