"""One row per variant and system: for runs, for R, and for tests that compare runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...runs.observations import Observations
from .answered import SEGMENTATION, VariantAnswer
from .asked import AskedVariants
from .judging import RIGHT, SAME
from .parts import JudgedVariants
from .settings import STUDY
from .values import group_of

MOST_TREES = 5000
"""Sentences whose trees a run keeps; batches beyond are left out as a whole."""


def observations(judged: JudgedVariants, seed: int = 0, *, independent: bool = False) -> Observations:
    """`outcome` is what became of the variant, `value` is 1 if its tree is right; `variant_id` is its sent_id.

    Without gold trees `value` is 1 if the parse is the original's. `weight` is how often its value is in the batch,
    whatever became of it, as in the study's scores. `parse` numbers the classes of equal parses of a batch, of
    which there are `parses`; `cluster` is what intervals go by: the original, or the variant itself if they are
    `independent`.
    """
    names, good = judged.asked.treebank.sentence_names, RIGHT if judged.asked.has_gold else SAME
    several = len({order for _, _, order in judged.batches}) > 1
    rows: dict[str, list[Any]] = {
        key: []
        for key in ("item", "condition", "system", "unit", "outcome", "value", "replacement", "old", "group", "times",
                    "parse", "parses", "original", "perturbation", "order", "variant_id", "weight", "cluster")
    }  # fmt: skip
    for (system, perturbation, order), batches in judged.batches.items():
        for batch in batches:
            case = batch.case
            for place, value in enumerate(case.values):
                row = {
                    "item": names[case.original], "condition": perturbation, "system": system,
                    "unit": f"{value} ({order})" if several else value,
                    "outcome": batch.outcomes[place], "value": int(batch.outcomes[place] == good),
                    "replacement": value, "old": case.batch.old, "group": group_of(value, case.groups[place]) or None,
                    "times": case.times[place], "weight": case.times[place],
                    "cluster": names[case.variants[place] if independent else case.original],
                    "parse": batch.cluster_of[place] + 1 if batch.cluster_of[place] >= 0 else None,
                    "parses": len(batch.clusters), "original": batch.original, "perturbation": perturbation,
                    "order": order, "variant_id": names[case.variants[place]],
                }  # fmt: skip
                for key, cell in row.items():
                    rows[key].append(cell)
    return Observations({"study": STUDY, "suite": judged.asked.treebank_name, "seed": seed, **rows})


def trees(judged: JudgedVariants) -> dict[str, bytes]:
    """The gold trees of originals and variants, and each system's; a sentence without a tree has no heads.

    Without gold trees there are the words alone, in place of gold.
    """
    asked, chosen = judged.asked, _chosen(judged.asked)
    blocks = [asked.treebank.block(place) for place in chosen]
    by_system = {"gold": b"".join(_block(block if asked.has_gold else _bare(block)) for block in blocks)}
    for system, own in judged.answers.items():
        by_system[system] = b"".join(
            _block(_kept(own.answers[place]) or _bare(asked.treebank.block(place))) for place in chosen
        )
    return by_system


def _kept(answer: VariantAnswer) -> bytes:
    """One sentence for each that was asked: what was cut has no place in a run."""
    return b"" if answer.problem == SEGMENTATION else answer.conllu


def joined(
    tests: Sequence[JudgedVariants], seed: int = 0, *, independent: bool = False
) -> tuple[Observations, dict[str, bytes]]:
    """Observations and trees of several test treebanks as one."""
    rows = Observations.joined([observations(test, seed, independent=independent) for test in tests])
    kept: dict[str, bytes] = {}
    for test in tests:
        for name, data in trees(test).items():
            kept[name] = kept.get(name, b"") + data
    return rows, kept


def _chosen(asked: AskedVariants) -> list[int]:
    """Whole batches, as long as there is room."""
    kept: dict[int, None] = {}
    for case in asked.cases:
        more = [place for place in (case.original, *case.variants) if place not in kept]
        if len(kept) + len(more) > MOST_TREES:
            break
        kept.update(dict.fromkeys(more))
    return sorted(kept)


def _block(conllu: bytes) -> bytes:
    return conllu.strip(b"\n") + b"\n\n"


def _bare(conllu: bytes) -> bytes:
    lines = []
    for line in conllu.strip(b"\n").split(b"\n"):
        cells = line.split(b"\t")
        if len(cells) == 10 and cells[0].isdigit():
            cells[2:9] = [b"_"] * 7
        lines.append(b"\t".join(cells))
    return b"\n".join(lines)
