"""What decides the studies of displacement: of a pair of files, of a collection of treebanks, and of its splits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...errors import UsageError
from ..settings import ClusteredSettings, DrawnSettings, StudySettings, option

STUDY = "displacement"
FEWEST_RANDOM = 5
"""Random splits below which nothing is said of their spread."""
LENGTH, ANALYSES = "length", "analyses"
COVARIATES = (
    "train_tokens", "train_sentences", "train_length", "test_tokens", "test_sentences", "test_length", "slv",
    "train_crossing_ratio", "train_type_token_ratio", "train_morphological_complexity",
)  # fmt: skip
"""What may be held constant."""
COVARIATES_HELD = ("train_tokens", "test_length")
"""What is, by default."""
SIZES = (500, 1000, 2000, 4000, 6000, 8000)
"""Sentences in the sub-samples of training data; those of Table D.1 and two smaller ones."""


@dataclass(frozen=True, kw_only=True)
class DistanceSettings(DrawnSettings):
    """What pairs and collections have in common."""

    by: tuple[str, ...] = option(
        (), "Break down by length (of sentences, 3 to 30).", choices=(LENGTH,), signed=False
    )  # fmt: skip
    variant: str = option(
        "text", "Morphological complexity as the EDV paper's text or its script has it: text or script.",
        choices=("text", "script"),
    )  # fmt: skip
    draws: int = option(1000, "Draws for intervals and noise floors; 0 for none.", least=0)


@dataclass(frozen=True, kw_only=True)
class PairSettings(DistanceSettings, ClusteredSettings):
    """Of `gardenpath displacement pair`."""


@dataclass(frozen=True, kw_only=True)
class CollectionSettings(DistanceSettings):
    """Of `gardenpath displacement collection`. Treebanks are what was sampled; noise floors are those of sentences."""

    by: tuple[str, ...] = option(
        (), "Tables to show: length (of sentences, 3 to 30), analyses (all that follow the first two), or all.",
        choices=(LENGTH, ANALYSES), signed=False,
    )  # fmt: skip
    las: tuple[str, ...] = option(
        (), "Scores by treebank, TSV or CSV, to correlate with; NAME=TABLE names the system. May be repeated.",
        metavar="TABLE", repeated=True, signed=False,
    )  # fmt: skip
    parsed: tuple[str, ...] = option(
        (), "A folder of parsed test sets, which are scored: UD_X.conllu, UD_X/*.conllu or as the test files; "
        "NAME=DIR names the system. May be repeated.", metavar="DIR", repeated=True, signed=False,
    )  # fmt: skip
    las_column: str = option("", "The column of the scores, if there are several and none is las.", signed=False)
    covariates: tuple[str, ...] = option(
        COVARIATES_HELD, "Held constant one after the other, comma-separated.", choices=COVARIATES
    )
    subsamples: tuple[int, ...] = option(SIZES, "Sizes of random parts of the training data, in sentences.")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.las_column and not self.las:
            raise UsageError("there is no table of scores with such a column", where="--las-column", todo="give --las")
        if not self.las and not self.parsed and self.covariates != COVARIATES_HELD:
            what = "covariates are held constant in correlations with scores, and there are none"
            raise UsageError(what, where="--covariates", todo="give --las or --parsed")
        if tuple(self.by) == (LENGTH,) and not self.draws:  # of all tables, this one may be missing
            what = "by length, intervals are drawn (the values are always there), and there are no draws"
            raise UsageError(what, where="--by", todo="leave out --by, or --draws 0")
        if bad := [size for size in self.subsamples if not str(size).isdecimal() or int(size) < 1]:
            raise UsageError(f"{bad[0]} is not a number of sentences", where="--subsamples", todo="write 2000,4000")
        object.__setattr__(self, "subsamples", tuple(sorted(set(map(int, self.subsamples)))))
        object.__setattr__(self, "las", tuple(map(str, self.las)))
        object.__setattr__(self, "parsed", tuple(map(str, self.parsed)))
        object.__setattr__(self, "covariates", tuple(dict.fromkeys(self.covariates)))

    def random_facts(self) -> list[tuple[str, object]]:
        """Sub-samples are drawn too, so the seed counts without any other draws."""
        drawn: list[tuple[str, object]] = [("draws", self.draws)] if self.draws else []
        return [*drawn, ("seed", self.seed)] if self.draws or self.subsamples else []

    def kept(self) -> dict[str, Any]:
        """Tables of scores and parsed test sets by their systems: what is in them counts, not where they lie."""
        from .las import system_of

        systems = {key: [system_of(place) for place in getattr(self, key)] for key in ("las", "parsed")}
        return {**super().kept(), **systems}


@dataclass(frozen=True, kw_only=True)
class ExperimentSettings(StudySettings):
    """Of `gardenpath displacement experiment`. All trainings are in the signature, so the study names them there."""

    parser: str = option(
        "udpipe", "The kind of parser that is trained: udpipe, stanza or spacy.", metavar="KIND", signed=False
    )
    preset: str = option("default", "tiny, default or paper, as for train.", signed=False)
    parser_options: tuple[str, ...] = option(
        (), "An option of the parser, as for train; may be repeated.", flag="--option", metavar="NAME=VALUE",
        repeated=True, signed=False,
    )  # fmt: skip
    gold: tuple[str, ...] = option(
        (), "Gold layers that parsers may use: lemmas, tags, feats (comma-separated).",
        choices=("lemmas", "tags", "feats"),
    )  # fmt: skip
    random: int = option(3, "Random splits of each treebank.", least=0, signed=False)
    procedure: str = option(
        "best", "How the first two splits are made: the most extreme ones (best), or the paper's sampling (paper).",
        choices=("best", "paper"), signed=False,
    )  # fmt: skip
    official: bool = option(
        False, "Also the split that the files have (train, dev, test); all splits then have its sizes.", signed=False
    )
    by: tuple[str, ...] = option(
        (), "Tables to show: analyses (all that follow the first two), or all.", choices=(ANALYSES,), signed=False
    )  # fmt: skip
    seed: int = option(0, "Seed of everything random; part of the signature.", least=0)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.official and self.random < FEWEST_RANDOM:
            what = f"{self.random} random splits say nothing of where the official one lies among them"
            raise UsageError(what, where="--official", todo=f"add --random {FEWEST_RANDOM}, or more")

    def random_facts(self) -> list[tuple[str, object]]:
        """Splits and trainings are random."""
        return [("seed", self.seed)]
