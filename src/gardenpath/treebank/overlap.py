"""What a test set has in common with training data: sentences word for word, nearly so, and whole documents."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .duplicates import Ints, first_occurrences
from .shingles import NEAR, Floats, near_texts
from .treebank import Treebank, concatenate

LONG = 5
"""Words from which on a sentence that is in both is no commonplace, such as a greeting."""


@dataclass(frozen=True, slots=True, eq=False)
class Overlap:
    """For each sentence of test the sentence of train that is most like it, and the documents that both have."""

    train: Treebank
    test: Treebank
    partner: Ints
    """The first sentence of train that is the same, or the one most alike; -1 where none is."""
    likeness: Floats
    """1 for the same words (but for case and punctuation), 0 where there is no partner."""
    exact: NDArray[np.bool_]
    """Word for word."""
    documents: int | None
    """Of test; None where it does not tell them apart."""
    same_documents: tuple[str, ...]
    """Ids of documents that both have."""
    in_same_documents: int
    """Sentences of test that stand in these."""
    mostly_seen: int
    """Documents of test at least half of whose sentences have a partner."""
    same_ids: int
    """Sentences of test whose sent_id stands in train as well, on whatever sentence."""

    @property
    def near(self) -> NDArray[np.bool_]:
        """Nearly the same, and not word for word."""
        return (self.partner >= 0) & ~self.exact


def overlap(train: Treebank, test: Treebank, near: float | None = NEAR) -> Overlap:
    """Every sentence of test is looked for in train; `near` says how alike the two must be, None word for word.

    >>> import gardenpath as gp
    >>> both = overlap(gp.read("bundled:de-train"), gp.read("bundled:de-test"))
    >>> int(both.exact.sum()), int(both.near.sum())
    (0, 0)
    """
    both, border = concatenate([train, test]), len(train)
    first = first_occurrences(both)[border:]
    exact = first < border
    partner, likeness = np.where(exact, first, -1), exact.astype(np.float64)
    if near is not None:
        partner, likeness = _nearest(both, border, near, partner, likeness)
    owner, names = test.documents, _document_ids(test)
    same = sorted(set(names) & set(_document_ids(train)) - {""})
    seen = np.zeros(1) if owner is None else np.bincount(owner, weights=partner >= 0) / np.bincount(owner)
    known = set(train.sent_ids) - {""}
    return Overlap(
        train, test, partner, likeness, exact,
        None if owner is None else int(owner[-1]) + 1,
        tuple(same), sum(name in set(same) for name in names), int((seen >= 0.5).sum()),
        sum(sent_id in known for sent_id in test.sent_ids),
    )  # fmt: skip


def _nearest(both: Treebank, border: int, near: float, partner: Ints, likeness: Floats) -> tuple[Ints, Floats]:
    """Fills in the partners of sentences that are not in train word for word."""
    texts = near_texts(both, near)
    count = int(texts.text_of.max()) + 1
    in_train = np.full(count, -1)
    in_train[texts.text_of[:border][::-1]] = np.arange(border)[::-1]  # the first sentence of each text
    best, value = in_train.copy(), np.where(in_train >= 0, 1.0, 0.0)
    order = np.argsort(texts.likeness, kind="stable")  # the most alike are written last, and stay
    for mine, theirs in ((texts.left, texts.right), (texts.right, texts.left)):
        pairs = order[(in_train[mine[order]] < 0) & (in_train[theirs[order]] >= 0)]
        better = pairs[texts.likeness[pairs] > value[mine[pairs]]]
        best[mine[better]], value[mine[better]] = in_train[theirs[better]], texts.likeness[better]
    text = texts.text_of[border:]
    return np.where(partner >= 0, partner, best[text]), np.where(partner >= 0, likeness, value[text])


def _document_ids(treebank: Treebank) -> list[str]:
    """The id of each sentence's document, empty where it has none."""
    owner = treebank.documents
    if owner is None:
        return []
    ids = treebank.comment_values("newdoc id")
    heads = np.flatnonzero(np.diff(owner, prepend=-1))
    return [ids[heads[number]] for number in owner.tolist()]
