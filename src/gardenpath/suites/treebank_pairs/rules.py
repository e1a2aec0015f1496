"""What the treebank itself says of a rule: how often the word that should show a value shows another one."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from .sites import Site
from .words import Words

SUPPORT, EXCEPTIONS = 20, 0.05
"""A rule needs so many sites that keep it, and at most this share that break it."""
WAVERING = 0.01
"""A lexeme that breaks it more often than this is left out."""


@dataclass(frozen=True, slots=True)
class Rule:
    """With a controller that demands `value`, `kept` words show it and `broken` show `other` instead."""

    phenomenon: str
    value: str
    other: str
    kept: int
    broken: int

    @property
    def holds(self) -> bool:
        return self.kept >= SUPPORT and self.broken <= EXCEPTIONS * (self.kept + self.broken)


class Rules:
    """Counted for each kind of site on its own: what holds before the verb need not hold after it."""

    def __init__(self, words: Words, sites: Iterable[Site]) -> None:
        self._words = words
        self._shown: Counter[tuple[str, tuple[str, ...], str, str]] = Counter()
        self._by_controller: dict[tuple[str, str, str], Counter[tuple[tuple[str, ...], str]]] = defaultdict(Counter)
        for site in sites:
            shown = self.shown(site)
            self._shown[site.phenomenon, site.kind, site.value, shown] += 1
            self._by_controller[site.phenomenon, words.lemmas[site.controller], site.value][site.kind, shown] += 1

    def shown(self, site: Site) -> str:
        """The value that the word shows."""
        return self._words.cell(site.target)[site.feature]

    def rule(self, site: Site, other: str) -> Rule:
        """The rule that would be broken if the word showed the other value."""
        return self._rule(site.phenomenon, site.kind, site.value, other)

    def _rule(self, phenomenon: str, kind: tuple[str, ...], value: str, other: str) -> Rule:
        kept, broken = (self._shown[phenomenon, kind, value, shown] for shown in (value, other))
        return Rule(phenomenon, value, other, kept, broken)

    def wavers(self, site: Site, other: str) -> bool:
        """Does the treebank have this very controller with the other value, where the rule holds for others?

        A majority is and are; but that French *elle a mangé* shows no gender says nothing of *elle est venue*.
        """
        kept = broken = 0
        for (kind, shown), count in self._by_controller[
            site.phenomenon, self._words.lemmas[site.controller], site.value
        ].items():
            if self._rule(site.phenomenon, kind, site.value, other).holds:
                kept += count * (shown == site.value)
                broken += count * (shown == other)
        return broken > WAVERING * (kept + broken)

    def overview(self) -> Iterator[Rule]:
        """All rules, the kinds of sites taken together."""
        total: Counter[tuple[str, str, str]] = Counter()
        for (phenomenon, _, value, shown), count in self._shown.items():
            total[phenomenon, value, shown] += count
        shown_values: dict[str, set[str]] = defaultdict(set)
        for phenomenon, value, shown in total:
            shown_values[phenomenon] |= {value, shown}
        for phenomenon, values in shown_values.items():
            for value in sorted(values):
                for other in sorted(values - {value}):
                    kept, broken = total[phenomenon, value, value], total[phenomenon, value, other]
                    if kept + broken:
                        yield Rule(phenomenon, value, other, kept, broken)
