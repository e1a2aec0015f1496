"""The consistency study: does an irrelevant change of the input change the tree, how often, and in how many ways?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

import numpy as np

from ...errors import InputError, UsageError, unknown_name
from ...runs.result import Finding, Result, Table, Value
from ...runs.signature import digest, signature
from ...stats.resample import Paired, paired_bootstrap
from .answered import Answers
from .asked import Asked
from .judging import ORDERS, Judged, judge
from .places import Altered, altered
from .questions import ORIGINALS, Detail, Draws, Overview, Share, Summary, detail, overview
from .values import ValueShare, by_group, by_value

STUDY = "consistency"
Key = tuple[str, str, str]
"""System, perturbation, order of siblings."""


@dataclass(frozen=True, slots=True)
class Part:
    """All that is found out about one system, one perturbation and one order of siblings."""

    batches: Sequence[Judged]
    overview: Overview
    details: Mapping[str, Detail]
    values: Sequence[ValueShare] = ()
    groups: Sequence[ValueShare] = ()
    altered: Altered | None = None


def orders_called(order: str) -> list[str]:
    """`surface`, `udon2` or `both`."""
    if order not in (*ORDERS, "both"):
        raise unknown_name("order of siblings", order, (*ORDERS, "both"))
    return list(ORDERS) if order == "both" else [order]


def consistency(
    asked: Asked,
    answers: Mapping[str, Answers],
    *,
    order: str = "both",
    draws: int = 1000,
    seed: int = 0,
    facts: Mapping[str, object] | None = None,
    brief: bool = False,
    advance: Callable[[int], None] | None = None,
) -> tuple[Result, dict[Key, Part]]:
    """Judges all systems on all batches. The first system is the one that others are compared with.

    `facts` are further pairs for the signature: how batches and trees were made. A brief result has no tables of
    values and changes; the findings are all there. `advance` is told of every batch of every system.
    """
    if not answers:
        raise UsageError("no system to judge", todo="name a parser, such as udpipe:MODEL")
    if not asked.cases:
        raise InputError("no sentence has a match", where=asked.name, todo=asked.reasons())
    orders = orders_called(order)
    how = Draws(draws, seed)
    parts = {
        key: part
        for system, one in answers.items()
        for key, part in _parts(asked, system, one, orders, how, advance).items()
    }
    findings = [finding for key, part in parts.items() for finding in _findings(asked, key, part)]
    compared = _compared(asked, parts, orders[0], how)
    suite = PurePath(asked.name).name
    findings += [finding for key, pair in compared.items() for finding in difference_findings(suite, *key, pair)]
    failures = {f"{system}: {kind}": count for system, one in answers.items() for kind, count in one.failures().items()}
    pairs = [
        ("study", STUDY), ("treebank", f"{suite}#{digest(asked.data)[:8]}"),
        ("batches", len(asked.cases)), *(facts or {}).items(), ("order", order),
        *([("draws", draws), ("seed", seed)] if draws else []),
    ]  # fmt: skip
    return Result(signature(*pairs), findings, _tables(asked, parts, compared, orders, brief), failures), parts


def _parts(
    asked: Asked,
    system: str,
    answers: Answers,
    orders: Sequence[str],
    how: Draws,
    advance: Callable[[int], None] | None,
) -> dict[Key, Part]:
    judged = judge(asked, answers, orders, advance)
    found = {}
    for perturbation in asked.perturbations:
        for place, order in enumerate(orders):
            batches = [one for one in judged[order] if one.case.batch.perturbation == perturbation]
            details = {original: detail(batches, original, how) for original in ORIGINALS}
            more: dict[str, Any] = {}
            if not place:  # values and places are shown in the order that comes first
                more = {"values": by_value(batches, how), "groups": by_group(batches, how)}
            if order == "surface":
                more["altered"] = altered(batches, how)
            found[system, perturbation, order] = Part(batches, overview(batches, how), details, **more)
    return found


def _compared(asked: Asked, parts: Mapping[Key, Part], order: str, how: Draws) -> dict[tuple[str, str, str], Paired]:
    """(system, perturbation, measure): the difference to the first system on the same batches."""
    systems = list(dict.fromkeys(system for system, _, _ in parts))
    found = {}
    for perturbation in asked.perturbations:
        first = parts[systems[0], perturbation, order].batches
        for system in systems[1:] if how.draws and len(first) > 1 else ():
            second = parts[system, perturbation, order].batches
            for measure in ("right", "changed", "consistent"):
                both = counts(first, measure), counts(second, measure)
                if all(bottoms.any() for _, bottoms in both):  # else there is nothing to compare
                    found[system, perturbation, measure] = paired_bootstrap(*both, draws=how.draws, seed=how.seed)
    return found


def counts(batches: Sequence[Judged], measure: str) -> tuple[Any, Any]:
    """What a paired test draws: per batch the numerator and denominator of `right`, `changed` or `consistent`."""
    if measure != "consistent":
        return columns([(getattr(one, measure), one.trees) if one.considered else (0, 0) for one in batches])
    return columns([(int(not one.inconsistent), 1) if one.comparable else (0, 0) for one in batches])


def columns(pairs: Sequence[tuple[int, int]]) -> tuple[Any, Any]:
    both = np.array(pairs, dtype=np.float64)
    return both[:, 0], both[:, 1]


def difference_findings(suite: str, system: str, perturbation: str, measure: str, pair: Paired) -> list[Finding]:
    """Percentage points above the first system."""
    by: dict[str, Value] = {"perturbation": perturbation}
    low, high = 100 * pair.low, 100 * pair.high
    return [
        Finding(STUDY, suite, system, f"{measure}_difference", 100 * pair.difference, low=low, high=high, by=by),
        Finding(STUDY, suite, system, f"{measure}_p_bootstrap", pair.p, by=by),
    ]


def _findings(asked: Asked, key: Key, part: Part) -> list[Finding]:
    system, perturbation, order = key
    name = PurePath(asked.name).name
    whole: dict[str, Value] = {"perturbation": perturbation, "order": order}
    found: list[Finding] = []

    def tell(measure: str, value: Any, n: int | None = None, by: Mapping[str, Value] = whole, **more: Any) -> None:
        found.append(Finding(STUDY, name, system, measure, value, n, by=by, **more))

    def tell_share(measure: str, share: Share, by: Mapping[str, Value] = whole) -> None:
        tell(measure, share.value, share.total, by, low=share.low, high=share.high)

    def tell_summary(measure: str, one: Summary | None, by: Mapping[str, Value]) -> None:
        tell(measure, one and one.mean, one.n if one else 0, by, low=one and one.low, high=one and one.high)
        for more, value in (("sd", one and one.sd), ("median", one and one.median), ("min", one and one.least),
                            ("max", one and one.most)):  # fmt: skip
            tell(f"{measure}_{more}", value, one.n if one else 0, by)

    seen = part.overview
    for measure, count in (
        ("originals", seen.originals), ("originals_wrong_segmentation", seen.originals_segmented),
        ("originals_failed", seen.originals_failed), ("originals_considered", seen.originals_right.total),
        ("originals_right", seen.originals_right.count), ("variants", seen.variants),
        ("variants_distinct", seen.distinct), ("variants_wrong_segmentation", seen.variants_segmented),
        ("variants_failed", seen.variants_failed), ("variants_considered", seen.variants_right.total),
        ("variants_right", seen.variants_right.count),
    ):  # fmt: skip
        tell(measure, count)
    tell_share("original_right", seen.originals_right)
    tell_share("right", seen.variants_right)
    tell_share("changed", seen.changed)
    tell_share("consistent", seen.consistent)
    for original, one in part.details.items():
        by: dict[str, Value] = {**whole, "original": original}
        tell("batches", one.batches, by=by)
        tell("complete_batches", one.complete.count, one.batches, by)
        tell_share("complete", one.complete, by)
        tell_summary("right_per_batch", one.right, by)
        tell("consistent_error_batches", one.consistent_errors, one.batches, by)
        tell_summary("clusters", one.clusters, by)
        tell_summary("clusters_published", one.clusters_published, by)
        tell_summary("ncptk", one.similarity, by)
        tell_summary("ncptk_published", one.similarity_published, by)
    clusters: dict[int, int] = {}
    for batch in part.batches:
        if batch.considered:
            clusters[len(batch.clusters)] = clusters.get(len(batch.clusters), 0) + 1
    for number, count in sorted(clusters.items()):
        tell("batches_with_clusters", count, sum(clusters.values()), {**whole, "clusters": number})
    groups = {
        value: group
        for batch in part.batches
        for value, group in zip(batch.case.values, batch.case.groups, strict=True)
    }
    for share in part.values:
        by = {"perturbation": perturbation, "replacement": share.key, "group": groups[share.key]}
        tell(share.measure, share.value, share.n, by, low=share.low, high=share.high)
    for share in part.groups:
        tell(share.measure, share.value, share.n, {"perturbation": perturbation, "group": share.key},
             low=share.low, high=share.high)  # fmt: skip
    if part.altered is not None:
        _tell_changes(part.altered, perturbation, tell, tell_share)
    return found


def _tell_changes(seen: Altered, perturbation: str, tell: Any, tell_share: Any) -> None:
    by: dict[str, Value] = {"perturbation": perturbation}
    tell("minority_clusters", seen.clusters, by=by)
    tell("minority_clusters_other_words", seen.incomparable, by=by)
    tell("changed_words", seen.words, seen.clusters, by)
    tell_share("root_changed", seen.root, by)
    tell_share("edited_word_changed", seen.edited, by)
    tell_share("other_word_changed", seen.beyond, by)
    for part, share in seen.parts.items():
        tell_share("clusters_changed", share, {**by, "part": part})
        tell("changed_words", seen.counts[part], seen.words, {**by, "part": part})
    for kind, shares in seen.places.items():
        for label, share in shares.items():
            tell_share("words_changed", share, {**by, kind: label})


def _tables(
    asked: Asked,
    parts: Mapping[Key, Part],
    compared: Mapping[tuple[str, str, str], Paired],
    orders: Sequence[str],
    brief: bool,
) -> list[Table]:
    from .tables import change_tables, comparison_table, detail_table, group_table, overview_table, value_table

    systems = list(dict.fromkeys(system for system, _, _ in parts))
    found: list[Table] = []
    for perturbation in asked.perturbations:
        own = {(system, order): parts[system, perturbation, order] for system in systems for order in orders}
        found.append(overview_table(asked, perturbation, own, systems, orders))
        pairs = {key: pair for key, pair in compared.items() if key[1] == perturbation}
        if pairs:
            found.append(comparison_table(perturbation, pairs, systems))
        for system in systems:
            found.append(detail_table(perturbation, system, systems, {order: own[system, order] for order in orders}))
        if brief:
            continue
        first = {system: own[system, orders[0]] for system in systems}
        found += [*group_table(perturbation, first, systems), *value_table(perturbation, first, systems)]
        if "surface" in orders:
            found += change_tables(perturbation, {one: own[one, "surface"].altered for one in systems}, systems)
    return found
