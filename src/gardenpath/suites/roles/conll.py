"""Suites in CoNLL: order and props in FEATS of every word or in comments, gold arcs on some words (or on all)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial as bound

import numpy as np
from numpy.typing import NDArray

from ...errors import UsageError
from ...formats import Format
from ...treebank.format.columns import Column
from ...treebank.format.convert import repair
from ...treebank.format.fields import parse_feats
from ...treebank.format.treebank import Treebank
from .model import OBJECTS, SUBJECT, Arcs, Kind, RoleSuite
from .names import (
    PP_PROPERTIES,
    ambiguity_of,
    first_line,
    is_row,
    language_of,
    order_today,
    properties_today,
    release_of,
    split_properties,
)
from .reader import Written, what_tsv_lacked

CONLL, CONLLU_FEATS, CONLLU = "conll", "conllu-feats", "conllu"
_MARK = re.compile(r"(?:^|\|)(?:order|props)([:=])")
_COMMENT = re.compile(rb"^#[ \t]*props[ \t]*=", re.MULTILINE)
_ROLES = (SUBJECT, *OBJECTS)
_NOUNS = ("obl", "nmod")


def from_conll(data: bytes, name: str, *, format: str, release: str = "", language: str = "") -> RoleSuite:
    """A suite from bytes; what CoNLL-X does differently is repaired and counted in the treebank."""
    repaired, repairs = repair(data, name)
    treebank = Treebank(repaired, name=name, repairs=repairs)
    if format == CONLLU:
        marked = list(zip(treebank.comment_values("order"), treebank.comment_values("props"), strict=True))
    else:
        marks = marks_of(treebank)
        pairs = [value.partition("\t") for value in marks.values]
        marked = [(pairs[code][0], pairs[code][2]) for code in marks.codes[treebank.offsets[:-1]].tolist()]
    kind = _kind(treebank, marked)
    arcs = _arcs(treebank, _labelled(treebank, _ROLES)) if kind == "roles" else _pp_arcs(treebank)
    # The line, from 1, in which each sentence begins.
    offsets = treebank.index.starts[treebank.index.rows[:-1]]
    newlines = np.flatnonzero(np.frombuffer(treebank.data, dtype=np.uint8) == 10)
    lines: list[int] = (np.searchsorted(newlines, offsets) + 1).tolist()
    return assemble(name, kind, format, treebank, marked, arcs, lines, release, language)


def assemble(
    name: str,
    kind: Kind,
    format: str,
    treebank: Treebank,
    marked: Sequence[tuple[str, str]],
    arcs: Arcs,
    lines: Sequence[int],
    release: str,
    language: str,
    distances: Sequence[int] = (),
) -> RoleSuite:
    """The suite with what its content says of language, release and ambiguity."""
    if kind == "roles":
        release = release or release_of({order for order, _ in marked}, {props for _, props in marked}, name)
    else:
        release = ""
    known = {one: (order_today(one[0], release), properties_today(one[1], release)) for one in set(marked)}
    properties = [split_properties(known[one][1]) for one in marked]
    forms = treebank.column("form")
    counts = np.bincount(forms.codes, minlength=len(forms.values)).tolist()
    return RoleSuite(
        name=name,
        kind=kind,
        language=language or language_of(forms.values, counts),
        release=release,
        ambiguity=(_said_ambiguity(treebank) or ambiguity_of(name, properties)) if kind == "roles" else "",
        format=format,
        treebank=treebank,
        orders=[known[one][0] for one in marked],
        properties=properties,
        marked=marked,
        arcs=arcs,
        lines=lines,
        distances=distances,
        bases=treebank.comment_values("base") if b"# base" in treebank.data else (),
    )


def _said_ambiguity(treebank: Treebank) -> str:
    """What the first sentence says of the whole suite in a comment, as generated suites do."""
    if b"# ambiguity" not in treebank.data[:4096]:
        return ""
    ambiguity = treebank.comment_values("ambiguity")[0]
    return ambiguity if ambiguity in ("full", "part") else ""


def marks_of(treebank: Treebank) -> Column:
    """Order and props of every word, as one string with a tab between."""

    def mark(feats: str) -> str:
        pairs = parse_feats(feats)
        return f"{pairs.get('order', '')}\t{pairs.get('props', '')}"

    return treebank.column("feats").mapped(mark)


def _kind(treebank: Treebank, marked: Sequence[tuple[str, str]]) -> Kind:
    """A PP suite has no orders, and its own properties or no arc but that of the PP."""
    different = set(marked)
    if any(order for order, _ in different):
        return "roles"
    if any(part in PP_PROPERTIES for _, props in different for part in split_properties(props)):
        return "pp"
    labels = treebank.column("deprel").values
    return "pp" if "case" in labels and SUBJECT not in labels else "roles"


def _labelled(treebank: Treebank, labels: Sequence[str]) -> NDArray[np.int64]:
    """The words whose relation, without its subtype, is one of these."""
    column = treebank.column("deprel")
    wanted = np.array([value.partition(":")[0] in labels for value in column.values], dtype=bool)
    return np.flatnonzero(wanted[column.codes])


def _pp_arcs(treebank: Treebank) -> Arcs:
    """The first preposition and its noun: where all heads are given, later PPs are not what is tested."""
    prepositions = _labelled(treebank, ("case",))
    sentences = treebank.sentence_of
    _, firsts = np.unique(sentences[prepositions], return_index=True)
    prepositions = prepositions[firsts]
    column = treebank.column("deprel")
    nouns = np.flatnonzero(np.array([value in _NOUNS for value in column.values], dtype=bool)[column.codes])
    above = {int(sentences[word]): int(treebank.offsets[sentences[word]] + treebank.heads[word] - 1)
             for word in prepositions}  # fmt: skip
    chosen: dict[int, int] = {}
    for word, sentence in zip(nouns.tolist(), sentences[nouns].tolist(), strict=True):
        if sentence not in chosen or word == above.get(sentence):
            chosen[sentence] = word
    return _arcs(treebank, np.sort(np.concatenate([prepositions, np.array(list(chosen.values()), dtype=np.int64)])))


def _arcs(treebank: Treebank, words: NDArray[np.int64]) -> Arcs:
    column = treebank.column("deprel")
    return Arcs(
        treebank.sentence_of[words],
        treebank.ids[words].astype(np.int64),
        treebank.heads[words].astype(np.int64),
        Column(column.codes[words], column.values),
    )


# ---- writing


def to_conll(
    suite: RoleSuite, marked: Sequence[tuple[str, str]], *, to: str, today: bool = False, partial: bool = False
) -> Written:
    """The suite in one of the three forms; `partial`: only the gold arcs and the verb."""
    known: dict[tuple[str, tuple[str, str]], str] = {}
    keep, verbs = _kept_rows(suite) if partial else (set[int](), set[int]())
    moves = CONLLU in (to, suite.format)  # order and props come from comments, or go there
    lines: list[str] = []
    word, dropped, item, begun = 0, 0, 0, False
    for line in suite.treebank.to_bytes().decode("utf-8").split("\n"):
        if not line or line[0] == "#":
            item += begun
            if not (moves and line[1:].partition("=")[0].strip() in ("order", "props")):
                lines.append(line)
            begun = False
            continue
        if not begun and to == CONLLU:
            order, props = marked[item]
            lines += [f"# order = {order}"] * bool(order) + [f"# props = {props}"]
        begun = True
        fields = line.split("\t")
        key = (fields[5], marked[item])
        if key not in known:
            known[key] = _feats(fields[5], to, marked[item] if moves else None, suite.release if today else "")
        fields[5] = known[key]
        if fields[0].isdigit():
            if partial and word in verbs:
                fields[7] = "verb"
            elif partial and word not in keep and fields[6:8] != ["_", "_"]:
                fields[6:8] = ["_", "_"]
                dropped += 1
            word += 1
        lines.append("\t".join(fields))
    losses = [f"arcs that are no gold roles: {dropped:,}"] if dropped else []
    if suite.format == "tsv":
        losses += what_tsv_lacked(suite)
    return Written("\n".join(lines).encode("utf-8"), tuple(losses))


def _kept_rows(suite: RoleSuite) -> tuple[set[int], set[int]]:
    """The words with gold arcs, and (in suites of subject and object) the verbs that they depend on."""
    arcs, offsets = suite.arcs, suite.treebank.offsets
    keep = set((offsets[arcs.item] + arcs.dependent - 1).tolist())
    if suite.kind != "roles":
        return keep, set()
    heads = offsets[arcs.item] + arcs.head - 1
    verbs = heads[(arcs.head > 0)]
    roots = verbs[suite.treebank.heads[verbs] == 0]
    return keep, set(roots.tolist())


def _feats(field: str, to: str, mark: tuple[str, str] | None, release: str) -> str:
    """FEATS with another sign, and in today's names where a release is given; with `mark`, what it said gives way."""
    old, sign = "=" if "=" in field else ":", ":" if to == CONLL else "="
    changes: dict[str, Callable[[str, str], str]] = {"order": order_today, "props": properties_today}
    parts = []
    if mark is not None and to != CONLLU:
        parts = [f"{key}{sign}{value}" for key, value in zip(changes, mark, strict=True) if value]
    for part in field.split("|") if field != "_" else ():
        key, separator, value = part.partition(old)
        if not separator:
            parts.append(part)
            continue
        if sign == "=" and "=" in value:
            raise UsageError(f"FEATS {part!r} cannot be written with =")
        if key not in changes:
            parts.append(f"{key}{sign}{value}")
        elif mark is None:
            parts.append(f"{key}{sign}{changes[key](value, release) if release else value}")
    return "|".join(parts) or "_"


# ---- the formats


def sign_of(data: bytes) -> str:
    """How a file says order and props: with `:` or `=` in FEATS, with `#` in comments; empty where it does not."""
    _, begin, line = first_line(data)
    fields = line.split("\t")
    if not is_row(fields):
        return ""
    if mark := _MARK.search(fields[5].rstrip("\r")):
        return mark[1]
    return "#" if _COMMENT.search(data, 0, begin) else ""


def _format(name: str, about: str, sign: str, *suffixes: str) -> Format:
    return Format(
        name,
        about,
        suffixes,
        sniff=lambda data, _: sign_of(data) == sign,
        read=lambda data, file, *, positions, **how: from_conll(data, file, format=name, **how),
        write=bound(to_conll, to=name),
    )


FORMATS = (
    _format(CONLL, "CoNLL, order and props in FEATS with :", ":", ".conll"),
    _format(CONLLU_FEATS, "CoNLL-U, order and props in FEATS with =", "=", ".conllu"),
    _format(CONLLU, "CoNLL-U, order and props in comments", "#"),
)
