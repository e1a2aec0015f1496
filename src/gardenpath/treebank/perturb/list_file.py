"""A kind of one's own in a file: groups of words that can replace each other, with all their forms."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from ...boundary.structured import read_toml
from ...boundary.texts import file_bytes
from ...errors import InputError
from ...runs.signature import digest
from .edit import check_value
from .lexicon import NO_FORM, lexicon_of
from .wordlists import WordList

if TYPE_CHECKING:
    from .registry import PerturbationSettings

_KEYS = frozenset("upos cells feats genitive divided unmodified bound groups note".split())
_GROUP_KEYS = frozenset("upos cells feats values fixed".split())
_TODO = "see docs/perturbations.md, A list of your own"


def list_from_file(path: str, settings: PerturbationSettings) -> WordList:
    """The list as a perturbation, named after its file."""
    data = file_bytes(path, "the list", _TODO)
    table = read_toml(data, path, _TODO)
    _check(table, path)
    try:
        words = lexicon_of(table)
    except (ValueError, TypeError, AttributeError) as error:
        raise InputError(f"the list cannot be used: {error}", where=path, todo=_TODO) from None
    for form in words.by_form:
        check_value(form, path)
    if any(entry.lemma == NO_FORM for group in words.groups.values() for entry in group.entries):
        raise InputError("the first form of a word is missing", where=path, todo=_TODO)
    made = WordList(PurePath(path).stem.replace(" ", "-"), settings, words)
    made.signature = f"{made.name}(file={digest(data)[:12]},set={settings.split if words.divided else 'all'})"
    return made


def _check(table: Mapping[str, Any], path: str) -> None:
    groups = table.get("groups")
    if not isinstance(groups, dict) or not groups or not all(isinstance(group, dict) for group in groups.values()):
        raise InputError("there are no groups of words in it", where=path, todo=_TODO)
    unknown = [key for key in table if key not in _KEYS]
    unknown += [f"{name}.{key}" for name, group in groups.items() for key in group if key not in _GROUP_KEYS]
    if unknown:
        raise InputError(f"unknown: {', '.join(unknown)}", where=path, todo=_TODO)
    for name, group in groups.items():
        values = group.get("values")
        if not isinstance(values, (str, list)) or not all(isinstance(value, str) for value in values):
            raise InputError(f"{name} has no values", where=path, todo="a string of words, or a list of strings")
