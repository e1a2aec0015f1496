"""The measures of treebanks as tables."""

from __future__ import annotations

from collections.abc import Sequence

from ..runs.result.result import Table, Value
from ..treebank.trees.measures import WORD_MEASURES, Descriptions

MAIN = {
    "Sizes": ("sentences", "words", "forms", "type_token_ratio", "length_mean", "trees", "morphological_complexity"),
    "Trees": (
        "projective_share", "crossing_ratio", "depth_mean", "displacement_mean", "dependency_length_mean", "left_share",
    ),
}  # fmt: skip
"""What is shown of each file when there are too many for a column each: two tables that fit a terminal."""
COLUMNS = 4
"""Files that have a column each."""
_GROUPS = {"upos": "UPOS", "deprel": "Relations", "displacement": "Displacements"}
_NOTE = (
    "Shares are between 0 and 1. Measures from projective to right share: trees only, root edges left out. "
    "Crossing ratio: mean C/|Q| over trees where |Q| > 0. "
    "Word entropy to head pos entropy: scaled to 0 (simple) to 1 (complex) as in EDV, Appendix C."
)
_OF_WORDS = "Words without traces; sentences of each length: --format tsv or json, or a figure of the run."
_OF_LAYERS = (
    "lemmas", "form_to_lemma", "form_to_inflected_lemma", "head_pos_entropy", "morphological_complexity",
)  # fmt: skip
"""Measures that need lemmas or parts of speech."""
_MANY = "Tags, relations, displacements and all other measures of many files: --format tsv or json."


def measure_tables(described: Descriptions) -> list[Table]:
    """All measures with a column for each file; with many files, the main measures with a row for each."""
    suites = described.suites
    if len(suites) > COLUMNS:
        shown = {title: names for title, names in MAIN.items() if set(names) & set(described.measures)}
        return [_main_measures(title, names, described) for title, names in shown.items()]
    rows: list[list[Value]] = [[_shown(name), *_values(described, name)] for name in described.measures]
    tables = [Table("Measures", ["measure", *suites], rows, digits=4, note=_note(described))]
    for key, title in _GROUPS.items():
        cells = {(f.by[key], f.measure, f.suite): f.value for f in described if key in f.by}
        kinds = list(dict.fromkeys(kind for kind, _, _ in cells))
        # Of several files the shares alone: counts do not compare, and would not fit.
        columns = [
            (name, suite) for suite in suites for name in (("count", "share") if len(suites) == 1 else ("share",))
        ]
        heads = [name if len(suites) == 1 else f"{name} {suite}" for name, suite in columns]
        body = [[kind, *(cells.get((kind, *column)) for column in columns)] for kind in kinds]
        if body:
            tables.append(Table(title, [key, *heads], body, digits=4))
    return tables


def _main_measures(title: str, names: Sequence[str], described: Descriptions) -> Table:
    known = [name for name in names if name in described.measures]
    columns = (described.suites, *(_values(described, name) for name in known))
    note = f"{_note(described)} {_MANY}" if title == [*MAIN][-1] or described.measures == [*WORD_MEASURES] else ""
    return Table(title, ["file", *map(_shown, known)], list(zip(*columns, strict=True)), digits=3, note=note)


def _note(described: Descriptions) -> str:
    return _OF_WORDS if described.measures == [*WORD_MEASURES] else _NOTE


def _values(described: Descriptions, name: str) -> list[Value]:
    """The values of a measure; in words where a treebank lacks the layer that it is made from."""
    words = "not annotated" if name in _OF_LAYERS else None
    return [words if value is None else value for value in described.values(name)]


def _shown(name: str) -> str:
    return name.replace("_", " ")
