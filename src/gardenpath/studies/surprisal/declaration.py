"""The surprisal study: its settings and its command."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ...errors import UsageError
from ...suites.regions.hierarchy import OWN
from ...suites.regions.model import METRICS
from ...suites.regions.pairs import parse_layout
from ..engine.declaration import (
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
    suites_and_systems,
)
from .chat_declaration import NOTES as CHAT_NOTES
from .chat_declaration import JudgementSettings

CHAT = "chat"
"""The form of the study in which chat models are asked questions."""
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
    score: str = setting(
        "sentence", "Compare whole sentences (sentence), or the targets that a file of pairs names (target).",
        choices=SCORES,
    )  # fmt: skip
    layout: tuple[str, ...] = setting(
        (), "What the columns of a file of pairs are, if their names do not say: good=COLUMN, bad, sentence, "
        "label, item, class, paradigm, target; encoding=NAME, separator=SIGN, order=good-bad of plain lines. "
        "Repeatable.", repeated=True
    )  # fmt: skip
    ties: str = option(
        "half", "What a tie is worth: half a point (half), 0 or 1 by a coin flip (coin), or nothing (strict).",
        choices=TIES, signed=False,
    )  # fmt: skip
    metric: str = setting(
        "", f"Surprisal of a region: {', '.join(METRICS)}; else as the suite says.", choices=METRICS, signed=False
    )
    tokens: str = option(
        "", "What models are given: the words of the suite (suite), the same with punctuation split off (punctuation), "
        "or characters; else suite, and characters where it has no blanks.", choices=TOKENS, signed=False,
    )  # fmt: skip
    border: str = setting(
        "fail", "A region border inside a token: the item cannot be scored (fail), or the token belongs to the region "
        "in which it ends (end).", choices=BORDERS,
    )  # fmt: skip
    words: str = setting(
        "all", "Words that models are asked for: all of them, or those in regions that predictions name (asked), which "
        "takes hf: less time; curves have no others then.", choices=WORDS,
    )  # fmt: skip
    threshold: float = setting(80.0, "Checkpoints: the accuracy from which on a class counts as learned (80).", least=0)
    seed: int = setting(0, "Seed of the coin of --ties coin; part of the signature.", least=0)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.threshold > 100:
            raise UsageError(f"{self.threshold:g} is more than 100 per cent", where="--set threshold")
        parse_layout(self.layout)

    def random_facts(self) -> list[tuple[str, object]]:
        """The coin is all that is random."""
        return [("seed", self.seed)] if self.ties == "coin" else []


def are_chat_models(systems: Any) -> bool:
    """Return whether all systems answer questions instead of giving probabilities."""
    from ...systems.asking.entrants import split_label
    from ...systems.asking.protocol import JUDGE
    from ...systems.asking.registry import METHODS, kind_of

    given = list(systems.values()) if isinstance(systems, Mapping) else systems
    members = list(given) if isinstance(given, list | tuple) else [given]

    def is_chat(system: Any) -> bool:
        if isinstance(system, str):
            return kind_of(split_label(system)[1])[0].roles == (JUDGE,)
        return hasattr(system, METHODS[JUDGE])

    return bool(members) and all(map(is_chat, members))


def divide(arguments: list[str], options: Mapping[str, Any]) -> Call:
    """Return what the arguments mean: suites, and either language models or chat models."""
    _, suites, systems = suites_and_systems(arguments, options)
    return suites_and_models(suites, systems)


def suites_and_models(suites: Any, systems: Any) -> Call:
    """Return what is meant in Python; systems that answer questions are asked questions."""
    return Call(CHAT if are_chat_models(systems) else "", suites, systems)


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
    "seeds of one model as NAME=kind:argument,kind:argument. Chat models (chat:URL#model=NAME) are asked which "
    "sentence of a pair is the good one.",
    forms={
        "": Form(".surprisal.study:SURPRISAL", SurprisalSettings, NOTES, "language models"),
        CHAT: Form(".surprisal.chat:JUDGEMENT", JudgementSettings, CHAT_NOTES, "chat models"),
    },
    divide=divide,
    python={
        "surprisal": PythonFunction(
            suites_and_models,
            """
            >>> import gardenpath as gp
            >>> lengths = lambda sentences: [[float(len(word)) for word in words] for words in sentences]
            >>> result = gp.surprisal("bundled:en-surprisal", {"word length": lengths})
            >>> result.findings[0].system, result.findings[0].measure
            ('word length', 'accuracy')

            Chat models choose between the two sentences of a pair:

            >>> import pathlib, tempfile
            >>> pairs = pathlib.Path(tempfile.mkdtemp()) / "pairs.tsv"
            >>> _ = pairs.write_text("item\\tgood\\tbad\\n1\\tcats sleep\\tcats sleeps\\n")
            >>> polite = gp.systems.ChatFunction(lambda questions: ["Yes." for _ in questions])
            >>> gp.surprisal(pairs, {"polite": polite}).value("unusable")  # "which is better?" has no answer "yes"
            50.0
            """,
        ),
    },
    examples=(
        'gardenpath surprisal pairs.tsv "chat:http://localhost:8000/v1#model=NAME"',
        "gardenpath surprisal syntaxgym ngram:en.arpa --by suite,difference",
        'gardenpath surprisal mandarin/test_suites "surprisals:lstm_outputs#match=order" --by all',
    ),
)
