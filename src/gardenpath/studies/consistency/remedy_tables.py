"""The findings of remedies as tables: what each way of training comes to, what it costs, and what seeds do to it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...runs.layout import SIGNED, Column, FindingIndex, measured, table
from ...runs.result import Finding, Table, Value
from .settings import RemediesSettings

SCORES = ("las", "uas", "upos")
COSTS = ("training_sentences", "parses_per_sentence")
_SHARES = {"right": "variants", "changed": "another tree", "consistent": "one tree"}
Row = tuple[str, str, str]
"""Test treebank, perturbation, and way of training."""


def system_of(settings: RemediesSettings, remedy: str) -> str:
    return f"{settings.parser} {remedy}"


def remedy_tables(rows: Sequence[Row], findings: Sequence[Finding], settings: RemediesSettings) -> Iterator[Table]:
    """One row for each test treebank, perturbation and way of training."""
    cells = _Cells(rows, FindingIndex(findings), settings)
    order: dict[str, Value] = {"order": settings.orders[0]}
    shown = [*cells.heads(), *measured("originals", cells.of("original_right", order))]
    for measure, header in _SHARES.items():
        shown += measured(header, cells.of(measure, order), interval=True)
    shown += measured("LAS", cells.of("las"))
    shown += measured("training sentences", cells.of("training_sentences"))
    shown += measured("parses", cells.of("parses_per_sentence"))
    note = (
        "originals, variants: right (%); another tree: variants whose tree is not the original's (%); one tree: "
        "batches whose trees are all alike (%). With a constant all variants are the same sentence, so both are empty. "
        "LAS: of all sentences of the test treebank, gold tokens. parses: made for each sentence of it."
    )
    if settings.seeds > 1:
        note += f" The first of {settings.seeds} trainings of each."
    yield table(f"Remedies: {settings.parser}, preset {settings.preset}", shown, note=note)
    if settings.seeds > 1:
        yield cells.over_seeds()


class _Cells:
    def __init__(self, rows: Sequence[Row], index: FindingIndex, settings: RemediesSettings) -> None:
        self.rows, self.index, self.settings = rows, index, settings

    def heads(self) -> list[Column]:
        headers = ("test", "perturbation", "trained")
        return [Column(header, [row[place] for row in self.rows]) for place, header in enumerate(headers)]

    def of(self, measure: str, more: dict[str, Value] | None = None) -> list[Finding | None]:
        """The finding of every row; scores and costs are of all sentences."""
        whole = measure in (*SCORES, *COSTS)
        return [
            self.index.get(
                measure,
                system_of(self.settings, remedy),
                {} if whole else {"perturbation": perturbation, **(more or {})},
                suite,
            )
            for suite, perturbation, remedy in self.rows
        ]

    def over_seeds(self) -> Table:
        """Mean, lowest and highest of all trainings, and the difference to the parser as it is."""
        by: dict[str, Value] = {"trainings": self.settings.seeds}
        shown = self.heads()
        for measure, header in _SHARES.items():
            for end in ("mean", "min", "max"):
                shown += measured(f"{header}, {end}" if end == "mean" else end, self.of(f"{measure}_{end}", by))
            shown += measured("difference", self.of(f"{measure}_difference"), interval=True, kind=SIGNED)
        note = "Differences to the parser as it is, in points; their intervals know other sentences and other seeds."
        return table(f"Over {self.settings.seeds} trainings of each", shown, digits=1, note=note)
