"""What other packages add to gardenpath by entry points, and which versions of packages are installed.

The groups are `gardenpath.systems`, `.studies`, `.commands`, `.perturbations`, `.generators`, `.languages`, `.checks`
and `.formats.*`; docs/architecture.md says what an entry of each is.
"""

from __future__ import annotations

import os
import sys
import warnings
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import import_module

TYPE_CHECKING = False  # as in _lazy
if TYPE_CHECKING:
    from typing import Any

PREFIX = "gardenpath."
COMMANDS = "gardenpath.commands"


@dataclass(frozen=True, slots=True)
class Plugin:
    """An entry point of one of the groups `gardenpath.*`."""

    name: str
    target: str
    """`package.module:attribute`."""
    source: str
    """The package that has it, and its version."""

    def load(self) -> Any:
        """Return the object that the entry point names; any error of its import is the caller's to explain."""
        return loaded(self.target)


@dataclass(frozen=True, slots=True)
class Command:
    """A command. Other packages add one by `name = "package.module:COMMAND"` in the group `gardenpath.commands`.

    There, a name such as `suite.make` is the command `make` of the group `suite`.
    """

    about: str = ""
    """What `gardenpath --help` says of it."""
    target: str = ""
    """`module:function`, with parameters as Typer reads them; loaded when the command is called."""
    python: str = ""
    """`module:function` that `gardenpath.NAME` is in Python, if any."""


def loaded(target: str) -> Any:
    """Return the object that `module:attribute` names, or the module where no attribute is named."""
    module, _, attribute = target.partition(":")
    found = import_module(module)
    return getattr(found, attribute) if attribute else found


def added_commands() -> dict[str, Command]:
    """Return the commands that other packages add, by name; `suite make` is of the group `suite`."""
    return {name.replace(".", " "): command for name, command in declared(COMMANDS, Command).items()}


def declared(group: str, kind: type) -> dict[str, Any]:
    """Return the objects of this kind that other packages declare in a group, by name.

    A package that is broken is warned of and left out: it must not take the others with it.
    """
    return _declared(plugins(group), kind)


@cache
def _declared(entries: tuple[Plugin, ...], kind: type) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for plugin in entries:
        try:
            value = plugin.load()
            fault = "" if isinstance(value, kind) else f"{plugin.target} is not a {kind.__name__}"
        except Exception as error:
            fault = f"{type(error).__name__}: {error}"
        if fault:
            warnings.warn(f"{plugin.name} of {plugin.source} cannot be used ({fault})", stacklevel=3)
        else:
            found[plugin.name] = value
    return found


def version_of(package: str) -> str | None:
    """Return the version of an installed package, for signatures and records."""
    return _version(package, tuple(sys.path))


def plugins(group: str) -> tuple[Plugin, ...]:
    """Return the entry points of a group, such as `gardenpath.systems`, looked up once per search path."""
    return _plugins(tuple(sys.path)).get(group, ())


@lru_cache(maxsize=256)
def _version(package: str, path: tuple[str, ...]) -> str | None:
    from importlib import metadata

    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


@lru_cache(maxsize=4)
def _plugins(path: tuple[str, ...]) -> dict[str, tuple[Plugin, ...]]:
    """Read the entry points of all groups from the files themselves: `importlib.metadata` takes ten times as long."""
    groups: dict[str, dict[str, Plugin]] = {}
    seen: set[str] = set()
    for folder in path:
        try:
            inside = [
                entry.name for entry in os.scandir(folder or ".") if entry.name.endswith((".dist-info", ".egg-info"))
            ]
        except OSError:
            continue
        for name in sorted(inside):
            package, _, version = name.rpartition(".")[0].partition("-")
            if package in seen:  # as on import, the first on the path counts
                continue
            seen.add(package)
            try:
                with open(os.path.join(folder, name, "entry_points.txt"), encoding="utf-8") as file:  # noqa: PTH118, PTH123
                    lines = file.read().splitlines()
            except (OSError, UnicodeDecodeError):
                continue
            source = f"{package.replace('_', '-')} {version.partition('-')[0]}"
            group = ""
            for line in map(str.strip, lines):
                if line.startswith("["):
                    group = line.strip("[] ")
                elif group.startswith(PREFIX) and "=" in line and not line.startswith(("#", ";")):
                    key, target = (part.strip() for part in line.split("=", 1))
                    plugin = Plugin(key, target.partition("[")[0].strip(), source)
                    groups.setdefault(group, {}).setdefault(key, plugin)
    return {group: tuple(members.values()) for group, members in groups.items()}
