"""A sentence under a latent-variable grammar: first the unsplit grammar, then the split one on what that has left."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..chart_of import chart_of
from ..derivations import Hypergraph
from ..gold_tags import shares_of_tags
from ..grammar import Floats
from ..lexicon import LEAST, Lexicon, beginnings
from .posterior_chart import posterior_chart
from .split_grammar import SplitGrammar


def split_chart(
    split: SplitGrammar, lexicon: Lexicon, sentence: Sequence[str], tags: Sequence[str] | None
) -> Hypergraph:
    """The chart of the split grammar; where it has no tree, that of the unsplit one. `tags` come with the words."""
    shares = np.array(
        [lexicon.tag_shares(word, begins) for word, begins in zip(sentence, beginnings(sentence), strict=True)]
    )
    labels = split.grammar.labels[: split.grammar.preterminals]
    shares = shares_of_tags(shares, lexicon.priors, split.subtag_sums, labels, tags)
    coarse = chart_of(split.grammar, unsplit_emissions(split, lexicon, shares))
    if coarse.score(coarse.root) == -np.inf:
        return coarse
    fine = posterior_chart(split, coarse, shares / lexicon.priors)
    return coarse if fine.score(fine.root) == -np.inf else fine


def unsplit_emissions(split: SplitGrammar, lexicon: Lexicon, shares: Floats) -> Floats:
    """log p(word | tag) of each preterminal; `shares` has p(subtag | word), a row per token."""
    own = split.subtag_sums
    whole = shares @ own
    whole[whole < LEAST] = 0.0
    with np.errstate(divide="ignore"):
        return np.ascontiguousarray(np.log(whole) - np.log(lexicon.priors @ own))
