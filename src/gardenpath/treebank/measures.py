"""What a treebank is like: sizes, trees, crossings, depth, displacement, morphology, tags and relations."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .displacement import Histogram, counted
from .index import MULTIWORD
from .morphology import Morphology, Variant, lemma_mask, morphological_complexity
from .tree import LONGEST, crossings, cyclic_mask, depths, possible_crossings, root_counts
from .treebank import Treebank

if TYPE_CHECKING:
    from ..runs.result import Finding

Ints = NDArray[Any]

_OF_WORDS = ("tokens", "multiword_tokens", "empty_nodes", "forms", "lemmas", "words_without_head")
_OF_TREES = ("edges", "depth_mean", "depth_max")
_OF_COMPARED = ("projective", "projective_share", "edges_compared", "crossings", "possible_crossings", "crossable")
_OF_EDGES = ("displacement_mean", "dependency_length_mean", "left_share", "right_share")
"""What each value was computed from; the others are counts of sentences, or of themselves."""


class Sizes(NamedTuple):
    """What there is, by number. Words are syntactic words; tokens are those of the surface."""

    sentences: int
    words: int
    tokens: int
    multiword_tokens: int
    empty_nodes: int
    forms: int
    lemmas: int
    """Different lemmas; `_` is none (but of the form `_`)."""
    length_mean: float
    length_median: float
    length_min: int
    length_max: int


class Wellformed(NamedTuple):
    """Sentences that are trees (one root, every word below it), and why others are none; two reasons may meet."""

    trees: int
    no_root: int
    several_roots: int
    cyclic: int
    words_without_head: int
    """Words with HEAD `_`, not sentences."""
    too_long: int
    """Trees of more than 5,000 words: left out where edges are compared with each other."""


class Shape(NamedTuple):
    """Measures of trees. None where no tree has what it is made from."""

    projective: int
    """Trees without a non-projective edge."""
    projective_share: float | None
    edges: int
    """Edges of trees; those of roots are none."""
    edges_compared: int
    """Those in trees of up to 5,000 words, where edges are compared with each other."""
    nonprojective_edges: int
    nonprojective_share: float | None
    crossings: int
    """C: pairs of edges that cross, in all trees."""
    possible_crossings: int
    """|Q|: pairs of edges that share no word, in all trees."""
    crossable: int
    """Trees with |Q| > 0."""
    crossing_ratio: float | None
    """C/|Q|, the mean over trees with |Q| > 0: where no two edges could cross, the ratio is not defined."""
    depth_mean: float | None
    """Edges from above the root word down to the deepest word: 1 for a tree of one word."""
    depth_max: int | None
    displacement_mean: float | None
    dependency_length_mean: float | None
    """Mean absolute displacement."""
    left_share: float | None
    """Edges whose word stands before its head."""
    right_share: float | None


@dataclass(frozen=True, slots=True, eq=False)
class Measures:
    """All that `measure` finds out about a treebank."""

    sizes: Sizes
    wellformed: Wellformed
    shape: Shape
    morphology: Morphology
    upos: dict[str, int]
    deprel: dict[str, int]
    displacement: Histogram
    """Of the edges of trees."""
    repairs: dict[str, int]

    @property
    def failures(self) -> dict[str, int]:
        """What could not be measured or was not as it should be."""
        bad = self.wellformed
        counted = {
            "not a tree": self.sizes.sentences - bad.trees,
            "no root": bad.no_root,
            "several roots": bad.several_roots,
            "cyclic": bad.cyclic,
            "words without head": bad.words_without_head,
            f"trees longer than {LONGEST} words": bad.too_long,
        }
        return counted | {f"repaired: {kind}": count for kind, count in self.repairs.items()}

    def values(self) -> Iterator[tuple[str, float | int | None, int]]:
        """(measure, value, n): n is the number of things that the value was computed from."""
        sizes, bad, shape = self.sizes, self.wellformed, self.shape
        measured = bad.trees - bad.too_long
        bases = {
            **dict.fromkeys(_OF_WORDS, sizes.words),
            **dict.fromkeys(_OF_TREES, bad.trees),
            **dict.fromkeys(_OF_COMPARED, measured),
            **dict.fromkeys(_OF_EDGES, shape.edges),
            "nonprojective_edges": shape.edges_compared,
            "nonprojective_share": shape.edges_compared,
            "crossing_ratio": shape.crossable,
        }
        for group in (sizes, bad, shape):
            for name in group._fields:
                yield name, getattr(group, name), bases.get(name, sizes.sentences)
        for name in (*Morphology._fields, "morphological_complexity"):
            yield name, getattr(self.morphology, name.removeprefix("morphological_")), sizes.words

    def findings(self, suite: str, *, tables: bool = True) -> list[Finding]:
        """In long form; with `tables` also tags, relations and displacements: their number and their share."""
        from ..runs.result import Finding

        findings = [Finding("treebank", suite, "", name, value, n) for name, value, n in self.values()]
        if not tables:
            return findings
        counts = self.displacement.counts.tolist()
        displaced = dict(zip(self.displacement.values.tolist(), counts, strict=True))
        for key, table in (("upos", self.upos), ("deprel", self.deprel), ("displacement", displaced)):
            total = self.shape.edges if key == "displacement" else self.sizes.words
            for group, count in table.items():
                by = {key: group}
                findings.append(Finding("treebank", suite, "", "count", count, total, by=by))
                findings.append(Finding("treebank", suite, "", "share", _share(count, total), total, by=by))
        findings.append(
            Finding(
                "treebank",
                suite,
                "",
                "count",
                self.displacement.outside,
                self.shape.edges,
                by={"displacement": "outside"},
            )
        )
        return findings


def measure(treebank: Treebank, variant: Variant = "text") -> Measures:
    """All measures of a treebank; only sentences that are trees enter measures of trees."""
    depth = depths(treebank.heads, treebank.offsets)
    wellformed, trees = _wellformed(treebank, depth)
    heads, ids, offsets = treebank.heads, treebank.ids, treebank.offsets
    if not trees.all():
        in_trees = np.repeat(trees, treebank.lengths)
        heads, ids, depth = heads[in_trees], ids[in_trees], depth[in_trees]
        offsets = np.concatenate([[0], np.cumsum(treebank.lengths[trees])])
    displaced = (ids - heads)[heads > 0]
    return Measures(
        _sizes(treebank),
        wellformed,
        _shape(heads, offsets, depth, displaced),
        morphological_complexity(treebank, variant),
        treebank.column("upos").counts(),
        treebank.column("deprel").counts(),
        counted(displaced),
        dict(treebank.repairs),
    )


def _sizes(treebank: Treebank) -> Sizes:
    index, lengths = treebank.index, treebank.lengths
    multiword = [row for row in index.seconds if index.kinds[row] == MULTIWORD]
    covered = sum(index.seconds[row] - int(index.numbers[row]) + 1 for row in multiword)
    words = treebank.word_count
    return Sizes(
        sentences=len(treebank),
        words=words,
        tokens=words - covered + len(multiword),
        multiword_tokens=len(multiword),
        empty_nodes=len(index.seconds) - len(multiword),
        forms=len(treebank.column("form").values),
        lemmas=int(np.count_nonzero(np.bincount(treebank.column("lemma").codes[lemma_mask(treebank)]))),
        length_mean=words / len(treebank),
        length_median=_median(lengths),
        length_min=int(lengths.min()),
        length_max=int(lengths.max()),
    )


def _wellformed(treebank: Treebank, depth: Ints) -> tuple[Wellformed, NDArray[np.bool_]]:
    heads, offsets = treebank.heads, treebank.offsets
    roots = root_counts(heads, offsets)
    trees = (roots == 1) & (np.minimum.reduceat(depth, offsets[:-1]) > 0)
    cyclic = 0 if trees.all() else int(cyclic_mask(heads, offsets).sum())
    wellformed = Wellformed(
        trees=int(trees.sum()),
        no_root=int((roots == 0).sum()),
        several_roots=int((roots > 1).sum()),
        cyclic=cyclic,
        words_without_head=int((heads < 0).sum()),
        too_long=int((trees & (treebank.lengths > LONGEST)).sum()),
    )
    return wellformed, trees


def _shape(heads: Ints, offsets: Ints, depth: Ints, displaced: Ints) -> Shape:
    crossed = crossings(heads, offsets)
    usable = ~crossed.too_long
    possible = possible_crossings(heads, offsets)[usable]
    pairs = crossed.pairs[usable]
    crossable = possible > 0
    sentences = len(offsets) - 1
    deepest = np.maximum.reduceat(depth, offsets[:-1]) if sentences else depth
    edges = len(displaced)
    compared = int(((heads > 0) & np.repeat(usable, np.diff(offsets))).sum())
    bent = np.bincount(np.repeat(np.arange(sentences), np.diff(offsets))[crossed.nonprojective], minlength=sentences)
    projective = int((bent[usable] == 0).sum())
    left = int((displaced < 0).sum())
    return Shape(
        projective=projective,
        projective_share=_share(projective, int(usable.sum())),
        edges=edges,
        edges_compared=compared,
        nonprojective_edges=int(crossed.nonprojective.sum()),
        nonprojective_share=_share(int(crossed.nonprojective.sum()), compared),
        crossings=int(pairs.sum()),
        possible_crossings=int(possible.sum()),
        crossable=int(crossable.sum()),
        crossing_ratio=_mean(pairs[crossable] / possible[crossable]),
        depth_mean=_mean(deepest),
        depth_max=int(deepest.max()) if sentences else None,
        displacement_mean=_mean(displaced),
        dependency_length_mean=_mean(np.abs(displaced)),
        left_share=_share(left, edges),
        right_share=_share(edges - left, edges),
    )


def _share(count: int, total: int) -> float | None:
    return count / total if total else None


def _mean(values: Ints) -> float | None:
    return float(values.mean()) if len(values) else None


def _median(values: Ints) -> float:
    """As np.median, which takes 10 ms to load what it needs."""
    ordered = np.sort(values)
    middle = len(ordered) // 2
    return float(ordered[middle]) if len(ordered) % 2 else float(ordered[middle - 1] + ordered[middle]) / 2


def describe(task: tuple[list[str], str, Variant], *, tables: bool = True) -> dict[str, Any]:
    """Findings and failures of some files, as one treebank with the name `suite`; plain values, for any process."""
    from .source import read

    files, suite, variant = task
    measures = measure(read(files), variant)
    findings = [finding.flat() for finding in measures.findings(suite, tables=tables)]
    return {"findings": findings, "failures": measures.failures}
