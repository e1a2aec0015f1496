"""Names that a package exports but loads only when they are used, so that a start costs what it needs."""

from __future__ import annotations

import sys
from importlib import import_module

TYPE_CHECKING = False  # not from typing, which takes ten milliseconds in which Ctrl-C would be a traceback
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def callable_package(package: str, target: str) -> None:
    """Let a package be called like its main function (`module:function`), which is loaded then."""

    class CallablePackage(type(sys)):  # type: ignore[misc]
        def __call__(self, *args: Any, **options: Any) -> Any:
            module, _, function = target.partition(":")
            return getattr(import_module(module), function)(*args, **options)

    sys.modules[package].__class__ = CallablePackage


def lazy_exports(
    package: str, file: str, added: Callable[[str], Any] | None = None
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Return `__getattr__`, `__dir__` and `__all__` of a package whose exports stand in its stub, `__init__.pyi`.

    A line of it is `from .module import name as name`, or `from . import package as package`; type checkers and
    editors read the same file. `added` gives a name that is not there, or None.
    """
    home: dict[str, str] = {}
    with open(f"{file}i", encoding="utf-8") as stub:  # noqa: PTH123
        for line in stub:
            _, module, _, name, *_ = line.split()
            home[name] = module.strip(".")
    home.pop("__version__", None)

    def load(name: str) -> Any:
        if name not in home:
            value = added(name) if added is not None and name.isidentifier() and name[0] != "_" else None
            if value is None:
                raise AttributeError(f"module {package!r} has no attribute {name!r}")
            return value
        if not home[name]:
            return import_module(f"{package}.{name}")
        return getattr(import_module(f"{package}.{home[name]}"), name)

    names = sorted(home)
    return load, lambda: names, names
