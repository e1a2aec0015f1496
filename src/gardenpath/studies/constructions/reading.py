"""A tree as the error classes read it: yields without punctuation, heads, clauses, subjects, in either scheme."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ...phrase.heads import PUNCTUATION, head_token, nominal_head
from ...phrase.tree import NO_FUNCTION, Node, PhraseTree, positions
from ...suites.constructions.model import Construction
from .verdict import Decisions

CONJUNCT = {"tiger": "CJ", "tuebadz": "KONJ"}
SUBJECT = {"tiger": "SB", "tuebadz": "ON"}
CLAUSES = {"tiger": frozenset({"S"}), "tuebadz": frozenset({"SIMPX", "R-SIMPX", "P-SIMPX"})}
FIELDS = frozenset(
    {"LV", "VF", "LK", "C", "MF", "MFE", "VC", "VCE", "NF", "KOORD", "PARORD", "FKOORD", "FKONJ"}
)  # fmt: skip
"""What stands between a clause of TüBa-D/Z and its phrases: topological fields, and their coordination."""
_SHOWN = 5
"""Words of a span that a reason shows in full."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One analysis of the sentence; `content` has the tokens that are no punctuation in gold, as bits."""

    tree: PhraseTree
    scheme: str
    content: int

    def extent(self, node: Node) -> int:
        """The yield without punctuation, as bits."""
        return node.mask & self.content

    def function(self, node: Node) -> str:
        """The function; one name for all signs of none."""
        return "" if node.function in NO_FUNCTION else node.function

    def head(self, node: Node) -> int:
        return head_token(node, self.scheme)

    def noun(self, node: Node) -> int:
        """The head; of a PP its noun."""
        return nominal_head(node, self.scheme)

    def is_conjunct(self, node: Node) -> bool:
        return node.function == CONJUNCT[self.scheme]

    def conjuncts(self, node: Node) -> list[Node]:
        return [child for child in node.children if self.is_conjunct(child)]

    def lifted(self, node: Node) -> Node:
        """The whole coordination of a conjunct, which has its function and its mother; else the node."""
        while self.is_conjunct(node) and node.mother is not None:
            node = node.mother
        return node

    def over(self, *tokens: int) -> Iterator[Node]:
        """The nodes over all these tokens, from the lowest up."""
        wanted = sum(1 << token for token in set(tokens))
        for node in self.tree[tokens[0]].ancestors:
            if node.mask & wanted == wanted:
                yield node

    def clause(self, node: Node, further: Iterable[str] = ()) -> Node | None:
        """The closest clause over a node (`further`: other categories that count as one)."""
        labels = CLAUSES[self.scheme] | frozenset(further)
        return next((one for one in node.ancestors if one.label in labels), None)

    def field_phrases(self, clause: Node) -> Iterator[Node]:
        """What stands in the fields of a clause of TüBa-D/Z, also in coordinated ones."""
        for child in clause.children:
            if child.label in FIELDS:
                yield from self.field_phrases(child)
            else:
                yield child

    def with_function(self, node: Node, function: str) -> Node | None:
        """The phrase that `function` names in the clause of a node of TüBa-D/Z: the closest to the left, or any."""
        for scope in (self.clause(node, ("FKONJ",)), self.clause(node)):
            if scope is None:
                continue
            found = [one for one in self.field_phrases(scope) if one.function == function and one != node]
            before = [one for one in found if one.start < node.start]
            if found:
                return before[-1] if before else found[0]
        return None

    def word(self, token: int) -> str:
        """A word as reasons show it."""
        return f"*{self.tree.words[token]}*" if token >= 0 else "?"

    def span(self, extent: int) -> str:
        """The words of a yield as reasons show it; `…` for a gap, or in place of many words."""
        tokens = [token for token in positions(extent) if self.content >> token & 1]
        if len(tokens) > _SHOWN:
            return f"*{self.tree.words[tokens[0]]} … {self.tree.words[tokens[-1]]}*"
        parts, last = list[str](), None
        for token in tokens:
            if last is not None and self.content & ((1 << token) - (1 << (last + 1))):
                parts.append("…")
            parts.append(self.tree.words[token])
            last = token
        return f"*{' '.join(parts)}*"


@dataclass(frozen=True, slots=True)
class Case:
    """A construction of gold and a parse of its sentence, in one form of trees."""

    construction: Construction
    gold: Reading
    """Raised, where the form is that of raised trees."""
    whole: Reading
    """Gold as it is."""
    parse: Reading
    decisions: Decisions

    @property
    def node(self) -> Node:
        """The construction in gold as it is."""
        return self.whole.tree[self.construction.node]

    @property
    def is_raised(self) -> bool:
        return self.gold is not self.whole


def content_of(tree: PhraseTree) -> int:
    """The tokens that are no punctuation, as bits."""
    return sum(1 << place for place, tag in enumerate(tree.tags) if tag not in PUNCTUATION and not tag.startswith("$"))
