"""Which run a folder holds: the one that is wanted, another one, none, or what is of no run at all."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..errors import UsageError
from .lock import FolderLock
from .seal import RECORD
from .signature import digest
from .strict_json import to_text


def run_id(record: Mapping[str, Any]) -> str:
    """Same command, settings, seed, input contents and version: same id. Paths do not count."""
    hashes = [entry["sha256"] for entry in record["inputs"]]
    settings = to_text(record["settings"], sort_keys=True)
    return digest(record["command"], settings, str(record["seed"]), record["version"], *hashes)[:20]


def check_same(place: Path, stored: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
    if stored["id"] == wanted["id"]:
        return
    keys = ("command", "settings", "seed", "version")
    differs = [key for key in keys if stored.get(key) != wanted[key]]
    if [i.get("sha256") for i in stored.get("inputs", [])] != [i["sha256"] for i in wanted["inputs"]]:
        differs.append("inputs")
    raise UsageError(
        f"this folder holds another run ({stored['id']}, not {wanted['id']}): other {' and '.join(differs)}",
        where=str(place),
        todo="name another folder, or remove this one",
    )


def check_own(place: Path) -> None:
    """A folder without a record may hold only what a run killed at its start can leave."""
    if (place / RECORD).is_file():
        return
    foreign = sorted(
        entry.name
        for entry in place.iterdir()
        if entry.name != FolderLock.NAME and not re.fullmatch(r"\..*\.part", entry.name)
    )
    if foreign:
        shown = ", ".join(foreign[:3]) + (", …" if len(foreign) > 3 else "")
        raise UsageError(
            f"this folder holds files that are of no run ({shown})",
            where=str(place),
            todo="name a new or an empty folder",
        )


def is_finished(place: Path, record: Mapping[str, Any]) -> bool:
    """Also false where a file of a finished run has gone: then it is done again."""
    files = record.get("files")
    gone = isinstance(files, dict) and not all((place / name).is_file() for name in files)
    return record["state"] == "finished" and not gone
