"""What foreign content makes a reader stumble over, as one error that says what, where and what to do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ..errors import GardenpathError, InputError


@contextmanager
def reading(what: str, where: str, todo: str = "", kind: type[GardenpathError] = InputError) -> Iterator[None]:
    """For a block that does nothing but take apart what somebody else wrote: whatever it raises is a fault of that.

    The readers of the standard library and of NumPy raise a dozen kinds of errors on damaged files, and a value of
    JSON may have any shape.
    """
    try:
        yield
    except (GardenpathError, FileNotFoundError):
        raise
    except Exception as error:
        raise kind(f"{what}: {reason(error)}", where=where, todo=todo) from error


def reason(error: BaseException) -> str:
    """The error in a few words; a bare name or number, as KeyError has it, is told apart from a sentence."""
    if isinstance(error, OSError):
        return error.strerror or str(error) or type(error).__name__
    if isinstance(error, KeyError):
        return f"{error} is missing"
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    if isinstance(error, MemoryError):
        return "it is too large for the memory"
    text = " ".join(str(error).split())
    return text if " " in text else f"{type(error).__name__} {text}".strip()
