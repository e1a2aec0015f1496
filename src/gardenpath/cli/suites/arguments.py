"""The options that commands on suites share."""

from __future__ import annotations

from typing import Annotated

import typer

PositionsOption = Annotated[
    int | None,
    typer.Option("--positions", help="Where positions of a TSV begin, if not as its header says.", min=0, max=1),
]
ReleaseOption = Annotated[
    str, typer.Option("--release", help="Whose names the file uses, 2020 or 2026, if they do not tell.")
]
