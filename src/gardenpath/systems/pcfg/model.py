"""A PCFG: grammar, lexicon, and the way from trees to it and from a sentence to its trees and surprisals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...errors import FailedOnInput, UsageError
from ...phrase.tree import ROOT, PhraseTree, grown
from .chart_of import ChartTooLarge, chart_of
from .counts import counted
from .derivations import Forest, Hypergraph, Item
from .estimate import BACKOFF, LEAST, Estimator
from .gold_tags import scores_of_tags
from .grammar import Floats, PCFGGrammar
from .latent.learning import Progress, learn_split, material
from .latent.parsing import split_chart
from .latent.split_grammar import SplitGrammar
from .latent.split_merge import Schedule
from .lexicon import Lexicon, learned
from .prefix_chart import PrefixGrammar, PrefixScores
from .preparation import SPLIT, Preparation, tags_at_root
from .vocabulary import Vocabulary, open_vocabulary

LONGEST = 250
"""Tokens of the longest sentence that is parsed: time grows with the cube."""
MOST = 50
"""Derivations that can be asked for."""


@dataclass(frozen=True)
class PCFG:
    """A grammar that parses, and expects words."""

    grammar: PCFGGrammar
    lexicon: Lexicon | Vocabulary
    """What was learned of words, or p(word | tag) as it was written down."""
    preparation: Preparation
    split: SplitGrammar | None = None
    """Of a latent-variable grammar: its rules with subsymbols; the tags of the lexicon are then subtags."""

    @property
    def size(self) -> dict[str, int]:
        """What the grammar has how many of."""
        return self.grammar.size | ({} if self.split is None else {"subsymbols": int(self.split.sizes.sum())})

    @cached_property
    def vocabulary(self) -> Vocabulary:
        return open_vocabulary(self.lexicon) if isinstance(self.lexicon, Lexicon) else self.lexicon

    @cached_property
    def prefixes(self) -> PrefixGrammar:
        return PrefixGrammar(self.grammar if self.split is None else self.split.expanded)

    def word_scores(self, sentence: Sequence[str]) -> PrefixScores:
        """The surprisal of every word and of the end, summed over all trees."""
        if not 0 < len(sentence) <= LONGEST:
            raise FailedOnInput(
                f"a sentence of {len(sentence)} tokens cannot be scored", todo=f"give one of 1 to {LONGEST} tokens"
            )
        return self.prefixes.scores(np.ascontiguousarray(self.vocabulary.probabilities(sentence)[:, self._tag_at]))

    @cached_property
    def _tag_at(self) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        """The tag of each preterminal (with subsymbols: the subtag of each of its own), as the lexicon numbers it."""
        if self.split is not None:
            return self.split.subtags
        places = {tag: number for number, tag in enumerate(self.lexicon.tags)}
        return np.array([places[tag] for tag in self.grammar.labels[: self.grammar.preterminals]], np.int64)

    def chart(self, sentence: Sequence[str], tags: Sequence[str] | None = None) -> Hypergraph:
        """p(word | tag) does not depend on the function of a token, so its preterminals share it."""
        if self.split is not None:
            assert isinstance(self.lexicon, Lexicon)  # whoever writes a grammar writes no subsymbols
            return split_chart(self.split, self.lexicon, sentence, tags=tags)
        emissions: Floats = np.ascontiguousarray(self.lexicon.scores(sentence)[:, self._tag_at])
        labels = self.grammar.labels[: self.grammar.preterminals]
        return chart_of(self.grammar, scores_of_tags(emissions, labels, tags))

    def parse(self, sentence: Sequence[str], tags: Sequence[str] | None = None) -> PhraseTree | None:
        """The best tree; None where there is none, the sentence is empty, longer than LONGEST, or its chart is too
        large. `tags` are those of its tokens, where they are given."""
        try:
            best = self.nbest(sentence, 1, tags) if 0 < len(sentence) <= LONGEST else []
        except ChartTooLarge:
            best = []
        return best[0][1] if best else None

    def nbest(
        self, sentence: Sequence[str], k: int, tags: Sequence[str] | None = None
    ) -> list[tuple[float, PhraseTree]]:
        """The k best derivations, exactly, with their log scores; two of them can give the same tree only where
        pieces were merged or punctuation was moved. The scores are of one sentence: log p up to a constant."""
        if not 1 <= k <= MOST:
            raise UsageError(f"{k} trees cannot be asked for", todo=f"give a number from 1 to {MOST}")
        if not 0 < len(sentence) <= LONGEST:
            raise UsageError(
                f"a sentence of {len(sentence)} tokens cannot be parsed", todo=f"give one of 1 to {LONGEST} tokens"
            )
        chart = self.chart(sentence, tags)
        if chart.score(chart.root) == -np.inf:
            return []
        forest = Forest(chart, k)
        trees = []
        for rank in range(k):
            derivation = forest.derivation(chart.root, rank)
            if derivation is None:
                break
            trees.append((derivation.score, self.preparation.restored(tree_of(forest, sentence, rank))))
        return trees


def learn(
    trees: Sequence[PhraseTree],
    *,
    vertical: int = 2,
    horizontal: int = 2,
    functions: bool = False,
    gaps: str = "raise",
    scheme: str = "",
    backoff: float = BACKOFF,
    least: float = LEAST,
    latent: int = 0,
    seed: int = 0,
    tell: Progress = lambda _: None,
) -> PCFG:
    """The grammar and lexicon of trees; those without tokens teach nothing. `latent` is how often symbols are split;
    their halves differ by chance at first, by `seed`."""
    trees = [tree for tree in trees if len(tree)]
    if not trees:
        raise UsageError("there are no trees to learn from")
    preparation = Preparation(gaps, scheme, tags_at_root(trees, scheme))
    ready = [preparation.prepared(tree) for tree in trees]
    counts = counted(ready, vertical=vertical, horizontal=horizontal, functions=functions, pieces=gaps == SPLIT)
    if latent:
        given = material(ready, counts, backoff=backoff, least=least)
        if left_out := len(ready) - len(given.trees):
            tell(f"warning: {left_out} trees are left out, whose chains of single children are too long or too rare")
        split, lexicon = learn_split(given, Schedule(latent), seed, tell)
        return PCFG(given.grammar, lexicon, preparation, split)
    grammar = Estimator(counts, backoff=backoff, least=least).grammar()
    tags = sorted({tag for _, tag, _ in counts.words})
    return PCFG(grammar, learned(counts.words, tags), preparation)


def tree_of(forest: Forest, words: Sequence[str], rank: int = 0) -> PhraseTree:
    """The tree of the derivation of this rank, which there is, as the grammar draws it."""
    chart, grammar = forest.chart, forest.chart.grammar
    size = len(words)
    tags, functions, mothers = [""] * size, [""] * size, [ROOT] * size
    labels: list[str] = []
    inner_functions: list[str] = []
    inner_mothers: list[int] = []
    waiting: list[tuple[Item, int, int]] = [(chart.root, rank, ROOT)]
    while waiting:
        item, which, mother = waiting.pop()
        made = forest.derivation(item, which)
        assert made is not None  # the chart says that it can be made
        if item.layer != "state" and item.symbol < grammar.preterminals:
            tags[item.begin], functions[item.begin] = grammar.labels[item.symbol], grammar.functions[item.symbol]
            mothers[item.begin] = mother
        elif item.layer == "whole":
            for symbol in (item.symbol, *grammar.chain_paths[made.edge.chain]):
                if symbol >= grammar.preterminals and symbol != grammar.root:
                    labels.append(grammar.labels[symbol])
                    inner_functions.append(grammar.functions[symbol])
                    inner_mothers.append(mother)
                    mother = size + len(labels) - 1
        for tail, number in zip(made.edge.tails, made.ranks, strict=True):
            waiting.append((tail, number, mother))
    return grown(words, tags, labels, [*functions, *inner_functions], [*mothers, *inner_mothers])
