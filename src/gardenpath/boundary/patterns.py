"""Regular expressions of users: compiled with a clear error, and matched in bounded time.

A pattern such as `(a+)+b` takes time exponential in the length of a word that nearly matches. The engine looks for
signals while it matches, so a timer can stop it; where there is none, patterns that may do so are refused.
"""

from __future__ import annotations

import re
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

from ..errors import UsageError

SECONDS = 5.0
"""Of the processor, for one pattern over all the words it is tried on at once; millions of words take less."""
_ADVICE = "write it without a repetition or a choice inside a repetition"


class _TooLongError(BaseException):
    """Raised out of the engine by the timer; no error that code in between would catch."""


def compile_pattern(source: str, *, ignore_case: bool = False) -> re.Pattern[str]:
    """The pattern; ValueError says what is wrong with it."""
    try:
        pattern = re.compile(source, re.IGNORECASE if ignore_case else 0)
        if not _has_timer() and _may_explode(re._parser.parse(source)):  # type: ignore[attr-defined]
            raise ValueError(f"it may take for ever: {_ADVICE}")
    except (re.error, OverflowError, RecursionError) as error:
        raise ValueError(str(error) or "it is nested too deeply") from None
    return pattern


@contextmanager
def bounded_matching(what: str) -> Iterator[None]:
    """For a block that does nothing but match: when its time is up, `what` is told to be the reason."""
    if not _has_timer():
        yield
        return
    before = signal.signal(signal.SIGVTALRM, _too_long)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        yield
    except _TooLongError:
        raise UsageError(f"{what} takes more than {SECONDS:g} s", todo=_ADVICE) from None
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _has_timer() -> bool:
    return hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()


def _too_long(number: int, frame: object) -> NoReturn:
    raise _TooLongError


def _may_explode(parsed: Any, repeated: bool = False) -> bool:
    """Is there, inside a repetition, another one or a choice, so that a word can be cut up in many ways?"""
    for operation, argument in parsed:
        name = str(operation)
        repeats = name in ("MAX_REPEAT", "MIN_REPEAT") and int(argument[1]) > 1
        if repeated and (repeats or name == "BRANCH"):
            return True
        inner = [part for part in _flat(argument) if hasattr(part, "getwidth")]
        if any(_may_explode(part, repeated or repeats) for part in inner):
            return True
    return False


def _flat(argument: Any) -> Iterator[Any]:
    if hasattr(argument, "getwidth") or not isinstance(argument, list | tuple):
        yield argument
    else:
        for part in argument:
            yield from _flat(part)
