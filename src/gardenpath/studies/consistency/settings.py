"""What decides a study of consistency or of remedies, and what of it is shown."""

from __future__ import annotations

from dataclasses import dataclass

from ...errors import UsageError
from ..grouped_settings import GroupedSettings, by_option
from ..settings import MODES, ClusteredSettings, ParserSettings, WithExamples, limit_option, option

STUDY = "consistency"
ORDERS = ("surface", "udon2")
"""How siblings are ordered: by position, or as the published program does."""
GROUPINGS = ("perturbation", "questions", "group", "value", "change", "paper")
"""The tables that `by` may name; findings have all of it. Other names are columns: what is said of sentences."""
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
_BY = "of the sentences, crossed, such as upos,length"


@dataclass(frozen=True, kw_only=True)
class PerturbedSettings(GroupedSettings, ParserSettings, ClusteredSettings):
    """Of both studies: what is changed in which sentences, and how trees are compared."""

    groupings = GROUPINGS

    perturb: tuple[str, ...] = option(
        (), "numerals (if nothing is named), years, amounts, ordinals, names, places, currencies, pronouns, synonyms, "
        "adverbs, articles, digits, contractions, capitals, punctuation, quotes, typos; A+B for both at once; "
        "FILE.toml for a list (comma-separated).", short="-p", signed=False,
    )  # fmt: skip
    values: str = option("", "A list of your own, one value a line; needs --match.", metavar="FILE", signed=False)
    match: str = option("", "The words that your values replace.", metavar="REGEX", signed=False)
    match_pattern: str = option(
        "", "The words that your values replace, by a query: those of its first node.", metavar="PATTERN", signed=False
    )
    upos: tuple[str, ...] = option(
        (), "Parts of speech of those words (comma-separated).", metavar="UPOS", signed=False
    )
    language: str = option(
        "", "de, en, ja, ru, sv, uk or zh; by default from the file's name.", short="-l", signed=False
    )
    mode: str = option(
        "tokens", "tokens: gold tokens; sentences: text of each sentence; text: as the paper, raw text.",
        choices=MODES,
    )  # fmt: skip
    order: str = option(
        "surface", "Order of siblings: by position (surface), as the published program has it (udon2), or both.",
        choices=(*ORDERS, "both"),
    )  # fmt: skip
    sentences: int | None = option(
        None, "Only the first N sentences with a match, for each perturbation.", metavar="N", least=1
    )
    per_sentence: int | None = option(None, "Variants of a sentence at most.", metavar="N", least=1)
    by: tuple[str, ...] = by_option((), GROUPINGS, _BY)

    @property
    def orders(self) -> tuple[str, ...]:
        return ORDERS if self.order == "both" else (self.order,)


@dataclass(frozen=True, kw_only=True)
class ConsistencySettings(WithExamples, PerturbedSettings):
    """Of `gardenpath consistency test`."""

    limit_todo = "for the number of sentences write --sentences N; for examples add --examples changed"

    examples: str = option(
        "", f"Show variants of a kind: {', '.join(EXAMPLES)}; KIND:VALUE for one value.", metavar="KIND", signed=False
    )
    limit: int | None = limit_option()
    stages: tuple[str, ...] = option(
        (), "Ask once more with gold tokens (tokens) and with gold tags too (tags): how many changes vanish?",
        choices=tuple(STAGES),
    )  # fmt: skip

    def __post_init__(self) -> None:
        super().__post_init__()
        if TOKENS in self.stages and self.mode == TOKENS:
            what = "the parser has gold tokens already: --mode tokens"
            raise UsageError(what, where="--stages", todo="add --mode text, or leave out tokens")
        if self.stages and self.gold:
            raise UsageError("--stages says itself which gold is given", where="--gold", todo="leave out --gold")


@dataclass(frozen=True, kw_only=True)
class RemediesSettings(PerturbedSettings):
    """Of `gardenpath consistency remedies`."""

    parser: str = option(
        "udpipe", "The kind of parser that is trained: udpipe, stanza or spacy.", metavar="KIND", signed=False
    )
    remedy: tuple[str, ...] = option(
        (AUGMENT, SUBSTITUTE), "augment, substitute, vote (comma-separated).", choices=(AUGMENT, SUBSTITUTE, VOTE)
    )
    dev: str = option("", "A treebank for early stopping.", metavar="TREEBANK", signed=False)
    preset: str = option("default", "tiny, default or paper, as for train.")
    augmented: int = option(_AUGMENTED, "Variants of a training sentence that augment adds.", metavar="N", least=1)
    token: str = option(_TOKEN, "What substitute puts in place.")
    voters: int = option(_VOTERS, "Variants that vote with each sentence.", metavar="N", least=1)
    seed: int = option(0, "Seed of the trainings; part of the signature.", least=0)
    seeds: int = option(1, "How many trainings of each, from --seed on.", metavar="N", least=1)
    by: tuple[str, ...] = by_option((), GROUPINGS, _BY)
    option: tuple[str, ...] = option(  # the last one: below, the name is that of the field
        (), "An option of the parser, as for train; may be repeated.", metavar="NAME=VALUE", repeated=True
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.remedy:
            raise UsageError("no remedy is named", where="--remedy", todo=f"name {AUGMENT}, {SUBSTITUTE} or {VOTE}")
        for remedy, flag, given in (
            (AUGMENT, "--augmented", self.augmented != _AUGMENTED),
            (SUBSTITUTE, "--token", self.token != _TOKEN),
            (VOTE, "--voters", self.voters != _VOTERS),
        ):
            if given and remedy not in self.remedy:
                raise UsageError(f"{flag} is for the remedy {remedy}", todo=f"leave it out, or add {remedy}")

    def random_facts(self) -> list[tuple[str, object]]:
        return [("seed", self.seed), ("seeds", self.seeds if self.seeds > 1 else None)]
