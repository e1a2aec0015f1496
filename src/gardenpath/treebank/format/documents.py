"""Documents of a treebank, clusters of sentences, and comments of sentences as columns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...stats.sampling import Clusters
from .fields import parse_comment
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
    """Return the clusters of the sentences of a treebank: its documents if it has several, else single sentences.

    A sentence counts as many times as it has words.
    """
    documents = None if independent else treebank.documents
    if documents is None or documents[-1] == 0:
        return Clusters.independent(len(treebank), "sentence", treebank.lengths)
    return Clusters.of(treebank.lengths, document=documents)


_WHOLE_DOCUMENT = "meta::"  # Comments with this prefix are said once, where a document begins, and hold for all of it
_TEXT = frozenset(("text", "text_en"))


def sentence_columns(treebank: Treebank) -> dict[str, Sequence[object]]:
    """Every column with its values, sentence by sentence; None where a sentence has none.

    `length` is the number of words; `document` what `# newdoc` calls it.
    """
    size = len(treebank)
    columns: dict[str, list[object]] = {"length": list(treebank.lengths.tolist())}
    kept: dict[str, str] = {}
    for number, block in enumerate(treebank.comment_blocks()):
        pairs = dict(reversed([pair for pair in map(parse_comment, _comments(block)) if pair]))
        if any(line.split("=")[0].strip() in ("newdoc", "newdoc id") for line in _comments(block)):
            kept = {"document": pairs.pop("newdoc id", "")}
        kept |= {key: value for key, value in pairs.items() if key.startswith(_WHOLE_DOCUMENT)}
        for key, value in (kept | pairs).items():
            if key not in _TEXT:
                columns.setdefault(key, [None] * size)[number] = value
    return dict(columns)


def _comments(block: bytes) -> list[str]:
    return [line[1:].removeprefix(" ") for line in block.decode("utf-8").splitlines() if line.startswith("#")]
