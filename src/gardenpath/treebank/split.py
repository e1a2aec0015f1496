"""Splitting a treebank into train, dev and test by chance or by length; sentences keep their bytes and their order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError, UsageError
from .documents import document_numbers
from .treebank import Treebank

PARTS = ("train", "dev", "test")

Ints = NDArray[Any]


@dataclass(frozen=True, slots=True, eq=False)
class Split:
    """The sentences of each part, by number, in the order of the treebank; parts of size 0 are not there."""

    parts: Mapping[str, Ints]
    by_document: bool = False
    removed: int = 0
    """Sentences that were too short to be in any part."""

    def conllu(self, treebank: Treebank, part: str) -> bytes:
        """The bytes of a part, as they stand in the treebank."""
        return b"".join(treebank.block(number) for number in self.parts[part].tolist())


def random_split(
    treebank: Treebank,
    *,
    train: float = 0.8,
    dev: float = 0.1,
    test: float = 0.1,
    seed: int = 0,
    by_document: bool = False,
) -> Split:
    """Sentences dealt out by chance, or whole documents (from one `# newdoc` to the next).

    The shares are met to the sentence; with documents as near as they allow, and every part has at least one.
    """
    shares = checked_shares({"train": train, "dev": dev, "test": test}, seed)
    units = documents(treebank) if by_document else np.arange(len(treebank))
    count = int(units[-1]) + 1
    check_enough(count, shares, by_document, treebank.name)
    order = np.random.default_rng(seed).permutation(count)
    sizes = quotas(len(treebank), shares)
    if by_document:
        part_of = deal_documents(order[None], np.bincount(units), sizes)[0]
    else:
        part_of = _deal(order, sizes)
    parts = {part: np.flatnonzero(part_of[units] == number) for number, part in enumerate(shares)}
    return Split(parts, by_document)


def length_split(
    treebank: Treebank,
    *,
    train: float = 0.6,
    dev: float = 0.2,
    test: float = 0.2,
    seed: int = 0,
    by_document: bool = False,
) -> Split:
    """The longest sentences to test, the others by chance to train and dev (Søgaard et al. 2021).

    Of documents, those with the longest sentences on average. Chance also decides among equal lengths.
    """
    shares = checked_shares({"train": train, "dev": dev, "test": test}, seed)
    if not test:
        raise UsageError("a split by length needs a test part", todo="give --test a share")
    units = documents(treebank) if by_document else np.arange(len(treebank))
    count = int(units[-1]) + 1
    check_enough(count, shares, by_document, treebank.name)
    sentences = np.bincount(units)
    length = np.bincount(units, weights=treebank.lengths) / sentences
    order = np.random.default_rng(seed).permutation(count)
    longest = order[np.argsort(-length[order], kind="stable")]
    sizes = quotas(len(treebank), shares)
    taken = longest[: prefix(sentences[longest], int(sizes[-1]), len(shares) - 1)]
    part_of = np.full(count, len(shares) - 1)
    rest = order[~np.isin(order, taken)]
    left = sizes[:-1]
    if by_document:
        part_of[rest] = deal_documents(np.arange(len(rest))[None], sentences[rest], left)[0]
    else:
        part_of[rest] = np.repeat(np.arange(len(left)), left)
    parts = {part: np.flatnonzero(part_of[units] == number) for number, part in enumerate(shares)}
    return Split(parts, by_document)


def prefix(sizes: Ints, wanted: int, others: int) -> int:
    """How many of these, from the first on, come nearest to the wanted size; at least one, and some are left."""
    count = int(np.count_nonzero(np.cumsum(sizes) - sizes / 2 < wanted))
    return min(max(count, 1), len(sizes) - others)


def documents(treebank: Treebank) -> Ints:
    """The number of each sentence's document; an error where the treebank does not tell documents apart."""
    numbers = document_numbers(treebank)
    if numbers is None:
        raise InputError(
            "no document borders (`# newdoc`) in here", where=treebank.name, todo="split by sentences instead"
        )
    return numbers


def checked_shares(shares: dict[str, float], seed: int) -> dict[str, float]:
    """The shares of the parts that there shall be."""
    if seed < 0:
        raise UsageError(f"the seed is {seed}", todo="give 0 or a positive number")
    shown = ", ".join(f"{part} {share:g}" for part, share in shares.items())
    if not all(0 <= share <= 1 for share in shares.values()) or abs(sum(shares.values()) - 1) > 1e-6:
        raise UsageError(f"these shares do not make a whole: {shown}", todo="they lie between 0 and 1, their sum is 1")
    kept = {part: share for part, share in shares.items() if share > 0}
    if len(kept) < 2:
        raise UsageError(f"a split has two parts or three, not one: {shown}")
    return kept


def check_enough(count: int, shares: Mapping[str, float], by_document: bool, where: str) -> None:
    """Every part needs a sentence or a document."""
    if count < len(shares):
        some = f"{count} {'document' if by_document else 'sentence'}{'s' * (count != 1)}"
        raise InputError(f"{some} cannot make {len(shares)} parts", where=where, todo="leave parts out")


def quotas(total: int, shares: Mapping[str, float]) -> Ints:
    """Whole numbers with the given sum, nearest to the shares, none of them 0."""
    exact = np.array([share * total for share in shares.values()])
    sizes = np.maximum(np.floor(exact + 1e-9).astype(np.int64), 1)
    while sizes.sum() < total:
        sizes[np.argmax(exact - sizes)] += 1
    while sizes.sum() > total:
        sizes[np.argmax(np.where(sizes > 1, sizes - exact, -np.inf))] -= 1
    return sizes


def _deal(order: Ints, sizes: Ints) -> Ints:
    part_of = np.empty(len(order), dtype=np.int64)
    part_of[order] = np.repeat(np.arange(len(sizes)), sizes)
    return part_of


def deal_documents(orders: Ints, lengths: Ints, sizes: Ints) -> Ints:
    """In each of several orders: the first document to each part, then each to the part that lacks most sentences."""
    missing = np.tile(sizes.astype(np.int64), (len(orders), 1))
    part_of = np.empty(orders.shape, dtype=np.int64)
    every = np.arange(len(orders))
    for turn, document in enumerate(orders.T):
        part = np.full(len(orders), turn) if turn < len(sizes) else np.argmax(missing, axis=1)
        part_of[every, document] = part
        missing[every, part] -= lengths[document]
    return part_of
