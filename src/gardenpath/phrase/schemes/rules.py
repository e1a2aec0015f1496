"""Head rules as data: which child of a phrase its head is to be looked for in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rule:
    """The first (or last) child with one of these functions and one of these labels; none given: any."""

    last: bool = False
    functions: frozenset[str] = frozenset()
    labels: frozenset[str] = frozenset()
    but: frozenset[str] = frozenset()
    """Labels that it must not have."""
    finite: bool = False
    """Only a child that a finite verb heads."""
    beside: frozenset[str] = frozenset()
    """Only where one of the children has one of these labels: a conjunction, say."""


@dataclass(frozen=True, slots=True)
class HeadRules:
    """The first rule that fits some child decides; punctuation is no candidate beside anything else."""

    by_category: Mapping[str, tuple[Rule, ...]]
    others: tuple[Rule, ...]
    """For categories that are not in the table."""
    complement: tuple[Rule, ...]
    """For what stands with the preposition in a prepositional phrase."""
    fallback: Rule
    """If no other rule fits: the first or the last child."""

    def of(self, category: str) -> tuple[Rule, ...]:
        return self.by_category.get(category, self.others)


def first(functions: str = "", labels: str = "", *, but: str = "", finite: bool = False, beside: str = "") -> Rule:
    """A rule for the first such child; labels and functions are separated by blanks."""
    return Rule(False, labelled(functions), labelled(labels), labelled(but), finite, labelled(beside))


def last(functions: str = "", labels: str = "") -> Rule:
    """A rule for the last such child."""
    return Rule(True, labelled(functions), labelled(labels))


def labelled(text: str) -> frozenset[str]:
    """Labels separated by blanks, as a set."""
    return frozenset(text.split())
