"""How a phrase tree is encoded: the mother of the top, labels that say nothing, and sets of tokens as bits."""

from __future__ import annotations

ROOT = -1
"""The mother of whatever hangs at no other node: the virtual root of NEGRA and TIGER, which is not a node itself."""
NO_FUNCTION = frozenset({"", "-", "--"})
"""Signs for "no function": none is written, TüBa-D/Z's non-head, and the empty edge of export files."""


def positions(mask: int) -> tuple[int, ...]:
    """The bits that are set, from the lowest."""
    places = []
    while mask:
        low = mask & -mask
        places.append(low.bit_length() - 1)
        mask ^= low
    return tuple(places)


def stretches(mask: int) -> list[tuple[int, int]]:
    """Tokens as (first, last) of those that stand side by side."""
    spans: list[list[int]] = []
    for token in positions(mask):
        if spans and spans[-1][1] == token - 1:
            spans[-1][1] = token
        else:
            spans.append([token, token])
    return [(first, last) for first, last in spans]
