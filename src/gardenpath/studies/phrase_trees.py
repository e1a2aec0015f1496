"""The phrase trees of the systems under test: read from a file, given as objects, or parsed now."""

from __future__ import annotations

from collections.abc import Sequence

from ..phrase.tree import PhraseTree
from ..runs.where import HERE, Where, Workplace
from ..systems.entrants import Entrant
from ..systems.phrase_parsing import ParsedTrees, parse_trees_with


def phrase_trees_of(
    entrant: Entrant, gold: Sequence[PhraseTree], *, tagged: bool = False, where: Where | Workplace = HERE
) -> ParsedTrees:
    """A tree over the words of each gold tree; None where there is no parse. `tagged`: the parser gets gold tags."""
    ids = [tree.sent_id for tree in gold]
    tags = [tree.tags for tree in gold] if tagged else []
    return parse_trees_with(entrant.system, [tree.words for tree in gold], ids=ids, tags=tags, where=where)
