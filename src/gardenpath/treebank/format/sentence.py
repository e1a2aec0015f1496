"""A sentence as a light view on a treebank; its words, empty nodes and tokens have the names known from Udapi."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...errors import unknown_name
from .fields import parse_comment, parse_feats, parse_pairs, text_of
from .index import EMPTY, FIELDS, MULTIWORD, WORD

if TYPE_CHECKING:
    from .draft import Draft
    from .treebank import Treebank


class Token:
    """A token of the surface: one word, or the words `first` to `last` of a multiword token."""

    def __init__(self, sentence: Sentence, row: list[str]) -> None:
        self.sentence, self._row = sentence, row
        first, _, last = row[0].partition("-")
        self.first, self.last = int(first), int(last or first)

    def __repr__(self) -> str:
        return f"<Token {self._row[0]} {self.form}>"

    @property
    def form(self) -> str:
        return self._row[1]

    @property
    def misc(self) -> str:
        """MISC as it stands in the file."""
        return self._row[9]

    @property
    def words(self) -> list[Node]:
        return self.sentence.words[self.first - 1 : self.last]

    @property
    def is_multiword(self) -> bool:
        return "-" in self._row[0]


class Node:
    """A word, an empty node or the root; `ord` is its position, as in Udapi, but -1 for an empty node.

    >>> import gardenpath as gp
    >>> verb = gp.read("bundled:de-test")[1].root.children[0]
    >>> verb.form, verb.upos, [(child.form, child.deprel) for child in verb.children]
    ('pflegt', 'VERB', [('Garten', 'obj'), ('Pfarrer', 'nsubj'), ('.', 'punct')])
    """

    __slots__ = ("_row", "ord", "sentence")

    def __init__(self, sentence: Sentence, row: list[str], ord: int) -> None:
        self.sentence, self._row, self.ord = sentence, row, ord

    def __repr__(self) -> str:
        return f"<Node {self.id} {self.form}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Node):
            return NotImplemented
        same = self.sentence.number == other.sentence.number and self.sentence.treebank is other.sentence.treebank
        return same and self.id == other.id

    def __hash__(self) -> int:
        return hash((self.sentence.number, self.id))

    def __lt__(self, other: Node) -> bool:
        return self.precedes(other)

    @property
    def id(self) -> str:
        return self._row[0]

    @property
    def form(self) -> str:
        return self._row[1]

    @property
    def lemma(self) -> str:
        return self._row[2]

    @property
    def upos(self) -> str:
        return self._row[3]

    @property
    def xpos(self) -> str:
        return self._row[4]

    @property
    def feats(self) -> dict[str, str]:
        return parse_feats(self._row[5])

    @property
    def head(self) -> int | None:
        """ID of the head, 0 for the root, None where the annotation has none."""
        return int(self._row[6]) if self._row[6] != "_" else None

    @property
    def deprel(self) -> str:
        return self._row[7]

    @property
    def udeprel(self) -> str:
        """The relation without its subtype."""
        return self._row[7].partition(":")[0]

    @property
    def deps(self) -> list[tuple[str, str]]:
        """Enhanced dependencies as (head, relation)."""
        if self._row[8] == "_":
            return []
        return [(head, relation) for head, _, relation in (d.partition(":") for d in self._row[8].split("|"))]

    @property
    def misc(self) -> dict[str, str]:
        return parse_pairs(self._row[9])

    def __getitem__(self, field: str) -> str:
        """A field by its name, as it stands in the file."""
        if field not in FIELDS:
            raise unknown_name("field", field, FIELDS)
        return self._row[FIELDS.index(field)]

    @property
    def no_space_after(self) -> bool:
        return "SpaceAfter=No" in self._row[9].split("|")

    @property
    def multiword_token(self) -> Token | None:
        return next((t for t in self.sentence.multiword_tokens if t.first <= self.ord <= t.last), None)

    # ---- the tree

    def is_root(self) -> bool:
        """The artificial node with ID 0."""
        return self.ord == 0

    @property
    def parent(self) -> Node | None:
        head = None if self.ord <= 0 else self.head
        return None if head is None else self.sentence.node(head)

    @property
    def children(self) -> list[Node]:
        return [self.sentence.words[i - 1] for i in self.sentence._children[self.ord]] if self.ord >= 0 else []

    @property
    def siblings(self) -> list[Node]:
        parent = self.parent
        return [] if parent is None else [node for node in parent.children if node.ord != self.ord]

    def is_leaf(self) -> bool:
        return not self.children

    @property
    def descendants(self) -> list[Node]:
        """All nodes below, in the order of the sentence; a cycle ends where it closes."""
        return [self.sentence.words[i - 1] for i in sorted(self._below() - {self.ord, 0})]

    def _below(self) -> set[int]:
        if self.ord < 0:
            return set()
        seen, waiting = {self.ord}, [self.ord]
        while waiting:
            fresh = [child for child in self.sentence._children[waiting.pop()] if child not in seen]
            seen.update(fresh)
            waiting += fresh
        return seen

    def ancestors(self) -> list[Node]:
        """Parent, its parent, … up to the root; a cycle ends where it closes."""
        passed: dict[int, Node] = {}
        node = self.parent
        while node is not None and node.ord not in passed:
            passed[node.ord] = node
            node = node.parent
        return list(passed.values())

    def is_descendant_of(self, other: Node) -> bool:
        return other in self.ancestors()

    @property
    def depth(self) -> int:
        """Edges up to the root."""
        return len(self.ancestors())

    @property
    def root(self) -> Node:
        """The artificial node above the tree."""
        return self.sentence.root

    def is_empty(self) -> bool:
        """An empty node of the enhanced graph."""
        return "." in self.id

    @property
    def sdeprel(self) -> str:
        """The subtype of the relation, empty if it has none."""
        return self.deprel.partition(":")[2]

    @property
    def next_node(self) -> Node | None:
        """The word after this one."""
        return self.sentence.words[self.ord] if 0 <= self.ord < len(self.sentence) else None

    @property
    def prev_node(self) -> Node | None:
        """The word before this one; the root before the first."""
        return self.sentence.node(self.ord - 1) if self.ord > 0 else None

    def precedes(self, other: Node) -> bool:
        """Does it stand before the other? Empty nodes stand after the word whose number they have."""
        return self._position < other._position

    @property
    def _position(self) -> tuple[int, int]:
        word, _, second = self.id.partition(".")
        return int(word), int(second or 0)

    @property
    def displacement(self) -> int | None:
        """Position minus position of the head; None for roots and words without a head."""
        head = self.head
        return self.ord - head if head else None

    def is_nonprojective(self) -> bool:
        """Is there a word between this node and its head that is not below the head?"""
        parent = self.parent
        if parent is None or parent.is_root():
            return False
        low, high = sorted((self.ord, parent.ord))
        return high - low > 1 and not parent._below().issuperset(range(low + 1, high))

    def is_nonprojective_gap(self) -> bool:
        """Does this node stand inside an edge of a head that is not above it?"""
        above = {node.ord for node in self.ancestors()} | {self.ord}
        for node in self.sentence.words:
            head = node.head
            if head and head not in above and min(node.ord, head) < self.ord < max(node.ord, head):
                return True
        return False


class Sentence:
    """Sentence `number` of a treebank. `words[i]` is the word with ID i + 1; `root` is the node with ID 0.

    In a notebook it is drawn; `gp.show(sentence)` draws it as text, `sentence.edit()` makes a draft of it.

    >>> import gardenpath as gp
    >>> sentence = gp.read("bundled:de-test")[1]
    >>> sentence.text, len(sentence), sentence.is_projective
    ('Den Garten hinter der Kirche pflegt der Pfarrer.', 9, True)
    """

    def __init__(self, treebank: Treebank, number: int) -> None:
        self.treebank, self.number = treebank, number

    def __len__(self) -> int:
        """Words in the sentence."""
        return int(self.treebank.lengths[self.number])

    def __iter__(self) -> Iterator[Node]:
        return iter(self.words)

    def __repr__(self) -> str:
        return f"<Sentence {self.sent_id or self.number}: {self.text}>"

    def _repr_svg_(self) -> str:
        """The tree drawn, in a notebook."""
        from ..drawing import Tree, svg

        return svg(Tree.of(self))

    @cached_property
    def comments(self) -> list[str]:
        """Comment lines without their `#` and the blank after it."""
        block = self.treebank.block(self.number)[: self._first_row].decode("utf-8")
        return [line[1:].removeprefix(" ") for line in block.split("\n") if line.startswith("#")]

    @property
    def _first_row(self) -> int:
        index = self.treebank.index
        return int(index.starts[index.rows[self.number]] - index.blocks[self.number])

    @cached_property
    def metadata(self) -> dict[str, str]:
        """Comments of the form `key = value`; of several with one key the first counts."""
        pairs = [pair for pair in map(parse_comment, self.comments) if pair]
        return dict(reversed(pairs))

    @property
    def sent_id(self) -> str:
        return self.metadata.get("sent_id", "")

    @property
    def text(self) -> str:
        """`# text`, or the forms joined as SpaceAfter says."""
        return self.metadata.get("text") or text_of((token.form, token.misc) for token in self.tokens)

    @cached_property
    def rows(self) -> list[list[str]]:
        """All token lines as lists of ten strings."""
        block = self.treebank.block(self.number)[self._first_row :].decode("utf-8")
        return [line.split("\t") for line in block.split("\n") if line]

    @cached_property
    def _kinds(self) -> list[int]:
        rows = self.treebank.index.rows
        kinds: list[int] = self.treebank.index.kinds[rows[self.number] : rows[self.number + 1]].tolist()
        return kinds

    @cached_property
    def words(self) -> list[Node]:
        rows = [row for row, kind in zip(self.rows, self._kinds, strict=True) if kind == WORD]
        return [Node(self, row, number) for number, row in enumerate(rows, 1)]

    @cached_property
    def root(self) -> Node:
        """The artificial node with ID 0, above the tree."""
        return Node(self, ["0", "<ROOT>", *["_"] * 8], 0)

    @cached_property
    def empty_nodes(self) -> list[Node]:
        return [Node(self, row, -1) for row, kind in zip(self.rows, self._kinds, strict=True) if kind == EMPTY]

    @cached_property
    def multiword_tokens(self) -> list[Token]:
        rows = [row for row, kind in zip(self.rows, self._kinds, strict=True) if kind == MULTIWORD]
        return [Token(self, row) for row in rows]

    @cached_property
    def tokens(self) -> list[Token]:
        """The tokens of the surface: multiword tokens, and the words outside them."""
        tokens, covered = [], 0
        for row, kind in zip(self.rows, self._kinds, strict=True):
            if kind == MULTIWORD:
                tokens.append(Token(self, row))
                covered = tokens[-1].last
            elif kind == WORD and int(row[0]) > covered:
                tokens.append(Token(self, row))
        return tokens

    def node(self, number: int) -> Node:
        """The word with this ID; 0 is the root."""
        if number == 0:
            return self.root
        if not 1 <= number <= len(self):
            raise IndexError(f"word {number} of a sentence with {len(self)} words")
        return self.words[number - 1]

    @cached_property
    def heads(self) -> NDArray[np.int32]:
        offsets = self.treebank.offsets
        return self.treebank.heads[offsets[self.number] : offsets[self.number + 1]]

    @cached_property
    def _children(self) -> list[list[int]]:
        lists: list[list[int]] = [[] for _ in range(len(self) + 1)]
        for word, head in enumerate(self.heads.tolist(), 1):
            if head >= 0:
                lists[head].append(word)
        return lists

    @cached_property
    def is_tree(self) -> bool:
        """One root, every word below it."""
        from ..trees.tree import tree_mask

        return bool(tree_mask(self.heads, np.array([0, len(self)]))[0])

    @property
    def is_projective(self) -> bool:
        from ..trees.tree import projective_mask

        return bool(projective_mask(self.heads, np.array([0, len(self)]))[0])

    def to_conllu(self) -> str:
        """The bytes of the sentence as text, its blank line included."""
        return self.treebank.block(self.number).decode("utf-8")

    def edit(self) -> Draft:
        """A copy that can be changed."""
        from .draft import Draft

        return Draft.from_sentence(self)
