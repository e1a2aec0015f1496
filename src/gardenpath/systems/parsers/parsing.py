"""Dependency trees of sentences by any parser: the exchange of requests and answers, and what comes back."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

from ...errors import FailedOnInput, InputError, UnreadableAnswer, UsageError
from ...runs.record.signatures import digest
from ...runs.work.where import HERE, Where, Workplace
from ...treebank import Treebank, concatenate
from ..asking.exchange import Block, Exchange, ask, note_on, problem_of
from ..asking.language import LanguageCheck
from ..asking.matching import ParseResult, marked, reconcile
from ..asking.protocol import PARSER, Parser, habits_of
from ..asking.registry import system
from ..asking.request import Request, check_gold, check_mode, paragraph_starts, request_for


def parse_with(
    parser: str | Parser,
    treebank: Treebank,
    *,
    mode: str = "tokens",
    gold: str | Iterable[str] = (),
    any_language: bool | None = None,
    where: Where | Workplace = HERE,
) -> ParseResult:
    """The treebank as this system parses it, one sentence for each.

    `gold` names the layers it may see (lemmas, tags, feats). An object that was not made from a name works in this
    process. `any_language` goes on where model and input are of different scripts (see `language`).
    """
    (result,) = parse_blocks(parser, [(treebank, mode)], gold=gold, any_language=any_language, where=where)
    return result


def parse_blocks(
    parser: str | Parser,
    blocks: Iterable[tuple[Treebank, str]],
    *,
    gold: str | Iterable[str] = (),
    any_language: bool | None = None,
    tell: Callable[[str], None] | None = None,
    where: Where | Workplace = HERE,
) -> Iterator[ParseResult]:
    """The same for an input in stretches, each with its mode; workers and numbers go on from one to the next.

    A parser whose output was no CoNLL-U from beginning to end is an error, but only the end can tell. `tell`
    gets warnings before the work begins; without it they are Python's.
    """
    given = system(parser) if isinstance(parser, str) else parser
    layers = check_gold(gold)
    language = LanguageCheck(given.name, any_language, tell)

    def checked() -> Iterator[ParserInput]:
        for treebank, mode in blocks:
            check_mode(mode, given)
            if layers and mode != "tokens":
                raise UsageError(f"gold {', '.join(sorted(layers))} need gold tokens", todo="use the mode tokens")
            language.see(treebank, mode)
            yield ParserInput(treebank, mode)

    useless = sentences = 0
    garbage: InputError | None = None
    exchange = _Parsing(given, layers)
    for answers in ask(exchange, given, checked(), where):
        pieces = [piece for _, piece in answers]
        if answers[0][0].mode == "text":
            pieces = exchange.numbered(answers, sentences + 1)
        result = _whole(given, answers[0][0], pieces, layers, language)
        sentences += len(result.treebank)
        useless += result.failures["malformed"] + result.failures["unparsed"]
        garbage = garbage or result.garbage
        yield result
    if garbage is not None and useless == sentences:
        line = garbage.where.rpartition(":")[2]
        what = f"what it returned is not CoNLL-U (line {line}: {garbage.what})"
        raise UnreadableAnswer(what, where=given.name, todo="its output must be CoNLL-U")


@dataclass(frozen=True)
class ParserInput(Block):
    """Sentences to parse, and what of them the parser is given."""

    treebank: Treebank
    mode: str

    def __len__(self) -> int:
        return len(self.treebank)

    @cached_property
    def paragraphs(self) -> list[int]:
        """The sentences that begin a paragraph: raw text may be cut only there."""
        return paragraph_starts(self.treebank)

    def part(self, begin: int, end: int) -> ParserInput:
        return ParserInput(self.treebank[begin:end], self.mode)

    def joined(self, others: Sequence[ParserInput]) -> ParserInput:
        return ParserInput(concatenate([self.treebank, *(other.treebank for other in others)]), self.mode)

    def cut(self, size: int | None) -> list[ParserInput]:
        if size is None or len(self) <= size:
            return [self]
        if self.mode != "text":
            return super().cut(size)
        cuts = [0]
        for start in self.paragraphs:
            if start - cuts[-1] >= size:
                cuts.append(start)
        return [self.part(begin, end) for begin, end in pairwise([*cuts, len(self)])]

    def halves(self) -> list[ParserInput]:
        if self.mode != "text":
            return super().halves()
        middle = (len(self) + 1) // 2
        border = min(self.paragraphs[1:], key=lambda start: abs(start - middle), default=0)
        return [self.part(0, border), self.part(border, len(self))] if border else []


class _Parsing(Exchange[ParserInput, ParseResult]):
    """Sentences out as a `Request`, CoNLL-U back, matched to the sentences that were asked."""

    label, role = "parsing", PARSER

    def __init__(self, parser: Parser, gold: frozenset[str]) -> None:
        self.name, self.gold, self.habits, self.answer = parser.name, gold, habits_of(parser), parse_request

    def request(self, units: ParserInput, time_limit: float | None) -> Request:
        return request_for(units.treebank, units.mode, self.gold | self.habits.needs, time_limit)

    def key(self, request: Request) -> str:
        return digest(request.mode, ",".join(sorted(request.gold)), request.conllu, *request.texts)

    def received(self, units: ParserInput, answer: dict[str, Any], first: int) -> ParseResult:
        output, partial = answer["conllu"], self.habits.partial
        matched = reconcile(
            units.treebank, output, mode=units.mode, gold=self.gold, partial=partial, first=first, where=self.name
        )
        counts = Counter[str](answer.get("counts"))
        raw = output if units.mode == "text" else ""
        return replace(matched, seconds=float(answer["seconds"]), counts=counts, output=raw)

    def lost(self, units: ParserInput, failure: FailedOnInput, first: int) -> ParseResult:
        unparsed = marked(units.treebank, problem_of(failure), first, numbers=units.mode == "text")
        return replace(unparsed, notes=(note_on(failure),))

    def numbered(self, answers: list[tuple[ParserInput, ParseResult]], first: int) -> list[ParseResult]:
        """Return pieces of raw text, whose sentences can be numbered only when those before them are known."""
        pieces = []
        for units, piece in answers:
            answer = {"conllu": piece.output, "seconds": piece.seconds, "counts": piece.counts}
            again = self.received(units, answer, first) if piece.output else piece
            first += again.conllu.count("\n\n")
            pieces.append(again)
        return pieces


def parse_request(parser: Parser, request: Request) -> dict[str, Any]:
    """CoNLL-U and seconds for one piece, and what the parser counted beside, if it does (`counts`)."""
    begin = time.perf_counter()
    output = parser.parse(request)
    seconds = time.perf_counter() - begin
    text = output if isinstance(output, str) else output.data.decode("utf-8")
    counts = getattr(parser, "counts", None)
    counted = {"counts": dict(counts)} if isinstance(counts, Counter) and counts else {}
    return {"conllu": text, "seconds": seconds, **counted}


def _whole(
    parser: Parser, given: ParserInput, pieces: list[ParseResult], gold: frozenset[str], language: LanguageCheck
) -> ParseResult:
    """Return the result of a stretch of the input from those of its pieces."""
    failures, counts = Counter[str](), Counter[str]()
    for piece in pieces:
        failures.update(piece.failures)
        counts.update(piece.counts)
    text = "".join(piece.conllu for piece in pieces)
    parsed = Treebank(text.encode("utf-8"), name=f"{given.treebank.name} parsed by {parser.name}")
    facts, _, version = parser.signature.rpartition("|")
    layers = f"|gold:{','.join(sorted(gold))}" if gold else ""
    signature = f"{facts}|mode:{given.mode}{layers}{language.fact}|{version}"
    failed = [note for piece in pieces for note in piece.notes][:1]
    notes = (*language.notes, *getattr(parser, "notes", ()), *failed)
    garbage = next((piece.garbage for piece in pieces if piece.garbage), None)
    return ParseResult(parsed, failures, sum(piece.seconds for piece in pieces), signature, notes, counts, garbage)
