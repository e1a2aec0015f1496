"""Parsing with a split grammar in Numba: pruning, inside probabilities, posterior probabilities of rules."""

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
                    entry = left_at[left] if left < symbols else column[begin, left - symbols]
                    if entry < 0:
                        continue
                    made, at = (bare, bare_starts[entry]) if left < symbols else (state, state_starts[entry])
                    for i in range(sizes[left]):
                        total = 0.0
                        for place in range(width):
                            total += values[value + place] * pairs[pair_at[pair] + place]
                        value += width
                        made[at + i] += total
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


CHAIN, RULE, LAST, WORD = 0, 1, 2, 3
LEAST = 1e-7
"""Rules less likely than this at a place are not tried there."""


@njit(  # type: ignore[untyped-decorator]
    "Tuple((i4[:, ::1], f8[::1]))(i4[:, ::1], f8[::1], i8, i8, i8, i8, i8, i8, f8)", cache=True
)
def _added(
    edges: Any, logs: Any, used: int, kind: int, rule: int, made: int, left: int, right: int, mass: float
) -> Any:
    """One more row; both arrays grow where they are full."""
    if used == len(edges):
        wider, longer = np.empty((2 * used, 5), np.int32), np.empty(2 * used)
        for row in range(used):
            for place in range(5):
                wider[row, place] = edges[row, place]
            longer[row] = logs[row]
        edges, logs = wider, longer
    edges[used, 0], edges[used, 1], edges[used, 2], edges[used, 3], edges[used, 4] = kind, rule, made, left, right
    logs[used] = np.log(mass)
    return edges, logs


@njit(cache=True)  # type: ignore[untyped-decorator]
def posteriors(
    size: int, root: int, symbols: int, states: int, preterminals: int, sizes: Any, cells: Any,
    whole_symbols: Any, whole_starts: Any, bare_symbols: Any, bare_starts: Any, state_symbols: Any, state_starts: Any,
    whole: Any, bare: Any, state: Any,
    chain_starts: Any, chain_top: Any, pair_starts: Any, pair_right: Any, pair_at: Any,
    left_starts: Any, left_rows: Any, rule_starts: Any, rule_left: Any, rule_pair: Any,
    last_starts: Any, last_state: Any, values: Any, tensor_at: Any, first_rule: int, first_last: int,
) -> Any:  # fmt: skip
    """The logarithm of the posterior probability of each rule at each place, summed over subsymbols, from the root on
    down; what makes an entry comes after all that the entry is part of.

    A row of `edges` is: kind, rule, the entry that is made, the entries it is made of (-1 where there is none).
    Entries are numbered: whole symbols, then bare ones, then states.

        posterior = sum over i, j, k of outside[i] * values[i, j, k] * left[j] * right[k] / p(sentence)
    """
    bare_from, state_from = len(whole_symbols), len(whole_symbols) + len(bare_symbols)
    whole_out, bare_out, state_out = np.zeros(len(whole)), np.zeros(len(bare)), np.zeros(len(state))
    edges, logs, used = np.empty((4096, 5), np.int32), np.empty(4096), 0
    all_p = 0.0
    for entry in range(cells[size, 0], cells[size, 1]):
        if whole_symbols[entry] == root:
            all_p = whole[whole_starts[entry]]
            whole_out[whole_starts[entry]] = 1.0 / all_p if all_p > 0 else 0.0
    if all_p <= 0.0:
        return edges[:0], logs[:0]
    column = np.full((size + 1, states), -1, np.int64)
    whole_at = np.full(symbols, -1, np.int64)
    ups = np.zeros(pair_at[-1])
    seen = np.zeros(len(pair_right), np.bool_)
    touched = np.empty(len(pair_right), np.int32)
    rule_up = np.full(len(rule_left), -1, np.int64)
    rule_made = np.full(len(rule_left), -1, np.int64)
    above_values = np.empty(1024)
    for end in range(size, 0, -1):
        index_states(size, end, cells, state_symbols, column)
        for begin in range(end):
            cell = cells[begin * (size + 1) + end]
            whole_at[:] = -1
            for entry in range(cell[0], cell[1]):
                symbol = whole_symbols[entry]
                whole_at[symbol] = entry
                for last in range(last_starts[symbol], last_starts[symbol + 1]):
                    above = column[begin, last_state[last]]
                    if above < 0:
                        continue
                    value = tensor_at[first_last + last]
                    mass = 0.0
                    for i in range(state_starts[above], state_starts[above + 1]):
                        for j in range(whole_starts[entry], whole_starts[entry + 1]):
                            part = state_out[i] * values[value]
                            whole_out[j] += part
                            mass += part * whole[j]
                            value += 1
                    if mass > LEAST:
                        edges, logs = _added(edges, logs, used, LAST, last, state_from + above, entry, -1, mass)
                        used += 1
            for entry in range(cell[2], cell[3]):
                symbol = bare_symbols[entry]
                for chain in range(chain_starts[symbol], chain_starts[symbol + 1]):
                    above = whole_at[chain_top[chain]]
                    if above < 0:
                        continue
                    value = tensor_at[chain]
                    mass = 0.0
                    for i in range(whole_starts[above], whole_starts[above + 1]):
                        for j in range(bare_starts[entry], bare_starts[entry + 1]):
                            part = whole_out[i] * values[value]
                            bare_out[j] += part
                            mass += part * bare[j]
                            value += 1
                    if mass > LEAST:
                        edges, logs = _added(edges, logs, used, CHAIN, chain, above, bare_from + entry, -1, mass)
                        used += 1
            if begin == end - 1:
                for layer in range(2):
                    for entry in range(cell[2 * layer], cell[2 * layer + 1]):
                        symbol = whole_symbols[entry] if layer == 0 else bare_symbols[entry]
                        if symbol >= preterminals:
                            continue
                        mass = 0.0
                        for i in range(sizes[symbol]):
                            if layer == 0:
                                mass += whole[whole_starts[entry] + i] * whole_out[whole_starts[entry] + i]
                            else:
                                mass += bare[bare_starts[entry] + i] * bare_out[bare_starts[entry] + i]
                        if mass > LEAST:
                            made = entry if layer == 0 else bare_from + entry
                            edges, logs = _added(edges, logs, used, WORD, symbol, made, -1, -1, mass)
                            used += 1
                continue
            count, room = 0, 0
            for layer in range(2):
                for entry in range(cell[2 + 2 * layer], cell[3 + 2 * layer]):
                    left = bare_symbols[entry] if layer == 0 else symbols + state_symbols[entry]
                    inner, outer = (bare, bare_out) if layer == 0 else (state, state_out)
                    at = bare_starts[entry] if layer == 0 else state_starts[entry]
                    mass = 0.0
                    for i in range(sizes[left]):
                        mass += inner[at + i] * outer[at + i]
                    if mass <= LEAST:
                        continue
                    for row in range(left_starts[left], left_starts[left + 1]):
                        rule = left_rows[row]
                        pair = rule_pair[rule]
                        width = pair_at[pair + 1] - pair_at[pair]
                        if room + width > len(above_values):
                            wider = np.empty(2 * (room + width))
                            for place in range(room):
                                wider[place] = above_values[place]
                            above_values = wider
                        above_values[room : room + width] = 0.0
                        value = tensor_at[first_rule + rule]
                        for i in range(sizes[left]):
                            out = outer[at + i]
                            for place in range(width):
                                above_values[room + place] += out * values[value + place]
                            value += width
                        if not seen[pair]:
                            seen[pair] = True
                            touched[count] = pair
                            count += 1
                        for place in range(width):
                            ups[pair_at[pair] + place] += above_values[room + place]
                        rule_up[rule] = room
                        rule_made[rule] = bare_from + entry if layer == 0 else state_from + entry
                        room += width
            if count == 0:
                continue
            for middle in range(begin + 1, end):
                below = cells[begin * (size + 1) + middle]
                for entry in range(below[0], below[1]):
                    symbol = whole_symbols[entry]
                    for pair in range(pair_starts[symbol], pair_starts[symbol + 1]):
                        right = column[middle, pair_right[pair]]
                        if right < 0 or not seen[pair]:
                            continue
                        place = pair_at[pair]
                        mass = 0.0
                        for j in range(whole_starts[entry], whole_starts[entry + 1]):
                            for k in range(state_starts[right], state_starts[right + 1]):
                                whole_out[j] += ups[place] * state[k]
                                state_out[k] += ups[place] * whole[j]
                                mass += ups[place] * whole[j] * state[k]
                                place += 1
                        if mass <= LEAST:
                            continue
                        for rule in range(rule_starts[pair], rule_starts[pair + 1]):
                            if rule_up[rule] < 0:
                                continue
                            place = rule_up[rule]
                            mass = 0.0
                            for j in range(whole_starts[entry], whole_starts[entry + 1]):
                                for k in range(state_starts[right], state_starts[right + 1]):
                                    mass += above_values[place] * whole[j] * state[k]
                                    place += 1
                            if mass > LEAST:
                                made, tail = rule_made[rule], state_from + right
                                edges, logs = _added(edges, logs, used, RULE, rule, made, entry, tail, mass)
                                used += 1
            for number in range(count):
                pair = touched[number]
                seen[pair] = False
                ups[pair_at[pair] : pair_at[pair + 1]] = 0.0
                for rule in range(rule_starts[pair], rule_starts[pair + 1]):
                    rule_up[rule] = -1
    return edges[:used], logs[:used]


@njit(cache=True)  # type: ignore[untyped-decorator]
def best_scores(entries: int, edges: Any, logs: Any) -> Any:
    """The best sum of logarithms that makes each entry; edges stand from the root on down."""
    best = np.full(entries, -np.inf)
    for edge in range(len(edges) - 1, -1, -1):
        score = logs[edge]
        if edges[edge, 3] >= 0:
            score += best[edges[edge, 3]]
        if edges[edge, 4] >= 0:
            score += best[edges[edge, 4]]
        if score > best[edges[edge, 2]]:
            best[edges[edge, 2]] = score
    return best
