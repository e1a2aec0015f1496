"""A phrase tree as a JSON value: its columns by name, checked like any other input when it comes back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..errors import InputError
from .tree import PhraseTree, grown

_TEXTS = ("lemmas", "morphs", "comments")


def to_json(tree: PhraseTree) -> dict[str, Any]:
    """Columns that are empty are left out."""
    content: dict[str, Any] = {
        "words": list(tree.words),
        "tags": list(tree.tags),
        "labels": list(tree.labels),
        "functions": list(tree.functions),
        "mothers": list(tree.mothers),
    }
    if tree.secondary:
        content["secondary"] = [list(edge) for edge in tree.secondary]
    content |= {name: list(getattr(tree, name)) for name in _TEXTS if getattr(tree, name)}
    if tree.sent_id:
        content["sent_id"] = tree.sent_id
    return content


def from_json(value: Mapping[str, Any], where: str = "") -> PhraseTree:
    try:
        return grown(
            value["words"],
            value["tags"],
            value["labels"],
            value["functions"],
            value["mothers"],
            [(node, label, mother) for node, label, mother in value.get("secondary", [])],
            sent_id=value.get("sent_id", ""),
            where=where,
            **{name: value.get(name, ()) for name in _TEXTS},
        )
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(f"this is not a tree in JSON: {type(error).__name__}: {error}", where=where) from error
