"""Reading a CoNLL-U file until heads and relations of all sentences are usable: ours, and the peers' own way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gardenpath

OURS, UDPIPE, UDAPI, CONLLU = "gardenpath", "ufal.udpipe", "Udapi", "conllu"
MODULES = {UDPIPE: "ufal.udpipe", UDAPI: "udapi", CONLLU: "conllu"}

Facts = tuple[int, int, Counter[str]]
"""Sentences, the sum of all heads, and the relations: equal if all have read the same."""


def with_gardenpath(path: Path) -> Any:
    treebank = gardenpath.read(path)
    return treebank, treebank.heads, treebank.column("deprel")


def with_udpipe(path: Path) -> Any:
    from ufal.udpipe import InputFormat, ProcessingError, Sentence

    reader, error = InputFormat.newConlluInputFormat(), ProcessingError()
    reader.setText(path.read_text(encoding="utf-8"))
    sentences = []
    while True:
        sentence = Sentence()
        if not reader.nextSentence(sentence, error):
            break
        sentences.append(sentence)
    if error.occurred():
        raise ValueError(error.message)
    return sentences


def with_udapi(path: Path) -> Any:
    from udapi.core.document import Document

    return Document(str(path))


def with_conllu(path: Path) -> Any:
    from conllu import parse_incr

    with path.open(encoding="utf-8") as source:
        return list(parse_incr(source))


READERS: dict[str, Callable[[Path], Any]] = {
    OURS: with_gardenpath,
    UDPIPE: with_udpipe,
    UDAPI: with_udapi,
    CONLLU: with_conllu,
}


def facts(name: str, read: Any) -> Facts:
    """What a reader has read, seen through its own objects."""
    if name == OURS:
        treebank, heads, deprel = read
        return len(treebank), int(heads.sum()), Counter(deprel.counts())
    words: list[tuple[int, str]]
    if name == UDPIPE:
        # The first word of a sentence is its technical root.
        words = [(word.head, word.deprel) for sentence in read for word in list(sentence.words)[1:]]
        count = len(read)
    elif name == UDAPI:
        words = [(node.parent.ord, node.deprel) for node in read.nodes]
        count = len(read.bundles)
    else:
        words = [(word["head"], word["deprel"]) for tree in read for word in tree if isinstance(word["id"], int)]
        count = len(read)
    return count, sum(head for head, _ in words), Counter(deprel for _, deprel in words)
