"""What a hostile model would do when it is unpickled."""

from __future__ import annotations

import os
from pathlib import Path


class Hostile:
    """Makes a folder when it is unpickled."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __reduce__(self) -> tuple[object, ...]:
        return os.mkdir, (str(self.folder),)
