"""The table of items of a suite: an item a row, with its tree by number and its node and anchors by tokens."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...errors import InputError, unknown_name
from ...phrase.tree import PhraseTree
from ...runs.tsv import cell, unescape
from .model import ANCHORS, PHENOMENA, Construction, ConstructionItem

COLUMNS = ("item", "sentence", "phenomenon", "variant", "node", "anchors", "flags")
"""Those that every table has; an author's own come behind them, and items can be grouped by these."""
_NODE = re.compile(r"(\S+) ([0-9]+(?:[-,][0-9]+)*)(?: /([0-9]+))?$")
_CONJUNCT = re.compile(r"conjunct[1-9][0-9]*$")


def items_text(items: Sequence[ConstructionItem], trees: Sequence[PhraseTree]) -> str:
    """The table; `sentence` is the number of the tree in `trees`, from 1."""
    numbers = {id(tree): at for at, tree in enumerate(trees, 1)}
    own = list(dict.fromkeys(name for item in items for name in item.columns))
    rows = ["\t".join((*COLUMNS, *map(cell, own)))]
    for item in items:
        construction = item.construction
        anchors = " ".join(f"{name}={token + 1 if token >= 0 else '-'}" for name, token in construction.anchors)
        number = str(numbers[id(item.tree)])
        values = (
            item.item,
            number,
            construction.phenomenon,
            construction.variant,
            node_text(item.tree, construction.node),
            anchors,
        )
        more = [item.columns.get(name, "") for name in own]
        rows.append("\t".join(map(cell, (*values, " ".join(construction.flags), *more))))
    return "\n".join(rows) + "\n"


def read_items(text: str, trees: Sequence[PhraseTree], where: str) -> list[ConstructionItem]:
    """The items of a table, each with its tree; what does not fit is named with its line."""
    lines = text.splitlines()
    header = [unescape(name) for name in lines[0].split("\t")] if lines else []
    if tuple(header[: len(COLUMNS)]) != COLUMNS:
        raise InputError("not a table of items", where=f"{where}:1", todo="the columns are " + ", ".join(COLUMNS))
    if "" in header or len(set(header)) < len(header):
        raise InputError("a column without a name, or two of one name", where=f"{where}:1", todo="name each once")
    items: dict[str, ConstructionItem] = {}
    for number, line in enumerate(lines[1:], 2):
        if not line.strip():
            continue
        place = f"{where}:{number}"
        cells = [unescape(one) for one in line.split("\t")]
        if len(cells) != len(header):
            raise InputError(f"{len(cells)} cells instead of {len(header)}", where=place)
        item = _item(dict(zip(header, cells, strict=True)), trees, place)
        if item.item in items or not item.item:
            raise InputError(f"the item {item.item!r} is there twice" if item.item else "no item's name", where=place)
        items[item.item] = item
    return list(items.values())


def node_text(tree: PhraseTree, number: int) -> str:
    """Category and tokens of a node: `NP 3-4,7`; `/2` behind it if it is the second such node from below."""
    node = tree[number]
    runs: list[list[int]] = []
    for token in node.positions:
        if runs and token == runs[-1][-1] + 1:
            runs[-1].append(token)
        else:
            runs.append([token])
    tokens = ",".join(f"{run[0] + 1}-{run[-1] + 1}" if len(run) > 1 else str(run[0] + 1) for run in runs)
    rank = _same(tree, node.label, node.mask).index(number) + 1
    return f"{node.label} {tokens}" + (f" /{rank}" if rank > 1 else "")


def _item(row: dict[str, str], trees: Sequence[PhraseTree], where: str) -> ConstructionItem:
    phenomenon = row["phenomenon"]
    if phenomenon not in PHENOMENA:
        error = unknown_name("phenomenon", phenomenon, PHENOMENA)
        raise InputError(error.what, where=where, todo=error.todo)
    number = row["sentence"]
    if not _is_number(number) or not 1 <= int(number) <= len(trees):
        raise InputError(f"there is no sentence {number!r}", where=where, todo=f"sentences are 1 to {len(trees)}")
    tree = trees[int(number) - 1]
    node = _node(tree, row["node"], where)
    anchors = _anchors(row["anchors"], phenomenon, len(tree), where)
    construction = Construction(phenomenon, row["variant"], node, anchors, tuple(row["flags"].split()))
    own = {name: value for name, value in row.items() if name not in COLUMNS}
    return ConstructionItem(row["item"], tree, construction, own)


def _node(tree: PhraseTree, text: str, where: str) -> int:
    match = _NODE.match(text)
    if match is None:
        raise InputError(f"not a node: {text!r}", where=where, todo="write category and tokens: NP 3-4,7")
    mask = 0
    for run in match[2].split(","):
        first, _, last = run.partition("-")
        begin, end = _token(first, len(tree), where), _token(last or first, len(tree), where)
        mask |= (2 << end) - (1 << begin) if end >= begin else 0
    same = _same(tree, match[1], mask)
    rank = int(match[3] or 1)
    if not 1 <= rank <= len(same):
        raise InputError(f"the tree has no node {text}", where=where, todo="do trees and items belong together?")
    return same[rank - 1]


def _anchors(text: str, phenomenon: str, size: int, where: str) -> tuple[tuple[str, int], ...]:
    anchors: dict[str, int] = {}
    for part in text.split():
        name, equals, token = part.partition("=")
        if not equals or (name not in ANCHORS[phenomenon] and not (phenomenon == "cuc" and _CONJUNCT.match(name))):
            todo = "write " + " ".join(f"{one}=TOKEN" for one in ANCHORS[phenomenon])
            raise InputError(f"not an anchor of {phenomenon}: {part!r}", where=where, todo=todo)
        anchors[name] = -1 if token == "-" else _token(token, size, where)
    if missing := [name for name in ANCHORS[phenomenon] if name not in anchors]:
        raise InputError(f"the anchor {missing[0]} is missing", where=where, todo=f"{missing[0]}=- if there is none")
    return tuple(anchors.items())


def _token(text: str, size: int, where: str) -> int:
    if not _is_number(text) or not 1 <= int(text) <= size:
        raise InputError(f"there is no token {text!r} in the sentence", where=where, todo=f"tokens are 1 to {size}")
    return int(text) - 1


def _same(tree: PhraseTree, label: str, mask: int) -> list[int]:
    """The nodes with this category and these tokens, from below."""
    size = len(tree)
    inner = range(size, len(tree.mothers))
    return [one for one in inner if tree.masks[one] == mask and tree.labels[one - size] == label]


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 10
