"""`gardenpath data`: public data by name."""

from __future__ import annotations

from typing import Annotated

import typer

from .options import Format, FormatOption, OutputOption
from .output import download_bar, emit, message, write

NamesArgument = Annotated[
    list[str], typer.Argument(help="Such as sorts, sorts@2020, ud:German-GSD@2.14.", metavar="NAME")
]


def list_data(format: FormatOption = Format.table, output: OutputOption = None) -> None:
    """Show what data is known, under which licence, and whether it is on this machine.

    Example: gardenpath data list --format tsv
    """
    from ..data import bundled_names, records, whereabouts
    from ..data.catalogue import DEFAULT_RELEASE, treebanks
    from ..runs.record.signatures import signature
    from ..runs.result.result import Finding, Result, Table

    entries = [
        (record.name, record.title, record.about, record.licence, whereabouts(record.name)) for record in records()
    ]
    rows: list[list[str | None]] = [
        [name, title, licence, here.origin if here else "no"] for name, title, _, licence, here in entries
    ]
    family = f"Universal Dependencies, {len(treebanks())} treebanks by name; without @RELEASE: {DEFAULT_RELEASE}"
    rows.append(["ud:LANGUAGE-TREEBANK[@RELEASE]", family, "each its own", None])
    samples = ", ".join(bundled_names())
    note = f"Comes with gardenpath, as bundled:NAME: {samples}" if samples else ""
    findings = [
        Finding(
            "data", name, "", "here", here.origin if here else "no",
            by={"title": title, "about": about, "licence": licence, "path": str(here.path) if here else None},
        )
        for name, title, about, licence, here in entries
    ]  # fmt: skip
    result = Result(
        signature(("command", "data list")),
        findings,
        [Table("Data by name", ["name", "title", "licence", "here"], rows, note=note)],
        details={"treebanks": [f"ud:{name}" for name in treebanks()], "bundled": bundled_names()},
    )
    emit(result, format, output)


def get_data(
    names: NamesArgument,
    again: Annotated[bool, typer.Option("--again", help="Fetch it again even if it is here.")] = False,
) -> None:
    """Bring data to this machine, or check that what is here is unchanged. The paths go to standard output.

    Example: gardenpath data get sorts ud:German-GSD@2.14
    """
    from ..data import fetch, whereabouts
    from ..errors import UsageError

    for name in names:
        here = whereabouts(name) if again else None
        if here is not None and here.origin in ("bundled", "mirror"):
            what = f"{name} {_SAID[here.origin]}, and is never fetched"
            raise UsageError(what, where=str(here.path), todo="leave out --again")
    for name in names:
        with download_bar(name) as progress:
            fetched = fetch(name, progress, again=again)
        message(f"{name}: {_SAID[fetched.origin]}")
        if fetched.trusted:
            message(f"  no hash is published for it; this one is kept and checked from now on: {fetched.tree}")
        write(f"{fetched.path}\n", None)


_SAID = {
    "download": "fetched",
    "store": "was here already, and is unchanged",
    "mirror": "is in the mirror",
    "bundled": "comes with gardenpath",
}


def cite_data(names: NamesArgument, output: OutputOption = None) -> None:
    """Print BibTeX entries for data, each entry once.

    Example: gardenpath data cite sorts ud:German-GSD@2.14 > data.bib
    """
    from ..data import cite

    write(cite(*names), output)
