"""The displacement studies: settings and commands for a pair, a collection and an experiment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...errors import UsageError
from ..engine.declaration import (
    GOLD_LAYERS,
    TRAINER_OPTIONS,
    Call,
    ClusteredSettings,
    DrawnSettings,
    Form,
    Measure,
    Notes,
    PythonFunction,
    StudyCommand,
    StudySettings,
    option,
    setting,
    source_and_systems,
)

if TYPE_CHECKING:
    pass
from pathlib import Path

STUDY = "displacement"
FEWEST_RANDOM = 5
"""Random splits below which nothing is said of their spread."""
FEWER_EXCLUDED = "Exclude treebanks with fewer training sentences; the EDV paper needs 100."
PAPER_MINIMUM = 100
"""Training sentences of a treebank in the EDV paper: scores of smaller treebanks vary much."""
LENGTH, ANALYSES = "length", "analyses"
HELD_OUT = "held out"
"""The set of treebanks that models are tested on, and not fitted to."""
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
    variant: str = setting(
        "text", "Morphological complexity as the EDV paper's text or its script has it: text or script.",
        choices=("text", "script"),
    )  # fmt: skip
    draws: int = setting(1000, "Draws for intervals and noise floors; 0 for none.", least=0)


@dataclass(frozen=True, kw_only=True)
class PairSettings(DistanceSettings, ClusteredSettings):
    """Of `gardenpath displacement TRAIN TEST`."""


@dataclass(frozen=True, kw_only=True)
class CollectionSettings(DistanceSettings):
    """Of `gardenpath displacement DIR`. Treebanks are what was sampled."""

    by: tuple[str, ...] = option(
        (), "Tables to show: length (of sentences, 3 to 30), analyses (all that follow the first two), or all.",
        choices=(LENGTH, ANALYSES), signed=False,
    )  # fmt: skip
    scores: tuple[str, ...] = option(
        (), "Parser scores to correlate with: a table by treebank (TSV, CSV), or a folder of parsed test sets "
        "(UD_X.conllu, UD_X/*.conllu), which are scored. NAME=… names the system. Repeatable.",
        metavar="TABLE|DIR", repeated=True, signed=False,
    )  # fmt: skip
    held_out: str = setting(
        "", "Scores of treebanks that enter no fit and no correlation; the linear models predict them. A table or "
        "folder, as for --scores.", signed=False,
    )  # fmt: skip
    las_column: str = setting("", "Column of the scores, if there are several and none is las.", signed=False)
    covariates: tuple[str, ...] = setting(
        COVARIATES_HELD, "Variables held constant one after the other.", choices=COVARIATES
    )
    min_train: int = setting(0, FEWER_EXCLUDED, least=0)
    subsamples: tuple[int, ...] = setting(SIZES, "Sizes of random parts of the training data, in sentences.")

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "scores", tuple(map(str, self.scores)))
        if self.las_column and not self.tables:
            where, todo = "--set las_column", "give a table: --scores TABLE"
            raise UsageError("there is no table of scores with such a column", where=where, todo=todo)
        if not self.scores and self.covariates != COVARIATES_HELD:
            what = "covariates are held constant in correlations with scores, and there are none"
            raise UsageError(what, where="--set covariates", todo="give --scores")
        if self.held_out and len(self.scores) != 1:
            what = f"the models of one system predict held-out scores, and {len(self.scores)} are given"
            raise UsageError(what, where="--set held_out", todo="give --scores once")
        if tuple(self.by) == (LENGTH,) and not self.draws:  # of all tables, this one may be missing
            what = "by length, intervals are drawn (the values are always there), and there are no draws"
            raise UsageError(what, where="--by", todo="leave out --by, or --set draws=0")
        if bad := [size for size in self.subsamples if not str(size).isdecimal() or int(size) < 1]:
            raise UsageError(f"{bad[0]} is not a number of sentences", where="--set subsamples", todo="write 2000,4000")
        object.__setattr__(self, "subsamples", tuple(sorted(set(map(int, self.subsamples)))))
        object.__setattr__(self, "covariates", tuple(dict.fromkeys(self.covariates)))

    def random_facts(self) -> list[tuple[str, object]]:
        """Sub-samples are drawn too, so the seed counts without any other draws."""
        drawn: list[tuple[str, object]] = [("draws", self.draws)] if self.draws else []
        return [*drawn, ("seed", self.seed)] if self.draws or self.subsamples else []

    @property
    def tables(self) -> list[str]:
        """The scores that are tables."""
        return [place for place in self.scores if not named_place(place)[1].is_dir()]

    @property
    def parsed(self) -> list[str]:
        """The scores that are folders of parsed test sets."""
        return [place for place in self.scores if named_place(place)[1].is_dir()]

    def kept(self) -> dict[str, Any]:
        """Tables of scores and parsed test sets by their systems: what is in them counts, not where they lie."""

        held_out = system_of(self.held_out) if self.held_out else ""
        return {**super().kept(), "scores": [system_of(place) for place in self.scores], "held_out": held_out}


@dataclass(frozen=True, kw_only=True)
class ExperimentSettings(StudySettings):
    """Of `gardenpath displacement experiment`. All trainings are in the signature, so the study names them there."""

    parser: str = option(
        "udpipe", "The kind of parser that is trained: udpipe, biaffine, stanza or spacy.", metavar="KIND", signed=False
    )
    preset: str = option("default", "tiny, default or paper, as for train.", signed=False)
    train: tuple[str, ...] = setting((), TRAINER_OPTIONS, rest="train.", signed=False)
    gold: tuple[str, ...] = option((), GOLD_LAYERS, choices=("lemmas", "tags", "feats"))
    min_train: int = setting(PAPER_MINIMUM, FEWER_EXCLUDED, least=0, signed=False)
    splits: tuple[str, ...] = option(
        ("random:3",), "Splits beside those of smallest and largest EDV: random:N, and official for that of the files "
        "(train, dev, test), whose sizes all splits then have.", signed=False,
    )  # fmt: skip
    procedure: str = setting(
        "best", "How the splits of smallest and largest EDV are made: the most extreme ones (best), or the paper's "
        "sampling (paper).", choices=("best", "paper"), signed=False,
    )  # fmt: skip
    by: tuple[str, ...] = option(
        (), "Tables to show: analyses (all that follow the first two), or all.", choices=(ANALYSES,), signed=False
    )  # fmt: skip
    seed: int = option(0, "Seed of everything random; part of the signature.", least=0)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.official and self.random < FEWEST_RANDOM:
            what = f"{self.random} random splits do not show where the official split lies among them"
            raise UsageError(what, where="--splits", todo=f"write --splits official,random:{FEWEST_RANDOM}, or more")

    @property
    def official(self) -> bool:
        """Is the split of the files one of them?"""
        return OFFICIAL in self.splits

    @property
    def random(self) -> int:
        """The number of random splits of each treebank."""
        count = 0
        for split in self.splits:
            name, _, number = split.partition(":")
            if name == "random" and number.isdecimal():
                count = int(number)
            elif split not in (OFFICIAL, "min", "max"):
                raise UsageError(f"{split!r} is not a split", where="--splits", todo="write official,random:5")
        return count

    def random_facts(self) -> list[tuple[str, object]]:
        """Splits and trainings are random."""
        return [("seed", self.seed)]


def divide(arguments: list[str], options: Mapping[str, Any]) -> Call:
    """`TRAIN TEST`, or the folder of a collection."""
    from ...errors import UsageError

    if len(arguments) == 2:
        return Call("pair", tuple(arguments), ())
    if len(arguments) == 1 and (
        Path(arguments[0]).is_dir() or not (":" in arguments[0] or Path(arguments[0]).exists())
    ):
        return Call("collection", arguments[0], ())
    what = "no test data to compare with" if len(arguments) == 1 else f"{len(arguments)} names, where two are expected"
    todo = "gardenpath displacement TRAIN TEST (several files of a side: a folder or a glob in quotes), or a folder of "
    raise UsageError(what, where=arguments[0] if arguments else "", todo=f"{todo}treebank folders")


def one_folder(arguments: list[str], options: Mapping[str, Any]) -> Call:
    """`DIR`."""
    from ...errors import UsageError

    if len(arguments) == 1:
        return Call("", arguments[0], ())
    what = f"{len(arguments)} names, where one folder is expected"
    raise UsageError(what, where=arguments[0] if arguments else "", todo="name the folder that holds the treebanks")


def pair_or_folder(source: Any, test: Any = None) -> Call:
    """Return what is meant in Python: training and test data, or the folder of a collection."""
    return Call("collection", source, ()) if test is None else Call("pair", (source, test), ())


NOTES = Notes(
    "displacement",
    "Displacement",
    "The displacement of an edge is the position of a word less that of its head; root edges and displacements "
        "beyond 30 are left out. EDV is the Wasserstein distance of the distributions of training and test data, in "
        "tokens; the noise floor is what random splits of the same data into these sizes show. They deal out whole "
        "documents where train and test mark them, else sentences.",
    "Anderson and Gómez-Rodríguez 2022, The Impact of Edge Displacement Vaserstein Distance on UD Parsing "
        "Performance, Computational Linguistics.",
    main=("delta_las", "edv", "edv_excess", "slv"),
    measures={
        "edv": Measure("EDV", "distance between the edge displacements of training and test data, in tokens", "less"),
        "edv_heights": Measure("EDV of heights", "the same distance between the shares alone, as published", "less"),
        "split_unit": Measure("random splits of", "what random splits deal out: documents or sentences", ""),
        "slv": Measure("SLV", "distance between the sentence lengths of training and test data, in words", "less"),
        "delta_las": Measure("ΔLAS", "LAS on the split of greatest EDV minus LAS on that of least EDV, in points"),
        "delta_edv": Measure("ΔEDV", "EDV of the split of greatest EDV minus that of least EDV, in tokens", ""),
        "dependency_length": Measure("dependency length", "mean words from a word to its head", ""),
        "las_slope": Measure("slope of LAS", "points of LAS of a sentence for one step of an effect, mixed model", ""),
    },
    figures=(
        "gardenpath.report.figures.displacement:figures",
        "gardenpath.report.figures.displacement_experiment:figures",
    ),
)  # fmt: skip
COMMAND = StudyCommand(
    name="displacement",
    about="How far is test from training data, is that more than chance, and does it explain parsers' scores?",
    arguments="TRAIN TEST | DIR",
    arguments_help="Training data and test data: a file, folder or glob each. Or a folder of treebank folders with "
    "*-train*.conllu and *-test*.conllu, each of which is measured.",
    forms={
        "pair": Form(".displacement.pair:DISPLACEMENT_PAIR", PairSettings, NOTES, "two treebanks"),
        "collection": Form(
            ".displacement.collection_study:DISPLACEMENT_COLLECTION", CollectionSettings, NOTES, "collections"
        ),
    },
    divide=divide,
    python={
        "displacement": PythonFunction(
            pair_or_folder,
            """
            >>> import gardenpath as gp
            >>> result = gp.displacement("bundled:de-train", "bundled:de-test", draws=0)
            >>> round(result.value("edv"), 3)
            0.098
            >>> for seed in range(3):
            ...     for part, treebank in gp.split("bundled:de-test", seed=seed)[1].items():
            ...         treebank.write(f"treebanks/UD_German-Demo{seed}/demo-ud-{part}.conllu")
            >>> result = gp.displacement("treebanks", draws=0, subsamples=())
            >>> [round(value, 2) for value in result.to_polars("edv", by=())["value"]]
            [0.45, 0.95, 0.68]
            """,
        ),
    },
    examples=(
        "gardenpath displacement bundled:de-train bundled:de-test --by length",
        "gardenpath displacement treebanks/ --scores scores.tsv",
    ),
)
EXPERIMENT = StudyCommand(
    name="experiment",
    about="What does the split do to the score? Trains and scores a parser on the easiest, the hardest and random "
    "splits of every treebank.",
    arguments="DIR",
    arguments_help="A folder of treebank folders, or one of them; all .conllu files of a folder are one treebank.",
    forms={"": Form(".displacement.experiment:DISPLACEMENT_EXPERIMENT", ExperimentSettings, NOTES)},
    divide=one_folder,
    python={
        "displacement_experiment": PythonFunction(
            source_and_systems,
            """
            >>> import gardenpath as gp
            >>> treebank = gp.read("bundled:de-train")
            >>> treebank[treebank.lengths < 10].write("treebanks/UD_German-Demo/demo.conllu")
            >>> gp.displacement_experiment("treebanks", preset="tiny", splits="random:1").study
            'displacement'
            """,
        ),
    },
    examples=("gardenpath displacement experiment treebanks/ --parser udpipe --run run/ --jobs 0",),
)


def system_of(given: str) -> str:
    """The system of `TABLE` or `NAME=TABLE`: its name, or that of the file."""
    return named_place(given)[0]


OFFICIAL = "official"
"""The split that the files of a treebank have."""


def named_place(given: str) -> tuple[str, Path]:
    """The system and the file or folder of `PLACE` or `NAME=PLACE`; without a name it is that of the place."""
    name, equals, path = given.partition("=")
    if equals and name and not Path(given).exists():
        return name, Path(path)
    return Path(given).stem, Path(given)
