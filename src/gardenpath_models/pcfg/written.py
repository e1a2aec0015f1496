"""A PCFG that somebody wrote: the weighted grammars that texts are drawn from (`suites/generate/text.py`), as models.

The grammar is taken as it stands. A name that only leads to single words is a tag; a word in a row of names is a tag
of its own. What may be empty is there or left out in every row it stands in. Chains of single children may turn in
circles: with U the probabilities of single children, what is below a name is (I − U)⁻¹, a sum over all chains.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from heapq import heappop, heappush
from itertools import chain, compress, product
from math import prod
from pathlib import Path

import numpy as np

from gardenpath.boundary import file_text
from gardenpath.errors import InputError
from gardenpath.suites import START, TextGrammar, parsed_grammar

from .chart import Floats, Integers, PCFGGrammar
from .lexicon import closed_vocabulary
from .model import PCFG
from .treebank_grammar import Preparation

SUFFIX = ".grammar"
_HEIGHT = 100
"""Trees without words are looked for up to this height."""
Rows = dict[str, list[tuple[float, tuple[str, ...]]]]
"""The alternatives of each name: probability, and names and words."""


def read_written(path: Path) -> PCFG:
    """The grammar of a file."""
    return written_pcfg(parsed_grammar(file_text(path, "a grammar"), path.name), path.name)


def written_pcfg(source: TextGrammar, name: str = "<grammar>") -> PCFG:
    """The grammar as a model of exactly its sentences, with exactly their probabilities."""
    rows = _probabilities(source)
    _check_words(rows, name)
    rows = _without_empty(rows, name)
    tags = [
        symbol
        for symbol, alternatives in rows.items()
        if symbol != START and all(len(body) == 1 and body[0] not in rows for _, body in alternatives)
    ]
    words = {(tag, body[0]): 0.0 for tag in tags for _, body in rows[tag]}
    for tag in tags:
        for probability, (word,) in rows[tag]:
            words[tag, word] += probability
    nodes = {symbol: alternatives for symbol, alternatives in rows.items() if symbol not in tags}
    for alternatives in nodes.values():
        for _, body in alternatives:
            for word in body:
                if word not in rows and (word, word) not in words:
                    tags.append(word)
                    words[word, word] = 1.0
    return PCFG(_grammar(tags, nodes), closed_vocabulary(tags, words), Preparation())


def _probabilities(source: TextGrammar) -> Rows:
    """Running sums of weights become probabilities, and an underscore in a word a blank."""
    rows: Rows = {}
    for symbol, bodies in source.rules.items():
        weights = np.diff(source.weights[symbol], prepend=0.0) / source.weights[symbol][-1]
        split = [[[part] if part in source.rules else part.split("_") for part in body] for body in bodies]
        rows[symbol] = [(p, tuple(chain(*parts))) for p, parts in zip(weights.tolist(), split, strict=True)]
    return rows


def _check_words(rows: Rows, name: str) -> None:
    """Every name must lead to words in the end."""
    leads: set[str] = set()
    while new := {
        symbol
        for symbol, alternatives in rows.items()
        if symbol not in leads
        and any(all(part in leads or part not in rows for part in body) for _, body in alternatives)
    }:
        leads |= new
    if lost := sorted(set(rows) - leads):
        what = f"{lost[0]} never comes to an end"
        raise InputError(what, where=name, todo="give it an alternative that leads to words")


def _without_empty(rows: Rows, name: str) -> Rows:
    """The same sentences from rows that are never empty: each part that may be empty is there or left out."""
    empty = dict.fromkeys(rows, 0.0)
    for _ in range(_HEIGHT if any(not body for alternatives in rows.values() for _, body in alternatives) else 0):
        empty = {
            symbol: sum(p * prod(empty.get(part, 0.0) for part in body) for p, body in alternatives)
            for symbol, alternatives in rows.items()
        }
    if empty[START]:
        raise InputError("a sentence may be empty", where=name, todo=f"give {START} no alternative without words")
    filled: Rows = {}
    for symbol, alternatives in rows.items():
        bodies: defaultdict[tuple[str, ...], float] = defaultdict(float)
        for p, body in alternatives:
            for kept in product(*((True, False) if empty.get(part) else (True,) for part in body)):
                shares = (
                    1 - empty.get(part, 0.0) if here else empty[part] for part, here in zip(body, kept, strict=True)
                )
                bodies[tuple(compress(body, kept))] += p * prod(shares)
        bodies.pop((), None)
        total = sum(bodies.values())
        filled[symbol] = [(p / total, body) for body, p in bodies.items() if p > 0]
    return {symbol: alternatives for symbol, alternatives in filled.items() if alternatives}


def _grammar(tags: Sequence[str], nodes: Rows) -> PCFGGrammar:
    labels = [*tags, *nodes]
    place = {label: number for number, label in enumerate(labels)}
    first = len(tags)
    single = np.zeros((len(labels), len(labels)))
    several = np.zeros(len(labels))  # p(two or more children)
    states: dict[tuple[str, ...], int] = {}
    rules: defaultdict[tuple[int, int, int], float] = defaultdict(float)  # left-hand side, first child, state

    def state(rest: tuple[str, ...]) -> int:
        return states.setdefault(rest, len(states))

    for symbol, alternatives in nodes.items():
        for probability, body in alternatives:
            if len(body) == 1:
                single[place[symbol], place[body[0]]] += probability
            else:
                several[place[symbol]] += probability
                rules[place[symbol], place[body[0]], state(body[1:])] += probability
    waiting = list(states)
    lasts = []
    while waiting:
        rest = waiting.pop()
        if len(rest) == 1:
            lasts.append((states[rest], place[rest[0]]))
        else:
            if rest[1:] not in states:
                waiting.append(rest[1:])
            rules[len(labels) + states[rest], place[rest[0]], state(rest[1:])] = 1.0
    chains = _chains(single, several, first)
    pairs = sorted({(child, after) for _, child, after in rules})
    pair_at = {pair: number for number, pair in enumerate(pairs)}
    ruled = sorted((pair_at[child, after], left, p) for (left, child, after), p in rules.items())
    shares = [p / several[left] if left < len(labels) else p for _, left, p in ruled]
    lasts.sort(key=lambda last: last[1])
    return PCFGGrammar(
        labels, [""] * len(labels), first, place[START], len(states),
        _column(top for _, top, _, _ in chains), _column(bottom for bottom, _, _, _ in chains),
        np.log([p for _, _, p, _ in chains]), [path for _, _, _, path in chains],
        _column(child for child, _ in pairs), _column(after for _, after in pairs),
        _column(left for _, left, _ in ruled), _column(pair for pair, _, _ in ruled), np.log(shares),
        _column(number for number, _ in lasts), _column(symbol for _, symbol in lasts), np.zeros(len(lasts)),
    )  # fmt: skip


def _chains(single: Floats, several: Floats, first: int) -> list[tuple[int, int, float, tuple[int, ...]]]:
    """Bottom, top, probability and the likeliest path, by bottoms. A path shows in trees; the sum is of all paths."""
    size = len(single)
    below = np.linalg.inv(np.eye(size) - single) * np.where(np.arange(size) < first, 1.0, several)
    chains = []
    for top in range(first, size):
        paths = _likeliest(single, top)
        chains += [(int(bottom), top, below[top, bottom], paths[int(bottom)]) for bottom in np.flatnonzero(below[top])]
    return sorted(chains)


def _likeliest(single: Floats, top: int) -> dict[int, tuple[int, ...]]:
    """The likeliest way down from a symbol to each that it leads to (Dijkstra)."""
    paths: dict[int, tuple[int, ...]] = {}
    waiting: list[tuple[float, int, tuple[int, ...]]] = [(-1.0, top, ())]
    while waiting:
        negative, symbol, path = heappop(waiting)
        if symbol not in paths:
            paths[symbol] = path
            for child in np.flatnonzero(single[symbol]).tolist():
                heappush(waiting, (negative * float(single[symbol, child]), child, (*path, child)))
    return paths


def _column(values: Iterable[int]) -> Integers:
    return np.fromiter(values, np.int32)
