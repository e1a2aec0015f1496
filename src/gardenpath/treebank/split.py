"""Splitting a treebank into train, dev and test by chance; sentences keep their bytes and their order."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError, UsageError
from .treebank import Treebank

PARTS = ("train", "dev", "test")
_NEW_DOCUMENT = re.compile(rb"^#\s*newdoc(\s|$)", re.MULTILINE)

Ints = NDArray[Any]


@dataclass(frozen=True, slots=True, eq=False)
class Split:
    """The sentences of each part, by number, in the order of the treebank; parts of size 0 are not there."""

    parts: Mapping[str, Ints]

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
    if seed < 0:
        raise UsageError(f"the seed is {seed}", todo="give 0 or a positive number")
    shares = _checked_shares({"train": train, "dev": dev, "test": test})
    units = documents(treebank) if by_document else np.arange(len(treebank))
    count, kind = int(units[-1]) + 1, "document" if by_document else "sentence"
    if count < len(shares):
        some = f"{count} {kind}{'s' * (count != 1)}"
        raise InputError(f"{some} cannot make {len(shares)} parts", where=treebank.name, todo="leave parts out")
    order = np.random.default_rng(seed).permutation(count)
    sizes = _quotas(len(treebank), shares)
    part_of = _deal_documents(order, np.bincount(units), sizes) if by_document else _deal(order, sizes)
    return Split({part: np.flatnonzero(part_of[units] == number) for number, part in enumerate(shares)})


def documents(treebank: Treebank) -> Ints:
    """The number of each sentence's document; what stands before the first `# newdoc` is one of its own."""
    begins, firsts = treebank.index.blocks, treebank.index.starts[treebank.index.rows[:-1]]
    heads = (treebank.data[begin:end] for begin, end in zip(begins[:-1].tolist(), firsts.tolist(), strict=True))
    new = np.array([_NEW_DOCUMENT.search(head) is not None for head in heads])
    if not new.any():
        raise InputError(
            "no document borders (`# newdoc`) in here", where=treebank.name, todo="split by sentences instead"
        )
    new[0] = True
    return np.cumsum(new) - 1


def _checked_shares(shares: dict[str, float]) -> dict[str, float]:
    shown = ", ".join(f"{part} {share:g}" for part, share in shares.items())
    if not all(0 <= share <= 1 for share in shares.values()) or abs(sum(shares.values()) - 1) > 1e-6:
        raise UsageError(f"these shares do not make a whole: {shown}", todo="they lie between 0 and 1, their sum is 1")
    kept = {part: share for part, share in shares.items() if share > 0}
    if len(kept) < 2:
        raise UsageError(f"a split has two parts or three, not one: {shown}")
    return kept


def _quotas(total: int, shares: Mapping[str, float]) -> Ints:
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


def _deal_documents(order: Ints, lengths: Ints, sizes: Ints) -> Ints:
    """The first document to each part, then each to the part that lacks most sentences."""
    missing = sizes.astype(np.int64).copy()
    part_of = np.empty(len(order), dtype=np.int64)
    for turn, document in enumerate(order.tolist()):
        part = turn if turn < len(sizes) else int(np.argmax(missing))
        part_of[document] = part
        missing[part] -= lengths[document]
    return part_of
