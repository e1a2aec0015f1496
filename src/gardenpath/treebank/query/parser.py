"""From the text of a request to the request; an error points at the character."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple, NoReturn

from ...boundary.patterns import compile_pattern
from ...boundary.texts import file_text
from ...errors import UsageError
from .request import (
    ANY,
    LABEL_PARTS,
    Clause,
    DistanceClause,
    EdgeClause,
    EqualClause,
    FeatureClause,
    LabelTest,
    NodeClause,
    OrderClause,
    Reference,
    Request,
    SpanClause,
    ValueTest,
    edges_of,
    nodes_of,
)

STRUCTURES = ("projective", "tree", "cyclic", "forest")
_OPERATORS = ("=", "<>", "<", ">", "<=", ">=")
_TOKEN = re.compile(
    r"""(?P<blank>(?:\s|%[^\n]*)+)
      | (?P<regex>re"(?:[^"\\]|\\.)*" | /(?:[^/\\\n]|\\.)+/i?)
      | (?P<string>"(?:[^"\\]|\\.)*")
      | (?P<symbol>\]->|->|-\[|<<|>>|><|<>|<=|>=|[{}\[\]();,:|=<>!^*.])
      | (?P<word>-?\d+(?!\w) | \w(?:[\w@'’-]*[\w'’])?)""",
    re.VERBOSE,
)
_EXAMPLE = "as in: pattern { V [upos=VERB]; V -[nsubj]-> S; S << V } without { V -[aux]-> A }"
LONGEST = 20_000
"""Characters of a request."""


class _Token(NamedTuple):
    kind: str
    text: str
    place: int


def read_request(text: str) -> Request:
    """The request; clauses alone, without `pattern { }` around them, are a pattern.

    >>> read_request("X -[nsubj]-> Y").nodes
    ('X', 'Y')
    """
    return _Parser(text).request()


def request_text(pattern: str) -> str:
    """The text of a request, from its file where it is written as @FILE."""
    if not pattern.startswith("@"):
        return pattern
    return file_text(pattern[1:], "the request", f"write it in {LONGEST:,} characters or less", most=4 * LONGEST)


class _Parser:
    """Recursive descent over tokens; every level reads one construct."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        if len(text) > LONGEST:
            raise UsageError(f"a request of {len(text):,} characters", todo=f"write it in {LONGEST:,} or less")
        self.tokens = list(self._tokens())

    def _tokens(self) -> list[_Token]:
        tokens, place = [], 0
        while place < len(self.text):
            match = _TOKEN.match(self.text, place)
            if match is None:
                self.fail(f"{self.text[place]!r} is not known here", place)
            if match.lastgroup != "blank":
                assert match.lastgroup is not None
                tokens.append(_Token(match.lastgroup, match[0], place))
            place = match.end()
        return [*tokens, _Token("end", "", len(self.text))]

    # ---- tokens

    @property
    def token(self) -> _Token:
        return self.tokens[self.at]

    @property
    def following(self) -> _Token:
        """The token after this one; at the end, the end itself."""
        return self.tokens[min(self.at + 1, len(self.tokens) - 1)]

    def fail(self, what: str, place: int | None = None) -> NoReturn:
        place = self.token.place if place is None else place
        line = self.text[self.text.rfind("\n", 0, place) + 1 :].partition("\n")[0]
        column = place - self.text.rfind("\n", 0, place) - 1
        start = max(0, column - 50)
        shown = line[start : start + 80]
        number = self.text.count("\n", 0, place) + 1
        where = f"line {number}, character {column + 1}" if "\n" in self.text else f"character {column + 1}"
        raise UsageError(what, where=where, todo=f"{shown}\n  {' ' * (column - start)}^\n  {_EXAMPLE}")

    def here(self, *symbols: str) -> bool:
        return self.token.kind == "symbol" and self.token.text in symbols

    def taken(self, *symbols: str) -> bool:
        """Is one of these symbols here? Then it is read."""
        if self.here(*symbols):
            self.at += 1
            return True
        return False

    def expect(self, symbol: str) -> None:
        if not self.taken(symbol):
            self.fail(f"{symbol} is missing" + (f" before {self.token.text!r}" if self.token.text else " at the end"))

    def word(self, what: str) -> str:
        if self.token.kind != "word":
            self.fail(f"{what} is missing" + (f" before {self.token.text!r}" if self.token.text else " at the end"))
        self.at += 1
        return self.tokens[self.at - 1].text

    # ---- the request

    def request(self) -> Request:
        blocks: dict[str, list[tuple[Clause, ...]]] = {"pattern": [], "with": [], "without": []}
        structures, comments = list[tuple[str, bool]](), list[ValueTest]()
        following = self.following.text
        if following != "{":
            blocks["pattern"].append(self.clauses("end"))
        while self.token.kind != "end":
            keyword = self.word("pattern, with, without or global")
            if keyword == "global":
                self.expect("{")
                self.globals(structures, comments)
            elif keyword in blocks:
                self.expect("{")
                blocks[keyword].append(self.clauses("}"))
            else:
                self.at -= 1
                self.fail(f"{keyword!r} opens no block: there are pattern, with, without and global")
        pattern = tuple(clause for block in blocks["pattern"] for clause in block)
        nodes, edges = nodes_of(pattern), edges_of(pattern)
        if not nodes:
            self.fail("no node is looked for", 0)
        self.check(pattern, nodes, edges)
        for block in (*blocks["with"], *blocks["without"]):
            self.check(block, [*nodes, *nodes_of(block)], [*edges, *edges_of(block)])
        return Request(
            self.text, pattern, tuple(blocks["with"]), tuple(blocks["without"]), tuple(structures), tuple(comments),
            tuple(nodes), tuple(edges),
        )  # fmt: skip

    def check(self, clauses: tuple[Clause, ...], nodes: list[str], edges: list[str]) -> None:
        """Every name that a constraint uses is that of a node or an edge; no name is both, no edge named twice."""
        for name in set(nodes) & set(edges):
            self.fail(f"{name!r} is the name of a node and of an edge", self.text.find(name))
        for name in {name for name in edges if edges.count(name) > 1}:
            self.fail(f"{name!r} is the name of two edges", self.text.find(name))
        for clause in clauses:
            used: list[tuple[str, list[str]]] = []
            match clause:
                case OrderClause(first, second) | DistanceClause(first, second):
                    used = [(first, nodes), (second, nodes)]
                case SpanClause(first, second):
                    used = [(first, nodes + edges), (second, edges)]
                case EqualClause(left, right):
                    used = [(left.name, nodes + edges), (right.name, nodes + edges)]
                case FeatureClause(reference):
                    used = [(reference.name, nodes + edges)]
            for name, known in used:
                if name not in known:
                    self.fail(f"nothing is called {name!r}: there are {', '.join(known)}", self.text.find(name))

    def globals(self, structures: list[tuple[str, bool]], comments: list[ValueTest]) -> None:
        while not self.taken("}"):
            place = self.token.place
            name = self.word("a condition on the sentence")
            if (structure := re.fullmatch(r"is_(not_)?(\w+)", name)) and structure[2] in STRUCTURES:
                structures.append((structure[2], not structure[1]))
            elif self.here("=", "<>"):
                comments.append(self.value_test(name))
            else:
                self.fail(f"{name!r} is no condition: is_projective, is_not_tree, … or KEY = VALUE", place)
            if not self.here("}"):
                self.expect(";")

    def clauses(self, end: str) -> tuple[Clause, ...]:
        clauses: list[Clause] = []
        while not (self.token.kind == "end" if end == "end" else self.here("}")):
            clauses.append(self.clause())
            if not self.taken(";"):
                break
        if end == "}":
            self.expect("}")
        elif self.token.kind != "end":
            self.fail(f"; or the end is missing before {self.token.text!r}")
        return tuple(clauses)

    def clause(self) -> Clause:
        if self.here(ANY):
            self.at += 1
            return self.edge(ANY, "")
        if self.token.text in ("length", "delta") and self.following.text == "(":
            return self.distance()
        name = self.word("a node, an edge or a condition")
        if self.taken(":"):
            source = ANY if self.taken(ANY) else self.word("the node where the edge begins")
            return self.edge(source, name)
        if self.here("["):
            return self.node(name)
        if self.here("->", "-["):
            return self.edge(name, "")
        if self.here("."):
            return self.feature(name)
        return self.relation(name)

    def node(self, name: str) -> NodeClause:
        alternatives = [self.tests()]
        while self.taken("|"):
            if not self.here("["):
                self.fail("another [ ] is missing after |")
            alternatives.append(self.tests())
        return NodeClause(name, tuple(alternatives))

    def tests(self) -> tuple[ValueTest, ...]:
        self.expect("[")
        return self.listed(self.test, "]")

    def listed(self, read: Callable[[], ValueTest], end: str) -> tuple[ValueTest, ...]:
        tests: list[ValueTest] = []
        while not self.taken(end):
            if tests:
                self.expect(",")
            tests.append(read())
        return tuple(tests)

    def test(self) -> ValueTest:
        if self.taken("!"):
            return ValueTest(self.word("the feature that must not be there"), absent=True)
        return self.value_test(self.word("a feature"))

    def value_test(self, name: str) -> ValueTest:
        if not self.here("=", "<>"):
            return ValueTest(name)
        negated = self.token.text == "<>"
        self.at += 1
        if self.taken(ANY):
            if negated:
                self.fail("<> * holds of nothing: write !NAME where there must be none")
            return ValueTest(name)
        if self.token.kind == "regex":
            return ValueTest(name, pattern=self.regex(), negated=negated)
        return ValueTest(name, self.values(), negated=negated)

    def values(self) -> tuple[str, ...]:
        values = [self.value()]
        while self.taken("|"):
            values.append(self.value())
        return tuple(values)

    def value(self) -> str:
        if self.token.kind == "string":
            self.at += 1
            return re.sub(r"\\(.)", r"\1", self.tokens[self.at - 1].text[1:-1])
        value = self.word("a value")
        while self.taken(":"):
            value += ":" + self.word("the subtype")
        return value

    def regex(self) -> re.Pattern[str]:
        token = self.token
        self.at += 1
        ignore = token.text.endswith("i") and token.text.startswith("/")
        source = token.text[3:-1] if token.text.startswith("re") else token.text[1:].removesuffix("i").removesuffix("/")
        try:
            return compile_pattern(source, ignore_case=ignore)
        except ValueError as error:
            self.fail(f"no regular expression: {error}", token.place)

    def edge(self, source: str, name: str) -> EdgeClause:
        label = LabelTest()
        if self.taken("-["):
            label = self.label()
        elif not self.taken("->"):
            self.fail("an arrow is missing: -> or -[label]->")
        target = ANY if self.taken(ANY) else self.word("the node where the edge ends")
        if source == target == ANY:
            self.fail("an edge from * to * says nothing")
        return EdgeClause(source, target, label, name)

    def label(self) -> LabelTest:
        if self.taken("]->"):
            return LabelTest()
        if self.token.kind == "regex":
            whole = ValueTest("label", pattern=self.regex())
            self.expect("]->")
            return LabelTest(whole)
        if self.taken("^"):
            whole = ValueTest("label", self.values(), negated=True)
            self.expect("]->")
            return LabelTest(whole)
        if self.here("!") or self.following.text in ("=", "<>"):
            return LabelTest(parts=self.listed(self.label_part, "]->"))
        whole = ValueTest("label", self.values())
        self.expect("]->")
        return LabelTest(whole)

    def label_part(self) -> ValueTest:
        place = self.token.place
        test = self.test()
        if test.name not in LABEL_PARTS:
            self.fail(f"{test.name!r} is no part of a label: there are {', '.join(LABEL_PARTS)}", place)
        return test

    def feature(self, name: str) -> Clause:
        left = self.reference(name)
        if not self.here("=", "<>"):
            self.fail("= or <> is missing")
        following = self.tokens[self.at + 1 : self.at + 3]
        if following[0].kind == "word" and following[1].text == ".":
            negated = self.token.text == "<>"
            self.at += 1
            return EqualClause(left, self.reference(self.word("a node")), negated)
        return FeatureClause(left, self.value_test(left.feature))

    def reference(self, name: str) -> Reference:
        self.expect(".")
        return Reference(name, self.word("a feature"))

    def relation(self, name: str) -> Clause:
        symbol = self.token.text if self.here("<", "<<", ">", ">>", "><", "<>") else ""
        if not symbol:
            self.fail(f"what about {name!r}? [ ], an arrow, <, << or .feature is missing")
        self.at += 1
        other = self.word("a node or an edge")
        if symbol in (">", ">>"):
            name, other, symbol = other, name, symbol.replace(">", "<")
        if symbol in ("><", "<>"):
            return SpanClause(name, other, symbol)
        if symbol == "<<" and other in self.edge_names:
            return SpanClause(name, other, "<<")
        return OrderClause(name, other, symbol == "<")

    @property
    def edge_names(self) -> set[str]:
        """Names before a colon: what `X << e` is about depends on whether e is an edge."""
        pairs = zip(self.tokens, self.tokens[1:], strict=False)
        return {first.text for first, second in pairs if first.kind == "word" and second.text == ":"}

    def distance(self) -> DistanceClause:
        signed = self.word("length or delta") == "delta"
        self.expect("(")
        first = self.word("a node")
        self.expect(",")
        second = self.word("a node")
        self.expect(")")
        operator = self.token.text
        if not self.here(*_OPERATORS):
            self.fail(f"one of {' '.join(_OPERATORS)} is missing")
        self.at += 1
        place = self.token.place
        number = self.word("a number")
        if not re.fullmatch(r"-?\d{1,9}", number):
            self.fail(f"{number!r} is no number", place)
        return DistanceClause(first, second, signed, operator, int(number))
