"""The surprisal study: its settings and its command."""

from __future__ import annotations

from dataclasses import dataclass

from ...errors import UsageError
from ...suites.regions.hierarchy import OWN
from ...suites.regions.model import METRICS
from ...suites.regions.pairs import parse_layout
from ..engine.declaration import (
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
    source_and_systems,
    suites_and_systems,
)

STUDY = "surprisal"
STEP = "step"
"""The key of the checkpoints of a system in findings and observations."""
GROUPINGS = ("class", "modifier", "suite", "prediction", "kind", "complexity", "difference", "effect")
"""The tables that `by` may name; findings have all of it. Other names are columns of the suites."""
CROSSED = OWN
"""Those that cross with a column where they are named beside one."""
SCORES = ("sentence", "target")
"""What of a pair is compared: the whole sentences, or the targets that the file names."""
TIES = ("half", "coin", "strict")
"""What a tie is worth: half a point; 0 or 1 by a seeded coin, as in the paper; nothing, as in SyntaxGym."""
TOKENS = ("suite", "punctuation", "characters")
"""What a token is: a word of the suite; the same with punctuation split off; a character."""
BORDERS = ("fail", "end")
"""What becomes of an item with a region border inside a token of the model."""
ASKED = "asked"
WORDS = ("all", ASKED)
"""Which words a model is asked for: all, or those of the regions that predictions name."""


@dataclass(frozen=True, kw_only=True)
class SurprisalSettings(GroupedSettings, WithExamples, ClusteredSettings):
    """Of `gardenpath surprisal`. Metric, ties and tokens are in every signature: the study says what was taken."""

    groupings = GROUPINGS
    crossed = CROSSED

    by: tuple[str, ...] = by_option(
        ("class", "effect"), GROUPINGS, "of the suites, crossed, such as phenomenon,tree_depth"
    )
    examples: str = option(
        "", "Show items that are wrong, right, a tie or failed, the clearest first; KIND:GROUP for one suite or class.",
        metavar="KIND", signed=False,
    )  # fmt: skip
    limit: int | None = limit_option()
    score: str = option(
        "sentence", "Compare whole sentences (sentence), or the targets that a file of pairs names (target).",
        choices=SCORES,
    )  # fmt: skip
    layout: tuple[str, ...] = option(
        (), "What the columns of a file of pairs are, if their names do not say: good=COLUMN, bad, sentence, "
        "label, item, class, paradigm, target; encoding=NAME, separator=SIGN, order=good-bad of plain lines; may be "
        "repeated.", metavar="KEY=VALUE", repeated=True,
    )  # fmt: skip
    ties: str = option(
        "half", "What a tie is worth: half a point (half), 0 or 1 by a coin flip (coin), or nothing (strict).",
        choices=TIES, signed=False,
    )  # fmt: skip
    metric: str = option(
        "", f"Surprisal of a region: {', '.join(METRICS)}; else as the suite says.", choices=METRICS, signed=False
    )
    tokens: str = option(
        "", "What models are given: the words of the suite (suite), the same with punctuation split off (punctuation), "
        "or characters; else suite, and characters where it has no blanks.", choices=TOKENS, signed=False,
    )  # fmt: skip
    border: str = option(
        "fail", "A region border inside a token: the item cannot be scored (fail), or the token belongs to the region "
        "in which it ends (end).", choices=BORDERS,
    )  # fmt: skip
    words: str = option(
        "all", "Words that models are asked for: all of them, or those in regions that predictions name (asked), which "
        "takes hf: less time; curves have no others then.", choices=WORDS,
    )  # fmt: skip
    threshold: float = option(
        80.0, "Checkpoints: the accuracy from which on a class counts as learned (80).", metavar="PERCENT", least=0
    )
    seed: int = option(0, "Seed of the coin of --ties coin; part of the signature.", least=0)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.threshold > 100:
            raise UsageError(f"{self.threshold:g} is more than 100 per cent", where="--threshold")
        parse_layout(self.layout)

    def random_facts(self) -> list[tuple[str, object]]:
        """The coin is all that is random."""
        return [("seed", self.seed)] if self.ties == "coin" else []


NOTES = Notes(
    "surprisal",
    "Surprisal",
    "Each item is one sentence in several conditions, cut into regions; a prediction compares the surprisal of "
        "regions across conditions, in bits, and holds or does not for each item. A tie is worth what the signature "
        "says. Accuracy is the share of predictions that hold, as a mean over the suites; intervals are over items.",
    "Wang, Hu, Levy and Qian 2021, Controlled Evaluation of Grammatical Knowledge in Mandarin Chinese Language "
        "Models, EMNLP; Gauthier et al. 2020, SyntaxGym, ACL (system demonstrations).",
    main=("accuracy", "difference"),
    measures={
        "accuracy": Measure("accuracy", "items that are right, or predictions that hold, %"),
        "items_right": Measure("items right", "items whose predictions all hold, %"),
        "difference": Measure(
            "surprisal difference", "bits where it should be higher minus bits where it should be lower"
        ),
        "ties": Measure("ties", "predictions whose two sides have the same surprisal, %", "less"),
        "oov_items": Measure("items with unknown words", "items with a word that the model does not know, %", "less"),
        "accuracy_known": Measure("accuracy, known words", "accuracy on items without unknown words, %"),
    },
    figures=("gardenpath.report.figures.surprisal:figures", "gardenpath.report.figures.surprisal:acquisition_figures"),
)  # fmt: skip
COMMAND = StudyCommand(
    name="surprisal",
    about="Does a language model expect what the grammar demands, in which class of suites, across which modifier?",
    arguments="SUITE... SYSTEM...",
    arguments_help="Suites (files, folders, globs, or data by name), and language models: kind:argument, or several "
    "seeds of one model as NAME=kind:argument,kind:argument.",
    forms={"": Form(".surprisal.study:SURPRISAL", SurprisalSettings, NOTES, "suites of regions")},
    divide=suites_and_systems,
    python={
        "surprisal": PythonFunction(
            source_and_systems,
            """
            >>> import gardenpath as gp
            >>> lengths = lambda sentences: [[float(len(word)) for word in words] for words in sentences]
            >>> result = gp.surprisal("bundled:en-surprisal", {"word length": lengths})
            >>> result.findings[0].system, result.findings[0].measure
            ('word length', 'accuracy')
            """,
        ),
    },
    examples=(
        "gardenpath surprisal syntaxgym ngram:en.arpa --by suite,difference",
        'gardenpath surprisal mandarin/test_suites "surprisals:lstm_outputs#match=order" --by all',
    ),
)
