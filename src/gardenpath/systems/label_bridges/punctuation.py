"""Where punctuation hangs in Universal Dependencies, whatever the scheme that a tree comes from."""

from __future__ import annotations

from .arcs import ArcTree

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
