"""The evaluation of parsers: settings for dependency trees and for phrase trees, and the command."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...phrase.edits.gaps import FORMS
from ...phrase.schemes.registry import LISTED
from ..engine.declaration import (
    GOLD_LAYERS,
    MODES,
    STRICT,
    STRICT_LABELS,
    Call,
    ClusteredSettings,
    Form,
    Measure,
    Notes,
    ParserSettings,
    PythonFunction,
    StudyCommand,
    StudySettings,
    WithExamples,
    limit_option,
    option,
    setting,
)

if TYPE_CHECKING:
    from .breakdown import Grouping, Phenomenon


GROUPINGS = ("label", "upos", "length", "distance", "direction", "depth", "projectivity", "confusion")
"""What `by` may name beside features and queries; `all` is these."""


BY = (
    "Groups: label, upos, length, distance, direction, depth, projectivity, confusion, or all; a feature (Case), a "
    "comment (genre), a query (NAME=PATTERN), a file of queries (bundled:ud-phenomena); two, crossed (upos+distance). "
    "Phrase trees: label, function, length or gap."
)


@dataclass(frozen=True, kw_only=True)
class EvaluationSettings(WithExamples, ParserSettings, ClusteredSettings):
    """Of `gardenpath evaluate` on dependency trees."""

    baseline: str = option("", "Reference system for comparisons. Default: the first.", metavar="SYSTEM")
    by: tuple[str, ...] = option((), BY, every=GROUPINGS, signed=False)
    examples: str = option(
        "", "Show sentences with this error: GOLD:PREDICTED, or LABEL for all its errors.", signed=False
    )
    limit: int | None = limit_option()
    input: str = option("tokens", "Parser input: tokens, sentences or text.", choices=MODES)
    labels: tuple[str, ...] = option((), STRICT_LABELS, choices=(STRICT,), signed=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        _ = self.phenomena, self.groupings  # a query with a mistake is reported before anything is read

    @property
    def groupings(self) -> list[Grouping]:
        """The dimensions of `by` that divide all words into groups."""
        if not self.by:
            return []
        from .breakdown import grouping, is_phenomenon

        return [grouping(text) for text in self.by if not is_phenomenon(text)]

    @property
    def phenomena(self) -> list[Phenomenon]:
        """The queries of `by`, each of which finds some of the words."""
        if not self.by:
            return []
        from .breakdown import is_phenomenon, phenomena

        return phenomena(text for text in self.by if is_phenomenon(text))


BRACKETS_STUDY = "brackets"
PHRASE_GROUPINGS = ("label", "function", "length", "gap")
"""What `by` may name."""


@dataclass(frozen=True, kw_only=True)
class BracketSettings(StudySettings):
    """Of `gardenpath evaluate` on phrase trees."""

    baseline: str = option("", "Reference system for comparisons. Default: the first.", metavar="SYSTEM")
    by: tuple[str, ...] = option((), BY, choices=PHRASE_GROUPINGS, signed=False)
    scheme: str = option("", f"Phrase trees: the annotation scheme, for UAS and LAS: {LISTED}.")
    parameters: str = setting(
        "", "Phrase trees: what counts: german, collins, all, or a parameter file of EVALB; else by the scheme.",
        signed=False,
    )  # fmt: skip
    form: str = setting(
        "discontinuous", "Phrase trees: how parses show gaps: discontinuous, split (NP*), unmarked (pieces), raised or "
        "raised-longest.", choices=tuple(FORMS),
    )  # fmt: skip
    max_length: int | None = setting(None, "Phrase trees: only sentences of at most this many words.", least=1)
    gold: tuple[str, ...] = option((), GOLD_LAYERS, choices=("tags",), key="layers")
    traces: bool = setting(False, "Phrase trees: traces of Penn Treebank files (-NONE-) count as words; else they go.")


def divide(arguments: list[str], options: Mapping[str, Any]) -> Call:
    """The first argument is gold, and what it holds decides what is scored."""
    from ...errors import UsageError
    from ...phrase.formats.sniffing import holds_phrases
    from ..engine.parsers import with_baseline

    if not arguments:
        raise UsageError("no gold treebank is named", todo="gardenpath evaluate GOLD SYSTEM...")
    gold, *systems = arguments
    phrases = holds_phrases(gold) or (gold == "-" and bool(options.get("scheme")))
    return Call("phrases" if phrases else "dependencies", gold, with_baseline(systems, options["baseline"]))


_CONLL = "F1 over aligned words, as in the CoNLL 2018 shared task"
NOTES = Notes(
    "evaluation",
    "Evaluation",
    "Precision, recall and F1 as in the CoNLL 2018 shared task: words are aligned by characters, label subtypes "
        "are ignored, punctuation counts. Intervals and tests leave out one document (or sentence) after the other; "
        "differences are paired.",
    "Zeman et al. 2018, CoNLL 2018 Shared Task: Multilingual Parsing from Raw Text to Universal Dependencies.",
    main=("las",),
    measures={
        "las": Measure(
            "LAS", "labelled attachment score: words (in suites: tested arcs) with the right head and label, %"
        ),
        "uas": Measure("UAS", "unlabelled attachment score: words (in suites: tested arcs) with the right head, %"),
        "label": Measure("label accuracy", "words or tested arcs with the right label, %"),
        "clas": Measure("CLAS", "LAS of content words alone, %"),
        "mlas": Measure("MLAS", "LAS of content words with tags, features and function words right too, %"),
        "blex": Measure("BLEX", "LAS of content words with the lemma right too, %"),
        "tokens": Measure("tokens", f"tokens found: {_CONLL}, %"),
        "sentences": Measure("sentences", f"sentences found: {_CONLL}, %"),
        "words": Measure("words", f"words found: {_CONLL}, %"),
        "upos": Measure("UPOS", "words with the right universal part of speech, %"),
        "xpos": Measure("XPOS", "words with the right tag of the treebank's own set, %"),
        "ufeats": Measure("UFeats", "words with the right universal features, %"),
        "alltags": Measure("AllTags", "words with UPOS, XPOS and features right, %"),
        "lemmas": Measure("lemmas", "words with the right lemma, %"),
        "confusion": Measure("words", "words with this gold and this predicted label", ""),
    },
    figures=("gardenpath.report.figures.evaluation:figures",),
)  # fmt: skip


PHRASE_NOTES = Notes(
    "brackets",
    "Brackets",
    "Precision, recall and F1 of brackets as in EVALB: a bracket is a category and the set of its words, so that "
        "nodes with gaps count too. Leaf-ancestor compares the categories above each word; UAS and LAS are those of "
        "the trees as dependencies, by head rules. A sentence without a parse is wrong in everything. "
        "Intervals and tests leave out one document (or sentence) after the other; differences are paired.",
    "Black et al. 1991, A Procedure for Quantitatively Comparing the Syntactic Coverage of English Grammars; "
        "Sampson and Babarczy 2003, A Test of the Leaf-Ancestor Metric for Parse Accuracy.",
    main=("f1",),
    measures={
        "f1": Measure("F1", "brackets: harmonic mean of precision and recall, %"),
        "precision": Measure("precision", "of what the system says, the share that is right, %"),
        "recall": Measure("recall", "of what gold has, the share that the system finds, %"),
        "discontinuous_f1": Measure("F1 of gaps", "F1 of brackets with gaps alone, %"),
        "exact": Measure("exact match", "sentences with all brackets right and no others, %"),
        "crossing": Measure("crossing brackets", "brackets that overlap one of gold, per sentence", "less"),
        "tags": Measure("tags", "words with the right tag, %"),
        "leaf_ancestor": Measure("leaf-ancestor", "similarity of the categories above each word, %"),
    },
    observed="f1",
    figures=("gardenpath.report.figures.evaluation:bracket_figures",),
)  # fmt: skip


def trees_and_systems(gold: Any, systems: Any) -> Call:
    """Return what is meant in Python: by the object that gold is, or by what the file holds."""
    from ...phrase.formats.sniffing import holds_phrases
    from ...phrase.tree import PhraseTree

    first = gold[0] if isinstance(gold, list | tuple) and gold else gold
    named = isinstance(first, str | Path) and holds_phrases(str(first))
    return Call("phrases" if named or isinstance(first, PhraseTree) else "dependencies", gold, systems)


COMMAND = StudyCommand(
    name="evaluate",
    about="""Score parsers against gold trees: metrics with intervals, and where the errors are.

    Dependency trees: those of the CoNLL 2018 shared task. Phrase trees (export, TIGER-XML, brackets, …): PARSEVAL,
    leaf-ancestor, and UAS and LAS by heads.""",
    arguments="GOLD SYSTEM...",
    arguments_help="Gold treebank, of dependencies or of phrases (a file, folder, glob or -), then parsed files, or "
    "parsers such as udpipe:MODEL or NAME=SYSTEM.",
    forms={
        "dependencies": Form(".evaluation.study:EVALUATION", EvaluationSettings, NOTES, "dependency trees"),
        "phrases": Form(".evaluation.phrase_study:BRACKETS", BracketSettings, PHRASE_NOTES, "phrase trees"),
    },
    divide=divide,
    python={
        "evaluate": PythonFunction(
            trees_and_systems,
            """
            >>> import gardenpath as gp
            >>> result = gp.evaluate("bundled:de-test", "baseline:nearest-head", gold="tags")
            >>> round(result.value("las"), 2)
            55.75
            """,
        ),
    },
    examples=(
        "gardenpath evaluate gold.conllu udpipe:de.udpipe other.conllu --by label --examples nsubj:obj",
        "gardenpath evaluate gold.export trees:parsed.export --scheme tiger --max-length 40",
    ),
)
