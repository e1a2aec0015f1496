"""The clauses behind a number: those of an order, a pattern, a kind of arguments or a clue, in their sentences."""

from __future__ import annotations

import numpy as np

from ...errors import unknown_name
from ...runs.layout import Column, table
from ...runs.result import Table, Value
from ...runs.verdict import count_text
from .argument_kinds import CORE, KINDS, argument_kinds
from .case_clues import CLUES, case_clues
from .clauses import CLAUSE_TYPES, ORDERS, PATTERNS, Clauses

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
