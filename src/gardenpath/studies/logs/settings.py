"""What decides how logs are read."""

from __future__ import annotations

from dataclasses import dataclass

from ..settings import StudySettings, option

STUDY = "logs"


@dataclass(frozen=True, kw_only=True)
class LogSettings(StudySettings):
    """Of logs of other harnesses."""

    metric: str = option("", "The metric or scorer to take, such as acc or choice. Default: the first of each log.")
