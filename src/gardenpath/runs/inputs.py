"""What a run depends on: its inputs by content, and the packages and machine it ran on."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Any

from .._packages import version_of
from .._version import __version__
from ..errors import InputError
from .signature import digest

Input = str | os.PathLike[str] | tuple[str, bytes]

# Those that can change a number; only the installed ones are recorded, none is imported.
PACKAGES = (
    "numpy", "polars", "scipy", "statsmodels", "numba", "ufal.udpipe", "stanza", "spacy", "torch",
    "transformers", "dask", "distributed",
)  # fmt: skip


def describe_input(given: Input) -> dict[str, Any]:
    """Name, SHA-256 and size of a file, of all files in a folder, or of bytes with a name."""
    if isinstance(given, tuple):
        name, data = given
        return {"name": name, "sha256": hashlib.sha256(data).hexdigest(), "size": len(data)}
    path = Path(given)
    try:
        if path.is_dir():
            files = sorted(file for file in path.rglob("*") if file.is_file())
            names = [file.relative_to(path).as_posix() for file in files]
            hashes = [file_hash(file) for file in files]
            whole = digest(*(part for pair in zip(names, hashes, strict=True) for part in pair))
            return {"name": str(given), "sha256": whole, "size": sum(file.stat().st_size for file in files)}
        return {"name": str(given), "sha256": file_hash(path), "size": path.stat().st_size}
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError(f"cannot read this input: {reason}", where=str(given), todo="check the path") from error


def environment() -> dict[str, Any]:
    """Versions of the packages, of Python, and the platform."""
    import platform

    known = {package: version_of(package) for package in PACKAGES}
    versions = {"gardenpath": __version__, **{package: version for package, version in known.items() if version}}
    return {"versions": versions, "python": platform.python_version(), "platform": platform.platform()}


def file_hash(path: Path) -> str:
    """SHA-256 of what a file holds."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
