"""Sentences as lists of words, and their surprisals as a file: what tests of language models read and write."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gardenpath.systems.files.surprisal_file import HEADER
from gardenpath.systems.files.text_input import read_stretches
from gardenpath.treebank.format.reading import Source


def read_sentences(source: Source | Iterable[Source]) -> list[list[str]]:
    """All sentences at once."""
    return [sentence for stretch in read_stretches(source) for sentence in stretch.sentences()]


def to_lm_zoo(sentences: Sequence[Sequence[str]], surprisals: Sequence[Sequence[float]]) -> str:
    """The table of LM Zoo, counted from 1, as `gardenpath score` and `surprisals:` have it."""
    lines = ["\t".join(HEADER)]
    for number, (tokens, values) in enumerate(zip(sentences, surprisals, strict=True), 1):
        lines += [
            f"{number}\t{place}\t{token}\t{float(value)!r}"
            for place, (token, value) in enumerate(zip(tokens, values, strict=True), 1)
        ]
    return "\n".join(lines) + "\n"
