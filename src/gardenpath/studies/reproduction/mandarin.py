"""Mandarin suites (Wang, Hu, Levy and Qian 2021): what its suites and the surprisals of its models allow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...suites.regions.mandarin import CLASSES
from ...suites.regions.model import RegionSuite
from ...suites.regions.reader import read_region_suites
from ..surprisal.scores import SuiteScores
from ..surprisal.study import judged_suites
from .line import INPUT, OTHER_DATA, RECOMPUTED, Line
from .mandarin_figures import figures, places_of
from .mandarin_models import Fits, section4, table1, table5
from .paper import Data, published

NAME = "mandarin-suites"
OUTPUTS = {
    "n-gram": "ngram_outputs", "LSTM": "lstm_outputs", "RNNG": "rnng_outputs", "Transformer": "trans_outputs",
    "PLM": "plm_outputs", "n-gram-Xinhua": "hybrid1_outputs_ngram", "LSTM-Xinhua": "hybrid1_outputs_lstm",
    "RNNG-Xinhua": "hybrid1_outputs_rnng", "Transformer-Xinhua": "hybrid1_outputs_trans",
    "PLM-Xinhua": "hybrid1_outputs_plm",
}  # fmt: skip
"""The folders with the surprisals of the models of CTB, and of those of CTB and Xinhua together."""
_COIN = (
    "n-gram: the paper decides ties by a fair coin, whose throws are not published; ours counts a tie as one half. "
    "Cells without ties must be equal."
)
_SETTING = "A setting of the models."
_CORPORA = "The Chinese Treebank and the Xinhua corpus are licensed."
_MODELS = "The models and the text of the Chinese Treebank are not published."


def lines(data: Data, fits: Fits = None) -> list[Line]:
    """Every number of the paper's tables, and what is said of its figures. `fits`: not all of the mixed models."""
    printed = published("mandarin")
    folder = data(NAME)
    suites = list(read_region_suites(folder / "test_suites"))
    # Two suites were revised after they were scored: their words differ outside the regions that count.
    names = {name: f"surprisals:{folder / 'surprisals' / place}#match=order" for name, place in OUTPUTS.items()}
    judged = judged_suites(suites, names)
    scores = SuiteScores(suites, judged.outcomes, independent=True)  # the t-tests of the paper are over items
    return [
        *_given(printed), *table1(printed, judged, fits), *_sizes(printed, suites), *table5(printed, judged, fits),
        *_accuracies(printed, scores), *section4(printed, judged, fits), *figures(scores),
    ]  # fmt: skip


def _sizes(printed: Mapping[str, Any], suites: Sequence[RegionSuite]) -> Iterator[Line]:
    sizes = {suite.title: len(suite) for suite in suites}
    for title, text in printed["table2"].items():
        yield Line("Table 2", title, "items", text, sizes.get(title), suite=title)


def _accuracies(printed: Mapping[str, Any], scores: SuiteScores) -> Iterator[Line]:
    """A class is the mean over its four modifiers and the model's seeds."""
    for system in OUTPUTS:
        for (key, paradigm), text in zip(CLASSES.items(), printed["table6"][system], strict=True):
            places = places_of(scores, key)
            ours = (scores.score(system, places, "accuracy").value or 0.0) / 100
            tied = bool(scores.score(system, places, "ties").value)
            yield Line(
                "Table 6", paradigm.title, "accuracy", text, ours, system=system, suite=key,
                why=_COIN if tied else "", basis=OTHER_DATA if tied else RECOMPUTED,
            )  # fmt: skip


def _given(printed: Mapping[str, Any]) -> Iterator[Line]:
    """Settings, and what cannot be had; all other cells are made of the surprisals."""
    for system, cells in printed["table3a"].items():
        for measure, text in zip(("layers", "hidden units", "size of embeddings"), cells, strict=True):
            yield Line("Table 3a", system, measure, text, None, why=_SETTING, basis=INPUT)
    for system, cells in printed["table3"].items():
        for corpus, text in zip(("CTB", "Xinhua"), cells, strict=True):
            yield Line("Table 3b", corpus, "perplexity", text, None, system=system, why=_MODELS)
    for corpus, cells in printed["table4"].items():
        for measure, text in zip(("tokens", "vocabulary"), cells, strict=True):
            yield Line("Table 4", corpus, measure, text, None, why=_CORPORA)
