"""`gardenpath evaluate`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .options import ClusterOption, Format, FormatOption, JobsOption, OutputOption, RunOption, SeedOption
from .output import check_target, emit, fail_if

if TYPE_CHECKING:
    from ..runs.observations import Observations
    from ..runs.result import Result
    from ..studies.trees import Entrant

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
    from ..studies.evaluation.study import GROUPINGS
    from ..studies.trees import entrants

    settings = {
        "by": list(_groupings(by, GROUPINGS)),
        "example": examples,
        "limit": limit,
        "draws": draws,
        "mode": mode,
        "gold": sorted(part for part in gold_layers.split(",") if part),
    }
    bounds = _bounds(fail_under)
    check_target(output)
    found = entrants(systems)
    if run is None:
        result, _ = _evaluated(gold, found, settings, seed, jobs, cluster)
    else:
        result = _recorded(run, gold, found, settings, seed, jobs, cluster)
    emit(result, format, output)
    scores = [one for one in result.findings if not one.by and one.measure in bounds and isinstance(one.value, float)]
    low = [
        f"{one.system}: {one.measure} {one.value:.2f} is below {bounds[one.measure]:g}"
        for one in scores
        if not float(one.value or 0) >= bounds[one.measure]
    ]
    fail_if(bool(low), "\n".join(low))


def _evaluated(
    gold: str, found: list[Entrant], settings: dict[str, Any], seed: int, jobs: int, cluster: str | None
) -> tuple[Result, Callable[[], Observations]]:
    """The result, and how to get the observations behind it."""
    from ..studies.evaluation.study import evaluate, observations
    from ..treebank.source import read

    treebank = read(gold)
    trees, facts, failures = {}, dict[str, object](), dict[str, int]()
    for number, one in enumerate(found, 1):
        made = one.trees(treebank, mode=settings["mode"], layers=settings["gold"], jobs=jobs, cluster=cluster)
        trees[one.name] = made.treebank
        facts[f"system{number}" if len(found) > 1 else "system"] = one.signature
        failures |= {f"{one.name}: {kind}": count for kind, count in made.failures.items()}
    if any(not one.file for one in found):
        facts |= {"mode": settings["mode"], "layers": settings["gold"] or None}
    wanted = {name: settings[name] for name in ("by", "example", "limit", "draws")}
    result, scores = evaluate(treebank, trees, **wanted, seed=seed, facts=facts, failures=failures)
    return result, lambda: observations(treebank, scores, seed)


def _recorded(
    folder: Path,
    gold: str,
    found: list[Entrant],
    settings: dict[str, Any],
    seed: int,
    jobs: int,
    cluster: str | None,
) -> Result:
    """The same with a record: a finished run is read; in an interrupted one, what was parsed is in the cache."""
    from ..errors import UsageError
    from ..runs.record import Run
    from ..treebank.source import paths

    inputs = [*paths(gold), *(file for one in found for file in one.files)]
    if "-" in inputs:
        raise UsageError("a run cannot go on with standard input", where="-", todo="name a file, or leave out --run")
    settings = {**settings, "systems": {one.name: one.signature for one in found}}
    with Run.open(folder, command="evaluate", settings=settings, inputs=inputs, seed=seed) as record:
        if record.finished:
            return record.result()
        result, judged = _evaluated(gold, found, settings, seed, jobs, cluster)
        record.finish(result, judged())
        return result


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

    known = {metric.lower() for metric in METRICS}
    bounds = {}
    for part in filter(None, text.split(",")):
        metric, _, value = part.rpartition("=")
        if (metric or "las").lower() not in known:
            raise unknown_name("metric", metric, METRICS)
        try:
            bounds[(metric or "las").lower()] = float(value)
        except ValueError:
            raise UsageError(f"--fail-under {part}: not a number", todo="write 80 or LAS=80") from None
    return bounds
