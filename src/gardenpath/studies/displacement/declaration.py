"""The displacement studies: settings and commands for a pair, a collection and an experiment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...errors import UsageError
from ..engine.declaration import (
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
    """Of `gardenpath displacement collection`. Treebanks are what was sampled."""

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
    held_out: str = option(
        "", "Scores of treebanks that enter no fit and no correlation; the linear models predict them. A table or "
        "folder as for --las or --parsed.", metavar="TABLE|DIR", signed=False,
    )  # fmt: skip
    las_column: str = option("", "The column of the scores, if there are several and none is las.", signed=False)
    covariates: tuple[str, ...] = option(
        COVARIATES_HELD, "Held constant one after the other, comma-separated.", choices=COVARIATES
    )
    min_train: int = option(0, FEWER_EXCLUDED, least=0)
    subsamples: tuple[int, ...] = option(SIZES, "Sizes of random parts of the training data, in sentences.")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.las_column and not self.las:
            raise UsageError("there is no table of scores with such a column", where="--las-column", todo="give --las")
        if not self.las and not self.parsed and self.covariates != COVARIATES_HELD:
            what = "covariates are held constant in correlations with scores, and there are none"
            raise UsageError(what, where="--covariates", todo="give --las or --parsed")
        if self.held_out and len(self.las) + len(self.parsed) != 1:
            what = f"the models of one system predict held-out scores, and {len(self.las) + len(self.parsed)} are given"
            raise UsageError(what, where="--held-out", todo="give one --las or one --parsed")
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

        systems = {key: [system_of(place) for place in getattr(self, key)] for key in ("las", "parsed")}
        held_out = system_of(self.held_out) if self.held_out else ""
        return {**super().kept(), **systems, "held_out": held_out}


@dataclass(frozen=True, kw_only=True)
class ExperimentSettings(StudySettings):
    """Of `gardenpath displacement experiment`. All trainings are in the signature, so the study names them there."""

    parser: str = option(
        "udpipe", "The kind of parser that is trained: udpipe, biaffine, stanza or spacy.", metavar="KIND", signed=False
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
    min_train: int = option(PAPER_MINIMUM, FEWER_EXCLUDED, least=0, signed=False)
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


def train_and_test(arguments: list[str], options: Mapping[str, Any]) -> Call:
    """`TRAIN TEST`."""
    from ...errors import UsageError

    if len(arguments) == 2:
        return Call("", tuple(arguments), ())
    what = "no test data to compare with" if len(arguments) == 1 else f"{len(arguments)} names, where two are expected"
    todo = "gardenpath displacement pair TRAIN TEST; several files of a side are a folder or a glob in quotes"
    raise UsageError(what, where=arguments[0] if arguments else "", todo=todo)


def one_folder(arguments: list[str], options: Mapping[str, Any]) -> Call:
    """`DIR`."""
    from ...errors import UsageError

    if len(arguments) == 1:
        return Call("", arguments[0], ())
    what = f"{len(arguments)} names, where one folder is expected"
    raise UsageError(what, where=arguments[0] if arguments else "", todo="name the folder that holds the treebanks")


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
PAIR = StudyCommand(
    name="pair",
    about="How far is test from training data, and is that more than chance?",
    arguments="TRAIN TEST",
    arguments_help="Training data and test data: a file, folder or glob each.",
    forms={"": Form(".displacement.pair:DISPLACEMENT_PAIR", PairSettings, NOTES)},
    divide=train_and_test,
    python={
        "displacement": PythonFunction(
            lambda train, test: Call("", (train, test), ()),
            """
            >>> import gardenpath as gp
            >>> result = gp.displacement("bundled:de-train", "bundled:de-test", draws=0)
            >>> round(result.value("edv"), 3)
            0.098
            """,
        ),
    },
    examples=("gardenpath displacement pair bundled:de-train bundled:de-test --by length",),
    asks=False,
    scored=False,
)
COLLECTION = StudyCommand(
    name="collection",
    about="How far is test from training data in each of many treebanks, and does that explain parsers' scores?",
    arguments="DIR",
    arguments_help="A folder of treebank folders with *-train*.conllu and *-test*.conllu.",
    forms={"": Form(".displacement.collection_study:DISPLACEMENT_COLLECTION", CollectionSettings, NOTES)},
    divide=one_folder,
    python={
        "displacement_collection": PythonFunction(
            source_and_systems,
            """
            >>> import gardenpath as gp
            >>> for seed in range(3):
            ...     for part, treebank in gp.split("bundled:de-test", seed=seed)[1].items():
            ...         treebank.write(f"treebanks/UD_German-Demo{seed}/demo-ud-{part}.conllu")
            >>> result = gp.displacement_collection("treebanks", draws=0, subsamples=())
            >>> [round(value, 2) for value in result.to_polars("edv", by=())["value"]]
            [0.45, 0.95, 0.68]
            """,
        ),
    },
    examples=("gardenpath displacement collection treebanks/ --las scores.tsv --figures figures/",),
    scored=False,
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
            >>> gp.displacement_experiment("treebanks", preset="tiny", random=1).study
            'displacement'
            """,
        ),
    },
    examples=("gardenpath displacement experiment treebanks/ --parser udpipe --run run/ --jobs 0",),
    scored=False,
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
