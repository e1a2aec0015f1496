"""`gardenpath surprisal`: suites and language models, in any order."""

from __future__ import annotations

from ..command import Form, StudyCommand, suites_and_systems
from .settings import SurprisalSettings

COMMAND = StudyCommand(
    name="surprisal",
    about="Does a language model expect what the grammar demands, in which class of suites, across which modifier?",
    arguments="SUITE... SYSTEM...",
    arguments_help="Suites (files, folders, globs, or data by name), and language models: kind:argument, or several "
    "seeds of one model as NAME=kind:argument,kind:argument.",
    forms={"": Form("surprisal.study:SURPRISAL", SurprisalSettings, "suites of regions")},
    divide=suites_and_systems,
    examples=(
        "gardenpath surprisal syntaxgym ngram:en.arpa --by suite,difference",
        'gardenpath surprisal mandarin/test_suites "surprisals:lstm_outputs#match=order" --by all',
        'gardenpath surprisal suites/ LSTM=lstm:a RNNG=rnng:b --mark syntax=RNNG --model "outcome ~ syntax + '
        '(1|modifier) + (1|item) + (1|seed)" --model-by class',
    ),
)
