"""`gardenpath displacement pair`, `collection` and `experiment`: how each is called."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..command import Call, Form, StudyCommand
from .settings import CollectionSettings, ExperimentSettings, PairSettings


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


PAIR = StudyCommand(
    name="pair",
    about="How far is test from training data, and is that more than chance?",
    arguments="TRAIN TEST",
    arguments_help="Training data and test data: a file, folder or glob each.",
    forms={"": Form("displacement.pair_study:DISPLACEMENT_PAIR", PairSettings)},
    divide=train_and_test,
    examples=("gardenpath displacement pair bundled:de-train bundled:de-test --by length",),
    asks=False,
    scored=False,
)
COLLECTION = StudyCommand(
    name="collection",
    about="How far is test from training data in each of many treebanks, and does that explain parsers' scores?",
    arguments="DIR",
    arguments_help="A folder of treebank folders with *-train*.conllu and *-test*.conllu.",
    forms={"": Form("displacement.collection_study:DISPLACEMENT_COLLECTION", CollectionSettings)},
    divide=one_folder,
    examples=("gardenpath displacement collection treebanks/ --las scores.tsv --figures figures/",),
    scored=False,
)
EXPERIMENT = StudyCommand(
    name="experiment",
    about="What does the split do to the score? Trains and scores a parser on the easiest, the hardest and random "
    "splits of every treebank.",
    arguments="DIR",
    arguments_help="A folder of treebank folders, or one of them; all .conllu files of a folder are one treebank.",
    forms={"": Form("displacement.experiment:DISPLACEMENT_EXPERIMENT", ExperimentSettings)},
    divide=one_folder,
    examples=("gardenpath displacement experiment treebanks/ --parser udpipe --run run/ --jobs 0",),
    scored=False,
)
