"""Phrase trees of sentences by any phrase parser: what it is asked, and what comes back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...errors import SystemFailure, UsageError
from ...phrase.formats.notation import from_json, to_json
from ...phrase.tree import PhraseTree
from ...runs.work.where import HERE, Where, Workplace
from ..asking.exchange import SentenceBlock, ask_sentences, loaded, note_on, problem_of
from ..asking.protocol import PHRASE_PARSER, PhraseParser, Sentences
from ..asking.registry import phrase_parser

Trees = list[PhraseTree | None]


@dataclass(frozen=True)
class ParsedTrees:
    """A tree for each sentence, None where there is none, and what was counted on the way."""

    trees: Trees
    failures: Counter[str]
    signature: str
    notes: tuple[str, ...] = ()


def parse_trees_with(
    parser: str | PhraseParser,
    sentences: Sentences,
    *,
    ids: Sequence[str] = (),
    tags: Sentences = (),
    where: Where | Workplace = HERE,
) -> ParsedTrees:
    """The trees of sentences. What was parsed before comes from the cache, and then no model is loaded.

    `ids` help to find the trees of a file; `tags` of all words are given to a parser that can use them.
    """
    given = phrase_parser(parser) if isinstance(parser, str) else parser
    if tags and not hasattr(given, "parse_tagged"):
        raise UsageError("this parser cannot be given tags", where=given.name, todo="leave out --gold tags")
    find = getattr(given, "found", None)
    if find is not None:
        trees: Trees = find(sentences, ids)
        _check(given.name, sentences, trees, 1)
        return ParsedTrees(trees, Counter(), given.signature)
    block = replace(PhraseParserInput.of(sentences, tags=tags), name=given.name)
    ((parsed, failed),) = ask_sentences([block], given, where)
    notes = tuple(note_on(failure) for failure in list(failed.values())[:1])
    return ParsedTrees(parsed, Counter(map(problem_of, failed.values())), given.signature, notes)


@dataclass(frozen=True)
class PhraseParserInput(SentenceBlock):
    """Sentences to parse, and the parser's name for messages."""

    label, role = "phrase parsing", PHRASE_PARSER
    name: str = ""

    @staticmethod
    def answer(name: str, signature: str, block: SentenceBlock) -> list[dict[str, Any] | None]:
        """The trees of one piece as JSON values."""
        parser: PhraseParser = loaded(name, signature, PHRASE_PARSER)
        if block.tags:
            trees: Trees = parser.parse_tagged(block.sentences, block.tags)  # type: ignore[attr-defined]
        else:
            trees = parser.parse_trees(block.sentences)
        _check(parser.name, block.sentences, trees, block.first)
        return [None if tree is None else to_json(tree) for tree in trees]

    def received(self, answer: list[Any]) -> Trees:
        parsed = [None if value is None else from_json(value, self.name) for value in answer]
        _check(self.name, self.sentences, parsed, self.first)
        return parsed


def _check(name: str, sentences: Sentences, trees: Sequence[PhraseTree | None], first: int) -> None:
    """One tree or None for each sentence, over its very words."""
    if len(trees) != len(sentences):
        raise SystemFailure(f"{len(trees)} trees for {len(sentences)} sentences", where=name)
    for number, (sentence, tree) in enumerate(zip(sentences, trees, strict=True), first):
        difference = None if tree is None else word_difference(sentence, tree.words)
        if difference:
            raise SystemFailure(f"the tree has other words: {difference}", where=f"{name}: sentence {number}")


def word_difference(asked: Sequence[str], there: Sequence[str]) -> str:
    """The first token in which two sentences differ, in words; empty if they are the same."""
    pairs = zip(asked, there, strict=False)
    at = next((place for place, (mine, other) in enumerate(pairs) if mine != other), min(len(asked), len(there)))
    if at == len(asked) == len(there):
        return ""
    mine, other = (repr(words[at]) if at < len(words) else "no more" for words in (asked, there))
    return f"token {at + 1} is {mine} in the input and {other} in the tree"
