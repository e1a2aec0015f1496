"""What a parse made of a construction: the error classes that hold, the one that counts, and why, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from ...errors import UsageError, unknown_name
from ...suites.constructions.model import table_of
from .error_classes import Comparisons, class_titles, held_classes

RIGHT, WRONG = "right", "wrong"
"""`wrong` is the one error class of coordinations of unlike constituents."""
SHOWN = "shown"
"""Right as far as such trees show it: raised ones do not say which noun an extraposed clause belongs to."""
NOPARSE, UNDECIDED = "noparse", "n/a"
"""No parse at all; a form in which gold does not show the construction. Neither is an error class or right."""

CLASSES: Mapping[str, Mapping[str, str]] = class_titles()
"""The error classes of Tables 1 to 4 of the TEPACOC paper, and of CUC, which has no table."""
UNCLASSED = {
    SHOWN: "right as far as such trees show it",
    NOPARSE: "no parse",
    UNDECIDED: "such trees do not show it",
}


@dataclass(frozen=True, slots=True)
class Verdict:
    """`codes` are all classes that hold; `primary` is the first by the table's order, or right, shown, noparse, n/a."""

    codes: tuple[str, ...]
    primary: str
    flags: tuple[str, ...] = ()
    reason: str = ""
    hidden: tuple[str, ...] = ()
    """The classes that gold itself would have as such trees show it; they are not asked of any parse."""

    @property
    def right(self) -> bool:
        """In full, or as far as the form of trees shows it."""
        return self.primary in (RIGHT, SHOWN)


@dataclass(frozen=True, slots=True)
class Decisions:
    """What the paper leaves open; the defaults are ours."""

    overlap: float = 0.5
    """A relative clause whose words overlap less with gold's (of all words of both) is not recognised."""
    missing: str = "C"
    """The class of a PP that is not there."""
    other_head: str = "C"
    """The class of a PP with the right function and a wrong span around another noun."""
    full_verb: bool = True
    """A PP at an auxiliary or modal belongs to the full verb of its chain; else the verb of the very node counts."""
    field_heads: bool = True
    """A conjunct field without a verb is compared by the functions and heads of its phrases; else by one head."""
    pp: str = "DCBA"
    erc: str = "CABD"
    fcr: str = "CBADE"
    sgf: str = "ECBAD"
    """Which of several classes counts."""

    def __post_init__(self) -> None:
        if not 0 <= self.overlap <= 1:
            raise UsageError(f"overlap {self.overlap:g} is not between 0 and 1")
        for name in ("missing", "other_head"):
            if getattr(self, name) not in CLASSES["pp"]:
                raise unknown_name("error class", str(getattr(self, name)), CLASSES["pp"], where=name)
        for name in ("pp", "erc", "fcr", "sgf"):
            order = getattr(self, name)
            if sorted(order) != sorted(CLASSES[name]):
                todo = f"it has each of {', '.join(CLASSES[name])} once"
                raise UsageError(f"{order} is not an order of the classes of {name}", todo=todo)

    def verdict(self, phenomenon: str, codes: Mapping[str, str], flags: tuple[str, ...] = ()) -> Verdict:
        """The verdict from the classes that hold and the reason of each."""
        order = getattr(self, table_of(phenomenon), "")
        first = sorted(codes, key=order.find)
        reasons = dict.fromkeys(codes[code] for code in first)
        return Verdict(tuple(sorted(codes)), first[0] if first else RIGHT, flags, "; ".join(reasons))

    def held(self, phenomenon: str, compared: Sequence[Comparisons]) -> tuple[dict[str, str], tuple[str, ...]]:
        """The classes that hold by these comparisons of a parse with gold, each with its reason; and flags."""
        return held_classes(table_of(phenomenon), compared, {"missing": self.missing, "other_head": self.other_head})

    def judged(self, phenomenon: str, compared: Comparisons, flags: tuple[str, ...] = ()) -> Verdict:
        """The verdict by one comparison."""
        codes, more = self.held(phenomenon, [compared])
        return self.verdict(phenomenon, codes, (*flags, *more))

    @property
    def changed(self) -> dict[str, object]:
        """What is not as in the defaults, for signatures."""
        return {
            setting.name: getattr(self, setting.name)
            for setting in fields(self)
            if getattr(self, setting.name) != setting.default
        }


def decisions_from(pairs: Mapping[str, str]) -> Decisions:
    """Decisions from texts, as `overlap=0.6` on the command line gives them."""
    known = {setting.name: setting.default for setting in fields(Decisions)}
    chosen: dict[str, Any] = {}
    for name, text in pairs.items():
        if name not in known:
            raise unknown_name("decision", name, known, where="--decide")
        chosen[name] = _value(name, text, known[name])
    return Decisions(**chosen)


def _value(name: str, text: str, default: object) -> object:
    if isinstance(default, bool):
        if text not in ("yes", "no"):
            raise UsageError(f"{name}={text}: neither yes nor no", todo=f"write {name}=yes or {name}=no")
        return text == "yes"
    if isinstance(default, float):
        try:
            return float(text)
        except ValueError:
            raise UsageError(f"{name}={text}: not a number", todo=f"write {name}={default:g}") from None
    return text
