"""Constructions sampled from trees into suites, or taken from the list that TEPACOC is published as (`tepacoc.txt`).

Rows of the list are `number <TAB> <TAB> words`. A row without a number opens a category, named in its third field; one
that begins with `TuBa` opens the half of TüBa-D/Z. The trees are in the user's own TIGER and TüBa-D/Z."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

from ...boundary.texts import file_bytes
from ...data.store import local
from ...errors import InputError
from ...phrase.schemes.model import PUNCTUATION, TIGER, TUEBADZ
from ...phrase.tree import PhraseTree
from ...runs.record.signatures import signature
from ...runs.result.layout import Column, FindingIndex, measured, table
from ...runs.result.result import Finding, Result, Table, Value
from ...runs.result.verdict import count_text
from ...stats.sampling import Clusters, share
from .finding import RULES_VERSION, check_scheme, find, find_in
from .model import COUNTED, PHENOMENA, Construction, ConstructionItem, ConstructionSuite, table_of
from .storage import node_text

WEAK = frozenset({"asyndetic", "bare", "correlate", "incomplete", "interrupted", "unresolved"})
"""Flags of hits that are no good test: a lone verb as conjunct, a PP without preposition or noun, and so on."""


@dataclass(frozen=True, slots=True)
class Found:
    """A construction and the number (from 0) of the tree it was found in."""

    tree: int
    construction: Construction


@dataclass(frozen=True, slots=True)
class Count:
    """How often a variant of a phenomenon was found: items, sentences with any, and short sentences with any."""

    phenomenon: str
    variant: str
    items: int
    sentences: int
    short: int


def find_all(
    trees: Iterable[PhraseTree], scheme: str, phenomena: Sequence[str] = tuple(PHENOMENA), wide: bool = False
) -> list[Found]:
    """All constructions of these phenomena in all trees, tree by tree."""
    return [Found(at, construction) for at, construction in find_in(list(trees), scheme, phenomena, wide)]


def is_short(tree: PhraseTree, max_length: int = 40, punctuation: bool = True) -> bool:
    """Is a sentence at most so long, with or without its punctuation? The paper took 40, and does not say which."""
    if punctuation or len(tree) <= max_length:
        return len(tree) <= max_length
    return sum(tag not in PUNCTUATION for tag in tree.tags) <= max_length


def count(
    trees: Sequence[PhraseTree], hits: Iterable[Found], max_length: int = 40, punctuation: bool = True
) -> list[Count]:
    """A count for each variant, in the order of the phenomena."""
    groups: dict[tuple[str, str], list[int]] = {}
    for hit in hits:
        groups.setdefault((hit.construction.phenomenon, hit.construction.variant), []).append(hit.tree)
    names = list(PHENOMENA)
    counts = []
    for phenomenon, variant in sorted(groups, key=lambda key: (names.index(key[0]), key[1])):
        numbers = groups[phenomenon, variant]
        sentences = set(numbers)
        short = sum(is_short(trees[at], max_length, punctuation) for at in sentences)
        counts.append(Count(phenomenon, variant, len(numbers), len(sentences), short))
    return counts


def is_testable(construction: Construction) -> bool:
    """Return whether this is a good item: all anchors exist and nothing is weak."""
    return not WEAK & set(construction.flags) and all(token >= 0 for _, token in construction.anchors)


def sample(
    trees: Sequence[PhraseTree],
    hits: Iterable[Found],
    size: int = 20,
    *,
    max_length: int = 40,
    punctuation: bool = True,
    seed: int = 0,
) -> list[Found]:
    """So many sentences for each phenomenon (PPs of nouns and verbs together), as in the TEPACOC paper.

    Variants take turns, so that they are drawn evenly as long as there are enough of each. No sentence is drawn
    twice, and what is rare is drawn first. The same seed draws the same items from the same trees.
    """
    import numpy as np

    generator = np.random.default_rng(seed)
    groups: dict[str, dict[tuple[str, str], list[Found]]] = {}
    for hit in hits:
        construction = hit.construction
        if is_testable(construction) and is_short(trees[hit.tree], max_length, punctuation):
            variants = groups.setdefault(table_of(construction.phenomenon), {})
            variants.setdefault((construction.phenomenon, construction.variant), []).append(hit)
    used: set[int] = set()
    drawn: list[Found] = []
    for _, variants in sorted(groups.items(), key=lambda group: (sum(map(len, group[1].values())), group[0])):
        queues = [[pool[at] for at in generator.permutation(len(pool))] for _, pool in sorted(variants.items())]
        taken = 0
        while taken < size and any(queues):
            for queue in queues:
                while queue and queue[-1].tree in used:  # its sentence is not free any more
                    queue.pop()
                if queue and taken < size:
                    drawn.append(queue.pop())
                    used.add(drawn[-1].tree)
                    taken += 1
    names = list(PHENOMENA)
    return sorted(drawn, key=lambda one: (names.index(one.construction.phenomenon), one.construction.variant, one.tree))


def as_suite(
    trees: Sequence[PhraseTree], hits: Iterable[Found], *, name: str, release: str, scheme: str
) -> ConstructionSuite:
    """The constructions as items, numbered within their variant: `fcr-v2-003`."""
    numbers: dict[str, int] = {}
    items = []
    for hit in hits:
        construction = hit.construction
        stem = "-".join(part for part in (construction.phenomenon, construction.variant) if part)
        numbers[stem] = numbers.get(stem, 0) + 1
        items.append(ConstructionItem(f"{stem}-{numbers[stem]:03d}", trees[hit.tree], construction))
    return ConstructionSuite(name, release, scheme, items)


def overview(
    trees: Sequence[PhraseTree],
    hits: Sequence[Found],
    *,
    name: str,
    scheme: str,
    max_length: int = 40,
    punctuation: bool = True,
    items: bool = False,
    settings: Mapping[str, object] | None = None,
    failures: Mapping[str, int] | None = None,
    counted: Mapping[str, Sequence[tuple[int, int]]] | None = None,
) -> Result:
    """Counts by phenomenon and variant, or with `items` the hits themselves. `settings` go into the signature.

    `failures` are the rows of a list that gave no hit, by why; `counted` is what else was counted (number of the tree,
    and node), for a second table.
    """
    asked = signature(
        ("command", "suite make constructions"),
        ("scheme", scheme),
        ("rules", RULES_VERSION),
        *(settings or {}).items(),
        ("max_length", max_length),
        ("punctuation", punctuation),
    )
    failures = dict(failures or {})
    if items:
        return Result(asked, *_listed(trees, hits, name), failures)
    counts = count(trees, hits, max_length, punctuation)
    rows: list[list[Value]] = []
    findings = []
    for row in counts:
        by: dict[str, Value] = {"phenomenon": row.phenomenon, "variant": row.variant}
        rows.append([row.phenomenon, row.variant, PHENOMENA[row.phenomenon], row.items, row.sentences, row.short])
        for measure, value in (("items", row.items), ("sentences", row.sentences), ("short", row.short)):
            findings.append(Finding("constructions", name, "", measure, value, n=len(trees), by=by))
    columns = ["phenomenon", "variant", "what it is", "items", "sentences", f"up to {max_length} tokens"]
    note = f"{count_text(len(trees), 'tree')}."
    if not punctuation:
        note += " Tokens are counted without punctuation."
    tables = [Table("Constructions", columns, rows, note=note)]
    if counted:
        more = _section_2(trees, hits, counted, name)
        tables.append(_section_2_table(more))
        findings += more
    return Result(asked, findings, tables, failures)


_WHOLE = {"extraposed": "relative", "elision": "coordination"}
"""The count that another count is a share of."""


def _section_2(
    trees: Sequence[PhraseTree], hits: Sequence[Found], counted: Mapping[str, Sequence[tuple[int, int]]], name: str
) -> list[Finding]:
    """Return the counts of Section 2 of the paper: items and sentences, and the shares of extraposition and elision."""
    found = {"extraposed": set[tuple[int, int]](), **{kind: set(places) for kind, places in counted.items()}}
    for hit in hits:
        kind = {"erc": "extraposed", "fcr": "elision", "sgf": "elision"}.get(hit.construction.phenomenon)
        if kind is not None:
            found.setdefault(kind, set()).add((hit.tree, hit.construction.node))
    found["elision"] = found.get("elision", set()) | found.get("gapping", set()) | found.get("bcr", set())
    findings = []
    for kind in [kind for kind in COUNTED if kind in found]:
        by: dict[str, Value] = {"phenomenon": kind}
        sentences = {tree for tree, _ in found[kind]}
        for measure, value in (("items", len(found[kind])), ("sentences", len(sentences))):
            findings.append(Finding("constructions", name, "", measure, value, n=len(trees), by=by))
        whole = sorted(found.get(_WHOLE.get(kind, ""), ()))
        if whole:
            clusters = Clusters.of(sentence=[tree for tree, _ in whole])
            part = share([place in found[kind] for place in whole], [1] * len(whole), clusters)
            low, high = part.percent
            findings.append(Finding("constructions", name, "", "share", 100 * part.value, len(whole), low, high, by))
    return findings


def _section_2_table(findings: Sequence[Finding]) -> Table:
    index = FindingIndex(findings)
    kinds = [by["phenomenon"] for by in index.groups("phenomenon", measure="items")]
    cells = {name: [index.get(name, "", {"phenomenon": kind}) for kind in kinds] for name in _MEASURES}
    columns = [
        Column("count", kinds), Column("what it is", [COUNTED[str(kind)] for kind in kinds]),
        *measured("items", cells["items"]), *measured("sentences", cells["sentences"]),
        *measured("%", cells["share"], interval=True, digits=1),
    ]  # fmt: skip
    return table("Relative clauses and elision", columns, note="%: of all relative clauses, of all coordinations")


_MEASURES = ("items", "sentences", "share")


def _listed(trees: Sequence[PhraseTree], hits: Sequence[Found], name: str) -> tuple[list[Finding], list[Table]]:
    """A finding and a row for each hit."""
    rows: list[list[Value]] = []
    findings = []
    for hit in hits:
        construction, tree = hit.construction, trees[hit.tree]
        by: dict[str, Value] = {
            "tree": hit.tree + 1,
            "sentence": tree.sent_id,
            "phenomenon": construction.phenomenon,
            "variant": construction.variant,
            "anchors": " ".join(f"{key}={_shown(tree, token)}" for key, token in construction.anchors),
            "flags": " ".join(construction.flags),
        }
        node = node_text(tree, construction.node)
        findings.append(Finding("constructions", name, "", "node", node, n=len(tree), by=by))
        kind = "-".join(part for part in (construction.phenomenon, construction.variant) if part)
        rows.append([hit.tree + 1, tree.sent_id, kind, node, by["anchors"], by["flags"]])
    columns = ["tree", "sentence", "phenomenon", "node", "anchors", "flags"]
    return findings, [Table("Constructions", columns, rows)]


def _shown(tree: PhraseTree, token: int) -> str:
    """An anchor as number and word: `4:Haus`."""
    return f"{token + 1}:{tree.words[token]}" if token >= 0 else "-"


_CATEGORY = re.compile(r"CUC|ERC|FCR|SGF|PPN|PPV|\bPP\b", re.IGNORECASE)
_SPELLINGS = {
    "ä": "ae", "ö": "oe", "ü": "ue", "„": '"', "“": '"', "”": '"', "»": '"', "«": '"', "``": '"', "''": '"',
    "‚": "'", "‘": "'", "’": "'", "–": "-", "—": "-", "…": "...", "-lrb-": "(", "-rrb-": ")", "*lrb*": "(",
    "*rrb*": ")",
}  # fmt: skip
"""Ways to write the same: releases of the treebanks differ in these (and in ß, which folding the case writes ss)."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A row of the list: the sentence's number (from 1) and words, and the phenomena its category stands for."""

    scheme: str
    category: str
    phenomena: tuple[str, ...]
    number: int
    words: tuple[str, ...]
    line: int


@dataclass(frozen=True, slots=True)
class Applied:
    """What a list found in a treebank, and, row by row, what did not fit."""

    found: tuple[Found, ...]
    absent: tuple[str, ...]
    """Sentences that are not in the treebank."""
    without: tuple[str, ...]
    """Sentences that are there, but in which the rules find no such construction."""
    moved: tuple[str, ...]
    """Sentences that were found, but under another number."""


def read_list(path: str | PathLike[str]) -> list[Listed]:
    """The rows of a list file, or of data by name, in UTF-8 or latin-1."""
    place = Path(local(str(path)))
    place = place / "tepacoc.txt" if place.is_dir() else place
    name = str(place)
    data = file_bytes(place, "the list", "name the file tepacoc.txt")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    return parse_list(text, name)


def parse_list(text: str, name: str = "tepacoc.txt") -> list[Listed]:
    scheme, category, phenomena = TIGER.name, "", tuple[str, ...]()
    rows: list[Listed] = []
    for at, line in enumerate(text.splitlines(), 1):
        fields = [field.strip() for field in line.split("\t")]
        first = fields[0]
        if _spelling(first).startswith(("tuba", "tueba")):
            scheme, category, phenomena = TUEBADZ.name, "", ()
        elif _spelling(first).startswith("tiger"):
            scheme, category, phenomena = TIGER.name, "", ()
        elif len(fields) < 3 or not fields[2]:
            continue  # titles and empty lines
        elif not first:
            category, phenomena = fields[2], _phenomena(fields[2], f"{name}:{at}")
        elif not (first.isascii() and first.isdigit()):
            raise InputError(f"{first[:20]!r} is not a number of a sentence", where=f"{name}:{at}")
        elif not category:
            raise InputError("a sentence before any category", where=f"{name}:{at}", todo="is a row missing?")
        else:
            rows.append(Listed(scheme, category, phenomena, int(first), tuple(fields[2].split()), at))
    if not rows:
        raise InputError("no sentence is listed", where=name, todo="rows are: number, tab, tab, words")
    return rows


def apply_list(rows: Sequence[Listed], trees: Sequence[PhraseTree], scheme: str) -> Applied:
    """Each listed sentence of a scheme in the user's treebank, by its number and, if its words are not there, by them.

    Of several constructions of the category in a sentence the first that makes a good item is taken; the list does
    not say which one is meant. CUC is looked for in the wide sense, since the list has chosen already.
    """
    check_scheme(scheme)
    places: dict[tuple[str, ...], int] | None = None
    hits: list[Found] = []
    absent: list[str] = []
    without: list[str] = []
    moved: list[str] = []
    for row in rows:
        if row.scheme != scheme:
            continue
        wanted = _normal(row.words)
        at: int | None = row.number - 1
        if not 0 <= row.number - 1 < len(trees) or _normal(trees[row.number - 1].words) != wanted:
            if places is None:
                places = {_normal(tree.words): number for number, tree in reversed(list(enumerate(trees)))}
            at = places.get(wanted)
            if at is not None:
                moved.append(f"{row.category} {row.number} is sentence {at + 1} here")
        if at is None:
            absent.append(f"{row.category} {row.number} is not in the treebank: {_difference(row, trees)}")
            continue
        found = find(trees[at], scheme, row.phenomena, wide=True)
        if not found:
            phenomena = " or ".join(row.phenomena)
            without.append(f"{row.category} {row.number} is sentence {at + 1}, but the rules find no {phenomena} in it")
        else:
            hits.append(Found(at, next(filter(is_testable, found), found[0])))
    return Applied(tuple(hits), tuple(absent), tuple(without), tuple(moved))


def _phenomena(category: str, where: str) -> tuple[str, ...]:
    match = _CATEGORY.search(category)
    if match is None:
        todo = "categories are named PPN, PPV, PP, ERC, FCR, SGF and CUC"
        raise InputError(f"unknown category {category[:40]!r}", where=where, todo=todo)
    name = match[0].casefold()
    return ("ppn", "ppv") if name == "pp" else (name,)


def _normal(words: Sequence[str]) -> tuple[str, ...]:
    return tuple(map(_spelling, words))


def _spelling(word: str) -> str:
    text = unicodedata.normalize("NFC", word).casefold()
    for sign, variant in _SPELLINGS.items():
        text = text.replace(sign, variant)
    return text


def _difference(row: Listed, trees: Sequence[PhraseTree]) -> str:
    """Why a sentence is not the one at its number, which the whole treebank does not have elsewhere either."""
    if not 1 <= row.number <= len(trees):
        return f"the treebank has only {len(trees):,} sentences"
    words = trees[row.number - 1].words
    for at, (ours, theirs) in enumerate(zip(words, row.words, strict=False), 1):
        if _spelling(ours) != _spelling(theirs):
            return f"other words: token {at} is {ours!r}, the list has {theirs!r}"
    return f"{len(words)} tokens, the list has {len(row.words)}"
