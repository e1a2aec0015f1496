"""The documents of a treebank, and what of it was sampled together."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..stats.sampling import Clusters
from .index import frozen

if TYPE_CHECKING:
    from .treebank import Treebank

_NEW_DOCUMENT = re.compile(rb"^#\s*newdoc(\s|$)", re.MULTILINE)


def document_numbers(treebank: Treebank) -> NDArray[np.int64] | None:
    """`Treebank.documents`; what stands before the first `# newdoc` is a document of its own."""
    begins, ends = treebank.comment_spans
    words, word = [], treebank.data.find(b"newdoc")
    while word >= 0:
        words.append(word)
        word = treebank.data.find(b"newdoc", word + 1)
    new = np.zeros(len(begins), dtype=bool)
    for sentence in set((np.searchsorted(begins, words, side="right") - 1).tolist()):
        new[sentence] = _NEW_DOCUMENT.search(treebank.data, begins[sentence], ends[sentence]) is not None
    if not new.any():
        return None
    new[0] = True
    return frozen(np.cumsum(new) - 1)


def sentence_clusters(treebank: Treebank, independent: bool = False) -> Clusters:
    """What the sentences of a treebank were sampled in: documents, where it has several, else one by one."""
    documents = None if independent else treebank.documents
    if documents is None or documents[-1] == 0:
        return Clusters.independent(len(treebank), "sentence")
    return Clusters(("document",), (documents,))
