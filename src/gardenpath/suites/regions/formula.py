"""The formulas of SyntaxGym's predictions: parsed by hand (nothing is ever run as code), shown where they are wrong.

    atom      (5;%match%), (*;%match%) for the whole sentence, or a number
    sum       + and -, from left to right
    compare   < > = between two sums; = allows 1e-3 and a part in 100,000
    formula   & and |, of equal rank, from left to right

Round and square brackets may stand anywhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NoReturn

from ...errors import InputError

ALL = 0
"""The region `*`: all regions of the condition."""
_DEPTH = 60
"""Brackets inside brackets; real formulas have three."""
_LONGEST = 300
"""Parts of a formula; real ones have 40. A row of signs makes a tree as deep as it is long."""


@dataclass(frozen=True, slots=True)
class Atom:
    """The surprisal of a region in a condition; region 0 is `*`."""

    region: int
    condition: str


@dataclass(frozen=True, slots=True)
class Number:
    value: float


@dataclass(frozen=True, slots=True)
class Sum:
    """left + right or left - right."""

    sign: str
    left: Arithmetic
    right: Arithmetic


@dataclass(frozen=True, slots=True)
class Comparison:
    """left < right, left > right, or left = right."""

    sign: str
    left: Arithmetic
    right: Arithmetic


@dataclass(frozen=True, slots=True)
class Logic:
    """left & right or left | right."""

    sign: str
    left: Formula
    right: Formula


Arithmetic = Atom | Number | Sum
Formula = Comparison | Logic
_Node = Arithmetic | Formula


def parse_formula(text: str, where: str = "") -> Formula:
    """The formula as a tree; an error names the place in it."""
    return _Parser(text, where).whole()


def comparisons_of(formula: Formula) -> Iterator[Comparison]:
    """All comparisons, from left to right."""
    if isinstance(formula, Comparison):
        yield formula
    else:
        yield from comparisons_of(formula.left)
        yield from comparisons_of(formula.right)


def atoms_of(node: _Node) -> Iterator[Atom]:
    """All regions that are named, from left to right."""
    if isinstance(node, Atom):
        yield node
    elif not isinstance(node, Number):
        yield from atoms_of(node.left)
        yield from atoms_of(node.right)


_TOKEN = re.compile(
    r"""\s*(?:(?P<atom>\(\s*(?P<region>[0-9]{1,6}|\*)\s*;\s*%(?P<name>[^%()\[\];]+)%\s*\))
         |(?P<number>[0-9]{1,12}(?:\.[0-9]{1,12})?)|(?P<sign>[-+<>=&|])|(?P<open>[(\[])|(?P<close>[)\]]))""",
    re.VERBOSE,
)
_PAIRS = {"(": ")", "[": "]"}


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    at: int
    region: int = 0


class _Parser:
    """Recursive descent over the tokens of one formula."""

    def __init__(self, text: str, where: str) -> None:
        self.text, self.where, self.next, self.depth = text, where, 0, 0
        self.tokens = list(self._split())

    def _split(self) -> Iterator[_Token]:
        at, end = 0, len(self.text.rstrip())
        while at < end:
            match = _TOKEN.match(self.text, at)
            if match is None:
                begin = at + len(self.text[at:]) - len(self.text[at:].lstrip())
                self.fail(begin, "this is not a part of a formula", "write regions as (5;%condition%)")
            kind = str(match.lastgroup if match.lastgroup not in ("region", "name") else "atom")
            if match["atom"]:
                number = ALL if match["region"] == "*" else int(match["region"])
                if match["region"] != "*" and number == 0:
                    self.fail(match.start("region"), "regions count from 1", "write * for the whole sentence")
                yield _Token("atom", match["name"].strip(), match.start("atom"), number)
            else:
                yield _Token(kind, match[kind], match.start(kind))
            at = match.end()

    def fail(self, at: int, what: str, todo: str = "") -> NoReturn:
        shown = self.text.replace("\n", " ").replace("\t", " ")
        pointer = f"{shown[max(0, at - 200) : at]} ⟶ {shown[at : at + 200]}"
        raise InputError(f"the formula is wrong at ⟶: {what}: {pointer}", where=self.where, todo=todo)

    def peek(self) -> _Token | None:
        return self.tokens[self.next] if self.next < len(self.tokens) else None

    def sign(self, signs: str) -> _Token | None:
        token = self.peek()
        if token is None or token.kind != "sign" or token.text not in signs:
            return None
        self.next += 1
        return token

    def whole(self) -> Formula:
        node = self.logic()
        if (rest := self.peek()) is not None:
            what = (
                "a second comparison, & or | is missing before it" if rest.text in "<>=" else "nothing can stand here"
            )
            self.fail(rest.at, what)
        if len(self.tokens) > _LONGEST:  # else whoever walks through the tree would go too deep
            self.fail(self.tokens[_LONGEST].at, f"more than {_LONGEST} parts", "make several formulas of it")
        return self.truth(node, 0)

    def logic(self) -> _Node:
        begin = self.place()
        node = self.comparison()
        while (sign := self.sign("&|")) is not None:
            left = self.truth(node, begin)
            at = self.place()
            node = Logic(sign.text, left, self.truth(self.comparison(), at))
        return node

    def comparison(self) -> _Node:
        begin = self.place()
        left = self.arithmetic()
        if (sign := self.sign("<>=")) is None:
            return left
        value = self.number(left, begin)
        at = self.place()
        return Comparison(sign.text, value, self.number(self.arithmetic(), at))

    def arithmetic(self) -> _Node:
        begin = self.place()
        node = self.primary()
        while (sign := self.sign("+-")) is not None:
            left = self.number(node, begin)
            at = self.place()
            node = Sum(sign.text, left, self.number(self.primary(), at))
        return node

    def primary(self) -> _Node:
        token = self.peek()
        if token is None:
            self.fail(len(self.text), "the formula ends too early")
        self.next += 1
        if token.kind == "atom":
            return Atom(token.region, token.text)
        if token.kind == "number":
            return Number(float(token.text))
        if token.kind != "open":
            self.fail(token.at, "a region, a number or a bracket must stand here")
        self.depth += 1
        if self.depth > _DEPTH:
            self.fail(token.at, f"more than {_DEPTH} brackets inside one another")
        node = self.logic()
        closing = self.peek()
        if closing is None or closing.text != _PAIRS[token.text]:
            at = len(self.text) if closing is None else closing.at
            self.fail(at, f"{_PAIRS[token.text]} must stand here, for the {token.text} before")
        self.next += 1
        self.depth -= 1
        return node

    def place(self) -> int:
        token = self.peek()
        return len(self.text) if token is None else token.at

    def truth(self, node: _Node, at: int) -> Formula:
        if not isinstance(node, Comparison | Logic):
            self.fail(at, "a comparison must stand here, such as (5;%bad%) > (5;%good%)")
        return node

    def number(self, node: _Node, at: int) -> Arithmetic:
        if not isinstance(node, Atom | Number | Sum):
            self.fail(at, "a surprisal must stand here, and this is a comparison")
        return node
