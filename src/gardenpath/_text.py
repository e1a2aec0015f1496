"""Text as it is shown: without control characters, as wide as a terminal makes it, and as LaTeX; and our colours."""

from __future__ import annotations

import re
from collections.abc import Sequence

PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#F0E442")
"""Okabe and Ito's colours, which people with any kind of colour vision can tell apart."""

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def one_line(text: str) -> str:
    """Without control characters, which could steer a terminal."""
    return _CONTROL.sub(" ", text)


def either(names: Sequence[str]) -> str:
    """Names as a choice.

    >>> either(["tiger", "tuebadz", "ptb"])
    'tiger, tuebadz or ptb'
    """
    return " or ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def columns_of(text: str) -> int:
    """Columns on a terminal: wide characters count two, combining ones none."""
    if text.isascii():
        return len(text)
    from unicodedata import category, east_asian_width

    none = ("Mn", "Me", "Cf")
    return sum(0 if category(char) in none else 2 if east_asian_width(char) in "WF" else 1 for char in text)


_TEX = {
    "\\": "\\textbackslash{}", "&": "\\&", "%": "\\%", "$": "\\$", "#": "\\#", "_": "\\_", "{": "\\{", "}": "\\}",
    "~": "\\textasciitilde{}", "^": "\\textasciicircum{}", "<": "\\textless{}", ">": "\\textgreater{}", "\n": " ",
}  # fmt: skip


def tex(text: str) -> str:
    """Text that LaTeX shows as it is."""
    return "".join(_TEX.get(char, char) for char in text)
