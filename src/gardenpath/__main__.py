"""The program: `python -m gardenpath`, and the script `gardenpath`."""

from __future__ import annotations

import gc
import sys

_UNCOLLECTED = 50_000
"""New objects before Python looks for cycles among them: imports make tens of thousands, and none is garbage."""


def start() -> None:
    """Imports included, so that Ctrl-C at any moment ends in one word."""
    gc.set_threshold(_UNCOLLECTED)
    try:
        from gardenpath.cli.main import main

        main()
    except KeyboardInterrupt:
        sys.stderr.write("stopped\n")
        sys.exit(130)


if __name__ == "__main__":
    start()
