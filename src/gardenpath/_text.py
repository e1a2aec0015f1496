"""Text as it is shown: without control characters, as wide as a terminal makes it, and as LaTeX; and our colours."""

from __future__ import annotations

import re
from collections.abc import Sequence

PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#F0E442")
"""Okabe and Ito's colours, which people with any kind of colour vision can tell apart."""

_STEERING = r"\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069"
"""What steers a terminal, breaks a line or turns the direction of writing; not tabs and line feeds."""
_CONTROL = re.compile(rf"[\t\n{_STEERING}]")
STEERING = re.compile(f"[{_STEERING}]")
_COMMAND = re.compile(r"^(\s*)(?=::)|(#)(?=#\[)", re.MULTILINE)
"""What GitHub and Azure read as a command to the runner, in a line of a log."""


def one_line(text: str) -> str:
    """Return the text without characters that could steer a terminal."""
    return _CONTROL.sub(" ", text)


def terminal(text: str) -> str:
    r"""Return a message, some of which came from outside, as it can be written to a terminal or the log of a CI run.

    >>> print(terminal("\x1b[31mred, ##[error]"))
    \x1b[31mred, #\#[error]
    """
    visible = STEERING.sub(lambda match: match[0].encode("unicode_escape").decode(), text)
    return _COMMAND.sub(r"\g<0>\\", visible)


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
    return "".join(_TEX.get(char, char) for char in STEERING.sub(" ", text))
