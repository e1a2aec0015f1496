"""The judgements behind the findings, one by one: for runs, for R, and for tests that compare runs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

from ...runs.observations import Observations
from ...stats.sampling import Clusters
from ...suites.model import RoleSuite
from .arcs import OUTCOMES, JudgedArcs
from .clauses import PATTERNS, Clauses
from .definiteness import DEFINITENESS, definiteness
from .settings import STUDY


def cluster_columns(clusters: Clusters) -> dict[str, list[int]]:
    """The numbers of the clusters of each item, as columns of observations."""
    return {name: codes.tolist() for name, codes in zip(("cluster", "cluster_2"), clusters.codes, strict=False)}


def observations(suite: RoleSuite, judged: Mapping[str, JudgedArcs], clusters: Clusters) -> Observations:
    """One row per gold arc and system: what became of it (`outcome`), and is it right (`value`)?"""
    parts = []
    props = ["-".join(names) for names in suite.properties]
    variations = [len(names) for names in suite.variations]
    ambiguous = suite.ambiguous.tolist()
    together = cluster_columns(clusters)
    for system, judgements in judged.items():
        arcs = judgements.arcs
        items = arcs.item.tolist()
        positions = (arcs.word - arcs.gold.offsets[arcs.item] + 1).tolist()
        labels = arcs.label.strings()
        columns = {
            "study": STUDY, "suite": PurePath(suite.name).name,
            "item": [suite.sent_ids[item] for item in items],
            "condition": [suite.orders[item] for item in items],
            "system": system, "seed": 0,
            "unit": [f"{position} {label}" for position, label in zip(positions, labels, strict=True)],
            "outcome": [OUTCOMES[code] for code in judgements.outcome.tolist()],
            "value": judgements.right.astype(int).tolist(),
            "order": [suite.orders[item] for item in items],
            "props": [props[item] for item in items],
            "variations": [variations[item] for item in items],
            "ambiguous": [ambiguous[item] for item in items],
            "family": [suite.families[item] for item in items],
            "label": labels,
            "predicted": judgements.predicted.strings(),
            "head": [None] * len(items) if arcs.labels_only else judgements.head_right.astype(int).tolist(),
            **{name: [codes[item] for item in items] for name, codes in together.items()},
        }  # fmt: skip
        parts.append(Observations(columns))
    return Observations.joined(parts)


def clause_observations(clauses: Clauses, judged: Mapping[str, JudgedArcs], clusters: Clusters) -> Observations:
    """One row per arc of a clause and system; without systems one per clause, with its order as the outcome."""
    gold = clauses.treebank
    items = [gold.sentence_names[number] for number in clauses.sentence.tolist()]
    subject, obj = (definiteness(gold, words) for words in (clauses.subject, clauses.object))
    verbs = gold.ids[clauses.verb].tolist()
    common: dict[str, Any] = {
        "study": STUDY, "suite": PurePath(gold.name).name, "item": items, "condition": clauses.orders, "seed": 0,
        "pattern": [PATTERNS[code] for code in clauses.pattern.tolist()],
        "subject": [DEFINITENESS[code] for code in subject.tolist()],
        "object": [DEFINITENESS[code] for code in obj.tolist()],
        "verb": verbs,
        **{name: [codes[at] for at in clauses.sentence.tolist()] for name, codes in cluster_columns(clusters).items()},
    }  # fmt: skip
    if not judged:
        return Observations({**common, "system": "", "unit": verbs, "outcome": clauses.orders, "value": 1})
    parts = []
    for system, judgements in judged.items():
        labels = judgements.arcs.label.strings()
        for side, words in enumerate((clauses.subject, clauses.object)):
            unit = [f"{at} {label}" for at, label in zip(gold.ids[words].tolist(), labels[side::2], strict=True)]
            outcome = [OUTCOMES[code] for code in judgements.outcome[side::2].tolist()]
            value = judgements.right[side::2].astype(int).tolist()
            parts.append(Observations({**common, "system": system, "unit": unit, "outcome": outcome, "value": value}))
    return Observations.joined(parts)
