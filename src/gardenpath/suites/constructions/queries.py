"""Constructions found by the requests of a file (`tiger.toml`, `ud.toml`): anchors are nodes of a match, or what a
function of the scheme gives for one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np

from ...phrase.dependency_phrases import to_treebank
from ...phrase.query import PhraseNodes
from ...phrase.schemes.model import Scheme
from ...phrase.tree import PhraseTree
from ...treebank.query.nodes import Ints, Mask, QueryNodes
from ...treebank.query.search import Matches, search
from .model import ANCHORS, Construction
from .request_files import FindingRule, finding_rules

Row = tuple[int, int, tuple[int, ...], tuple[bool, ...]]
"""Of a match: the number of the tree, the node, the anchors, and which flags hold."""


def find_by_requests(
    trees: Sequence[PhraseTree], scheme: Scheme, phenomena: Sequence[str], wide: bool = False
) -> Iterator[tuple[int, Construction]]:
    """The constructions of these phenomena with the number of the tree, tree by tree, phenomenon by phenomenon."""
    nodes: QueryNodes = to_treebank(trees).query_words if scheme.arcs else PhraseNodes(trees, annotated=scheme)
    asked = [rule for rule in finding_rules(scheme) if rule.phenomenon in phenomena and (wide or not rule.wide)]
    hits = dict.fromkeys(hit for rule in asked for hit in _hits(rule, nodes, trees, scheme))

    def place(hit: tuple[int, Construction]) -> tuple[int, int, int, tuple[int, ...]]:
        number, construction = hit
        tokens = tuple(token for _, token in construction.anchors)
        return number, phenomena.index(construction.phenomenon), 0 if scheme.arcs else construction.node, tokens

    yield from sorted(hits, key=place)


def _hits(
    rule: FindingRule, nodes: QueryNodes, trees: Sequence[PhraseTree], scheme: Scheme
) -> Iterator[tuple[int, Construction]]:
    """Matches as constructions."""
    for number, node, places, held in _rows(rule, search(nodes, rule.pattern)):
        flags = tuple(flag for (flag, _), holds in zip(rule.flags, held, strict=True) if holds)
        whole = trees[number].mothers[node] if scheme.arcs else node  # a word is written as the head of its phrase
        yield number, Construction(rule.phenomenon, rule.variant, whole, _anchors(rule, places), flags)


def _rows(rule: FindingRule, matches: Matches) -> list[Row]:
    """Each construction once: a flag holds if it does for one of its matches, and what `each` binds is collected."""
    if not len(matches):
        return []
    begins = matches.nodes.offsets[matches.sentence_of]
    columns = [matches.sentence_of.tolist(), (matches.words(rule.node) - begins).tolist()]
    tokens = [_tokens(matches, terms, begins).tolist() for _, terms in rule.anchors]
    flags = [_held(matches, texts).tolist() for _, texts in rule.flags]
    places, held = (list(zip(*lists, strict=True)) or [()] * len(matches) for lists in (tokens, flags))
    rows = list(zip(*columns, places, held, strict=True))
    if rule.each:
        order = np.argsort(matches.nodes.delta(begins, matches.words(rule.each)), kind="stable")
        rows = [rows[place] for place in order.tolist()]
        rows = [(*key, tuple(dict.fromkeys(row[2][0] for row in group)), group[0][3]) for key, group in _groups(rows)]
    merged: dict[tuple[int, int, tuple[int, ...]], tuple[bool, ...]] = {}
    for number, node, row_places, row_held in rows:
        before = merged.get((number, node, row_places), row_held)
        merged[number, node, row_places] = tuple(map(max, before, row_held))
    return [(*key, flags_held) for key, flags_held in merged.items()]


def _groups(rows: Sequence[Row]) -> Iterator[tuple[tuple[int, int], list[Row]]]:
    """The rows of each node together."""
    groups: dict[tuple[int, int], list[Row]] = {}
    for row in rows:
        groups.setdefault(row[:2], []).append(row)
    yield from groups.items()


def _anchors(rule: FindingRule, places: Sequence[int]) -> tuple[tuple[str, int], ...]:
    """The anchors in the order of the phenomenon, -1 for those that the rule does not give; of `each` numbered."""
    if rule.each:
        ((name, _),) = rule.anchors
        return tuple((f"{name}{number}", place) for number, place in enumerate(places, 1))
    given = dict(zip((name for name, _ in rule.anchors), places, strict=True))
    return tuple((name, given.get(name, -1)) for name in ANCHORS[rule.phenomenon])


def _held(matches: Matches, texts: Sequence[str]) -> Mask:
    """Of each match: does one of these further blocks hold?"""
    held: Mask = np.logical_or.reduce([matches.having(text) for text in texts])
    return held


def _tokens(matches: Matches, terms: Sequence[str], begins: Ints) -> Ints:
    """The token of an anchor in each match, in its sentence: by the first term that gives one, else -1."""
    tokens = np.full(len(matches), -1, dtype=np.int64)
    for term in terms:
        *functions, name = re.findall(r"[\w$]+", term)
        places = matches.words(name)
        for function in reversed(functions):
            places = matches.nodes.applied(function, places)
        tokens = np.where(tokens < 0, np.where(places >= 0, places - begins, -1), tokens)
    return tokens
