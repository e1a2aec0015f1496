"""Brackets as in the Penn Treebank, `( (S (NP-SBJ-1 (DT The) …)))`: also of TIGER and TüBa-D/Z, with functions.

Brackets have no place for gaps, secondary edges, lemmas and morphology. Words `-LRB-` and `-RRB-` are brackets.
An empty bracket `(())` is a sentence that a parser had no tree for: a tree without words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from ..errors import InputError
from ..formats import Format
from .brackets import Bracketed, Labels, bracketed, check_words, escaped, first_leaf, has_places, unescaped
from .tree import ROOT, PhraseTree, grown

NONE = "-NONE-"
_DEFAULT = Labels()
_MARKUP = re.compile(r"^<.*$", re.MULTILINE)
"""Lines of SGML between the trees, as in the Chinese Treebank."""


def read_penn(text: str, name: str = "", labels: Labels = _DEFAULT) -> Iterator[PhraseTree]:
    """The trees of a file; they may go over several lines. `name` is for messages."""
    split = labels.splitter()
    if "<" in text:
        text = _MARKUP.sub("", text)
    for tree in bracketed(text, name, labels.virtual):
        if not labels.empty and NONE in tree.tags:
            tree = without_empty(tree)
        size = len(tree.words)
        tags = [split(one) for one in tree.tags]
        inner = [split(one) for one in tree.names]
        yield grown(
            [unescaped(word) for word in tree.words],
            [tag for tag, _ in tags],
            [label for label, _ in inner],
            [function for _, function in tags + inner],
            [mother if mother == ROOT else mother + size for mother in tree.token_mothers + tree.mothers],
            where=f"{name}:{tree.line}",
        )


def without_empty(tree: Bracketed) -> Bracketed:
    """Without traces, and without the nodes that hold nothing else."""
    kept = [at for at, tag in enumerate(tree.tags) if tag != NONE]
    alive = set[int]()
    for mother in (tree.token_mothers[at] for at in kept):
        while mother != ROOT and mother not in alive:
            alive.add(mother)
            mother = tree.mothers[mother]
    new = {ROOT: ROOT} | {old: at for at, old in enumerate(sorted(alive))}
    return Bracketed(
        tree.line,
        [tree.tags[at] for at in kept],
        [tree.words[at] for at in kept],
        [new[tree.token_mothers[at]] for at in kept],
        [tree.names[old] for old in sorted(alive)],
        [new[tree.mothers[old]] for old in sorted(alive)],
    )


def write_penn(trees: Iterable[PhraseTree], labels: Labels = _DEFAULT) -> Iterator[str]:
    """One tree a line, the virtual root as a bracket without a label; an error for a node with a gap."""
    join = labels.joiner()
    for number, tree in enumerate(trees, 1):
        where = f"sentence {tree.sent_id or number}"
        check_words(tree.words, where)
        for node in tree.inner:
            if node.has_gap:
                raise InputError(
                    f"brackets cannot hold the node {node.label} over {' '.join(node.words)[:60]!r}: it has a gap",
                    where=where,
                    todo="raise or split such nodes first, or write discbracket, export or tigerxml",
                )
        yield written(tree, join, [escaped(word) for word in tree.words], where) + "\n"


def written(tree: PhraseTree, join: Callable[[str, str], str], leaves: list[str], where: str) -> str:
    """A tree in brackets with these leaves, children in the order of their first tokens."""
    size = len(tree)
    try:
        names = [join(tree.node_label(node), function) for node, function in enumerate(tree.functions)]
    except InputError as error:
        raise InputError(error.what, where=where, todo=error.todo) from None
    texts = [f"({name} {leaf})" for name, leaf in zip(names, leaves, strict=False)]
    for node in range(size, len(names)):  # daughters have lower numbers
        texts.append(f"({names[node]} {' '.join([texts[child] for child in tree.children[node]])})")
    return f"( {' '.join([texts[child] for child in tree.children[ROOT]])})"


def looks_like_penn(data: bytes) -> bool:
    """Brackets with words, or the empty brackets of a sentence without a tree."""
    if first_leaf(data) is None:
        return re.match(rb"\(\s*\(?\s*\)", data) is not None
    return not has_places(data)


FORMATS = (
    Format(
        "penn",
        "brackets as in the Penn Treebank",
        (".mrg", ".penn", ".ptb", ".brackets"),
        sniff=lambda data, _: looks_like_penn(data),
        read=lambda data, name, how: read_penn(how.text(data, name), name, how.labels),
        write=write_penn,
    ),
)
