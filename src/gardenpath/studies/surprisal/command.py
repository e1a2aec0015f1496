"""`gardenpath surprisal`: suites and language models, in any order."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..command import Call, Form, StudyCommand
from .settings import SurprisalSettings


def divide(arguments: list[str], options: Mapping[str, Any]) -> Call:
    """What has a kind before a colon is a system; all else are suites."""
    from ...errors import UsageError
    from ...systems.entrants import is_system_name

    suites = [argument for argument in arguments if not is_system_name(argument)]
    if not suites:
        raise UsageError("no suite is named", todo="gardenpath surprisal SUITE... SYSTEM...")
    return Call("", suites, [argument for argument in arguments if is_system_name(argument)])


COMMAND = StudyCommand(
    name="surprisal",
    about="Does a language model expect what the grammar demands, in which class of suites, across which modifier?",
    arguments="SUITE... SYSTEM...",
    arguments_help="Suites (files, folders, globs, or data by name), and language models: kind:argument, or several "
    "seeds of one model as NAME=kind:argument,kind:argument.",
    forms={"": Form("surprisal.study:SURPRISAL", SurprisalSettings, "suites of regions")},
    divide=divide,
    examples=(
        "gardenpath surprisal syntaxgym ngram:en.arpa --by suite,difference",
        'gardenpath surprisal mandarin/test_suites "surprisals:lstm_outputs#match=order" --by all',
        'gardenpath surprisal suites/ LSTM=lstm:a RNNG=rnng:b --mark syntax=RNNG --model "outcome ~ syntax + '
        '(1|modifier) + (1|item) + (1|seed)" --model-by class',
    ),
)
