"""The slow oracle: all derivations of a sentence by plain enumeration, straight from the definition of the grammar."""

from __future__ import annotations

from functools import cache

from gardenpath.systems.pcfg.grammar import Floats, PCFGGrammar

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
