"""Trees on one line, `(S (NP:SB (ART:NK das) (NN:NK Haus)) (VVFIN:HD steht))`, and trees as JSON values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from ...errors import InputError
from ..encoding import stretches
from ..tree import ROOT, Node, PhraseTree, grown
from .brackets import escaped

_PART = re.compile(r"\s*(?:(\()\s*([^\s()]*)|(\))|([^\s()]+))")
_MARK = re.compile(r"#(\d+)$")


def from_notation(text: str, sent_id: str = "") -> PhraseTree:
    """The tree of a line; an outer bracket without a label, or several brackets, are the virtual root."""
    words: list[str] = []
    tags: list[str] = []
    token_functions: list[str] = []
    token_mothers: list[int] = []
    labels: list[str] = []
    functions: list[str] = []
    mothers: list[int] = []
    marked: dict[str, int] = {}
    path: list[int] = []
    """The open brackets: numbers of inner nodes from 0, ROOT for one without a label."""
    open_token: tuple[str, str] | None = None
    at = 0
    while at < len(text.rstrip()):
        match = _PART.match(text, at)
        assert match is not None  # every character but blanks is a bracket or part of a word
        at = match.end()
        opened, label, closed, word = match.groups()
        if opened:
            if open_token is not None:
                _enter(open_token, path, labels, functions, mothers, marked)
            open_token = (label, "")
        elif word is not None:
            if open_token is None or open_token[1]:
                raise InputError(f"the word {word!r} has no bracket of its own", where=f"{text[:60]!r}, column {at}")
            open_token = (open_token[0], word)
        elif closed:
            if open_token is not None:
                name, word = open_token
                if not word:
                    raise InputError(f"the bracket ({name}) is empty", where=f"{text[:60]!r}, column {at}")
                tag, function, _ = _parts(name)
                words.append(_unescaped(word))
                tags.append(tag)
                token_functions.append(function)
                token_mothers.append(path[-1] if path else ROOT)
                open_token = None
            elif path:
                path.pop()
            else:
                raise InputError("a bracket too many is closed", where=f"{text[:60]!r}, column {at}")
    if path or open_token is not None:
        raise InputError("a bracket is not closed", where=repr(text[:60]))
    size = len(words)
    shift = [mother if mother == ROOT else mother + size for mother in [*token_mothers, *mothers]]
    return grown(words, tags, labels, [*token_functions, *functions], shift, sent_id=sent_id, where=repr(text[:60]))


def to_notation(tree: PhraseTree) -> str:
    """The line of a tree; a node with a gap is written in pieces that share a mark."""
    marks: dict[int, int] = {}
    try:
        return " ".join(_written(node, span, marks) for node, span in _pieces(tree.top, 0, len(tree)))
    except RecursionError:
        todo = "write it in another format, such as export"
        raise InputError("the tree is nested too deeply for this notation", where=tree.sent_id, todo=todo) from None


def _enter(
    opened: tuple[str, str],
    path: list[int],
    labels: list[str],
    functions: list[str],
    mothers: list[int],
    marked: dict[str, int],
) -> None:
    """A bracket turned out to be an inner node: a new one, or a further piece of one with a mark."""
    name, word = opened
    if word:
        raise InputError(f"the bracket of the word {word!r} has another bracket in it", where=name)
    if not name:
        path.append(path[-1] if path else ROOT)
        return
    label, function, mark = _parts(name)
    if mark and mark in marked:
        path.append(marked[mark])
        return
    labels.append(label)
    functions.append(function)
    mothers.append(path[-1] if path else ROOT)
    path.append(len(labels) - 1)
    if mark:
        marked[mark] = len(labels) - 1


def _parts(name: str) -> tuple[str, str, str]:
    """Category, function and mark of `NP:OA#1`."""
    mark = _MARK.search(name)
    if mark:
        name = name[: mark.start()]
    label, colon, function = _unescaped(name).rpartition(":")
    if not (colon and label):
        label, function = _unescaped(name), ""
    return label, function, mark[1] if mark else ""


def _pieces(nodes: Iterable[Node], begin: int, end: int) -> list[tuple[Node, tuple[int, int]]]:
    """The nodes cut into stretches of tokens without a gap, within a range, from left to right."""
    spans = ((node, (first, last + 1)) for node in nodes for first, last in stretches(node.mask))
    return sorted((piece for piece in spans if begin <= piece[1][0] < end), key=lambda piece: piece[1])


def _written(node: Node, span: tuple[int, int], marks: dict[int, int]) -> str:
    name = escaped(f"{node.label}:{node.function}" if node.function else node.label)
    if node.is_token:
        return f"({name} {escaped(node.word)})"
    if node.has_gap:
        name += f"#{marks.setdefault(node.number, len(marks) + 1)}"
    inside = " ".join(_written(child, part, marks) for child, part in _pieces(node.children, *span))
    return f"({name} {inside})"


def _unescaped(word: str) -> str:
    return word.replace("-LRB-", "(").replace("-RRB-", ")")


_TEXTS = ("lemmas", "morphs", "comments")


def to_json(tree: PhraseTree) -> dict[str, Any]:
    """Columns that are empty are left out."""
    content: dict[str, Any] = {
        "words": list(tree.words),
        "tags": list(tree.tags),
        "labels": list(tree.labels),
        "functions": list(tree.functions),
        "mothers": list(tree.mothers),
    }
    if tree.secondary:
        content["secondary"] = [list(edge) for edge in tree.secondary]
    content |= {name: list(getattr(tree, name)) for name in _TEXTS if getattr(tree, name)}
    if tree.sent_id:
        content["sent_id"] = tree.sent_id
    return content


def from_json(value: Mapping[str, Any], where: str = "") -> PhraseTree:
    try:
        return grown(
            value["words"],
            value["tags"],
            value["labels"],
            value["functions"],
            value["mothers"],
            [(node, label, mother) for node, label, mother in value.get("secondary", [])],
            sent_id=value.get("sent_id", ""),
            where=where,
            **{name: value.get(name, ()) for name in _TEXTS},
        )
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(f"this is not a tree in JSON: {type(error).__name__}: {error}", where=where) from error
