"""What a system made of each sentence that was asked: a tree, columns that are no tree, several sentences, or nothing.

One sentence that is answered oddly may shift the answers of others in the same call: doubtful ones are asked again in
halves until those that are to blame stand alone. Trees of a file are found by their words and need no second look.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ...errors import FailedOnInput
from ...runs.where import HERE, Where, Workplace
from ...systems.answer import characters
from ...systems.asking import problem_of
from ...systems.parse_result import ParseResult
from ...systems.parsing import parse_with
from ...systems.protocol import Parser
from ...systems.reconcile import MARK
from ...systems.registry import system as named_system
from ...systems.surface import surface, texts
from ...treebank.tree import tree_mask
from ...treebank.treebank import Treebank

BROKEN, SEGMENTATION, FAILED = "no tree", "wrong segmentation", "failed"
"""An answer that is not a tree: columns with no root, two roots or a cycle; several sentences; no answer."""
_LOST = ("unparsed", "malformed", "other-tokens")
"""Failures that may be the fault of another sentence of the same call."""
NO_ANSWER = (*_LOST, "crashed", "too-long", "no-answer")
"""Failures that leave no columns to compare."""


@dataclass(frozen=True, slots=True)
class VariantAnswer:
    """What came back for a sentence as CoNLL-U, empty if nothing did, and why it is not a tree if it is none."""

    conllu: bytes = b""
    problem: str = ""

    @property
    def fault(self) -> str:
        """`no tree`, `wrong segmentation` or `failed`; empty for a tree. Only what failed cannot be compared."""
        if not self.problem or self.problem == SEGMENTATION:
            return self.problem
        return BROKEN if self.conllu else FAILED


@dataclass(frozen=True)
class VariantAnswers:
    """One for each sentence that was asked, and what else was counted."""

    answers: Sequence[VariantAnswer]
    surplus: int = 0
    """Sentences that came without having been asked for."""
    notes: tuple[str, ...] = ()
    """What the system said about its work."""
    foreign: Mapping[str, int] = field(default_factory=dict)
    """Labels that gold does not know, where they are too many (see `label_guard`), or that no bridge brings over."""
    stages: Mapping[str, VariantAnswers] = field(default_factory=dict)
    """The answers where a part of the work was done for the system; see `stages`."""

    def failures(self) -> dict[str, int]:
        """Sentences without a tree, by kind; each sentence counts once, however often its value is in a batch."""
        problems = Counter(one.problem for one in self.answers if one.problem)
        return dict(problems) | ({"surplus": self.surplus} if self.surplus else {}) | dict(self.foreign)


def answers(
    parser: str | Parser,
    asked: Treebank,
    *,
    mode: str = "tokens",
    gold: Sequence[str] = (),
    any_language: bool = False,
    where: Where | Workplace = HERE,
) -> VariantAnswers:
    """Every sentence parsed by itself: in the mode `text` each is a paragraph of its own."""
    given = _paragraphs(asked) if mode == "text" else asked
    system = named_system(parser) if isinstance(parser, str) else parser
    with where.opened() as place:
        work = _Work(system, given, mode, gold, any_language, place)
        work.ask(list(range(len(given))))
    return VariantAnswers([work.answers[number] for number in range(len(given))], work.surplus, work.notes)


def _paragraphs(treebank: Treebank) -> Treebank:
    lines = b"".join(b"# newpar\n" + treebank.block(number).strip(b"\n") + b"\n\n" for number in range(len(treebank)))
    return Treebank(lines, name=treebank.name)


@dataclass
class _Work:
    system: Parser
    given: Treebank
    mode: str
    gold: Sequence[str]
    any_language: bool
    place: Workplace
    answers: dict[int, VariantAnswer] = field(default_factory=dict)
    surplus: int = 0
    notes: tuple[str, ...] = ()

    def ask(self, numbers: list[int]) -> None:
        """Asks for these sentences, and again for those of them whose answer may be the fault of others."""
        waiting = [numbers]
        while waiting:
            some = waiting.pop()
            try:
                result = parse_with(
                    self.system, self._part(some), mode=self.mode, gold=self.gold,
                    any_language=self.any_language or None, where=self.place,
                )  # fmt: skip
            except FailedOnInput as error:
                if len(some) == len(self.given):
                    raise
                if len(some) == 1:
                    self.answers[some[0]] = VariantAnswer(problem=problem_of(error))
                else:  # all of these, and others went well: each has a reason of its own
                    waiting += [[number] for number in reversed(some)]
                continue
            self.notes = self.notes or result.notes
            if doubtful := self._taken(some, result):
                waiting += _halves(doubtful) if len(doubtful) == len(some) else [doubtful]

    def _part(self, numbers: list[int]) -> Treebank:
        return self.given if len(numbers) == len(self.given) else self.given[numbers]

    def _taken(self, numbers: list[int], result: ParseResult) -> list[int]:
        """Keeps what is clear; gives back what has to be asked again."""
        surplus = result.failures["surplus"]
        doubt = len(numbers) > 1 and not isinstance(getattr(self.system, "treebank", None), Treebank)
        if self.mode == "text":
            got = _cut(self._part(numbers), result.treebank)
        else:
            got = _each(result.treebank)  # one answer too many and one too few may hide each other
            lost = [answer for answer in got if answer.problem in _LOST]
            if len(numbers) == 1 and surplus and lost:
                got = [VariantAnswer(problem=SEGMENTATION)]  # one was asked, and several came
            elif not lost:
                self.surplus += surplus
        doubtful = [number for number, one in zip(numbers, got, strict=True) if doubt and one.problem in _LOST]
        again = set(doubtful)
        for number, answer in zip(numbers, got, strict=True):
            if number not in again:
                self.answers[number] = answer
        return doubtful


def _halves(numbers: list[int]) -> list[list[int]]:
    """The second half first: what is added last is done first."""
    middle = (len(numbers) + 1) // 2
    return [numbers[middle:], numbers[:middle]]


def _each(parsed: Treebank) -> list[VariantAnswer]:
    sound = tree_mask(parsed.heads, parsed.offsets).tolist()
    problems = [mark or ("" if good else BROKEN) for mark, good in zip(parsed.comment_values(MARK), sound, strict=True)]
    return [
        VariantAnswer(b"" if problem in NO_ANSWER else parsed.block(number), problem)
        for number, problem in enumerate(problems)
    ]


def _cut(given: Treebank, parsed: Treebank) -> list[VariantAnswer]:
    """From sentences as the parser cut them to one answer for each that was asked, by their characters."""
    sizes = [len(characters(text)) for text in texts(given)]
    each = _each(parsed)
    by_sentence: list[list[VariantAnswer]] = [[] for _ in sizes]
    broken: set[int] = set()
    at, begin = 0, 0
    for answer, sentence in zip(each, parsed, strict=True):
        length = len(characters("".join(form for form, _ in surface(sentence.rows))))
        while at < len(sizes) - 1 and begin >= sizes[at]:
            begin -= sizes[at]
            at += 1
        by_sentence[at].append(answer)
        begin += length
        reached = at
        while begin > sum(sizes[at : reached + 1]) and reached + 1 < len(sizes):  # it goes on into the next paragraph
            reached += 1
        if reached > at:
            broken |= set(range(at, reached + 1))
    return [_one(parts, place in broken) for place, parts in enumerate(by_sentence)]


def _one(parts: Sequence[VariantAnswer], joined: bool) -> VariantAnswer:
    """The answer to one sentence. What was cut is kept in its parts; what was joined to another cannot be kept."""
    if joined or len(parts) > 1:
        whole = not joined and all(part.conllu for part in parts)
        blocks = [part.conllu.strip(b"\n") + b"\n\n" for part in parts] if whole else []
        return VariantAnswer(b"".join(blocks), SEGMENTATION)
    return parts[0] if parts else VariantAnswer(problem="unparsed")
