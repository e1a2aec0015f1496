"""Every system against every other over all suites that both were asked about: which pairs differ, after correction."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ...errors import UsageError
from ...runs.record import Run
from ...stats.corrections import holm
from ...stats.sampling import Difference, share_difference
from .pairing import Judgements, pair
from .same_suite import suite_facts

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class SystemPair:
    """The second system minus the first, in points, over all clusters of items that both were asked about."""

    first: str
    second: str
    test: Difference
    p_holm: float = 1.0


@dataclass(frozen=True)
class SystemPairs:
    """All pairs of a study, and why some runs could not be compared."""

    pairs: Sequence[SystemPair]
    refused: Sequence[str] = ()


def system_pairs(runs: Sequence[Run]) -> SystemPairs:
    """All pairs of the systems in runs of one study; items of different suites are pooled.

    Where items were sampled in two ways that cross, the rarer kind of cluster counts.
    """
    blocks: list[Mapping[str, tuple[Floats, Floats]]] = []
    refused = []
    for same_suite in _by_suite(runs):
        try:
            judgements = pair(same_suite)
        except UsageError as error:
            refused.append(f"{error.where}: {error.what}" if error.where else error.what)
            continue
        if next(iter(judgements.measures)) == "mean":
            return SystemPairs((), ("these runs have no score of which more is better",))
        blocks.append(_by_cluster(judgements))
    systems = list(dict.fromkeys(system for block in blocks for system in block))
    pairs = [
        SystemPair(first, second, test)
        for first, second in combinations(systems, 2)
        if (test := _difference(blocks, first, second)) is not None
    ]
    corrected = holm([tested.test.p for tested in pairs])
    return SystemPairs(
        [replace(tested, p_holm=p) for tested, p in zip(pairs, corrected, strict=True)], tuple(dict.fromkeys(refused))
    )


def _by_suite(runs: Sequence[Run]) -> Iterator[list[Run]]:
    """Runs that were asked the same, together."""
    groups: dict[tuple[tuple[str, str], ...], list[Run]] = {}
    for run in runs:
        groups.setdefault(suite_facts(run), []).append(run)
    yield from groups.values()


def _by_cluster(judgements: Judgements) -> dict[str, tuple[Floats, Floats]]:
    """By system: what it got and what it was asked, summed over the clusters (clusters,)."""
    codes = min(judgements.clusters.codes, key=lambda way: int(way.max(initial=0)))
    values = next(iter(judgements.measures.values()))
    return {
        entrant.system: (
            np.bincount(codes, values[:, at] * judgements.weights[:, at]).astype(np.float64),
            np.bincount(codes, judgements.weights[:, at]).astype(np.float64),
        )
        for at, entrant in enumerate(judgements.entrants)
    }


def _difference(blocks: Sequence[Mapping[str, tuple[Floats, Floats]]], first: str, second: str) -> Difference | None:
    both = [block for block in blocks if first in block and second in block]
    if not both:
        return None
    sides = [
        tuple(np.concatenate([block[system][part] for block in both]) for part in (0, 1)) for system in (first, second)
    ]
    (got, asked), (got_second, asked_second) = sides
    if not asked.any() or not asked_second.any():
        return None
    return share_difference((got, asked), (got_second, asked_second))
