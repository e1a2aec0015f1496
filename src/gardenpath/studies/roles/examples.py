"""The sentences behind a number: items of one kind of confusion, with what gold says and what the system said."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...errors import unknown_name
from ...suites.model import RoleSuite
from .arcs import NOT_FOUND, OUTCOMES, JudgedArcs
from .confusion import item_kinds, kind_name, kinds_for


@dataclass(frozen=True, slots=True)
class RoleExample:
    """One item with its tested words."""

    item: str
    place: str
    order: str
    props: str
    kind: str
    marked: str
    """The sentence with the gold label after each tested word, as in Hunde/nsubj."""
    gold: str
    predicted: str
    outcome: str


def parse_wanted(suite: RoleSuite, wanted: str) -> tuple[str, str]:
    """`KIND` or `KIND:GROUP`, where the group is an order or a property of the suite."""
    kind, _, group = wanted.partition(":")
    known = kinds_for(suite.kind)
    if kind not in (*known, "wrong"):
        raise unknown_name("kind of item", kind, (*known, "wrong"), where="--examples")
    groups = {*suite.order_counts(), *suite.property_counts()}
    if group and group not in groups:
        raise unknown_name("order or property", group, sorted(groups), where="--examples")
    return kind, group


def find_examples(suite: RoleSuite, judged: JudgedArcs, wanted: str, limit: int = 10) -> tuple[list[RoleExample], int]:
    """The first `limit` items of a kind (`wrong`: all that are not right), and how many there are."""
    kind, group = parse_wanted(suite, wanted)
    codes = item_kinds(judged, suite.kind).tolist()
    numbers = [
        number
        for number, code in enumerate(codes)
        if (kind_name(code) == kind or (kind == "wrong" and kind_name(code) not in ("right", "")))
        and (not group or group == suite.orders[number] or group in suite.properties[number])
    ]
    return [_example(suite, judged, number, kind_name(codes[number])) for number in numbers[:limit]], len(numbers)


def _example(suite: RoleSuite, judged: JudgedArcs, number: int, kind: str) -> RoleExample:
    arcs, gold = judged.arcs, suite.treebank
    begin, end = np.searchsorted(arcs.item, [number, number + 1]).tolist()
    words = list(suite.tokens[number])
    offset = int(gold.offsets[number])
    gold_arcs, answers = [], []
    for arc in range(begin, end):
        label, place = arcs.label[arc], int(arcs.word[arc]) - offset
        form, head = words[place], int(arcs.head[arc])
        gold_arcs.append(f"{label} ← {suite.tokens[number][head - offset]}" if head >= 0 else label)
        answers.append(_said(judged, arc))
        words[place] = f"{form}/{label}"
    outcome = ", ".join(OUTCOMES[int(code)] for code in judged.outcome[begin:end])
    return RoleExample(
        suite.sent_ids[number], f"{suite.name}:{suite.lines[number]}", suite.orders[number],
        "-".join(suite.properties[number]), kind, " ".join(words), ", ".join(gold_arcs), ", ".join(answers), outcome,
    )  # fmt: skip


def _said(judged: JudgedArcs, arc: int) -> str:
    """The system's label and head."""
    if int(judged.outcome[arc]) == NOT_FOUND:
        return "(other tokens)"
    system, word = judged.alignment.system, int(judged.partner[arc])
    head, label = int(system.heads[word]), judged.predicted[arc]
    if judged.arcs.labels_only:
        return label
    if head < 0:
        return f"{label} (no head)"
    if head == 0:
        return f"{label} ← ROOT"
    first = int(system.offsets[int(system.sentence_of[word])])
    return f"{label} ← {system.column('form')[first + head - 1]}"
