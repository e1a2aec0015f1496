"""`gardenpath evaluate`."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from .options import (
    AnyLanguageOption,
    ClusterOption,
    FiguresOption,
    Format,
    FormatOption,
    JobsOption,
    OutputOption,
    RunOption,
    SeedOption,
)
from .output import check_target, emit
from .study import Work, bounds, check_bounds, groupings, listed, parsed, recorded

app = typer.Typer()


@app.command(no_args_is_help=True)
def evaluate(
    gold: Annotated[str, typer.Argument(help="Gold treebank: a file, folder, glob or -.")],
    systems: Annotated[
        list[str],
        typer.Argument(
            metavar="SYSTEM...", help="Parsed files, or parsers such as udpipe:MODEL. The first is the baseline."
        ),
    ],
    by: Annotated[
        str,
        typer.Option(help="Break down by label, length, distance, direction, depth, projectivity, confusion, or all."),
    ] = "",
    examples: Annotated[
        str, typer.Option(help="Show sentences where GOLD was taken for SYSTEM (nsubj:obj), or all errors of a label.")
    ] = "",
    limit: Annotated[int, typer.Option(help="How many examples to show.", min=1)] = 10,
    draws: Annotated[int, typer.Option(help="Bootstrap draws for intervals and tests; 0 for none.", min=0)] = 1000,
    mode: Annotated[str, typer.Option(help="What parsers get: tokens, sentences or text.")] = "tokens",
    gold_layers: Annotated[
        str, typer.Option("--gold", help="Gold layers that parsers may use: lemmas, tags, feats (comma-separated).")
    ] = "",
    any_language: AnyLanguageOption = False,
    fail_under: Annotated[
        str, typer.Option(help="Exit 1 if a system's F1 is below: 80 (LAS) or METRIC=VALUE, comma-separated.")
    ] = "",
    seed: SeedOption = 0,
    jobs: JobsOption = 1,
    cluster: ClusterOption = None,
    run: RunOption = None,
    figures: FiguresOption = None,
    format: FormatOption = Format.table,
    output: OutputOption = None,
) -> None:
    """Score parsers against gold trees: the CoNLL 2018 metrics with intervals, and where the errors are.

    Example: gardenpath evaluate gold.conllu parsed.conllu --by label,distance

    Example: gardenpath evaluate gold.conllu udpipe:de.udpipe other.conllu --examples nsubj:obj
    """
    from ..studies.evaluation.study import GROUPINGS, observations
    from ..studies.evaluation.study import evaluate as score
    from ..studies.trees import entrants
    from ..treebank.scores import METRICS
    from ..treebank.source import read

    settings: dict[str, Any] = {
        "by": groupings(by, GROUPINGS),
        "example": examples,
        "limit": limit,
        "draws": draws,
        "mode": mode,
        "gold": sorted(listed(gold_layers)),
    }
    wanted = bounds(fail_under, METRICS)
    check_target(output, figures)
    found = entrants(systems)

    def work() -> Work:
        treebank = read(gold)
        layers = settings["gold"]
        made = parsed(treebank, found, mode=mode, layers=layers, jobs=jobs, cluster=cluster, any_language=any_language)
        shown = {name: settings[name] for name in ("by", "example", "limit", "draws")}
        result, scores = score(treebank, made.trees, **shown, seed=seed, facts=made.facts, failures=made.failures)
        return Work(result, lambda: observations(treebank, scores, seed), made.kept(treebank))

    result = recorded(run, work, command="evaluate", source=gold, found=found, settings=settings, seed=seed)
    emit(result, format, output, figures)
    check_bounds(result, wanted)
