"""`gardenpath suite make`: suites from a lexicon, a template or a treebank, and treebanks to train on."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from gardenpath.cli import (
    Format,
    FormatOption,
    OutputOption,
    QuietOption,
    Rare,
    check_target,
    find_constructions,
    message,
    nothing_random,
    write_data,
)

from .from_treebank import from_treebank

PUBLISHED_SHORT = 40
"""Words of the longest sentence that is drawn, as in TEPACOC."""


class Kind(StrEnum):
    """What can be made, beside a template's items."""

    roles = "roles"
    pp = "pp"
    constructions = "constructions"
    pairs = "pairs"
    text = "text"


TAKES = {
    "roles": "language size grammar to seed ambiguity one_word tense partial",
    "pp": "language size grammar to seed partial",
    "text": "language size seed",
    "constructions": "size seed mix",
    "constructions of a treebank": (
        "size phenomena scheme max_length seed punctuation wide published items name release format"
    ),
    "pairs of a treebank": "size phenomena max_length seed unimorph format",
    "a template": "size seed",
}
"""The options and settings that each of them has."""


def make(
    kind: Annotated[
        str,
        typer.Argument(
            help="roles (subject and object), pp (what a PP belongs to), constructions, pairs, text (to train language "
            "models on); or a template of `suite new`.",
            metavar="KIND|TEMPLATE",
        ),
    ],
    treebanks: Annotated[
        list[str] | None,
        typer.Argument(help="constructions and pairs: the treebanks to take them from.", metavar="[TREEBANK...]"),
    ] = None,
    output: OutputOption = None,
    language: Annotated[
        str, typer.Option("--language", "-l", help="de, nl, cs or tr, or an installed one; of text en or zh.")
    ] = "de",
    size: Annotated[
        int | None,
        typer.Option("--size", "-n", help="Number of sentences, of items, or of examples of each kind.", min=1),
    ] = None,
    phenomena: Annotated[str, typer.Option(help="Only these, of a treebank (comma-separated).")] = "",
    scheme: Annotated[str, typer.Option(help="constructions of a treebank: its annotation scheme.")] = "",
    max_length: Annotated[
        int, typer.Option(help="Words of the longest sentence that is taken from a treebank.", min=1)
    ] = PUBLISHED_SHORT,
    grammar: Annotated[
        Path | None,
        typer.Option(help="roles, pp: a lexicon (TOML), or a folder with grammar.toml and lexicon.toml."),
    ] = None,
    to: Annotated[
        str, typer.Option(help="roles, pp: conllu, conll, conllu-feats or tsv. Default: by the name of --output.")
    ] = "",
    seed: Annotated[
        int | None, typer.Option(help="Seed of everything random. Default: 0, or the template's.", min=0)
    ] = None,
    ambiguity: Annotated[
        str,
        Rare(
            "roles: part: case shows the roles, except in items with amb; none: in all items; full: in no item; "
            "twins: every item with case and without.",
            ("part", "none", "full", "twins"),
        ),
    ] = "part",
    one_word: Annotated[bool, Rare("roles: only variants that replace at most one noun or verb.")] = False,
    tense: Annotated[
        str, Rare("roles: present (with aux: future) or past (with aux: perfect).", ("present", "past"))
    ] = "present",
    partial: Annotated[bool, Rare("roles, pp: only the arcs of subject, object and verb, as in SORTS.")] = False,
    mix: Annotated[
        str, Rare("constructions: shares such as plain=4,erc=1 (plain, ppn, ppv, erc, fcr, sgf, cuc).")
    ] = "",
    unimorph: Annotated[Path | None, Rare("pairs: more forms, as lines of lemma, form and tags.")] = None,
    punctuation: Annotated[bool, Rare("constructions of a treebank: punctuation counts in the length.")] = True,
    wide: Annotated[
        bool, Rare("constructions of a treebank: cuc of any two of S, VP, AP, PP and NP, not only the paper's pairs.")
    ] = False,
    published: Annotated[
        Path | None,
        Rare("constructions of a treebank: the sentences of the published list (tepacoc.txt).", name="list"),
    ] = None,
    items: Annotated[bool, Rare("constructions of a treebank: a row for each hit instead of counts.")] = False,
    name: Annotated[str, Rare("constructions of a treebank: name of the suite. Default: that of its folder.")] = "",
    release: Annotated[str, Rare("constructions of a treebank: release of the suite.")] = "1",
    format: FormatOption = Format.table,
    quiet: QuietOption = False,
) -> None:
    """Make a suite from a lexicon, a template or a treebank; the same options give the same bytes.

    roles: as in SORTS, in eight orders and with all properties, full trees, minimal pairs by construction.

    pp: as in PPATS, one to three possible heads of a PP; the noun in the PP decides which it is.

    constructions: German sentences with hard constructions and without, each with its trees in TIGER, TüBa-D/Z and
    UD; a folder with three treebanks, and a suite in each annotation. Of a TREEBANK: PPs at nouns and verbs, extraposed
    relative clauses, shared subjects and unlike conjuncts, counted, and with --output written as a suite.

    pairs TREEBANK: sentences of it, and the same with one word in the wrong form. A rule is used only where the
    treebank keeps it, and a pair is made only where the other form cannot be right. Exit 1: no pair.

    text: tokenised sentences of English or Chinese with the words of the bundled suites of surprisal.

    Example: gardenpath suite make roles --language de --size 2000 -o roles.conllu

    Example: gardenpath suite make roles -l nl --set ambiguity=full --grammar mine.toml -o roles_amb.tsv

    Example: gardenpath suite make constructions -n 2000 -o constructions

    Example: gardenpath suite make constructions tiger.xml --scheme tiger --size 20 --seed 1 -o suite

    Example: gardenpath suite make pairs ud:German-GSD --phenomena object-case -n 200 -o pairs

    Example: gardenpath suite make agreement.toml --size 40 -o agreement.tsv
    """
    given = {name: value for name, value in locals().items() if name not in ("kind", "treebanks", "output")}
    what = _checked(kind, bool(treebanks), given)
    if what == "a template":
        expand(kind, size, seed, output)
    elif what == "constructions of a treebank":
        find_constructions(
            treebanks or [], scheme, phenomena, size, max_length, punctuation, seed or 0, wide, published, items,
            output, name, release, format, quiet,
        )  # fmt: skip
    elif what == "pairs of a treebank":
        from_treebank(treebanks or [], output, phenomena, unimorph, max_length, size, seed, format)
    elif what == "text":
        _write_text(language, size or SENTENCES, seed or 0, output)
    elif what == "constructions":
        generate_treebank(size or SENTENCES, seed or 0, mix, output)
    else:
        generate(what, language, size, ambiguity, grammar, one_word, tense, to, partial, seed or 0, output)


SENTENCES = 2000
"""Sentences that are made where no number is given; of triples, all."""


def _checked(kind: str, has_treebanks: bool, given: dict[str, Any]) -> str:
    """Return what is to be made; a kind that is unknown, or an option that it does not have, is an error."""
    import inspect

    from gardenpath.errors import UsageError, unknown_name

    what = kind if kind in Kind.__members__ else "a template" if Path(kind).is_file() else ""
    if has_treebanks or kind == Kind.pairs:
        what = f"{kind} of a treebank"
    if what not in TAKES:
        if kind in Kind.__members__:
            raise UsageError(f"{kind} are not made from treebanks", todo="name constructions or pairs")
        raise unknown_name("kind of suite or template", kind, Kind.__members__)
    if what == "pairs of a treebank" and not has_treebanks:
        raise UsageError("no treebank is named", todo="gardenpath suite make pairs TREEBANK... -o FOLDER")
    usual = {name: parameter.default for name, parameter in inspect.signature(make).parameters.items()}
    taken = {*TAKES[what].split(), "quiet"}
    for name, value in given.items():
        if name not in taken and value != usual[name]:
            name = "list" if name == "published" else name
            takes = ", ".join(name.replace("_", "-") for name in TAKES[what].split())
            raise UsageError(
                f"{name.replace('_', '-')} is not for {what}", where=f"suite make {kind}", todo=f"it takes {takes}"
            )
    return what


def generate(
    kind: str, language: str, size: int | None, ambiguity: str, grammar: Path | None, one_word: bool, tense: str,
    to: str, partial: bool, seed: int, output: Path | None,
) -> None:  # fmt: skip
    """Write a suite of roles or of PP attachment from a lexicon."""
    from gardenpath.formats import ROLES
    from gardenpath.runs import count_text
    from gardenpath.suites import CONLLU, convert

    from ..roles.pp_attachment import generate_pp
    from ..roles.subject_object import generate_roles

    check_target(output)
    to = to or {"tsv": "tsv", "conll": "conll"}.get(output.suffix[1:].casefold() if output else "", CONLLU)
    ROLES.writer(to)  # an unknown format is an error before the work
    lexicon = grammar if grammar is not None and not grammar.is_dir() else None
    folder = grammar if lexicon is None else None
    if kind == Kind.pp:
        made = generate_pp(language, size=size or SENTENCES, lexicon=lexicon, grammar=folder, seed=seed)
    else:
        made = generate_roles(
            language, size=size, ambiguity=ambiguity, lexicon=lexicon, grammar=folder, seed=seed, tense=tense,
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


def expand(file: str, size: int | None, seed: int | None, output: Path | None) -> None:
    """Write all items of a template, or a balanced choice: pairs as TSV, surprisal as JSON, roles as CoNLL-U."""
    from gardenpath.runs import count_text
    from gardenpath.treebank import open_files

    from ..templates.writing import expanded, parse_template, suite_of

    check_target(output)
    name, data, _ = next(iter(open_files(file, tolerant=False)))
    template = parse_template(data, name)
    if seed is not None and size is None and template.size is None:
        raise nothing_random("leave it out, or say with --size how many are drawn")
    items = expanded(template, size=size, seed=seed)
    write_data(suite_of(template, items), output)
    message(count_text(len(items), "item"))


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
            raise UsageError(f"{share!r} is not a share", where="--set mix", todo="write plain=4,erc=1") from None
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
