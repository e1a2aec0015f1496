"""The chart of a split grammar over what the unsplit one has left, in Numba: the probabilities below each entry.

Import this module only where a sentence is parsed: Numba takes its time. An entry of the chart is a symbol (with its
chain, or without it) or a state over a span, with a vector of its subsymbols; `starts` say where each vector begins.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from .pruning import index_states


@njit(cache=True)  # type: ignore[untyped-decorator]
def value_starts(symbols: Any, sizes: Any, shift: int) -> Any:
    starts = np.zeros(len(symbols) + 1, np.int64)
    for entry in range(len(symbols)):
        starts[entry + 1] = starts[entry] + sizes[shift + symbols[entry]]
    return starts


@njit(cache=True)  # type: ignore[untyped-decorator]
def inside_values(
    size: int, symbols: int, states: int, preterminals: int, sizes: Any, emissions: Any, emission_at: Any, cells: Any,
    whole_symbols: Any, whole_starts: Any, bare_symbols: Any, bare_starts: Any, state_symbols: Any, state_starts: Any,
    chain_starts: Any, chain_top: Any, pair_starts: Any, pair_right: Any, pair_at: Any,
    rule_starts: Any, rule_left: Any, last_starts: Any, last_state: Any, values: Any, tensor_at: Any, first_rule: int,
    first_last: int,
) -> Any:  # fmt: skip
    """Probabilities below each entry, of each subsymbol.

    sizes      [symbols + states]     subsymbols
    emissions  [size, subtags]        p(word | subtag), scaled; those of a preterminal begin at its `emission_at`
    pair_at    [pairs + 1]            where the matrix of a pair (left child j, state k) begins among all
    values     tensors of chains, rules, last children, from `tensor_at` on

        pair[j, k]  = sum over middles of whole[begin, middle][j] * state[middle, end][k]
        x[i]        = sum over rules x -> pair of values[i, j, k] * pair[j, k]
        whole[i]    = sum over chains of values[i, j] * bare[j]
        state[i]   += sum over last children of values[i, j] * whole[j]
    """
    whole, bare, state = np.zeros(whole_starts[-1]), np.zeros(bare_starts[-1]), np.zeros(state_starts[-1])
    pairs = np.zeros(pair_at[-1])
    seen = np.zeros(len(pair_right), np.bool_)
    touched = np.empty(len(pair_right), np.int32)
    column = np.full((size + 1, states), -1, np.int64)
    whole_at = np.full(symbols, -1, np.int64)
    left_at = np.full(symbols, -1, np.int64)
    for end in range(1, size + 1):
        index_states(size, end, cells, state_symbols, column)
        for begin in range(end - 1, -1, -1):
            cell = cells[begin * (size + 1) + end]
            whole_at[:] = -1
            for entry in range(cell[0], cell[1]):
                whole_at[whole_symbols[entry]] = entry
            left_at[:] = -1
            for entry in range(cell[2], cell[3]):
                left_at[bare_symbols[entry]] = entry
            count = 0
            for middle in range(begin + 1, end):
                below = cells[begin * (size + 1) + middle]
                for entry in range(below[0], below[1]):
                    symbol = whole_symbols[entry]
                    for pair in range(pair_starts[symbol], pair_starts[symbol + 1]):
                        right = column[middle, pair_right[pair]]
                        if right < 0:
                            continue
                        if not seen[pair]:
                            seen[pair] = True
                            touched[count] = pair
                            count += 1
                        place = pair_at[pair]
                        for j in range(whole_starts[entry], whole_starts[entry + 1]):
                            for k in range(state_starts[right], state_starts[right + 1]):
                                pairs[place] += whole[j] * state[k]
                                place += 1
            for number in range(count):
                pair = touched[number]
                width = pair_at[pair + 1] - pair_at[pair]
                for rule in range(rule_starts[pair], rule_starts[pair + 1]):
                    left = rule_left[rule]
                    value = tensor_at[first_rule + rule]
                    if left < symbols:
                        if left_at[left] < 0:
                            continue
                        at = bare_starts[left_at[left]]
                        for i in range(sizes[left]):
                            total = 0.0
                            for place in range(width):
                                total += values[value + place] * pairs[pair_at[pair] + place]
                            value += width
                            bare[at + i] += total
                    else:
                        if column[begin, left - symbols] < 0:
                            continue
                        at = state_starts[column[begin, left - symbols]]
                        for i in range(sizes[left]):
                            total = 0.0
                            for place in range(width):
                                total += values[value + place] * pairs[pair_at[pair] + place]
                            value += width
                            state[at + i] += total
            for number in range(count):
                pair = touched[number]
                seen[pair] = False
                pairs[pair_at[pair] : pair_at[pair + 1]] = 0.0
            if begin == end - 1:
                for entry in range(cell[2], cell[3]):
                    if bare_symbols[entry] < preterminals:
                        for i in range(sizes[bare_symbols[entry]]):
                            bare[bare_starts[entry] + i] = emissions[begin, emission_at[bare_symbols[entry]] + i]
                for entry in range(cell[0], cell[1]):
                    if whole_symbols[entry] < preterminals:
                        for i in range(sizes[whole_symbols[entry]]):
                            whole[whole_starts[entry] + i] = emissions[begin, emission_at[whole_symbols[entry]] + i]
            for entry in range(cell[2], cell[3]):
                symbol = bare_symbols[entry]
                for chain in range(chain_starts[symbol], chain_starts[symbol + 1]):
                    above = whole_at[chain_top[chain]]
                    if above >= 0:
                        value = tensor_at[chain]
                        for i in range(whole_starts[above], whole_starts[above + 1]):
                            for j in range(bare_starts[entry], bare_starts[entry + 1]):
                                whole[i] += values[value] * bare[j]
                                value += 1
            for entry in range(cell[0], cell[1]):
                symbol = whole_symbols[entry]
                for last in range(last_starts[symbol], last_starts[symbol + 1]):
                    above = column[begin, last_state[last]]
                    if above >= 0:
                        value = tensor_at[first_last + last]
                        for i in range(state_starts[above], state_starts[above + 1]):
                            for j in range(whole_starts[entry], whole_starts[entry + 1]):
                                state[i] += values[value] * whole[j]
                                value += 1
    return whole, bare, state
