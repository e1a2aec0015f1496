"""`trees:FILE`: phrase trees that a parser wrote into a file, found again by their words."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ...errors import InputError
from ...phrase.edits.tokens import without_traces
from ...phrase.formats.source import files, read
from ...phrase.tree import ROOT, PhraseTree, grown
from ...runs.record.signatures import describe_input, digest, signature
from ...treebank.trees.alignment import SentenceKey, match
from ..asking.protocol import Habits, Sentences
from ..parsers.phrase_parsing import word_difference

NO_PARSE = "NOPARSE"
"""The label above the words of a sentence that a parser did not parse, as disco-dop and others write it; others write
an empty bracket, `(())`."""


class TreeFile:
    """Phrase trees in any format that can be read: a file, folder or glob.

    There may be more than are asked for, in another order, or fewer.
    """

    habits = Habits(chunk=None, cached=False, repeatable=True)

    def __init__(self, argument: str) -> None:
        self.path = Path(argument).expanduser().resolve()
        self.name = f"trees:{self.path}"
        self.answer_files = files(str(self.path))
        self.stored_trees = read(self.answer_files)

    @property
    def signature(self) -> str:
        sums = [str(describe_input(Path(file))["sha256"]) for file in self.answer_files]
        return signature(("kind", "trees"), ("file", (sums[0] if len(sums) == 1 else digest(*sums))[:12]))

    def parse_trees(self, sentences: Sequence[Sequence[str]]) -> list[PhraseTree | None]:
        return self.found(sentences, ())

    def found(self, sentences: Sequence[Sequence[str]], ids: Sequence[str]) -> list[PhraseTree | None]:
        return trees_for(sentences, ids, self._fitting(sentences), str(self.path))

    def _fitting(self, sentences: Sequence[Sequence[str]]) -> Sequence[PhraseTree]:
        """The trees as they are asked for: without their traces, where more of these have the words of a sentence."""
        spoken, count = without_traces(self.stored_trees)
        if not count:
            return self.stored_trees
        asked = set(map(tuple, sentences))
        return max(spoken, self.stored_trees, key=lambda trees: sum(tree.words in asked for tree in trees))


def trees_for(
    sentences: Sentences, ids: Sequence[str], trees: Sequence[PhraseTree | None], where: str
) -> list[PhraseTree | None]:
    """The trees of these sentences, found by their words and ids; None where there is no parse.

    Trees of another text are a mistake of the call, not of the parser.
    """
    names = list(ids) or [""] * len(sentences)
    asked = [SentenceKey(tuple(words), sent_id) for words, sent_id in zip(sentences, names, strict=True)]
    # An empty bracket stands for a sentence that was not parsed: only its place or id tells which.
    there = [SentenceKey(tree.words or None, tree.sent_id) if tree is not None else SentenceKey(None) for tree in trees]
    places = match(asked, there, near=True)
    if asked and trees and all(place is None for place in places):
        what = f"none of its sentences is asked for; the first input is {' '.join(sentences[0])!r}"
        raise InputError(what, where=where, todo="is this the output for this input?")
    parses: list[PhraseTree | None] = []
    for number, (words, place) in enumerate(zip(sentences, places, strict=True)):
        tree = None if place is None else trees[place]
        if tree is None or (words and not len(tree)):
            parses.append(None)
            continue
        if unlike := word_difference(words, tree.words):
            what = f"sentence {names[number] or number + 1} differs: {unlike}"
            raise InputError(what, where=where, todo="is this the output for this input?")
        parses.append(None if is_no_parse(tree) else tree)
    return parses


def flat_tree(words: Sequence[str]) -> PhraseTree:
    """What stands in a file for a sentence without a parse: all words below NOPARSE."""
    size = len(words)
    return grown(words, ["--"] * size, [NO_PARSE], [""] * (size + 1), [size] * size + [ROOT])


def is_no_parse(tree: PhraseTree) -> bool:
    return bool(tree.labels) and tree.labels[-1] == NO_PARSE
