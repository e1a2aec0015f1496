"""`trees:FILE`: phrase trees that a parser wrote into a file, found again by sentence id, words or order."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ..errors import InputError
from ..phrase.source import files, read
from ..phrase.tree import ROOT, PhraseTree, grown
from ..runs.inputs import describe_input
from ..runs.signature import digest, signature
from .answer import Key
from .conllu_file import aligned
from .phrase_parsing import word_difference
from .protocol import Habits

NO_PARSE = "NOPARSE"
"""The label above the words of a sentence that a parser did not parse, as disco-dop and others write it; others write
an empty bracket, `(())`."""


class TreeFile:
    """Phrase trees in any format that can be read: a file, folder or glob.

    There may be more than are asked for, in another order, or fewer.
    """

    habits = Habits(chunk=None, cached=False)

    def __init__(self, argument: str) -> None:
        self.path = Path(argument).expanduser().resolve()
        self.name = f"trees:{self.path}"
        self.files = files(str(self.path))
        self._trees = read(self.files)

    @property
    def signature(self) -> str:
        sums = [str(describe_input(Path(file))["sha256"]) for file in self.files]
        return signature(("kind", "trees"), ("file", (sums[0] if len(sums) == 1 else digest(*sums))[:12]))

    def parse_trees(self, sentences: Sequence[Sequence[str]]) -> list[PhraseTree | None]:
        return self.found(sentences, ())

    def found(self, sentences: Sequence[Sequence[str]], ids: Sequence[str]) -> list[PhraseTree | None]:
        """The trees of these sentences; a file of another text is a mistake of the call, not of the parser."""
        names = list(ids) or [""] * len(sentences)
        asked = [Key(tuple(words), sent_id) for words, sent_id in zip(sentences, names, strict=True)]
        there = [Key(tree.words, tree.sent_id) for tree in self._trees]
        by, places = aligned(asked, there)
        found: list[PhraseTree | None] = []
        for number, (words, place) in enumerate(zip(sentences, places, strict=True)):
            tree = None if place is None else self._trees[place]
            if tree is not None and words and not len(tree):
                tree = None
            difference = None if tree is None else word_difference(words, tree.words)
            if difference:
                raise InputError(
                    f"sentence {names[number] or number + 1} differs: {difference}",
                    where=str(self.path),
                    todo=f"the sentences were aligned by {by}: is this the output for this input?",
                )
            found.append(None if tree is None or is_no_parse(tree) else tree)
        return found


def flat_tree(words: Sequence[str]) -> PhraseTree:
    """What stands in a file for a sentence without a parse: all words below NOPARSE."""
    size = len(words)
    return grown(words, ["--"] * size, [NO_PARSE], [""] * (size + 1), [size] * size + [ROOT])


def is_no_parse(tree: PhraseTree) -> bool:
    return bool(tree.labels) and tree.labels[-1] == NO_PARSE
