"""`gardenpath consistency test` and `gardenpath consistency remedies`: how both are called."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..command import Call, Form, StudyCommand, first_is_source
from .settings import ConsistencySettings, RemediesSettings


def all_are_source(arguments: list[str], options: Mapping[str, Any]) -> Call:
    """`TRAIN TEST...`: treebanks alone; the parser is trained here."""
    return Call("", tuple(arguments), [])


TEST = StudyCommand(
    name="test",
    about="Does an irrelevant change of the input (a year, a name, a currency) change the tree, and in how many ways?",
    arguments="TREEBANK SYSTEM...",
    arguments_help="A gold treebank, or a text (.txt, one sentence a line), then parsers or files with parses of all "
    "variants, also as NAME=SYSTEM. The others are compared with the first.",
    forms={"": Form("consistency.study:CONSISTENCY", ConsistencySettings)},
    divide=first_is_source,
    examples=(
        "gardenpath consistency test en_ewt-ud-dev.conllu udpipe:en.udpipe --perturb numerals --order both",
        "gardenpath consistency test de_gsd-ud-test.conllu udpipe:de.udpipe -p names --examples changed --limit 5",
        "gardenpath consistency test ja_sentences.txt spacy:ja_ginza --mode text -p years,currencies",
    ),
)
REMEDIES = StudyCommand(
    name="remedies",
    about="Do remedies make a parser consistent? Trains it as is, on augmented and on substituted data, and compares.",
    arguments="TRAIN TEST...",
    arguments_help="The treebank to train on, then one or more to test on.",
    forms={"": Form("consistency.remedies:REMEDIES", RemediesSettings)},
    divide=all_are_source,
    examples=("gardenpath consistency remedies train.conllu test.conllu --remedy augment --run run/ --jobs 0",),
)
