"""Splits whose test part is as near to the training part as can be, or as far from it (EDV, Section 6.1).

As in the paper, lengths stay alike in all parts: of every few sentences of one length and with one mean displacement
(MED) one goes to test, or of every length those that are furthest away. The paper matches MEDs, one sentence at a
time (procedure `paper`); sorting once and then improving EDV itself goes further (procedure `best`).
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from ..errors import InputError, UsageError
from .dealt_units import DealtUnits, Ints, Split, quotas
from .document_split import TOLERANCE
from .paper_split import sampled
from .shingles import NEAR
from .split import checked_shares
from .split_extremes import alike, distant
from .split_units import Units, units
from .treebank import Treebank

Extreme = Literal["min", "max"]
Procedure = Literal["best", "paper"]
"""The most extreme split that is found, or the one that the paper's sampling gives."""
SHORTEST = 3
"""Words: a tree of two has one edge, and its displacement can only be -1 or 1."""
_NEAR = 0.01
"""How far the paper's share of test (one fifth, for four and one) may be from the one asked for."""


def displacement_split(
    treebank: Treebank,
    extreme: Extreme,
    *,
    train: float = 0.6,
    dev: float = 0.2,
    test: float = 0.2,
    seed: int = 0,
    by_document: bool = False,
    procedure: Procedure = "best",
    deduplicate: bool = False,
    near: float | None = NEAR,
    tolerance: float = TOLERANCE,
) -> Split:
    """The split with the least (`min`) or greatest (`max`) EDV between train and test that is found.

    Trees of two words and less are in no part. Dev is drawn from what is not test, and is like it.
    With the paper's procedure dev is drawn by chance, and test has one of every few sentences.
    Of documents all ways are looked at, or of many documents those that annealing comes by; lengths are not kept
    alike then, and shares within the tolerance. The paper's procedure parts sentences with the same words.
    """
    shares = checked_shares({"train": train, "dev": dev, "test": test}, seed)
    if not train or not test:
        raise UsageError("a split by displacement needs train and test", todo="give both a share")
    if not (treebank.lengths >= SHORTEST).any():
        raise InputError(
            f"no sentence has {SHORTEST} words", where=treebank.name, todo="nothing to split by displacement"
        )
    dealt_units = DealtUnits.of(treebank, by_document, deduplicate, near, SHORTEST, singly=procedure == "paper")
    dealt = units(treebank, dealt_units.unit_of)
    dealt_units.check_enough(shares)
    if not len(dealt.edges):
        raise InputError("no edge, so no displacement", where=treebank.name, todo="the words need heads in column 7")
    sizes = quotas(dealt_units.total, shares)
    rng = np.random.default_rng(seed)
    last, everything = len(shares) - 1, np.arange(len(dealt))
    part_of = np.zeros(len(dealt), dtype=np.int64)
    if procedure == "paper":
        tested, held = _as_in_the_paper(dealt, extreme, test, int(sizes[1]) if dev else 0, by_document, rng)
        part_of[held], part_of[tested] = 1, last
        return dealt_units.split(part_of, shares, max(tolerance, _NEAR + 1 / len(dealt)))
    if by_document:
        histograms, sign = dealt.histograms(everything), 1 if extreme == "min" else -1
        part_of = dealt_units.documents(shares, tolerance, lambda deal: deal.extreme(histograms, sign, rng))
        return dealt_units.split(part_of, shares, tolerance)
    if extreme == "min":
        tested = alike(dealt, everything, int(sizes[-1]), rng)
    else:
        tested = distant(dealt, int(sizes[-1]))
    part_of[tested] = last
    if dev:
        part_of[alike(dealt, np.setdiff1d(everything, tested), int(sizes[1]), rng)] = 1
    return dealt_units.split(part_of, shares, tolerance)


def _as_in_the_paper(
    dealt: Units, extreme: Extreme, share: float, held: int, by_document: bool, rng: np.random.Generator
) -> tuple[Ints, Ints]:
    """Test and dev."""
    each = round(1 / share) - 1
    if by_document:
        raise UsageError("the paper's procedure samples sentences, not documents", todo="leave out one of the two")
    if each < 1 or abs(1 / (each + 1) - share) > _NEAR:
        raise UsageError(
            f"the paper's procedure cannot give test a share of {share:g}",
            todo="it takes one of 2, 3, 4, 5, … sentences",
        )
    train, tested = sampled(dealt, extreme, each, rng)
    if not len(tested) or len(train) <= held:
        raise InputError(f"{len(dealt)} sentences are too few for the paper's procedure")
    return tested, rng.permutation(train)[:held]
