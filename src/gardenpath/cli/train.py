"""`gardenpath train`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .options import SeedOption
from .output import message

if TYPE_CHECKING:
    from ..systems.training import Trained

app = typer.Typer()


@app.command(no_args_is_help=True)
def train(
    kind: Annotated[
        str,
        typer.Argument(
            metavar="KIND",
            help="A parser: udpipe, stanza or spacy; a phrase parser: pcfg; a language model: ngram, lstm or "
            "transformer; or both in one: rnng or plm.",
        ),
    ],
    data: Annotated[
        list[str],
        typer.Argument(
            metavar="TRAIN...",
            help="Treebanks to learn from: files, folders, globs; for a language model also tokenised text, one "
            "sentence a line; for pcfg, rnng and plm phrase trees; for rnng and plm also CoNLL-U.",
        ),
    ],
    output: Annotated[
        Path, typer.Option("--output", "-o", help="The model: a file for udpipe, ngram and pcfg, else a folder.")
    ],
    dev: Annotated[
        list[str] | None, typer.Option(help="A treebank or text to score on and to stop by; may be given again.")
    ] = None,
    preset: Annotated[
        str, typer.Option(help="tiny (seconds, for tests), default (minutes) or paper (hours).")
    ] = "default",
    seed: SeedOption = 0,
    seeds: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Of neural language models: so many, from --seed on, as seed-0, seed-1 … in the folder --output: "
            "one system.",
        ),
    ] = None,
    resume: Annotated[
        bool,
        typer.Option(
            "--resume/--no-resume",
            help="Of neural language models: go on where the same command was interrupted, or begin anew.",
        ),
    ] = True,
    transition: Annotated[str, typer.Option(help="Of udpipe: projective, or for crossing edges swap or link2.")] = "",
    gold_tags: Annotated[bool, typer.Option("--gold-tags", help="Of udpipe and stanza: learn from gold tags.")] = False,
    order: Annotated[int | None, typer.Option(help="Of ngram: words in the longest n-gram, 1 to 5 (3).")] = None,
    vocabulary: Annotated[
        int | None,
        typer.Option(help="Of language models: keep so many of the most frequent words; the others are unknown words."),
    ] = None,
    prune: Annotated[
        str | None,
        typer.Option(
            help="Of ngram: leave out what occurs so often or less, per order, as 0,0,1 (singleton trigrams)."
        ),
    ] = None,
    scheme: Annotated[
        str, typer.Option(help="Of pcfg: tiger or tuebadz; heads are known then, beside which raising keeps a node.")
    ] = "",
    option: Annotated[
        list[str] | None,
        typer.Option(
            "--option",
            help="An option of the tool, such as parser.hidden_layer=50, tagger=none or hidden=99; may be given again.",
        ),
    ] = None,
) -> None:
    """Train a parser on treebanks, or a language model on text.

    The model, and beside it a card that says how it was made, go to --output.

    Example: gardenpath train udpipe train.conllu --dev dev.conllu -o de.udpipe --transition swap

    Example: gardenpath train ngram train.txt --dev dev.txt -o news.npz --order 4

    Example: gardenpath train pcfg train.export --dev dev.export -o tiger.npz --scheme tiger --option functions=yes

    Example: gardenpath train lstm train.txt --dev dev.txt -o news-lstm --seeds 3
    """
    from ..errors import UsageError
    from ..systems.protocol import LANGUAGE_MODEL
    from ..systems.registry import PHRASES, TEXT, kinds

    options = parsed_options(option or [])
    given = {
        "transition": transition or None, "gold_tags": "1" if gold_tags else None, "order": order,
        "vocabulary": vocabulary, "prune": prune, "scheme": scheme or None,
    }  # fmt: skip
    options |= {name: str(value) for name, value in given.items() if value is not None}
    named = kinds().get(kind)
    if seeds is not None and (named is None or LANGUAGE_MODEL not in named.roles):
        raise UsageError(f"one {kind} model is trained at a time", where="--seeds", todo="give --seed")
    if named is not None and named.learns_from in (TEXT, PHRASES):
        _train_model(kind, data, dev, output, preset, seed, options, seeds, resume)
    else:
        _train_parser(kind, data, dev, output, preset, seed, options)


def _train_model(
    kind: str, data: list[str], dev: list[str] | None, output: Path, preset: str, seed: int, options: dict[str, str],
    seeds: int | None, resume: bool,
) -> None:  # fmt: skip
    from ..runs.atomic import writable_target
    from ..systems.model_training import Asked, train_model, train_seeds
    from ..systems.registry import TEXT, kinds

    writable_target(output)
    asked = Asked(output=output, preset=preset, seed=seed, options=options, progress=message)
    if seeds is not None:
        found = train_seeds(kind, data, dev, seeds=seeds, resume=resume, **asked)
    else:
        found = [train_model(kind, data, dev, resume=resume, **asked)]
    for trained in found:
        _tell(trained, "{name} {value:.4f}" if kinds()[kind].learns_from == TEXT else "{name} {value:.2f}")


def _train_parser(
    kind: str, data: list[str], dev: list[str] | None, output: Path, preset: str, seed: int, options: dict[str, str]
) -> None:
    from ..runs.atomic import writable_target
    from ..systems.training import check_kind, prepared
    from ..systems.training import train as train_model
    from ..treebank.source import read

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
    _tell(trained, "{name} {value:.2f}")


def _tell(trained: Trained, form: str) -> None:
    scores = ", ".join(form.format(name=name, value=value) for name, value in trained.card["dev_scores"].items())
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
