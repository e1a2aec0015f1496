"""EM over trees whose subsymbols are not seen, in Numba: inside, outside, expected counts, and what merging loses.

Import this module only where a grammar is trained: Numba takes its time.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

LEAST = 1e-200


@njit(cache=True)  # type: ignore[untyped-decorator]
def vectors(production: Any, unit: Any, sizes: Any) -> Any:
    """Where the vector of each step begins, and the end of the last one."""
    starts = np.zeros(len(production) + 1, np.int64)
    for step in range(len(production)):
        starts[step + 1] = starts[step] + sizes[unit[production[step]]]
    return starts


@njit(cache=True)  # type: ignore[untyped-decorator]
def insides(
    production: Any, left: Any, right: Any, places: Any, unit: Any, sizes: Any, starts: Any, values: Any
) -> Any:
    """The inside vector of each step, scaled to a sum of 1, and the logarithm of what they were scaled by, in all.

    inside[i] = sum over j, k of values[i, j, k] * inside_left[j] * inside_right[k]
    """
    inside = np.zeros(places[-1])
    logs = 0.0
    for step in range(len(production)):
        rule = production[step]
        size = sizes[unit[rule]]
        at, value = places[step], starts[rule]
        total = 0.0
        for i in range(size):
            mass = 0.0
            if left[step] < 0:
                mass = values[value + i]
            else:
                first, last = places[left[step]], places[left[step] + 1]
                if right[step] < 0:
                    for j in range(first, last):
                        mass += values[value] * inside[j]
                        value += 1
                else:
                    second, end = places[right[step]], places[right[step] + 1]
                    for j in range(first, last):
                        part = 0.0
                        for k in range(second, end):
                            part += values[value] * inside[k]
                            value += 1
                        mass += part * inside[j]
            inside[at + i] = mass
            total += mass
        if total < LEAST:
            total = LEAST
        logs += np.log(total)
        for i in range(size):
            inside[at + i] /= total
    return inside, logs


@njit(cache=True)  # type: ignore[untyped-decorator]
def outsides(
    production: Any, left: Any, right: Any, ends: Any, places: Any, inside: Any,
    unit: Any, sizes: Any, starts: Any, values: Any,
) -> Any:  # fmt: skip
    """The outside vector of each step, scaled so that inside and outside multiply to 1, and expected counts.

    outside_left[j]  = sum over i, k of outside[i] * values[i, j, k] * inside_right[k]     (the same for the right)
    counts[i, j, k] += outside[i] * values[i, j, k] * inside_left[j] * inside_right[k], of all i, j, k together 1
    """
    outside = np.zeros(places[-1])
    counts = np.zeros(starts[-1])
    for tree in range(len(ends)):
        outside[places[ends[tree] - 1] : places[ends[tree]]] = 1.0
    for step in range(len(production) - 1, -1, -1):
        rule = production[step]
        size = sizes[unit[rule]]
        at, value = places[step], starts[rule]
        total = 0.0
        for i in range(size):
            total += outside[at + i] * inside[at + i]
        scale = 1.0 / max(total, LEAST)
        for i in range(size):
            outside[at + i] *= scale
        if left[step] < 0:
            for i in range(size):
                counts[value + i] += outside[at + i] * inside[at + i]
            continue
        first, last = places[left[step]], places[left[step] + 1]
        if right[step] < 0:
            mass = 0.0
            for i in range(size):
                for j in range(first, last):
                    part = outside[at + i] * values[value + i * (last - first) + j - first]
                    outside[j] += part
                    mass += part * inside[j]
            share = 1.0 / max(mass, LEAST)
            for i in range(size):
                for j in range(first, last):
                    counts[value] += outside[at + i] * values[value] * inside[j] * share
                    value += 1
            continue
        second, end = places[right[step]], places[right[step] + 1]
        mass = 0.0
        for i in range(size):
            above = outside[at + i]
            row = value + i * (last - first) * (end - second)
            for j in range(first, last):
                below = 0.0
                for k in range(second, end):
                    part = above * values[row]
                    below += part * inside[k]
                    outside[k] += part * inside[j]
                    row += 1
                outside[j] += below
                mass += below * inside[j]
        share = 1.0 / max(mass, LEAST)
        for i in range(size):
            above = outside[at + i] * share
            for j in range(first, last):
                for k in range(second, end):
                    counts[value] += above * values[value] * inside[j] * inside[k]
                    value += 1
    return outside, counts


@njit(cache=True)  # type: ignore[untyped-decorator]
def normalised(counts: Any, unit: Any, draw: Any, draws: int, sizes: Any, starts: Any, before: Any) -> Any:
    """Counts as probabilities: those of each subsymbol and draw sum to 1; a subsymbol without counts stays."""
    widest = 1
    for number in range(len(sizes)):
        widest = max(widest, sizes[number])
    totals = np.zeros((draws, widest))
    for rule in range(len(unit)):
        size = sizes[unit[rule]]
        width = (starts[rule + 1] - starts[rule]) // size
        for i in range(size):
            totals[draw[rule], i] += counts[starts[rule] + i * width : starts[rule] + (i + 1) * width].sum()
    values = np.empty(len(counts))
    for rule in range(len(unit)):
        size = sizes[unit[rule]]
        width = (starts[rule + 1] - starts[rule]) // size
        for i in range(size):
            total = totals[draw[rule], i]
            for place in range(starts[rule] + i * width, starts[rule] + (i + 1) * width):
                values[place] = counts[place] / total if total > LEAST else before[place]
    return values


@njit(cache=True)  # type: ignore[untyped-decorator]
def occupied(production: Any, unit: Any, counted: Any, places: Any, inside: Any, outside: Any, unit_starts: Any) -> Any:
    """How often each subsymbol of each unit stands in the trees, as far as `counted` says that a step counts."""
    shares = np.zeros(unit_starts[-1])
    for step in range(len(production)):
        if counted[step]:
            at = unit_starts[unit[production[step]]]
            for i in range(places[step + 1] - places[step]):
                shares[at + i] += inside[places[step] + i] * outside[places[step] + i]
    return shares


@njit(cache=True)  # type: ignore[untyped-decorator]
def losses(
    production: Any, unit: Any, counted: Any, places: Any, inside: Any, outside: Any, unit_starts: Any, shares: Any
) -> Any:
    """What the logarithm of the likelihood loses, about, where subsymbols 2i and 2i + 1 become one (Petrov et al. 2006,
    section 2.2): every step is looked at alone.

    merged = 1 - in_1 out_1 - in_2 out_2 + (p_1 in_1 + p_2 in_2) (out_1 + out_2)
    """
    loss = np.zeros(unit_starts[-1])  # of the pair, at the place of its first
    for step in range(len(production)):
        if not counted[step]:
            continue
        start = unit_starts[unit[production[step]]]
        for i in range(0, places[step + 1] - places[step] - 1, 2):
            total = shares[start + i] + shares[start + i + 1]
            first = shares[start + i] / total if total > 0 else 0.5
            at = places[step] + i
            apart = inside[at] * outside[at] + inside[at + 1] * outside[at + 1]
            together = (first * inside[at] + (1 - first) * inside[at + 1]) * (outside[at] + outside[at + 1])
            loss[start + i] -= np.log(max(1.0 - apart + together, LEAST))
    return loss


@njit(cache=True)  # type: ignore[untyped-decorator]
def regrouped(
    unit: Any, left: Any, right: Any, old_sizes: Any, old_starts: Any, values: Any,
    new_sizes: Any, new_starts: Any, unit_starts: Any, group: Any, weight: Any,
) -> Any:  # fmt: skip
    """The tensors with subsymbol s of a unit as subsymbol `group[s]`: the average by `weight` on the left-hand side,
    the sum on the right."""
    result = np.zeros(new_starts[-1])
    for rule in range(len(unit)):
        value = old_starts[rule]
        middle = old_sizes[left[rule]] if left[rule] >= 0 else 1
        last = old_sizes[right[rule]] if right[rule] >= 0 else 1
        new_middle = new_sizes[left[rule]] if left[rule] >= 0 else 1
        new_last = new_sizes[right[rule]] if right[rule] >= 0 else 1
        for i in range(old_sizes[unit[rule]]):
            i_at = unit_starts[unit[rule]] + i
            for j in range(middle):
                j_new = group[unit_starts[left[rule]] + j] if left[rule] >= 0 else 0
                for k in range(last):
                    k_new = group[unit_starts[right[rule]] + k] if right[rule] >= 0 else 0
                    place = new_starts[rule] + (group[i_at] * new_middle + j_new) * new_last + k_new
                    result[place] += weight[i_at] * values[value]
                    value += 1
    return result


@njit(cache=True)  # type: ignore[untyped-decorator]
def doubled(
    unit: Any, left: Any, right: Any, diagonal: Any, old_sizes: Any, old_starts: Any, values: Any,
    new_sizes: Any, new_starts: Any, noise: Any,
) -> Any:  # fmt: skip
    """The tensors with every subsymbol as two (where the new size is twice the old), each entry a little disturbed."""
    result = np.zeros(new_starts[-1])
    for rule in range(len(unit)):
        middle = old_sizes[left[rule]] if left[rule] >= 0 else 1
        last = old_sizes[right[rule]] if right[rule] >= 0 else 1
        new_middle = new_sizes[left[rule]] if left[rule] >= 0 else 1
        new_last = new_sizes[right[rule]] if right[rule] >= 0 else 1
        by_i = new_sizes[unit[rule]] // old_sizes[unit[rule]]
        by_j, by_k = new_middle // middle, new_last // last
        place = new_starts[rule]
        for i in range(new_sizes[unit[rule]]):
            for j in range(new_middle):
                for k in range(new_last):
                    if diagonal[rule]:
                        old = values[old_starts[rule] + (i // by_i) * middle + i // by_i] if i == j else 0.0
                    else:
                        old = values[old_starts[rule] + ((i // by_i) * middle + j // by_j) * last + k // by_k]
                        old *= noise[place] / (by_j * by_k)
                    result[place] = old
                    place += 1
    return result


@njit(cache=True)  # type: ignore[untyped-decorator]
def smoothed(unit: Any, diagonal: Any, sizes: Any, starts: Any, values: Any, share: Any) -> Any:
    """Each subsymbol with a part of the mean of all subsymbols of its unit; `share` is per production."""
    result = values.copy()
    for rule in range(len(unit)):
        size = sizes[unit[rule]]
        width = (starts[rule + 1] - starts[rule]) // size
        at = starts[rule]
        if diagonal[rule]:
            mean = 0.0
            for i in range(size):
                mean += values[at + i * width + i] / size
            for i in range(size):
                result[at + i * width + i] += share[rule] * (mean - values[at + i * width + i])
            continue
        for place in range(width):
            mean = 0.0
            for i in range(size):
                mean += values[at + i * width + place] / size
            for i in range(size):
                result[at + i * width + place] += share[rule] * (mean - values[at + i * width + place])
    return result
