"""SORTS (Fischer, de Kok and Hinrichs 2020): what its suites, its tables and the one published parser output allow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np

from gardenpath.runs import Finding
from gardenpath.studies import ROLES, RolesSettings, run
from gardenpath.suites import RoleSuite, read_suite

from .ledger import ARITHMETIC, IMPOSSIBLE, INPUT, OTHER_DATA, Line
from .paper import Data, published

AMB, PART_AMB = "german_ambiguous_gold.conll", "german_part-ambiguous_gold.conll"
OUTPUT, OUTPUT_GOLD = "german/german_amb_sticker2.conll", "german/german_amb_gold.conll"
BY_PROPERTY = (("amb", "Table 7", "Table 8"), ("part-amb", "Table 9", "Table 10"))
"""A suite, where its sentences and improvements over the baseline are printed, and where the LAS itself is."""
_BASELINE = "baseline:subject-first"
_ROUNDED = 0.005
"""Half of the last printed digit of a score."""
_LICENSED = "TüBa-D/Z is licensed."
_NO_OUTPUT = "The parsers' outputs for the suites of 2020 are not published."
_REVISED = f"{_NO_OUTPUT} Ours is sticker2's output for the release of 2026, whose sentences the authors revised."
_TOTALS = f"{_NO_OUTPUT} Totals are made of the LAS by order in Tables 8 and 10 and the sentences per order."
_SHARES = "n sentences have 2n subjects and objects: ours is the nearest share of them."


def lines(data: Data) -> list[Line]:
    """Every number of the paper's tables, and what is made of it."""
    printed = published("sorts")
    suites = {"amb": read_suite(data("sorts@2020") / AMB), "part-amb": read_suite(data("sorts@2020") / PART_AMB)}
    counts = {name: suite.order_counts() | suite.property_counts() for name, suite in suites.items()}
    return [
        *_tuebadz(printed), *_sizes(printed, suites), *_subject_first(printed, suites), *_totals(printed, suites),
        *_frequencies(printed, counts), *_scores(printed), *_improvements(printed), *_revised(printed, data),
        *_shares(printed, counts),
    ]  # fmt: skip


def _parsers(printed: Mapping[str, Any]) -> list[str]:
    return [name for name in printed["table6"] if name != "Subject-first"]


def _tuebadz(printed: Mapping[str, Any]) -> Iterator[Line]:
    """Tables 2 and 4 are of TüBa-D/Z: what follows from what."""
    rows = {row: [float(cell) for cell in cells] for row, cells in printed["table2"].items()}
    columns = ("frequency, corpus", "frequency, test set", "las")
    for (row, cells), place in product(printed["table2"].items(), range(3)):
        yield Line("Table 2", row, columns[place], cells[place], None, why=_LICENSED, basis=INPUT)
    caption, table = printed["caption2"], np.array(list(rows.values()))
    why = f"{_LICENSED} Pearson's correlation is made of the six rows of the table itself."
    correlation = float(np.corrcoef(table[:, 1:].T)[0, 1])
    yield Line("Table 2, caption", "frequency and LAS", "pearson", caption["correlation"], correlation, why=why,
               basis=ARITHMETIC)  # fmt: skip
    for row, text in caption["sizes"].items():
        yield Line("Table 2, caption", row, "size", text, None, why=_LICENSED, basis=IMPOSSIBLE)
    for place in (0, 1):
        why = "The six orders are all there are, so each column should sum to 100."
        yield Line("Table 2", "sum of the orders", columns[place], "100.00", float(table[:, place].sum()), why=why,
                   slack=(len(rows) - 1) * _ROUNDED, basis=ARITHMETIC, kind="check")  # fmt: skip
    first = sum(cells[0] for row, cells in rows.items() if row.index("S") < row.index("O"))
    why = f"Table 2: the three orders with the subject first make {first:.2f}."
    yield Line("Section 2.2", "subject first", "frequency, corpus", printed["section2"]["subject first"], first,
               why=why, slack=3 * _ROUNDED, basis=ARITHMETIC)  # fmt: skip
    for row, (frequency, las) in printed["table4"].items():
        subject, kind = row.split(", ")
        rest = 100 - float(printed["table4"][f"{subject}, definite"][0]) if kind == "indefinite" else None
        yield Line("Table 4", row, "frequency", frequency, rest, why=_LICENSED if rest is None else "",
                   slack=_ROUNDED, basis=INPUT if rest is None else ARITHMETIC)  # fmt: skip
        yield Line("Table 4", row, "las", las, None, why=_LICENSED)


def _sizes(printed: Mapping[str, Any], suites: Mapping[str, RoleSuite]) -> Iterator[Line]:
    for name, suite in suites.items():
        yield Line("Section 3.5", f"SORTS {name}", "sentences", printed["sizes"][name], len(suite), suite=name)


def _subject_first(printed: Mapping[str, Any], suites: Mapping[str, RoleSuite]) -> Iterator[Line]:
    """The share of subjects and objects that the rule "the first is the subject" gets right."""
    findings = {name: run(ROLES, suite, _BASELINE, RolesSettings()).findings for name, suite in suites.items()}
    values = {
        "no-amb": _las(findings["part-amb"], ambiguous=False),
        "part-amb": _las(findings["part-amb"]),
        "amb": _las(findings["amb"]),
    }
    for (name, ours), text in zip(values.items(), printed["table6"]["Subject-first"], strict=True):
        yield Line("Table 6", f"SORTS {name}", "las", text, ours, system="Subject-first", suite=name)


def _las(findings: Sequence[Finding], **by: Any) -> float | None:
    """The LAS of this group."""
    values = [finding.value for finding in findings if finding.measure == "las" and dict(finding.by) == by]
    return None if not values or values[0] is None else float(values[0])


def _totals(printed: Mapping[str, Any], suites: Mapping[str, RoleSuite]) -> Iterator[Line]:
    """Table 6 of the six parsers: their LAS by order, weighted by the sentences of each order."""
    for column, (name, table) in enumerate((("no-amb", "table10"), ("part-amb", "table10"), ("amb", "table8"))):
        suite = suites["amb" if name == "amb" else "part-amb"]
        counts = suite.order_counts()
        for place, system in enumerate(_parsers(printed)):
            total = sum(float(printed[table][order][place]) * count for order, count in counts.items())
            size = len(suite)
            if name == "no-amb":
                syncretic = suite.property_counts()["amb"]
                total -= float(printed[table]["amb"][place]) * syncretic
                size -= syncretic
            text = printed["table6"][system][column]
            yield Line("Table 6", f"SORTS {name}", "las", text, total / size, system=system, suite=name, why=_TOTALS,
                       slack=0.006, basis=ARITHMETIC)  # fmt: skip


def _frequencies(printed: Mapping[str, Any], counts: Mapping[str, Mapping[str, int]]) -> Iterator[Line]:
    for name, table, _ in BY_PROPERTY:
        for row, cells in _cells(printed, table):
            yield Line(table, row, "sentences", cells[0], counts[name].get(row, 0), suite=name)


def _cells(printed: Mapping[str, Any], table: str) -> Iterator[tuple[str, list[str]]]:
    yield from printed[table.replace("Table ", "table")].items()


def _scores(printed: Mapping[str, Any]) -> Iterator[Line]:
    """Tables 8 and 10, of which the improvements and the totals are made."""
    for name, _, table in BY_PROPERTY:
        for row, cells in _cells(printed, table):
            for system, text in zip(_parsers(printed), cells, strict=True):
                yield Line(table, row, "las", text, None, system=system, suite=name, why=_NO_OUTPUT, basis=INPUT)


def _improvements(printed: Mapping[str, Any]) -> Iterator[Line]:
    """Table 7 against Table 8 and Table 9 against Table 10: what a parser adds to the baseline."""
    for name, table, of_scores in BY_PROPERTY:
        scores = {row: [float(cell) for cell in cells] for row, cells in _cells(printed, of_scores)}
        for row, (_, *cells) in _cells(printed, table):
            baseline, *others = scores[row]
            if len(cells) > len(others):  # Table 7 prints the baseline's LAS once more
                text = cells.pop(0)
                yield Line(table, row, "las", text, baseline, system="Baseline", suite=name, basis=ARITHMETIC)
            for system, score, text in zip(_parsers(printed)[1:], others, cells, strict=True):
                yield Line(table, row, "improvement", text, score - baseline, system=system, suite=name,
                           slack=2 * _ROUNDED, basis=ARITHMETIC)  # fmt: skip


def _revised(printed: Mapping[str, Any], data: Data) -> Iterator[Line]:
    """sticker2 on the revised suite, beside what was printed for the first one: how much a release matters."""
    folder = data("sorts")
    findings = run(ROLES, read_suite(folder / OUTPUT_GOLD), {"sticker2": folder / OUTPUT}, RolesSettings()).findings
    everything: dict[str, str] = {}
    cells = [("Table 6", "SORTS amb", printed["table6"]["sticker2"][2], everything)]
    for row, texts in printed["table8"].items():
        cells.append(("Table 8", row, texts[5], {"order" if "[" in row else "property": row}))
    for table, row, text, group in cells:
        yield Line(table, row, "las", text, _las(findings, **group), system="sticker2", suite="sorts (2026)",
                   why=_REVISED, basis=OTHER_DATA)  # fmt: skip


def _shares(printed: Mapping[str, Any], counts: Mapping[str, Mapping[str, int]]) -> Iterator[Line]:
    """Whether each printed LAS can be a share of the subjects and objects in so many sentences."""
    for name, _, table in BY_PROPERTY:
        for row, cells in _cells(printed, table):
            arcs = 2 * counts[name].get(row, 0)
            for system, text in zip(_parsers(printed), cells, strict=True):
                nearest = 100 * round(float(text) / 100 * arcs) / arcs if arcs else None
                yield Line(table, row, "nearest share", text, nearest, system=system, suite=name, why=_SHARES,
                           basis=ARITHMETIC, kind="check")  # fmt: skip
