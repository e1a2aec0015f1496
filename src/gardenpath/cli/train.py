"""The commands train and systems."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer

from ..phrase.schemes.registry import LISTED
from ..runs.work.progress_bars import silence
from ..systems.asking.registry import parsed_options
from .options import Format, FormatOption, OutputOption, QuietOption, SeedOption
from .output import emit, message


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
    resume: Annotated[
        bool,
        typer.Option(
            "--resume/--no-resume",
            help="Neural models: resume the same command where it was interrupted, or start over.",
        ),
    ] = True,
    keep_checkpoints: Annotated[
        str,
        typer.Option(
            metavar="N|STEPS",
            help="Neural models: how many checkpoints to keep, closer together at the start, or which steps, as "
            "1,2,4; KIND:MODEL@all is then a system with an axis.",
        ),
    ] = "",
    transition: Annotated[str, typer.Option(help="udpipe: projective, or for crossing edges swap or link2.")] = "",
    gold_tags: Annotated[bool, typer.Option("--gold-tags", help="udpipe and stanza: learn from gold tags.")] = False,
    order: Annotated[int | None, typer.Option(help="ngram: words in the longest n-gram, 1 to 5 (3).")] = None,
    vocabulary: Annotated[
        int | None,
        typer.Option(
            help="Language models: how many of the most frequent words to keep; the others are unknown words."
        ),
    ] = None,
    prune: Annotated[
        str | None,
        typer.Option(
            help="ngram: leave out n-grams that occur this often or less, per order, as 0,0,1 (singleton trigrams)."
        ),
    ] = None,
    memory: Annotated[
        str,
        typer.Option(
            metavar="SIZE",
            help="ngram: count in files beside the model, with about this much memory, as 800M or 2G; same model.",
        ),
    ] = "",
    scheme: Annotated[
        str, typer.Option(help=f"Of pcfg and chart: {LISTED}; heads are known then, beside which raising keeps a node.")
    ] = "",
    option: Annotated[
        list[str] | None,
        typer.Option(
            "--option",
            help="An option of the tool, such as parser.hidden_layer=50, tagger=none or hidden=99; may be repeated.",
        ),
    ] = None,
    jobs: Annotated[
        int, typer.Option("--jobs", "-j", help="With --seeds: how many at a time; 0 means all cores.", min=0)
    ] = 1,
    quiet: QuietOption = False,
) -> None:
    """Train a parser on treebanks, or a language model on text.

    The model, and beside it a card that says how it was made, go to --output.

    Example: gardenpath train udpipe train.conllu --dev dev.conllu -o de.udpipe --transition swap

    Example: gardenpath train ngram train.txt --dev dev.txt -o news.npz --order 4

    Example: gardenpath train pcfg train.export --dev dev.export -o tiger.npz --scheme tiger --option functions=yes

    Example: gardenpath train pcfg train.export --dev dev.export -o latent.npz --scheme tiger --option latent=3 --seed 1

    Example: gardenpath train lstm train.txt --dev dev.txt -o news-lstm --seeds 3 --jobs 3 --keep-checkpoints 12
    """
    from ..systems.asking.registry import TEXT, kinds
    from ..systems.training.training import train as train_system

    options = parsed_options(option or [])
    given = {
        "transition": transition or None, "gold_tags": "1" if gold_tags else None, "order": order,
        "vocabulary": vocabulary, "prune": prune, "memory": memory or None, "scheme": scheme or None,
        "keep": keep_checkpoints or None,
    }  # fmt: skip
    options |= {name: str(value) for name, value in given.items() if value is not None}
    with silence() if quiet else nullcontext():
        trained = train_system(
            kind, data, dev or None, output=output, preset=preset, seed=seed, seeds=seeds, options=options,
            resume=resume, progress=None if quiet else message, jobs=jobs,
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
