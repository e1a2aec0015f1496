"""A dependency tree whose arcs can be redrawn, and where punctuation hangs in Universal Dependencies."""

from __future__ import annotations

from collections.abc import Callable, Sequence

ROOT = "root"
FINAL = "="
"""What a label begins with that is one of Universal Dependencies already."""
NOMINAL = frozenset("NOUN PROPN PRON NUM SYM DET X".split())


class ArcTree:
    """Words are counted from 1; position 0 of each list stands for the place above the root."""

    def __init__(self, rows: Sequence[Sequence[str]]) -> None:
        """`rows` are the CoNLL-U columns of the words, which are a tree."""
        self.forms = ["", *(row[1].lower() for row in rows)]
        self.upos = ["", *(row[3] for row in rows)]
        self.xpos = ["", *(row[4] for row in rows)]
        self.feats = ["", *(row[5] for row in rows)]
        self.heads = [-1, *(int(row[6]) for row in rows)]
        self.labels = ["", *(row[7].lower() if row[6] != "0" else ROOT for row in rows)]

    @property
    def words(self) -> range:
        return range(1, len(self.heads))

    def labelled(self, *labels: str) -> list[int]:
        """The words with one of these labels."""
        return [word for word in self.words if self.labels[word] in labels]

    def children(self, head: int, *labels: str) -> list[int]:
        """The dependents of a word from left to right: all, or those with one of these labels."""
        return [word for word in self.words if self.heads[word] == head and (not labels or self.labels[word] in labels)]

    def attach(self, word: int, head: int, label: str = "") -> None:
        """Draws a new arc; without a label the word keeps its own."""
        self.heads[word] = head
        self.labels[word] = label or self.labels[word]

    def promote(
        self, word: int, label: str, *, place: str = "", moves: Callable[[int], bool] = lambda child: True
    ) -> None:
        """The word takes the place of its head, which becomes its dependent with this label.

        `place` is the word's new label (none: that of the old head). The old head's other dependents go to the word,
        if `moves` is true of them.
        """
        old = self.heads[word]
        for child in self.children(old):
            if child != word and moves(child):
                self.heads[child] = word
        self.attach(word, self.heads[old], place or self.labels[old])
        self.attach(old, word, label)

    def bottom_up(self) -> list[int]:
        """The words, each before its head."""
        depths = [0] * len(self.heads)
        for word in self.words:
            above = self.heads[word]
            while above > 0:
                depths[word] += 1
                above = self.heads[above]
        return sorted(self.words, key=lambda word: -depths[word])


_PAIRS = {")": "(", "]": "[", "}": "{", "”": "“", "»": "«", "’": "‘", "-rrb-": "-lrb-", "''": "``", '"': '"'}
"""Closing marks and those that open for them."""


def hang_punctuation(tree: ArcTree, label: str) -> None:
    """A pair of marks hangs below the head of what it encloses, a final mark below the head of all before it, and
    one between two units below the lower of their heads."""
    marks = {word for word in tree.labelled(label) if not tree.children(word)}
    enclosing = _enclosing(tree, marks)
    for mark in marks:
        tree.heads[mark] = enclosing.get(mark) or _parted(tree, mark, marks) or tree.heads[mark]


def _enclosing(tree: ArcTree, marks: set[int]) -> dict[int, int]:
    """For both marks of a pair the head of what is between them, where that has one head."""
    heads: dict[int, int] = {}
    opened: list[int] = []
    for mark in sorted(marks):
        if opened and tree.forms[opened[-1]] == _PAIRS.get(tree.forms[mark]):
            begin = opened.pop()
            inside = [word for word in range(begin + 1, mark) if word not in marks]
            tops = [word for word in inside if not begin < tree.heads[word] < mark]
            if len(tops) == 1:
                heads[begin] = heads[mark] = tops[0]
        elif tree.forms[mark] in _PAIRS.values():
            opened.append(mark)
    return heads


def _parted(tree: ArcTree, mark: int, marks: set[int]) -> int:
    """The lower of the heads of what ends and of what begins at the mark; 0 where there is neither."""
    before, after = mark - 1, mark + 1
    while before in marks:
        before -= 1
    while after in marks:
        after += 1
    while before and 0 < tree.heads[before] < mark:
        before = tree.heads[before]
    if after == len(tree.heads):
        return before
    while tree.heads[after] > mark:
        after = tree.heads[after]
    return before if before and tree.heads[before] > mark and not _is_above(tree, before, after) else after


def _is_above(tree: ArcTree, upper: int, word: int) -> bool:
    """Is the one an ancestor of the other? *the dog, which barks, sleeps*: the dog of what begins at the mark."""
    while word and word != upper:
        word = tree.heads[word]
    return word == upper
