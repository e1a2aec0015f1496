"""The groups of batches by columns: what the treebank says of their sentences, and of the words that are changed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...runs.result import Finding
from ...treebank.sentence_columns import sentence_columns
from ..grouping import ColumnGroups, asked_groups
from .asked import AskedVariants, Case
from .parts import JudgedVariants
from .questions import BatchSampling, overview
from .settings import GROUPINGS, STUDY, PerturbedSettings

MEASURES = {
    "changed": "another tree (%)", "right": "right (%)", "original_right": "original right (%)",
    "sentences_changed": "sentences (%)", "consistent": "one tree (%)",
}  # fmt: skip
"""What is known of every group, the one that is shown first on top."""
_SHARES = {"right": "variants_right", "original_right": "originals_right"}
_TAKEN = (
    "perturbation", "order", "stage", "original", "replacement", "group", "clusters", "part", "from", "to",
    "words_away", "edges_away", "depth",
)  # fmt: skip
"""Keys of findings that are of other groups."""


def column_groups_of(asked: AskedVariants, settings: PerturbedSettings) -> ColumnGroups | None:
    """The groups of batches that are asked for; None where none are, or where there is no batch."""
    if not settings.columns or not asked.cases:
        return None
    comments = sentence_columns(asked.cases[0].batch.sentence.treebank)
    rows = [{**{name: values[case.batch.sentence.number] for name, values in comments.items()}, **_own(case)}
            for case in asked.cases]  # fmt: skip
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    return asked_groups(settings.columns, columns, GROUPINGS, _TAKEN)


def column_findings(judged: JudgedVariants, settings: PerturbedSettings, how: BatchSampling) -> Iterator[Finding]:
    """What becomes of the batches of each group, by system, perturbation and order of siblings."""
    by = column_groups_of(judged.asked, settings)
    if by is None:
        return
    places = {id(case): place for place, case in enumerate(judged.asked.cases)}
    for (system, perturbation, order), batches in judged.batches.items():
        for keys, inside in zip(by.groups, by.members, strict=True):
            kept = [batch for batch in batches if inside[places[id(batch.case)]]]
            if not kept:
                continue
            seen = overview(kept, how)
            for measure in MEASURES:
                share = getattr(seen, _SHARES.get(measure, measure))
                ends = (share.value, share.total, share.low, share.high)
                whole = {**keys, "perturbation": perturbation, "order": order}
                yield Finding(STUDY, judged.asked.treebank_name, system, measure, *ends, whole)


def _own(case: Case) -> dict[str, Any]:
    """What was replaced, and what it is in the tree: that of the first changed word."""
    batch = case.batch
    word = batch.sentence.words[batch.words[0] - 1]
    return {
        "old": batch.old, "upos": word.upos, "deprel": word.deprel, "words": len(batch.words),
        "variants": len(case.variants),
    }  # fmt: skip
