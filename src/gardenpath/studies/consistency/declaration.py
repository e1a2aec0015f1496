"""The consistency study and its remedies: settings and commands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ...errors import UsageError
from ..engine.declaration import (
    MODES,
    TRAINER_OPTIONS,
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
    first_is_source,
    limit_option,
    option,
    setting,
    source_and_systems,
)

STUDY = "consistency"
ORDERS = ("surface", "udon2")
"""How siblings are ordered: by position, or as the published program does."""
GROUPINGS = ("perturbation", "questions", "group", "value", "change", "paper")
"""The tables that `by` may name; findings have all of it. Other names are columns: what is said of sentences."""
PAPER_LAYOUT = {"layout": "paper"}
"""Of findings that are counted as in the paper, which leaves out sentences that were cut in several."""
WORD_SCORES, SENTENCES = ("uas", "las", "blex"), ("originals", "variants")
"""Scores over words, and whose they are."""
AUGMENT, SUBSTITUTE, VOTE = "augment", "substitute", "vote"
TOKENS, TAGS = "tokens", "tags"
STAGES = {TOKENS: "gold tokens", TAGS: "gold tags too"}
"""What is done for a parser, with what a person reads."""
EXAMPLES = {
    "changed": "another tree than the original's",
    "broken": "wrong, where the original is right",
    "repaired": "right, where the original is wrong",
    "failed": "no tree",
}
"""What `examples` may name, with what it means: variants of one kind."""
_AUGMENTED, _TOKEN, _VOTERS = 20, "NNNN", 10
"""Variants per training sentence, and the constant, of the study; and variants that vote."""
INPUT = "Parser input: tokens, sentences or text (as in the paper)."
SENTENCES_CHANGED = "Only the first N sentences with a match, for each perturbation."
_BY = "of the sentences, crossed, such as upos,length"


@dataclass(frozen=True, kw_only=True)
class PerturbedSettings(GroupedSettings, ParserSettings, ClusteredSettings):
    """Of both studies: what is changed in which sentences, and how trees are compared."""

    groupings = GROUPINGS

    change: tuple[str, ...] = option(
        (), "numerals (if nothing is named), years, amounts, ordinals, names, places, currencies, pronouns, synonyms, "
        "adverbs, articles, digits, contractions, capitals, punctuation, quotes, typos; A+B for both at once; "
        "FILE.toml for a list (comma-separated).", short="-c", signed=False,
    )  # fmt: skip
    values: str = setting("", "File with your own values, one per line; needs match.", signed=False)
    match: str = setting("", "The words that your values replace.", signed=False)
    match_pattern: str = setting(
        "", "The words that your values replace, by a query: those of its first node.", signed=False
    )
    upos: tuple[str, ...] = setting((), "Parts of speech of those words (comma-separated).", signed=False)
    language: str = option(
        "", "de, en, ja, ru, sv, uk or zh; by default from the file's name.", short="-l", signed=False
    )
    input: str = option("tokens", INPUT, choices=MODES)
    order: str = setting(
        "surface", "Order of siblings: by position (surface), as the published program has it (udon2), or both.",
        choices=(*ORDERS, "both"),
    )  # fmt: skip
    sentences: int | None = option(None, SENTENCES_CHANGED, metavar="N", least=1)
    per_sentence: int | None = setting(None, "Variants of a sentence at most.", metavar="N", least=1)
    by: tuple[str, ...] = by_option((), GROUPINGS, _BY)

    @property
    def orders(self) -> tuple[str, ...]:
        return ORDERS if self.order == "both" else (self.order,)


@dataclass(frozen=True, kw_only=True)
class ConsistencySettings(WithExamples, PerturbedSettings):
    """Of `gardenpath consistency`."""

    limit_todo = "for the number of sentences write --sentences N; for examples add --examples changed"

    examples: str = option(
        "", f"Show variants of a kind: {', '.join(EXAMPLES)}; KIND:VALUE for one value.", metavar="KIND", signed=False
    )
    limit: int | None = limit_option()
    stages: tuple[str, ...] = setting(
        (), "Ask once more with gold tokens (tokens) and with gold tags too (tags): how many changes vanish?",
        choices=tuple(STAGES),
    )  # fmt: skip

    def __post_init__(self) -> None:
        super().__post_init__()
        if TOKENS in self.stages and self.input == TOKENS:
            what = "the parser has gold tokens already: --input tokens"
            raise UsageError(what, where="--set stages", todo="add --input text, or leave out tokens")
        if self.stages and self.gold:
            raise UsageError("--set stages says itself which gold is given", where="--gold", todo="leave out --gold")


@dataclass(frozen=True, kw_only=True)
class RemediesSettings(PerturbedSettings):
    """Of `gardenpath consistency remedies`."""

    parser: str = option(
        "udpipe", "The kind of parser that is trained: udpipe, biaffine, stanza or spacy.", metavar="KIND", signed=False
    )
    remedy: tuple[str, ...] = option(
        (AUGMENT, SUBSTITUTE), "augment, substitute, vote (comma-separated).", choices=(AUGMENT, SUBSTITUTE, VOTE)
    )
    dev: str = option("", "A treebank for early stopping.", metavar="TREEBANK", signed=False)
    preset: str = option("default", "tiny, default or paper, as for train.")
    augmented: int = setting(_AUGMENTED, "Variants of a training sentence that augment adds.", metavar="N", least=1)
    token: str = setting(_TOKEN, "What substitute puts in place.")
    voters: int = setting(_VOTERS, "Variants that vote with each sentence.", metavar="N", least=1)
    seed: int = option(0, "Seed of the trainings; part of the signature.", least=0)
    seeds: int = option(1, "How many trainings of each, from --seed on.", metavar="N", least=1)
    by: tuple[str, ...] = by_option((), GROUPINGS, _BY)
    input: str = setting("tokens", INPUT, choices=MODES)
    sentences: int | None = setting(None, SENTENCES_CHANGED, least=1)
    train: tuple[str, ...] = setting((), TRAINER_OPTIONS, rest="train.")

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.remedy:
            raise UsageError("no remedy is named", where="--remedy", todo=f"name {AUGMENT}, {SUBSTITUTE} or {VOTE}")
        for remedy, name, given in (
            (AUGMENT, "augmented", self.augmented != _AUGMENTED),
            (SUBSTITUTE, "token", self.token != _TOKEN),
            (VOTE, "voters", self.voters != _VOTERS),
        ):
            if given and remedy not in self.remedy:
                raise UsageError(f"--set {name} is for the remedy {remedy}", todo=f"leave it out, or add {remedy}")

    def random_facts(self) -> list[tuple[str, object]]:
        return [("seed", self.seed), ("seeds", self.seeds if self.seeds > 1 else None)]


def all_are_source(arguments: list[str], options: Mapping[str, Any]) -> Call:
    """`TRAIN TEST...`: treebanks alone; the parser is trained here."""
    return Call("", tuple(arguments), [])


NOTES = Notes(
    "consistency",
    "Consistency",
    "A sentence is parsed with irrelevant changes (a year, a name); parses that are equal form a class. A parser "
        "is consistent where all variants are in one class. What has no tree, or got no answer, stays in every "
        "denominator. Intervals go by original sentences.",
    "Kalpakchi and Boye 2021, Minor changes make a difference: a case study on the consistency of UD-based "
        "dependency parsers.",
    main=("changed", "differs_from_original"),
    measures={
        "changed": Measure("trees changed", "variants whose tree differs from the original's, %", "less"),
        "sentences_changed": Measure("sentences changed", "sentences of which a variant gets another tree, %", "less"),
        "changed_words_away": Measure("distance of changes", "words from the edit to a changed word, median", ""),
        "consistent": Measure("batches with one tree", "sentences whose variants all get the same tree, %"),
        "original_right": Measure("originals right", "sentences whose tree is right before any change, %"),
        "right": Measure("variants right", "variants whose tree is that of gold, %"),
        "differs_from_original": Measure(
            "not the original's tree", "variants with another tree than originals, %", "less"
        ),
        "differs_from_majority": Measure("not the majority's tree", "variants with another tree than most, %", "less"),
        "value_right": Measure("right", "variants with this value whose tree is right, %"),
        "words_changed": Measure("words changed", "words whose head, label or tags change, %", "less"),
        "clusters": Measure("different trees", "different trees among the variants of a sentence", "less"),
        "ncptk": Measure("tree similarity", "normalised partial tree kernel between variants, from 0 to 1"),
        "training_sentences": Measure("training sentences", "sentences that the parser was trained on", ""),
        "parses_per_sentence": Measure("parses", "parses that are made for one sentence", ""),
    },
    observed="right",
    figures=("gardenpath.report.figures.consistency:figures",),
)  # fmt: skip
COMMAND = StudyCommand(
    name="consistency",
    about="Does an irrelevant change of the input (a year, a name, a currency) change the tree, and in how many ways?",
    arguments="TREEBANK SYSTEM...",
    arguments_help="A gold treebank, or a text (.txt, one sentence a line), then parsers or files with parses of all "
    "variants, also as NAME=SYSTEM. The others are compared with the first.",
    forms={"": Form(".consistency.study:CONSISTENCY", ConsistencySettings, NOTES)},
    divide=first_is_source,
    python={
        "consistency": PythonFunction(
            source_and_systems,
            """
            >>> import gardenpath as gp
            >>> result = gp.consistency("bundled:de-test", "baseline:nearest-head", change="names", gold="tags")
            >>> result.findings[0].measure
            'originals'
            """,
        ),
    },
    examples=(
        "gardenpath consistency en_ewt-ud-dev.conllu udpipe:en.udpipe --change numerals --set order=both",
        "gardenpath consistency de_gsd-ud-test.conllu udpipe:de.udpipe -c names --examples changed --limit 5",
        "gardenpath consistency ja_sentences.txt spacy:ja_ginza --input text -c years,currencies",
    ),
)
REMEDIES = StudyCommand(
    name="remedies",
    about="Do remedies make a parser consistent? Trains it as is, on augmented and on substituted data, and compares.",
    arguments="TRAIN TEST...",
    arguments_help="The treebank to train on, then one or more to test on.",
    forms={"": Form(".consistency.remedies:REMEDIES", RemediesSettings, NOTES)},
    divide=all_are_source,
    python={
        "remedies": PythonFunction(
            lambda train, tests: Call("", (train, *(tests if isinstance(tests, list | tuple) else [tests])), ()),
            """
            >>> import gardenpath as gp
            >>> small = gp.read("bundled:de-train")[:40]
            >>> few = {"preset": "tiny", "per_sentence": 2, "augmented": 2}
            >>> gp.remedies(small, "bundled:de-test", change="names", **few).systems
            ['udpipe as is', 'udpipe augment', 'udpipe substitute']
            """,
        ),
    },
    examples=("gardenpath consistency remedies train.conllu test.conllu --remedy augment --run run/ --jobs 0",),
)
