"""The phrase trees of the systems under test: read from a file, given as objects, or parsed now."""

from __future__ import annotations

from collections.abc import Sequence

from ..phrase.tree import PhraseTree
from ..runs.where import HERE, Where, Workplace
from ..systems.entrants import Entrant
from ..systems.phrase_parsing import ParsedTrees, parse_trees_with


def phrase_trees_of(entrant: Entrant, gold: Sequence[PhraseTree], *, where: Where | Workplace = HERE) -> ParsedTrees:
    """A tree over the words of each gold tree; None where there is no parse."""
    ids = [tree.sent_id for tree in gold]
    return parse_trees_with(entrant.system, [tree.words for tree in gold], ids=ids, where=where)
