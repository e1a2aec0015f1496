"""What decides a study of surprisal, and what of it is shown."""

from __future__ import annotations

from dataclasses import dataclass

from ...errors import UsageError
from ...suites.regions.columns import OWN
from ...suites.regions.model import METRICS
from ...suites.regions.pair_columns import parse_layout
from ..grouped_settings import GroupedSettings, by_option
from ..settings import ClusteredSettings, WithExamples, limit_option, option

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
MODEL_BY = ("class", "suite", "modifier", "kind", "system")
"""A model may be fitted once for all judgements, or for each of these."""


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
    model: tuple[str, ...] = option(
        (), "A mixed model of the judgements, as in lme4: outcome ~ syntax + (1|modifier) + (1|item) + (1|seed); "
        "outcome makes it binomial, accuracy is that of a suite by a seed; may be repeated.", metavar="FORMULA",
        repeated=True,
    )  # fmt: skip
    model_by: str = option(
        "", "One model for each class, suite, modifier, kind or system; else one for all.", choices=MODEL_BY
    )
    mark: tuple[str, ...] = option(
        (), "A column for models that is 1 for these systems and 0 for the others, as syntax=RNNG,PLM; may be "
        "repeated.", metavar="NAME=SYSTEM,...", repeated=True,
    )  # fmt: skip

    seed: int = option(0, "Seed of the coin of --ties coin; part of the signature.", least=0)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.threshold > 100:
            raise UsageError(f"{self.threshold:g} is more than 100 per cent", where="--threshold")
        parse_layout(self.layout)
        if not self.model and (self.model_by or self.mark):
            todo = "add --model FORMULA"
            raise UsageError("--model-by and --mark say how to fit a model, and there is none", todo=todo)

    def random_facts(self) -> list[tuple[str, object]]:
        """The coin is all that is random."""
        return [("seed", self.seed)] if self.ties == "coin" else []
