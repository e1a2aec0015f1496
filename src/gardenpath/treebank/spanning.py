"""Maximum spanning trees: of all trees over the words of a sentence, the one whose arcs score most (Chu and Liu 1965;
Edmonds 1967; McDonald et al. 2005 for parsing)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Scores = NDArray[np.int64]


def spanning_tree(scores: Scores) -> list[int]:
    """The heads of the words 1 to n; exactly one of them is 0, the root.

    `scores[head, word]` is an integer; column 0 and the diagonal are not looked at.

    >>> spanning_tree(np.array([[0, 3, 2], [0, 0, 5], [0, 9, 0]]))
    [2, 0]
    """
    scores = np.array(scores, dtype=np.int64)
    # A tree needs one arc from the root: if each costs more than all the others can be worth, no second one is taken.
    scores[0] -= int(np.abs(scores).sum()) + 1
    return [int(head) for head in _arborescence(scores)[1:]]


def _arborescence(scores: Scores) -> NDArray[np.int64]:
    """The head of every node (0 has itself): the best for each alone, and where these make a cycle, the best way out.

    A cycle C becomes one node c. An arc from outside, h → d in C, breaks the cycle at d and so gains
    s(h, d) − s(head of d in C, d); an arc C → w is as good as the best from a node of C.
    """
    n = len(scores)
    own = scores.copy()
    np.fill_diagonal(own, np.iinfo(np.int64).min // 4)
    heads: NDArray[np.int64] = own.argmax(axis=0)
    heads[0] = 0
    cycle = _cycle(heads)
    if not cycle:
        return heads
    inside = np.zeros(n, dtype=bool)
    inside[cycle] = True
    rest, members = np.flatnonzero(~inside), np.array(cycle)
    gains = scores[np.ix_(rest, members)] - scores[heads[members], members]  # rest × members
    entered = gains.argmax(axis=1)  # of each node outside: where it would break the cycle
    left = scores[np.ix_(members, rest)].argmax(axis=0)  # of each node outside: from where it would be reached
    k = len(rest)
    smaller = np.zeros((k + 1, k + 1), dtype=np.int64)
    smaller[:k, :k] = scores[np.ix_(rest, rest)]
    smaller[:k, k] = gains.max(axis=1)
    smaller[k, :k] = scores[members[left], rest]
    chosen = _arborescence(smaller)
    result: NDArray[np.int64] = heads.copy()
    for place in range(1, k):
        result[rest[place]] = members[left[place]] if chosen[place] == k else rest[chosen[place]]
    outside = int(chosen[k])
    result[members[entered[outside]]] = rest[outside]
    return result


def _cycle(heads: NDArray[np.int64]) -> list[int]:
    """The nodes of a cycle that does not lead to 0; nothing where there is none."""
    seen = np.zeros(len(heads), dtype=np.int64)
    seen[0] = -1
    for start in range(1, len(heads)):
        node = start
        while seen[node] == 0:
            seen[node] = start
            node = int(heads[node])
        if seen[node] == start:
            cycle, at = [node], int(heads[node])
            while at != node:
                cycle.append(at)
                at = int(heads[at])
            return cycle
    return []
