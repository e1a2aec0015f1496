"""Brackets for trees with gaps: leaves carry their place, `(VP (PP 0=Darüber) (VVPP 2=nachgedacht))`.

That is disco-dop's format, places from 0. In treetools' variant the leaves are numbers only (from 1) and the words
follow after a tab. One tree a line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ..errors import InputError
from ..formats import Format
from .brackets import Bracketed, Labels, bracketed, check_words, escaped, has_places, unescaped
from .penn import written
from .tree import ROOT, PhraseTree, grown

_DEFAULT = Labels()
_LEAF = re.compile(r"([0-9]{1,9})=(.+)")
_PLACE = re.compile(r"[0-9]{1,9}")


def read_discbracket(text: str, name: str = "", labels: Labels = _DEFAULT) -> Iterator[PhraseTree]:
    """The trees of a file of either variant. `name` is for messages."""
    split = labels.splitter()
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        brackets, _, behind = line.rstrip("\r").partition("\t")
        where = f"{name}:{number}"
        trees = list(bracketed(brackets, name, labels.virtual, number))
        if len(trees) != 1:
            raise InputError(f"{len(trees)} trees on a line", where=where, todo="one tree a line")
        (tree,) = trees
        order, words = _leaves(tree, behind, where)
        size = len(words)
        tags = [split(tree.tags[at]) for at in order]
        inner = [split(one) for one in tree.names]
        mothers = [tree.token_mothers[at] for at in order] + tree.mothers
        yield grown(
            words,
            [tag for tag, _ in tags],
            [label for label, _ in inner],
            [function for _, function in tags + inner],
            [mother if mother == ROOT else mother + size for mother in mothers],
            where=where,
        )


def _leaves(tree: Bracketed, behind: str, where: str) -> tuple[list[int], list[str]]:
    """The leaves in the order of the sentence, and the words."""
    matches = [_LEAF.fullmatch(leaf) for leaf in tree.words]
    if all(matches):
        places = [int(match[1]) for match in matches if match]
        words = {place: unescaped(match[2]) for place, match in zip(places, matches, strict=True) if match}
        first = 0
    else:
        if not all(_PLACE.fullmatch(leaf) for leaf in tree.words):
            wrong = next(leaf for leaf, match in zip(tree.words, matches, strict=True) if not match)
            todo = "leaves are 0=word, 1=word, …, or numbers with the words after a tab; plain brackets are `penn`"
            raise InputError(f"the leaf {wrong!r} has no place", where=where, todo=todo)
        places = [int(leaf) for leaf in tree.words]
        first = min(places, default=1)
        words = dict(enumerate((unescaped(word) for word in behind.split(" ") if word), first))
    order = sorted(range(len(places)), key=places.__getitem__)
    expected = list(range(first, first + len(places)))
    if sorted(places) != expected or len(words) != len(places) or first > 1:
        what = f"the leaves are not the words {expected[0] if expected else 0} to {first + len(words) - 1}"
        raise InputError(what, where=where, todo="each word stands in the tree once")
    return order, [words[place] for place in expected]


def write_discbracket(
    trees: Iterable[PhraseTree], labels: Labels = _DEFAULT, *, numbered: bool = False
) -> Iterator[str]:
    """One tree a line; `numbered` writes treetools' variant."""
    join = labels.joiner()
    for number, tree in enumerate(trees, 1):
        where = f"sentence {tree.sent_id or number}"
        check_words(tree.words, where)
        if numbered:
            leaves = [str(at) for at in range(1, len(tree) + 1)]
            yield f"{written(tree, join, leaves, where)}\t{' '.join(tree.words)}\n"
        else:
            leaves = [f"{at}={escaped(word)}" for at, word in enumerate(tree.words)]
            yield f"{written(tree, join, leaves, where)}\n"


FORMATS = (
    Format(
        "discbracket",
        "brackets with places, of disco-dop and treetools",
        (".discbracket", ".dbr"),
        sniff=lambda data, _: has_places(data),
        read=lambda data, name, how: read_discbracket(how.text(data, name), name, how.labels),
        write=write_discbracket,
    ),
)
