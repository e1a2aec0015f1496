"""Phrase parsers: the protocol, and the trees of sentences by any of them, never the same ones twice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from ..errors import SystemFailure
from ..phrase.json_tree import from_json, to_json
from ..phrase.tree import PhraseTree
from ..runs.signature import digest
from .loaded_systems import Recent
from .protocol import Habits, habits_of
from .registry import phrase_parser

if TYPE_CHECKING:
    from ..runs.cache import ResultCache
    from ..runs.processes import WorkerPool

Sentences = Sequence[Sequence[str]]


@runtime_checkable
class PhraseParser(Protocol):
    """A system that draws phrase trees over words alone. Made by `phrase_parser("kind:argument")`.

    A system whose trees are in a file may have `found(sentences, ids)`, which uses sentence ids where there are some.
    """

    @property
    def name(self) -> str:
        """`kind:argument`; paths in it are absolute, so that a worker elsewhere finds them."""

    @property
    def signature(self) -> str:
        """Short `key:value` facts: kind, the start of the model's SHA-256, versions. Asking for it loads no model."""

    def parse_trees(self, sentences: Sentences) -> list[PhraseTree | None]:
        """A tree over the words of each sentence; None where there is no parse."""


@dataclass(frozen=True, slots=True)
class Task:
    """A piece of work that any process can do: the parser by name, and the sentences."""

    parser: str
    signature: str
    sentences: list[list[str]]
    first: int
    """The number of the first sentence, for messages."""


def parse_trees_with(
    parser: str | PhraseParser,
    sentences: Sentences,
    cache: ResultCache | bool = True,
    jobs: int | str | WorkerPool = 1,
    *,
    cluster: str | None = None,
    ids: Sequence[str] = (),
    progress: bool | None = None,
) -> list[PhraseTree | None]:
    """The trees of sentences. What was parsed before comes from the cache, and then no model is loaded.

    A parser that is given as an object works in this process.
    """
    from ..runs.work import map_tasks

    given = phrase_parser(parser) if isinstance(parser, str) else parser
    habits: Habits = habits_of(given)
    find = getattr(given, "found", None)
    if find is not None:
        trees: list[PhraseTree | None] = find(sentences, ids)
        _check(given.name, sentences, trees, 1)
        return trees
    if habits.chunk is None or not isinstance(parser, str):
        jobs, cluster = 1, None
    store = _store(cache) if habits.cached else None
    size = habits.chunk or max(1, len(sentences))
    tasks = [
        Task(given.name, given.signature, [list(one) for one in sentences[begin : begin + size]], begin + 1)
        for begin in range(0, len(sentences), size)
    ]
    _recent.remember(given)
    parts = map_tasks(
        parse_task, tasks, jobs=jobs, cluster=cluster, label="parsing", progress=progress,
        keys=[_key(task) for task in tasks] if store is not None else None, cache=store,
    )  # fmt: skip
    return [None if value is None else from_json(value, given.name) for part in parts for value in part]


def parse_task(task: Task) -> list[dict[str, Any] | None]:
    """The trees of one piece as JSON values; runs in any process that has the same model."""
    parser = _recent.get(task.parser, task.signature)
    trees = parser.parse_trees(task.sentences)
    _check(task.parser, task.sentences, trees, task.first)
    return [None if tree is None else to_json(tree) for tree in trees]


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


_recent: Recent[PhraseParser] = Recent(phrase_parser)


def _key(task: Task) -> str:
    return "phrases " + digest(task.signature, *("\x1f".join(sentence) for sentence in task.sentences))


def _store(cache: ResultCache | bool) -> ResultCache | None:
    if cache is True:
        from ..runs.cache import ResultCache

        return ResultCache()
    return cache or None
