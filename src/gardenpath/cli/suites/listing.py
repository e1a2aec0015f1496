"""`gardenpath suites list`: the suites that are known by name."""

from __future__ import annotations

from ..options import Format, FormatOption, OutputOption
from ..output import emit

_STUDIES = {"roles": "roles", "surprisal": "surprisal", "pairs": "surprisal"}
"""The study that a folder of the mirror is for."""


def list_suites(format: FormatOption = Format.table, output: OutputOption = None) -> None:
    """Show the suites that are known by name, for which study they are, and where they are on this machine.

    Example: gardenpath suites list --format tsv
    """
    from ...data import records, whereabouts
    from ...runs.result import Finding, Result, Table, Value
    from ...runs.signature import signature

    rows: list[list[Value]] = []
    findings = []
    for record in records():
        study = _STUDIES.get(record.place.partition("/")[0])
        if study is None:
            continue
        here = whereabouts(record.name)
        path = str(here.path) if here else None
        rows.append([record.name, study, record.title, path or f"gardenpath data get {record.name}"])
        by: dict[str, Value] = {"for": study, "title": record.title, "path": path}
        findings.append(Finding("suites", record.name, "", "here", here.origin if here else "no", by=by))
    table = Table("Suites by name", ["name", "study", "title", "where"], rows)
    emit(Result(signature(("command", "suites list")), findings, [table]), format, output)
