"""Parser of requests: from text to tokens to a `Request`; an error points at the character."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple, NoReturn

from ...boundary.patterns import compile_pattern
from ...boundary.texts import file_text
from ...errors import UsageError
from .request import (
    ANY,
    LABEL_PARTS,
    Clause,
    CompareClause,
    DistanceClause,
    DominanceClause,
    EdgeClause,
    EqualClause,
    FeatureClause,
    FunctionClause,
    LabelTest,
    NodeClause,
    OrderClause,
    Reference,
    Request,
    SecondEdgeClause,
    SisterClause,
    SpanClause,
    ValueTest,
    edges_of,
    nodes_of,
    pointed_error,
)

_TOKEN = re.compile(
    r"""(?P<blank>(?:\s|%[^\n]*)+)
      | (?P<regex>re"(?:[^"\\]|\\.)*" | /(?:[^/\\\n]|\\.)+/i?)
      | (?P<string>"(?:[^"\\]|\\.)*")
      | (?P<symbol>\]->|\]~>|->>|->|-\[|~>|~\[|<<|>>|><|<>|<=|>=|[{}\[\]();,:|=<>!^*.$])
      | (?P<word>-?\d+(?!\w) | \w(?:[\w@'’-]*[\w'’])?(?:\$(?!\s*\w))?)""",
    re.VERBOSE,
)
_LEXICON = "lexicons are not supported: write the values themselves, as in lemma=be|have"
_ENHANCED = "enhanced edges (DEPS) are not searched: ask for the basic edge, as in -[nsubj]->"
LONGEST = 20_000
"""Characters of a request."""


class Token(NamedTuple):
    kind: str
    text: str
    place: int


class TokenReader:
    """Stands at one token of a text, and takes what is expected there."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        if len(text) > LONGEST:
            raise UsageError(f"a request of {len(text):,} characters", todo=f"write it in {LONGEST:,} or less")
        self.tokens = list(self._tokens())

    def _tokens(self) -> list[Token]:
        tokens, place = [], 0
        while place < len(self.text):
            match = _TOKEN.match(self.text, place)
            if match is None:
                is_lexicon = self.text.startswith("#BEGIN", place)
                self.fail(_LEXICON if is_lexicon else f"{self.text[place]!r} is not known here", place)
            if match.lastgroup != "blank":
                assert match.lastgroup is not None
                tokens.append(Token(match.lastgroup, match[0], place))
            place = match.end()
        return [*tokens, Token("end", "", len(self.text))]

    # ---- tokens

    @property
    def token(self) -> Token:
        return self.tokens[self.at]

    @property
    def following(self) -> Token:
        """The token after this one; at the end, the end itself."""
        return self.tokens[min(self.at + 1, len(self.tokens) - 1)]

    def fail(self, what: str, place: int | None = None) -> NoReturn:
        place = self.token.place if place is None else place
        raise pointed_error(self.text, what, place)

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


STRUCTURES = ("projective", "tree", "cyclic", "forest")
_OPERATORS = ("=", "<>", "<", ">", "<=", ">=")


@lru_cache(maxsize=512)
def read_request(text: str) -> Request:
    """The request; clauses alone, without `pattern { }` around them, are a pattern.

    >>> read_request("X -[nsubj]-> Y").nodes
    ('X', 'Y')
    """
    return _Parser(text).request()


def has_blocks(text: str) -> bool:
    """Is a request written in blocks, `pattern { … }`, and not as clauses alone?"""
    return _Parser(text).has_blocks


def request_text(pattern: str) -> str:
    """The text of a request, from its file where it is written as @FILE."""
    if not pattern.startswith("@"):
        return pattern
    return file_text(pattern[1:], "the request", f"write it in {LONGEST:,} characters or less", most=4 * LONGEST)


class _Parser(TokenReader):
    """Recursive descent over tokens; every level reads one construct."""

    # ---- the request

    @property
    def has_blocks(self) -> bool:
        """Asked at the beginning: does a block open there?"""
        return self.following.text == "{"

    def request(self) -> Request:
        blocks: dict[str, list[tuple[Clause, ...]]] = {"pattern": [], "with": [], "without": []}
        structures, comments = list[tuple[str, bool]](), list[ValueTest]()
        if not self.has_blocks:
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
        self.check_spans(pattern)
        for block in (*blocks["with"], *blocks["without"]):
            self.check(block, [*nodes, *nodes_of(block)], [*edges, *edges_of(block)])
            self.check_spans((*pattern, *block))
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
                case EqualClause(left, right) | CompareClause(left, _, right):
                    both = [part for part in (left, right) if isinstance(part, Reference)]
                    used = [(part.name, nodes + edges) for part in both]
                case FeatureClause(reference):
                    used = [(reference.name, nodes + edges)]
                case FunctionClause(_, _, argument):
                    used = [(argument, nodes)]
            for name, known in used:
                if name not in known:
                    what = f"nothing is called {name!r}: there are {', '.join(known)}"
                    what += f"; {_LEXICON}" if isinstance(clause, EqualClause) else ""
                    self.fail(what, self.text.find(name))

    def check_spans(self, clauses: tuple[Clause, ...]) -> None:
        """An edge that spans words has a node at both ends."""
        loose = {
            clause.name
            for clause in clauses
            if isinstance(clause, EdgeClause) and ANY in (clause.source, clause.target)
        }
        for clause in clauses:
            if isinstance(clause, SpanClause) and (open_ended := {clause.first, clause.second} & loose):
                name = min(open_ended)
                self.fail(
                    f"{name!r} ends in *, so that nobody knows which words it spans: name that node", clause.place
                )

    def globals(self, structures: list[tuple[str, bool]], comments: list[ValueTest]) -> None:
        while not self.taken("}"):
            place = self.token.place
            name = self.word("a condition on the sentence")
            if (structure := re.fullmatch(r"is_(not_)?(\w+)", name)) and structure[2] in STRUCTURES:
                structures.append((structure[2], not structure[1]))
            elif self.here("=", "<>"):
                comments.append(self.value_test(name))
            else:
                self.fail(f"{name!r} is not a condition: is_projective, is_not_tree, … or KEY = VALUE", place)
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
        if self.taken(ANY):
            return self.edge(ANY, "")
        if self.taken("!"):
            return self.function("", self.word("a function that gives nothing, as in !head(X)"))
        if self.token.text in ("length", "delta") and self.following.text == "(":
            return self.distance()
        name = self.word("a node, an edge or a condition")
        if self.taken(":"):
            source = ANY if self.taken(ANY) else self.word("the node where the edge begins")
            return self.edge(source, name)
        if self.here("["):
            return self.node(name)
        if self.here("->", "-[", "~>", "~["):
            return self.edge(name, "")
        if self.taken("="):
            return self.function(name, self.word("a function, as in Y = head(X),"))
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
            place = self.token.place
            return ValueTest(self.word("the feature that must not be there"), absent=True, place=place)
        return self.value_test(self.word("a feature"))

    def value_test(self, name: str) -> ValueTest:
        """The test of a feature whose name was read just now."""
        place = self.tokens[self.at - 1].place
        if not self.here("=", "<>"):
            return ValueTest(name, place=place)
        negated = self.token.text == "<>"
        self.at += 1
        if self.taken(ANY):
            if negated:
                self.fail("<> * holds of nothing: write !NAME where there must be none")
            return ValueTest(name, place=place)
        if self.token.kind == "regex":
            return ValueTest(name, pattern=self.regex(), negated=negated, place=place)
        return ValueTest(name, self.values(), negated=negated, place=place)

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
        if self.here("."):
            self.fail(_LEXICON, self.tokens[self.at - 1].place)
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
            self.fail(f"this is not a regular expression: {error}", token.place)

    def edge(self, source: str, name: str) -> EdgeClause | SecondEdgeClause:
        label, place = LabelTest(), self.token.place
        is_second = self.here("~>", "~[")
        if self.taken("-[", "~["):
            label = self.label("]~>" if is_second else "]->")
        elif not self.taken("->", "~>"):
            self.fail("an arrow is missing: -> or -[label]->")
        target = ANY if self.taken(ANY) else self.word("the node where the edge ends")
        if source == target == ANY:
            self.fail("an edge from * to * says nothing")
        if is_second and name:
            self.fail("a secondary edge has no name", place)
        return SecondEdgeClause(source, target, label, place) if is_second else EdgeClause(source, target, label, name)

    def label(self, end: str) -> LabelTest:
        if self.taken(end):
            return LabelTest()
        place = self.token.place
        if self.token.kind == "regex":
            whole = ValueTest("label", pattern=self.regex())
        elif self.taken("^"):
            whole = ValueTest("label", self.values(), negated=True, place=place)
        elif self.here("!") or self.following.text in ("=", "<>"):
            return LabelTest(parts=self.listed(self.label_part, end))
        else:
            whole = ValueTest("label", self.values(), place=place)
        if any(value.startswith("E:") for value in whole.values):
            self.fail(_ENHANCED, place)
        self.expect(end)
        return LabelTest(whole)

    def function(self, target: str, name: str) -> FunctionClause:
        """What a function gives; its name was read just now."""
        place = self.tokens[self.at - 1].place
        self.expect("(")
        argument = self.word("a node")
        self.expect(")")
        if argument == target:
            self.fail(f"{name}({argument}) is called {target} itself: give it another name", place)
        return FunctionClause(target, name, argument, place)

    def label_part(self) -> ValueTest:
        place = self.token.place
        test = self.test()
        if test.name not in LABEL_PARTS:
            self.fail(f"{test.name!r} is not a part of a label: there are {', '.join(LABEL_PARTS)}", place)
        if test.name == "enhanced" and not test.absent:
            self.fail(_ENHANCED, place)
        return test

    def feature(self, name: str) -> Clause:
        left = self.reference(name)
        if self.here("<", ">", "<=", ">="):
            return self.comparison(left)
        if not self.here("=", "<>"):
            self.fail("=, <> or a comparison such as < is missing")
        following = self.tokens[self.at + 1 : self.at + 3]
        if following[0].kind == "word" and following[1].text == ".":
            negated = self.token.text == "<>"
            self.at += 1
            return EqualClause(left, self.reference(self.word("a node")), negated)
        return FeatureClause(left, self.value_test(left.feature))

    def comparison(self, left: Reference) -> CompareClause:
        """Two numbers: of a node or edge, and of another one or as it is written (`3`, `0.5`)."""
        operator = self.token.text
        self.at += 1
        place, word = self.token.place, self.word("a number, or a feature such as Y.__id__,")
        if not re.fullmatch(r"-?\d{1,9}", word):
            return CompareClause(left, operator, self.reference(word))
        if self.taken("."):
            word += "." + self.word("the decimals")
        if not re.fullmatch(r"-?\d+(\.\d{1,9})?", word):
            self.fail(f"{word!r} is not a number", place)
        return CompareClause(left, operator, float(word))

    def reference(self, name: str) -> Reference:
        self.expect(".")
        place = self.token.place
        return Reference(name, self.word("a feature"), place)

    def relation(self, name: str) -> Clause:
        symbol, place = self.token.text, self.token.place
        if not self.here("<", "<<", ">", ">>", "><", "<>", "->>", "$"):
            self.fail(f"what about {name!r}? [ ], an arrow, <, <<, $ or .feature is missing")
        self.at += 1
        if symbol in ("->>", "$"):
            second = self.word("a node")
            if second == name:
                self.fail("these are one node", place)
            return DominanceClause(name, second) if symbol == "->>" else SisterClause(name, second)
        second = self.word("a node or an edge")
        if symbol in (">", ">>"):
            name, second, symbol = second, name, symbol.replace(">", "<")
        if symbol in ("><", "<>"):
            return SpanClause(name, second, symbol, place)
        if symbol == "<<" and second in self.edge_names:
            return SpanClause(name, second, "<<", place)
        return OrderClause(name, second, symbol == "<")

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
            self.fail(f"{number!r} is not a number", place)
        return DistanceClause(first, second, signed, operator, int(number))
