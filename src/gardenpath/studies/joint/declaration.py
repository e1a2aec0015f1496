"""The joint study: its settings and its command."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..engine.declaration import (
    Call,
    ClusteredSettings,
    Form,
    GroupedSettings,
    Measure,
    Notes,
    ParserSettings,
    PythonFunction,
    StudyCommand,
    by_option,
    setting,
    suites_and_systems,
)
from ..surprisal.declaration import BORDERS

STUDY = "joint"
GROUPINGS = ("model", "construction", "item")
"""The tables that `by` may name; findings have all of it. Other names are columns of the suites."""


@dataclass(frozen=True, kw_only=True)
class JointSettings(GroupedSettings, ParserSettings, ClusteredSettings):
    """Of `gardenpath joint`."""

    groupings = GROUPINGS
    crossed = ("construction",)

    gold: tuple[str, ...] = ()
    """No option: such suites have no gold layers but the decisive arc."""
    by: tuple[str, ...] = by_option((), GROUPINGS, "of the suites, crossed, such as construction,length")
    input: str = setting(
        "tokens", "Parser input: the words of the suite with punctuation split off (tokens), or the sentence as text "
        "(sentences).", choices=("tokens", "sentences"),
    )  # fmt: skip
    border: str = setting(
        "fail", "A region border inside a token: the item cannot be scored (fail), or the token belongs to the "
        "region in which it ends (end).", choices=BORDERS,
    )  # fmt: skip


NOTES = Notes(
    "joint",
    "Parsers and models",
    "Each item is a garden path and the same sentence without the ambiguity. A parser takes the garden path where "
        "it misses the decisive arc of the first and finds that of the second; a language model's effect is the "
        "surprisal of the disambiguating region in the first minus that in the second. Where parsers err, effects are "
        "compared with those of other items of the same construction; intervals leave out one lexical item after the "
        "other.",
    "Huang et al. 2024, Large-scale benchmark yields no evidence that language model surprisal explains syntactic "
        "disambiguation difficulty, Journal of Memory and Language.",
    main=("effect_gap", "astray", "effect"),
    measures={
        "effect": Measure(
            "effect", "bits in the harder condition minus bits in the easier one, at the decisive word", ""
        ),
        "effect_gap": Measure(
            "difference in effect", "effect where the parser takes the garden path minus elsewhere", ""
        ),
        "rank_biserial": Measure(
            "rank-biserial correlation", "of garden path taken or not with the effect, -1 to 1", ""
        ),
        "astray": Measure("garden paths taken", "items whose decisive arc is right when unambiguous alone, %", "less"),
        "arcs_right": Measure("decisive arcs right", "sentences whose decisive arc has the right head and label, %"),
    },
    figures=("gardenpath.report.figures.joint:figures",),
)  # fmt: skip


def parsers_and_models(suites: Any, parsers: Any, models: Any) -> Call:
    """Return what is meant in Python, where parsers and language models are given apart."""
    from ...systems.asking.entrants import entrants_of
    from ...systems.asking.protocol import LANGUAGE_MODEL, PARSER

    return Call("", suites, [*entrants_of(parsers, PARSER), *entrants_of(models, LANGUAGE_MODEL)])


COMMAND = StudyCommand(
    name="joint",
    about="Does a parser take the garden path where a language model is surprised, item by item?",
    arguments="SUITE... SYSTEM...",
    arguments_help="Suites of regions with decisive arcs (files, folders, or data by name), and systems of both sorts: "
    "dependency parsers and language models, also as NAME=SYSTEM.",
    forms={"": Form(".joint.study:JOINT", JointSettings, NOTES, "suites with decisive arcs")},
    divide=suites_and_systems,
    python={
        "joint": PythonFunction(
            parsers_and_models,
            """
            >>> import gardenpath as gp
            >>> lengths = lambda sentences: [[float(len(word)) for word in words] for words in sentences]
            >>> result = gp.joint("bundled:en-surprisal", "baseline:right-branching", {"word length": lengths})
            >>> result.value("effect", "word length")
            0.0
            """,
        ),
    },
    examples=(
        "gardenpath joint bundled:en-surprisal spacy:en_core_web_md hf:gpt2",
        "gardenpath joint sap/items_ClassicGP.csv udpipe:en.udpipe surprisals:sap/gpt2 --by all --run run",
    ),
)
