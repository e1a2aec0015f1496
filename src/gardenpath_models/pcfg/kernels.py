"""Charts of a PCFG in Numba: CKY, and one column of a prefix chart.

Import this module only where a sentence is parsed: Numba takes its time. Arrays are copied in loops: to assign one
slice to another, Numba also compiles the message for two shapes that differ, which takes seconds. What is called with
numbers of several types has its types declared, so that it is compiled once."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

NONE = -np.inf


@njit("Tuple((i4[::1], f8[::1]))(i4[::1], f8[::1], i8, i8)", cache=True)  # type: ignore[untyped-decorator]
def grown(symbols: Any, scores: Any, used: int, more: int) -> Any:
    """The lists, with room for some more."""
    if used + more <= len(symbols):
        return symbols, scores
    size = max(2 * len(symbols), used + more)
    wider_symbols, wider_scores = np.empty(size, np.int32), np.empty(size, np.float64)
    for entry in range(used):
        wider_symbols[entry], wider_scores[entry] = symbols[entry], scores[entry]
    return wider_symbols, wider_scores


@njit(cache=True)  # type: ignore[untyped-decorator]
def _listed(row: Any, symbols: Any, scores: Any, used: int) -> Any:
    """Appends what is in a row, in the order of the symbols."""
    count = 0
    for symbol in range(len(row)):
        if row[symbol] > NONE:
            count += 1
    symbols, scores = grown(symbols, scores, used, count)
    for symbol in range(len(row)):
        if row[symbol] > NONE:
            symbols[used] = symbol
            scores[used] = row[symbol]
            used += 1
    return symbols, scores, used


@njit(cache=True)  # type: ignore[untyped-decorator]
def fill(
    emissions: Any, symbols: int, states: int, limit: int,
    chain_starts: Any, chain_top: Any, chain_score: Any, pair_starts: Any, pair_right: Any,
    rule_starts: Any, rule_left: Any, rule_score: Any, last_starts: Any, last_state: Any, last_score: Any,
) -> Any:  # fmt: skip
    """The chart of a sentence: per span (row `begin * (n + 1) + end` of `cells`) the stretches of three lists:
    symbols with the chain above them (left children), symbols before it, and states. Stops at `limit` entries.

    States of spans that end at the same place are kept in full rows while they are needed; no others are, as no
    state is a left child. The rules of a pair (left child, state) are tried once per span, not once per split.
    """
    size = len(emissions)
    preterminals = emissions.shape[1]
    cells = np.zeros(((size + 1) * (size + 1), 6), np.int64)
    whole_symbols, whole_scores, whole_used = np.empty(1024, np.int32), np.empty(1024, np.float64), 0
    bare_symbols, bare_scores, bare_used = np.empty(1024, np.int32), np.empty(1024, np.float64), 0
    state_symbols, state_scores, state_used = np.empty(4096, np.int32), np.empty(4096, np.float64), 0
    column = np.full((size + 1, symbols + states), NONE)
    best = np.full(len(pair_right), NONE)
    touched = np.empty(len(pair_right), np.int32)
    whole = np.empty(symbols)
    for end in range(1, size + 1):
        for begin in range(end - 1, -1, -1):
            column[begin, :] = NONE
            bare, rest = column[begin, :symbols], column[begin, symbols:]
            both = column[begin]
            whole[:] = NONE
            count = 0
            for middle in range(begin + 1, end):
                left = cells[begin * (size + 1) + middle]
                right = column[middle, symbols:]
                for entry in range(left[0], left[1]):
                    score = whole_scores[entry]
                    symbol = whole_symbols[entry]
                    for pair in range(pair_starts[symbol], pair_starts[symbol + 1]):
                        total = score + right[pair_right[pair]]
                        if total > best[pair]:
                            if best[pair] == NONE:
                                touched[count] = pair
                                count += 1
                            best[pair] = total
            for number in range(count):
                pair = touched[number]
                score = best[pair]
                best[pair] = NONE
                for rule in range(rule_starts[pair], rule_starts[pair + 1]):
                    total = score + rule_score[rule]
                    if total > both[rule_left[rule]]:
                        both[rule_left[rule]] = total
            if begin == end - 1:
                for symbol in range(preterminals):
                    bare[symbol] = emissions[begin, symbol]
                    whole[symbol] = emissions[begin, symbol]
            for symbol in range(symbols):
                score = bare[symbol]
                if score > NONE:
                    for chain in range(chain_starts[symbol], chain_starts[symbol + 1]):
                        total = score + chain_score[chain]
                        if total > whole[chain_top[chain]]:
                            whole[chain_top[chain]] = total
            for symbol in range(symbols):
                score = whole[symbol]
                if score > NONE:
                    for last in range(last_starts[symbol], last_starts[symbol + 1]):
                        total = score + last_score[last]
                        if total > rest[last_state[last]]:
                            rest[last_state[last]] = total
            cell = cells[begin * (size + 1) + end]
            cell[0], cell[2], cell[4] = whole_used, bare_used, state_used
            whole_symbols, whole_scores, whole_used = _listed(whole, whole_symbols, whole_scores, whole_used)
            bare_symbols, bare_scores, bare_used = _listed(bare, bare_symbols, bare_scores, bare_used)
            state_symbols, state_scores, state_used = _listed(rest, state_symbols, state_scores, state_used)
            cell[1], cell[3], cell[5] = whole_used, bare_used, state_used
            if whole_used + bare_used + state_used > limit:
                return False, cells, whole_symbols, whole_scores, bare_symbols, bare_scores, state_symbols, state_scores
    return True, cells, whole_symbols, whole_scores, bare_symbols, bare_scores, state_symbols, state_scores


@njit(cache=True)  # type: ignore[untyped-decorator]
def score_at(symbols: Any, scores: Any, begin: int, end: int, symbol: int) -> float:
    """The score of a symbol in a stretch of a list; -inf if it is not there."""
    while begin < end:
        middle = (begin + end) // 2
        if symbols[middle] < symbol:
            begin = middle + 1
        elif symbols[middle] > symbol:
            end = middle
        else:
            return float(scores[middle])
    return NONE


@njit(cache=True)  # type: ignore[untyped-decorator]
def splits(
    begin: int, end: int, size: int, target: int, cells: Any,
    whole_symbols: Any, whole_scores: Any, state_symbols: Any, state_scores: Any,
    rule_starts: Any, rule_rows: Any, rule_pair: Any, rule_score: Any, pair_left: Any, pair_right: Any,
) -> Any:  # fmt: skip
    """All ways to make a left-hand side over a span by a rule and a split: rules, middles, scores."""
    room = 64
    rules, middles, scores = np.empty(room, np.int32), np.empty(room, np.int32), np.empty(room, np.float64)
    count = 0
    for at in range(rule_starts[target], rule_starts[target + 1]):
        rule = rule_rows[at]
        pair = rule_pair[rule]
        for middle in range(begin + 1, end):
            left = cells[begin * (size + 1) + middle]
            first = score_at(whole_symbols, whole_scores, left[0], left[1], pair_left[pair])
            if first == NONE:
                continue
            right = cells[middle * (size + 1) + end]
            second = score_at(state_symbols, state_scores, right[4], right[5], pair_right[pair])
            if second == NONE:
                continue
            if count == room:
                room *= 2
                rules, middles, scores = _doubled(rules, middles, scores)
            rules[count], middles[count] = rule, middle
            scores[count] = first + second + rule_score[rule]
            count += 1
    return rules[:count], middles[:count], scores[:count]


@njit(cache=True)  # type: ignore[untyped-decorator]
def _doubled(rules: Any, middles: Any, scores: Any) -> Any:
    size = 2 * len(rules)
    more_rules, more_middles, more_scores = np.empty(size, np.int32), np.empty(size, np.int32), np.empty(size)
    for place in range(len(rules)):
        more_rules[place], more_middles[place], more_scores[place] = rules[place], middles[place], scores[place]
    return more_rules, more_middles, more_scores


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
