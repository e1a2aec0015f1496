"""The commands train and systems."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer

from ..errors import UsageError, unknown_name
from ..phrase.schemes.registry import LISTED
from ..runs.work.progress_bars import silence
from ..systems.asking.registry import parsed_options
from .options import Format, FormatOption, JobsOption, OutputOption, QuietOption, SeedOption
from .output import emit, message
from .settings import Rare


def train(
    kind: Annotated[
        str,
        typer.Argument(
            metavar="KIND",
            help="A parser: udpipe, biaffine, stanza or spacy; a phrase parser: pcfg or chart; a language model: "
            "ngram, lstm or transformer; or both in one: rnng or plm.",
        ),
    ],
    data: Annotated[
        list[str],
        typer.Argument(
            metavar="TRAIN...",
            help="Treebanks to learn from: files, folders, globs; for a language model also tokenised text, one "
            "sentence a line; for pcfg, chart, rnng and plm phrase trees; for rnng and plm also CoNLL-U.",
        ),
    ],
    output: Annotated[
        Path, typer.Option("--output", "-o", help="The model: a file for udpipe, ngram and pcfg, else a folder.")
    ],
    dev: Annotated[
        list[str] | None, typer.Option(help="A treebank or text for scores and early stopping; may be repeated.")
    ] = None,
    preset: Annotated[
        str, typer.Option(help="tiny (seconds, for tests), default (minutes) or paper (hours).")
    ] = "default",
    seed: SeedOption = 0,
    seeds: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Neural models: how many to train, from --seed on, as seed-0, seed-1 … in the folder --output: one "
            "system.",
        ),
    ] = None,
    restart: Annotated[
        bool, typer.Option("--restart", help="Neural models: start over instead of resuming an interrupted training.")
    ] = False,
    checkpoints: Annotated[
        str,
        typer.Option(
            metavar="N|STEPS",
            help="Neural models: number of checkpoints to keep, or their steps (1,2,4). KIND:MODEL@all is then a "
            "system with one score per checkpoint.",
        ),
    ] = "",
    gold: Annotated[str, typer.Option(help="udpipe and stanza: learn from gold tags (tags).")] = "",
    scheme: Annotated[
        str, typer.Option(help=f"pcfg and chart: annotation scheme, which says where heads are: {LISTED}.")
    ] = "",
    options: Annotated[
        list[str] | None,
        Rare(
            "Any option of the tool: transition=swap (udpipe), order=5, vocabulary=10000, prune=0,0,1, memory=2G "
            "(ngram), hidden=99, parser.hidden_layer=50, tagger=none …",
            rest="",
        ),
    ] = None,
    jobs: JobsOption = "1",
    quiet: QuietOption = False,
) -> None:
    """Train a parser on treebanks, or a language model on text.

    The model, and beside it a card that says how it was made, go to --output.

    Example: gardenpath train udpipe train.conllu --dev dev.conllu -o de.udpipe --set transition=swap

    Example: gardenpath train ngram train.txt --dev dev.txt -o news.npz --set order=4

    Example: gardenpath train pcfg train.export --dev dev.export -o tiger.npz --scheme tiger --set functions=yes

    Example: gardenpath train pcfg train.export --dev dev.export -o latent.npz --scheme tiger --set latent=3 --seed 1

    Example: gardenpath train lstm train.txt --dev dev.txt -o news-lstm --seeds 3 --jobs 3 --checkpoints 12
    """
    from ..systems.asking.registry import TEXT, kinds
    from ..systems.training.training import train as train_system

    chosen = parsed_options(options or [])
    if gold not in ("", "tags"):
        raise unknown_name("gold layer", gold, ("tags",), where="--gold")
    if gold and kind not in ("udpipe", "stanza"):
        raise UsageError(f"--gold is for udpipe and stanza, not for {kind}", todo="leave it out")
    given = {"gold_tags": gold and "1", "scheme": scheme, "keep": checkpoints}
    chosen |= {name: value for name, value in given.items() if value}
    with silence() if quiet else nullcontext():
        trained = train_system(
            kind, data, dev or None, output=output, preset=preset, seed=seed, seeds=seeds, options=chosen,
            resume=not restart, progress=None if quiet else message, jobs=jobs,
        )  # fmt: skip
    digits = 4 if kinds()[kind].learns_from == TEXT else 2
    for model in trained.seeds or [trained]:
        scores = ", ".join(f"{name} {value:.{digits}f}" for name, value in model.card["dev_scores"].items())
        on_dev = f": {scores} on dev" if scores else ""
        seconds, shortfall = f"{model.card['seconds']:.0f} s", model.card.get("shortfall")
        if shortfall:
            message(f"{model.system} is there after {seconds}, but {shortfall}; train it longer{on_dev}")
        elif not quiet:
            message(f"{model.system} is ready after {seconds}{on_dev}")


def systems(format: FormatOption = Format.table, output: OutputOption = None) -> None:
    """List the kinds of systems: what they are, whether they are installed, and how to install the rest.

    Example: gardenpath systems --format json
    """
    from ..runs.record.signatures import signature
    from ..runs.result.result import Finding, Result, Table
    from ..systems.asking.registry import kinds

    rows, findings = [], []
    for kind in kinds().values():
        name = f"{kind.name}:{kind.argument}"
        trains = "yes" if kind.trainer else "no"
        rows.append([name, kind.about, "yes" if kind.installed else "no", trains, kind.install])
        by = {"what": kind.role, "about": kind.about, "trains": trains, "install": kind.install, "source": kind.source}
        findings.append(Finding("systems", "", name, "installed", "yes" if kind.installed else "no", by=by))
    note = "Other packages add kinds by entry points of the group gardenpath.systems."
    columns = ["system", "what it is", "installed", "trains", "to install it"]
    table = Table("Systems", columns, rows, note=note)
    emit(Result(signature(("command", "systems")), findings, [table]), format, output)
