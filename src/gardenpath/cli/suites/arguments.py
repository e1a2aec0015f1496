"""The options that commands on suites share."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

PositionsOption = Annotated[
    int | None,
    typer.Option(
        "--positions", help="Where positions of a TSV begin (0 or 1), if not as its header says.", min=0, max=1
    ),
]
ReleaseOption = Annotated[
    str, typer.Option("--release", help="Which release's names the file uses, 2020 or 2026, if they do not say.")
]
LayoutOption = Annotated[
    list[str] | None,
    typer.Option(
        "--layout",
        help="What the columns of a file of pairs are, if their names do not say: good=COLUMN, bad, sentence, "
        "label, item, class, paradigm, target; encoding=NAME, separator=SIGN, order=good-bad of plain lines; may be "
        "repeated.",
        metavar="KEY=VALUE",
    ),
]


def expanded(name: str) -> list[str]:
    """What a glob matches, or the name itself; a name that is none of a file is left to the reader to complain of."""
    if not any(char in name for char in "*?[") or Path(name).exists():
        return [name]
    from glob import glob

    from ...errors import InputError

    matched = sorted(glob(name, recursive=True))  # noqa: PTH207 (Path.glob takes no absolute pattern)
    if not matched:
        raise InputError("no file matches", where=name)
    return matched


def refuse_for_regions(name: str, **given: object) -> None:
    """Options that are about suites of roles mean nothing to a suite of regions."""
    from ...errors import UsageError

    for option, value in given.items():
        if value is not None and value is not False and value != "":
            todo = "leave it out"
            raise UsageError(f"--{option} is for suites of roles, and this is none", where=name, todo=todo)


def is_regions(name: str, layout: Mapping[str, str] | None = None) -> bool:
    """Is this a suite of regions (or a folder or archive of them), and not one of roles?"""
    from ...errors import UsageError
    from ...suites.regions.pair_columns import WRITING
    from ...suites.regions.reader import holds_regions

    regions = name != "-" and holds_regions(name, layout)
    if layout and not regions and Path(name).exists():
        columns = ", ".join(value for key, value in layout.items() if key not in WRITING)
        todo = f"it has no columns {columns}; --layout is for tables and JSON lines of pairs"
        raise UsageError("this is not a file of pairs in this layout", where=name, todo=todo)
    return regions
