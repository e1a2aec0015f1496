"""Splitting a treebank into train, dev and test by chance or by length; sentences keep their bytes and their order."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import UsageError
from .dealt_units import DealtUnits, Split, cut_in_order, quotas
from .document_split import TOLERANCE as TOLERANCE
from .document_split import dealt_in_order
from .shingles import NEAR
from .treebank import Treebank

Ints = NDArray[Any]


def random_split(
    treebank: Treebank,
    *,
    train: float = 0.8,
    dev: float = 0.1,
    test: float = 0.1,
    seed: int = 0,
    by_document: bool = False,
    deduplicate: bool = False,
    near: float | None = NEAR,
    stratify: str = "",
    tolerance: float = TOLERANCE,
) -> Split:
    """Sentences dealt out by chance, or whole documents (from one `# newdoc` to the next).

    The shares are met to the sentence, with documents within the tolerance. Sentences with the same words, or alike
    to the share `near`, stay together, or with `deduplicate` only the first of them is kept. `stratify` names a
    comment, such as genre, that every part shall have in the same shares.
    """
    shares = checked_shares({"train": train, "dev": dev, "test": test}, seed)
    dealt = DealtUnits.of(treebank, by_document, deduplicate, near, stratify=stratify)
    dealt.check_enough(shares)
    return dealt.split(dealt.by_chance(shares, tolerance, np.random.default_rng(seed)), shares, tolerance)


def length_split(
    treebank: Treebank,
    *,
    train: float = 0.6,
    dev: float = 0.2,
    test: float = 0.2,
    seed: int = 0,
    by_document: bool = False,
    deduplicate: bool = False,
    near: float | None = NEAR,
    tolerance: float = TOLERANCE,
) -> Split:
    """The longest sentences to test, the others by chance to train and dev (Søgaard et al. 2021).

    Of documents, those with the longest sentences on average. Chance also decides among equal lengths.
    """
    shares = checked_shares({"train": train, "dev": dev, "test": test}, seed)
    if not test:
        raise UsageError("a split by length needs a test part", todo="give --test a share")
    dealt = DealtUnits.of(treebank, by_document, deduplicate, near)
    dealt.check_enough(shares)
    words = np.bincount(dealt.unit_of[dealt.kept], weights=treebank.lengths[dealt.kept])
    order = np.random.default_rng(seed).permutation(len(words))
    longest = order[np.argsort(-(words / dealt.sentences)[order], kind="stable")]
    sizes = quotas(dealt.total, shares)
    taken = longest[: prefix(dealt.sentences[longest], int(sizes[-1]), len(shares) - 1)]
    part_of = np.full(len(words), len(shares) - 1)
    rest = order[~np.isin(order, taken)]
    left = sizes[:-1]
    if by_document:
        part_of[rest] = dealt_in_order(np.arange(len(rest))[None], dealt.sentences[rest], left)[0]
    else:
        part_of[rest] = cut_in_order(dealt.sentences[rest], left)
    return dealt.split(part_of, shares, tolerance)


def prefix(sizes: Ints, wanted: int, others: int) -> int:
    """How many of these, from the first on, come nearest to the wanted size; at least one, and some are left."""
    count = int(np.count_nonzero(np.cumsum(sizes) - sizes / 2 < wanted))
    return min(max(count, 1), len(sizes) - others)


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
