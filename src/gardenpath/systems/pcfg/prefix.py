"""One column of a prefix chart in Numba: what ends at a place, and what is expected after it.

Import this module only where a sentence is scored: Numba takes its time.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from .chart import grown


@njit(cache=True)  # type: ignore[untyped-decorator]
def add_column(
    end: int, emissions: Any, forward: Any, awaited: Any, expected: Any, cells: Any, symbols: Any, values: Any,
    chain_starts: Any, chain_top: Any, chain_p: Any, pair_starts: Any, pair_right: Any,
    rule_starts: Any, rule_left: Any, rule_p: Any, last_starts: Any, last_state: Any, last_p: Any,
) -> Any:  # fmt: skip
    """Adds all spans that end at `end` to the lists, and returns these and the forward mass of each state there.

    emissions  [preterminals]                p(word | preterminal) of the word before `end`, scaled
    forward    [places, symbols + states]    forward mass: bare symbols, then states; row b is known for all b < end
    awaited    [places, symbols]             forward mass of symbols with the chain below them
    expected   [places, pairs]               sum over rules x -> left state of forward[x] p(rule)
    cells      [places, places, 2]           stretches of the lists: what stands over a span, with its chain

    Inside, for what is expected at `begin` alone (the rest could never count):
        pair(a, s)  = sum over middles of whole[begin, middle, a] * state[middle, end, s]
        bare(b)     = sum over rules b -> a s of p * pair(a, s)          (or the emission)
        whole(t)    = sum over chains t -> b of p * bare(b)
        state(s)    = sum over rules s -> a s' of p * pair(a, s')  +  sum over last children of p * whole(a)
    Forward:
        state s at `end` = sum over begins and a of whole[begin, end, a] * expected[begin, (a, s)]
    """
    names = awaited.shape[1]
    preterminals = len(emissions)
    column = np.zeros((end, forward.shape[1] - names))  # states over begin..end
    bare = np.empty(forward.shape[1])  # symbols without a chain, then states, of one span
    whole = np.empty(names)
    sums = np.zeros(len(pair_right))
    touched = np.empty(len(pair_right), np.int32)
    following = np.zeros(forward.shape[1] - names)
    used = 0 if end == 1 else cells[0, end - 1, 1]
    for begin in range(end - 1, -1, -1):
        bare[:] = 0.0
        whole[:] = 0.0
        count = 0
        for middle in range(begin + 1, end):
            right = column[middle]
            for entry in range(cells[begin, middle, 0], cells[begin, middle, 1]):
                symbol = symbols[entry]
                for pair in range(pair_starts[symbol], pair_starts[symbol + 1]):
                    product = values[entry] * right[pair_right[pair]]
                    if product > 0.0:
                        if sums[pair] == 0.0:
                            touched[count] = pair
                            count += 1
                        sums[pair] += product
        for number in range(count):
            pair = touched[number]
            for rule in range(rule_starts[pair], rule_starts[pair + 1]):
                if forward[begin, rule_left[rule]] > 0.0:
                    bare[rule_left[rule]] += sums[pair] * rule_p[rule]
            sums[pair] = 0.0
        if begin == end - 1:
            for symbol in range(preterminals):
                bare[symbol] = emissions[symbol]
                if awaited[begin, symbol] > 0.0:
                    whole[symbol] = emissions[symbol]
        for symbol in range(names):
            if bare[symbol] > 0.0:
                for chain in range(chain_starts[symbol], chain_starts[symbol + 1]):
                    if awaited[begin, chain_top[chain]] > 0.0:
                        whole[chain_top[chain]] += bare[symbol] * chain_p[chain]
        column[begin] = bare[names:]
        count = 0
        for symbol in range(names):
            if whole[symbol] > 0.0:
                count += 1
                for last in range(last_starts[symbol], last_starts[symbol + 1]):
                    if forward[begin, names + last_state[last]] > 0.0:
                        column[begin, last_state[last]] += whole[symbol] * last_p[last]
                for pair in range(pair_starts[symbol], pair_starts[symbol + 1]):
                    following[pair_right[pair]] += whole[symbol] * expected[begin, pair]
        symbols, values = grown(symbols, values, used, count)
        cells[begin, end, 0] = used
        for symbol in range(names):
            if whole[symbol] > 0.0:
                symbols[used], values[used] = symbol, whole[symbol]
                used += 1
        cells[begin, end, 1] = used
    return symbols, values, following
