"""Errors that a user can act on: what happened, where, and what to do."""

from __future__ import annotations

from collections.abc import Iterable


class GardenpathError(Exception):
    """Base of all errors gardenpath raises on purpose; the command line prints it without a traceback.

    >>> import gardenpath as gp
    >>> try:
    ...     gp.read("bundled:de-rols")
    ... except gp.GardenpathError as error:
    ...     print(error.what, "|", error.todo)
    unknown bundled sample 'de-rols' | did you mean de-roles?
    """

    def __init__(self, what: str, *, where: str = "", todo: str = "") -> None:
        self.what, self.where, self.todo = what, where, todo
        super().__init__(what, where, todo)

    def __str__(self) -> str:
        where = self.where.replace("\n", "\\n")  # of a file, whose name may be anything
        text = f"{where}: {self.what}" if where else self.what
        return f"{text}\n  {self.todo}" if self.todo else text

    def __reduce__(self) -> tuple[object, ...]:
        # Keyword arguments do not survive the default reduction, and errors cross process borders here.
        return (_rebuild, (type(self), self.what, self.where, self.todo))


def _rebuild(kind: type[GardenpathError], what: str, where: str, todo: str) -> GardenpathError:
    return kind(what, where=where, todo=todo)


class InputError(GardenpathError):
    """A file or text does not have the form it should have."""


class UsageError(GardenpathError):
    """A call or command asks for something that does not exist or does not fit together."""


class SystemFailure(GardenpathError):  # noqa: N818
    """A system under test (a parser, a model, a server) failed in a way that ends the work."""


class FailedOnInput(SystemFailure):
    """It failed on what it was asked, and may do better on something else."""


class NoAnswer(FailedOnInput):
    """It gave no answer within the time limit."""


class OutOfTime(GardenpathError):  # noqa: N818
    """The time that the whole work was given is over; what was answered by then is kept."""


class TooLong(FailedOnInput):
    """It was asked for more words or tokens at once than it reads."""


class EmptyAnswer(FailedOnInput):
    """It ended well and returned nothing."""


class UnreadableAnswer(FailedOnInput):
    """It returned something that is not what it should be."""


class MissingPackage(GardenpathError):  # noqa: N818
    """An optional package is needed and not installed."""

    @classmethod
    def extra(cls, package: str, extra: str) -> MissingPackage:
        return cls(f"{package} is not installed", todo=f'install it with: pip install "gardenpath[{extra}]"')


def unknown_name(kind: str, name: str, known: Iterable[str], *, where: str = "") -> UsageError:
    """The error for a name that does not exist: the nearest known one, or the list of them."""
    from difflib import get_close_matches

    names = sorted(known)
    near = get_close_matches(name, names, n=3, cutoff=0.6)
    if near:
        todo = "did you mean " + " or ".join(near) + "?"
    elif len(names) <= 30:
        todo = "known: " + ", ".join(names)
    else:
        todo = f"{len(names)} are known, such as " + ", ".join(names[:8])
    return UsageError(f"unknown {kind} {name!r}", where=where, todo=todo)
