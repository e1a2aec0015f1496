"""A treebank from drafts."""

from __future__ import annotations

from collections.abc import Iterable

from .draft import Draft
from .treebank import Treebank


def from_drafts(drafts: Iterable[Draft], name: str = "<built>") -> Treebank:
    """A treebank of built sentences, read back from their CoNLL-U so that only valid rows come to be.

    >>> from gardenpath import Draft, Word
    >>> from_drafts([Draft([Word("Komm", head=0, deprel="root"), Word("!", head=1, deprel="punct")])])[0].text
    'Komm !'
    """
    return Treebank("".join(draft.to_conllu() for draft in drafts).encode("utf-8"), name=name)
