"""Slow oracles of prefix probabilities, straight from the rules of a text grammar: no closure and no matrix.

`all_sentences` writes down every sentence of a grammar that has finitely many. `conditionals` sums over all trees of a
growing height, until higher ones add nothing: with recursion and circles of single names too.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from gardenpath.suites.generate.text import START, TextGrammar

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
