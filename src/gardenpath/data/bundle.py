"""The samples that come with the package, by short names: `de-train` is `samples/de_garden-train.conllu`.

A sample is a treebank, a text, a list of queries, a grammar, or a folder (a set of suites).
"""

from __future__ import annotations

import re
from pathlib import Path

from ..errors import unknown_name

SAMPLES = Path(__file__).parent / "samples"
_SUFFIXES = (".conllu", ".txt", ".toml", ".grammar")
_GARDEN = re.compile(r"(?P<language>[a-z]+)_garden-(?P<part>[a-z]+)(?:\.conllu|\.txt|\.toml|\.grammar)?")


def bundled(name: str) -> Path:
    """The file or folder of this sample, by its short name (`de-train`) or its own name."""
    files = _files()
    if name in files:
        return files[name]
    for path in files.values():
        if path.name == name:
            return path
    raise unknown_name("bundled sample", name, files)


def bundled_names() -> list[str]:
    """The short names of all samples."""
    return sorted(_files())


def _files() -> dict[str, Path]:
    if not SAMPLES.is_dir():
        return {}
    paths = (path for path in sorted(SAMPLES.iterdir()) if path.suffix in _SUFFIXES or path.is_dir())
    return {_short(path.name): path for path in paths}


def _short(file_name: str) -> str:
    match = _GARDEN.fullmatch(file_name)
    return f"{match['language']}-{match['part']}" if match else file_name
