"""What grammars of both schemes made of the parallel suite: the claims, the error tables, and three kinds of scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from statistics import fmean
from typing import TYPE_CHECKING

from ...suites.constructions.model import PHENOMENA, table_of
from ..constructions.verdict import CLASSES, RIGHT, UNCLASSED
from .line import OTHER_DATA, Line

if TYPE_CHECKING:
    from .tepacoc_parsers import Tried

TIGER, SPLIT, TUEBADZ = "TIGER", "TIGER, split", "TüBa-D/Z"
SISTERS = (1, 2)
"""How many sisters to the left a grammar sees: the default of `train pcfg` with functions, and one more."""
CLAIMS_TABLE = "Section 2.7: what is said of parsers"
SCORES_TABLE, ACCURACY_TABLE = "Three kinds of scores, ours", "Right items, ours"
TABLES = {
    "pp": "Table 1: PP attachment", "erc": "Table 2: extraposed relative clauses",
    "fcr": "Table 3: forward conjunction reduction", "sgf": "Table 4: subject gap with finite/fronted verb",
    "cuc": "Section 2.6: unlike constituents",
}  # fmt: skip
SCORES = {
    "f1": "labelled F1", "unlabelled_f1": "unlabelled F1", "functions_f1": "F1 with functions",
    "leaf_ancestor": "leaf-ancestor", "uas": "UAS", "las": "LAS",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Claim:
    """The first grammar has more of something than the second."""

    said: str
    more: str
    less: str
    value: Callable[[Tried], float]


def _score(measure: str) -> Callable[[Tried], float]:
    return lambda one: one.scores.value(measure) or 0.0


def _right(phenomenon: str) -> Callable[[Tried], float]:
    return lambda one: accuracy([one], phenomenon) or 0.0


CLAIMS = (
    *(Claim(f"bracket measures favour TüBa-D/Z: {SCORES[name]}", TUEBADZ, TIGER, _score(name))
      for name in ("f1", "unlabelled_f1", "leaf_ancestor")),
    Claim("dependencies favour TIGER: LAS", TIGER, TUEBADZ, _score("las")),
    Claim("TIGER is better at erc (split), per cent right", SPLIT, TUEBADZ, _right("erc")),
    Claim("TIGER is better at fcr, per cent right", TIGER, TUEBADZ, _right("fcr")),
    Claim("TIGER is better at sgf, per cent right", TIGER, TUEBADZ, _right("sgf")),
    Claim("fields reduce the rules: in the training trees", TIGER, TUEBADZ, lambda one: one.rules),
)  # fmt: skip
"""Raised trees do not show the noun of an extraposed clause, so erc is asked of split ones."""


def named(grammar: str, sisters: int) -> str:
    """How lines call a grammar: TIGER/2 sees two sisters."""
    return f"{grammar}/{sisters}"


def results(by_grammar: Mapping[str, Sequence[Tried]], suite: str, why: str) -> Iterator[Line]:
    """All lines about the grammars, each trained once for every training set."""
    yield from _claims(by_grammar, suite, why)
    number = len(next(iter(by_grammar.values())))
    sets = f"{number} training set{'s' * (number != 1)}"
    yield from _errors(by_grammar, suite, f"Sums over {sets}; the primary class of each item.")
    yield from _scores(by_grammar, suite, f"Over {sets}.")


def accuracy(some: Sequence[Tried], phenomenon: str) -> float | None:
    """Per cent of the items that are shown in full, over all training sets."""
    counts = sum((grammar.outcomes(phenomenon, in_full=True) for grammar in some), start=Counter[str]())
    return 100 * counts[RIGHT] / counts.total() if counts else None


def _claims(by_grammar: Mapping[str, Sequence[Tried]], suite: str, why: str) -> Iterator[Line]:
    """1 where the means over the training sets say so; the row has the means, and in how many sets it holds."""
    for claim, sisters in product(CLAIMS, SISTERS):
        names = [named(name, sisters) for name in (claim.more, claim.less)]
        more, less = ([claim.value(one) for one in by_grammar[name]] for name in names)
        sets = sum(one > other for one, other in zip(more, less, strict=True))
        row = f"{claim.said}: {names[0]} {fmean(more):.1f}, {names[1]} {fmean(less):.1f}, in {sets} of {len(more)} sets"
        holds = float(fmean(more) > fmean(less))
        yield Line(CLAIMS_TABLE, row, "true", "1", holds, suite=suite, why=why, basis=OTHER_DATA, kind="check")


def _errors(by_grammar: Mapping[str, Sequence[Tried]], suite: str, why: str) -> Iterator[Line]:
    """Items of each class, summed over the training sets."""
    for phenomenon, meaning in PHENOMENA.items():
        key = table_of(phenomenon)
        counts = {
            name: sum((one.outcomes(phenomenon) for one in some), start=Counter[str]())
            for name, some in by_grammar.items()
        }
        for code, description in {RIGHT: meaning, **CLASSES[key], **UNCLASSED}.items():
            if code in UNCLASSED and not any(count[code] for count in counts.values()):
                continue
            for name, count in counts.items():
                row = f"{phenomenon} {code}: {description}"
                yield Line(
                    f"{TABLES[key]}, ours", row, "items", "", count[code], system=name, suite=suite, why=why
                )  # fmt: skip


def _scores(by_grammar: Mapping[str, Sequence[Tried]], suite: str, why: str) -> Iterator[Line]:
    for measure, title in SCORES.items():
        for name, some in by_grammar.items():
            values = [one.scores.value(measure) or 0.0 for one in some]
            for part, value in (("mean", fmean(values)), ("lowest", min(values)), ("highest", max(values))):
                yield Line(SCORES_TABLE, title, part, "", value, system=name, suite=suite, why=why)
    for phenomenon, meaning in PHENOMENA.items():
        for name, some in by_grammar.items():
            share = accuracy(some, phenomenon)
            if share is not None:
                row = f"{phenomenon}: {meaning}"
                yield Line(ACCURACY_TABLE, row, "per cent", "", share, system=name, suite=suite, why=why)
