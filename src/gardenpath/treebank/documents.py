"""The documents of a treebank, and what of it was sampled together."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..stats.sampling import Clusters
from .treebank import Treebank

_NEW_DOCUMENT = re.compile(rb"^#\s*newdoc(\s|$)", re.MULTILINE)


def document_numbers(treebank: Treebank) -> NDArray[Any] | None:
    """The number of each sentence's document; what stands before the first `# newdoc` is one of its own.

    None where the treebank does not say where documents begin.
    """
    if not _NEW_DOCUMENT.search(treebank.data):
        return None
    begins, firsts = treebank.index.blocks, treebank.index.starts[treebank.index.rows[:-1]]
    heads = (treebank.data[begin:end] for begin, end in zip(begins[:-1].tolist(), firsts.tolist(), strict=True))
    new = np.array([_NEW_DOCUMENT.search(head) is not None for head in heads])
    new[0] = True
    return np.cumsum(new) - 1


def sentence_clusters(treebank: Treebank, independent: bool = False) -> Clusters:
    """What the sentences of a treebank were sampled in: documents, where it has several, else one by one."""
    documents = None if independent else document_numbers(treebank)
    if documents is None or documents[-1] == 0:
        return Clusters.independent(len(treebank), "sentence")
    return Clusters(("document",), (documents,))
