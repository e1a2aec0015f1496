"""What public data there is: a record per name, from `catalogue.toml` and the family of UD treebanks."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from ..errors import unknown_name
from .record import Record


@cache
def _catalogue() -> dict[str, Record]:
    text = (Path(__file__).parent / "catalogue.toml").read_text(encoding="utf-8")
    return {name: _record(name, entry) for name, entry in tomllib.loads(text).items()}


def _record(name: str, entry: dict[str, Any]) -> Record:
    return Record(
        name=name,
        title=entry["title"],
        about=entry["about"],
        urls=tuple(entry.get("urls", ())),
        licence=entry["licence"],
        citation=entry["citation"].strip() + "\n",
        place=entry["place"],
        sha256=entry.get("sha256"),
        moves=entry.get("moves", {}),
        expects=tuple(entry.get("expects", ())),
        keeps=tuple(entry.get("keeps", ())),
        layout=entry.get("layout", ""),
        language=entry.get("language", ""),
        exams={language: tuple(parts) for language, parts in entry.get("exams", {}).items()},
        by_hand=entry.get("by_hand", ""),
    )


def records() -> list[Record]:
    """All records of the catalogue, by name; UD treebanks are a family of their own, see `ud.treebanks`."""
    return [record for _, record in sorted(_catalogue().items())]


def find(name: str, *, unlisted: bool = False) -> Record:
    """The record of a name: `sorts`, `sorts@2020`, `ud:German-GSD`, `ud:German-GSD@2.14`.

    `unlisted` lets UD treebanks pass that are not in the list of known ones (a mirror may have them).
    """
    if name.lower().startswith("ud:"):
        from .ud import treebank_record

        return treebank_record(name, unlisted=unlisted)
    catalogue = _catalogue()
    if name not in catalogue:
        raise unknown_name("data", name, [*catalogue, "ud:LANGUAGE-TREEBANK"])
    return catalogue[name]


def is_data_name(name: str) -> bool:
    """Does this name data of the catalogue (or `bundled:`, `ud:`) or a part of it, and no file that is here?

    >>> is_data_name("sorts"), is_data_name("ud:English-EWT/test"), is_data_name("my/sorts")
    (True, True, False)
    """
    data, _ = divided(name)
    return not _is_here(name) and (data.startswith(("bundled:", "ud:")) or data in _catalogue())


def divided(name: str) -> tuple[str, str]:
    """The name of the data, and which part of it is meant: `sorts/german/german_amb_gold.conll`, `ud:English-EWT/test`.

    >>> divided("ud:English-EWT@2.14/test"), divided("blimp")
    (('ud:English-EWT@2.14', 'test'), ('blimp', ''))
    """
    data, _, part = name.partition("/")
    return data, part


def _is_here(name: str) -> bool:
    try:
        return Path(name).exists()
    except (OSError, ValueError):  # a name that no file can have
        return False


def cite(*names: str) -> str:
    """BibTeX entries for these data, each entry once."""
    entries: dict[str, None] = {}
    for name in names:
        entries.update(dict.fromkeys(find(divided(name)[0]).citation.strip().split("\n\n")))
    return "\n\n".join(entries) + "\n"
