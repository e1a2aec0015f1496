"""The constructions study: its settings and its command."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..._text import either
from ...errors import UsageError
from ...formats import CONSTRUCTIONS
from ...phrase.edits.gaps import AUTO, FORMS
from ...suites.constructions.model import PHENOMENA, SCHEMES
from ..engine.declaration import (
    GOLD_LAYERS,
    Call,
    ClusteredSettings,
    Form,
    GroupedSettings,
    Measure,
    Notes,
    PythonFunction,
    StudyCommand,
    WithExamples,
    by_option,
    limit_option,
    option,
    setting,
    source_and_systems,
)

if TYPE_CHECKING:
    from .error_classes import Decisions

STUDY = "constructions"
GROUPINGS = ("phenomenon", "errors")
"""The tables that `by` may name; findings have all of it. Other names are columns of the items."""


@dataclass(frozen=True, kw_only=True)
class ConstructionsSettings(GroupedSettings, WithExamples, ClusteredSettings):
    """Of `gardenpath constructions`. Scheme and phenomena say which items there are: the suite's hash has them."""

    groupings = GROUPINGS
    crossed = ("phenomenon",)

    scheme: str = option(
        "", f"The first argument is a gold treebank in this scheme: {either(SCHEMES)}.", metavar="SCHEME",
        choices=SCHEMES, signed=False,
    )  # fmt: skip
    phenomena: tuple[str, ...] = setting((), f"Only these: {','.join(PHENOMENA)}.", signed=False)
    form: str = setting(
        AUTO, "How parses show gaps: auto (as their trees tell), discontinuous, split (NP*), unmarked (pieces), "
        "raised or raised-longest.", choices=(AUTO, *FORMS),
    )  # fmt: skip
    gold: tuple[str, ...] = option((), GOLD_LAYERS, choices=("lemmas", "tags", "feats"), key="layers")
    decide: tuple[str, ...] = setting((), "Decide what the paper leaves open: NAME=VALUE.", signed=False)
    judgements: tuple[str, ...] = option(
        (), "Filled sheets of annotators: their agreement; a single one takes the place of the rules.",
        metavar="FILES", signed=False,
    )  # fmt: skip
    by: tuple[str, ...] = by_option(("phenomenon",), GROUPINGS, "of the items, crossed, such as phenomenon,length")
    examples: str = option(
        "", "Show items of a class: A to E, wrong, right, shown, noparse or n/a; CLASS:PHENOMENON for one phenomenon.",
        metavar="CLASS", signed=False,
    )  # fmt: skip
    limit: int | None = limit_option()

    def __post_init__(self) -> None:
        super().__post_init__()
        from ...suites.constructions.finding import check_phenomena

        object.__setattr__(self, "phenomena", check_phenomena(self.phenomena))
        _ = self.decisions  # what cannot be decided so is told before anything is read

    @property
    def decisions(self) -> Decisions:
        from .error_classes import decisions_from

        return decisions_from(dict(text.partition("=")[::2] for text in self.decide))

    def facts(self) -> list[tuple[str, object]]:
        """With the decisions that are not the usual ones, however they were written."""
        from ...runs.record.signatures import describe_input

        changed = [f"{name}={value}" for name, value in self.decisions.changed.items()]
        sheets = [f"{Path(path).stem}#{describe_input(path)['sha256'][:8]}" for path in self.judgements]
        return [*super().facts(), *([("decisions", changed)] if changed else []), ("judgements", sheets or None)]


def divide(arguments: list[str], options: Mapping[str, Any]) -> Call:
    """What holds a suite is one, wherever it stands; with --scheme the first argument is a treebank."""

    if options["scheme"] and arguments:
        return Call("", arguments[0], arguments[1:])
    suites = [argument for argument in arguments if is_suite(argument)]
    if not suites:
        todo = (
            "name the folder of a suite (gardenpath suite make constructions makes suites), or a treebank with --scheme"
        )
        raise UsageError("no suite of constructions is named", where="".join(arguments[:1]), todo=todo)
    return Call("", suites, [argument for argument in arguments if argument not in suites])


NOTES = Notes(
    "constructions",
    "Constructions",
    "Each item is one construction in a gold tree, found by rule: a PP, an extraposed relative clause, a "
        "coordination that shares its subject, a coordination of unlike constituents. A parse of it is right, or of "
        "an error class of the TEPACOC tables, told by rule from the same tokens in both trees, so that a mistake has "
        "the same class in TIGER and TüBa-D/Z. An item without a parse is wrong. Intervals and tests go by "
        "sentences: the items of one sentence were sampled together. Two systems are compared on the same items.",
    "Kübler, Rehbein and van Genabith 2009, TePaCoC: A Testsuite for Testing Parser Performance on Complex German "
        "Grammatical Constructions, TLT 7.",
    main=("accuracy",),
    measures={
        "agreement": Measure("agreement", "items to which all annotators gave the same class, %"),
        "kappa": Measure("Cohen's kappa", "agreement of two annotators beyond chance, at most 1"),
        "alpha": Measure("Krippendorff's alpha", "agreement of several annotators beyond chance, at most 1"),
    },
    figures=("gardenpath.report.figures.constructions:figures",),
)  # fmt: skip
COMMAND = StudyCommand(
    name="constructions",
    about="Does a parser get the hard constructions, and what kind of error does it make?",
    arguments="SUITE... SYSTEM...",
    arguments_help="Suites (folders, or bundled:de-constructions; with --scheme a treebank), then phrase parsers, "
    "dependency parsers or files of parsed trees, also as NAME=SYSTEM; "
    f"{', '.join(f'{name}=SYSTEM' for name in SCHEMES)} say which scheme a system is of. The first is the baseline.",
    forms={"": Form(".constructions.study:CONSTRUCTIONS", ConstructionsSettings, NOTES)},
    divide=divide,
    python={
        "constructions": PythonFunction(
            source_and_systems,
            """
            >>> import gardenpath as gp
            >>> tiger, tuebadz, ud = gp.read_suite("bundled:de-constructions")
            >>> known = {item.tree.words: item.tree for item in tiger.items}
            >>> oracle = lambda sentences: [known[tuple(words)] for words in sentences]
            >>> gp.constructions(tiger, {"oracle": oracle}).findings[0].value
            100.0
            """,
        ),
    },
    examples=(
        "gardenpath constructions suite trees:parsed.export --examples wrong:erc",
        "gardenpath constructions bundled:de-constructions tiger=pcfg:tiger.npz udpipe:de.udpipe",
    ),
)


FORMAT = "constructions"


def is_suite(name: str) -> bool:
    """Does this name the folder of a suite, or a bundled one?"""
    return CONSTRUCTIONS.sniffed(b"", str(_place(name))) == FORMAT


def _place(name: str | PathLike[str]) -> Path:
    """The file or folder that a name stands for."""
    from ...data import is_data_name, locate
    from ...treebank.format.reading import named

    text = named(name)
    return locate(text) if is_data_name(text) else Path(text)
