"""What comes of parsing."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

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
    counts: Counter[str] = field(default_factory=Counter)
    """What the parser counted beside: tokens that were paid for, answers that were repaired."""

    @property
    def repairs(self) -> dict[str, int]:
        """Of what was counted, what was not as it should have been."""
        return {kind: count for kind, count in self.counts.items() if kind.startswith(("repaired", "unknown"))}


def counts_text(counts: Counter[str]) -> str:
    """`12 requests, 5,321 prompt tokens`; empty where nothing was counted."""
    return ", ".join(f"{count:,} {name}" for name, count in counts.items())
