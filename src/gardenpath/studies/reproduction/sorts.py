"""SORTS (Fischer, de Kok and Hinrichs 2020): what its suites, its tables and the one published parser output allow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from ...runs.result import Finding
from ...suites.model import RoleSuite
from ...suites.reader import read_suite
from ..engine import run
from ..roles.settings import RolesSettings
from ..roles.study import ROLES
from .line import Line
from .paper import Data, published

AMB, PART_AMB = "german_ambiguous_gold.conll", "german_part-ambiguous_gold.conll"
OUTPUT, OUTPUT_GOLD = "german/german_amb_sticker2.conll", "german/german_amb_gold.conll"
_BASELINE = "baseline:subject-first"
_REVISED = (
    "The parser's output for the 2020 suites is not published; ours is its output for the release of 2026, whose "
    "sentences its authors revised."
)
_NO_OUTPUT = (
    "The parsers' outputs for the 2020 suites are not published; their totals are made here of the LAS by order in "
    "Tables 8 and 10 and the counted sentences per order."
)


def lines(data: Data) -> list[Line]:
    """All numbers of the paper that can be had again, by table."""
    printed = published("sorts")
    suites = {"amb": read_suite(data("sorts@2020") / AMB), "part-amb": read_suite(data("sorts@2020") / PART_AMB)}
    found = [*_sizes(printed, suites), *_correlation(printed), *_subject_first(printed, suites)]
    found += [*_totals(printed, suites), *_frequencies(printed, suites)]
    return [*found, *_revised(printed, data)]


def _sizes(printed: Mapping[str, Any], suites: Mapping[str, RoleSuite]) -> Iterator[Line]:
    for name, suite in suites.items():
        yield Line("Section 3.5", f"SORTS {name}", "sentences", printed["sizes"][name], len(suite), suite=suite.name)


def _correlation(printed: Mapping[str, Any]) -> Iterator[Line]:
    columns = np.array([[float(cell) for cell in row] for row in printed["table2"].values()])
    found = float(np.corrcoef(columns.T)[0, 1])
    why = "TüBa-D/Z is licensed; Pearson's correlation is made of the six rows of the table itself."
    yield Line("Table 2", "frequency and LAS", "pearson", printed["correlation"]["table2"], found, why=why)


def _subject_first(printed: Mapping[str, Any], suites: Mapping[str, RoleSuite]) -> Iterator[Line]:
    """The share of subjects and objects that the rule "the first is the subject" gets right."""
    found = {name: _judged(suite) for name, suite in suites.items()}
    values = {
        "no-amb": _value(found["part-amb"], ambiguous=False),
        "part-amb": _value(found["part-amb"]),
        "amb": _value(found["amb"]),
    }
    for (name, ours), text in zip(values.items(), printed["table6"]["Subject-first"], strict=True):
        yield Line("Table 6", f"SORTS {name}", "las", text, ours, system="Subject-first", suite=name)


def _judged(suite: RoleSuite) -> list[Finding]:
    return list(run(ROLES, suite, _BASELINE, RolesSettings()).findings)


def _value(findings: list[Finding], **by: Any) -> float:
    return float(
        next(finding.value or 0 for finding in findings if finding.measure == "las" and dict(finding.by) == by)
    )


def _totals(printed: Mapping[str, Any], suites: Mapping[str, RoleSuite]) -> Iterator[Line]:
    """Table 6 of the six parsers: their LAS by order, weighted by the sentences of each order."""
    systems = [name for name in printed["table6"] if name != "Subject-first"]
    for column, (name, table) in enumerate((("no-amb", "table10"), ("part-amb", "table10"), ("amb", "table8"))):
        suite = suites["amb" if name == "amb" else "part-amb"]
        counts = suite.order_counts()
        for place, system in enumerate(systems):
            total = sum(float(printed[table][order][place]) * count for order, count in counts.items())
            size = len(suite)
            if name == "no-amb":
                syncretic = suite.property_counts()["amb"]
                total -= float(printed[table]["amb"][place]) * syncretic
                size -= syncretic
            text = printed["table6"][system][column]
            yield Line(
                "Table 6", f"SORTS {name}", "las", text, total / size, system=system, suite=name, why=_NO_OUTPUT,
                slack=0.006,
            )  # fmt: skip


def _frequencies(printed: Mapping[str, Any], suites: Mapping[str, RoleSuite]) -> Iterator[Line]:
    for table, name in (("table7", "amb"), ("table9", "part-amb")):
        counts = suites[name].order_counts() | suites[name].property_counts()
        for row, text in printed[table].items():
            yield Line(f"Table {table[5:]}", row, "sentences", text, counts.get(row, 0), suite=name)


def _revised(printed: Mapping[str, Any], data: Data) -> Iterator[Line]:
    """sticker2 on the revised suite, beside what was printed for the first one: how much a release matters."""
    folder = data("sorts")
    suite = read_suite(folder / OUTPUT_GOLD)
    findings = list(run(ROLES, suite, {"sticker2": folder / OUTPUT}, RolesSettings()).findings)
    rows = {"all": printed["table6"]["sticker2"][2]} | {row: cells[5] for row, cells in printed["table8"].items()}
    for row, text in rows.items():
        by = {} if row == "all" else {"order" if "[" in row else "property": row}
        ours = next(
            (finding.value for finding in findings if finding.measure == "las" and dict(finding.by) == by), None
        )
        yield Line(
            "Table 8, sticker2 on the release of 2026", row, "las", text, None if ours is None else float(ours),
            system="sticker2", suite="sorts (2026)", why=_REVISED, same_data=False,
        )  # fmt: skip
