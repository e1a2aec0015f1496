"""What a split keeps in the same shares in all parts, such as genre: read off comments, or off ids."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import unknown_name
from .treebank import Treebank

ID = "id"
"""Stands for what the ids of documents, or else of sentences, begin with: `weblog` of `weblog-blogspot.com_…`."""
_PREFIX = re.compile(r"[^\W\d_]+")
_KEY = re.compile(rb"^#[ \t]*([^\s=]+)[ \t]*=", re.MULTILINE)


def strata(treebank: Treebank, key: str) -> tuple[NDArray[Any], list[str]]:
    """The number of each sentence's stratum, and their names; what the head of a document says is good for all of it.

    >>> import gardenpath as gp
    >>> strata(gp.read("bundled:de-test"), "id")[1]
    ['de']
    """
    names = _of_ids(treebank) if key == ID else _of_documents(treebank, treebank.comment_values(key))
    if not any(names):
        keys = Counter(name.decode() for comments in treebank.comment_blocks() for name in set(_KEY.findall(comments)))
        several = [name for name, count in keys.items() if count > 1]
        raise unknown_name("comment", key, [*several, ID], where=treebank.name)
    kinds = sorted(set(names))
    return np.array([kinds.index(name) for name in names]), kinds


def _of_documents(treebank: Treebank, names: list[str]) -> list[str]:
    """Sentences without a name of their own have that of the sentence before, within a document."""
    numbers = treebank.documents
    if numbers is None:
        return names
    filled, document = list[str](), -1
    for name, number in zip(names, numbers.tolist(), strict=True):
        filled.append(name or (filled[-1] if number == document else ""))
        document = number
    return filled


def _of_ids(treebank: Treebank) -> list[str]:
    documents = treebank.comment_values("newdoc id")
    ids = _of_documents(treebank, documents) if any(documents) else treebank.sent_ids
    return [match[0] if (match := _PREFIX.match(text)) else "" for text in ids]
