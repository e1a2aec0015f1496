"""A tree as the error classes read it: yields without punctuation, heads, clauses, subjects, in any scheme."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ...phrase.heads import closest_clause, head_token, nominal_head
from ...phrase.schemes.model import Scheme
from ...phrase.tree import NO_FUNCTION, Node, PhraseTree, positions
from ...suites.constructions.model import Construction
from .error_classes import Decisions

_SHOWN = 5
"""Words of a span that a reason shows in full."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One analysis of the sentence; `content` has the tokens that are no punctuation in gold, as bits."""

    tree: PhraseTree
    scheme: Scheme
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
        return node.function == self.scheme.functions.conjunct

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

    def clause(self, node: Node) -> Node | None:
        """The closest clause over a node."""
        return closest_clause(node, self.scheme)

    @property
    def clause_labels(self) -> frozenset[str]:
        """Clauses and, in schemes with fields, conjuncts of fields, which are clauses but for what they share."""
        fields = self.scheme.fields
        return self.scheme.categories.clauses | ({fields.conjunct} if fields is not None else frozenset())

    def clause_part(self, node: Node) -> Node | None:
        """The closest clause, or conjunct of fields, over a node."""
        return next((above for above in node.ancestors if above.label in self.clause_labels), None)

    def field_phrases(self, clause: Node) -> Iterator[Node]:
        """What stands in the fields of a clause, also in coordinated ones."""
        between = self.scheme.fields.all if self.scheme.fields is not None else frozenset[str]()
        for child in clause.children:
            if child.label in between:
                yield from self.field_phrases(child)
            else:
                yield child

    def with_function(self, node: Node, function: str) -> Node | None:
        """The phrase that `function` names in the fields of a node's clause: the closest to the left, or any."""
        for scope in (self.clause_part(node), self.clause(node)):
            if scope is None:
                continue
            named = [phrase for phrase in self.field_phrases(scope) if phrase.function == function and phrase != node]
            before = [phrase for phrase in named if phrase.start < node.start]
            if named:
                return before[-1] if before else named[0]
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
    """As the form shows it: raised, say."""
    whole: Reading
    """Gold as it is."""
    parse: Reading
    decisions: Decisions

    @property
    def node(self) -> Node:
        """The construction in gold as it is."""
        return self.whole.tree[self.construction.node]

    @property
    def is_reduced(self) -> bool:
        """Does the form of trees show gold otherwise than it is?"""
        return self.gold is not self.whole


def content_of(tree: PhraseTree, scheme: Scheme) -> int:
    """The tokens that are no punctuation, as bits."""
    marks, prefix = scheme.tags.punctuation, scheme.tags.punctuation_prefix
    return sum(1 << at for at, tag in enumerate(tree.tags) if tag not in marks and not tag.startswith(prefix))
