"""Names that a package exports but loads only when they are used, so that a start costs what it needs."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any


def lazy_exports(
    package: str, modules: dict[str, list[str]]
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """`__getattr__`, `__dir__` and `__all__` of a package whose names live in the given modules."""
    home = {name: module for module, names in modules.items() for name in names}
    # Python binds a loaded module to its package under its own name, which would hide the export.
    assert not home.keys() & modules.keys(), f"{package}: {home.keys() & modules.keys()} names a module and an export"

    def load(name: str) -> Any:
        if name not in home:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f"{package}.{home[name]}"), name)

    return load, lambda: sorted(home), sorted(home)
