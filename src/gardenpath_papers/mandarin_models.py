"""Mixed models of the paper on Mandarin suites (Wang et al. 2021), planned for any run of `gardenpath surprisal`.

Systems go by the paper's names: LSTM, RNNG, Transformer and PLM, and the same with another data set behind a hyphen,
as in `LSTM-Xinhua`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from gardenpath.errors import InputError
from gardenpath.studies import TableModel
from gardenpath.suites import CLASSES

if TYPE_CHECKING:
    import polars

MODELS = ("LSTM", "RNNG", "Transformer", "PLM")
SUPERVISED = {"RNNG": "LSTM", "PLM": "Transformer"}
"""Models with structural supervision, and their counterparts without."""
LARGER = "Xinhua"
SUPERVISION = "outcome ~ syntax + (1|modifier) + (1|item) + (1|seed)"
MODIFIER = "accuracy ~ modifier + (1+modifier|seed) + (1+modifier|size)"
SIZE = "accuracy ~ size + (1+size|class) + (1+size|modifier) + (1+size|seed)"
SUBORDINATION = "accuracy ~ rnng + (1+rnng|modifier) + (1+rnng|seed)"
KIND = "value ~ syntactic + (1|system) + (1|test)"


def _named(frame: polars.DataFrame, *needed: str) -> polars.DataFrame:
    """Return the rows of the paper's models, with the name of the `family` and the `data` behind its hyphen.

    `size` is 1 for the larger data. As in the published analysis a seed is its place among the seeds of its system.
    """
    import polars as pl

    names = pl.col("system").str.extract_groups(rf"^({'|'.join(MODELS)})(?:-(.+))?$")
    known = frame.with_columns(family=names.struct[0], data=names.struct[1].fill_null(""))
    known = known.filter(pl.col("family").is_not_null())
    place = pl.col("seed").rank("dense").over("system")
    known = known.with_columns(size=(pl.col("data") == LARGER).cast(pl.Int64), seed=place)
    if missing := set(needed) - {*known["family"], *known["data"]}:
        what = f"no system of the run is called {' or '.join(sorted(missing))}"
        todo = "name systems as the paper does: gardenpath surprisal SUITE LSTM=lstm:FOLDER LSTM-Xinhua=lstm:FOLDER …"
        raise InputError(what, todo=todo)
    return known


def supervision(frame: polars.DataFrame) -> Iterator[TableModel]:
    """Plan Table 1: every class, each model with structural supervision against its counterpart on the same data."""
    known = _named(frame)
    pairs = [
        (better, plain, data)
        for better, plain in SUPERVISED.items()
        for data in known["data"].unique(maintain_order=True)
        if {better, plain} <= {*known.filter(known["data"] == data)["family"]}
    ]
    if not pairs:
        _named(frame, *MODELS)
    for better, plain, data in pairs:
        pair = known.filter((known["data"] == data) & known["family"].is_in([better, plain]))
        pair = pair.with_columns(syntax=(pair["family"] == better).cast(int))
        for name in pair["class"].drop_nulls().unique(maintain_order=True):
            label = f"{better} against {plain}" + (f", {data}" if data else "")
            yield TableModel(name, label, pair.filter(pair["class"] == name), SUPERVISION, "syntax")


def data_size(frame: polars.DataFrame) -> Iterator[TableModel]:
    """Plan the models of Section 4: the larger data against the smaller, one model per kind of language model."""
    known = _named(frame, LARGER)
    for family in known.filter(known["size"] == 1)["family"].unique(maintain_order=True):
        yield TableModel("all classes", family, known.filter(known["family"] == family), SIZE, "size")


def modifiers(frame: polars.DataFrame) -> Iterator[TableModel]:
    """Plan Table 5: modifiers in Missing Object against none, over both data sizes."""
    known = _named(frame, LARGER)
    known = known.filter(known["class"] == CLASSES["mobj"].title)
    for family in known["family"].unique(maintain_order=True):
        yield TableModel("", family, known.filter(known["family"] == family), MODIFIER, "modifier")


def kinds(frame: polars.DataFrame) -> Iterator[TableModel]:
    """Plan the models of Figure 6 and Appendix D.1: syntactic against semantic classes, with and without modifiers."""
    known = _named(frame)
    known = known.filter(known["kind"].is_in(["syntactic", "semantic"]))
    known = known.with_columns(syntactic=(known["kind"] == "syntactic").cast(int))
    plain = known["modifier"] == "none"
    for row, part in {"all": known, "no modifier": known.filter(plain), "modifiers": known.filter(~plain)}.items():
        yield TableModel(row, "all models", part, KIND, "syntactic")


TABLES: Mapping[str, Callable[[polars.DataFrame], Iterator[TableModel]]] = {
    "table1": supervision, "size": data_size, "table5": modifiers, "figure6": kinds,
}  # fmt: skip
