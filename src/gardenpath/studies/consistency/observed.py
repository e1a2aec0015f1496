"""One row per variant and system: for runs, for R, and for tests that compare runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Any

from ...runs.observations import Observations
from .answered import Answers
from .asked import Asked
from .judging import RIGHT
from .study import STUDY, Key, Part
from .values import group_of

MOST_TREES = 5000
"""Sentences whose trees a run keeps; batches beyond are left out as a whole."""


def observations(asked: Asked, parts: Mapping[Key, Part], seed: int = 0) -> Observations:
    """`outcome` is what became of the variant, `value` is 1 if its tree is right; `variant_id` is its sent_id."""
    names = _names(asked)
    rows: dict[str, list[Any]] = {
        key: []
        for key in ("item", "condition", "system", "unit", "outcome", "value", "replacement", "old", "group", "times",
                    "cluster", "clusters", "original", "order", "variant_id")
    }  # fmt: skip
    for (system, perturbation, order), part in parts.items():
        for one in part.batches:
            case = one.case
            for place, value in enumerate(case.values):
                row = {
                    "item": names[case.original], "condition": perturbation, "system": system, "unit": value,
                    "outcome": one.outcomes[place], "value": int(one.outcomes[place] == RIGHT), "replacement": value,
                    "old": case.batch.old, "group": group_of(value, case.groups[place]) or None,
                    "times": case.times[place],
                    "cluster": one.cluster_of[place] + 1 if one.cluster_of[place] >= 0 else None,
                    "clusters": len(one.clusters), "original": one.original, "order": order,
                    "variant_id": names[case.variants[place]],
                }  # fmt: skip
                for key, cell in row.items():
                    rows[key].append(cell)
    return Observations({"study": STUDY, "suite": PurePath(asked.name).name, "seed": seed, **rows})


def trees(asked: Asked, answers: Mapping[str, Answers]) -> dict[str, bytes]:
    """The gold trees of originals and variants, and each system's; a sentence without a tree has no heads."""
    chosen = _chosen(asked)
    found = {"gold": b"".join(_block(asked.treebank.block(place)) for place in chosen)}
    for system, one in answers.items():
        found[system] = b"".join(
            _block(one.answers[place].conllu or _bare(asked.treebank.block(place))) for place in chosen
        )
    return found


def joined(
    tests: Sequence[tuple[Asked, Mapping[Key, Part], Mapping[str, Answers]]], seed: int = 0
) -> tuple[Observations, dict[str, bytes]]:
    """Observations and trees of several test treebanks as one."""
    rows = Observations.joined([observations(asked, parts, seed) for asked, parts, _ in tests])
    kept: dict[str, bytes] = {}
    for asked, _, told in tests:
        for name, data in trees(asked, told).items():
            kept[name] = kept.get(name, b"") + data
    return rows, kept


def _chosen(asked: Asked) -> list[int]:
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


def _names(asked: Asked) -> list[str]:
    return [name or str(number) for number, name in enumerate(asked.treebank.sent_ids, 1)]
