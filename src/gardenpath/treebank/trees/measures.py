"""Measures of a treebank: sizes, trees, crossings, depth, displacement, tags, morphology; and of many treebanks."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, chain
from pathlib import Path
from typing import Any, Literal, NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError, unknown_name
from ...runs.result.result import Finding, Value
from ..format.columns import Groups, means, ratios, running, slices, sums
from ..format.index import MULTIWORD
from ..format.reading import is_archive, read_groups
from ..format.treebank import Treebank
from .displacement import LIMIT, Histogram, counted_between
from .tree import LONGEST, crossings, cyclic_mask, depths, parents, possible_crossings, root_counts

Variant = Literal["text", "script"]
VARIANTS: tuple[Variant, ...] = ("text", "script")

Ints = NDArray[Any]


class Morphology(NamedTuple):
    """Each from 0 (no morphological complexity) to 1; None where the treebank lacks what it is made from."""

    word_entropy: float
    """H*_word, Equation C.2."""
    type_token_ratio: float
    """TTR, Equation C.3."""
    form_to_lemma: float | None
    """F/L*, Equation C.5."""
    form_to_inflected_lemma: float | None
    """F/iL*, Equation C.7."""
    head_pos_entropy: float | None
    """HPE*, Equation C.11."""

    @property
    def complexity(self) -> float | None:
        """MC, Equation C.12: the mean of the five."""
        known = [value for value in self if value is not None]
        return sum(known) / 5 if len(known) == 5 else None


def morphological_complexity(treebank: Treebank, variant: Variant = "text") -> Morphology:
    """The five measures of a treebank."""
    return morphologies(Groups(treebank), variant)[0]


def morphologies(groups: Groups, variant: Variant = "text") -> list[Morphology]:
    """The five measures of each group of sentences."""
    if variant not in VARIANTS:
        raise unknown_name("variant", variant, VARIANTS)
    form = groups.strings("form")
    columns = (
        _word_entropies(groups),
        (form.kinds / np.diff(groups.word_borders)).tolist(),
        *_forms_per_lemma(groups, variant),
        _head_pos_entropies(groups, variant),
    )
    return [Morphology(*row) for row in zip(*columns, strict=True)]


def lemma_mask(treebank: Treebank) -> NDArray[np.bool_]:
    """Which words have a lemma: all but those with `_`, which is a lemma only of the form `_`."""
    form, lemma = treebank.column("form"), treebank.column("lemma")
    mask: NDArray[np.bool_] = (lemma.codes != lemma.code("_")) | (form.codes == form.code("_"))
    return mask


def _word_entropies(groups: Groups) -> list[float]:
    form = groups.strings("form")
    counts = np.bincount(form.codes, minlength=len(form.column_codes))
    share = counts / np.repeat(np.diff(groups.word_borders), form.kinds)
    most = np.log2(form.kinds).tolist()
    parts = slices(share * np.log2(share), form.borders)
    return [float(-np.add.reduce(part) / log) if log else 0.0 for part, log in zip(parts, most, strict=True)]


def _forms_per_lemma(groups: Groups, variant: Variant) -> tuple[list[float | None], list[float | None]]:
    form, lemma = groups.strings("form"), groups.strings("lemma")
    kept = np.ones(len(form.codes), dtype=bool) if variant == "script" else lemma_mask(groups.treebank)
    size = len(form.column_codes)
    pairs, _ = _distinct(lemma.codes[kept], form.codes[kept], size)
    forms = np.bincount(pairs // size, minlength=len(lemma.column_codes))
    lemmas, all_forms = sums(forms > 0, lemma.borders), sums(forms, lemma.borders)
    inflected, their_forms = (
        sums(forms > 1, lemma.borders), sums(np.where(forms > 1, forms, 0), lemma.borders)
    )  # fmt: skip
    every = [None if share is None else 1 - share for share in ratios(lemmas, all_forms)]
    # With no inflected lemma it is 0; with no lemma at all it is not defined.
    several = [
        None if whole is None else 0.0 if share is None else 1 - share
        for whole, share in zip(every, ratios(inflected, their_forms), strict=True)
    ]
    return every, several


def _head_pos_entropies(groups: Groups, variant: Variant) -> list[float | None]:
    treebank = groups.treebank
    upos, feats, heads = groups.strings("upos"), groups.strings("feats"), treebank.heads
    head_tags = upos.codes[parents(heads, treebank.offsets)]
    root = heads == 0
    if variant == "script":
        head_tags[root] = np.repeat(upos.codes[treebank.offsets[1:] - 1], treebank.lengths)[root]
    else:
        head_tags[root] = len(upos.column_codes)  # ROOT: a tag of its own
    headed = heads >= 0
    # A unit is a tag with its features; units of a group follow each other, as its codes do.
    units, unit_of_word = np.unique(
        upos.codes[headed].astype(np.int64) * len(feats.column_codes) + feats.codes[headed], return_inverse=True
    )
    unit_borders = np.searchsorted(units, upos.borders * len(feats.column_codes))
    tags = len(upos.column_codes) + 1
    pairs, counts = _distinct(unit_of_word, head_tags[headed], tags)
    unit = pairs // tags
    share = counts / np.bincount(unit, weights=counts)[unit]
    entropies = np.bincount(unit, weights=-share * np.log2(share))
    choices = np.bincount(unit) if variant == "text" else np.repeat(upos.kinds, np.diff(unit_borders))
    # With one tag to choose from there is no entropy, and no log2 to divide it by.
    normalised = np.divide(entropies, np.log2(choices), out=np.zeros(len(entropies)), where=choices > 1)
    entropy = means(normalised, unit_borders)
    tagged = _tagged(groups)
    return [None if mean is None or not known else 1 - mean for mean, known in zip(entropy, tagged, strict=True)]


def _tagged(groups: Groups) -> list[bool]:
    """Has any word of each group a part of speech?"""
    upos = groups.treebank.column("upos")
    counts: list[int] = sums(upos.codes != upos.code("_"), groups.word_borders).tolist()
    return [count > 0 for count in counts]


def _distinct(left: Ints, right: Ints, size: int) -> tuple[Ints, Ints]:
    """The different pairs, as left * size + right, and how often each occurs."""
    pairs, counts = np.unique(left.astype(np.int64) * size + right, return_counts=True)
    return pairs, counts


class Sizes(NamedTuple):
    """What there is, by number. Words are syntactic words; tokens are those of the surface."""

    sentences: int
    words: int
    tokens: int
    multiword_tokens: int
    empty_nodes: int
    forms: int
    lemmas: int | None
    """Different lemmas; `_` is none (but of the form `_`). None where no word has a lemma."""
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
        return zip(MEASURES, self.row, self.bases, strict=True)

    @property
    def row(self) -> tuple[float | int | None, ...]:
        """The values of all `MEASURES`."""
        return (*self.sizes, *self.wellformed, *self.shape, *self.morphology, self.morphology.complexity)

    @property
    def bases(self) -> list[int]:
        """What the value of each of the `MEASURES` was computed from, by number."""
        sizes, bad, shape = self.sizes, self.wellformed, self.shape
        numbers = {
            "sentences": sizes.sentences,
            "words": sizes.words,
            "trees": bad.trees,
            "compared trees": bad.trees - bad.too_long,
            "edges": shape.edges,
            "compared edges": shape.edges_compared,
            "crossable": shape.crossable,
        }
        return [numbers[base] for base in _BASES]


MEASURES = (
    *Sizes._fields, *Wellformed._fields, *Shape._fields, *Morphology._fields, "morphological_complexity",
)  # fmt: skip
"""The names of all measures that are one number."""
_BASE_OF = {
    **dict.fromkeys(("tokens", "multiword_tokens", "empty_nodes", "forms", "lemmas", "words_without_head"), "words"),
    **dict.fromkeys((*Morphology._fields, "morphological_complexity"), "words"),
    **dict.fromkeys(("edges", "depth_mean", "depth_max"), "trees"),
    **dict.fromkeys(("projective", "projective_share", "edges_compared"), "compared trees"),
    **dict.fromkeys(("crossings", "possible_crossings", "crossable"), "compared trees"),
    **dict.fromkeys(("displacement_mean", "dependency_length_mean", "left_share", "right_share"), "edges"),
    **dict.fromkeys(("nonprojective_edges", "nonprojective_share"), "compared edges"),
    "crossing_ratio": "crossable",
}
"""What each value was computed from; the others are counts of sentences, or of themselves."""
_BASES = [_BASE_OF.get(name, "sentences") for name in MEASURES]


def measure(treebank: Treebank, variant: Variant = "text") -> Measures:
    """All measures of a treebank; only sentences that are trees enter measures of trees."""
    return measure_groups(Groups(treebank), variant)[0]


def measure_groups(groups: Groups, variant: Variant = "text") -> list[Measures]:
    """All measures of each group of sentences: the same as of a treebank of that group alone."""
    treebank = groups.treebank
    depth = depths(treebank.heads, treebank.offsets)
    trees = (root_counts(treebank.heads, treebank.offsets) == 1) & (
        np.minimum.reduceat(depth, treebank.offsets[:-1]) > 0
    )
    forest = _Forest(groups, trees, depth)
    rows = zip(
        _sizes(groups),
        _wellformed(groups, trees),
        _shapes(forest),
        morphologies(groups, variant),
        [{} if set(tags) == {"_"} else tags for tags in groups.counts("upos")],
        groups.counts("deprel"),
        counted_between(forest.displaced, forest.edge_borders),
        map(dict, groups.repairs),
        strict=True,
    )
    return [Measures(*row) for row in rows]


def _sizes(groups: Groups) -> list[Sizes]:
    treebank, borders = groups.treebank, groups.borders
    index, lengths, words = treebank.index, treebank.lengths, np.diff(groups.word_borders)
    # Rows that are no words, in their order: multiword tokens, which cover words, and empty nodes.
    rows = np.fromiter(index.seconds, dtype=np.int64, count=len(index.seconds))
    ends = np.fromiter(index.seconds.values(), dtype=np.int64, count=len(index.seconds))
    multiword = index.kinds[rows] == MULTIWORD
    covered = np.where(multiword, ends - index.numbers[rows] + 1, 0)
    row_borders = np.searchsorted(rows, index.rows[borders])
    ranges = sums(multiword, row_borders)
    lemma = groups.strings("lemma")
    used = np.bincount(lemma.codes[lemma_mask(treebank)], minlength=len(lemma.column_codes)) > 0
    columns = (
        np.diff(borders),
        words,
        words - sums(covered, row_borders) + ranges,
        ranges,
        np.diff(row_borders) - ranges,
        groups.strings("form").kinds,
        sums(used, lemma.borders),
        words / np.diff(borders),
        _medians(lengths, borders),
        np.minimum.reduceat(lengths, borders[:-1]),
        np.maximum.reduceat(lengths, borders[:-1]),
    )
    sizes = [Sizes(*row) for row in zip(*(column.tolist() for column in columns), strict=True)]
    return [size._replace(lemmas=size.lemmas or None) for size in sizes]


def _wellformed(groups: Groups, trees: NDArray[np.bool_]) -> list[Wellformed]:
    treebank, borders = groups.treebank, groups.borders
    heads, offsets = treebank.heads, treebank.offsets
    roots = root_counts(heads, offsets)
    cyclic = np.zeros(len(trees), dtype=bool) if trees.all() else cyclic_mask(heads, offsets)
    columns = (
        sums(trees, borders),
        sums(roots == 0, borders),
        sums(roots > 1, borders),
        sums(cyclic, borders),
        sums(heads < 0, groups.word_borders),
        sums(trees & (treebank.lengths > LONGEST), borders),
    )
    return [Wellformed(*row) for row in zip(*(column.tolist() for column in columns), strict=True)]


class _Forest:
    """The sentences that are trees, and where those of each group begin."""

    def __init__(self, groups: Groups, trees: NDArray[np.bool_], depth: Ints) -> None:
        treebank = groups.treebank
        self.heads, self.offsets, self.depth, ids = treebank.heads, treebank.offsets, depth, treebank.ids
        if not trees.all():
            in_trees = np.repeat(trees, treebank.lengths)
            self.heads, self.depth, ids = self.heads[in_trees], depth[in_trees], ids[in_trees]
            self.offsets = running(treebank.lengths[trees])
        self.borders = running(trees)[groups.borders]
        self.word_borders = self.offsets[self.borders]
        edge = self.heads > 0
        self.displaced: Ints = (ids - self.heads)[edge]
        self.edge_borders = running(edge)[self.word_borders]


def _shapes(forest: _Forest) -> list[Shape]:
    heads, offsets, borders, displaced = forest.heads, forest.offsets, forest.borders, forest.displaced
    crossed = crossings(heads, offsets)
    usable = ~crossed.too_long
    possible = np.where(usable, possible_crossings(heads, offsets), 0)
    pairs = np.where(usable, crossed.pairs, 0)
    crossable = possible > 0
    deepest = np.maximum.reduceat(forest.depth, offsets[:-1]) if len(offsets) > 1 else forest.depth
    edges = np.diff(forest.edge_borders)
    compared = sums((heads > 0) & np.repeat(usable, np.diff(offsets)), forest.word_borders)
    straight = sums(usable & (sums(crossed.nonprojective, offsets) == 0), borders)
    bent = sums(crossed.nonprojective, forest.word_borders)
    left = sums(displaced < 0, forest.edge_borders)
    columns = (
        straight.tolist(),
        ratios(straight, sums(usable, borders)),
        edges.tolist(),
        compared.tolist(),
        bent.tolist(),
        ratios(bent, compared),
        sums(pairs, borders).tolist(),
        sums(possible, borders).tolist(),
        sums(crossable, borders).tolist(),
        means(pairs[crossable] / possible[crossable], running(crossable)[borders]),
        ratios(sums(deepest, borders), np.diff(borders)),
        [int(part.max()) if len(part) else None for part in slices(deepest, borders)],
        ratios(sums(displaced, forest.edge_borders), edges),
        ratios(sums(np.abs(displaced), forest.edge_borders), edges),
        ratios(left, edges),
        ratios(edges - left, edges),
    )
    return [Shape(*row) for row in zip(*columns, strict=True)]


def _medians(values: Ints, borders: Ints) -> Ints:
    """As np.median of each group, which takes 10 ms to load what it needs."""
    sizes = np.diff(borders)
    ordered = values[np.lexsort((values, np.repeat(np.arange(len(sizes)), sizes)))]
    medians: Ints = (ordered[borders[:-1] + (sizes - 1) // 2] + ordered[borders[:-1] + sizes // 2]) / 2
    return medians


BATCH_BYTES, BATCH_FILES = 1 << 20, 1000
"""Files are read together until they are that many; a larger one stands alone."""
_TABLES = ("upos", "deprel", "displacement", "length")
_TOTALS = {"displacement": "edges", "length": "sentences"}
"""Shares are of these, else of words."""

Task = tuple[list[str], str]
"""Files that are one treebank, and the name it goes by."""


def batches(tasks: Sequence[Task]) -> list[list[Task]]:
    """Tasks in their order, small files together; the same tasks always make the same batches."""
    parts: list[list[Task]] = []
    room = 0
    for task in tasks:
        size = sum(map(_size, task[0]))
        if size > room or len(parts[-1]) == BATCH_FILES:
            parts.append([])
            room = BATCH_BYTES
        parts[-1].append(task)
        room -= size
    return parts


def _size(path: str) -> int:
    """Bytes of a file; what is packed or comes from elsewhere stands alone."""
    if path == "-" or is_archive(path):
        return BATCH_BYTES + 1
    try:
        return Path(path).stat().st_size
    except OSError:  # whoever reads it says what is wrong
        return 0


def describe(
    tasks: Sequence[Task], variant: Variant = "text", measures: Sequence[str] = MEASURES, *, tables: bool = True
) -> dict[str, Any]:
    """What each of the treebanks is like, in plain values for any process: these measures, and with `tables` the
    counts of tags, relations, displacements and sentence lengths."""
    groups = read_groups([files for files, _ in tasks])
    measured = measure_groups(groups, variant)
    lengths = [length_counts(part.tolist()) for part in slices(groups.treebank.lengths, groups.borders)]
    places = [MEASURES.index(name) for name in measures]
    rows, bases = [of_file.row for of_file in measured], [of_file.bases for of_file in measured]
    failures: dict[str, int] = {}
    for of_file in measured:
        for kind, count in of_file.failures.items():
            failures[kind] = failures.get(kind, 0) + count
    return {
        "suites": [suite for _, suite in tasks],
        "values": {name: [row[place] for row in rows] for name, place in zip(measures, places, strict=True)},
        "n": {name: [row[place] for row in bases] for name, place in zip(measures, places, strict=True)},
        "tables": [_counts(of_file, own) for of_file, own in zip(measured, lengths, strict=True)] if tables else [],
        "failures": failures,
    }


def length_counts(lengths: Sequence[int]) -> dict[str, int]:
    """How many sentences have each length, from the shortest."""
    return {str(length): count for length, count in sorted(Counter(lengths).items())}


WORD_MEASURES = (
    "sentences", "words", "forms", "type_token_ratio", "length_mean", "length_median", "length_min", "length_max",
)  # fmt: skip
"""Measures that need no trees of words."""


def describe_words(tasks: Sequence[Task], read: Callable[[Sequence[str]], Iterable[Sequence[str]]]) -> dict[str, Any]:
    """`describe` for sentences of which only the words count; `read` yields those of some files."""
    rows, tables = list[tuple[float, ...]](), list[dict[str, Any]]()
    for files, name in tasks:
        words, lengths = Counter[str](), list[int]()
        for sentence in read(files):
            words.update(sentence)
            lengths.append(len(sentence))
        if not lengths:
            raise InputError("there is no sentence in it", where=name)
        count, kinds = sum(lengths), len(words)
        ends = min(lengths), max(lengths)
        rows.append((len(lengths), count, kinds, kinds / count, count / len(lengths), float(np.median(lengths)), *ends))
        of_trees: dict[str, Any] = {"upos": {}, "deprel": {}, "displacement": {}, "edges": 0}
        tables.append({**of_trees, "words": count, "sentences": len(lengths), "length": length_counts(lengths)})
    values = dict(zip(WORD_MEASURES, zip(*rows, strict=True), strict=True))
    of_words = [_BASE_OF.get(name, name) == "words" for name in WORD_MEASURES]
    bases = {name: values["words" if own else "sentences"] for name, own in zip(WORD_MEASURES, of_words, strict=True)}
    suites = [suite for _, suite in tasks]
    return {"suites": suites, "values": values, "n": bases, "tables": tables, "failures": {}}


def _counts(measures: Measures, lengths: Mapping[str, int]) -> dict[str, Any]:
    displacement = measures.displacement
    return {
        "length": lengths,
        "sentences": measures.sizes.sentences,
        "words": measures.sizes.words,
        "edges": measures.shape.edges,
        "upos": measures.upos,
        "deprel": measures.deprel,
        "displacement": displacement.counts.tolist(),
        "outside": displacement.outside,
    }


class Descriptions(Sequence[Finding]):
    """The findings of all treebanks of some batches, in long form: their measures, then number and share of each tag,
    relation, displacement and sentence length. Values are kept, findings are made when they are asked for."""

    def __init__(self, described: Iterable[Mapping[str, Any]]) -> None:
        self._batches = list(described)

    @cached_property
    def suites(self) -> list[str]:
        return [suite for batch in self._batches for suite in batch["suites"]]

    @property
    def measures(self) -> list[str]:
        return list(self._batches[0]["values"])

    @property
    def failures(self) -> dict[str, int]:
        """What could not be measured or was not as it should be, in all treebanks."""
        failures: dict[str, int] = {}
        for kind, count in chain.from_iterable(batch["failures"].items() for batch in self._batches):
            failures[kind] = failures.get(kind, 0) + count
        return failures

    def values(self, measure: str) -> list[Any]:
        """A measure of every treebank."""
        return [value for batch in self._batches for value in batch["values"][measure]]

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    def __iter__(self) -> Iterator[Finding]:
        return chain.from_iterable(map(_findings, *zip(*self._places, strict=True)) if self._places else ())

    @overload
    def __getitem__(self, which: int) -> Finding: ...
    @overload
    def __getitem__(self, which: slice) -> list[Finding]: ...
    def __getitem__(self, which: int | slice) -> Finding | list[Finding]:
        if isinstance(which, slice):
            return [self[number] for number in range(len(self))[which]]
        number = range(len(self))[which]
        suite = bisect_right(self._ends, number)
        before = self._ends[suite - 1] if suite else 0
        return list(_findings(*self._places[suite]))[number - before]

    @cached_property
    def _places(self) -> list[tuple[Mapping[str, Any], int]]:
        """The batch of every treebank and its place there."""
        return [(batch, place) for batch in self._batches for place in range(len(batch["suites"]))]

    @cached_property
    def _ends(self) -> list[int]:
        """How many findings there are up to each treebank."""
        return list(accumulate(_finding_count(batch, place) for batch, place in self._places))


def _finding_count(batch: Mapping[str, Any], place: int) -> int:
    """Each measure is one; each count of a table is two, with its share, and the edges outside are one more."""
    if not batch["tables"]:
        return len(batch["values"])
    tables = batch["tables"][place]
    return len(batch["values"]) + 2 * sum(len(tables[key]) for key in _TABLES) + bool(tables["displacement"])


def _findings(batch: Mapping[str, Any], place: int) -> Iterator[Finding]:
    suite = batch["suites"][place]
    for name, values in batch["values"].items():
        yield Finding("treebank", suite, "", name, values[place], batch["n"][name][place])
    if not batch["tables"]:
        return
    tables = batch["tables"][place]
    counted: dict[str, Mapping[Any, int]] = {key: tables[key] for key in _TABLES}
    displaced = tables["displacement"]
    counted["displacement"] = dict(zip(range(-LIMIT, LIMIT + 1), displaced, strict=True)) if displaced else {}
    counted["length"] = {int(length): count for length, count in tables["length"].items()}
    for key, table in counted.items():
        total = tables[_TOTALS.get(key, "words")]
        for group, count in table.items():
            by = {key: group}
            yield Finding("treebank", suite, "", "count", count, total, by=by)
            yield Finding("treebank", suite, "", "share", count / total if total else None, total, by=by)
    if displaced:
        outside: dict[str, Value] = {"displacement": "outside"}
        yield Finding("treebank", suite, "", "count", tables["outside"], tables["edges"], by=outside)
