"""`gardenpath train`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .options import SeedOption
from .output import message

app = typer.Typer()


@app.command(no_args_is_help=True)
def train(
    kind: Annotated[str, typer.Argument(metavar="KIND", help="The kind of parser: udpipe, stanza or spacy.")],
    data: Annotated[
        list[str], typer.Argument(metavar="TRAIN...", help="Treebanks to learn from: files, folders, globs.")
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help="The model: a file for udpipe, else a folder.")],
    dev: Annotated[
        list[str] | None, typer.Option(help="A treebank to score on and to stop by; may be given again.")
    ] = None,
    preset: Annotated[
        str, typer.Option(help="tiny (seconds, for tests), default (minutes) or paper (hours).")
    ] = "default",
    seed: SeedOption = 0,
    transition: Annotated[str, typer.Option(help="Of udpipe: projective, or for crossing edges swap or link2.")] = "",
    gold_tags: Annotated[bool, typer.Option("--gold-tags", help="Of udpipe: learn from gold tags.")] = False,
    option: Annotated[
        list[str] | None,
        typer.Option(
            "--option", help="An option of the tool, such as parser.hidden_layer=50 or tagger=none; may be given again."
        ),
    ] = None,
) -> None:
    """Train a parser on treebanks. The model, and beside it a card that says how it was made, go to --output.

    Example: gardenpath train udpipe train.conllu --dev dev.conllu -o de.udpipe --transition swap

    Example: gardenpath train stanza train.conllu --dev dev.conllu -o de-stanza --preset tiny
    """
    from ..runs.atomic import writable_target
    from ..systems.training import check_kind, prepared
    from ..systems.training import train as train_model
    from ..treebank.source import read

    options = parsed_options(option or [])
    if transition:
        options["transition"] = transition
    if gold_tags:
        options["gold_tags"] = "1"
    check_kind(kind, preset, seed)
    writable_target(output)
    treebank = read(data)
    held_out = read(dev) if dev else None
    prepared(kind, treebank, held_out, preset=preset, seed=seed, options=options)
    sentences, words = len(treebank), treebank.word_count
    message(f"training {kind} on {sentences} sentence{'s' * (sentences != 1)}, {words} word{'s' * (words != 1)}")
    trained = train_model(
        kind, treebank, held_out, output=output, preset=preset, seed=seed, options=options, progress=message
    )
    scores = ", ".join(f"{name} {value:.2f}" for name, value in trained.card["dev_scores"].items())
    message(
        f"{trained.system} is ready after {trained.card['seconds']:.0f} s" + (f": {scores} on dev" if scores else "")
    )


def parsed_options(given: list[str]) -> dict[str, str]:
    """`key=value` as a dictionary."""
    from ..errors import UsageError

    pairs = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            raise UsageError(f"{text!r} is no option", where="--option", todo="write it as name=value")
        pairs[name.strip()] = value.strip()
    return pairs
