"""`gardenpath consistency`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .options import ClusterOption, FiguresOption, Format, FormatOption, JobsOption, OutputOption, RunOption, SeedOption
from .output import check_target, emit, fail_if, message
from .study import bounds, listed

if TYPE_CHECKING:
    from ..runs.record import Run
    from ..runs.result import Result
    from ..studies.trees import Entrant
    from ..treebank.perturb import Perturbation

app = typer.Typer()
_MEASURES = ("consistent", "right", "original_right")


@app.command(no_args_is_help=True)
def consistency(
    arguments: Annotated[
        list[str],
        typer.Argument(
            metavar="TREEBANK SYSTEM...",
            help="A gold treebank, then parsers or files with parses of all variants; with --retrain TRAIN TEST...",
        ),
    ],
    perturb: Annotated[
        str,
        typer.Option(
            "--perturb",
            "-p",
            help="numerals, years, amounts, ordinals, names, places, currencies, pronouns (comma-separated).",
        ),
    ] = "",
    values: Annotated[
        Path | None, typer.Option("--values", help="A list of your own, one value a line; needs --match.")
    ] = None,
    match: Annotated[str, typer.Option("--match", help="The words that your values replace.", metavar="REGEX")] = "",
    upos: Annotated[
        str, typer.Option("--upos", help="Parts of speech of those words, separated by commas.", metavar="UPOS")
    ] = "",
    language: Annotated[
        str, typer.Option("--language", "-l", help="de, en, ru, sv, uk or zh; by default from the file's name.")
    ] = "",
    mode: Annotated[
        str, typer.Option(help="tokens: gold tokens; sentences: text of each sentence; text: as the paper, raw text.")
    ] = "tokens",
    gold_layers: Annotated[
        str, typer.Option("--gold", help="Gold layers that parsers may use: lemmas, tags, feats (comma-separated).")
    ] = "",
    order: Annotated[
        str, typer.Option(help="Siblings by position (surface), as the published program (udon2), or both.")
    ] = "surface",
    limit: Annotated[
        int | None, typer.Option(help="Only the first sentences with a match, so many for each.", min=1)
    ] = None,
    per_sentence: Annotated[
        int | None, typer.Option("--per-sentence", help="Variants of a sentence at most.", min=1)
    ] = None,
    retrain: Annotated[
        str, typer.Option(help="Train this kind of parser as is and with remedies: udpipe, stanza or spacy.")
    ] = "",
    remedy: Annotated[
        str, typer.Option(help="augment, substitute (comma-separated; with --retrain).")
    ] = "augment,substitute",
    dev: Annotated[str, typer.Option(help="A treebank to stop by (with --retrain).")] = "",
    preset: Annotated[str, typer.Option(help="tiny, default or paper, as for train (with --retrain).")] = "default",
    option: Annotated[
        list[str] | None,
        typer.Option("--option", help="An option of the parser, as for train (with --retrain); may be repeated."),
    ] = None,
    augmented: Annotated[
        int, typer.Option("--augmented", help="Variants of a training sentence (with --retrain).", min=1)
    ] = 20,
    token: Annotated[str, typer.Option(help="What is put in place by substitute (with --retrain).")] = "NNNN",
    time_limit: Annotated[
        float | None, typer.Option("--time-limit", help="Seconds that one call of a program or server may take.")
    ] = None,
    draws: Annotated[int, typer.Option(help="Bootstrap draws for intervals; 0 for none.", min=0)] = 1000,
    fail_under: Annotated[
        str,
        typer.Option(
            help="Exit 1 if a system is below: 90 (consistent, %) or MEASURE=VALUE with consistent, right, "
            "original_right; comma-separated."
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
    """Does an irrelevant change of the input (a year, a name, a currency) change the tree, and in how many ways?

    Example: gardenpath consistency en_ewt-ud-dev.conllu udpipe:en.udpipe --perturb numerals --order both

    Example: gardenpath consistency train.conllu test.conllu --retrain udpipe --remedy augment --run run/ --jobs 0
    """
    from ..errors import UsageError
    from ..studies.consistency.study import orders_called

    source, *others = arguments
    if not others:
        what = "no treebank to test on" if retrain else "no system is named"
        raise UsageError(
            what, where=source, todo="gardenpath consistency TREEBANK SYSTEM..., or TRAIN TEST... --retrain"
        )
    orders_called(order)
    settings: dict[str, Any] = {
        "perturb": listed(perturb),
        "own": _own(values, match, upos),
        "language": language,
        "mode": mode,
        "gold": sorted(listed(gold_layers)),
        "order": order,
        "limit": limit,
        "per_sentence": per_sentence,
        "draws": draws,
    }
    if not settings["perturb"] and settings["own"] is None:
        settings["perturb"] = ["numerals"]
    wanted = bounds(fail_under, _MEASURES, "consistent")
    check_target(output, figures)
    if retrain:
        from .train import parsed_options

        settings |= {
            "parser": retrain, "preset": preset, "options": parsed_options(option or []), "augmented": augmented,
            "remedies": listed(remedy), "token": token,
        }  # fmt: skip
        result = _retrained(source, others, dev, settings, seed, jobs, cluster, run, time_limit)
    else:
        result = _tested(source, others, settings, seed, jobs, cluster, run, time_limit)
    emit(result, format, output, figures, run)
    _check_bounds(result, wanted)


def _own(values: Path | None, match: str, upos: str) -> dict[str, Any] | None:
    from ..errors import UsageError

    if values is None and not match and not upos:
        return None
    if values is None or not match:
        raise UsageError("a list of your own needs --values and --match", todo='such as --match "Berlin|Hamburg"')
    from ..treebank.perturb import read_values

    return {
        "values": read_values(values),
        "match": match,
        "upos": listed(upos),
    }


def _perturbations(settings: dict[str, Any], files: list[str], split: str = "test") -> list[Perturbation]:
    """With their values to test with, or to train with; a list of one's own is divided when it has to serve both."""
    from ..treebank.perturb import OwnValues, Settings, language_of, perturbation

    how = Settings(settings["language"] or language_of(files), split)
    found = [perturbation(name, how) for name in settings["perturb"]]
    own = settings["own"]
    if own is not None:
        values = own["values"]
        if "parser" in settings:
            from ..errors import UsageError

            if len(values) < 2:
                raise UsageError("the list has one value", todo="half of it is for training: give two or more")
            values = values[0::2] if split == "test" else values[1::2]
        found.append(OwnValues(values, own["match"], own["upos"]))
    return found


def _tested(
    source: str,
    systems: list[str],
    settings: dict[str, Any],
    seed: int,
    jobs: int,
    cluster: str | None,
    run: Path | None,
    time_limit: float | None,
) -> Result:
    from ..studies.trees import entrants
    from ..treebank.source import paths

    found = entrants(systems)
    files = paths(source)
    perturbations = _perturbations(settings, files)
    settings = {**settings, "perturb": [one.signature for one in perturbations]}

    def work(record: Run | None) -> Result:
        from ..runs.progress import progress
        from ..studies.consistency.asked import ask
        from ..studies.consistency.observed import observations, trees
        from ..studies.consistency.study import consistency
        from ..treebank.source import read

        treebank = read(source)
        with progress(len(treebank), "sentences") as bar:
            asked = ask(treebank, perturbations, limit=settings["limit"], per_sentence=settings["per_sentence"],
                        advance=bar.advance)  # fmt: skip
        if not asked.cases:
            _no_match(asked.name, asked.reasons())
        sentences, variants = len(asked.cases), sum(len(case.variants) for case in asked.cases)
        message(f"{sentences:,} batches, {variants:,} different variants")
        told, facts = {}, dict[str, object](perturb=settings["perturb"])
        for number, one in enumerate(found, 1):
            told[one.name] = _answers(one, asked.treebank, settings, jobs, cluster, time_limit)
            facts[f"system{number}" if len(found) > 1 else "system"] = one.signature
        facts |= {
            "limit": settings["limit"], "per-sentence": settings["per_sentence"], "mode": settings["mode"],
            "layers": settings["gold"] or None,
        }  # fmt: skip
        with progress(len(asked.cases) * len(found), "batches") as bar:
            wanted = {name: settings[name] for name in ("order", "draws")}
            result, parts = consistency(asked, told, **wanted, seed=seed, facts=facts, advance=bar.advance)
        if record is not None:
            record.finish(result, observations(asked, parts, seed), trees(asked, told))
        return result

    if run is None:
        return work(None)
    from ..runs.record import Run

    inputs = [*files, *(file for one in found for file in one.files)]
    _check_inputs(inputs)
    kept = {**settings, "systems": {one.name: one.signature for one in found}, "time_limit": time_limit}
    with Run.open(run, command="consistency", settings=kept, inputs=inputs, seed=seed) as record:
        return record.result() if record.finished else work(record)


def _answers(
    one: Entrant, asked: Any, settings: dict[str, Any], jobs: int, cluster: str | None, time_limit: float | None
) -> Any:
    from ..runs.where import Where
    from ..studies.consistency.answered import answers

    if len(one.files) > 1:
        from ..errors import UsageError

        raise UsageError("the parses of a system must be in one file", where=one.name, todo="join the files")
    name = f"conllu:{one.files[0]}" if one.file else one.name
    where = Where(jobs=jobs, cluster=cluster, time_limit=time_limit)
    return answers(name, asked, mode=settings["mode"], gold=settings["gold"], where=where)


def _retrained(
    source: str,
    tests: list[str],
    dev: str,
    settings: dict[str, Any],
    seed: int,
    jobs: int,
    cluster: str | None,
    run: Path | None,
    time_limit: float | None,
) -> Result:
    from ..runs.cache import ResultCache
    from ..studies.consistency.observed import joined
    from ..studies.consistency.remedies import Plan, retraining
    from ..systems.training import check_kind
    from ..treebank.source import paths, read

    check_kind(settings["parser"], settings["preset"], seed)
    files = [file for one in (source, *tests) for file in paths(one)]
    to_test, to_train = (_perturbations(settings, files, split) for split in ("test", "train"))

    def work(record: Run | None) -> Result:
        names = (
            "parser",
            "preset",
            "options",
            "augmented",
            "remedies",
            "token",
            "mode",
            "gold",
            "limit",
            "per_sentence",
        )
        plan = Plan(
            read(source), [read(one) for one in tests], to_test, to_train, read(dev) if dev else None,
            **{name: settings[name] for name in names}, time_limit=time_limit, seed=seed,
        )  # fmt: skip
        if not plan.matches():
            _no_match(plan.tests[0].name, plan.reasons())
        result, parts = retraining(
            plan, order=settings["order"], draws=settings["draws"], jobs=jobs, cluster=cluster, run=record,
            cache=ResultCache(),
        )  # fmt: skip
        if record is not None:
            record.finish(result, *joined(parts, seed))
        return result

    if run is None:
        return work(None)
    from ..runs.record import Run

    inputs = [*files, *(paths(dev) if dev else ())]
    _check_inputs(inputs)
    kept = {**settings, "perturb": [one.signature for one in (*to_test, *to_train)], "time_limit": time_limit}
    with Run.open(run, command="consistency --retrain", settings=kept, inputs=inputs, seed=seed) as record:
        return record.result() if record.finished else work(record)


def _no_match(name: str, reasons: str) -> None:
    fail_if(True, f"{name}: no sentence has a match: {reasons}")


def _check_inputs(inputs: list[str]) -> None:
    from ..errors import UsageError

    if "-" in inputs:
        raise UsageError("a run cannot go on with standard input", where="-", todo="name a file, or leave out --run")


def _check_bounds(result: Result, wanted: dict[str, float]) -> None:
    """Every perturbation must hold; what was not measured (no tree at all) does not."""
    low = []
    for one in result.findings:
        if one.measure in wanted and set(one.by) == {"perturbation", "order"}:
            bound = wanted[one.measure]
            if one.value is None or not float(one.value) >= bound:
                what = "not measured" if one.value is None else f"{float(one.value):.2f} is below {bound:g}"
                low.append(f"{one.system}, {one.by['perturbation']} ({one.by['order']}): {one.measure} {what}")
    fail_if(bool(low), "\n".join(low))
