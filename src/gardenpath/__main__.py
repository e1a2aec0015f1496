"""The program: `python -m gardenpath`, and the script `gardenpath`."""

from __future__ import annotations

import sys


def start() -> None:
    """Imports included, so that Ctrl-C at any moment ends in one word."""
    try:
        from gardenpath.cli.main import main

        main()
    except KeyboardInterrupt:
        sys.stderr.write("stopped\n")
        sys.exit(130)


if __name__ == "__main__":
    start()
