"""The program: `python -m gardenpath`, and the script `gardenpath`."""

from __future__ import annotations

import os
import sys


def start() -> None:
    """Imports included, so that Ctrl-C at any moment ends in one word."""
    _open_closed_streams()
    try:
        from gardenpath.cli.main import main

        main()
    except KeyboardInterrupt:
        sys.stderr.write("stopped\n")
        sys.exit(130)


def _open_closed_streams() -> None:
    """A closed stream (`>&-`) leads to nothing: else the next file would get its number, and what is printed."""
    for number, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        if getattr(sys, name) is None:
            nothing = os.open(os.devnull, os.O_RDWR)  # the lowest number that is free
            os.set_inheritable(nothing, nothing == number)
            setattr(sys, name, open(nothing, mode, encoding="utf-8"))  # noqa: PTH123, SIM115


if __name__ == "__main__":
    start()
