"""What became of a task, in a form that every process border lets through."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from typing import Any

from ..errors import FailedOnInput, GardenpathError

Outcome = tuple[Any, ...]
"""("done", result), ("failed", GardenpathError) or ("crashed", "Kind: message", traceback)."""


def attempt(function: Callable[[Any], Any], task: Any) -> Outcome:
    """Runs one task; an error becomes a value, because not every exception survives the way back."""
    try:
        return "done", function(task)
    except GardenpathError as error:
        return "failed", error
    except MemoryError:
        return "failed", FailedOnInput("the memory does not suffice", todo="give it more, or shorter sentences")
    except Exception as error:
        return "crashed", f"{type(error).__name__}: {error}", traceback.format_exc()


def result_of(outcome: Outcome, name: str = "") -> Any:
    """What a task returned; what it died of is raised again."""
    kind, value, *rest = outcome
    if kind == "done":
        return value
    if kind == "failed":
        if name:
            value.add_note(f"in task {name}")
        raise value
    failure = FailedOnInput(value, where=name)
    failure.add_note("".join(rest))
    raise failure
