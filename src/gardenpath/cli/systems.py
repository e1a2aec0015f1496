"""`gardenpath systems`."""

from __future__ import annotations

import typer

from .options import Format, FormatOption, OutputOption
from .output import emit

app = typer.Typer()


@app.command()
def systems(format: FormatOption = Format.table, output: OutputOption = None) -> None:
    """List the kinds of systems: what they are, whether they are installed, and how to install the rest.

    Example: gardenpath systems --format json
    """
    from ..runs.result import Finding, Result, Table
    from ..runs.signature import signature
    from ..systems.registry import kinds

    rows, findings = [], []
    for kind in kinds().values():
        name = f"{kind.name}:{kind.argument}"
        trains = "yes" if kind.trainer else "no"
        rows.append([name, kind.about, "yes" if kind.installed else "no", trains, kind.install])
        by = {"what": kind.role, "about": kind.about, "trains": trains, "install": kind.install, "source": kind.source}
        findings.append(Finding("systems", "", name, "installed", "yes" if kind.installed else "no", by=by))
    note = "Other packages add kinds by entry points of the group gardenpath.systems."
    columns = ["system", "what it is", "installed", "trains", "to install it"]
    table = Table("Systems", columns, rows, note=note)
    emit(Result(signature(("command", "systems")), findings, [table]), format, output)
