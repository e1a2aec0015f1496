"""A construction in a gold tree: what it is, where, and the tokens by which any parse of the sentence is judged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ...phrase.tree import Node, PhraseTree

PHENOMENA = {
    "ppn": "PP attached to a noun",
    "ppv": "PP attached to a verb",
    "erc": "extraposed relative clause",
    "fcr": "forward conjunction reduction",
    "sgf": "subject gap with finite/fronted verb",
    "cuc": "coordination of unlike constituents",
}
COUNTED = {
    "relative": "relative clause",
    "extraposed": "extraposed relative clause",
    "coordination": "coordination of clauses",
    "elision": "coordination with elision: fcr, sgf, gapping or bcr",
    "gapping": "gapping or stripping: a later clause without a verb",
    "bcr": "backward conjunction reduction",
}
"""What is counted for comparison with Section 2 of the paper; it is not judged."""
SCHEMES = ("tiger", "tuebadz", "ud", "ptb", "sinica", "ctb")
"""Schemes whose constructions can be found, by the requests in the file of that name."""
ANCHORS: dict[str, tuple[str, ...]] = {
    "ppn": ("preposition", "noun", "governor"),
    "ppv": ("preposition", "noun", "governor"),
    "erc": ("relative", "verb", "noun", "matrix"),
    "fcr": ("verb1", "verb2", "subject"),
    "sgf": ("verb1", "verb2", "subject"),
    "cuc": ("conjunct1", "conjunct2"),
}
"""What each phenomenon is anchored by; `cuc` has as many as there are conjuncts."""


def table_of(phenomenon: str) -> str:
    """The table of the paper that a phenomenon is in: both kinds of PP share one."""
    return "pp" if phenomenon in ("ppn", "ppv") else phenomenon


@dataclass(frozen=True, slots=True)
class Construction:
    """One construction, found by rule in a gold tree. Positions are numbers of tokens, punctuation included.

    Anchors by phenomenon: `ppn`, `ppv`: `preposition`, `noun` (the PP's own), `governor` (head of what it hangs
    at); `erc`: `relative` (relative word), `verb` (finite verb of the clause), `noun` (antecedent), `matrix`
    (finite verb of the matrix clause); `fcr`, `sgf`: `verb1`, `verb2`, `subject` (head of the subject); `cuc`:
    `conjunct1`, `conjunct2` … (heads of the conjuncts).
    """

    phenomenon: str
    variant: str
    """Within the phenomenon: `v2` or `vl` of fcr, `vp+ap` and the like of cuc; else empty."""
    node: int
    """The node in the gold tree: the PP, the relative clause, the coordination."""
    anchors: tuple[tuple[str, int], ...]
    flags: tuple[str, ...] = ()
    """Such as `ambiguous` (PP after a noun), `bare` (the later conjunct is a lone verb), `coordinated` (a conjunct, or
    a coordinated relative clause), `confirmed` (a secondary edge says so too), `correlate` (`damit, dass …`),
    `incomplete` (no preposition or no noun), `asyndetic` (unlike conjuncts without a conjunction), `interrupted`
    (a conjunct between the two has a subject of its own), `moved`, `refint` and `unresolved` (of TüBa-D/Z)."""

    def anchor(self, name: str) -> int:
        """The token of this anchor; -1 where the tree has none."""
        return dict(self.anchors).get(name, -1)


@dataclass(frozen=True, slots=True)
class ConstructionItem:
    """A sentence with its gold tree, and one construction in it."""

    item: str
    """Unique in the suite; the same in both schemes where the suite is parallel."""
    tree: PhraseTree
    construction: Construction
    columns: Mapping[str, str] = field(default_factory=dict)
    """What else the table of items says of it, by the names of its own columns."""

    @property
    def node(self) -> Node:
        return self.tree[self.construction.node]


@dataclass(frozen=True)
class ConstructionSuite:
    """Items of one scheme, with the name and release that make a result mean something."""

    name: str
    release: str
    scheme: str
    items: Sequence[ConstructionItem]
    left_out: Mapping[str, int] = field(default_factory=dict)
    """By phenomenon: constructions found in the treebank that are no good items."""

    @property
    def trees(self) -> list[PhraseTree]:
        """The gold trees; one that has several items stands here once."""
        return list({id(item.tree): item.tree for item in self.items}.values())

    def __len__(self) -> int:
        """Items."""
        return len(self.items)

    def __repr__(self) -> str:
        phenomena = ", ".join(dict.fromkeys(item.construction.phenomenon for item in self.items))
        return f"<ConstructionSuite {self.name} ({self.scheme}): {len(self)} items, {phenomena}>"
