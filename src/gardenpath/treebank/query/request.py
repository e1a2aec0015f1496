"""A request: what a pattern, its filters and its conditions on whole sentences ask for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from ...boundary.patterns import bounded_matching
from ...errors import UsageError


@dataclass(frozen=True)
class ValueTest:
    """What a feature, a part of a label or a comment must be: one of `values`, or match `pattern`; or be there at all.

    `negated` asks for another value, and for one to be there; `absent` for none.
    """

    name: str
    values: tuple[str, ...] = ()
    pattern: re.Pattern[str] | None = None
    negated: bool = False
    absent: bool = False
    place: int = field(default=0, compare=False)
    """The character of the request where it stands, for errors."""

    def holds(self, value: str | None) -> bool:
        if value is None or self.absent:
            return self.absent and value is None
        if self.pattern is not None:
            return (self.pattern.fullmatch(value) is not None) != self.negated
        return not self.values or (value in self.values) != self.negated


@dataclass(frozen=True)
class LabelTest:
    """What the label of an edge must be: anything, one of some, none of some, or by its parts (1=nsubj, 2=pass)."""

    whole: ValueTest | None = None
    parts: tuple[ValueTest, ...] = ()

    def holds(self, label: str) -> bool:
        if self.whole is not None and not self.whole.holds(label):
            return False
        return all(test.holds(label_part(label, test.name)) for test in self.parts)


def each_holds(test: ValueTest | LabelTest, values: Iterable[Any]) -> list[bool]:
    """The answer for each value, in bounded time: a pattern may be one that takes for ever."""
    parts = (test,) if isinstance(test, ValueTest) else (*test.parts, *([test.whole] if test.whole else []))
    if all(part.pattern is None for part in parts):
        return list(map(test.holds, values))
    with bounded_matching("the regular expression of this query"):
        return list(map(test.holds, values))


@dataclass(frozen=True)
class NodeClause:
    """`X [upos=VERB, !Tense]|[upos=AUX]`: one of the alternatives, all of its tests."""

    node: str
    alternatives: tuple[tuple[ValueTest, ...], ...]


@dataclass(frozen=True)
class EdgeClause:
    """`e: X -[nsubj]-> Y`. `*` for X or Y is any word, and X may then be the root that no word is."""

    source: str
    target: str
    label: LabelTest
    name: str = ""


@dataclass(frozen=True)
class DominanceClause:
    """`X ->> Y`: Y depends on X, or on what depends on X, and so on; of phrases: Y is inside of X."""

    source: str
    target: str


@dataclass(frozen=True)
class SecondEdgeClause:
    """`X ~[SB]~> Y`: a secondary edge makes X another mother of Y. `*` for X or Y is any node."""

    source: str
    target: str
    label: LabelTest
    place: int = field(default=0, compare=False)


@dataclass(frozen=True)
class FunctionClause:
    """`Y = head(X)`: Y is what the function gives for X; `!head(X)`, without a target: it gives nothing."""

    target: str
    function: str
    argument: str
    place: int = field(default=0, compare=False)


@dataclass(frozen=True)
class SisterClause:
    """`X $ Y`: two nodes at one governor, or both at the root of their sentence."""

    first: str
    second: str


@dataclass(frozen=True)
class OrderClause:
    """`X < Y`: X is right before Y; `X << Y`: somewhere before."""

    first: str
    second: str
    next: bool


@dataclass(frozen=True)
class Reference:
    """`X.lemma`, `e.label`: a feature of a node or an edge."""

    name: str
    feature: str
    place: int = field(default=0, compare=False)

    def __str__(self) -> str:
        return f"{self.name}.{self.feature}"


@dataclass(frozen=True)
class EqualClause:
    """`X.lemma = Y.lemma`: both are there and equal, or (`negated`) different."""

    left: Reference
    right: Reference
    negated: bool


@dataclass(frozen=True)
class CompareClause:
    """`X.__id__ < Y.__id__`, `e.length >= 3`: both are numbers, and they compare like this."""

    left: Reference
    operator: str
    right: Reference | float


@dataclass(frozen=True)
class FeatureClause:
    """`X.lemma = "be"`: a test of a node or an edge outside of its own clause."""

    reference: Reference
    test: ValueTest


@dataclass(frozen=True)
class SpanClause:
    """`e >< f`: they cross; `e << f`: e is covered by f; `e <> f`: they are apart; `X << e`: X stands inside of e."""

    first: str
    second: str
    relation: str
    place: int = field(default=0, compare=False)


@dataclass(frozen=True)
class DistanceClause:
    """`length(X,Y) > 5`, `delta(X,Y) = -1`: how far Y stands from X, without and with its sign."""

    first: str
    second: str
    signed: bool
    operator: str
    number: int


Clause = (
    NodeClause | EdgeClause | SecondEdgeClause | DominanceClause | FunctionClause | SisterClause | OrderClause
    | EqualClause | CompareClause | FeatureClause | SpanClause | DistanceClause
)  # fmt: skip
SpecialPart = ValueTest | Reference | SpanClause | SecondEdgeClause | FunctionClause
"""What not all trees can be asked."""


@dataclass(frozen=True)
class Request:
    """What is looked for (`pattern`), what must be there beside it (`required`), what not, and in which sentences."""

    text: str
    pattern: tuple[Clause, ...]
    required: tuple[tuple[Clause, ...], ...] = ()
    forbidden: tuple[tuple[Clause, ...], ...] = ()
    structures: tuple[tuple[str, bool], ...] = ()
    """Of the whole sentence: `projective`, `tree`, `cyclic`, `forest`, each to hold or not."""
    comments: tuple[ValueTest, ...] = ()
    nodes: tuple[str, ...] = field(default=())
    """Names of the nodes of the pattern, in the order in which they occur."""
    edges: tuple[str, ...] = field(default=())


def nodes_of(clauses: tuple[Clause, ...]) -> list[str]:
    """The nodes that clauses bind, in the order in which they are named."""
    names: list[str] = []
    for clause in clauses:
        match clause:
            case NodeClause(node):
                names.append(node)
            case EdgeClause(first, second) | SecondEdgeClause(first, second):
                names += [name for name in (first, second) if name != ANY]
            case DominanceClause(first, second) | SisterClause(first, second):
                names += [first, second]
            case FunctionClause(target, _, argument) if target:
                names += [argument, target]
    return list(dict.fromkeys(names))


def loose_nodes(clauses: Iterable[Clause]) -> frozenset[str]:
    """The nodes that may be the same as others: those that a function gives, and those called `X$`."""
    clauses = tuple(clauses)
    given = {clause.target for clause in clauses if isinstance(clause, FunctionClause)}
    return frozenset(given - {""} | {name for name in nodes_of(clauses) if name.endswith("$")})


def special_parts(clauses: tuple[Clause, ...]) -> Iterator[SpecialPart]:
    """What clauses ask that not all trees have: features, functions, secondary edges and edges that span words."""
    for clause in clauses:
        match clause:
            case NodeClause(_, alternatives):
                yield from (test for tests in alternatives for test in tests)
            case EqualClause(left, right) | CompareClause(left, _, right):
                yield from (part for part in (left, right) if isinstance(part, Reference))
            case FeatureClause(reference):
                yield reference
            case SpanClause() | SecondEdgeClause() | FunctionClause():
                yield clause


def edges_of(clauses: tuple[Clause, ...]) -> list[str]:
    return [clause.name for clause in clauses if isinstance(clause, EdgeClause) and clause.name]


ANY = "*"
EXAMPLE = "as in: pattern { V [upos=VERB]; V -[nsubj]-> S; S << V } without { V -[aux]-> A }"


def pointed_error(text: str, what: str, place: int, todo: str = EXAMPLE) -> UsageError:
    """An error that shows the line of a request and points at the character."""
    begin = text.rfind("\n", 0, place) + 1
    line, column = text[begin:].partition("\n")[0], place - begin
    start = max(0, column - 50)
    number = text.count("\n", 0, place) + 1
    where = f"line {number}, character {column + 1}" if "\n" in text else f"character {column + 1}"
    return UsageError(what, where=where, todo=f"{line[start : start + 80]}\n  {' ' * (column - start)}^\n  {todo}")


def label_part(label: str, part: str) -> str | None:
    """Part 1 of `nsubj:pass@x` is `nsubj`, part 2 `pass`, `deep` is what follows @; None where there is none.

    No label is `enhanced`, since basic edges alone are searched.
    """
    if part not in LABEL_PARTS:
        raise UsageError(f"{part!r} is not a part of a label", todo=f"there are: {', '.join(LABEL_PARTS)}")
    label, _, deep = label.partition("@")
    first, _, second = label.partition(":")
    return {"1": first, "2": second, "deep": deep, "enhanced": ""}[part] or None


LABEL_PARTS = ("1", "2", "deep", "enhanced")
