"""From trees to a latent-variable PCFG: split, merge and smooth, with EM in between (Petrov et al. 2006).

An unsplit grammar gives derivations of the trees. Each round splits every subsymbol into two, lets EM find out what
tells them apart, takes back the half of the splits that help least, and moves subsymbols of the same symbol a little
towards each other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gardenpath.phrase import ROOT, PhraseTree

from ..chart import Floats, Integers, PCFGGrammar
from ..lexicon import Lexicon, beginnings, classes_of, learned
from ..treebank_grammar import VIRTUAL_ROOT, Annotation, Child, Counts, Estimator
from .split_grammar import NONE, Places, SplitGrammar


@dataclass(frozen=True)
class Productions:
    """Chains, then rules, then last children, then words; `draw` says with which of them each one competes."""

    unit: Integers
    """Of the left-hand side."""
    left: Integers
    """The units of the children, NONE where there is none."""
    right: Integers
    draw: Integers
    diagonal: NDArray[np.bool_]
    """A node without a chain keeps its subsymbol: only [i, i] is not 0."""
    fixed: NDArray[np.bool_]
    """Of each unit: it is not split. The root is not."""
    sizes: Integers
    """Subsymbols of each unit."""
    values: Floats

    @property
    def starts(self) -> Places:
        """Where the tensor of each production begins, and the end of the last one."""
        wide = np.append(self.sizes, 1).astype(np.int64)  # NONE has one subsymbol
        places = np.zeros(len(self.unit) + 1, np.int64)
        np.cumsum(wide[self.unit] * wide[self.left] * wide[self.right], out=places[1:])
        return places

    def with_values(self, values: Floats) -> Productions:
        return replace(self, values=values)


def unsplit(grammar: PCFGGrammar, word_tags: Integers, words: Floats, tags: Integers) -> Productions:
    """The productions of a grammar whose units have one subsymbol each.

    `tags` is the tag of each preterminal, `word_tags` and `words` are the tag and p(word | tag) of each lexeme.
    Units are the tags, then the nodes, then the states.
    """
    units = unit_of(grammar, tags)
    count = int(units.max()) + 1
    top, bottom = units[grammar.chain_top], units[grammar.chain_bottom]
    rule_unit = units[grammar.rule_left]
    left, right = units[grammar.pair_left], units[grammar.symbols + grammar.pair_right]
    last_unit, last_child = units[grammar.symbols + grammar.last_state], units[grammar.last_symbol]
    none = np.full(len(top) + len(last_unit) + 2 * len(words), NONE, np.int32)
    draws = [top, count + rule_unit, count + last_unit, count + word_tags]
    fixed = np.zeros(count, bool)
    fixed[units[grammar.root]] = True
    return Productions(
        np.concatenate([top, rule_unit, last_unit, word_tags]).astype(np.int32),
        np.concatenate([bottom, left[grammar.rule_pair], last_child, none[: len(words)]]).astype(np.int32),
        np.concatenate([none[: len(top)], right[grammar.rule_pair], none[: len(last_unit)], none[: len(words)]]).astype(
            np.int32
        ),
        np.concatenate(draws).astype(np.int32),
        np.concatenate(
            [[not path for path in grammar.chain_paths], np.zeros(len(rule_unit) + len(last_unit) + len(words), bool)]
        ).astype(bool),
        fixed,
        np.ones(count, np.int32),
        np.concatenate([np.exp(grammar.chain_score), np.exp(grammar.rule_score), np.exp(grammar.last_score), words]),
    )


def unit_of(grammar: PCFGGrammar, tags: Integers) -> Integers:
    """The unit of each symbol and then of each state."""
    first = int(tags.max()) + 1
    others = np.arange(grammar.symbols - grammar.preterminals + grammar.states, dtype=np.int32)
    return np.concatenate([tags, first + others]).astype(np.int32)


class Step(NamedTuple):
    """A production and the steps that made its children; NONE where there is none. A word has its position as its
    production, and a preterminal as its symbol."""

    kind: str
    production: int
    left: int = NONE
    right: int = NONE


@dataclass
class Derivations:
    """Finds the derivation of a tree in the grammar that an estimator made of it and of others."""

    estimator: Estimator
    grammar: PCFGGrammar

    def __post_init__(self) -> None:
        grammar = self.grammar
        tops, rules = grammar.chain_top.tolist(), grammar.rule_pair.tolist()
        pairs = list(zip(grammar.pair_left.tolist(), grammar.pair_right.tolist(), strict=True))
        self.chains = {(top, path): at for at, (top, path) in enumerate(zip(tops, grammar.chain_paths, strict=True))}
        self.rules = {
            (left, *pairs[pair]): at
            for at, (left, pair) in enumerate(zip(grammar.rule_left.tolist(), rules, strict=True))
        }
        lasts = zip(grammar.last_state.tolist(), grammar.last_symbol.tolist(), strict=True)
        self.lasts = {key: at for at, key in enumerate(lasts)}

    def of(self, tree: PhraseTree) -> list[Step] | None:
        """The steps of a tree, the root last; None where the grammar left out a chain of it."""
        steps: list[Step] = []
        try:
            self._whole(tree, Annotation(VIRTUAL_ROOT, "", ()), ROOT, steps)
        except (KeyError, RecursionError):
            return None
        return steps

    def _whole(self, tree: PhraseTree, node: Annotation, number: int, steps: list[Step]) -> int:
        """Steps of a node with the chain below it; trees are no deeper than Python's stack."""
        numbers, counts = self.estimator.numbers, self.estimator.counts
        top, path = numbers[False, node], list[int]()
        children = tree.children[number]
        while len(children) == 1:
            child = counts.child(tree, children[0])
            path.append(self._symbol(node, child))
            if child.token:
                below = self._word(children[0], path[-1], steps)
                return self._add(steps, Step("chain", self.chains[top, tuple(path)], below))
            node = self.estimator.below(node, child)
            children = tree.children[children[0]]
        below = self._children(tree, node, children, steps)
        return self._add(steps, Step("chain", self.chains[top, tuple(path)], below))

    def _children(self, tree: PhraseTree, node: Annotation, numbers: Sequence[int], steps: list[Step]) -> int:
        """Steps of two or more children: a rule of the node, rules of states, and a last child, from the right on."""
        counts, estimator = self.estimator.counts, self.estimator
        grammar, states = self.grammar, estimator.tables.states
        lefts, symbols = [estimator.numbers[False, node]], list[int]()
        context, owner = counts.begin(node), node
        made = []
        for place, number in enumerate(numbers):
            child = counts.child(tree, number)
            symbols.append(self._symbol(owner, child))
            made.append(
                self._word(number, symbols[-1], steps)
                if child.token
                else self._whole(tree, estimator.below(owner, child), number, steps)
            )
            if place < len(numbers) - 1:
                known = estimator.known(counts.after(context, child))
                assert known is not None
                context, owner = known, known.node
                lefts.append(grammar.symbols + states[known])
        last = self.lasts[lefts[-1] - grammar.symbols, symbols[-1]]
        rest = self._add(steps, Step("last", last, made[-1]))
        for place in range(len(numbers) - 2, -1, -1):
            rule = self.rules[lefts[place], symbols[place], lefts[place + 1] - grammar.symbols]
            rest = self._add(steps, Step("rule", rule, made[place], rest))
        return rest

    def _symbol(self, node: Annotation, child: Child) -> int:
        if child.token:
            return self.estimator.numbers[True, Annotation(child.label, child.function, ())]
        return self.estimator.numbers[False, self.estimator.below(node, child)]

    def _word(self, place: int, symbol: int, steps: list[Step]) -> int:
        return self._add(steps, Step("word", place, symbol))

    def _add(self, steps: list[Step], step: Step) -> int:
        steps.append(step)
        return len(steps) - 1


@dataclass(frozen=True)
class Observed:
    """All derivations in columns: of each step its production and the steps of its children."""

    production: Integers
    left: Integers
    right: Integers
    ends: Integers
    """Behind the last step of each tree, which is its root."""


def flattened(derivations: Sequence[Sequence[tuple[int, int, int]]]) -> Observed:
    """Derivations of (production, left, right), numbered within each, one after the other."""
    rows = np.array([step for steps in derivations for step in steps], np.int32).reshape(-1, 3)
    sizes = np.array([len(steps) for steps in derivations], np.int32)
    shift = np.repeat(np.cumsum(sizes) - sizes, sizes)
    left, right = (np.where(rows[:, at] == NONE, NONE, rows[:, at] + shift).astype(np.int32) for at in (1, 2))
    return Observed(rows[:, 0].copy(), left, right, np.cumsum(sizes).astype(np.int32))


NOISE = 0.01
"""Two halves of a subsymbol differ by up to so much at first."""


@dataclass(frozen=True)
class Schedule:
    """How a grammar is trained; the shares were chosen on trees held out of the training part."""

    rounds: int = 4
    split_steps: int = 30
    """Iterations of EM after a split, after a merge, and after smoothing."""
    merge_steps: int = 15
    smooth_steps: int = 8
    merged: float = 0.5
    """The share of splits that is taken back."""
    rule_share: float = 0.01
    word_share: float = 0.1
    """How much of the mean of all subsymbols each one gets, in rules and in words."""


@dataclass(frozen=True)
class Expected:
    """What EM expects of the trees: log likelihood, vectors of each step, and counts of productions."""

    log_likelihood: float
    places: Places
    inside: Floats
    outside: Floats
    counts: Floats


class Training:
    """Productions and trees, and the steps of training between them."""

    def __init__(self, productions: Productions, trees: Observed, seed: int = 0) -> None:
        self.productions = productions
        self.trees = trees
        self.random = np.random.default_rng(seed)
        # A node without a chain has two steps with the same subsymbol, of which one counts.
        self._counted = np.ones(len(trees.production), bool)
        self._counted[trees.left[productions.diagonal[trees.production]]] = False

    @property
    def unit_starts(self) -> Places:
        """Where the subsymbols of each unit begin among all of them, and their number."""
        return np.concatenate([[0], np.cumsum(self.productions.sizes, dtype=np.int64)])

    def expected(self) -> Expected:
        from .expectations import insides, outsides, vectors

        productions, trees = self.productions, self.trees
        unit, sizes, starts = productions.unit, productions.sizes, productions.starts
        places = vectors(trees.production, unit, sizes)
        steps = trees.production, trees.left, trees.right
        inside, log_likelihood = insides(*steps, places, unit, sizes, starts, productions.values)
        outside, counts = outsides(*steps, trees.ends, places, inside, unit, sizes, starts, productions.values)
        return Expected(log_likelihood, places, inside, outside, counts)

    def improve(self) -> float:
        """One iteration of EM; the log likelihood before it."""
        from .expectations import normalised

        expected, productions = self.expected(), self.productions
        draws = int(productions.draw.max()) + 1
        values = normalised(
            expected.counts, productions.unit, productions.draw, draws, productions.sizes, productions.starts,
            productions.values,
        )  # fmt: skip
        self.productions = productions.with_values(values)
        return expected.log_likelihood

    def split(self) -> None:
        """Every subsymbol becomes two that are nearly the same."""
        from .expectations import doubled, normalised

        old = self.productions
        sizes = np.where(old.fixed, old.sizes, 2 * old.sizes).astype(np.int32)
        new = replace(old, sizes=sizes)
        starts = new.starts
        noise = self.random.uniform(1 - NOISE, 1 + NOISE, int(starts[-1]))
        values = doubled(
            old.unit, old.left, old.right, old.diagonal, old.sizes, old.starts, old.values, sizes, starts, noise
        )
        values = normalised(values, old.unit, old.draw, int(old.draw.max()) + 1, sizes, starts, values)
        self.productions = new.with_values(values)

    def merge(self, share: float) -> None:
        """Takes back the share of the last splits that loses least."""
        from .expectations import losses, occupied, regrouped

        old, expected, starts = self.productions, self.expected(), self.unit_starts
        steps = self.trees.production, old.unit, self._counted, expected.places, expected.inside, expected.outside
        shares = occupied(*steps, starts)
        loss = losses(*steps, starts, shares)
        splits = [
            int(start) + first
            for start, size, fixed in zip(starts[:-1], old.sizes, old.fixed, strict=True)
            if not fixed
            for first in range(0, int(size), 2)
        ]
        splits.sort(key=lambda place: (loss[place], place))
        back = set(splits[: round(share * len(splits))])
        group, weight, sizes = grouped_subsymbols(back, starts, shares)
        new = replace(old, sizes=sizes)
        values = regrouped(
            old.unit, old.left, old.right, old.sizes, old.starts, old.values,
            sizes, new.starts, starts, group, weight,
        )  # fmt: skip
        self.productions = new.with_values(values)

    def smooth(self, rule_share: float, word_share: float) -> None:
        from .expectations import smoothed

        old = self.productions
        share = np.where(old.left == NONE, word_share, rule_share)
        self.productions = old.with_values(smoothed(old.unit, old.diagonal, old.sizes, old.starts, old.values, share))

    def run(self, schedule: Schedule, tell: Callable[[str], None] = lambda _: None) -> None:
        """All rounds. EM after a split may raise the likelihood alone; merging and smoothing are what prevents it
        from learning the trees by heart."""
        for number in range(1, schedule.rounds + 1):
            self.split()
            for _ in range(schedule.split_steps):
                self.improve()
            self.merge(schedule.merged)
            for _ in range(schedule.merge_steps):
                self.improve()
            for _ in range(schedule.smooth_steps):
                self.smooth(schedule.rule_share, schedule.word_share)
                log_likelihood = self.improve()
            self.smooth(schedule.rule_share, schedule.word_share)
            subsymbols = int(self.productions.sizes.sum())
            tell(f"round {number}: {subsymbols} subsymbols, log likelihood {log_likelihood:.1f}")


def grouped_subsymbols(back: set[int], starts: Places, shares: Floats) -> tuple[Integers, Floats, Integers]:
    """Of each subsymbol its new number within its unit and its weight there, and the new size of each unit; `back` has
    the first of each pair that becomes one."""
    group, weight = np.zeros(len(shares), np.int32), np.ones(len(shares))
    sizes = np.zeros(len(starts) - 1, np.int32)
    for unit in range(len(sizes)):
        place, new = int(starts[unit]), 0
        while place < starts[unit + 1]:
            group[place] = new
            if place in back:
                total = shares[place] + shares[place + 1]
                group[place + 1] = new
                weight[place] = shares[place] / total if total > 0 else 0.5
                weight[place + 1] = 1 - weight[place]
                place += 1
            place, new = place + 1, new + 1
        sizes[unit] = new
    return group, weight, sizes


RARE = 2
"""Words seen so often or less are seen as their class."""
SUBTAG_WEIGHT = 8.0
"""So many tokens are the subtags of the tag worth beside those of a word."""
LEAST = 1e-6
MEMBERS = 8
"""A class has at least so many rare tokens; else the next coarser one is taken."""


@dataclass
class Lexemes:
    """Pairs of a tag and a word (or class), numbered as they are met."""

    trees: Sequence[PhraseTree]
    """All trees; the words and classes of a token are those that are frequent in them."""
    tags: list[str]
    rare: int = RARE
    numbers: dict[tuple[int, str], int] = field(default_factory=dict)
    counts: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.tag_at = {tag: number for number, tag in enumerate(self.tags)}
        self._words = Counter(word for tree in self.trees for word in tree.words)
        self._members = Counter[str]()  # how many rare tokens each class has
        for tree in self.trees:
            for word, begins in zip(tree.words, beginnings(tree.words), strict=True):
                if self._words[word] <= self.rare:
                    self._members.update(classes_of(word, begins))

    def of(self, tree: PhraseTree) -> list[int]:
        """The lexeme of each token."""
        lexemes = []
        for word, tag, begins in zip(tree.words, tree.tags, beginnings(tree.words), strict=True):
            key = self.tag_at[tag], self._seen_as(word, begins)
            number = self.numbers.setdefault(key, len(self.numbers))
            if number == len(self.counts):
                self.counts.append(0)
            self.counts[number] += 1
            lexemes.append(number)
        return lexemes

    def _seen_as(self, word: str, begins: bool) -> str:
        if self._words[word] > self.rare:
            return word
        shape, *finer = classes_of(word, begins)
        fitting = [name for name in finer if self._members[name] >= MEMBERS]
        return f"<{fitting[-1] if fitting else shape}>"

    @property
    def columns(self) -> tuple[Integers, Floats]:
        """The tag of each lexeme, and p(lexeme | tag)."""
        tags = np.array([tag for tag, _ in self.numbers], np.int32)
        counts = np.array(self.counts, np.float64)
        totals = np.bincount(tags, counts, len(self.tags))
        return tags, counts / totals[tags]


def subtag_counts(
    trees: Sequence[PhraseTree], posteriors: Sequence[Floats], starts: Sequence[int], weight: float = SUBTAG_WEIGHT
) -> dict[tuple[str, int, bool], float]:
    """Of each word, subtag (numbered from the `starts` of its tags on), and whether it begins a sentence: how often it
    is expected. A row of posteriors is a token. With few tokens a word's subtags are much as its tag's:

        p(subtag | word, tag) = (expected + weight * p(subtag | tag)) / (count + weight)
    """
    shares: dict[int, Floats] = {}  # by the start of the tag
    by_word: dict[tuple[str, int], Floats] = {}
    cases: Counter[tuple[str, int, bool]] = Counter()
    row = 0
    for tree in trees:
        for word, begins in zip(tree.words, beginnings(tree.words), strict=True):
            start = starts[row]
            shares[start] = shares.get(start, 0.0) + posteriors[row]
            by_word[word, start] = by_word.get((word, start), 0.0) + posteriors[row]
            cases[word, start, begins] += 1
            row += 1
    counts: dict[tuple[str, int, bool], float] = {}
    for (word, start, begins), count in cases.items():
        own, whole = by_word[word, start], shares[start]
        smoothed = count * (own + weight * whole / whole.sum()) / (own.sum() + weight)
        for number, share in enumerate(smoothed.tolist()):
            if share > LEAST:
                counts[word, start + number, begins] = share
    return counts


Progress = Callable[[str], None]


@dataclass(frozen=True)
class Material:
    """What EM is given: trees that have a derivation, the productions of the grammar, and where each word stands."""

    trees: list[PhraseTree]
    grammar: PCFGGrammar
    tags: list[str]
    preterminal_tags: Integers
    productions: Productions
    observed: Observed
    word_steps: Integers
    """The step of each token, tree by tree."""


def material(
    ready: Sequence[PhraseTree], counts: Counts, *, backoff: float, least: float, rare: int = RARE
) -> Material:
    """The unsplit grammar of trees without gaps, and the trees as its derivations."""
    estimator = Estimator(counts, backoff=backoff, least=least, keep_seen=True)
    grammar = estimator.grammar()
    tags = sorted({tag for _, tag, _ in counts.words})
    lexemes = Lexemes(ready, tags, rare)
    first_rule = len(grammar.chain_top)
    first_last = first_rule + len(grammar.rule_left)
    first = {"chain": 0, "rule": first_rule, "last": first_last, "word": first_last + len(grammar.last_state)}
    derivations = Derivations(estimator, grammar)
    trees, rows, words, so_far = list[PhraseTree](), list[list[tuple[int, int, int]]](), list[int](), 0
    for tree in ready:
        steps = derivations.of(tree)
        if steps is None:
            continue
        numbers = lexemes.of(tree)
        own = [numbers[step.production] if step.kind == "word" else step.production for step in steps]
        rows.append(
            [
                (first[step.kind] + number, *((NONE, NONE) if step.kind == "word" else (step.left, step.right)))
                for step, number in zip(steps, own, strict=True)
            ]
        )
        places = sorted((step.production, at) for at, step in enumerate(steps) if step.kind == "word")
        words += [so_far + at for _, at in places]
        so_far += len(steps)
        trees.append(tree)
    at = {tag: number for number, tag in enumerate(tags)}
    preterminal_tags = np.array([at[tag] for tag in grammar.labels[: grammar.preterminals]], np.int32)
    productions = unsplit(grammar, *lexemes.columns, preterminal_tags)
    return Material(trees, grammar, tags, preterminal_tags, productions, flattened(rows), np.array(words, np.int32))


def learn_split(
    given: Material, schedule: Schedule, seed: int = 0, tell: Progress = lambda _: None
) -> tuple[SplitGrammar, Lexicon]:
    """The grammar after all rounds, and the lexicon of its subtags."""
    training = Training(given.productions, given.observed, seed)
    training.run(schedule, tell)
    productions, expected = training.productions, training.expected()
    first_subtags: Places = np.concatenate([[0], np.cumsum(productions.sizes[: len(given.tags)], dtype=np.int64)])
    grammar = given.grammar
    sizes = productions.sizes[unit_of(grammar, given.preterminal_tags)]
    first_word = len(grammar.chain_top) + len(grammar.rule_left) + len(grammar.last_state)
    values = productions.values[: productions.starts[first_word]]
    emission_at = first_subtags[given.preterminal_tags].astype(np.int32)
    # Every token counts for each of its subtags by how likely that is.
    names = [
        f"{tag} {number}" for tag, size in zip(given.tags, productions.sizes, strict=False) for number in range(size)
    ]
    at = {tag: number for number, tag in enumerate(given.tags)}
    starts = [int(first_subtags[at[tag]]) for tree in given.trees for tag in tree.tags]
    posteriors: list[Floats] = [
        expected.inside[begin:end] * expected.outside[begin:end]
        for begin, end in zip(expected.places[given.word_steps], expected.places[given.word_steps + 1], strict=True)
    ]
    counts = subtag_counts(given.trees, posteriors, starts)
    words = {(word, names[subtag], begins): count for (word, subtag, begins), count in counts.items()}
    lexicon = learned(words, names)
    return SplitGrammar(grammar, sizes, emission_at, values), lexicon
