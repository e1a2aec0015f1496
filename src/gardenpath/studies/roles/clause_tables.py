"""The findings of word orders in a treebank as tables."""

from __future__ import annotations

from collections.abc import Sequence

from ...runs.layout import (
    Column,
    FindingIndex,
    P,
    group_columns,
    groups_by_systems,
    measured,
    short_names,
    table,
)
from ...runs.result import Finding, Table
from ...stats.sampling import Clusters
from .case_clues import RARE
from .clauses import ORDERS

_NOTE = "V is the {} verb. Each object of a clause counts once. LAS over the arcs of subject and object."
_CLUES = (
    "Case tells where, by their forms, the subject cannot have the object's case or the object the subject's; "
    "agreement where only the verb's form tells. A form can be what it is elsewhere in the treebank; rare: seen fewer "
    "than {} times."
)
_KINDS = "The orders are those of the first four. Passive, expletive (expl) and clausal arguments are counted apart."
_OF_SUBJECTS = "Per cent of the clauses whose subject is of this kind. Relative and interrogative pronouns are other."


def clause_tables(
    findings: Sequence[Finding], sentences: int, clusters: Clusters, *, verb: str, verb_second: bool
) -> list[Table]:
    """By order, by topological field in languages that have such, kind, clues, definiteness; frequency against LAS."""
    index = FindingIndex(findings)
    clauses, note = index.get("clauses"), _NOTE.format(verb)
    assert clauses is not None
    title = f"{clauses.suite}: {clauses.value:,} clauses with subject, verb and object in {sentences:,} sentences"
    if len(index.systems) > 1:
        short = short_names(index.systems)
        note += " " + "; ".join(f"{number}: {short[name]}" for number, name in enumerate(index.systems, 1)) + "."
    note = "\n".join(part for part in (note, clusters.note) if part)
    tables = [_table(index, ("order",), title, note)]
    if verb_second:
        tables.append(_table(index, ("pattern",), "By topological fields (VF: forefield, MF: middle field)"))
        tables.append(_table(index, ("clause",), "By place of the finite verb"))
    tables.append(_table(index, ("kind",), "By kind of subject and object", _KINDS))
    tables.append(_orders_by_kind(index))
    tables.append(_table(index, ("clue",), "What tells subject and object apart", _CLUES.format(RARE)))
    if index.groups("subject", "object", measure="clauses"):
        tables.append(_table(index, ("subject", "object"), "By definiteness of subject and object", _OF_SUBJECTS))
    correlations = [finding for finding in findings if finding.measure == "frequency_las_correlation"]
    return [*tables, *([_correlations(index, correlations)] if correlations else [])]


def _table(index: FindingIndex, keys: tuple[str, ...], title: str, note: str = "") -> Table:
    groups = index.groups(*keys, measure="clauses")
    columns = group_columns(groups)
    columns += measured("clauses", [index.get("clauses", "", group) for group in groups])
    columns += measured("%", [index.get("share", "", group) for group in groups], interval=True)
    columns += groups_by_systems(index, groups, "las", "LAS")
    return table(title, columns, note=note, name="by-" + "-".join(keys))


def _orders_by_kind(index: FindingIndex) -> Table:
    """Kinds in rows, orders in columns."""
    kinds = [
        group for group in index.groups("kind", measure="clauses")
        if group["kind"] != "all" and (clauses := index.get("clauses", "", group)) and clauses.value
    ]  # fmt: skip
    columns = group_columns(kinds)
    columns += measured("clauses", [index.get("clauses", "", kind) for kind in kinds])
    for order in ORDERS:
        columns += measured(order, [index.get("share", "", {**kind, "order": order}) for kind in kinds])
    return table("Orders of each kind, in per cent", columns, name="by-kind-order")


def _correlations(index: FindingIndex, correlations: Sequence[Finding]) -> Table:
    short = short_names(index.systems)
    columns = [
        Column("system", [short[finding.system] for finding in correlations]),
        Column("correlation", [finding.by["correlation"] for finding in correlations]),
        *measured("orders", correlations, of="n"), *measured("ρ", correlations, interval=True),
        *measured("p", [index.get(f"{rho.measure}_p", rho.system, rho.by) for rho in correlations], kind=P),
    ]  # fmt: skip
    title = "Frequency of the orders and LAS: are frequent orders parsed better?"
    return table(title, columns, digits=3, name="frequency")
