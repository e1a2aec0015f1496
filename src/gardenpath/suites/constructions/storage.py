"""Suite of constructions on disk: a folder with `suite.toml`, `items.tsv` and the trees.

Phrase trees are in `trees.export`, dependency trees in `trees.conllu`. A parallel suite, the same items in several
schemes, is a folder with such a folder for each (`tiger`, `tuebadz`, `ud`). A row of `items.tsv` is an item, with its
tree by number and its node and anchors by tokens. Tokens are counted from 1 in the files. A node is written as its
category and its tokens: `NP 3-4,7`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from os import PathLike
from pathlib import Path

from ...boundary.structured import read_toml
from ...boundary.texts import file_bytes, file_text
from ...errors import InputError, UsageError, unknown_name
from ...formats import Format
from ...phrase.encoding import stretches
from ...phrase.schemes.registry import scheme as known_scheme
from ...phrase.tree import PhraseTree
from ...runs.result.encoding import cell, unescape
from .finding import RULES_VERSION, check_scheme, gold_trees
from .model import ANCHORS, PHENOMENA, SCHEMES, Construction, ConstructionItem, ConstructionSuite

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
        node, flags = node_text(item.tree, construction.node), " ".join(construction.flags)
        values = (item.item, number, construction.phenomenon, construction.variant, node, anchors, flags)
        rows.append("\t".join(map(cell, (*values, *(item.columns.get(name, "") for name in own)))))
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
    runs = stretches(node.mask)
    tokens = ",".join(f"{first + 1}-{last + 1}" if last > first else str(first + 1) for first, last in runs)
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


SUITE, TREES, ARCS, ITEMS = "suite.toml", "trees.export", "trees.conllu", "items.tsv"


def write_constructions(suite: ConstructionSuite | Sequence[ConstructionSuite], path: str | PathLike[str]) -> None:
    """Writes a suite, or those of a parallel one: whole or not at all. Another suite at this place is replaced."""
    from ...runs.record.writing import cannot_write, replace_folder, workplace

    target = Path(path).expanduser().resolve()
    check_target(target)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with workplace(target, folder=True) as workshop:
            made = workshop / "suite"
            made.mkdir()
            if isinstance(suite, ConstructionSuite):
                _write(suite, made)
            else:
                for half in suite:
                    (made / half.scheme).mkdir()
                    _write(half, made / half.scheme)
            replace_folder(made, target)
    except OSError as error:
        raise cannot_write(error, target) from error


def read_constructions(path: str | PathLike[str], scheme: str | None = None) -> ConstructionSuite:
    """The suite in a folder; of a parallel suite the half in this scheme. An InputError says what is wrong where."""
    folder = Path(path)
    if scheme is not None:
        check_scheme(scheme)
    if (folder / SUITE).is_file():
        suite = _read(folder)
        if scheme not in (None, suite.scheme):
            what = f"this suite is in the scheme {suite.scheme}, not {scheme}"
            raise UsageError(what, where=str(folder), todo=f"say {suite.scheme}")
        return suite
    halves = schemes_of(folder)
    if not halves:
        todo = f"a suite of constructions is a folder with {SUITE}, {TREES} (or {ARCS}) and {ITEMS}"
        raise InputError("no suite of constructions is here", where=str(folder), todo=todo)
    if scheme is None and len(halves) > 1:
        what = f"this suite is in {len(halves)} schemes"
        raise UsageError(what, where=str(folder), todo=f"say which: {' or '.join(halves)}")
    if scheme is not None and scheme not in halves:
        raise UsageError(f"this suite has no {scheme}", where=str(folder), todo=f"say {halves[0]}")
    return _read(folder / (scheme or halves[0]))


def read_parallel(path: str | PathLike[str]) -> dict[str, ConstructionSuite]:
    """All schemes of a suite; where there are several, the same items with the same words are in each."""
    folder = Path(path)
    names = schemes_of(folder)
    if not names:
        suite = read_constructions(folder)
        return {suite.scheme: suite}
    halves = {name: read_constructions(folder, name) for name in names}
    first, *others = halves.values()
    known = {item.item: item for item in first.items}
    for part in others:
        if missing := known.keys() ^ {item.item for item in part.items}:
            what = f"item {min(missing)} is in one scheme only"
            raise InputError(what, where=str(folder), todo="a parallel suite has the same items in each")
        for item in part.items:
            twin = known[item.item]
            if twin.construction.phenomenon != item.construction.phenomenon or twin.tree.words != item.tree.words:
                raise InputError(f"item {item.item} is not the same in all schemes", where=str(folder))
    return halves


def read_suites(path: str | PathLike[str]) -> ConstructionSuite | tuple[ConstructionSuite, ...]:
    """What is in a folder, as `write_constructions` takes it: a suite, or those of a parallel one."""
    suites = read_parallel(path)
    return tuple(suites.values()) if schemes_of(path) else next(iter(suites.values()))


def schemes_of(path: str | PathLike[str]) -> tuple[str, ...]:
    """The schemes that a parallel suite has; none if the folder is not one."""
    return tuple(name for name in SCHEMES if (Path(path) / name / SUITE).is_file())


def is_constructions(path: str | PathLike[str]) -> bool:
    """Is there a suite of constructions at this place?"""
    return (Path(path) / SUITE).is_file() or bool(schemes_of(path))


def check_target(target: Path) -> None:
    """Fails where a suite could not be written, or would take the place of something else."""
    if target.is_dir():
        if any(target.iterdir()) and not is_constructions(target):
            what = "this folder holds something that is not a suite of constructions"
            raise UsageError(what, where=str(target), todo="choose a new folder")
    elif target.exists():
        raise UsageError("a suite of constructions is a folder, this is a file", where=str(target))


def _write(suite: ConstructionSuite, folder: Path) -> None:
    check_scheme(suite.scheme)
    trees = suite.trees
    settings = (("name", suite.name), ("release", suite.release), ("scheme", suite.scheme), ("rules", RULES_VERSION))
    lines = "".join(f"{key} = {_toml(value)}\n" for key, value in settings)
    (folder / SUITE).write_text(lines, encoding="utf-8")
    place = folder / trees_name(suite.scheme)
    if place.name == ARCS:
        from ...phrase.dependencies import to_treebank

        place.write_bytes(to_treebank(trees).to_bytes())
    else:
        from ...phrase.formats.source import write

        write(trees, place, "export")
    (folder / ITEMS).write_text(items_text(suite.items, trees), encoding="utf-8")


def _toml(text: str) -> str:
    """A TOML string, which is a JSON string but for one character."""
    import json

    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _read(folder: Path) -> ConstructionSuite:
    path = folder / SUITE
    settings = read_toml(file_bytes(path), str(path))
    for key in ("name", "release", "scheme"):
        if not isinstance(settings.get(key), str):
            raise InputError(f"{key} is missing or no text", where=str(path), todo=f'write {key} = "…"')
    try:
        check_scheme(settings["scheme"])
    except UsageError as error:
        raise InputError(error.what, where=str(path), todo=error.todo) from None
    for name in (trees_name(settings["scheme"]), ITEMS):
        if not (folder / name).is_file():
            raise InputError(f"{name} is missing", where=str(folder), todo=f"a suite has {SUITE}, trees and {ITEMS}")
    trees = _read_trees(folder, settings["scheme"])
    items = read_items(file_text(folder / ITEMS), trees, str(folder / ITEMS))
    return ConstructionSuite(settings["name"], settings["release"], settings["scheme"], items)


def trees_name(scheme: str) -> str:
    """The file of the trees of a suite in this scheme."""
    return ARCS if known_scheme(scheme).arcs else TREES


def _read_trees(folder: Path, scheme: str) -> list[PhraseTree]:
    place = folder / trees_name(scheme)
    if place.name == ARCS:
        return gold_trees(str(place), scheme)
    from ...phrase.formats.source import read

    return read(place, "export")


FORMATS = (
    Format(
        "constructions",
        f"a folder with {SUITE}, {TREES} (or {ARCS}) and {ITEMS}",
        sniff=lambda _, path: is_constructions(path),
        read=read_suites,
        write=write_constructions,
        by_name=True,
    ),
)
