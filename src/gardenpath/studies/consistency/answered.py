"""What a system made of each sentence that was asked: a tree, several sentences, or nothing, and why.

One sentence that is answered oddly may shift the answers of others in the same call: doubtful ones are asked again in
halves until those that are to blame stand alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from ...errors import FailedOnInput
from ...runs.where import HERE, Where, Workplace
from ...systems.answer import characters
from ...systems.asking import problem_of
from ...systems.parsing import ParseResult, parse_with
from ...systems.protocol import Parser
from ...systems.reconcile import MARK
from ...systems.surface import surface, texts
from ...treebank.tree import tree_mask
from ...treebank.treebank import Treebank

SEGMENTATION = "wrong segmentation"
_LOST = ("unparsed", "malformed", "other-tokens")
"""Failures that may be the fault of another sentence of the same call."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The tree of a sentence as CoNLL-U, or why there is none: `wrong segmentation` or a kind of failure."""

    conllu: bytes = b""
    problem: str = ""

    @property
    def failed(self) -> bool:
        return bool(self.problem) and self.problem != SEGMENTATION


@dataclass(frozen=True)
class Answers:
    """One for each sentence that was asked, and what else was counted."""

    answers: Sequence[Answer]
    signature: str = ""
    surplus: int = 0
    """Sentences that came without having been asked for."""

    def failures(self) -> dict[str, int]:
        """Sentences without a tree, by kind; each sentence counts once, however often its value is in a batch."""
        found = Counter(one.problem for one in self.answers if one.problem)
        return dict(found) | ({"surplus": self.surplus} if self.surplus else {})


def answers(
    system: str | Parser,
    asked: Treebank,
    *,
    mode: str = "tokens",
    gold: Sequence[str] = (),
    where: Where | Workplace = HERE,
) -> Answers:
    """Every sentence parsed by itself: in the mode `text` each is a paragraph of its own."""
    given = _paragraphs(asked) if mode == "text" else asked
    with where.opened() as place:
        work = _Work(system, given, mode, gold, place)
        work.ask(list(range(len(given))))
    return Answers([work.found[number] for number in range(len(given))], work.signature, work.surplus)


def _paragraphs(treebank: Treebank) -> Treebank:
    lines = b"".join(b"# newpar\n" + treebank.block(number).strip(b"\n") + b"\n\n" for number in range(len(treebank)))
    return Treebank(lines, name=treebank.name)


@dataclass
class _Work:
    system: str | Parser
    given: Treebank
    mode: str
    gold: Sequence[str]
    place: Workplace
    found: dict[int, Answer] = field(default_factory=dict)
    signature: str = ""
    surplus: int = 0

    def ask(self, numbers: list[int]) -> None:
        """Asks for these sentences, and again for those of them whose answer may be the fault of others."""
        waiting = [numbers]
        while waiting:
            some = waiting.pop()
            try:
                result = parse_with(self.system, self._part(some), mode=self.mode, gold=self.gold, where=self.place)
            except FailedOnInput as error:  # all of these, and others went well
                if len(some) == len(self.given):
                    raise
                self.found |= {number: Answer(problem=problem_of(error)) for number in some}
                continue
            self.signature = self.signature or result.signature
            if doubtful := self._taken(some, result):
                waiting += _halves(doubtful) if len(doubtful) == len(some) else [doubtful]

    def _part(self, numbers: list[int]) -> Treebank:
        return self.given if len(numbers) == len(self.given) else self.given[numbers]

    def _taken(self, numbers: list[int], result: ParseResult) -> list[int]:
        """Keeps what is clear; gives back what has to be asked again."""
        surplus = result.failures["surplus"]
        if self.mode == "text":
            got = _cut(self._part(numbers), result.treebank)
            doubt = len(numbers) > 1
        else:
            got = _each(result.treebank)
            doubt = len(numbers) > 1  # one answer too many and one too few may hide each other
            lost = [place for place, one in enumerate(got) if one.problem in _LOST]
            if len(numbers) == 1 and surplus and lost:
                got = [Answer(problem=SEGMENTATION)]  # one was asked, and several came
            elif not lost:
                self.surplus += surplus
        doubtful = [number for number, one in zip(numbers, got, strict=True) if doubt and one.problem in _LOST]
        again = set(doubtful)
        for number, one in zip(numbers, got, strict=True):
            if number not in again:
                self.found[number] = one
        return doubtful


def _halves(numbers: list[int]) -> list[list[int]]:
    """The second half first: what is added last is done first."""
    middle = (len(numbers) + 1) // 2
    return [numbers[middle:], numbers[:middle]]


def _each(parsed: Treebank) -> list[Answer]:
    sound = tree_mask(parsed.heads, parsed.offsets).tolist()
    problems = [
        mark or ("" if good else "no tree") for mark, good in zip(parsed.comment_values(MARK), sound, strict=True)
    ]
    return [
        Answer(problem=problem) if problem else Answer(parsed.block(number)) for number, problem in enumerate(problems)
    ]


def _cut(given: Treebank, parsed: Treebank) -> list[Answer]:
    """From sentences as the parser cut them to one answer for each that was asked, by their characters."""
    sizes = [len(characters(text)) for text in texts(given)]
    each = _each(parsed)
    found: list[list[Answer]] = [[] for _ in sizes]
    broken: set[int] = set()
    at, begin = 0, 0
    for answer, sentence in zip(each, parsed, strict=True):
        length = len(characters("".join(form for form, _ in surface(sentence.rows))))
        while at < len(sizes) - 1 and begin >= sizes[at]:
            begin -= sizes[at]
            at += 1
        found[at].append(answer)
        begin += length
        reached = at
        while begin > sum(sizes[at : reached + 1]) and reached + 1 < len(sizes):  # it goes on into the next paragraph
            reached += 1
        if reached > at:
            broken |= set(range(at, reached + 1))
    return [
        Answer(problem=SEGMENTATION)
        if place in broken or len(several) > 1
        else (several[0] if several else Answer(problem="unparsed"))
        for place, several in enumerate(found)
    ]
