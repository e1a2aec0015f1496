"""The packages installed here: their versions, and what they add to gardenpath. Looked up once for a search path."""

from __future__ import annotations

import sys
from functools import lru_cache


def version_of(package: str) -> str | None:
    """The version of an installed package, for signatures and records."""
    return _version(package, tuple(sys.path))


def plugins(group: str) -> tuple[tuple[str, str, str], ...]:
    """(name, value, the package and its version) of every entry point of a group."""
    return _plugins(group, tuple(sys.path))


# Without these caches, going through the metadata of all packages is most of the time of a small study.
@lru_cache(maxsize=256)
def _version(package: str, path: tuple[str, ...]) -> str | None:
    from importlib import metadata

    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


@lru_cache(maxsize=16)
def _plugins(group: str, path: tuple[str, ...]) -> tuple[tuple[str, str, str], ...]:
    from importlib import metadata

    return tuple(
        (entry.name, entry.value, f"{entry.dist.name} {entry.dist.version}" if entry.dist else entry.value)
        for entry in metadata.entry_points(group=group)
    )
