"""A sentence: a light view on a treebank; its nodes and tokens are made when they are looked at."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .fields import parse_comment, text_of
from .index import EMPTY, MULTIWORD, WORD
from .node import Node, Token

if TYPE_CHECKING:
    from .draft import Draft
    from .treebank import Treebank


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
        from .drawing.svg import svg
        from .drawing.tree import Tree

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
        from .tree import tree_mask

        return bool(tree_mask(self.heads, np.array([0, len(self)]))[0])

    @property
    def is_projective(self) -> bool:
        from .tree import projective_mask

        return bool(projective_mask(self.heads, np.array([0, len(self)]))[0])

    def to_conllu(self) -> str:
        """The bytes of the sentence as text, its blank line included."""
        return self.treebank.block(self.number).decode("utf-8")

    def edit(self) -> Draft:
        """A copy that can be changed."""
        from .draft import Draft

        return Draft.from_sentence(self)
