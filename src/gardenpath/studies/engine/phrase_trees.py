"""The phrase trees that were judged, as a run keeps them: one JSON value per item."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Any

from ...boundary.structured import read_object
from ...boundary.texts import file_bytes, reading
from ...phrase.formats.notation import from_json, to_json
from ...phrase.tree import PhraseTree
from ...runs.result.encoding import to_text
from ...runs.work.where import HERE, Where, Workplace
from ...systems.parsers.phrase_parsing import ParsedTrees, parse_trees_with

PHRASES = "phrases.jsonl"
"""The name of the file in the folder of a run."""


@dataclass(frozen=True)
class JudgedPhrases:
    """One item: gold, what each system has instead (None: no parse), and the tokens that it is about."""

    suite: str
    scheme: str
    item: str
    gold: PhraseTree
    systems: Mapping[str, PhraseTree | None]
    marked: tuple[int, ...] = ()


def attached(items: Iterable[JudgedPhrases]) -> bytes:
    """The file; lemmas, morphology and comments of trees are left out."""
    lines = []
    for item in items:
        trees = {name: None if tree is None else to_json(_bare(tree)) for name, tree in item.systems.items()}
        value = {"suite": item.suite, "scheme": item.scheme, "item": item.item, "gold": to_json(_bare(item.gold))}
        lines.append(to_text({**value, "systems": trees, "marked": list(item.marked)}).encode("utf-8") + b"\n")
    return b"".join(lines)


def read_judged(path: str | PathLike[str]) -> Iterator[JudgedPhrases]:
    """The items of a file; every tree is checked as if a stranger had written it."""
    place = Path(path)
    for number, line in enumerate(file_bytes(place).split(b"\n"), 1):
        if not line.strip():
            continue
        where = f"{place}:{number}"
        with reading("these are not judged trees", where, "make the run again"):
            value = read_object(line, where, "these are not judged trees: it", "make the run again")
            systems = {str(name): tree and from_json(tree, where) for name, tree in value["systems"].items()}
            gold = from_json(value["gold"], where)
            marked = tuple(int(token) for token in value.get("marked", ()))
            item = JudgedPhrases(str(value["suite"]), str(value["scheme"]), str(value["item"]), gold, systems, marked)
        yield item


def _bare(tree: PhraseTree) -> PhraseTree:
    return replace(tree, lemmas=(), morphs=(), sent_id="", comments=())


def phrase_trees_of(
    parser: Any, gold: Sequence[PhraseTree], *, tagged: bool = False, where: Where | Workplace = HERE
) -> ParsedTrees:
    """Return a tree over the words of each gold tree; None without a parse. `tagged`: the parser gets gold tags."""
    ids = [tree.sent_id for tree in gold]
    tags = [tree.tags for tree in gold] if tagged else []
    return parse_trees_with(parser, [tree.words for tree in gold], ids=ids, tags=tags, where=where)
