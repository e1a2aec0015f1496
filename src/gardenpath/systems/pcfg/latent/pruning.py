"""Coarse to fine: what the unsplit grammar finds far worse than its best tree is not looked at again, in Numba.

Import this module only where a sentence is parsed: Numba takes its time.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

NONE = -np.inf


@njit(cache=True)  # type: ignore[untyped-decorator]
def index_states(size: int, end: int, cells: Any, state_symbols: Any, column: Any) -> None:
    """Which entry each state has over the spans that end here: `column` is begins × states, -1 where there is none."""
    column[:end] = -1
    for begin in range(end):
        cell = cells[begin * (size + 1) + end]
        for entry in range(cell[4], cell[5]):
            column[begin, state_symbols[entry]] = entry


@njit(cache=True)  # type: ignore[untyped-decorator]
def outside_scores(
    size: int, root: int, symbols: int, states: int, width: float, cells: Any,
    whole_symbols: Any, whole_scores: Any, bare_symbols: Any, bare_scores: Any, state_symbols: Any, state_scores: Any,
    chain_starts: Any, chain_top: Any, chain_score: Any, pair_starts: Any, pair_right: Any,
    left_starts: Any, left_rows: Any, rule_pair: Any, rule_score: Any,
    last_starts: Any, last_state: Any, last_score: Any,
) -> Any:  # fmt: skip
    """The score of the best tree around each entry of a chart (see `chart.fill`): of whole symbols, bare ones, states.

    Only what is within `width` of the best tree passes its score on. Ends go down and begins up, so that everything
    an entry can be part of comes before it:
        whole(a) = max over last children of state(s) + p,     and, as a left child, of up(a, s) + inside of s
        bare(b)  = max over chains of whole(t) + p
        state(s) = max, as a right child, of up(a, s) + inside of a
        up(a, s) = max over rules x -> a s over the span of outside(x) + p
    """
    whole = np.full(len(whole_scores), NONE)
    bare = np.full(len(bare_scores), NONE)
    state = np.full(len(state_scores), NONE)
    top = cells[size]
    best = NONE
    for entry in range(top[0], top[1]):
        if whole_symbols[entry] == root:
            whole[entry] = 0.0
            best = whole_scores[entry]
    least = best - width
    column = np.full((size + 1, states), -1, np.int64)
    whole_at = np.full(symbols, -1, np.int64)
    up = np.full(len(pair_right), NONE)
    for end in range(size, 0, -1):
        index_states(size, end, cells, state_symbols, column)
        for begin in range(end):
            cell = cells[begin * (size + 1) + end]
            whole_at[:] = -1
            for entry in range(cell[0], cell[1]):
                whole_at[whole_symbols[entry]] = entry
                for last in range(last_starts[whole_symbols[entry]], last_starts[whole_symbols[entry] + 1]):
                    above = column[begin, last_state[last]]
                    if above >= 0 and state[above] + last_score[last] > whole[entry]:
                        whole[entry] = state[above] + last_score[last]
            for entry in range(cell[2], cell[3]):
                for chain in range(chain_starts[bare_symbols[entry]], chain_starts[bare_symbols[entry] + 1]):
                    above = whole_at[chain_top[chain]]
                    if above >= 0 and whole[above] + chain_score[chain] > bare[entry]:
                        bare[entry] = whole[above] + chain_score[chain]
            up[:] = NONE
            any_up = False
            for layer in range(2):
                for entry in range(cell[2 + 2 * layer], cell[3 + 2 * layer]):
                    score = bare[entry] if layer == 0 else state[entry]
                    inner = bare_scores[entry] if layer == 0 else state_scores[entry]
                    if score + inner < least:
                        continue
                    left = bare_symbols[entry] if layer == 0 else symbols + state_symbols[entry]
                    for at in range(left_starts[left], left_starts[left + 1]):
                        rule = left_rows[at]
                        any_up = True
                        if score + rule_score[rule] > up[rule_pair[rule]]:
                            up[rule_pair[rule]] = score + rule_score[rule]
            if not any_up:
                continue
            for middle in range(begin + 1, end):
                below = cells[begin * (size + 1) + middle]
                for entry in range(below[0], below[1]):
                    symbol = whole_symbols[entry]
                    for pair in range(pair_starts[symbol], pair_starts[symbol + 1]):
                        right = column[middle, pair_right[pair]]
                        if right >= 0 and up[pair] > NONE:
                            if up[pair] + state_scores[right] > whole[entry]:
                                whole[entry] = up[pair] + state_scores[right]
                            if up[pair] + whole_scores[entry] > state[right]:
                                state[right] = up[pair] + whole_scores[entry]
    return whole, bare, state, least


@njit(cache=True)  # type: ignore[untyped-decorator]
def pruned(size: int, cells: Any, symbols: Any, inside: Any, outside: Any, least: float, at: int, into: Any) -> Any:
    """The symbols of one layer that are within reach; the stretches of `into` say where they stand."""
    kept = np.empty(len(inside), np.int32)
    used = 0
    for end in range(1, size + 1):
        for begin in range(end - 1, -1, -1):
            cell = begin * (size + 1) + end
            into[cell, at] = used
            for entry in range(cells[cell, at], cells[cell, at + 1]):
                if inside[entry] + outside[entry] >= least:
                    kept[used] = symbols[entry]
                    used += 1
            into[cell, at + 1] = used
    return kept[:used].copy()
