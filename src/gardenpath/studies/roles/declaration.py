"""The roles study: its settings, its commands, and how labels are compared."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...errors import UsageError
from ..engine.declaration import (
    STRICT,
    Call,
    ClusteredSettings,
    Form,
    GroupedSettings,
    Measure,
    Notes,
    ParserSettings,
    PythonFunction,
    StudyCommand,
    WithExamples,
    by_option,
    limit_option,
    option,
    setting,
)

Plain = Callable[[str], str]
"""From a label to the one that is compared."""


def plain_labels(equal: Sequence[str] = ()) -> Plain:
    """A label without its subtype; `obl:arg=obj` in `equal` makes every `obl:arg` an `obj`, in gold and in parses."""
    same = dict(_pair(text) for text in equal)

    def plain(label: str) -> str:
        universal = label.partition(":")[0]
        return same.get(label) or same.get(universal) or universal

    return plain


def _pair(text: str) -> tuple[str, str]:
    label, _, target = text.partition("=")
    if not label.strip() or not target.strip() or ":" in target or "=" in target:
        todo = "write LABEL=LABEL, such as obl:arg=obj; the second without a subtype"
        raise UsageError(f"{text!r} does not say which label counts as which", where="--labels", todo=todo)
    return label.strip(), target.strip()


STUDY = "roles"
GROUPINGS = ("order", "property", "property-order", "variations", "ambiguous", "confusion", "pairs")
"""The tables that `by` may name; findings have all of it. Other names are columns of the suite."""
COMBINATION = "property+property"
"""The column of all properties of an item: `aux-syn`."""
CLAUSE_TABLES = ("pattern", "clause", "kind", "clue", "definiteness", "frequency")
"""The tables that `by` may name with a treebank, beside that of the orders."""


@dataclass(frozen=True, kw_only=True)
class _LabelSettings(ParserSettings, ClusteredSettings):
    """Of both forms: which labels count as the same."""

    labels: tuple[str, ...] = option(
        (), "Treat labels as equal (obl:arg=obj); strict: fail, instead of warning, if system and gold have different "
        "label sets.", metavar="LABEL=LABEL",
    )  # fmt: skip

    def __post_init__(self) -> None:
        super().__post_init__()
        plain_labels(self.equal)

    @property
    def equal(self) -> tuple[str, ...]:
        """The pairs of labels that count as one."""
        return tuple(label for label in self.labels if label != STRICT)


def _examples_option() -> Any:
    """Of both forms."""
    return option(
        "", "Show items of a kind: swapped, subject-only, object-only, wrong-head, other-label, right or wrong; "
        "KIND:GROUP for one order or property; of treebanks, clauses of an order, pattern, kind or clue.",
        metavar="KIND", signed=False,
    )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class RolesSettings(GroupedSettings, WithExamples, _LabelSettings):
    """Of `gardenpath roles SUITE`."""

    groupings = GROUPINGS
    crossed = ("order", "property", "variations", "ambiguous")

    baseline: str = option(
        "", "The system that the others are compared with; without it they are not compared.", metavar="SYSTEM"
    )
    by: tuple[str, ...] = by_option(
        (), GROUPINGS, "of the suite, crossed, such as length,order, or property+property (by default order, or with "
        f"--baseline how far each order is above it); of treebanks {', '.join(CLAUSE_TABLES)}, or all",
    )  # fmt: skip
    examples: str = _examples_option()
    limit: int | None = limit_option()
    positions: int | None = setting(
        None, "Where positions of a TSV begin (0 or 1), if not as its header says.", least=0
    )
    release: str = setting(
        "", "Which release's names the file uses, 2020 or 2026, if they do not say.", choices=("2020", "2026")
    )

    vocabulary: str = setting(
        "", "Say how much of the tested words a vocabulary covers, by property, and what that explains: a folder with "
        "a tokenizer, a training treebank or text, or a list of words with counts.",
        signed=False,
    )  # fmt: skip

    def __post_init__(self) -> None:
        super().__post_init__()
        if twice := next((name for name in self.by if self.by.count(name) > 1), ""):
            todo = f"write {COMBINATION}" if twice == "property" else "write it once"
            raise UsageError(f"{twice} is named twice", where="--by", todo=todo)


@dataclass(frozen=True, kw_only=True)
class WordOrderSettings(WithExamples, _LabelSettings):
    """Of `gardenpath roles TREEBANK`: the orders of subject, verb and object in a treebank."""

    verb: str = setting(
        "finite", "Treebanks: the verb whose place counts, finite, or main as in the paper's Table 2.",
        choices=("finite", "main"), signed=False,
    )  # fmt: skip
    datives: str = setting(
        "", "Treebanks: whether datives labelled obl:arg are objects; by default in German and related "
        "languages.",
        choices=("yes", "no"), signed=False,
    )  # fmt: skip
    by: tuple[str, ...] = option(
        (), f"Tables to show: {', '.join(CLAUSE_TABLES)}, or all.", choices=CLAUSE_TABLES, signed=False
    )
    examples: str = _examples_option()
    limit: int | None = limit_option()


def divide(arguments: list[str], options: Mapping[str, Any]) -> Call:
    """Return what the arguments mean: a suite, or a treebank in which clauses are counted; then systems."""
    from ...errors import UsageError
    from ..engine.parsers import with_baseline

    if not arguments:
        raise UsageError("no suite or treebank is named", todo="gardenpath roles SUITE|TREEBANK SYSTEM...")
    source, *systems = arguments
    form = form_of(source)
    return Call(form, source, systems if form == "treebank" else with_baseline(systems, options["baseline"]))


def form_of(source: Any) -> str:
    """Return the form of the study for a source: `treebank` for CoNLL-U without orders and properties, else `suite`."""
    from ...suites.roles.reader import is_plain_treebank

    return "treebank" if is_plain_treebank(source) else "suite"


NOTES = Notes(
    "roles",
    "Roles",
    "Subject-object LAS: over the gold arcs of subject and object (in PP suites: preposition and noun), the "
        "share whose head and label are both right; all other arcs are ignored. A property's score is over all "
        "sentences that carry it. A pair is two items that differ in one property or in order alone.",
    "Fischer, de Kok and Hinrichs 2020, When Beards Start Shaving Men, COLING.",
    main=("attachment", "las", "label", "share"),
    measures={
        "attachment": Measure("attachment accuracy", "PPs attached to the right head, %"),
        "items": Measure("items", "how many items", ""),
        "size": Measure("items", "how many items", ""),
        "in_vocabulary": Measure("in the vocabulary", "tested words that the vocabulary has as a whole, %", ""),
        "log_frequency": Measure("frequency", "mean log10 of 1 + how often the tested words were seen", ""),
        "pieces": Measure("pieces", "mean number of pieces of the tested words", ""),
        "right_correlation": Measure("correlation with right", "Pearson's r over the tested words", ""),
        "share": Measure("share", "part of all, %", ""),
        "flips": Measure("changed analyses", "pairs in which the analysis of the tested arcs changes, %", ""),
        "flips_gained": Measure("wrong to right", "pairs of which only the second item is all right, %", ""),
        "flips_lost": Measure("right to wrong", "pairs of which only the first item is all right, %", "less"),
        "share_lead": Measure("lead", "share of the most frequent minus that of the next, in points", ""),
    },
    observed="las",
    figures=("gardenpath.report.figures.roles:figures",),
)  # fmt: skip
COMMAND = StudyCommand(
    name="roles",
    about="Does a parser find subject and object, and which order or property of the sentence makes it fail?",
    arguments="SUITE SYSTEM...",
    arguments_help="A suite (SORTS or PPATS, CoNLL or TSV), or a treebank, whose clauses are counted by word order; "
    "then parsed files or parsers, also as NAME=SYSTEM.",
    forms={
        "suite": Form(".roles.study:ROLES", RolesSettings, NOTES, "suites"),
        "treebank": Form(".roles.word_order:WORD_ORDER", WordOrderSettings, NOTES, "treebanks"),
    },
    divide=divide,
    python={
        "roles": PythonFunction(
            lambda source, systems=(): Call(form_of(source), source, systems),
            """
            >>> import gardenpath as gp
            >>> result = gp.roles("bundled:de-roles", "baseline:subject-first")
            >>> result.value("las"), result.value("las", order="VF[O]LK[V]MF[S]")
            (72.65, 0.0)
            >>> gp.roles("bundled:de-test", verb="main", datives="no").value("clauses")  # orders in a treebank
            52
            """,
        ),
    },
    examples=(
        "gardenpath roles suite.conll parsed.conllu --baseline baseline:subject-first --by order,pairs",
        "gardenpath roles gold.conllu udpipe:de.udpipe",
    ),
)
