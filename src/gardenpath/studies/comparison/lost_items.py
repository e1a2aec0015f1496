"""The sentences behind a loss: items that one run had right and another has not."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...runs.record import Run
from .pairing import KEY, Judgements

if TYPE_CHECKING:
    import polars


@dataclass(frozen=True, slots=True)
class LostItem:
    """An item with its sentence (empty where the run does not keep it) and what became of its units."""

    suite: str
    item: str
    text: str
    outcomes: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.item}: {self.text or '(the run keeps no sentence)'} [{'; '.join(self.outcomes)}]"


class LostItems:
    """Finds them in the run that got worse; its files are read when the first is asked for."""

    def __init__(self, run: Run) -> None:
        self.run = run

    @cached_property
    def _rows(self) -> polars.DataFrame:
        return self.run.observations()

    @cached_property
    def _texts(self) -> dict[tuple[str, str], str]:
        return item_texts(self.run)

    @cached_property
    def _has_suites(self) -> bool:
        """Has the run several suites? The name of a single one may be another than in the run before."""
        return self._rows["suite"].n_unique() > 1

    def of(self, judgements: Judgements, measure: str, inside: NDArray[np.bool_], most: int = 3) -> list[LostItem]:
        """Those that lost most of two entrants' judgements; of equal ones the first of the suite."""
        values, weights = judgements.measures[measure], judgements.weights
        lost = np.where(inside, (values[:, 0] - values[:, 1]) * weights[:, 0], 0.0)  # units
        by_item = np.bincount(judgements.item, lost)
        _, first = np.unique(judgements.item, return_index=True)  # where each item begins
        worst = sorted(np.flatnonzero(by_item > 0).tolist(), key=lambda item: (-by_item[item], first[item]))
        items = []
        for item in worst[:most]:
            places = np.flatnonzero((judgements.item == item) & (lost > 0)).tolist()
            units = [judgements.units.row(place, named=True) for place in places]
            suite, name = (str(units[0][key] or "") for key in ("suite", "item"))
            outcomes = tuple(self._outcome(judgements.entrants[1].system, unit) for unit in units)
            items.append(
                LostItem(suite, name, self._texts.get((suite if self._has_suites else "", name), ""), outcomes)
            )
        return items

    def _outcome(self, system: str, unit: dict[str, object]) -> str:
        """What the system made of a unit: `5 obj: label (nsubj)`."""
        import polars as pl

        keys = KEY if self._has_suites else KEY[1:]
        rows = self._rows.filter(
            pl.col("system").fill_null("") == system,
            *(pl.col(key).eq_missing(pl.lit(unit[key], pl.String)) for key in keys),
        )
        outcome = str(rows["outcome"][0])
        if "predicted" in rows.columns and rows["predicted"][0]:
            outcome += f" ({rows['predicted'][0]})"
        return f"{unit['unit']}: {outcome}" if unit["unit"] else outcome


def item_texts(run: Run) -> dict[tuple[str, str], str]:
    """The sentence of each item from whatever the run keeps, by suite (empty where there is one) and item."""
    from ..surprisal.curves import SURPRISALS, read_curves

    if trees := run.trees():
        from ...treebank.source import read

        gold = read(trees.get("gold") or next(iter(trees.values())))
        return {
            ("", name): sentence.text or " ".join(word.form for word in sentence.words)
            for name, sentence in zip(gold.sentence_names, gold, strict=True)
        }
    if (curves := run.attached(SURPRISALS)) is not None:
        texts = {
            (curve.suite, curve.item): " / ".join(curve.joiner.join(words) for _, words, _ in curve.conditions)
            for curve in read_curves(curves)
        }
    else:
        rows = run.observations()
        kept = rows.select("suite", "item", "text").iter_rows() if "text" in rows.columns else ()
        texts = {(str(suite or ""), str(item or "")): str(text or "") for suite, item, text in kept}
    if len({suite for suite, _ in texts}) > 1:
        return texts
    return {("", item): text for (_, item), text in texts.items()}
