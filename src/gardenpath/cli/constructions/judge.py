"""`gardenpath constructions`: parses of a suite of constructions, judged."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..options import (
    ClusterOption,
    FiguresOption,
    Format,
    FormatOption,
    JobsOption,
    OutputOption,
    RunOption,
    SeedOption,
)
from ..output import check_target, emit, message
from ..study import Work, bounds, check_bounds, listed, recorded

if TYPE_CHECKING:
    from ...suites.constructions.model import ConstructionSuite

_BUNDLED = "bundled:"


def constructions(
    arguments: Annotated[
        list[str],
        typer.Argument(
            metavar="SUITE... SYSTEM...",
            help="Suites (folders, or bundled:de-constructions; with --scheme a treebank), then phrase parsers or "
            "files of parsed trees; tiger=SYSTEM and tuebadz=SYSTEM say which scheme a system is of.",
        ),
    ],
    scheme: Annotated[
        str,
        typer.Option(
            "--scheme",
            "-s",
            help="The first argument is a gold treebank in this scheme: tiger or tuebadz.",
            metavar="SCHEME",
        ),
    ] = "",
    phenomena: Annotated[
        str, typer.Option("--phenomena", "-p", help="Only these: ppn,ppv,erc,fcr,sgf,cuc.", metavar="NAMES")
    ] = "",
    form: Annotated[
        str,
        typer.Option(
            help="How parses show gaps: discontinuous, split (NP*), unmarked (pieces), raised or raised-longest."
        ),
    ] = "discontinuous",
    decide: Annotated[
        str,
        typer.Option(help="Decide what the paper leaves open: NAME=VALUE, comma-separated.", metavar="DECISIONS"),
    ] = "",
    examples: Annotated[
        str,
        typer.Option(
            help="Show items of a class: A to E, wrong, right, noparse or n/a; CLASS:PHENOMENON for one phenomenon.",
            metavar="CLASS",
        ),
    ] = "",
    limit: Annotated[int, typer.Option(help="How many examples to show.", min=1)] = 10,
    draws: Annotated[int, typer.Option(help="Bootstrap draws for differences of systems; 0 for none.", min=0)] = 1000,
    fail_under: Annotated[
        str, typer.Option(help="Exit 1 if a system is below this accuracy, per cent: 60 or accuracy=60.")
    ] = "",
    seed: SeedOption = 0,
    jobs: JobsOption = 1,
    cluster: ClusterOption = None,
    run: RunOption = None,
    figures: FiguresOption = None,
    format: FormatOption = Format.table,
    output: OutputOption = None,
) -> None:
    """Does a phrase-structure parser get the hard constructions, and what kind of error does it make?

    Example: gardenpath constructions suite trees:parsed.export --examples wrong:erc

    Example: gardenpath constructions bundled:de-constructions tiger=pcfg:tiger.npz tuebadz=pcfg:tuebadz.npz
    """
    from ...errors import UsageError
    from ...studies.constructions.entrants import entrants
    from ...studies.constructions.examples import parse_wanted
    from ...studies.constructions.study import MEASURES
    from ...studies.constructions.verdict import decisions_from

    names, systems = _divided(arguments, scheme)
    if not systems:
        todo = "name a phrase parser or a file of trees after the suite, such as trees:FILE"
        raise UsageError("no system is named", where=", ".join(names), todo=todo)
    pairs = dict(part.partition("=")[::2] for part in listed(decide))
    settings: dict[str, Any] = {
        "scheme": scheme, "phenomena": _phenomena(phenomena), "form": form, "decisions": decisions_from(pairs).changed,
        "example": examples, "limit": limit, "draws": draws,
    }  # fmt: skip
    if examples:
        parse_wanted(examples)
    wanted = bounds(fail_under, MEASURES, "accuracy")
    check_target(output, figures)
    found = entrants(systems)

    def work() -> Work:
        from ...studies.constructions.observed import judged_trees, observations
        from ...studies.constructions.study import constructions
        from ...studies.judged_phrases import PHRASES, attached

        suites = [suite for name in names for suite in _suites(name, settings)]
        result, judged = constructions(
            suites, found, form=form, decisions=decisions_from(pairs), example=examples, limit=limit, draws=draws,
            seed=seed, jobs=jobs, cluster=cluster,
        )  # fmt: skip
        shown = {PHRASES: attached(judged_trees(judged))} if run is not None else {}
        return Work(result, lambda: observations(judged, seed), {}, shown)

    result = recorded(
        run, work, command="constructions", source=names[0], found=found, settings=settings, seed=seed,
        files=lambda _: [str(_place(name)) for name in names],
    )  # fmt: skip
    emit(result, format, output, figures, run)
    check_bounds(result, wanted, "no item could be judged")


def _divided(arguments: list[str], scheme: str) -> tuple[list[str], list[str]]:
    """Suites come first; a folder that holds one is a suite wherever it stands."""
    from ...errors import UsageError, unknown_name
    from ...suites.constructions.model import SCHEMES

    if scheme:
        if scheme not in SCHEMES:
            raise unknown_name("annotation scheme", scheme, SCHEMES)
        return arguments[:1], arguments[1:]
    names = [one for one in arguments if _is_suite(one)]
    if not names:
        todo = (
            "name the folder of a suite, or a gold treebank with --scheme; gardenpath constructions find makes suites"
        )
        raise UsageError("no suite of constructions is named", where=arguments[0], todo=todo)
    return names, [one for one in arguments if one not in names]


def _is_suite(name: str) -> bool:
    from ...suites.constructions.storage import is_constructions

    return name.startswith(_BUNDLED) or is_constructions(name)


def _place(name: str) -> Path:
    if not name.startswith(_BUNDLED):
        return Path(name)
    from ...data.bundle import bundled

    return bundled(name.removeprefix(_BUNDLED))


def _suites(name: str, settings: dict[str, Any]) -> list[ConstructionSuite]:
    """The suites of an argument: one, the two of a parallel one, or all that is found in a treebank."""
    from dataclasses import replace

    from ...errors import InputError
    from ...suites.constructions.storage import read_parallel

    chosen = settings["phenomena"]
    if settings["scheme"]:
        from ...phrase.source import read
        from ...suites.constructions.sampling import as_suite, find_all, is_testable

        trees = read(_place(name), notice=message)
        hits = [one for one in find_all(trees, settings["scheme"]) if is_testable(one.construction)]
        found = [as_suite(trees, hits, name=Path(name).name, release="", scheme=settings["scheme"])]
    else:
        found = list(read_parallel(_place(name)).values())
    if chosen:
        kept = [[one for one in suite.items if one.construction.phenomenon in chosen] for suite in found]
        found = [replace(suite, items=items) for suite, items in zip(found, kept, strict=True)]
    if not all(suite.items for suite in found):
        raise InputError("no such construction is here", where=name, todo="gardenpath constructions find counts them")
    return found


def _phenomena(text: str) -> list[str]:
    from ...errors import unknown_name
    from ...suites.constructions.model import PHENOMENA

    names = listed(text)
    for name in names:
        if name not in PHENOMENA:
            raise unknown_name("phenomenon", name, PHENOMENA)
    return names
