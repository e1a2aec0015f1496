"""Tags that are given with the words: a token has no other tag then."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .grammar import Floats


def scores_of_tags(scores: Floats, labels: Sequence[str], tags: Sequence[str] | None) -> Floats:
    """log p(word | tag), tokens × preterminals, where each token has its tag alone; one that the grammar does not know
    decides nothing. A word that was never seen with its tag is as likely as any other."""
    if tags is None:
        return scores
    restricted = np.array(scores)
    names = np.array(labels)
    for place, tag in enumerate(tags):
        own = names == tag
        if own.any():
            restricted[place, ~own] = -np.inf
            if (restricted[place, own] == -np.inf).all():
                restricted[place, own] = 0.0
    return restricted


def shares_of_tags(
    shares: Floats, priors: Floats, belongs: Floats, labels: Sequence[str], tags: Sequence[str] | None
) -> Floats:
    """The same of p(subtag | word), tokens × subtags; `belongs` is 1 where a subtag is of a preterminal's tag."""
    if tags is None:
        return shares
    restricted = np.array(shares)
    names = np.array(labels)
    for place, tag in enumerate(tags):
        own = belongs[:, names == tag].any(axis=1)
        if own.any():
            restricted[place, ~own] = 0.0
            left = restricted[place].sum()
            restricted[place] = restricted[place] / left if left > 0 else np.where(own, priors, 0.0) / priors[own].sum()
    return restricted
