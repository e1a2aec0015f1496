"""A pipeline of Stanza laid out as `stanza.download` lays it out."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

LANGUAGE, PACKAGE = "de", "tiny"
PROCESSORS = ("tokenize", "mwt", "lemma", "pos", "depparse")


def write_resources(folder: Path, pipeline: Path) -> None:
    """Write `resources.json` and `de/PROCESSOR/tiny.pt` from a pipeline that was trained here."""
    for processor in PROCESSORS:
        target = folder / LANGUAGE / processor
        target.mkdir(parents=True)
        shutil.copy(pipeline / f"{processor}.pt", target / f"{PACKAGE}.pt")
    entry: dict[str, Any] = {name: {PACKAGE: {"dependencies": []}} for name in PROCESSORS}
    package = dict.fromkeys(PROCESSORS, PACKAGE)
    entry |= {"lang_name": "German", "packages": {"default": package, PACKAGE: package, "words": {"tokenize": PACKAGE}}}
    resources = {LANGUAGE: entry, "deu": {"alias": LANGUAGE}, "fr": {"packages": {"default": package}}, "url": "…"}
    (folder / "resources.json").write_text(json.dumps(resources), encoding="utf-8")
