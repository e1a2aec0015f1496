"""The systems that a process used last: each is made once per process, not once per piece of work."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

from ..errors import SystemFailure


class Signed(Protocol):
    """Any system: it has a name to make it anew from, and a signature to know it by."""

    @property
    def name(self) -> str: ...

    @property
    def signature(self) -> str: ...


T = TypeVar("T", bound=Signed)


class Recent(Generic[T]):
    """The last few systems of one role; `make` is called for one that is not among them."""

    def __init__(self, make: Callable[[str], T], most: int = 2) -> None:
        self._make, self._most = make, most
        self._kept: dict[tuple[str, str], T] = {}

    def remember(self, system: T) -> None:
        self._kept.pop((system.name, system.signature), None)
        while len(self._kept) >= self._most:
            self._kept.pop(next(iter(self._kept)))
        self._kept[system.name, system.signature] = system

    def get(self, name: str, signature: str) -> T:
        """The system of this name; an error if it is not the one that was asked for."""
        if (name, signature) not in self._kept:
            system = self._make(name)
            if system.signature != signature:
                raise SystemFailure(
                    f"here this is {system.signature}, but {signature} was asked for",
                    where=name,
                    todo="all workers need the same model and the same versions",
                )
            self.remember(system)
        return self._kept[name, signature]
