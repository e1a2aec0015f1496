"""`gardenpath suites list`: the suites that are known by name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...data.record import STUDIES
from ..options import Format, FormatOption, OutputOption
from ..output import emit

if TYPE_CHECKING:
    from ...runs.result import Value

COLUMNS = ("name", "study", "language", "items", "licence", "where")


def list_suites(format: FormatOption = Format.table, output: OutputOption = None) -> None:
    """Show the suites that are known by name: study, language, size, licence, and where they are on this machine.

    Items are counted in the suites that come with gardenpath.

    Example: gardenpath suites list --format tsv
    """
    from ...data import records, whereabouts
    from ...runs.result import Finding, Result, Table
    from ...runs.signature import signature

    rows: list[list[Value]] = []
    findings = []
    for name, study, language, items, path in _bundled():
        by: dict[str, Value] = {"for": study, "language": language, "licence": "MIT", "path": path}
        findings.append(Finding("suites", name, "", "here", "bundled", items, by=by))
        rows.append([name, study, language, items, "MIT", path])
    for record in records():
        study = record.study
        if not study:
            continue
        here = whereabouts(record.name)
        place = str(here.path) if here else None
        by = {
            "for": study,
            "language": record.language,
            "licence": record.licence,
            "title": record.title,
            "path": place,
        }
        findings.append(Finding("suites", record.name, "", "here", here.origin if here else "no", by=by))
        where = place or f"gardenpath data get {record.name}"
        rows.append([record.name, study, record.language, None, record.licence, where])
    table = Table("Suites by name", COLUMNS, rows)
    emit(Result(signature(("command", "suites list")), findings, [table]), format, output)


def _bundled() -> Iterator[tuple[str, str, str, int, str]]:
    """Name, study, language, number of items and path of the suites that come with the package."""
    from ...data import bundled, bundled_names
    from ...suites.constructions.storage import read_constructions
    from ...suites.reader import read_suite
    from ...suites.regions.reader import read_region_suites

    for short in bundled_names():
        language, _, study = short.partition("-")
        if study in STUDIES:
            path = bundled(short)
            if study == "roles":
                items = len(read_suite(path))
            elif study == "surprisal":
                items = sum(len(suite) for suite in read_region_suites(path))
            else:
                items = len(read_constructions(path / "tiger").items)
            yield f"bundled:{short}", study, language, items, str(path)
