"""`gardenpath judge`: suites of pairs and chat models, in any order."""

from __future__ import annotations

from ..command import Form, StudyCommand, suites_and_systems
from .settings import JudgementSettings

COMMAND = StudyCommand(
    name="judge",
    about="Does a chat model take the good sentence of a pair, however it is asked?",
    arguments="SUITE... SYSTEM...",
    arguments_help="Suites of pairs (files, folders, globs, or data by name), and chat models: chat:URL#model=NAME.",
    forms={"": Form("judgement.study:JUDGEMENT", JudgementSettings, "suites of pairs")},
    divide=suites_and_systems,
    examples=(
        'gardenpath judge pairs.tsv "chat:http://localhost:8000/v1#model=NAME"',
        'gardenpath judge blimp "chat:http://localhost:8000/v1#model=NAME" --templates better,grammatical',
    ),
)
