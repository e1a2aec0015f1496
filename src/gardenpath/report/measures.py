"""The measures of treebanks as tables."""

from __future__ import annotations

from collections.abc import Sequence

from ..runs.result import Finding, Table, Value

MAIN = (
    "sentences", "words", "forms", "type_token_ratio", "length_mean", "trees", "projective_share", "crossing_ratio",
    "depth_mean", "displacement_mean", "dependency_length_mean", "left_share", "morphological_complexity",
)  # fmt: skip
"""What is shown of each file when there are too many for a column each."""
_COLUMNS = 4
_GROUPS = {"upos": "UPOS", "deprel": "Relations", "displacement": "Displacements"}
_NOTE = (
    "Shares are between 0 and 1. Measures from projective to right share: trees only, root edges left out. "
    "Crossing ratio: mean C/|Q| over trees where |Q| > 0. "
    "Word entropy to head pos entropy: scaled to 0 (simple) to 1 (complex) as in EDV, Appendix C."
)
_MANY = "Tags, relations, displacements and all other measures of many files: --format tsv or json."


def measure_tables(findings: Sequence[Finding]) -> list[Table]:
    """All measures with a column for each file; with many files, the main measures with a row for each."""
    suites = list(dict.fromkeys(finding.suite for finding in findings))
    plain = {(finding.measure, finding.suite): finding.value for finding in findings if not finding.by}
    if len(suites) > _COLUMNS:
        rows: list[list[Value]] = [[suite, *(plain.get((name, suite)) for name in MAIN)] for suite in suites]
        return [Table("Treebanks", ["file", *map(_shown, MAIN)], rows, digits=3, note=f"{_NOTE} {_MANY}")]
    names = list(dict.fromkeys(name for name, _ in plain))
    rows = [[_shown(name), *(plain.get((name, suite)) for suite in suites)] for name in names]
    tables = [Table("Measures", ["measure", *suites], rows, digits=4, note=_NOTE)]
    for key, title in _GROUPS.items():
        cells = {(f.by[key], f.measure, f.suite): f.value for f in findings if key in f.by}
        kinds = list(dict.fromkeys(kind for kind, _, _ in cells))
        columns = [(name, suite) for suite in suites for name in ("count", "share")]
        heads = [name if len(suites) == 1 else f"{name} {suite}" for name, suite in columns]
        body = [[kind, *(cells.get((kind, *column)) for column in columns)] for kind in kinds]
        if body:
            tables.append(Table(title, [key, *heads], body, digits=4))
    return tables


def _shown(name: str) -> str:
    return name.replace("_", " ")
