"""What the scripts of the published study count as clusters (Q4), and which similarities they read (Q5).

One script computes the kernel of every pair of variants and fills the upper triangle of a matrix, rounded to four
decimals. The other looks for maximal cliques among the pairs that have 1 there, sorts them by size, and reads
`matrix[reference of one][reference of the other]`: where the smaller clique's reference is the later variant, that
is the lower triangle, which holds zeros.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from .clusters import Floats

DECIMALS = 4


def published_clusters(clusters: Sequence[Sequence[int]]) -> list[list[int]]:
    """The clusters that are counted, in the order in which they are read; a cluster is a list of variants.

    A tree that stands alone is in no pair and is lost; but if there is only one clique, all that is outside it counts
    as a second one. Cliques of one size come by their first variant.
    """
    cliques = sorted((sorted(some) for some in clusters if len(some) > 1), key=lambda some: (len(some), some[0]))
    alone = sorted(number for some in clusters if len(some) == 1 for number in some)
    return [*cliques, alone] if len(cliques) == 1 and alone else cliques


def published_reading(variants: Sequence[int], similarity: Floats) -> tuple[int, list[float]]:
    """The number of clusters of a batch, and the similarities that are read.

    `variants` has the class of each variant in the order of the batch, repeated values repeated, those without a
    tree left out; `similarity` is that of every two classes.
    """
    rounded = similarity.round(DECIMALS)
    members: dict[int, list[int]] = {}
    for number, own in enumerate(variants):
        alike = next(kind for kind in [*members, own] if kind == own or rounded[kind, own] == 1)
        members.setdefault(alike, []).append(number)
    clusters = published_clusters(list(members.values()))
    references = [_listed_first(cluster) for cluster in clusters]
    if len(clusters) == 2 and sum(len(some) > 1 for some in members.values()) == 1:  # the second is all the rest
        references[1] = next(iter(set(range(len(variants))) - set(clusters[0])))
    pairs = combinations(references, 2)
    return len(clusters), [float(rounded[variants[a], variants[b]]) if a < b else 0.0 for a, b in pairs]


def _listed_first(clique: Sequence[int]) -> int:
    """`list(clique)[0]` of a Python set, which is not always the smallest number.

    A set lists its numbers by their places in a table whose size depends on how the set was made: here it grows
    by one member at a time, as in the clique search of the script.
    """
    grown, rest = set[int]().union([clique[0]]), set(clique[1:])
    while rest:
        following = next(iter(rest.union(set())))
        grown = grown.union([following])
        rest = rest.intersection([number for number in clique if number != following])
    return next(iter(grown))
