"""A model on the disk: a file or folder that is there, can be read, and is known by its SHA-256."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

from ..boundary.texts import file_bytes
from ..errors import InputError
from ..runs.inputs import describe_input

CARD = "model.json"
CHECKPOINTS = "checkpoints"
"""The folder of a model in which the weights of its kept checkpoints are."""
_UDPIPE = b"\x12morphodita_parsito"


def model_bytes(path: Path, todo: str = "") -> tuple[bytes, str]:
    """The bytes of a model file and their SHA-256."""
    if path.is_dir():
        raise InputError("this is a folder, not a model file", where=str(path), todo=other_kind(path) or todo)
    data = file_bytes(path, "the model", todo)
    return data, hashlib.sha256(data).hexdigest()


def model_folder(path: Path, needs: tuple[str, ...], what: str, todo: str = "") -> str:
    """The SHA-256 of a folder that has these files, without its card (which says when it was made) and what is kept
    of its training."""
    if not path.exists():
        raise InputError("no such folder", where=str(path), todo=todo)
    if not path.is_dir():
        raise InputError(f"this is a file, and a {what} is a folder", where=str(path), todo=other_kind(path) or todo)
    missing = [name for name in needs if not (path / name).exists()]
    if missing:
        lacks = " and no ".join(missing)
        raise InputError(
            f"this folder is no {what}: there is no {lacks}", where=str(path), todo=other_kind(path) or todo
        )
    kept = path / CHECKPOINTS
    files = (file for file in path.rglob("*") if file.is_file() and file.name != CARD and kept not in file.parents)
    return files_hash(path, sorted(files))


def files_hash(folder: Path, files: Iterable[Path]) -> str:
    """The SHA-256 of files in a folder, with their names."""
    whole = hashlib.sha256()
    for file in files:
        whole.update(f"{file.relative_to(folder).as_posix()}\0{describe_input(file)['sha256']}\n".encode())
    return whole.hexdigest()


def other_kind(path: Path) -> str:
    """What to write instead, where this is a model of a kind we know."""
    try:
        if path.is_dir():
            kind = "stanza" if (path / "depparse.pt").exists() else "spacy" if (path / "config.cfg").exists() else ""
        else:
            with path.open("rb") as stream:
                kind = "udpipe" if stream.read(len(_UDPIPE)) == _UDPIPE else ""
    except OSError:
        return ""
    return f"it looks like one of another kind: write {kind}:{path}" if kind else ""
