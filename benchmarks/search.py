"""`search`: a pattern of three nodes over a treebank, against a Udapi loop and a search over node objects."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from gardenpath.treebank import Treebank, read

from .measure import BenchmarkError, in_process, interleaved
from .setting import Setting, missing
from .table import Table, at_least, compared

SIZE, _PART = 50.0, 10
PATTERN = "V [upos=VERB]; V -[nsubj]-> S; V -[obj]-> O; O << S"
_OURS, _NODES, _UDAPI = "gardenpath", "a loop over our node objects", "a Udapi loop"


def run(setting: Setting) -> list[Table]:
    path, part = setting.folder / "search.conllu", setting.folder / "search-part.conllu"
    size = setting.corpus.write(path, setting.scaled(SIZE))
    part_size = setting.corpus.write(part, setting.scaled(SIZE) / _PART)
    treebank, small = read(path), read(part)
    absent = missing(**{_UDAPI: "udapi"})
    contestants = {
        _OURS: in_process(lambda: len(treebank.search(PATTERN))),
        _NODES: in_process(partial(with_nodes, small)),
    }
    sizes = {_OURS: size, _NODES: part_size}
    expected = len(small.search(PATTERN))
    if with_nodes(small) != expected:
        raise BenchmarkError(f"the loop over nodes finds other matches than gardenpath: {expected}")
    if not absent:
        from udapi.core.document import Document

        document = Document(str(part))
        if with_udapi(document) != expected:
            raise BenchmarkError(f"Udapi finds other matches than gardenpath: {expected}")
        contestants[_UDAPI] = in_process(partial(with_udapi, document))
        sizes[_UDAPI] = part_size
    costs = interleaved(contestants, setting.repeats, setting.tell)
    targets = {_NODES: at_least(10), _UDAPI: at_least(30)}
    rows = compared(costs, ours=_OURS, megabytes=sizes, targets=targets)
    title = f"search: a pattern of three nodes over {size:.0f} MB that are read (one process, CPU time)"
    notes = [f"the loops go over {part_size:.0f} MB: time per MB is compared; all find the same"]
    return [Table(title, rows, [*notes, *absent.values()])]


def with_nodes(treebank: Treebank) -> int:
    """As people write it with objects."""
    return sum(_before_subject(sentence.words) for sentence in treebank)


def with_udapi(document: Any) -> int:
    """The same over Udapi's trees."""
    return sum(_before_subject(tree.descendants) for tree in document.trees)


def _before_subject(words: Iterable[Any]) -> int:
    """Pairs of a verb's object and its subject after it; gardenpath's and Udapi's nodes have the same names."""
    count = 0
    for verb in words:
        if verb.upos != "VERB":
            continue
        subjects = [child for child in verb.children if child.deprel == "nsubj"]
        objects = [child for child in verb.children if child.deprel == "obj"]
        count += sum(obj.ord < subject.ord for subject in subjects for obj in objects)
    return count
