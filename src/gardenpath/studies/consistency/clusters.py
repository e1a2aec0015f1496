"""Classes of equal trees in a batch, and how similar they are (Questions 4 and 5)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, pairwise

from ...treebank.fields import parse_feats
from ...treebank.kernels import TreeKernel, kernel_trees
from ...treebank.treebank import Treebank

COLUMNS = ("deprel", "upos", "feats")
"""With the heads, what makes a tree: forms and lemmas differ by design."""
FEATS = 5


class BatchTrees:
    """The gold and the parsed trees of a batch, in one treebank, so that all can be compared.

    Sentence 0 is the original, then come its variants. `parsed` has None where there is no tree. Where the values of a
    batch need different features (another gender), the features of that word are written as what they add to gold
    and what they lack: right is the same as right.
    """

    def __init__(self, gold: Sequence[bytes], parsed: Sequence[bytes | None]) -> None:
        golden = _joined(gold)
        shifting = _shifting(golden)
        there = [number for number, one in enumerate(parsed) if one is not None]
        self.places = {number: len(gold) + place for place, number in enumerate(there)}
        """Where the parsed tree of a sentence stands in `treebank`."""
        own = _joined([one for one in parsed if one is not None]) if there else None
        if shifting and own is not None:
            own = _relative(own, golden, there, shifting)
            golden = _relative(golden, golden, list(range(len(gold))), shifting)
        self.treebank = _joined(
            [*map(golden.block, range(len(golden))), *(map(own.block, range(len(own))) if own else ())]
        )

    def classes(self, order: str) -> list[int]:
        """A number for each tree; equal ones have the same.

        By position, equal means heads, DEPREL, UPOS and FEATS; in UDon2's order it is the equality of its trees.
        """
        if order != "surface":
            roots: list[int] = kernel_trees(self.treebank, order=order).roots.tolist()
            return roots
        parts = [self.treebank.heads, *(self.treebank.column(name).codes for name in COLUMNS)]
        offsets = self.treebank.offsets.tolist()
        seen: dict[tuple[bytes, ...], int] = {}
        return [
            seen.setdefault(tuple(part[begin:end].tobytes() for part in parts), len(seen))
            for begin, end in pairwise(offsets)
        ]

    def similarities(self, numbers: Sequence[int], order: str) -> list[float]:
        """NCPTK (GRCT, features as leaves, λ = μ = 1) of all pairs of these sentences' parsed trees."""
        if len(numbers) < 2:
            return []
        some = self.treebank[[self.places[number] for number in numbers]]
        matrix = TreeKernel().gram(kernel_trees(some, order=order)).normalised()
        return [float(matrix[a, b]) for a, b in combinations(range(len(numbers)), 2)]


def published_clusters(clusters: Sequence[Sequence[int]]) -> list[Sequence[int]]:
    """The clusters that the published script counts: trees that stand alone are lost, but if only one clique is
    there, all that is outside it counts as a second one.

    A cluster is a list of variants, repeated values repeated.
    """
    cliques = [cluster for cluster in clusters if len(cluster) > 1]
    rest = [number for cluster in clusters if len(cluster) == 1 for number in cluster]
    return [*cliques, rest] if len(cliques) == 1 and rest else cliques


def _joined(blocks: Sequence[bytes]) -> Treebank:
    return Treebank(b"".join(one.strip(b"\n") + b"\n\n" for one in blocks), name="batch")


def _shifting(gold: Treebank) -> set[int]:
    """The words (from 0) whose gold features are not the same in all sentences."""
    feats, offsets, length = gold.column("feats").codes, gold.offsets.tolist(), int(gold.lengths[0])
    first = feats[:length]
    return {
        int(word)
        for begin, end in pairwise(offsets)
        if end - begin == length
        for word in (feats[begin:end] != first).nonzero()[0]
    }


def _relative(trees: Treebank, gold: Treebank, numbers: Sequence[int], shifting: set[int]) -> Treebank:
    """The trees with the features of these words relative to gold; `numbers` says which sentence each tree is of."""
    blocks = []
    for sentence, number in zip(trees, numbers, strict=True):
        reference = [word["feats"] for word in gold[number].words]
        rows, at = [], -1
        same_words = len(sentence) == len(reference)
        for row in sentence.rows:
            at += row[0].isdecimal()
            if same_words and row[0].isdecimal() and at in shifting:
                row = [*row[:FEATS], _difference(row[FEATS], reference[at]), *row[FEATS + 1 :]]
            rows.append("\t".join(row))
        blocks.append(("\n".join(rows) + "\n\n").encode("utf-8"))
    return _joined(blocks)


def _difference(found: str, gold: str) -> str:
    """`Added=Gender:Fem|Lacks=Person:3`, or `_` where the features are those of gold."""
    mine, theirs = set(parse_feats(found).items()), set(parse_feats(gold).items())
    parts = [
        f"{sign}={','.join(f'{key}:{value}' for key, value in sorted(some))}"
        for sign, some in (("Added", mine - theirs), ("Lacks", theirs - mine))
        if some
    ]
    return "|".join(parts) or "_"
