"""What decides an evaluation of phrase trees, and what of it is shown."""

from __future__ import annotations

from dataclasses import dataclass

from ...phrase.gaps import FORMS
from ...phrase.schemes.registry import LISTED
from ..settings import GOLD_LAYERS, StudySettings, option

STUDY = "brackets"
GROUPINGS = ("label", "function", "length", "gap")
"""What `by` may name."""


@dataclass(frozen=True, kw_only=True)
class BracketSettings(StudySettings):
    """Of `gardenpath evaluate` on phrase trees."""

    baseline: str = option("", "The system that the others are compared with; else the first.", metavar="SYSTEM")
    by: tuple[str, ...] = option(
        (), "Break down by label, length, distance, direction, depth, projectivity, confusion, or all; phrase trees by "
        "label, function, length or gap.", choices=GROUPINGS, signed=False,
    )  # fmt: skip
    scheme: str = option("", f"Phrase trees: the annotation scheme, for UAS and LAS: {LISTED}.")
    parameters: str = option(
        "german", "Phrase trees: what counts: german, collins, all, or a parameter file of EVALB.", signed=False
    )
    form: str = option(
        "discontinuous", "Phrase trees: how parses show gaps: discontinuous, split (NP*), unmarked (pieces), raised or "
        "raised-longest.", choices=tuple(FORMS),
    )  # fmt: skip
    max_length: int | None = option(None, "Phrase trees: only sentences of at most this many words.", least=1)
    gold: tuple[str, ...] = option((), GOLD_LAYERS, choices=("tags",), key="layers")
    traces: bool = option(False, "Phrase trees: traces of Penn Treebank files (-NONE-) count as words; else they go.")
