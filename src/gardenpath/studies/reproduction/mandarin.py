"""Mandarin suites (Wang, Hu, Levy and Qian 2021): what its suites and the surprisals of its models allow.

A figure prints no numbers: what the text says of it is a line, 1 for true.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from ...suites.regions.mandarin import CLASSES
from ...suites.regions.model import RegionSuite
from ...suites.regions.reader import read_region_suites
from ..surprisal.difference import SurprisalDifference
from ..surprisal.scores import SuiteScores
from ..surprisal.study import judged_suites
from .line import INPUT, OTHER_DATA, RECOMPUTED, Line
from .mandarin_models import table1, table5
from .paper import Data, published

NAME = "mandarin-suites"
OUTPUTS = {
    "n-gram": "ngram_outputs", "LSTM": "lstm_outputs", "RNNG": "rnng_outputs", "Transformer": "trans_outputs",
    "PLM": "plm_outputs", "n-gram-Xinhua": "hybrid1_outputs_ngram", "LSTM-Xinhua": "hybrid1_outputs_lstm",
    "RNNG-Xinhua": "hybrid1_outputs_rnng", "Transformer-Xinhua": "hybrid1_outputs_trans",
    "PLM-Xinhua": "hybrid1_outputs_plm",
}  # fmt: skip
"""The folders with the surprisals of the models of CTB, and of those of CTB and Xinhua together."""
NEURAL = [system for system in OUTPUTS if not system.startswith("n-gram")]
_ALPHA = 0.05
_COIN = (
    "n-gram: the paper decides ties by a fair coin, whose throws are not published; ours counts a tie as one half. "
    "Cells without ties must be equal."
)
_SETTING = "A setting of the models."
_CORPORA = "The Chinese Treebank and the Xinhua corpus are licensed."
_MODELS = "The models and the text of the Chinese Treebank are not published."
_FIGURE = "The figure prints no numbers: 1 where what the text says of it holds. Means are in bits, over items."
_ITEMS = "The text says p < .001 of RNNG-Xinhua's mean; ours, a t-test over the items, stands in the row."


def lines(data: Data, fits: Collection[tuple[str, str]] | None = None) -> list[Line]:
    """Every number of the paper's tables, and what is said of its figures. `fits`: not all of Table 1's models."""
    printed = published("mandarin")
    folder = data(NAME)
    suites = list(read_region_suites(folder / "test_suites"))
    # Two suites were revised after they were scored: their words differ outside the regions that count.
    names = {name: f"surprisals:{folder / 'surprisals' / place}#match=order" for name, place in OUTPUTS.items()}
    judged = judged_suites(suites, names)
    scores = SuiteScores(suites, judged.outcomes, independent=True)  # the t-tests of the paper are over items
    return [
        *_given(printed), *table1(printed, judged, fits), *_sizes(printed, suites), *table5(printed, scores),
        *_accuracies(printed, scores), *_garden_paths(scores), *_kinds(scores),
    ]  # fmt: skip


def _sizes(printed: Mapping[str, Any], suites: Sequence[RegionSuite]) -> Iterator[Line]:
    sizes = {suite.title: len(suite) for suite in suites}
    for title, text in printed["table2"].items():
        yield Line("Table 2", title, "items", text, sizes.get(title), suite=title)


def _places(scores: SuiteScores, key: str) -> list[int]:
    return [place for place, suite in enumerate(scores.suites) if suite.property_of("paradigm") == key]


def _accuracies(printed: Mapping[str, Any], scores: SuiteScores) -> Iterator[Line]:
    """A class is the mean over its four modifiers and the model's seeds."""
    for system in OUTPUTS:
        for (key, paradigm), text in zip(CLASSES.items(), printed["table6"][system], strict=True):
            places = _places(scores, key)
            ours = (scores.score(system, places, "accuracy").value or 0.0) / 100
            tied = bool(scores.score(system, places, "ties").value)
            yield Line(
                "Table 6", paradigm.title, "accuracy", text, ours, system=system, suite=key,
                why=_COIN if tied else "", basis=OTHER_DATA if tied else RECOMPUTED,
            )  # fmt: skip


def _garden_paths(scores: SuiteScores) -> Iterator[Line]:
    """Figure 4: positive means for objects, greater with more data; for subjects RNNG-Xinhua alone has a sure one."""
    objects = {system: scores.difference(system, _places(scores, "gpo")) for system in NEURAL}
    for system, test in objects.items():
        row = f"Garden Path Object: {_told(test)}"
        yield _says("Figure 4a", row, "mean above 0", "1", (test.mean or 0) > 0, system, "gpo")
        if f"{system}-Xinhua" in objects:
            more = (objects[f"{system}-Xinhua"].mean or 0) - (test.mean or 0)
            row = f"Garden Path Object: {more:+.3f} with Xinhua"
            yield _says("Figure 4a", row, "grows with data", "1", more > 0, system, "gpo")
    for system in OUTPUTS:
        test = scores.difference(system, _places(scores, "gps"))
        row, p = f"Garden Path Subject: {_told(test)}", test.p if test.p is not None and (test.mean or 0) > 0 else 1.0
        sure = "1" if system == "RNNG-Xinhua" else "0"
        yield _says("Figure 4b", row, "significantly above 0", sure, p < _ALPHA, system, "gps")
        if system == "RNNG-Xinhua":
            yield _says("Figure 4b", row, "p below .001", "1", p < 0.001, system, "gps", _ITEMS)
        if system == "PLM-Xinhua":
            yield _says("Figure 4b", row, "mean above 0", "1", (test.mean or 0) > 0, system, "gps")


def _says(
    table: str, row: str, measure: str, text: str, holds: bool, system: str, suite: str = "", why: str = _FIGURE
) -> Line:
    """A sentence about a figure, 1 for true; no number of the paper."""
    return Line(table, row, measure, text, float(holds), system=system, suite=suite, why=why, kind="check")


def _told(test: SurprisalDifference) -> str:
    if test.t is None or test.p is None:
        return f"{test.mean:+.3f}, all the same"
    p = "p < .001" if test.p < 0.001 else f"p = {test.p:.3f}"
    return f"{test.mean:+.3f}, t({test.n - 1}) = {test.t:.2f}, {p}"


def _kinds(scores: SuiteScores) -> Iterator[Line]:
    """Section 4: syntactic classes are easier than semantic ones, n-grams left out as in Appendix D.1."""
    sides = [
        [place for place, suite in enumerate(scores.suites) if suite.property_of("kind") == kind]
        for kind in ("syntactic", "semantic")
    ]
    for system in NEURAL:
        gap = scores.gap(system, sides[0], sides[1]).value or 0.0
        row = f"syntactic minus semantic: {gap / 100:+.3f}"
        yield _says("Figure 6", row, "above 0", "1", gap > 0, system)


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
