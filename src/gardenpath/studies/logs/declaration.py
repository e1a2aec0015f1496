"""Logs of other harnesses: settings and command."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..engine.declaration import Call, Form, Notes, PythonFunction, StudyCommand, StudySettings, setting

STUDY = "logs"


@dataclass(frozen=True, kw_only=True)
class LogSettings(StudySettings):
    """Of logs of other harnesses."""

    metric: str = setting("", "The metric or scorer to take, such as acc or choice. Default: the first of each log.")


def divide(arguments: list[str], options: Mapping[str, Any]) -> Call:
    """Log files and folders of them."""
    from ...errors import UsageError

    if not arguments:
        raise UsageError("no log is named", todo="name files or folders of logs")
    return Call("", arguments, ())


NOTES = Notes(
    STUDY,
    "Logs",
    "What other harnesses logged, sample by sample: accuracy is the mean of their scores. Intervals go by samples.",
    "",
    main=("accuracy",),
    figures=("gardenpath.report.figures.surprisal:log_figures",),
)
COMMAND = StudyCommand(
    name="logs",
    about="""Read what other harnesses logged, sample by sample, as a run: for compare, check, report and stats.

    lm-evaluation-harness (samples_*.jsonl of --log_samples), Inspect (.json; .eval where it is not packed with
    zstd) and every-eval-ever (*_samples.jsonl).""",
    arguments="LOG...",
    arguments_help="Logs, or folders of them.",
    forms={"": Form(".logs.study:LOGS", LogSettings, NOTES, "logs")},
    divide=divide,
    python={
        "logs": PythonFunction(
            lambda *logs: Call("", [str(log) for log in logs], ()),
            """
            >>> import gardenpath as gp, pathlib
            >>> line = '{"doc_id": 0, "doc": {"sentence_good": "cats sleep"}, "metrics": ["acc"], "acc": 1.0}'
            >>> _ = pathlib.Path("samples_cats_2026-01-01T00-00-00.0.jsonl").write_text(line)
            >>> gp.logs("samples_cats_2026-01-01T00-00-00.0.jsonl").value("accuracy")
            100.0
            """,
        ),
    },
    examples=("gardenpath show lm-eval-output",),
    asks=False,
)
