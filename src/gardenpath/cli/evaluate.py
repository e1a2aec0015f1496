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
    gold: Annotated[
        str, typer.Argument(help="Gold treebank, of dependencies or of phrases: a file, folder, glob or -.")
    ],
    systems: Annotated[
        list[str],
        typer.Argument(
            metavar="SYSTEM...", help="Parsed files, or parsers such as udpipe:MODEL. The first is the baseline."
        ),
    ],
    by: Annotated[
        str,
        typer.Option(
            help="Break down by label, length, distance, direction, depth, projectivity, confusion, or all; "
            "phrase trees by label, function or length."
        ),
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
    scheme: Annotated[
        str, typer.Option(help="Phrase trees: the annotation scheme, for UAS and LAS: tiger or tuebadz.")
    ] = "",
    parameters: Annotated[
        str, typer.Option(help="Phrase trees: what counts: german, collins, all, or a parameter file of EVALB.")
    ] = "german",
    form: Annotated[
        str,
        typer.Option(
            help="Phrase trees: how parses show gaps: discontinuous, split (NP*), unmarked (pieces), raised or "
            "raised-longest."
        ),
    ] = "discontinuous",
    max_length: Annotated[
        int | None, typer.Option(help="Phrase trees: only sentences of at most so many words.", min=1)
    ] = None,
    fail_under: Annotated[
        str,
        typer.Option(
            help="Exit 1 if a system's F1 is below: 80 (LAS; of phrase trees F1) or METRIC=VALUE, comma-separated."
        ),
    ] = "",
    seed: SeedOption = 0,
    jobs: JobsOption = 1,
    cluster: ClusterOption = None,
    run: RunOption = None,
    figures: FiguresOption = None,
    format: FormatOption = Format.table,
    output: OutputOption = None,
) -> None:
    """Score parsers against gold trees: metrics with intervals, and where the errors are.

    Dependency trees: those of the CoNLL 2018 shared task. Phrase trees (export, TIGER-XML, brackets, …): PARSEVAL,
    leaf-ancestor, and UAS and LAS by heads.

    Example: gardenpath evaluate gold.conllu udpipe:de.udpipe other.conllu --by label --examples nsubj:obj

    Example: gardenpath evaluate gold.export trees:parsed.export --scheme tiger --max-length 40
    """
    from ..studies.phrase_trees import holds_phrases

    if holds_phrases(gold) or (gold == "-" and scheme):
        from .evaluate_phrases import evaluate_phrases

        unfit = {"--examples": bool(examples), "--mode": mode != "tokens", "--gold": bool(gold_layers)}
        _refuse(unfit, "phrase trees", gold)
        evaluate_phrases(
            gold, systems, by=by, draws=draws, scheme=scheme, parameters=parameters, form=form, max_length=max_length,
            fail_under=fail_under, seed=seed, jobs=jobs, cluster=cluster, run=run, figures=figures, format=format,
            output=output,
        )  # fmt: skip
        return
    unfit = {
        "--scheme": bool(scheme), "--parameters": parameters != "german", "--form": form != "discontinuous",
        "--max-length": max_length is not None,
    }  # fmt: skip
    _refuse(unfit, "dependency trees", gold)
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
    emit(result, format, output, figures, run)
    check_bounds(result, wanted)


def _refuse(given: dict[str, bool], what: str, gold: str) -> None:
    """Options that mean nothing for this kind of gold."""
    from ..errors import UsageError

    wrong = [option for option, is_given in given.items() if is_given]
    if wrong:
        raise UsageError(f"{wrong[0]} is not for {what}", where=gold, todo=f"leave out {wrong[0]}")
