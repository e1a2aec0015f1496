"""The samples that come with the package, by short names: `de-train` is `samples/de_garden-train.conllu`."""

from __future__ import annotations

import re
from pathlib import Path

from ..errors import unknown_name

SAMPLES = Path(__file__).parent / "samples"
_GARDEN = re.compile(r"(?P<language>[a-z]+)_garden-(?P<split>[a-z]+)\.conllu")


def bundled(name: str) -> Path:
    """The file of this sample, by its short name (`de-train`) or its file name."""
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
    paths = (path for path in sorted(SAMPLES.iterdir()) if path.suffix == ".conllu")
    return {_short(path.name): path for path in paths}


def _short(file_name: str) -> str:
    match = _GARDEN.fullmatch(file_name)
    return f"{match['language']}-{match['split']}" if match else file_name
