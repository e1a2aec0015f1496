"""Several kinds of changes at once: another name and another year in the same sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from .edit import Proposal, Refusal, Replacement

if TYPE_CHECKING:
    from ..sentence import Sentence
    from .registry import Perturbation

SIGN = "+"
"""What joins the names of kinds: `names+years`."""


class Combined:
    """Every variant has a value of each kind: the first of all, then the second of all; a short list begins anew."""

    def __init__(self, parts: Sequence[Perturbation]) -> None:
        self.parts = list(parts)
        self.name = SIGN.join(part.name for part in parts)
        self.signature = SIGN.join(part.signature for part in parts)

    def propose(self, sentence: Sentence) -> Proposal | Refusal:
        proposals = []
        for part in self.parts:
            proposal = part.propose(sentence)
            if isinstance(proposal, Refusal):
                return proposal
            proposals.append(proposal)
        words = [word for proposal in proposals for word in _touched(proposal)]
        if len(set(words)) < len(words):
            return Refusal("overlap")
        count = max(len(proposal.replacements) for proposal in proposals)
        done: dict[str, Replacement] = {}
        for number in range(count):
            chosen = [proposal.replacements[number % len(proposal.replacements)] for proposal in proposals]
            together = _together(chosen)
            done.setdefault(together.value, together)
        skipped = sum((Counter(proposal.skipped) for proposal in proposals), Counter[str]())
        old = f" {SIGN} ".join(proposal.old for proposal in proposals)
        edited = tuple(sorted({word for proposal in proposals for word in proposal.words}))
        return Proposal(old, edited, list(done.values()), skipped)


def _touched(proposal: Proposal) -> set[int]:
    own = {number for replacement in proposal.replacements for number in replacement.changes}
    return own.union(*(replacement.structure.touched for replacement in proposal.replacements))


def _together(chosen: Sequence[Replacement]) -> Replacement:
    value = f" {SIGN} ".join(replacement.value for replacement in chosen)
    changes = {number: change for replacement in chosen for number, change in replacement.changes.items()}
    structure = chosen[0].structure
    for replacement in chosen[1:]:
        structure |= replacement.structure
    return Replacement(value, changes, structure=structure)
