"""Sentences as lists of words, on their way to a phrase parser or a language model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from ..runs.signature import digest
from .asking import Exchange
from .protocol import Sentences

Received = TypeVar("Received")


@dataclass(frozen=True, slots=True)
class SentenceBlock:
    """Sentences, the number of the first, for messages, and the tags of all words, where they are given."""

    sentences: tuple[tuple[str, ...], ...]
    first: int = 1
    tags: tuple[tuple[str, ...], ...] = ()

    @classmethod
    def of(cls, sentences: Sentences, first: int = 1, tags: Sentences = ()) -> SentenceBlock:
        return cls(tuple(tuple(words) for words in sentences), first, tuple(tuple(given) for given in tags))

    def part(self, begin: int, end: int) -> SentenceBlock:
        return SentenceBlock(self.sentences[begin:end], self.first + begin, self.tags[begin:end])


class OfSentences(Exchange[SentenceBlock, Received]):
    """What phrase parsers and language models have in common: they are asked about words."""

    def size(self, units: SentenceBlock) -> int:
        return len(units.sentences)

    def cut(self, units: SentenceBlock, size: int | None) -> list[SentenceBlock]:
        total = len(units.sentences)
        step = size or max(1, total)
        return [units.part(begin, min(begin + step, total)) for begin in range(0, total, step)]

    def halves(self, units: SentenceBlock) -> list[SentenceBlock]:
        total = len(units.sentences)
        middle = (total + 1) // 2
        return [units.part(0, middle), units.part(middle, total)] if total > 1 else []

    def joined(self, blocks: list[SentenceBlock]) -> SentenceBlock:
        tags = tuple(given for block in blocks for given in block.tags)
        return SentenceBlock(tuple(words for block in blocks for words in block.sentences), blocks[0].first, tags)

    def request(self, units: SentenceBlock, time_limit: float | None) -> SentenceBlock:
        return units

    def key(self, request: SentenceBlock) -> str:
        tags = ["tags", *("\x1f".join(given) for given in request.tags)] if request.tags else []
        return digest(*("\x1f".join(words) for words in request.sentences), *tags)
