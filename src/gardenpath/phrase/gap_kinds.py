"""What a gap comes from: the part of a node that stands apart from its head, by its function and its side."""

from __future__ import annotations

from collections.abc import Sequence

from .heads import head_child
from .raising import marked_head
from .tree import NO_FUNCTION, Node


def gap_kind(node: Node, kept: int, scheme: str = "") -> str:
    """`NP: RC after` of a noun phrase whose relative clause is extraposed, `VP: OA before` where an object is fronted.

    Of several parts the one that is furthest from the head counts. Heads are those of the scheme; without one, the
    children whose function says so (HD), else what the longest stretch of words begins with. Only the tokens in
    `kept` (as bits) count; empty where there is no gap between them.
    """
    stretches = _stretches(node.mask & kept, kept)
    if len(stretches) < 2:
        return ""
    head = _head(node, stretches, scheme)
    at = next((number for number, stretch in enumerate(stretches) if head in stretch), 0)
    before, after = stretches[:at], stretches[at + 1 :]
    ends = [own[0][0] for own in (before,) if own] + [own[-1][-1] for own in (after,) if own]
    furthest = max(ends, key=lambda token: abs(token - head))
    part = node
    while part.mask >> head & 1:  # a gap may be that of a daughter
        part = next(child for child in part.children if child.mask >> furthest & 1)
    name = part.label if part.function in NO_FUNCTION else part.function
    return f"{node.label}: {name} {'before' if furthest < head else 'after'}"


def _stretches(mask: int, kept: int) -> list[list[int]]:
    """The tokens of a node, in stretches with no other kept token in between."""
    stretches: list[list[int]] = []
    apart = True
    for token in range(mask.bit_length()):
        if mask >> token & 1:
            if apart:
                stretches.append([])
            stretches[-1].append(token)
            apart = False
        elif kept >> token & 1:
            apart = True
    return stretches


def _head(node: Node, stretches: Sequence[Sequence[int]], scheme: str) -> int:
    """The token that heads the node; it counts, since it is in one of the stretches."""
    head: Node | None = node
    while head is not None and not head.is_token:
        head = head_child(head, scheme) if scheme else marked_head(head)
    if head is not None and any(head.number in stretch for stretch in stretches):
        return head.number
    return max(stretches, key=len)[0]
