"""Checks of the columns between FORM and DEPREL, of DEPS (the enhanced graph) and of MISC."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from unicodedata import category

from ..format.index import EMPTY, FIELDS
from ..format.universal import RELATIONS, UPOS_TAGS
from .check import Hit, check_of_piece, check_of_sentence, shown
from .piece import DEPREL, DEPS, FEATS, FORM, HEAD, ID, LEMMA, MISC, UPOS, Piece, Sentence, Verdicts, check_of_column

_DEPREL = re.compile(r"[a-z]+(:[a-z_]+)?")
_FEATURE = re.compile(r"[A-Z][A-Za-z0-9]*(\[[a-z0-9]+\])?=[A-Z0-9][A-Za-z0-9]*(,[A-Z0-9][A-Za-z0-9]*)*")
_COLON = re.compile(r"[A-Za-z][\w-]*:[^=]*")
_WHITE = re.compile(r"\s")
_TWO_BLANKS = re.compile(r"\s\s")
_TEXTS = (FORM, LEMMA, MISC)  # Columns that may hold blanks. ID and HEAD are numbers, which have checks of their own


# ---- any column


@check_of_piece("empty-field", "A field is empty.", "write _ for nothing")
def empty_field(piece: Piece) -> Iterator[Hit]:
    for column in range(1, 10):
        if "" in piece.columns[column]:
            for line, token, _ in piece.where(column, {"": ""}):
                yield Hit(line, f"{FIELDS[column].upper()} is empty", token)


@check_of_piece("outer-whitespace", "A field begins or ends with white space.", "take it away")
def outer_whitespace(piece: Piece) -> Iterator[Hit]:
    yield from _whitespace(piece, lambda text: text != text.strip(), range(FORM, 10), "begins or ends with white space")


@check_of_piece("inner-whitespace", "A field that is not text holds white space.", "only FORM, LEMMA, MISC may")
def inner_whitespace(piece: Piece) -> Iterator[Hit]:
    columns = [column for column in range(FORM, 10) if column not in _TEXTS]
    yield from _whitespace(piece, lambda text: _WHITE.search(text.strip()) is not None, columns, "holds white space")


@check_of_piece("repeated-whitespace", "A field holds two blanks in a row.", "one blank is enough")
def repeated_whitespace(piece: Piece) -> Iterator[Hit]:
    yield from _whitespace(
        piece, lambda text: _TWO_BLANKS.search(text.strip()) is not None, _TEXTS, "has two blanks in a row"
    )


def _whitespace(
    piece: Piece, is_wrong: Callable[[str], bool], columns: tuple[int, ...] | range | list[int], what: str
) -> Iterator[Hit]:
    for column in columns:
        if column == HEAD:
            continue
        wrong = {text: text for text in piece.white(column) if is_wrong(text)}
        for line, token, text in piece.where(column, wrong):
            yield Hit(line, f"{FIELDS[column].upper()} {shown(text)} {what}", token)


# ---- UPOS and DEPREL


@check_of_column(
    UPOS, "unknown-upos", "UPOS is none of the 17 tags.", "use one of the 17 tags of UD 2; CONJ is of UD 1, now CCONJ",
    except_ids="-",
)  # fmt: skip
def _upos(text: str) -> str:
    return "" if text in UPOS_TAGS else f"unknown UPOS {shown(text)}"


@check_of_piece("missing-upos", "A word has no UPOS.", "annotate it, or --ignore missing-upos", level="warning")
def missing_upos(piece: Piece) -> Iterator[Hit]:
    if "_" in piece.distinct(UPOS):
        for line, token, _ in piece.where(UPOS, {"_": ""}):
            if "-" not in token and "." not in token:
                yield Hit(line, "UPOS is _", token)


@check_of_column(
    DEPREL,
    "deprel-form",
    "DEPREL is not a relation with an optional subtype.",
    "such as obl or obl:arg",
    except_ids="-.",
)
def _deprel_form(text: str) -> str:
    return "" if _DEPREL.fullmatch(text) else f"DEPREL is {shown(text)}"


@check_of_column(
    DEPREL, "unknown-deprel", "DEPREL is none of the 37 relations.",
    "use one of the 37 relations of UD 2; dobj, neg, nsubjpass and others are of UD 1", except_ids="-.",
)  # fmt: skip
def _relation(text: str) -> str:
    if not _DEPREL.fullmatch(text) or text.partition(":")[0] in RELATIONS:
        return ""
    return f"unknown relation {shown(text)}"


@check_of_piece(
    "missing-deprel", "A word with a head has no DEPREL.", "annotate it, or --ignore missing-deprel", level="warning"
)
def missing_deprel(piece: Piece) -> Iterator[Hit]:
    if "_" in piece.distinct(DEPREL):
        for row, deprel in enumerate(piece.columns[DEPREL]):
            # HEAD 0 without DEPREL is head-zero-not-root.
            if deprel == "_" and piece.heads[row] > 0:
                yield Hit(piece.row_lines[row], "DEPREL is _", piece.columns[ID][row])


# ---- FEATS and MISC


def _is_colon(text: str) -> bool:
    return all(_COLON.fullmatch(part) for part in text.split("|"))


@check_of_column(
    FEATS, "feats-form", "A feature is not of the form Name=Value.", "e.g. Case=Acc or Number[psor]=Sing,Plur"
)
def _feats_form(text: str) -> str:
    if _is_colon(text):
        return ""
    wrong = next((part for part in text.split("|") if not _FEATURE.fullmatch(part)), None)
    return "" if wrong is None else f"{shown(wrong)} is not of the form Name=Value"


@check_of_column(FEATS, "feats-colon", "FEATS are written Name:Value.",
                 "gardenpath treebank convert --set feats=equals FILE -o OUT rewrites them")  # fmt: skip
def _colon(text: str) -> str:
    return f"{shown(text)} has : instead of =" if _is_colon(text) else ""


@check_of_column(FEATS, "feats-unsorted", "Features are not sorted.", "sort them by name, regardless of case")
def _feats_order(text: str) -> str:
    parts = [part.lower() for part in text.split("|")]
    return "" if parts == sorted(parts) else f"{shown(text)} is not sorted"


@check_of_column(FEATS, "feats-duplicate", "A feature stands twice.", "one feature, several values: Name=A,B")
def _feats_names(text: str) -> str:
    names = [re.split("[=:]", part, maxsplit=1)[0] for part in text.split("|")]
    twice = next((name for name in names if names.count(name) > 1), "") if len(set(names)) < len(names) else ""
    return f"{shown(twice)} stands twice" if twice else ""


@check_of_column(
    FEATS, "feats-values", "The values of a feature are not sorted or not unique.", "e.g. PronType=Int,Rel"
)
def _feats_values(text: str) -> str:
    for part in text.split("|"):
        values = part.partition("=")[2].lower().split(",")
        if values != sorted(values) or len(set(values)) < len(values):
            return f"the values of {shown(part)} are not sorted and unique"
    return ""


check_of_column(
    MISC, "misc-colon", "MISC is written Name:Value.", "write Name=Value if it is an attribute", level="warning"
)(_colon)


@Verdicts
def _misc_form(text: str) -> str:
    nameless = text and any(part[:1] in ("", "=") for part in text.split("|"))
    return f"{shown(text)} has a part without a name" if nameless else ""


@check_of_piece("misc-form", "MISC has a part without a name.", "parts are separated by single bars", level="warning")
def misc_form(piece: Piece) -> Iterator[Hit]:
    return piece.odd(MISC, _misc_form)


_PART = re.compile(r"(0|[1-9][0-9]{0,6})(?:\.([1-9][0-9]{0,6}))?:(.+)")
_LETTERS = frozenset(["Ll", "Lm", "Lo", "Mn", "Mc", "Me"])


def _parsed(text: str) -> list[tuple[int, int, str]]:
    """(word, empty node, relation) of each part; nothing if one part is broken."""
    parts = [_PART.fullmatch(part) for part in text.split("|")]
    return [] if None in parts else [(int(one[1]), int(one[2] or 0), one[3]) for one in parts if one]


@check_of_column(
    DEPS, "deps-form", "DEPS is not a list of head:relation.", "such as 4:nsubj|7:nsubj:xsubj", except_ids="-"
)
def _form(text: str) -> str:
    wrong = next((part for part in text.split("|") if not _PART.fullmatch(part)), None)
    return "" if wrong is None else f"{shown(wrong)} is not of the form head:relation"


@check_of_column(DEPS, "deps-unsorted", "DEPS is not sorted.", "sort by head as a number, then by relation")
def _order(text: str) -> str:
    parts = _parsed(text) if "|" in text else []
    return "" if parts == sorted(parts) else f"{shown(text)} is not sorted by head, then relation"


@check_of_column(DEPS, "deps-duplicate", "DEPS has the same relation twice.", "keep one")
def _repeated(text: str) -> str:
    parts = text.split("|")
    return f"{shown(text)} has the same relation twice" if len(set(parts)) < len(parts) else ""


@check_of_column(
    DEPS, "deps-relation", "DEPS has an unknown relation.", "one of the 37 relations or ref, with additions"
)
def _relations(text: str) -> str:
    for _, _, relation in _parsed(text):
        first, *additions = relation.split(":")
        if not (first in RELATIONS or first == "ref"):
            return f"unknown relation {shown(relation)}"
        if len(additions) > 3 or not all(map(_is_addition, additions)):
            return f"{shown(relation)} is not a relation with subtype, preposition and case"
    return ""


def _is_addition(text: str) -> bool:
    """Small letters of any script, in groups joined by `_`."""
    return all(group and all(category(char) in _LETTERS for char in group) for group in text.split("_"))


@check_of_piece("deps-self-loop", "A node is its own head in DEPS.", "an enhanced graph may have circles, not loops")
def deps_self_loop(piece: Piece) -> Iterator[Hit]:
    if piece.distinct(DEPS) == {"_"}:
        return
    for line, token, deps in zip(piece.row_lines, piece.columns[ID], piece.columns[DEPS], strict=True):
        if deps != "_" and f"{token}:" in deps and any(part.startswith(f"{token}:") for part in deps.split("|")):
            yield Hit(line, f"{shown(token)} is its own head in DEPS", token)


@check_of_sentence(
    "deps-target", "A head in DEPS is not a node of the sentence.", "use the ID of a word or an empty node"
)
def deps_target(sentence: Sentence) -> Iterator[Hit]:
    if sentence.broken:
        return
    highest, line, token = sentence.highest_target
    if highest > sentence.words:
        yield Hit(line, f"head {highest} in a sentence of {sentence.words} words", token)
    if sentence.empty_targets:
        known = {other.id for other in sentence.others if other.kind == EMPTY}
        for target, (line, token) in sentence.empty_targets.items():
            if target not in known:
                yield Hit(line, f"head {target} is no empty node of the sentence", token)
