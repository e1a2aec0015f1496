"""`gardenpath logs`: samples of other harnesses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..command import Call, Form, StudyCommand
from .settings import LogSettings


def divide(arguments: list[str], options: Mapping[str, Any]) -> Call:
    """Log files and folders of them."""
    from ...errors import UsageError

    if not arguments:
        raise UsageError("no log is named", todo="gardenpath logs FILE... --run RUN")
    return Call("", arguments, ())


COMMAND = StudyCommand(
    name="logs",
    about="""Read what other harnesses logged, sample by sample, as a run: for compare, check, report and stats.

    lm-evaluation-harness (samples_*.jsonl of --log_samples), Inspect (.json; .eval where it is not packed with
    zstd) and every-eval-ever (*_samples.jsonl).""",
    arguments="LOG...",
    arguments_help="Logs, or folders of them.",
    forms={"": Form("logs.study:LOGS", LogSettings, "logs")},
    divide=divide,
    examples=(
        "gardenpath logs lm-eval-output --run mine",
        "gardenpath logs logs/2026-01-01_pairs.json --metric choice --run mine",
    ),
    asks=False,
)
