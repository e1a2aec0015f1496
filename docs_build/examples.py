"""Examples of docstrings (`>>>`) as blocks of code: in Markdown they would be quotations."""

from __future__ import annotations

import re
from typing import Any

import griffe

_EXAMPLE = re.compile(r"(?:^>>> .*\n(?:(?!\n|>>> ).*\n?)*)+", re.MULTILINE)


class FencedExamples(griffe.Extension):
    """Puts every run of examples into a fence."""

    def on_object(self, *, obj: Any, **_: Any) -> None:
        if obj.docstring and ">>> " in obj.docstring.value:
            obj.docstring.value = fenced(obj.docstring.value)


def fenced(text: str) -> str:
    """The text with a fence around each run of examples.

    >>> fenced("Adds.\\n\\n>>> 1 + 1\\n2\\n").splitlines()[2]
    '```pycon'
    """
    return _EXAMPLE.sub(
        lambda match: f"```pycon\n{match[0].rstrip()}\n```\n", text if text.endswith("\n") else text + "\n"
    )
