"""Signatures of results in the manner of sacreBLEU, hashes of inputs, and the packages and machine of a run."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path, PurePath
from typing import Any

from ..._version import __version__
from ...errors import InputError
from ...plugins import version_of


def signature(*pairs: tuple[str, object]) -> str:
    """`key:value|key:value|…|version:…`; values of None are left out, lists are joined by commas."""
    parts = [f"{key}:{_clean(value)}" for key, value in pairs if value is not None]
    return "|".join([*parts, f"version:{__version__}"])


def _clean(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return re.sub(r"[\t\r\n]", " ", value.replace("|", "/"))
    if isinstance(value, Iterable):
        return ",".join(_clean(item) for item in value)
    return str(value)


def digest(*parts: str | bytes) -> str:
    """A SHA-256 over parts whose borders count: ("ab", "c") and ("a", "bc") differ."""
    import hashlib  # 5 ms that only some commands need

    whole = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8") if isinstance(part, str) else part
        whole.update(len(data).to_bytes(8, "big"))
        whole.update(data)
    return whole.hexdigest()


def with_hash(name: str, *contents: str | bytes) -> str:
    """A file's name without its folder, and the start of a hash over what it holds: `de_gsd-test.conllu#1f2e3d4c`."""
    return f"{PurePath(name).name}#{digest(*contents)[:8]}"


def short(long: str) -> str:
    """A signature in ten characters: equal for equal signatures, and for a table's foot short enough."""
    return digest(long)[:10]


def pairs_of(long: str) -> dict[str, str]:
    """The `key:value` pairs of a signature."""
    return {key: value for key, _, value in (part.partition(":") for part in long.split("|"))}


Input = str | os.PathLike[str] | tuple[str, bytes]

# Those that can change a number; only the installed ones are recorded, none is imported.
PACKAGES = (
    "numpy", "polars", "scipy", "statsmodels", "numba", "ufal.udpipe", "stanza", "spacy", "torch",
    "transformers", "dask", "distributed",
)  # fmt: skip


def describe_input(given: Input) -> dict[str, Any]:
    """Name, SHA-256 and size of a file, of all files in a folder, or of bytes with a name."""
    import hashlib

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
    import hashlib

    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
