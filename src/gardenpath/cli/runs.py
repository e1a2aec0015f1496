"""Commands on finished runs: compare, check, report; and the score card, which makes runs."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

import typer

from ..runs.work.where import HERE, Where
from ..studies.engine.declaration import INDEPENDENT, parts_of
from .checks import CheckFormat, CheckFormatOption, MarginOption, show_cases
from .options import Format, FormatOption, OutputOption, QuietOption
from .output import check_target, emit, fail_if, message
from .settings import Rare

ThingsArgument = Annotated[
    list[str],
    typer.Argument(
        metavar="RUN... | RUN SYSTEM | SOURCE SYSTEM...",
        help="Folders of runs, or logs of other harnesses; a run and a system on which it is repeated; or a source and "
        "systems, which are run now. The first system is the reference.",
    ),
]
GoldOption = Annotated[str, typer.Option(help="With a source: gold annotation passed to parsers: lemmas, tags, feats.")]
InputOption = Annotated[str, typer.Option(help="With a source: parser input: tokens, sentences or text.")]


def _study_settings(gold: str, input: str) -> dict[str, Any]:
    return {name: value for name, value in (("gold", gold), ("input", input)) if value}


def compare(
    things: ThingsArgument,
    by: Annotated[
        str | None,
        typer.Option(help="Groups to compare: columns of the items, all, or none. Default: those of the findings."),
    ] = None,
    gold: GoldOption = "",
    input: InputOption = "",
    power: Annotated[float, Rare("Power for which the number of items is computed.", least=0.01, most=0.999)] = 0.8,
    independent: Annotated[bool, Rare(INDEPENDENT)] = False,
    where: Where = HERE,
    format: FormatOption = Format.table,
    output: OutputOption = None,
    quiet: QuietOption = False,
) -> None:
    """Compare systems on the same items, paired: differences, corrected p, effect sizes, and how many items it takes.

    Runs whose suites differ in release or content are refused; the message says where they differ.

    Example: gardenpath compare bundled:de-test baseline:nearest-head baseline:right-branching --gold tags

    Example: gardenpath evaluate bundled:de-test baseline:nearest-head --gold tags --run run-a -o scores.txt

    Example: gardenpath compare run-a baseline:right-branching --by direction --format tsv
    """
    from ..library.opened_runs import opened_runs
    from ..studies.compare.study import compare as compared

    check_target(output, runs=_folders(things))
    names = None if by is None else [name for name in parts_of(by) if name != "none"]
    with opened_runs(things, where, **_study_settings(gold, input)) as runs:
        emit(compared(runs, by=names, power=power, independent=independent), format, output)


def _folders(things: Iterable[str]) -> list[Path]:
    from ..library.opened_runs import is_run

    return [Path(thing) for thing in things if is_run(thing)]


def check(
    things: ThingsArgument,
    minimum: Annotated[
        list[str] | None,
        typer.Option("--min", help="Required condition, e.g. roles.las[order=OVS]>=40 (also <=, >, <). Repeatable."),
    ] = None,
    against: Annotated[Path | None, typer.Option(help="Reference run. Exit 1 if any group regressed.")] = None,
    margin: MarginOption = 0.0,
    by: Annotated[
        str | None,
        typer.Option(
            help="Groups to test: columns of the items, all, or none. Default: suites and those of the findings."
        ),
    ] = None,
    measure: Annotated[str, typer.Option(help="Score that is tested, such as uas. Default: the main one.")] = "",
    gold: GoldOption = "",
    input: InputOption = "",
    independent: Annotated[bool, Rare(INDEPENDENT)] = False,
    where: Where = HERE,
    format: CheckFormatOption = CheckFormat.table,
    output: OutputOption = None,
    quiet: QuietOption = False,
) -> None:
    """Exit 1 if a system got worse, or does not meet conditions: for the continuous integration of a model.

    A run without conditions: exit 1 if one of its files was changed, added or removed after it was finished.

    Example: gardenpath check bundled:de-roles baseline:subject-first --min "roles.las>=70"

    Example: gardenpath roles bundled:de-roles mine=baseline:subject-first --run before -o scores.txt

    Example: gardenpath check before mine=baseline:right-branching --margin 1.0 --by order
    """
    from ..library.run_tools import check as checked

    check_target(output, runs=[*_folders(things), against])
    groups = None if by is None else [name for name in parts_of(by) if name != "none"]
    checks = checked(
        *things, min=minimum or (), against=against, margin=margin, by=groups, measure=measure,
        independent=independent, where=where, **_study_settings(gold, input),
    )  # fmt: skip
    show_cases([checks.result], checks.cases, format, output)
    fail_if(not checks.holds, "\n".join(checks.failed))


def report(
    runs: Annotated[
        list[Path], typer.Argument(metavar="RUN...", help="Folders of finished runs, or logs of other harnesses.")
    ],
    to: Annotated[
        str,
        typer.Option(
            "--to",
            help="page: one HTML file that opens offline; figures: SVG, PDF and TSV in a folder; every-eval-ever: "
            "records of scores and samples in a folder; model-card: the results block of a model card, in YAML.",
        ),
    ] = "page",
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="The file, or the folder. Default: report.html, figures, …"),
    ] = None,
    title: Annotated[str, typer.Option(help="Title of the page. Default: the names of the runs.")] = "",
    limit: Annotated[int, typer.Option(help="Sentences of each run that the page holds.", min=0)] = 25_000,
    system: Annotated[str, typer.Option(help="model-card: the system, where runs have several.")] = "",
    quiet: QuietOption = False,
) -> None:
    """Make a page, figures or records for others from finished runs.

    Several runs stand side by side on a page; more than 24 become a grid of systems and suites.

    Example: gardenpath report my-run -o report.html

    Example: gardenpath report baseline-run new-run -o comparison.html

    Example: gardenpath report my-run --to figures -o figures
    """
    from ..library.run_tools import OUTPUTS
    from ..library.run_tools import report as reported

    target = output or Path(OUTPUTS.get(to, to))
    check_target(target if to in OUTPUTS else target / "data", runs=runs)
    files = reported(*runs, to=to, output=target, title=title, limit=limit, system=system)
    if not quiet:
        size = sum(file.stat().st_size for file in files) / 1_000_000
        told = str(files[0]) if len(files) == 1 else f"{len(files)} files in {target}"
        message(f"{told} ({size:.1f} MB)")


def card(
    system: Annotated[
        str, typer.Argument(metavar="SYSTEM", help="A parser, phrase parser, language model or chat model.")
    ],
    sources: Annotated[
        list[str] | None,
        typer.Argument(metavar="[SOURCE...]", help="Suites and treebanks of your own, which come first."),
    ] = None,
    language: Annotated[
        str, typer.Option("--language", "-l", help="Its language, such as de; by default from its card or name.")
    ] = "",
    budget: Annotated[float, typer.Option(help="How many minutes it may take; what is left out is listed.")] = 5.0,
    run: Annotated[
        Path | None, typer.Option(help="The folder for page, JSON and runs. Default: card- and the model's name.")
    ] = None,
    where: Where = HERE,
    format: FormatOption = Format.table,
    output: OutputOption = None,
    quiet: QuietOption = False,
) -> None:
    """A grammar check-up: run everything that fits a system's kind and language, as one page and one JSON.

    Bundled suites and treebanks, changes that should change nothing, and what GARDENPATH_MIRROR and the store have.

    Example: gardenpath card baseline:right-branching --language de

    Example: gardenpath card hf:models/gpt2 --language en --budget 10
    """
    from ..library.run_tools import card as examined
    from ..runs.record.run import PAGE
    from ..studies.score_card import card_folder
    from ..systems.asking.entrants import split_label

    label, name = split_label(system)
    folder = run if run is not None else Path(card_folder(label or name))
    check_target(output, runs=[folder])
    tell = (lambda _: None) if quiet else message
    result = examined(
        system, *(sources or ()), language=language, budget=budget, where=where, run=folder, tell=tell
    )  # fmt: skip
    emit(result, format, output)
    if not quiet:
        message(f"The page, with all findings and the sentences behind them: {folder / PAGE}")
