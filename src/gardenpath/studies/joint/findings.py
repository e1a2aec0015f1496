"""What the judgements come to: parsers' garden paths, models' effects, and whether the two go together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from ...runs.result import Finding, Value
from ...stats.corrections import holm
from ...stats.group_pairs import GroupComparison, compare_groups
from ...stats.sampling import Clusters, shares
from ..grouping import ColumnGroups
from ..surprisal.difference import mean_difference
from .material import ASTRAY, ODD, PATHS, RIGHT
from .settings import STUDY

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
ITEMS = 500
"""Of so many items each is a finding of its own; of more there are observations."""
CONDITIONS = {"ambiguous": (RIGHT, ODD), "unambiguous": (RIGHT, ASTRAY)}
"""The two sentences of an item, and what a parser made of items in which its arc is right there."""


@dataclass(frozen=True, eq=False)
class JointCounts:
    """What every system made of every item; arrays run over items."""

    suite: str
    names: Sequence[str]
    """Of items."""
    constructions: NDArray[np.str_]
    clusters: Clusters
    paths: Mapping[str, NDArray[np.int64]]
    """By parser: index into PATHS."""
    effects: Mapping[str, Floats]
    """By model: bits, harder minus easier; NaN where it could not be scored."""
    by_column: ColumnGroups | None = None

    @property
    def groups(self) -> list[tuple[dict[str, Value], Bools]]:
        """All items, then those of each construction, where there are several."""
        whole: list[tuple[dict[str, Value], Bools]] = [({}, np.ones(len(self.names), dtype=bool))]
        named = list(dict.fromkeys(self.constructions.tolist()))
        parts = [({"construction": name}, self.constructions == name) for name in named]
        return [*whole, *((dict(by), chosen) for by, chosen in parts)]

    def findings(self) -> Iterator[Finding]:
        """Systems one by one, then pairs of a parser and a model, then item by item."""
        columns = self.by_column
        named = (
            [(dict(by), chosen) for by, chosen in zip(columns.groups, columns.members, strict=True)] if columns else []
        )
        for parser, by_chosen in product(self.paths, [*self.groups, *named]):
            yield from self._parser(parser, *by_chosen)
        for level in (self.groups[:1], self.groups[1:], named):
            yield from self._models(level)
            yield from self._pairs(level)
        if len(self.names) <= ITEMS:
            yield from self._items()

    def _finding(
        self, system: str, measure: str, value: float | int | str | None, n: int | None, by: Mapping[str, Value],
        ends: tuple[float | None, float | None] = (None, None),
    ) -> Finding:  # fmt: skip
        return Finding(STUDY, self.suite, system, measure, value, n, *ends, by)

    def _parser(self, parser: str, by: Mapping[str, Value], chosen: Bools) -> Iterator[Finding]:
        """How often it takes the garden path, and finds the arc of each sentence, in per cent of all items."""
        paths, size = self.paths[parser][chosen], int(chosen.sum())
        counted = {("astray", ""): (ASTRAY,), **{("arcs_right", name): kinds for name, kinds in CONDITIONS.items()}}
        right = np.stack([np.isin(paths, kinds) for kinds in counted.values()], axis=1)
        estimates = shares(right, np.ones_like(right), self.clusters.at(chosen))
        for (measure, condition), estimate in zip(counted, estimates, strict=True):
            assert estimate is not None
            keys = {**by, **({"condition": condition} if condition else {})}
            yield self._finding(parser, measure, 100 * estimate.value, size, keys, estimate.percent)

    def _models(self, level: Sequence[tuple[dict[str, Value], Bools]]) -> Iterator[Finding]:
        """The mean effect; p of no effect is corrected over the models and constructions of a level."""
        rows = []
        for model, (by, chosen) in product(self.effects, level):
            values, clusters = self.effects[model][chosen], self.clusters.at(chosen)
            rows.append((model, by, mean_difference(values, clusters), clusters.at(~np.isnan(values)).count))
        corrected = iter(holm([test.p for *_, test, _ in rows if test.p is not None]))
        for model, by, test, count in rows:
            yield self._finding(model, "effect", test.mean, test.n, by, (test.low, test.high))
            if test.p is not None:
                yield self._finding(model, "effect_p", test.p, count, by)
                yield self._finding(model, "effect_p_holm", next(corrected), count, by)

    def _pairs(self, level: Sequence[tuple[dict[str, Value], Bools]]) -> Iterator[Finding]:
        """Where the parser errs against where it does not; over all items also without regard to constructions."""
        rows = []
        for parser, model, (by, chosen) in product(self.paths, self.effects, level):
            there = chosen & ~np.isnan(self.effects[model])
            values, astray = self.effects[model][there], self.paths[parser][there] == ASTRAY
            keys: dict[str, Value] = {**by, "parser": parser}
            for measure, group in (("effect_astray", values[astray]), ("effect_elsewhere", values[~astray])):
                if len(group):
                    yield self._finding(model, measure, float(group.mean()), len(group), keys)
            clusters = self.clusters.at(there)
            within = compare_groups(values, astray, clusters, self.constructions[there])
            if within is not None:
                rows.append((model, keys, within))
            pooled = compare_groups(values, astray, clusters) if not by else None
            if pooled is not None:
                yield from self._compared(model, keys, pooled, "_pooled")
        tested = [compared.gap.p for _, _, compared in rows if compared.gap.low is not None]
        corrected = iter(holm(tested))
        for model, keys, compared in rows:
            yield from self._compared(model, keys, compared)
            if compared.gap.low is not None:
                yield self._finding(model, "effect_gap_p", compared.gap.p, compared.gap.clusters, keys)
                yield self._finding(model, "effect_gap_p_holm", next(corrected), compared.gap.clusters, keys)

    def _compared(
        self, model: str, keys: Mapping[str, Value], compared: GroupComparison, ending: str = ""
    ) -> Iterator[Finding]:
        for measure, difference in (("effect_gap", compared.gap), ("rank_biserial", compared.dominance)):
            ends = difference.low, difference.high
            yield self._finding(model, f"{measure}{ending}", difference.value, compared.items, keys, ends)

    def _items(self) -> Iterator[Finding]:
        for place, (item, construction) in enumerate(zip(self.names, self.constructions.tolist(), strict=True)):
            by: dict[str, Value] = {"construction": construction, "item": item}
            for parser, paths in self.paths.items():
                yield self._finding(parser, "item_path", PATHS[int(paths[place])], None, by)
            for model, effects in self.effects.items():
                effect = float(effects[place])
                yield self._finding(model, "item_effect", None if np.isnan(effect) else effect, None, by)
