"""`gardenpath roles`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

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
from .suites.arguments import PositionsOption, ReleaseOption

if TYPE_CHECKING:
    from ..studies.trees import Entrant
    from ..suites.model import RoleSuite

app = typer.Typer()
_MEASURES = ("las", "uas", "label")
_BY = "order,property"


@app.command(no_args_is_help=True)
def roles(
    arguments: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="SUITE SYSTEM...",
            help="A suite (SORTS or PPATS, CoNLL or TSV), then parsed files or parsers; with --treebank, systems only.",
        ),
    ] = None,
    treebank: Annotated[
        str | None,
        typer.Option(help="No suite: the orders of subject, verb and object in this gold treebank.", metavar="GOLD"),
    ] = None,
    baseline: Annotated[
        str, typer.Option(help="Also judge this system, and say how far the others are above it.", metavar="SYSTEM")
    ] = "",
    by: Annotated[
        str,
        typer.Option(
            help="Tables to show: order, property, property-order, variations, ambiguous, confusion, pairs, or all."
        ),
    ] = _BY,
    examples: Annotated[
        str,
        typer.Option(
            help="Show items of a kind: swapped, subject-only, object-only, wrong-head, other-label, right or wrong; "
            "KIND:GROUP for one order or property.",
            metavar="KIND",
        ),
    ] = "",
    limit: Annotated[int, typer.Option(help="How many examples to show.", min=1)] = 10,
    draws: Annotated[int, typer.Option(help="Bootstrap draws for intervals; 0 for none.", min=0)] = 1000,
    gold_layers: Annotated[
        str, typer.Option("--gold", help="Gold layers that parsers may use: lemmas, tags, feats (comma-separated).")
    ] = "",
    any_language: AnyLanguageOption = False,
    positions: PositionsOption = None,
    release: ReleaseOption = "",
    fail_under: Annotated[
        str, typer.Option(help="Exit 1 if a system is below: 80 (LAS) or MEASURE=VALUE, comma-separated.")
    ] = "",
    seed: SeedOption = 0,
    jobs: JobsOption = 1,
    cluster: ClusterOption = None,
    run: RunOption = None,
    figures: FiguresOption = None,
    format: FormatOption = Format.table,
    output: OutputOption = None,
) -> None:
    """Does a parser find subject and object, and which order or property of the sentence makes it fail?

    Example: gardenpath roles suite.conll parsed.conllu --baseline baseline:subject-first --by order,pairs

    Example: gardenpath roles --treebank gold.conllu udpipe:de.udpipe
    """
    from ..errors import UsageError
    from ..studies.roles.study import GROUPINGS
    from ..studies.trees import entrants

    given = list(arguments or ())
    source = treebank if treebank is not None else (given.pop(0) if given else "")
    if not source:
        raise UsageError("no suite is named", todo="gardenpath roles SUITE SYSTEM..., or --treebank GOLD")
    if treebank is None and not given and not baseline:
        raise UsageError("no system is named", where=source, todo="name a parsed file or a parser after the suite")
    if treebank is not None:
        only = {"--examples": examples, "--baseline": baseline, "--release": release, "--by": by != _BY and by}
        for name, value in only.items():
            if value:
                raise UsageError(f"{name} is about suites", todo="leave it out with --treebank")
    found = entrants([*given, *([baseline] if baseline and baseline not in given else [])])
    settings: dict[str, Any] = {
        "view": "suite" if treebank is None else "treebank",
        "baseline": baseline,
        "by": groupings(by, GROUPINGS),
        "example": examples,
        "limit": limit,
        "draws": draws,
        "gold": sorted(listed(gold_layers)),
        "positions": positions,
        "release": release,
    }
    wanted = bounds(fail_under, _MEASURES)
    check_target(output, figures)
    view = _on_suite if treebank is None else _on_treebank

    def work() -> Work:
        where = {"jobs": jobs, "cluster": cluster, "any_language": any_language}
        return view(source, found, settings, seed, where)

    result = recorded(run, work, command="roles", source=source, found=found, settings=settings, seed=seed)
    emit(result, format, output, figures, run)
    check_bounds(result, wanted, "a suite without heads has label alone, and gold alone has no score")


def _on_suite(source: str, found: list[Entrant], settings: dict[str, Any], seed: int, where: dict[str, Any]) -> Work:
    from ..studies.roles.observed import observations
    from ..studies.roles.study import roles
    from ..suites.reader import read_suite

    suite = read_suite(source, positions=settings["positions"], release=settings["release"])
    _check_baselines(suite, found)
    made = parsed(suite.treebank, found, layers=settings["gold"], **where)
    shown = {name: settings[name] for name in ("baseline", "by", "example", "limit", "draws")}
    result, judged = roles(suite, made.trees, **shown, seed=seed, facts=made.facts, failures=made.failures)
    return Work(result, lambda: observations(suite, judged, seed), made.kept(suite.treebank))


def _on_treebank(source: str, found: list[Entrant], settings: dict[str, Any], seed: int, where: dict[str, Any]) -> Work:
    from ..studies.roles.observed import clause_observations
    from ..studies.roles.view import treebank_view
    from ..treebank.source import read

    gold = read(source)
    made = parsed(gold, found, layers=settings["gold"], **where)
    result, clauses, judged = treebank_view(
        gold, made.trees, draws=settings["draws"], seed=seed, facts=made.facts, failures=made.failures
    )
    return Work(result, lambda: clause_observations(clauses, judged, seed), made.kept(gold))


def _check_baselines(suite: RoleSuite, found: list[Entrant]) -> None:
    """Subject-first copies all of gold but subject and object: on a PP suite it would be right without a rule."""
    from ..errors import UsageError

    if suite.kind == "pp" and any(one.name == "baseline:subject-first" for one in found):
        todo = "take baseline:nearest-head or baseline:right-branching"
        raise UsageError("subject-first says nothing about prepositions", where="baseline:subject-first", todo=todo)
