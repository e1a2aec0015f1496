"""The tables of the paper in its own layout: test treebanks side by side, one parser a table (Tables 1 to 11).

Tables 1, 6 and 7 count originals and variants, less those that were cut in several sentences; Tables 2 to 5 and 8 to 11
answer the five questions, for batches whose original was parsed right (+) or not (-).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...runs.layout import Column, FindingIndex, table
from ...runs.result import Finding, Table, Value

_KINDS = {"originals": "Original", "variants": "Augmented"}
_SPREADS = {
    "right_per_batch": "Corr. parsed sent. within a batch (Q2)",
    "clusters": "Number of error clusters (Q4)",
    "clusters_published": "the same, as published",
    "ncptk": "Between-cluster NCPTK (Q5)",
    "ncptk_published": "the same, as published",
}
_COUNTS = {
    "batches": "Batches considered",
    "complete_batches": "Completely corr. batches (Q1)",
    "consistent_error_batches": "Batches with consistent errors (Q3)",
}
_ROWS = (
    "batches", "complete_batches", "right_per_batch", "consistent_error_batches", "clusters", "clusters_published",
    "ncptk", "ncptk_published",
)  # fmt: skip
_MISSING = "NA"


class PaperTables:
    """The findings of one perturbation and one order of siblings, in the paper's layout."""

    def __init__(self, findings: Sequence[Finding], treebanks: Sequence[str], perturbation: str, order: str) -> None:
        self.index, self.treebanks, self.perturbation = FindingIndex(findings), treebanks, perturbation
        self.by: dict[str, Value] = {"perturbation": perturbation, "order": order}

    def get(self, measure: str, system: str, treebank: str, **more: Value) -> Value:
        finding = self.index.get(measure, system, {**self.by, **more}, treebank)
        return None if finding is None else finding.value

    def counts(self, system: str, numbers: str, kinds: dict[str, str] | None = None) -> Table:
        """As Tables 1 and 6, or with the constant in place as Table 7: what was right of what was considered."""
        kinds = kinds or _KINDS
        columns = [Column("metric", [label for name in kinds.values() for label in _labels(name)])]
        for treebank in self.treebanks:
            cells = [cell for kind in kinds for cell in self._counted(kind, system, treebank)]
            columns.append(Column(treebank, cells))
        note = f"Laid out as {numbers} of the paper, which leaves out sentences that were cut in several."
        return table(f"Results of parsing, {self.perturbation}: {system}", columns, note=note, digits=1)

    def _counted(self, kind: str, system: str, treebank: str) -> list[Value]:
        parts = ("", "_wrong_segmentation", "_considered", "_right")
        total, cut, considered, right = (self.get(f"{kind}{part}", system, treebank) for part in parts)
        if not isinstance(considered, int) or not isinstance(right, int):
            return [_MISSING] * 5
        return [total, cut, considered, right, f"{100 * right / considered:.1f}%" if considered else _MISSING]

    def questions(self, system: str, numbers: str) -> Table:
        """As Tables 2 to 5 and 8 to 11: Q1 to Q5, Original + and Original - of every treebank."""
        labels = [label for measure in _ROWS for label in _question_labels(measure)]
        columns = [Column("metric", labels)]
        for treebank in self.treebanks:
            for original, sign in (("right", "+"), ("wrong", "-")):
                cells = [cell for measure in _ROWS for cell in self._cells(measure, system, treebank, original)]
                columns.append(Column(f"{treebank} {sign}", cells))
        note = f"Laid out as {numbers} of the paper. + and -: the original was parsed right, or not. "
        note += "Clusters include parses that stand alone; as published: as the authors' scripts count and read."
        return table(f"Detailed analysis, {self.perturbation}: {system}", columns, note=note)

    def _cells(self, measure: str, system: str, treebank: str, original: str) -> list[Value]:
        def got(more: str = "") -> Value:
            return self.get(f"{measure}{more}", system, treebank, original=original)

        if measure in _COUNTS:
            value = got()
            none = measure != "batches" and not self.get("batches", system, treebank, original=original)
            return [_MISSING if value is None or none else value]
        if got() is None:
            return ["", _MISSING, _MISSING]
        ends = f"{_short(got('_min'))} - {_short(got('_max'))}"
        return ["", f"{_short(got())} ({_short(got('_sd'))})", f"{_short(got('_median'))} ({ends})"]


def study_tables(
    findings: Sequence[Finding], treebank: str, systems: Sequence[str], perturbations: Sequence[str], order: str
) -> Iterator[Table]:
    """Tables 1 to 5 of parsers that were asked about one treebank."""
    for perturbation in perturbations:
        tables = PaperTables(findings, [treebank], perturbation, order)
        for system in systems:
            yield tables.counts(system, "Table 1")
            yield tables.questions(system, "Tables 2 to 5")


def _labels(name: str) -> list[str]:
    return [
        f"{name} in total", "Wrong sent. segm.", f"{name} considered", "Corr. parsed sent.", "Corr. parsed sent. (%)",
    ]  # fmt: skip


def _question_labels(measure: str) -> list[str]:
    if measure in _COUNTS:
        return [_COUNTS[measure]]
    return [_SPREADS[measure], "  Mean (SD)", "  Median (Min - Max)"]


def _short(value: Value) -> str:
    """Two places, as the paper has them, and none of a whole number."""
    number = float(value or 0)
    return f"{number:.2f}".rstrip("0").rstrip(".")
