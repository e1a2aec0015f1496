"""Many splits of one treebank: k folds, each of them test once, or every document test once."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..errors import UsageError
from .dealt_units import DealtUnits, Ints, Split
from .document_split import TOLERANCE
from .shingles import NEAR
from .treebank import Treebank


def fold_splits(
    treebank: Treebank,
    folds: int,
    *,
    dev: float = 0.0,
    seed: int = 0,
    by_document: bool = False,
    deduplicate: bool = False,
    near: float | None = NEAR,
    stratify: str = "",
    tolerance: float = TOLERANCE,
) -> list[Split]:
    """Sentences or documents dealt out to k folds of one size; each is test once, and the others are train.

    A share of all sentences for `dev` is drawn from what is not test.
    """
    if folds < 2:
        raise UsageError(f"{folds} folds are not a cross-validation", todo="give 2 or more")
    _check_dev(dev, 1 / folds)
    dealt = DealtUnits.of(treebank, by_document, deduplicate, near, stratify=stratify)
    shares = {f"fold {number}": 1 / folds for number in range(1, folds + 1)}
    dealt.check_enough(shares)
    rng = np.random.default_rng(seed)
    fold_of = replace(dealt, first=None).by_chance(shares, tolerance, rng)  # what a fold loses is up to its split
    sizes = {"train": 1 - dev - 1 / folds, "dev": dev, "test": 1 / folds}
    allowed = tolerance * (2 if dev else 1)  # train is what both others leave
    return [_tested(dealt, fold_of == fold, sizes, tolerance, allowed, rng) for fold in range(folds)]


def document_splits(
    treebank: Treebank,
    *,
    dev: float = 0.0,
    seed: int = 0,
    deduplicate: bool = False,
    near: float | None = NEAR,
    tolerance: float = TOLERANCE,
) -> list[Split]:
    """Every document is test once, and all others are train (and dev); sentences that train has, too, are left out."""
    _check_dev(dev, 0)
    dealt = DealtUnits.of(treebank, True, deduplicate, near)
    dealt.check_enough({"train": 1, "test": 1})
    rng = np.random.default_rng(seed)
    units = np.arange(len(dealt.sentences))
    sizes = {"train": 1 - dev, "dev": dev, "test": 0.0}
    return [_tested(dealt, units == unit, sizes, tolerance, None, rng) for unit in units.tolist()]


def _check_dev(dev: float, test: float) -> None:
    if not 0 <= dev < 1 - test:
        raise UsageError(f"dev cannot have a share of {dev:g}", todo=f"give 0 or more, below {1 - test:g}")


def _tested(
    dealt: DealtUnits,
    is_test: Ints,
    shares: dict[str, float],
    tolerance: float,
    allowed: float | None,
    rng: np.random.Generator,
) -> Split:
    """The split whose test part are these units; dev is drawn from the others. Parts may be off by `allowed`."""
    kept = {part: share for part, share in shares.items() if share or part != "dev"}
    part_of = np.where(is_test, len(kept) - 1, 0)
    if "dev" in kept:
        rest = np.flatnonzero(~is_test)
        of_rest = shares["dev"] * dealt.total / int(dealt.sentences[rest].sum())
        part_of[rest] = dealt.among(rest).by_chance({"train": 1 - of_rest, "dev": of_rest}, tolerance, rng)
    return dealt.split(part_of, kept, allowed)
