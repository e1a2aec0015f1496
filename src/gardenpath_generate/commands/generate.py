"""`gardenpath suites generate`: a suite from a lexicon, or a treebank in three annotations with its constructions."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gardenpath.cli import OutputOption, SeedOption, check_target, message, write_data


def generate(
    kind: Annotated[
        str,
        typer.Argument(
            help="What to make: roles (subject and object), pp (what a PP belongs to), constructions (with phrase "
            "trees), or text (sentences to train language models on).",
            metavar="KIND",
        ),
    ],
    language: Annotated[
        str,
        typer.Option(
            "--language", "-l", help="de, nl, cs (Czech), tr (Turkish) or an installed one; of text en or zh."
        ),
    ] = "de",
    size: Annotated[
        int | None,
        typer.Option("--size", "-n", help="How many sentences: by default 2000, or all that triples give.", min=1),
    ] = None,
    ambiguity: Annotated[
        str,
        typer.Option(
            "--ambiguity",
            help="part: case shows the roles, except in items with amb; none: in all items; full: nothing shows them; "
            "twins: every item with case and without.",
        ),
    ] = "part",
    lexicon: Annotated[
        Path | None, typer.Option("--lexicon", help="A lexicon in TOML instead of the bundled one.", metavar="FILE")
    ] = None,
    grammar: Annotated[
        Path | None,
        typer.Option("--grammar", help="A folder with grammar.toml and lexicon.toml of a language.", metavar="FOLDER"),
    ] = None,
    one_word: Annotated[
        bool, typer.Option("--one-word", help="Only variants that replace at most one noun or verb.")
    ] = False,
    tense: Annotated[
        str, typer.Option("--tense", help="present (with aux: future) or past (with aux: perfect).")
    ] = "present",
    to: Annotated[
        str,
        typer.Option("--to", help="conllu (a treebank), conll, conllu-feats or tsv; by the file's name if not given."),
    ] = "",
    partial: Annotated[
        bool, typer.Option("--partial", help="Write only the arcs of subject, object and verb, as SORTS does.")
    ] = False,
    mix: Annotated[
        str,
        typer.Option("--mix", help="constructions: shares such as plain=4,erc=1 (plain,ppn,ppv,erc,fcr,sgf,cuc)."),
    ] = "",
    seed: SeedOption = 0,
    output: OutputOption = None,
) -> None:
    """Write a suite from a lexicon; the same options give the same bytes.

    roles: like SORTS, in eight orders and with all properties, full trees, minimal pairs by construction.

    pp: like PPATS, one to three possible heads of a PP; the noun in the PP decides which it is. It does not take
    --ambiguity, --tense, --one-word and --mix.

    constructions: German sentences with hard constructions and without, each with its trees in TIGER, TüBa-D/Z and
    UD. The output is a folder: three treebanks, and a suite in each of the three annotations. It takes only -n,
    --mix, --seed and --output.

    text: tokenised sentences of English or Chinese from a small grammar that has the words of the bundled suites of
    surprisal. It takes only --language, -n, --seed and --output.

    Example: gardenpath suites generate roles --language de --size 2000 -o roles.conllu

    Example: gardenpath suites generate roles -l nl --ambiguity full --lexicon mine.toml -o roles_amb.tsv

    Example: gardenpath suites generate roles --ambiguity twins --size 1000 -o twins.conllu

    Example: gardenpath suites generate roles --grammar icelandic --size 500 -o roles_is.conllu

    Example: gardenpath suites generate pp --size 500 -o pp.conllu

    Example: gardenpath suites generate constructions -n 2000 --seed 0 -o constructions

    Example: gardenpath suites generate text --language zh -n 20000 -o zh.txt
    """
    from gardenpath.errors import UsageError, unknown_name
    from gardenpath.formats import ROLES
    from gardenpath.runs import count_text
    from gardenpath.suites import CONLLU, convert

    from ..roles.pp_attachment import generate_pp
    from ..roles.subject_object import generate_roles

    many = 2000 if size is None else size
    if kind not in ("roles", "pp", "constructions", "text"):
        raise unknown_name("kind of suite", kind, ["roles", "pp", "constructions", "text"])
    if kind == "text":
        if (ambiguity, lexicon, grammar, one_word, tense, to, partial, mix) != (
            "part", None, None, False, "present", "", False, "",
        ):  # fmt: skip
            raise UsageError("a text takes --language, -n, --seed and --output only", todo="leave out the others")
        _write_text(language, many, seed, output)
        return
    if kind == "constructions":
        if (language, ambiguity, lexicon, grammar, one_word, tense, to, partial) != (
            "de", "part", None, None, False, "present", "", False,
        ):  # fmt: skip
            todo = "leave out the others"
            raise UsageError("constructions are made with -n, --mix, --seed and --output only", todo=todo)

        generate_treebank(many, seed, mix, output)
        return
    if mix:
        raise UsageError("--mix is for constructions", todo="leave it out")
    check_target(output)
    to = to or {"tsv": "tsv", "conll": "conll"}.get(output.suffix[1:].casefold() if output else "", CONLLU)
    ROLES.writer(to)  # an unknown format is told before the work
    if kind == "pp":
        if (ambiguity, tense, one_word) != ("part", "present", False):
            raise UsageError("--ambiguity, --tense and --one-word are for roles", todo="leave them out")
        made = generate_pp(language, size=many, lexicon=lexicon, grammar=grammar, seed=seed)
    else:
        made = generate_roles(
            language, size=size, ambiguity=ambiguity, lexicon=lexicon, grammar=grammar, seed=seed, tense=tense,
            one_word=one_word,
        )  # fmt: skip
        for reason in made.unmade:
            message(f"not made: {reason}")
    data = made.data
    if to != CONLLU or partial:
        data = convert(made.suite(), to, partial=partial).data
    write_data(data, output)
    message(
        f"{made.sentences:,} sentences of {count_text(made.bases, 'base sentence')}; {made.pairs:,} minimal pairs, "
        f"in {made.several_words:,} of them more than one word changes"
    )


def _write_text(language: str, size: int, seed: int, output: Path | None) -> None:
    from gardenpath.suites import sentences, text_grammar

    text_grammar(language)
    check_target(output)
    data = "".join(" ".join(words) + "\n" for words in sentences(language, size, seed)).encode("utf-8")
    write_data(data, output)


def mix_of(text: str) -> dict[str, float]:
    """`plain=4,erc=1` as shares."""
    from gardenpath.errors import UsageError

    shares: dict[str, float] = {}
    for part in text.split(","):
        name, equals, share = (one.strip() for one in part.partition("="))
        try:
            shares[name] = float(share) if equals else 1.0
        except ValueError:
            raise UsageError(f"{share!r} is not a share", where="--mix", todo="write plain=4,erc=1") from None
    return shares


def generate_treebank(size: int, seed: int, mix: str, output: Path | None) -> None:
    """Writes the folder: tiger.export, tuebadz.export, ud.conllu, and the suite in `tiger`, `tuebadz` and `ud`."""
    from gardenpath.errors import UsageError
    from gardenpath.phrase import scheme as known_scheme
    from gardenpath.phrase import write
    from gardenpath.runs import count_text, writable_target, write_text
    from gardenpath.suites import check_target, write_constructions

    from ..constructions.treebank import MIX, REALISED, generate

    if output is None:
        raise UsageError("a treebank in three annotations needs a folder", todo="name it: -o FOLDER")
    if output.exists() and not output.is_dir():
        raise UsageError("this is a file", where=str(output), todo="name a folder")
    for scheme in REALISED:
        check_target(output / scheme)
    made = generate(size, seed, mix_of(mix) if mix else MIX)
    output.mkdir(parents=True, exist_ok=True)
    writable_target(output / "ud.conllu")
    for suite in made.suites:
        if not known_scheme(suite.scheme).arcs:
            write(made.trees(suite.scheme), output / f"{suite.scheme}.export", "export")
        if suite.items:
            write_constructions(suite, output / suite.scheme)
    write_text(output / "ud.conllu", made.conllu)
    counts = ", ".join(f"{count:,} {name}" for name, count in made.counts.items())
    message(f"{count_text(len(made.sentences), 'sentence')}: {counts}")
