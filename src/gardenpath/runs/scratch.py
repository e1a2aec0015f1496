"""Folders for a while, in the temporary directory; what a killed process left goes when the next one is made."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .atomic import LOCKS, part_name, remove_leftover, workplace


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """A folder that only this user can read and that is gone when the block ends.

    It is locked while it is in use, and the system unlocks what a killed process held, so that whoever makes the
    next one clears away what was left.
    """
    if not LOCKS:
        with tempfile.TemporaryDirectory(prefix="gardenpath-") as folder:
            yield Path(folder)
        return
    place = Path(tempfile.gettempdir()) / "gardenpath-scratch"
    name = re.compile(re.escape(part_name(place)) + r"\.\d+\.part")
    for leftover in place.parent.iterdir():
        if name.fullmatch(leftover.name):
            remove_leftover(leftover)
    with workplace(place, folder=True) as made:
        made.chmod(0o700)
        yield made
