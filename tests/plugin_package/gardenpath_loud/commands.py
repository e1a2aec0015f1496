"""`gardenpath loud` and `gardenpath suite louder`."""

from __future__ import annotations

from typing import Annotated

import typer

from gardenpath.errors import UsageError
from gardenpath.suites import read_region_suites


def in_capitals(text: str) -> str:
    """Return a text in capitals; it is `gardenpath.loud` in Python."""
    if text.isupper():
        raise UsageError("the text is in capitals already", todo="whisper")
    return text.upper()


def loud(text: Annotated[str, typer.Argument(metavar="TEXT", help="What to say.")]) -> None:
    """Print a text in capitals."""
    typer.echo(in_capitals(text))


def louder(suite: Annotated[str, typer.Argument(metavar="SUITE", help="A suite of regions.")]) -> None:
    """Print the sentences of a suite in capitals."""
    for one in read_region_suites(suite):
        for item in one.items:
            typer.echo(" | ".join(in_capitals(condition.text()) for condition in item.conditions))
