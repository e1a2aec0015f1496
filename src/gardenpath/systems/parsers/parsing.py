"""Dependency trees of sentences by any parser: what it is asked, and what comes back."""

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
from ..asking.exchange import Block, ask, loaded, note_on, problem_of
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
        first = 1
        for treebank, mode in blocks:
            check_mode(mode, given)
            if layers and mode != "tokens":
                raise UsageError(f"gold {', '.join(sorted(layers))} need gold tokens", todo="use the mode tokens")
            language.see(treebank, mode)
            yield ParserInput(given, treebank, mode, layers, first)
            first += len(treebank)

    useless = sentences = 0
    garbage: InputError | None = None
    for pieces in ask(checked(), given, where):
        failures, counts = Counter[str](), Counter[str]()
        texts, seconds, failed = list[str](), 0.0, list[FailedOnInput]()
        first = sentences + 1
        for piece, answer in pieces:
            if isinstance(answer, FailedOnInput):
                failed.append(answer)
                parsed = marked(piece.treebank, problem_of(answer), piece.first, numbers=piece.mode == "text")
            else:
                parsed = piece.received(answer, first) if piece.mode == "text" else answer
            failures.update(parsed.failures)
            counts.update(parsed.counts)
            texts.append(parsed.conllu)
            seconds += parsed.seconds
            garbage = garbage or parsed.garbage
            first += texts[-1].count("\n\n")
        asked = pieces[0][0]
        name = f"{asked.treebank.name} parsed by {given.name}"
        facts, _, version = given.signature.rpartition("|")
        shown = f"|gold:{','.join(sorted(layers))}" if layers else ""
        notes = (*language.notes, *getattr(given, "notes", ()), *map(note_on, failed[:1]))
        result = ParseResult(
            Treebank("".join(texts).encode("utf-8"), name=name), failures, seconds,
            f"{facts}|mode:{asked.mode}{shown}{language.fact}|{version}", notes, counts,
        )  # fmt: skip
        sentences += len(result.treebank)
        useless += failures["malformed"] + failures["unparsed"]
        yield result
    if garbage is not None and useless == sentences:
        line = garbage.where.rpartition(":")[2]
        what = f"what it returned is not CoNLL-U (line {line}: {garbage.what})"
        raise UnreadableAnswer(what, where=given.name, todo="its output must be CoNLL-U")


@dataclass(frozen=True)
class ParserInput(Block):
    """Sentences to parse, what of them the parser is given, and the number of the first."""

    label, role = "parsing", PARSER
    parser: Parser
    treebank: Treebank
    mode: str
    gold: frozenset[str]
    first: int

    def __len__(self) -> int:
        return len(self.treebank)

    def spoken(self) -> list[tuple[str, ...]]:
        return self.treebank.sentence_words

    @cached_property
    def paragraphs(self) -> list[int]:
        """The sentences that begin a paragraph: raw text may be cut only there."""
        return paragraph_starts(self.treebank)

    def part(self, begin: int, end: int) -> ParserInput:
        return replace(self, treebank=self.treebank[begin:end], first=self.first + begin)

    def joined(self, others: Sequence[ParserInput]) -> ParserInput:
        return replace(self, treebank=concatenate([self.treebank, *(other.treebank for other in others)]))

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

    def request(self, time_limit: float | None) -> Request:
        return request_for(self.treebank, self.mode, self.gold | habits_of(self.parser).needs, time_limit)

    def key(self, request: Request) -> str:
        return digest(request.mode, ",".join(sorted(request.gold)), request.conllu, *request.texts)

    @staticmethod
    def answer(name: str, signature: str, request: Request) -> dict[str, Any]:
        """CoNLL-U and seconds for one piece, and what the parser counted beside, if it does (`counts`)."""
        parser: Parser = loaded(name, signature, PARSER)
        begin = time.perf_counter()
        output = parser.parse(request)
        seconds = time.perf_counter() - begin
        text = output if isinstance(output, str) else output.data.decode("utf-8")
        counts = getattr(parser, "counts", None)
        counted = {"counts": dict(counts)} if isinstance(counts, Counter) and counts else {}
        return {"conllu": text, "seconds": seconds, **counted}

    def received(self, answer: dict[str, Any], first: int = 0) -> Any:
        """Return the CoNLL-U that came back, matched to the sentences that were asked.

        Sentences of raw text can be numbered only when those before them are known: without the number of the `first`
        the answer stays as it is.
        """
        if self.mode == "text" and not first:
            return answer
        result = reconcile(
            self.treebank, answer["conllu"], mode=self.mode, gold=self.gold, partial=habits_of(self.parser).partial,
            first=first or self.first, where=self.parser.name,
        )  # fmt: skip
        return replace(result, seconds=float(answer["seconds"]), counts=Counter(answer.get("counts")))

    def outputs(self, received: Any, *, whole: bool = False) -> list[str] | None:
        """Return the lines of each sentence; of raw text, which comes back in other sentences, only as a whole."""
        if self.mode == "text" and not whole:
            return None
        conllu = received["conllu"] if isinstance(received, dict) else received.conllu
        return [block for block in conllu.split("\n\n") if block.strip()]

    def same(self, first: str, second: str) -> bool:
        """Return whether the words are annotated alike, DEPREL included."""
        return _rows(first) == _rows(second)


def _rows(block: str) -> list[list[str]]:
    lines = (line for line in block.splitlines() if line and not line.startswith("#"))
    return [line.split("\t")[:8] for line in lines]
