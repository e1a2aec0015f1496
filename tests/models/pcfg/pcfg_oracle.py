"""All derivations of a sentence, and all sentences of a grammar with their probabilities, by brute force."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import cache

from gardenpath.suites.generation import START, TextGrammar
from gardenpath_models.pcfg.chart import Floats, PCFGGrammar

Drawn = tuple[float, str]
"""Score, and the tree as nested brackets of symbols and positions."""


MOST = 200_000
"""Partial derivations that are written down: a grammar with long chains has millions for four words."""


class TooMany(Exception):  # noqa: N818
    """More derivations than can be enumerated."""


def all_derivations(grammar: PCFGGrammar, emissions: Floats) -> list[Drawn]:
    """Every derivation of the root over the whole sentence, the best first."""
    size = len(emissions)
    left_over = MOST

    def add(found: list[Drawn], score: float, drawn: str) -> None:
        nonlocal left_over
        left_over -= 1
        if left_over < 0:
            raise TooMany
        found.append((score, drawn))

    @cache
    def whole(begin: int, end: int, symbol: int) -> list[Drawn]:
        if symbol < grammar.preterminals:
            return bare(begin, end, symbol)
        found: list[Drawn] = []
        for chain in range(len(grammar.chain_top)):
            if grammar.chain_top[chain] == symbol:
                path = "/".join(map(str, grammar.chain_paths[chain]))
                for score, below in bare(begin, end, int(grammar.chain_bottom[chain])):
                    add(found, score + grammar.chain_score[chain], f"({symbol} {path} {below})")
        return found

    @cache
    def bare(begin: int, end: int, symbol: int) -> list[Drawn]:
        if symbol < grammar.preterminals:
            score = emissions[begin, symbol]
            return [(score, f"{symbol}@{begin}")] if end == begin + 1 and score > float("-inf") else []
        return split(begin, end, symbol)

    @cache
    def state(begin: int, end: int, number: int) -> list[Drawn]:
        found = split(begin, end, grammar.symbols + number)
        for last in range(len(grammar.last_state)):
            if grammar.last_state[last] == number:
                for score, below in whole(begin, end, int(grammar.last_symbol[last])):
                    add(found, score + grammar.last_score[last], below)
        return found

    def split(begin: int, end: int, target: int) -> list[Drawn]:
        found: list[Drawn] = []
        for rule in range(len(grammar.rule_left)):
            if grammar.rule_left[rule] == target:
                pair = grammar.rule_pair[rule]
                for middle in range(begin + 1, end):
                    for first, left in whole(begin, middle, int(grammar.pair_left[pair])):
                        for second, right in state(middle, end, int(grammar.pair_right[pair])):
                            add(found, first + second + grammar.rule_score[rule], f"{left} {right}")
        return found

    return sorted(whole(0, size, grammar.root), key=lambda one: -one[0])


CLOSE = 1e-14


def alternatives(grammar: TextGrammar, symbol: str) -> list[tuple[float, tuple[str, ...]]]:
    sums = (0.0, *grammar.weights[symbol])
    return [((sums[at + 1] - sums[at]) / sums[-1], body) for at, body in enumerate(grammar.rules[symbol])]


def all_sentences(grammar: TextGrammar) -> dict[tuple[str, ...], float]:
    """Every sentence with its probability, of a grammar without recursion."""
    probabilities: dict[tuple[str, ...], float] = defaultdict(float)

    def expand(done: tuple[str, ...], rest: tuple[str, ...], mass: float) -> None:
        if not rest:
            probabilities[done] += mass
        elif rest[0] in grammar.rules:
            for share, body in alternatives(grammar, rest[0]):
                expand(done, (*body, *rest[1:]), mass * share)
        else:
            expand((*done, rest[0]), rest[1:], mass)

    expand((), (START,), 1.0)
    return probabilities


def conditionals(grammar: TextGrammar, words: Sequence[str]) -> tuple[list[float], float]:
    """p(word | the words before it) up to the first that cannot be; and p(end | all words)."""
    prefixes, shares = [1.0], []
    for size in range(1, len(words) + 1):
        begun, whole = _masses(grammar, words[:size])
        prefixes.append(begun)
        shares.append(begun / prefixes[-2])
        if not begun:
            return shares, 0.0
    return shares, whole / prefixes[-1]


def _masses(grammar: TextGrammar, words: Sequence[str]) -> tuple[float, float]:
    """p(a sentence begins with these words), p(it is these words)."""
    size = len(words)
    rules = {symbol: alternatives(grammar, symbol) for symbol in grammar.rules}
    inside: dict[tuple[str, int, int], float] = defaultdict(float)  # p(symbol makes words i..j)
    begun: dict[tuple[str, int], float] = defaultdict(float)  # p(it makes words i..size and perhaps more)

    def makes(body: tuple[str, ...], begin: int, end: int) -> float:
        first, rest = body[0], body[1:]
        if not rest:
            is_word = end == begin + 1 and words[begin] == first
            return inside[first, begin, end] if first in rules else float(is_word)
        splits = ((makes((first,), begin, middle), middle) for middle in range(begin + 1, end))
        return sum(left * makes(rest, middle, end) for left, middle in splits if left)

    def begins(body: tuple[str, ...], begin: int) -> float:
        first, rest = body[0], body[1:]
        is_last = begin == size - 1 and words[begin] == first
        total = begun[first, begin] if first in rules else float(is_last)
        if rest:
            splits = ((makes((first,), begin, middle), middle) for middle in range(begin + 1, size))
            total += sum(left * begins(rest, middle) for left, middle in splits if left)
        return total

    changed = 1.0
    while changed > CLOSE:
        changed = 0.0
        for begin in range(size - 1, -1, -1):
            for symbol, bodies in rules.items():
                for end in range(begin + 1, size + 1):
                    mass = sum(share * makes(body, begin, end) for share, body in bodies)
                    changed = max(changed, mass - inside[symbol, begin, end])
                    inside[symbol, begin, end] = mass
                mass = sum(share * begins(body, begin) for share, body in bodies)
                changed = max(changed, mass - begun[symbol, begin])
                begun[symbol, begin] = mass
    return begun[START, 0], inside[START, 0, size]
