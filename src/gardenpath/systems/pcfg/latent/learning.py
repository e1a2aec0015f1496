"""From trees to a latent-variable PCFG: an unsplit grammar, its derivations of the trees, and rounds of splitting."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ....phrase.tree import PhraseTree
from ..counts import Counts
from ..estimate import Estimator
from ..grammar import Floats, Integers, PCFGGrammar
from ..lexicon import Lexicon, learned
from .lexemes import RARE, Lexemes, subtag_counts
from .observed import NONE, Derivations, Observed, flattened
from .productions import Places, Productions, unit_of, unsplit
from .split_grammar import SplitGrammar
from .split_merge import Expected, Schedule, Training

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
    lexemes = Lexemes(tags, rare)
    lexemes.look_at(ready)
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
    lexicon = _lexicon(given, productions.sizes, first_subtags, expected)
    return SplitGrammar(grammar, sizes, emission_at, values), lexicon


def _lexicon(given: Material, sizes: Integers, first_subtags: Places, expected: Expected) -> Lexicon:
    """Every token counts for each of its subtags by how likely that is."""
    names = [f"{tag} {number}" for tag, size in zip(given.tags, sizes, strict=False) for number in range(size)]
    at = {tag: number for number, tag in enumerate(given.tags)}
    starts = [int(first_subtags[at[tag]]) for tree in given.trees for tag in tree.tags]
    posteriors: list[Floats] = [
        expected.inside[begin:end] * expected.outside[begin:end]
        for begin, end in zip(expected.places[given.word_steps], expected.places[given.word_steps + 1], strict=True)
    ]
    counts = subtag_counts(given.trees, posteriors, starts)
    words = {(word, names[subtag], begins): count for (word, subtag, begins), count in counts.items()}
    return learned(words, names)
