"""Dependency trees of sentences by any parser: the exchange of requests and answers, and what comes back."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ..errors import FailedOnInput, InputError, UnreadableAnswer, UsageError
from ..runs.signature import digest
from ..runs.where import HERE, Where, Workplace
from ..treebank import Treebank, concatenate
from .asking import Exchange, ask, note_on, problem_of
from .language import LanguageCheck
from .parse_result import ParseResult
from .protocol import PARSER, Parser, habits_of
from .reconcile import Reconciled, marked, reconcile
from .registry import system
from .request import Request, check_gold, check_mode, paragraph_starts, request_for


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
    exchange = _Parsing(given.name, layers, habits_of(given).needs, habits_of(given).partial)
    for answers in ask(exchange, given, checked(), where):
        pieces = [piece for _, piece in answers]
        if answers[0][0].mode == "text":
            pieces = exchange.numbered(answers, sentences + 1)
        result = _joined(given, answers[0][0], pieces, layers, language)
        sentences += len(result.treebank)
        useless += result.failures["malformed"] + result.failures["unparsed"]
        garbage = garbage or next((piece.reconciled.garbage for piece in pieces if piece.reconciled.garbage), None)
        yield result
    if garbage is not None and useless == sentences:
        line = garbage.where.rpartition(":")[2]
        raise UnreadableAnswer(
            f"what it returned is not CoNLL-U (line {line}: {garbage.what})",
            where=given.name,
            todo="its output must be CoNLL-U",
        )


@dataclass(frozen=True)
class ParserInput:
    """Sentences to parse, and what of them the parser is given."""

    treebank: Treebank
    mode: str

    @cached_property
    def paragraphs(self) -> list[int]:
        """The sentences that begin a paragraph: raw text may be cut only there."""
        return paragraph_starts(self.treebank)

    def part(self, begin: int, end: int) -> ParserInput:
        return ParserInput(self.treebank[begin:end], self.mode)


@dataclass(frozen=True, slots=True)
class ParsedPiece:
    """What came back for a piece, and the seconds that the parser took for it."""

    reconciled: Reconciled
    seconds: float
    output: str = ""
    """What the parser returned, where sentences have to be numbered anew."""
    note: str = ""
    counts: Counter[str] = field(default_factory=Counter)
    """What the parser counted beside: tokens that were paid for, answers that were repaired."""


class _Parsing(Exchange[ParserInput, ParsedPiece]):
    """Sentences out as a `Request`, CoNLL-U back, reconciled with the sentences that were asked."""

    label = "parsing"
    role = PARSER

    def __init__(self, name: str, gold: frozenset[str], needs: frozenset[str], partial: bool) -> None:
        self.name, self.gold, self.needs, self.partial = name, gold, needs, partial

    @property
    def answer(self) -> Callable[[Any, Any], Any]:
        return parse_request

    def size(self, units: ParserInput) -> int:
        return len(units.treebank)

    def cut(self, units: ParserInput, size: int | None) -> list[ParserInput]:
        total = len(units.treebank)
        if size is None or total <= size:
            return [units]
        cuts = list(range(0, total, size))
        if units.mode == "text":  # paragraphs stay whole
            cuts = [0]
            for start in units.paragraphs:
                if start - cuts[-1] >= size:
                    cuts.append(start)
        return [units.part(begin, end) for begin, end in zip(cuts, [*cuts[1:], total], strict=True)]

    def halves(self, units: ParserInput) -> list[ParserInput]:
        total = len(units.treebank)
        middle = (total + 1) // 2
        if units.mode == "text":
            middle = min(units.paragraphs[1:], key=lambda start: abs(start - middle), default=0)
        return [units.part(0, middle), units.part(middle, total)] if 0 < middle < total else []

    def joined(self, blocks: list[ParserInput]) -> ParserInput:
        return ParserInput(concatenate([block.treebank for block in blocks]), blocks[0].mode)

    def request(self, units: ParserInput, time_limit: float | None) -> Request:
        return request_for(units.treebank, units.mode, self.gold | self.needs, time_limit)

    def key(self, request: Request) -> str:
        return digest(request.mode, ",".join(sorted(request.gold)), request.conllu, *request.texts)

    def received(self, units: ParserInput, answer: dict[str, Any], first: int) -> ParsedPiece:
        reconciled = reconcile(
            units.treebank, answer["conllu"], mode=units.mode, gold=self.gold, partial=self.partial, first=first,
            where=self.name,
        )  # fmt: skip
        output = answer["conllu"] if units.mode == "text" else ""
        counts = Counter[str](answer.get("counts"))
        return ParsedPiece(reconciled, float(answer["seconds"]), output, counts=counts)

    def lost(self, units: ParserInput, failure: FailedOnInput, first: int) -> ParsedPiece:
        reconciled = marked(units.treebank, problem_of(failure), first, numbers=units.mode == "text")
        return ParsedPiece(reconciled, 0.0, note=note_on(failure))

    def numbered(self, answers: list[tuple[ParserInput, ParsedPiece]], first: int) -> list[ParsedPiece]:
        """Pieces of raw text, whose sentences can be numbered only when those before them are known."""
        pieces = []
        for units, piece in answers:
            answer = {"conllu": piece.output, "seconds": piece.seconds, "counts": piece.counts}
            again = self.received(units, answer, first) if piece.output else piece
            first += again.reconciled.conllu.count("\n\n")
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


def _joined(
    parser: Parser, given: ParserInput, pieces: list[ParsedPiece], gold: frozenset[str], language: LanguageCheck
) -> ParseResult:
    failures, counts = Counter[str](), Counter[str]()
    for piece in pieces:
        failures.update(piece.reconciled.failures)
        counts.update(piece.counts)
    text = "".join(piece.reconciled.conllu for piece in pieces)
    parsed = Treebank(text.encode("utf-8"), name=f"{given.treebank.name} parsed by {parser.name}")
    facts, _, version = parser.signature.rpartition("|")
    layers = f"|gold:{','.join(sorted(gold))}" if gold else ""
    seconds = sum(piece.seconds for piece in pieces)
    failed = next((piece.note for piece in pieces if piece.note), "")
    notes = (*language.notes, *getattr(parser, "notes", ()), *([failed] if failed else []))
    signature = f"{facts}|mode:{given.mode}{layers}{language.fact}|{version}"
    return ParseResult(parsed, failures, seconds, signature, notes, counts)
