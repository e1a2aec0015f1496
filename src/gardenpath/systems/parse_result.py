"""What comes of parsing."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from ..treebank.treebank import Treebank


@dataclass(frozen=True)
class ParseResult:
    """All sentences with their trees, and how it went."""

    treebank: Treebank
    failures: Counter[str]
    """Sentences that failed, by kind (see `reconcile.FAILURES`); they are in the treebank, marked by a comment."""
    seconds: float
    """What the parser itself took, summed over all pieces; of kept results, what they took when they were made."""
    signature: str
    notes: tuple[str, ...] = ()
