"""Trees as a span parser learns them: chains of categories over spans, mothers, and numbers of all symbols."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gardenpath.phrase import ROOT, HeadChild, PhraseTree, grown, raised_mothers

from ..neural.vocabulary import read_stored, strings
from ..pcfg.treebank_grammar import RAISE, SPLIT

Numbers = NDArray[np.int64]
Chain = tuple[str, ...]
"""Categories of the nodes over one span, from the top down."""
LOWER = "lower"
GAPS = (LOWER, RAISE, SPLIT)
"""What becomes of nodes with gaps: raised and lowered again in parses, raised, or cut into pieces."""


@dataclass(frozen=True)
class Skeleton:
    """A tree without gaps, in rows: tokens, inner nodes with mothers before daughters, and the virtual root."""

    begins: Numbers
    ends: Numbers
    mothers: Numbers
    """Rows; that of the root is itself."""
    names: tuple[str, ...]
    """Tags of tokens, categories of inner nodes, and the empty name of the root."""
    tokens: int

    @property
    def root(self) -> int:
        return len(self.names) - 1


@dataclass(frozen=True)
class Candidates:
    """Where nodes may belong that are not where they hang: pairs of rows, those of one child beside each other.

    The first of each child is the node it hangs at.
    """

    children: Numbers
    targets: Numbers

    @property
    def firsts(self) -> Numbers:
        """Where the pairs of each child begin."""
        if not len(self.children):
            return np.zeros(0, np.int64)
        return np.flatnonzero(np.r_[True, self.children[1:] != self.children[:-1]])

    @property
    def groups(self) -> Numbers:
        """The number of the child that each pair is of, among those that have candidates."""
        return np.cumsum(np.r_[False, self.children[1:] != self.children[:-1]][: len(self.children)])


def skeleton_of(chains: Iterable[tuple[int, int, Chain]], tags: Sequence[str]) -> Skeleton:
    """The tree of chains over nested spans, mothers first."""
    size = len(tags)
    begins, ends, names, mothers = list(range(size)), list(range(1, size + 1)), list(tags), [-1] * size
    open_nodes: list[int] = []
    for begin, end, chain in chains:
        while open_nodes and ends[open_nodes[-1]] <= begin:
            open_nodes.pop()
        for name in chain:
            mothers.append(open_nodes[-1] if open_nodes else -1)
            open_nodes.append(len(names))
            begins.append(begin)
            ends.append(end)
            names.append(name)
    lowest = [-1] * size
    for row in range(size, len(names)):  # mothers first: the last that covers a token is the lowest
        lowest[begins[row] : ends[row]] = [row] * (ends[row] - begins[row])
    mothers[:size] = lowest
    root = len(names)
    return Skeleton(
        np.array([*begins, 0]),
        np.array([*ends, size]),
        np.array([root if mother < 0 else mother for mother in [*mothers, -1]]),
        (*names, ""),
        size,
    )


def candidates(tree: Skeleton, fixed: Collection[str]) -> Candidates:
    """For each node the inner nodes below its mother that neither hold it nor stand beside it, if there are any.

    Tokens with one of the `fixed` tags stay where they are.
    """
    rows, inner = np.arange(tree.root), np.arange(tree.tokens, tree.root)
    mothers = tree.mothers[rows]
    begin, end = tree.begins[inner], tree.ends[inner]
    below = (tree.begins[mothers][:, None] <= begin) & (end <= tree.ends[mothers][:, None])
    below &= (inner > mothers[:, None]) | (mothers == tree.root)[:, None]
    apart = (end < tree.begins[rows][:, None]) | (tree.ends[rows][:, None] < begin)
    possible = below & apart
    possible[[row for row in range(tree.tokens) if tree.names[row] in fixed]] = False
    child, target = np.nonzero(np.c_[possible.any(1), possible])
    return Candidates(child, np.where(target, inner[target - 1] if len(inner) else 0, mothers[child]))


@dataclass(frozen=True)
class Lesson:
    """What a tree teaches."""

    words: tuple[str, ...]
    tree: Skeleton
    chains: tuple[tuple[int, int, Chain], ...]
    functions: tuple[str, ...]
    """Of all rows but the root."""
    candidates: Candidates
    right: Numbers
    """The pair that is true, of each child that has candidates."""
    lost: int = 0
    """Nodes whose mother is no candidate: they stay where they were raised to."""

    @property
    def mothers(self) -> Numbers:
        """Of all rows but the root: where they belong, as far as that is a candidate."""
        mothers = self.tree.mothers[:-1].copy()
        mothers[self.candidates.children[self.right]] = self.candidates.targets[self.right]
        return mothers


def lesson_of(tree: PhraseTree, head: HeadChild | None, fixed: Collection[str]) -> Lesson:
    """Spans and mothers of a tree; punctuation was lowered into it before."""
    size, total = len(tree), len(tree.mothers)
    hanging = raised_mothers(tree, head)
    masks = [1 << node for node in range(size)] + [0] * (total - size)
    for node, mother in enumerate(hanging):  # raising leaves a node below its old ancestors: daughters come first
        if mother != ROOT:
            masks[mother] |= masks[node]
    starts = [(mask & -mask).bit_length() - 1 for mask in masks]
    ends = [mask.bit_length() for mask in masks]
    depth = [0] * total
    for node in range(total - 1, -1, -1):
        depth[node] = 0 if hanging[node] == ROOT else depth[hanging[node]] + 1
    order = sorted(range(size, total), key=lambda node: (starts[node], -ends[node], depth[node]))
    spans: dict[tuple[int, int], list[str]] = {}
    for node in order:
        spans.setdefault((starts[node], ends[node]), []).append(tree.labels[node - size])
    chains = tuple((begin, end, tuple(names)) for (begin, end), names in spans.items())
    skeleton = skeleton_of(chains, tree.tags)
    row = {node: node for node in range(size)} | {node: size + at for at, node in enumerate(order)}
    row[ROOT] = skeleton.root
    pairs = candidates(skeleton, fixed)
    true = {row[node]: row[mother] for node, mother in enumerate(tree.mothers)}
    firsts = pairs.firsts
    right = firsts.copy()
    lost = 0
    for number, (at, stop) in enumerate(zip(firsts, np.r_[firsts, len(pairs.children)][1:], strict=True)):
        wanted = true[int(pairs.children[at])]
        places = np.flatnonzero(pairs.targets[at:stop] == wanted)
        if len(places):
            right[number] = at + places[0]
        else:
            lost += 1
    functions = [""] * skeleton.root
    for node, function in enumerate(tree.functions):
        functions[row[node]] = function
    return Lesson(tree.words, skeleton, chains, tuple(functions), pairs, right, lost)


def tree_of(
    words: Sequence[str],
    tree: Skeleton,
    functions: Sequence[str],
    mothers: Sequence[int],
    single: Collection[str] | None = None,
) -> PhraseTree:
    """The phrase tree of rows that hang at these mothers, where no circle comes of it.

    A phrase with one child is left out where its category is not one of the `single` ones (without these every one
    may be): the child has its place and its function.
    """
    hanging = tree.mothers[: tree.root].tolist()
    for row, mother in enumerate(mothers):
        above = mother
        while above not in (row, tree.root):
            above = hanging[above]
        if above != row:
            hanging[row] = mother
    alone = np.flatnonzero(np.bincount(hanging, minlength=tree.root)[: tree.root] == 1).tolist()
    left_out = set() if single is None else {row for row in alone if tree.names[row] not in single}
    kept = [row for row in range(tree.root) if row not in left_out]
    new = {row: number for number, row in enumerate(kept)} | {tree.root: ROOT}
    places: list[tuple[str, int]] = []
    for row in kept:
        function, mother = functions[row], hanging[row]
        while mother in left_out:
            function, mother = functions[mother], hanging[mother]
        places.append((function, new[mother]))
    return grown(
        words,
        tree.names[: tree.tokens],
        [tree.names[row] for row in kept[tree.tokens :]],
        [function for function, _ in places],
        [mother for _, mother in places],
    )


FORMAT = "gardenpath-chart-inventory 4"
_BEGIN, _END, _UNKNOWN = 1, 2, 3
"""Stand for the characters of the edges of a sentence, and for those that were not learned; 0 fills up."""
_FIRST = 4
_BEGINNINGS, _ENDINGS = 3, 5
"""The longest affixes, in characters."""
_FEW = 0.05
"""The share of phrases of a category that may have one child by mistake."""


@dataclass(frozen=True)
class PretrainedText:
    """What a pretrained model is built from, besides its weights."""

    task: str
    """`masked` or `causal`."""
    config: str
    """JSON, as is the tokenizer."""
    tokenizer: str
    longest: int
    """Pieces that it reads at once."""


@dataclass(frozen=True)
class Inventory:
    """All names of a model, in the order of their numbers."""

    tags: tuple[str, ...]
    chains: tuple[Chain, ...]
    """The first is empty: no phrase."""
    functions: tuple[str, ...]
    characters: tuple[str, ...]
    affixes: tuple[str, ...]
    """Beginnings and endings of words, as `ver-` and `-ung`."""
    at_root: tuple[str, ...]
    """Tags of punctuation that hangs at the virtual root."""
    single: tuple[str, ...]
    """Categories of phrases that may have one child only."""
    gaps: str
    """How it was taught nodes with gaps: one of `GAPS`."""
    pretrained: PretrainedText | None = None
    """The model of Transformers that reads the words too, if there is one."""

    @cached_property
    def names(self) -> dict[str, int]:
        """Tags and categories by number; the empty name is that of the virtual root."""
        return {
            name: number
            for number, name in enumerate(sorted({"", *self.tags, *(name for each in self.chains for name in each)}))
        }

    @cached_property
    def _characters(self) -> dict[str, int]:
        return {sign: number for number, sign in enumerate(self.characters, _FIRST)}

    @cached_property
    def _affixes(self) -> dict[str, int]:
        return {affix: number for number, affix in enumerate(self.affixes, 1)}

    @property
    def spellings(self) -> int:
        """How many numbers there are for characters."""
        return _FIRST + len(self.characters)

    def spelled(self, word: str) -> list[int]:
        """The characters of a word; of an empty one a character that is unknown."""
        return [self._characters.get(sign, _UNKNOWN) for sign in word] or [_UNKNOWN]

    def affixed(self, word: str) -> list[int]:
        """The beginnings and endings of a word, from short to long; 0 for those that are not known."""
        return [self._affixes.get(affix, 0) for affix in _affixes_of(word)]

    @property
    def edges(self) -> tuple[list[int], list[int]]:
        """The spelling of the begin and of the end of a sentence."""
        return [_BEGIN], [_END]

    def named(self, names: Iterable[str]) -> Numbers:
        return np.array([self.names[name] for name in names], np.int64)

    def to_json(self) -> str:
        return json.dumps({"format": FORMAT, **asdict(self)}, ensure_ascii=False, indent=0)

    @classmethod
    def from_json(cls, text: str, where: str = "") -> Inventory:
        """Return what `to_json` wrote; an error where it is something else."""

        def made(saved: dict[str, Any]) -> Inventory:
            gaps = saved.get("gaps")
            if gaps not in GAPS:
                raise ValueError("it does not say what it does with gaps")
            if not isinstance(saved.get("chains"), list):
                raise ValueError("its names are not lists")
            chains = tuple(strings(chain, "its names are not lists of names") for chain in saved["chains"])
            parts = []
            for part in ("tags", "functions", "characters", "affixes", "at_root", "single"):
                names = strings(saved.get(part), "its names are not lists of names")
                if len(set(names)) != len(names):
                    raise ValueError("its names are not lists of different names")
                parts.append(names)
            tags, functions, characters, affixes, at_root, single = parts
            if chains[:1] != ((),) or not all(chains[1:]) or not tags or not functions:
                raise ValueError("it has no tags, functions or chains")
            if len(set(chains)) != len(chains):  # though (NP, NP) is one, too
                raise ValueError("it has a chain twice")
            text = None
            if saved.get("pretrained") is not None:
                text = PretrainedText(**saved["pretrained"])
                named = isinstance(text.config, str) and isinstance(text.tokenizer, str)
                named = named and text.task in ("masked", "causal")
                if not named or type(text.longest) is not int or text.longest < 1:
                    raise ValueError("its pretrained model is none")
            return cls(tags, chains, functions, characters, affixes, at_root, single, gaps, text)

        return read_stored(text, where, FORMAT, made, "this is not an inventory of a chart parser")


def inventory_of(
    lessons: Sequence[Lesson], at_root: Iterable[str], *, gaps: str, pretrained: PretrainedText | None = None
) -> Inventory:
    """All that is in the lessons; a character that occurs once, or an affix of a single word, is an unknown one."""
    characters, affixes = spellings_of([lesson.words for lesson in lessons])
    return Inventory(
        tuple(sorted({tag for lesson in lessons for tag in lesson.tree.names[: lesson.tree.tokens]})),
        ((), *sorted({chain for lesson in lessons for _, _, chain in lesson.chains})),
        tuple(sorted({function for lesson in lessons for function in lesson.functions})),
        characters,
        affixes,
        tuple(sorted(at_root)),
        _single(lessons),
        gaps,
        pretrained,
    )


def spellings_of(sentences: Sequence[Sequence[str]]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The characters that occur more than once, and the affixes of more than one word."""
    signs = Counter(sign for sentence in sentences for word in sentence for sign in word)
    words = {word for sentence in sentences for word in sentence}
    affixes = Counter(affix for word in words for affix in _affixes_of(word))
    frequent = (tuple(sorted(name for name, count in counts.items() if count > 1)) for counts in (signs, affixes))
    return next(frequent), next(frequent)


def _single(lessons: Iterable[Lesson]) -> tuple[str, ...]:
    """Categories of which a phrase has one child in more than a few cases, which may be errors."""
    counts: Counter[str] = Counter()
    alone: Counter[str] = Counter()
    for lesson in lessons:
        tree = lesson.tree
        children = np.bincount(lesson.mothers, minlength=tree.root)[tree.tokens : tree.root]
        names = tree.names[tree.tokens : tree.root]
        counts.update(names)
        alone.update(name for name, number in zip(names, children.tolist(), strict=True) if number == 1)
    return tuple(sorted(name for name, number in alone.items() if number > _FEW * counts[name]))


def _affixes_of(word: str) -> list[str]:
    beginnings = [f"{word[:size]}-" for size in range(1, min(_BEGINNINGS, len(word)) + 1)]
    return beginnings + [f"-{word[-size:]}" for size in range(1, min(_ENDINGS, len(word)) + 1)]
