"""Suites in another form: what the form can hold is kept, and what it cannot is an error or a listed loss."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ..errors import InputError, UsageError, unknown_name
from .model import OBJECTS, SUBJECT, RoleSuite
from .names import order_today, properties_today
from .reader import CONLL, CONLLU, FORMATS, TSV
from .tabular import FIRST, PP_HEADER, ROLES_HEADER

NAMES = ("original", "today")


@dataclass(frozen=True, slots=True)
class Written:
    """The bytes of a suite in another form, and what they do not hold, one line each."""

    data: bytes
    losses: tuple[str, ...] = ()


def convert(suite: RoleSuite, to: str, *, names: str = "original", partial: bool = False) -> Written:
    """The suite as `conll` (FEATS with `:`), `conllu-feats` (with `=`), `conllu` (both in comments) or `tsv`.

    `names`: those of the file, or today's; `partial`: only the gold arcs and the verb, where all heads are given.
    """
    if to not in FORMATS:
        raise unknown_name("format", to, FORMATS)
    if names not in NAMES:
        raise unknown_name("choice of names", names, NAMES)
    marked = list(suite.marked)
    if names == "today" and suite.kind == "roles":
        table = {one: _today(one, suite.release) for one in set(marked)}
        marked = [table[one] for one in marked]
    if to == TSV:
        return _to_tsv(suite, marked)
    return _to_conll(suite, to, marked, names == "today", partial)


def _today(mark: tuple[str, str], release: str) -> tuple[str, str]:
    return order_today(mark[0], release), properties_today(mark[1], release)


# ---- CoNLL


def _to_conll(suite: RoleSuite, to: str, marked: Sequence[tuple[str, str]], today: bool, partial: bool) -> Written:
    known: dict[tuple[str, tuple[str, str]], str] = {}
    keep, verbs = _kept_rows(suite) if partial else (set[int](), set[int]())
    moves = CONLLU in (to, suite.format)  # order and props come from comments, or go there
    lines: list[str] = []
    word, dropped, item, begun = 0, 0, 0, False
    for line in suite.treebank.to_bytes().decode("utf-8").split("\n"):
        if not line or line[0] == "#":
            item += begun
            if not (moves and _is_mark(line)):
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
    if suite.format == TSV:
        losses += _what_tsv_lacked(suite)
    return Written("\n".join(lines).encode("utf-8"), tuple(losses))


def _is_mark(line: str) -> bool:
    return line.startswith("#") and line[1:].partition("=")[0].strip() in ("order", "props")


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
        key, found, value = part.partition(old)
        if not found:
            parts.append(part)
            continue
        if sign == "=" and "=" in value:
            raise UsageError(f"FEATS {part!r} cannot be written with =")
        if key not in changes:
            parts.append(f"{key}{sign}{value}")
        elif mark is None:
            parts.append(f"{key}{sign}{changes[key](value, release) if release else value}")
    return "|".join(parts) or "_"


def _what_tsv_lacked(suite: RoleSuite) -> list[str]:
    lines = []
    unknown = int(np.count_nonzero(suite.arcs.head < 0))
    if unknown:
        lines.append(f"heads of subject and object, which TSV does not have (HEAD is _): {unknown:,}")
    outside = int(np.count_nonzero(suite.arcs.dependent > suite.treebank.lengths[suite.arcs.item]))
    if outside:
        lines.append(f"positions outside the sentence: {outside:,}")
    other = sum(suite.distances[number] != _distance(suite, number) for number in range(len(suite)) if suite.distances)
    if other:
        lines.append(f"head_distance that is not the distance of noun and head: {other:,}")
    return lines


# ---- TSV


def _to_tsv(suite: RoleSuite, marked: Sequence[tuple[str, str]]) -> Written:
    row = _roles_row if suite.kind == "roles" else _pp_row
    header = ROLES_HEADER if suite.kind == "roles" else PP_HEADER
    rows: list[tuple[str, ...]] = [header]
    for number, mark in enumerate(marked):
        tokens = suite.tokens[number]
        if any(" " in token for token in tokens):
            what, todo = "a word with a blank in it cannot be written in TSV", "keep the suite in CoNLL"
            raise InputError(what, where=_place(suite, number), todo=todo)
        rows.append((*row(suite, number, mark), " ".join(tokens)))
    data = "".join("\t".join(fields) + "\n" for fields in rows).encode("utf-8")
    return Written(data, tuple(_what_tsv_drops(suite)))


def _place(suite: RoleSuite, number: int) -> str:
    return f"{suite.name}:{suite.lines[number]}"


def _one(suite: RoleSuite, number: int, labels: Sequence[str], what: str) -> tuple[int, int, str]:
    found = [arc for arc in suite.arcs_of(number) if arc.label.partition(":")[0] in labels]
    if len(found) != 1:
        todo = "TSV has room for exactly one; gardenpath suites check lists all such items"
        raise InputError(f"{len(found) or 'no'} {what} in this item", where=_place(suite, number), todo=todo)
    return found[0]


def _roles_row(suite: RoleSuite, number: int, mark: tuple[str, str]) -> tuple[str, ...]:
    subject = _one(suite, number, (SUBJECT,), "subject")[0]
    object = _one(suite, number, OBJECTS, "object")[0]
    shift = FIRST["roles"] - 1
    return (*mark, str(subject + shift), str(object + shift))


def _pp_row(suite: RoleSuite, number: int, mark: tuple[str, str]) -> tuple[str, ...]:
    preposition = _one(suite, number, ("case",), "preposition")
    noun, head, label = _one(suite, number, ("obl", "nmod"), "noun of the PP")
    if preposition[1] != noun:
        todo = "TSV writes the noun once; gardenpath suites check lists all such items (loose-preposition)"
        raise InputError("the preposition is not at the noun of its PP", where=_place(suite, number), todo=todo)
    if head < 1:
        raise InputError("the noun of the PP has no head", where=_place(suite, number), todo="TSV needs one")
    shift = FIRST["pp"] - 1
    distance = suite.distances[number] if suite.distances else _distance(suite, number)
    return (mark[1], *map(str, (distance, preposition[0] + shift, noun + shift, head + shift)), label)


def _distance(suite: RoleSuite, number: int) -> int:
    return next((abs(at - head) for at, head, label in suite.arcs_of(number) if label != "case"), -1)


def _what_tsv_drops(suite: RoleSuite) -> list[str]:
    """What of a CoNLL file has no column in TSV."""
    if suite.format == TSV:
        return []
    treebank, losses = suite.treebank, []
    given = int(np.count_nonzero(treebank.heads >= 0))
    kept = len(suite.arcs) if suite.kind == "pp" else 0
    if given > kept:
        what = "heads of subject, object and verb, and all other arcs" if suite.kind == "roles" else "other arcs"
        losses.append(f"{what}: {given - kept:,}")
    indirect = sum(label == "iobj" for label in suite.arcs.label.strings())
    if indirect:
        losses.append(f"iobj, which is written as object: {indirect:,}")
    for name in ("lemma", "upos", "xpos", "deps", "misc"):
        counts = treebank.column(name).counts()
        if filled := sum(counts.values()) - counts.get("_", 0):
            losses.append(f"{name.upper()}: {filled:,}")
    others = {
        part.partition("=" if "=" in feats else ":")[0] for feats in treebank.column("feats").values
        for part in feats.split("|")
    } - {"order", "props", "_"}  # fmt: skip
    if others:
        losses.append(f"FEATS {', '.join(sorted(others))}")
    if comments := sum(line.startswith(b"#") for line in treebank.data.split(b"\n")):
        losses.append(f"comments: {comments:,}")
    return losses
