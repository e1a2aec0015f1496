"""What a page shows of judged phrase trees: gold and every system's tree of each item, as columns of numbers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ...phrase.tree import PhraseTree
from ...studies.judged_phrases import JudgedPhrases
from .codes import Codes

if TYPE_CHECKING:
    import polars


def phrase_sentences(
    items: Iterable[JudgedPhrases], rows: polars.DataFrame, most: int
) -> tuple[dict[str, Any], list[int]]:
    """The first items with their trees, and for each observation the number of its item (-1: not in the page)."""
    all_items = list(items)
    shown, labels = all_items[:most], Codes()
    systems = list(dict.fromkeys(name for one in all_items for name in one.systems))
    # Items of a parallel suite have the same names in both schemes.
    twice = len({one.item for one in all_items}) < len(all_items)
    made = {
        "kind": "phrases",
        "left_out": len(all_items) - len(shown),
        "ids": [f"{one.item} ({one.scheme or one.suite})" if twice else one.item for one in shown],
        "texts": [" ".join(one.gold.words) for one in shown],
        "forms": [list(one.gold.words) for one in shown],
        "marked": [[token + 1 for token in one.marked] for one in shown],
        "gold": [_tree(one.gold, one.gold, labels) for one in shown],
        "systems": {name: [_tree(one.systems.get(name), one.gold, labels) for one in shown] for name in systems},
        "labels": labels.values,
    }
    judged = {name: {at for at, one in enumerate(all_items) if name in one.systems} for name in systems}
    made["judged"] = {name: sorted(places) for name, places in judged.items() if len(places) < len(all_items)}
    return made, _places(shown, rows)


def _tree(tree: PhraseTree | None, gold: PhraseTree, labels: Codes) -> dict[str, Any] | None:
    if tree is None:
        return None
    made: dict[str, Any] = {
        "tags": labels.codes(tree.tags),
        "labels": labels.codes(tree.labels),
        "functions": labels.codes(tree.functions),
        "mothers": list(tree.mothers),
    }
    if tree.secondary:
        made["secondary"] = [list(edge) for edge in tree.secondary]
    if tree.words != gold.words:
        made["words"] = list(tree.words)
    return made


def _places(shown: list[JudgedPhrases], rows: polars.DataFrame) -> list[int]:
    has_scheme = "scheme" in rows.columns
    known = {(one.suite, one.scheme if has_scheme else "", one.item): at for at, one in enumerate(shown)}
    schemes = rows["scheme"].to_list() if has_scheme else [""] * len(rows)
    keys = zip(rows["suite"].to_list(), schemes, rows["item"].to_list(), strict=True)
    return [known.get((str(suite or ""), str(scheme or ""), str(item)), -1) for suite, scheme, item in keys]
