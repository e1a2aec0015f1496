"""Names that a package exports but loads only when they are used, so that a start costs what it needs."""

from __future__ import annotations

import sys
from importlib import import_module

TYPE_CHECKING = False  # not from typing, which takes ten milliseconds in which Ctrl-C would be a traceback
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any


def callable_package(package: str, target: str) -> None:
    """Lets a package be called like its main function (`module:function`), which is loaded then."""

    class CallablePackage(type(sys)):  # type: ignore[misc]
        def __call__(self, *args: Any, **options: Any) -> Any:
            module, _, function = target.partition(":")
            return getattr(import_module(module), function)(*args, **options)

    sys.modules[package].__class__ = CallablePackage


def lazy_exports(
    package: str, modules: dict[str, list[str]], packages: Sequence[str] = ()
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """`__getattr__`, `__dir__` and `__all__` of a package whose names live in the given modules.

    `packages` are packages below it that are loaded by their own name.
    """
    home = {name: module for module, names in modules.items() for name in names}
    # Python binds a loaded module to its package under its own name, which would hide the export.
    assert not home.keys() & modules.keys(), f"{package}: {home.keys() & modules.keys()} names a module and an export"

    def load(name: str) -> Any:
        if name in packages:
            return import_module(f"{package}.{name}")
        if name not in home:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f"{package}.{home[name]}"), name)

    names = sorted([*home, *packages])
    return load, lambda: names, names
