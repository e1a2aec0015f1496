"""The tables and examples of word orders in a treebank."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ...errors import unknown_name
from ...runs.result.layout import (
    Column,
    FindingIndex,
    P,
    group_columns,
    groups_by_systems,
    measured,
    short_names,
    table,
    unfolded,
    worst_first,
)
from ...runs.result.result import Finding, Table, Value
from ...runs.result.verdict import count_text
from ...stats.sampling import Clusters
from ...treebank.format.treebank import Treebank
from .case_clues import CLUES, RARE, case_clues, missing_clues
from .clauses import (
    CLAUSE_TYPES,
    CORE,
    KINDS,
    ORDERS,
    PATTERNS,
    Clauses,
    argument_kinds,
    guesses_finiteness,
    missing_kinds,
)

_NOTE = "V is the {} verb. Each object of a clause counts once. LAS over the arcs of subject and object."
_CLUES = (
    "Case tells where, by their forms, the subject cannot have the object's case or the object the subject's; "
    "adpositions (case) where one of the two has some that the other does not take; agreement where only the verb's "
    "form tells. A form can be what it is elsewhere in the treebank; rare: seen fewer than {} times."
)
_KINDS = "The orders are those of the first four. Passive, expletive (expl) and clausal arguments are counted apart."
_OF_SUBJECTS = "Per cent of the clauses whose subject is of this kind. Relative and interrogative pronouns are other."


def clause_tables(
    findings: Sequence[Finding], gold: Treebank, clusters: Clusters, by: Sequence[str], *, verb: str, verb_second: bool
) -> list[Table]:
    """By order, by topological field in languages that have such, kind, clues, definiteness; frequency against LAS.

    Orders and, where nobody asks for others, clues are open; the rest is folded.
    """
    index = FindingIndex(findings)
    clauses, note = index.get("clauses"), _NOTE.format(verb)
    assert clauses is not None
    title = f"{clauses.suite}: {clauses.value:,} clauses with subject, verb and object in {len(gold):,} sentences"
    if verb == "finite" and guesses_finiteness(gold):
        note += " Finiteness is not annotated: the finite verb is guessed from the place of auxiliaries."
    if len(index.systems) > 1:
        short = short_names(index.systems)
        note += " " + "; ".join(f"{number}: {short[name]}" for number, name in enumerate(index.systems, 1)) + "."
    note = "\n".join(part for part in (note, clusters.note) if part)
    asked = by or ("clue",)
    made: dict[str, list[Table]] = {}
    if verb_second:
        made["pattern"] = [_table(index, ("pattern",), "By topological fields (VF: forefield, MF: middle field)")]
        made["clause"] = [_table(index, ("clause",), "By place of the finite verb")]
    kinds = [f"{kind} ({layer})" for kind, layer in missing_kinds(gold).items()]
    unknown = f" Not annotated, and among other: {', '.join(kinds)}." if kinds else ""
    made["kind"] = [_table(index, ("kind",), "By kind of subject and object", _KINDS + unknown), _orders_by_kind(index)]
    missing = missing_clues(gold)
    unknown = f" No word of the treebank has {' or '.join(missing)}." if missing else ""
    made["clue"] = [_table(index, ("clue",), "What tells subject and object apart", _CLUES.format(RARE) + unknown)]
    if index.groups("subject", "object", measure="clauses"):
        definite = _table(index, ("subject", "object"), "By definiteness of subject and object", _OF_SUBJECTS)
        made["definiteness"] = [definite]
    if correlations := [finding for finding in findings if finding.measure == "frequency_las_correlation"]:
        made["frequency"] = [_correlation_note(index, correlations)]
    orders = _table(index, ("order",), title, note)
    return [orders, *(shown for name, tables in made.items() for shown in unfolded(tables, name in asked))]


def _table(index: FindingIndex, keys: tuple[str, ...], title: str, note: str = "") -> Table:
    groups: Sequence[Mapping[str, Value]] = index.groups(*keys, measure="clauses")
    if index.systems and keys != ("kind",):  # kinds have an order of their own, which the note refers to
        groups = worst_first(index, groups, "las")
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


def _correlation_note(index: FindingIndex, correlations: Sequence[Finding]) -> Table:
    short = short_names(index.systems)
    columns = [
        Column("system", [short[finding.system] for finding in correlations]),
        Column("correlation", [finding.by["correlation"] for finding in correlations]),
        *measured("orders", correlations, of="n"), *measured("ρ", correlations, interval=True),
        *measured("p", [index.get(f"{rho.measure}_p", rho.system, rho.by) for rho in correlations], kind=P),
    ]  # fmt: skip
    title = "Frequency of the orders and LAS: are frequent orders parsed better?"
    return table(title, columns, digits=3, name="frequency")


GROUPS = (*ORDERS, *PATTERNS, *CLAUSE_TYPES, *KINDS, *CLUES)


def check_group(group: str) -> None:
    if group not in GROUPS:
        raise unknown_name("order, pattern, kind or clue", group, GROUPS, where="--examples")


def clause_examples(clauses: Clauses, group: str, limit: int) -> tuple[list[dict[str, Value]], Table]:
    """Clauses of this group, spread over the treebank, with S, V and O after their words."""
    kinds, clues = argument_kinds(clauses), case_clues(clauses)
    core = kinds < CORE
    inside = next(
        (core if names is not KINDS else True) & (codes == list(names).index(group))
        for names, codes in (
            (ORDERS, clauses.order), (PATTERNS, clauses.pattern), (CLAUSE_TYPES, clauses.clause_type),
            (KINDS, kinds), (CLUES, clues),
        )
        if group in names
    )  # fmt: skip
    places = np.flatnonzero(inside)
    count = min(limit, len(places))
    chosen = places[np.linspace(0, len(places) - 1, count).astype(int)] if count else places
    examples: list[dict[str, Value]] = [
        {
            "sentence": _sent_id(clauses, place),
            "order": clauses.orders[place],
            "kind": KINDS[int(kinds[place])],
            "clue": CLUES[int(clues[place])],
            "text": _marked(clauses, place),
        }
        for place in chosen.tolist()
    ]
    shown = [
        Column(key, [example[key] for example in examples]) for key in ("sentence", "order", "kind", "clue", "text")
    ]
    more = f", {count} of them" if count < len(places) else ""
    return examples, table(f"{group}: {count_text(len(places), 'clause')}{more}", shown, name="examples")


def _sent_id(clauses: Clauses, place: int) -> str:
    return clauses.treebank.sentence_names[int(clauses.sentence[place])]


def _marked(clauses: Clauses, place: int) -> str:
    """The sentence with /S, /O and /V after the words, /v after a finite verb that is not the main one."""
    number = int(clauses.sentence[place])
    begin = int(clauses.treebank.offsets[number])
    marks = {int(clauses.finite[place]): "v", int(clauses.verb[place]): "V"}
    marks |= {int(clauses.subject[place]): "S", int(clauses.object[place]): "O"}
    words = clauses.treebank[number].words
    return " ".join(f"{word.form}/{marks[at]}" if at in marks else word.form for at, word in enumerate(words, begin))
