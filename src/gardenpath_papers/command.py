"""`gardenpath reproduce`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gardenpath.cli import Format, FormatOption, OutputOption, Rare, check_target, emit, fail_if, fetched, message
from gardenpath.errors import UsageError

from .ledger import VERDICTS
from .paper import PAPERS, OwnTreebanks, papers_called

app = typer.Typer()


@app.command(no_args_is_help=True)
def reproduce(
    papers: Annotated[list[str], typer.Argument(metavar="PAPER...", help=f"{', '.join(PAPERS)}; or all.")],
    table: Annotated[
        list[str] | None,
        typer.Option(metavar="TABLE", help='Only the lines of this table, such as "Table 7"; may be repeated.'),
    ] = None,
    verdict: Annotated[
        list[str] | None,
        typer.Option(metavar="VERDICT", help=f"Only the lines with this verdict: {', '.join(VERDICTS)}; repeat."),
    ] = None,
    tiger: Annotated[
        str, typer.Option("--tiger", help="tepacoc: your TIGER, to take the suite from and train on.", metavar="FILE")
    ] = "",
    tueba: Annotated[str, typer.Option("--tueba", help="tepacoc: your TüBa-D/Z, for the same.", metavar="FILE")] = "",
    listed: Annotated[
        str,
        typer.Option(
            "--list", help="tepacoc: the published list of sentences; else 20 are drawn per phenomenon.", metavar="FILE"
        ),
    ] = "",
    ctb: Annotated[
        str,
        typer.Option("--ctb", help="mandarin: your Chinese Treebank; runs the whole study.", metavar="DIR"),
    ] = "",
    folder: Annotated[Path, Rare("mandarin --ctb: where data, models and tables go.")] = Path("mandarin"),
    xinhua: Annotated[str, Rare("mandarin --ctb: text for the larger data, parsed first.")] = "",
    segmenter: Annotated[str, Rare("mandarin with xinhua: a parser for raw text; ctb trains one.")] = "",
    parts: Annotated[
        str, Rare("A file that lists the documents of each part, in lines such as: dev 0301-0325 chtb_0400.")
    ] = "",
    suites: Annotated[str, Rare("mandarin --ctb: the suites that models are tested on.")] = "mandarin-suites",
    preset: Annotated[str, Rare("mandarin --ctb: tiny, default or paper.")] = "default",
    seeds: Annotated[int, Rare("mandarin --ctb: trainings per neural model.")] = 3,
    only_plan: Annotated[bool, Rare("mandarin --ctb: write the plan (plan.sh) and run nothing.")] = False,
    fail_on_difference: Annotated[
        bool, typer.Option("--fail-on-difference", help="Exit 1 if a number that should be equal is not.")
    ] = False,
    format: FormatOption = Format.table,
    output: OutputOption = None,
) -> None:
    """Go through a paper number by number: what is recomputed, what follows from other numbers, what is impossible.

    Shows how many numbers of each table have which verdict; with --table or --verdict, the lines themselves.

    The data is fetched if it is not here (GARDENPATH_MIRROR=DIR serves it from a folder). Treebanks and scores
    for edv have to be put into such a folder; tepacoc needs no data, and trains grammars (extra pcfg).

    Example: gardenpath reproduce sorts --table "Table 7" --verdict recomputed

    Example: gardenpath reproduce all --format json --fail-on-difference

    Example: gardenpath reproduce tepacoc --tiger tiger.xml --tueba tuebadz.export --list tepacoc.txt

    Example: gardenpath reproduce mandarin --ctb ctb9/bracketed --set xinhua=xinhua.txt --set preset=paper
    """
    from .paper import reproduce as run

    wanted = papers_called(papers)
    check_target(output)
    if ctb:
        from .mandarin_pipeline import MandarinPlan, run_plan

        if [paper.name for paper in wanted] != ["mandarin"]:
            raise UsageError("--ctb is for the paper on Mandarin", todo="name mandarin only")
        plan = MandarinPlan(ctb, folder, xinhua, segmenter, parts, suites, preset, seeds)
        emit(run_plan(plan, message, only_plan=only_plan), format, output)
        return
    given = {"xinhua": xinhua, "segmenter": segmenter, "parts": parts, "only_plan": only_plan}
    if unused := next((name for name, value in given.items() if value), ""):
        raise UsageError(f"{unused} needs --ctb", where=f"--set {unused}", todo="name the treebank with --ctb")
    own = OwnTreebanks(tiger, tueba, listed) if tiger or tueba or listed else None
    result = run(wanted, fetched, table or (), verdict or (), own)
    emit(result, format, output)
    different = sum(finding.by["outcome"] == "differs" for finding in result.findings)
    if fail_on_difference:
        fail_if(bool(different), f"{different} numbers differ from the published ones")
