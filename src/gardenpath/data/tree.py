"""A folder as content: its hash, and its arrangement.

The hash of a folder is the SHA-256 over one line per file, `PATH NUL SHA-256-of-the-file NEWLINE`, sorted by
path (relative, `/` between parts, NFC). Archives made on demand may differ in their bytes from day to day
while what is in them is the same; this hash depends on names and content alone.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import Path

from ..runs.inputs import file_hash

RECORD_FILE = ".gardenpath.json"
"""Our own note in a folder of the store; no part of its content."""
_ABOUT = ("README", "LICENSE")
_JUNK_FOLDER, _JUNK_FILE = "__MACOSX", ".DS_Store"


def files(folder: Path) -> list[str]:
    """Relative paths of all files, sorted; our own note does not count."""
    paths = []
    for parent, _, names in os.walk(folder):
        base = Path(parent).relative_to(folder)
        paths += [(base / name).as_posix() for name in names]
    return sorted(path for path in paths if path != RECORD_FILE)


def tree_hash(folder: Path) -> str:
    """The hash of what is in a folder, whatever archive it came from."""
    lines = []
    for path in files(folder):
        content = file_hash(folder / path)
        lines.append(f"{unicodedata.normalize('NFC', path)}\0{content}\n".encode("utf-8", "surrogateescape"))
    return hashlib.sha256(b"".join(sorted(lines))).hexdigest()


def content_root(folder: Path) -> Path:
    """Where the content begins: archives often wrap it in one folder named after themselves."""
    entries = [entry for entry in folder.iterdir() if entry.name not in (_JUNK_FOLDER, _JUNK_FILE)]
    return entries[0] if len(entries) == 1 and entries[0].is_dir() else folder


def arrange(root: Path, moves: Mapping[str, str], keeps: Sequence[str] = ()) -> None:
    """Move folders of the source to where a mirror has them; drop what macOS adds to archives, and what is no data.

    Nothing is overwritten: a file whose new place is taken stays where it is. `keeps` are patterns of what is data
    (all, where there are none); README and LICENSE at the top stay.
    """
    for path in files(root):
        if path.split("/")[0] == _JUNK_FOLDER or path.split("/")[-1] == _JUNK_FILE:
            (root / path).unlink()
    for source, target in moves.items():
        for path in files(root):
            if not path.startswith(source + "/"):
                continue
            new = root / target / path.removeprefix(source + "/")
            if os.path.lexists(new):
                continue
            with contextlib.suppress(FileExistsError, NotADirectoryError):  # a file where a folder would be
                new.parent.mkdir(parents=True, exist_ok=True)
                (root / path).rename(new)
    kept = {file.relative_to(root).as_posix() for pattern in keeps for file in root.glob(pattern)}
    for path in files(root) if keeps else ():
        if path not in kept and not path.startswith(_ABOUT):
            (root / path).unlink()
    for parent, _, _ in os.walk(root, topdown=False):
        if Path(parent) != root and not any(Path(parent).iterdir()):
            Path(parent).rmdir()
