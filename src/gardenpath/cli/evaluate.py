"""`gardenpath evaluate`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .options import ClusterOption, Format, FormatOption, JobsOption, OutputOption, RunOption, SeedOption
from .output import command_line, emit, fail_if

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
    fail_under: Annotated[
        str, typer.Option(help="Exit 1 if a system's F1 is below: 80 (LAS) or METRIC=VALUE, comma-separated.")
    ] = "",
    seed: SeedOption = 0,
    jobs: JobsOption = 1,
    cluster: ClusterOption = None,
    run: RunOption = None,
    format: FormatOption = Format.table,
    output: OutputOption = None,
) -> None:
    """Score parsers against gold trees: the CoNLL 2018 metrics with intervals, and where the errors are.

    Example: gardenpath evaluate gold.conllu parsed.conllu --by label,distance

    Example: gardenpath evaluate gold.conllu udpipe:de.udpipe other.conllu --examples nsubj:obj
    """
    from ..studies.evaluation.study import GROUPINGS, evaluate, observations
    from ..treebank.source import read

    groupings = _groupings(by, GROUPINGS)
    bounds = _bounds(fail_under)
    treebank = read(gold)
    trees, facts, failures = {}, dict[str, object](), dict[str, int]()
    for name in systems:
        if _is_file(name):
            trees[name] = read(name.removeprefix("conllu:"))
        else:
            from ..systems.parsing import parse_with

            layers = tuple(part for part in gold_layers.split(",") if part)
            parsed = parse_with(name, treebank, mode=mode, gold=layers, jobs=jobs, cluster=cluster)
            trees[name] = parsed.treebank
            facts[f"system{len(trees)}"] = parsed.signature
            for kind, count in parsed.failures.items():
                failures[f"{name}: {kind}"] = count
    result, scores = evaluate(
        treebank,
        trees,
        by=groupings,
        example=examples,
        limit=limit,
        draws=draws,
        seed=seed,
        facts=facts,
        failures=failures,
    )
    if run is not None:
        from ..runs.record import Run

        inputs: list[str | Path] = [gold, *(name.removeprefix("conllu:") for name in systems if _is_file(name))]
        settings = {"by": list(groupings), "draws": draws, "systems": systems, "mode": mode, "gold": gold_layers}
        with Run.open(run, command=command_line(), settings=settings, inputs=inputs, seed=seed) as record:
            if not record.finished:
                record.finish(result, observations(treebank, scores, seed))
    emit(result, format, output)
    for metric, bound in bounds.items():
        for name, one in scores.items():
            value = one.f1(metric)
            fail_if(not value >= bound, f"{name}: {metric} {value:.2f} is below {bound:g}")


def _is_file(name: str) -> bool:
    """A plain path, or `conllu:PATH`; other `kind:argument` names are parsers."""
    kind, colon, _ = name.partition(":")
    return not colon or kind == "conllu" or name == "-" or Path(name).exists()


def _groupings(by: str, known: tuple[str, ...]) -> tuple[str, ...]:
    from ..errors import unknown_name

    names = tuple(part.strip() for part in by.split(",") if part.strip())
    if names == ("all",):
        return known
    for name in names:
        if name not in known:
            raise unknown_name("grouping", name, (*known, "all"))
    return names


def _bounds(text: str) -> dict[str, float]:
    from ..errors import UsageError, unknown_name
    from ..treebank.scores import METRICS

    known = {metric.lower(): metric for metric in METRICS}
    bounds = {}
    for part in filter(None, text.split(",")):
        metric, _, value = part.rpartition("=")
        if (metric or "las").lower() not in known:
            raise unknown_name("metric", metric, METRICS)
        try:
            bounds[known[(metric or "las").lower()]] = float(value)
        except ValueError:
            raise UsageError(f"--fail-under {part}: not a number", todo="write 80 or LAS=80") from None
    return bounds
