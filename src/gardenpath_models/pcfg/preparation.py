"""Trees as a grammar needs them, without gaps and with punctuation inside, and its output as treebanks have it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from gardenpath.phrase import PUNCTUATION, ROOT, PhraseTree, at_root, head_child, lowered, merged, raised, split
from gardenpath.phrase import scheme as known_scheme

RAISE, SPLIT = "raise", "split"
GAPS = (RAISE, SPLIT)


@dataclass(frozen=True)
class Preparation:
    """What becomes of gaps, and which tags hang at the virtual root."""

    gaps: str = RAISE
    """`raise`: what stands apart moves up, and parses have no crossing branches; `split`: a node with a gap becomes
    several marked ones, which are merged again in parses."""
    scheme: str = ""
    """Of the heads, beside which raising keeps a node; without one it keeps the longest stretch."""
    at_root: frozenset[str] = frozenset()

    def prepared(self, tree: PhraseTree) -> PhraseTree:
        inside = lowered(tree, self.at_root)
        if self.gaps == SPLIT:
            return split(inside)
        return raised(inside, (lambda node: head_child(node, self.scheme)) if self.scheme else None)

    def restored(self, tree: PhraseTree) -> PhraseTree:
        return at_root(merged(tree) if self.gaps == SPLIT else tree, self.at_root)


def tags_at_root(trees: Iterable[PhraseTree], scheme: str = "") -> frozenset[str]:
    """The tags of punctuation (in this scheme) that hang at the virtual root more often than not."""
    marks = known_scheme(scheme).tags.punctuation if scheme else PUNCTUATION
    top: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for tree in trees:
        for tag, mother in zip(tree.tags, tree.mothers[: len(tree)], strict=True):
            if tag in marks:
                total[tag] += 1
                top[tag] += mother == ROOT
    return frozenset(tag for tag in total if 2 * top[tag] > total[tag])
