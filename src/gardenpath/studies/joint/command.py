"""`gardenpath joint`: suites with decisive arcs, parsers and language models, in any order."""

from __future__ import annotations

from ..command import Form, StudyCommand, suites_and_systems
from .settings import JointSettings

COMMAND = StudyCommand(
    name="joint",
    about="Does a parser take the garden path where a language model is surprised, item by item?",
    arguments="SUITE... SYSTEM...",
    arguments_help="Suites of regions with decisive arcs (files, folders, or data by name), and systems of both sorts: "
    "dependency parsers and language models, also as NAME=SYSTEM.",
    forms={"": Form("joint.study:JOINT", JointSettings, "suites with decisive arcs")},
    divide=suites_and_systems,
    examples=(
        "gardenpath joint bundled:en-surprisal spacy:en_core_web_md hf:gpt2",
        "gardenpath joint sap/items_ClassicGP.csv udpipe:en.udpipe surprisals:sap/gpt2 --by all --run run",
    ),
    scored=False,
)
