"""Python objects as systems: trees that are there already, and functions that parse or score."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import PurePath
from types import CodeType
from typing import Any

import numpy as np

from ...errors import FailedOnInput, GardenpathError, InputError, UnreadableAnswer, UsageError
from ...phrase.tree import PhraseTree
from ...runs.record.signatures import digest, signature
from ...treebank import Draft, Treebank, Word, from_drafts
from ..files.conllu_file import StoredTrees
from .protocol import JUDGE, LANGUAGE_MODEL, PARSER, PHRASE_PARSER, Habits, Sentences
from .request import Request


def adapted(system: Any, role: str) -> Any:
    """An object that plays the role: `Treebank` or trees as they are, or a function of sentences.

    A function gets sentences as lists of words. For a parser it returns CoNLL-U, a `Treebank`, or for each sentence
    a list of (head, label); for a language model a list of surprisals (bits) for each sentence; for a phrase parser a
    `PhraseTree` or None for each. For a chat model it gets questions, and returns an answer to each.
    """
    if role == PARSER and isinstance(system, Treebank):
        return StoredTrees(system, f"conllu:{PurePath(system.name).name or 'trees'}")
    if role == PHRASE_PARSER and isinstance(system, list | tuple):
        return PhraseTreesInMemory(system)
    functions = {
        PARSER: ParserFunction,
        LANGUAGE_MODEL: ScoringFunction,
        PHRASE_PARSER: PhraseFunction,
        JUDGE: ChatFunction,
    }
    if callable(system) and role in functions:
        return functions[role](system)
    todo = "give a name such as kind:argument, an object with the methods of the protocol, or a function"
    raise UsageError(f"a {type(system).__name__} is not a {role}", todo=todo)


class PhraseTreesInMemory:
    """Phrase trees that a parser made, found by words, ids or places, as those of a file are."""

    habits = Habits(chunk=None, cached=False, repeatable=True)

    def __init__(self, trees: Sequence[PhraseTree | None]) -> None:
        from ...phrase.formats.notation import to_notation

        self.stored_trees = list(trees)
        shown = ["" if tree is None else f"{tree.sent_id}\t{to_notation(tree)}" for tree in trees]
        self.name = "trees:in memory"
        self.signature = signature(("kind", "trees"), ("file", digest(*shown)[:12]))

    def parse_trees(self, sentences: Sentences) -> list[PhraseTree | None]:
        return self.found(sentences, ())

    def found(self, sentences: Sentences, ids: Sequence[str]) -> list[PhraseTree | None]:
        from ..files.tree_file import trees_for

        return trees_for(sentences, ids, self.stored_trees, self.name)


class _Function:
    """A function of Python. What it answers decides its signature, because nothing else tells two of them apart."""

    known_by_answers = True
    habits = Habits(chunk=None, cached=False)

    def __init__(self, function: Callable[[list[Any]], Any]) -> None:
        self._function = function
        named = function if hasattr(function, "__qualname__") else type(function)  # an object that can be called
        self._title = f"{getattr(named, '__module__', '')}.{named.__qualname__}"
        self.name = f"python:{self._title}"
        self._answers = ""

    @property
    def signature(self) -> str:
        code = getattr(self._function, "__code__", None)
        written = _code_digest(code)[:8] if code is not None else None
        answers = self._answers[:12] or None
        return signature(("kind", "python"), ("function", self._title), ("code", written), ("answers", answers))

    def _ask(self, given: list[Any]) -> Any:
        """What the function says; where it raises an error, it failed on these sentences."""
        try:
            return self._function(given)
        except GardenpathError:
            raise
        except Exception as error:
            what = f"the function raised {type(error).__name__}: {error}"
            raise FailedOnInput(what, where=self.name, todo="call it on a sentence by hand") from error

    @contextmanager
    def unrecorded(self) -> Iterator[None]:
        """What is answered in this block does not enter the signature."""
        answers = self._answers
        try:
            yield
        finally:
            self._answers = answers

    def _remember(self, parts: Iterable[str | bytes]) -> None:
        self._answers = digest(self._answers, *parts)


def _code_digest(code: CodeType) -> str:
    """A hash of what a function does, the functions inside it included."""
    parts = [
        _code_digest(constant) if isinstance(constant, CodeType) else repr(constant) for constant in code.co_consts
    ]
    return digest(code.co_code, *parts, *code.co_names)


class ParserFunction(_Function):
    """`function(sentences)` returns CoNLL-U, a `Treebank`, or (head, label) of each word of each sentence."""

    modes = ("tokens",)

    def parse(self, request: Request) -> Treebank | str:
        sentences = [[word.form for word in sentence.words] for sentence in request.tokens]
        answer = self._ask([list(words) for words in sentences])
        made: Treebank | str = answer if isinstance(answer, str | Treebank) else self._treebank(sentences, list(answer))
        self._remember([made if isinstance(made, str) else made.to_bytes()])
        return made

    def _treebank(self, sentences: Sequence[Sequence[str]], answer: Sequence[Any]) -> Treebank:
        if len(answer) != len(sentences):
            raise UnreadableAnswer(f"trees of {len(answer)} sentences for {len(sentences)}", where=self.name)
        drafts = []
        for words, arcs in zip(sentences, answer, strict=True):
            pairs = list(arcs) if isinstance(arcs, Iterable) else []
            if len(pairs) != len(words):
                raise UnreadableAnswer(f"{len(pairs)} heads for {len(words)} words", where=self.name)
            try:
                arcs = [(int(head), str(label)) for head, label in pairs]
            except (TypeError, ValueError):
                what = f"not a head and a label for every word of {' '.join(words)[:40]!r}"
                raise UnreadableAnswer(what, where=self.name) from None
            drafts.append(Draft([Word(word, head=h, deprel=d) for word, (h, d) in zip(words, arcs, strict=True)]))
        try:
            return from_drafts(drafts)
        except InputError as error:  # a head that is no word of its sentence
            raise UnreadableAnswer(error.what, where=self.name) from error


class ScoringFunction(_Function):
    """`function(sentences)` returns the surprisal of each word of each sentence, in bits."""

    def surprisals(self, sentences: Sentences) -> list[Any]:
        answer = self._ask([list(words) for words in sentences])
        values = [np.asarray(bits, dtype=np.float64) for bits in answer]
        self._remember([array.tobytes() for array in values])
        return values

    def oov(self, sentences: Sentences) -> list[Any]:
        return [np.zeros(len(words), dtype=bool) for words in sentences]


class PhraseFunction(_Function):
    """`function(sentences)` returns a `PhraseTree` or None for each sentence."""

    def parse_trees(self, sentences: Sentences) -> list[PhraseTree | None]:
        from ...phrase.formats.notation import to_notation

        trees = list(self._ask([list(words) for words in sentences]))
        self._remember([to_notation(tree) if tree is not None else "" for tree in trees])
        return trees


class ChatFunction(_Function):
    """`function(questions)` returns an answer to each question."""

    def replies(self, questions: Sequence[str]) -> list[str]:
        answers = [str(answer) for answer in self._ask(list(questions))]
        self._remember(answers)
        return answers
