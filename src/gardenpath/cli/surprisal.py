"""`gardenpath surprisal`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ..studies.command import Call
from ..studies.surprisal.command import COMMAND
from .study import command_app


def _divide(arguments: list[str], options: Mapping[str, Any]) -> Call:
    """Suites by name are brought here first, with a bar for the person who waits."""
    from ..data import is_data_name
    from .fetching import fetched

    call = COMMAND.divide(arguments, options)
    return call._replace(source=[str(fetched(name)) if is_data_name(name) else name for name in call.source])


app = command_app(replace(COMMAND, divide=_divide))
