"""Which part of a pipeline changes its mind: the same batches once more, with gold tokens, and with gold tags too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .judging import JudgedBatch
from .questions import BatchSampling, Share
from .settings import TAGS, TOKENS

LAYERS = {TOKENS: (), TAGS: ("feats", "lemmas", "tags")}
"""What a parser may see of gold in each stage, beside the tokens."""


@dataclass(frozen=True, slots=True)
class StageShares:
    """What becomes of the batches when a part of the work is done for the parser."""

    consistent: Share
    """Batches with one parse in this stage."""
    settled: Share
    """Of the batches with several parses as the parser was asked first: those that have one in this stage."""
    unsettled: Share
    """Of the batches with one parse as the parser was asked first: those that have several in this stage."""


def stage_shares(first: Sequence[JudgedBatch], staged: Sequence[JudgedBatch], how: BatchSampling) -> StageShares:
    """The same batches as they were asked first and in a stage; those with one variant say nothing."""
    pairs = [(before, after) for before, after in zip(first, staged, strict=True) if before.comparable]

    def share(kept: Sequence[bool]) -> Share:
        return how.share([int(holds) for holds in kept], [1] * len(kept))

    return StageShares(
        share([after.consistent for _, after in pairs]),
        share([after.consistent for before, after in pairs if not before.consistent]),
        share([not after.consistent for before, after in pairs if before.consistent]),
    )
