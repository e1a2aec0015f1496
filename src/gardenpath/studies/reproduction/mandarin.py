"""Mandarin suites (Wang, Hu, Levy and Qian 2021): what its suites and the surprisals of its CTB models allow.

A figure prints no numbers: what the text says of it is a line, 1 for true.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...suites.regions.mandarin import CLASSES
from ...suites.regions.model import RegionSuite
from ...suites.regions.reader import read_region_suites
from ..surprisal.difference import SurprisalDifference
from ..surprisal.scores import SuiteScores
from ..surprisal.study import judged_suites
from .line import INPUT, OTHER_DATA, RECOMPUTED, Line
from .mandarin_models import against, table1, table5
from .paper import Data, published

NAME = "mandarin-suites"
OUTPUTS = {
    "n-gram": "ngram_outputs", "LSTM": "lstm_outputs", "RNNG": "rnng_outputs", "Transformer": "trans_outputs",
    "PLM": "plm_outputs",
}  # fmt: skip
_ALPHA = 0.05
_COIN = (
    "n-gram: the paper decides ties by a fair coin, whose throws are not published; ours counts a tie as one half. "
    "Cells without ties must be equal."
)
_XINHUA = "The surprisals of the models trained on Xinhua are not published."
_SETTING = "A setting of the models."
_CORPORA = "The Chinese Treebank and the Xinhua corpus are licensed."
_MODELS = "The models and the text of the Chinese Treebank are not published."
_FIGURE = "The figure prints no numbers: 1 where what the text says of it holds. Means are in bits, over items."


def lines(data: Data) -> list[Line]:
    """All numbers of the paper that can be had again, by table."""
    printed = published("mandarin")
    folder = data(NAME)
    suites = list(read_region_suites(folder / "test_suites"))
    # Two suites were revised after they were scored: their words differ outside the regions that count.
    names = {name: f"surprisals:{folder / 'surprisals' / place}#match=order" for name, place in OUTPUTS.items()}
    judged = judged_suites(suites, names)
    scores = SuiteScores(suites, judged.outcomes, draws=0)
    return [
        *_given(printed), *table1(printed, judged), *_sizes(printed, suites), *table5(printed, scores),
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
    """Figure 4: neural models have a positive mean for objects; none of CTB a significant one for subjects."""
    for system in OUTPUTS:
        if system != "n-gram":
            test = scores.difference(system, _places(scores, "gpo"))
            row, ours = f"Garden Path Object: {_told(test)}", float((test.mean or 0) > 0)
            yield Line("Figure 4a", row, "mean above 0", "1", ours, system=system, suite="gpo", why=_FIGURE,
                       kind="check")  # fmt: skip
    for system in OUTPUTS:
        test = scores.difference(system, _places(scores, "gps"))
        row, ours = f"Garden Path Subject: {_told(test)}", float((test.mean or 0) > 0 and (test.p or 1) < _ALPHA)
        yield Line("Figure 4b", row, "significantly above 0", "0", ours, system=system, suite="gps", why=_FIGURE,
                   kind="check")  # fmt: skip


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
    for system in OUTPUTS:
        if system != "n-gram":
            gap = scores.gap(system, sides[0], sides[1]).value or 0.0
            row = f"syntactic minus semantic: {gap / 100:+.3f}"
            yield Line("Figure 6", row, "above 0", "1", float(gap > 0), system=system, why=_FIGURE, kind="check")


def _given(printed: Mapping[str, Any]) -> Iterator[Line]:
    """Every cell of the tables; a line that has a number of ours takes its place."""
    for supervised, cells in printed["table1"].items():
        for key, paradigm in CLASSES.items():
            stars = cells[key] if isinstance(cells[key], str) else cells[key][2]
            yield Line("Table 1", paradigm.title, "stars", stars, None, system=against(supervised), why=_XINHUA)
    for system, cells in printed["table3a"].items():
        for measure, text in zip(("layers", "hidden units", "size of embeddings"), cells, strict=True):
            yield Line("Table 3a", system, measure, text, None, why=_SETTING, basis=INPUT)
    for system, cells in printed["table3"].items():
        for corpus, text in zip(("CTB", "Xinhua"), cells, strict=True):
            yield Line("Table 3b", corpus, "perplexity", text, None, system=system, why=_MODELS)
    for corpus, cells in printed["table4"].items():
        for measure, text in zip(("tokens", "vocabulary"), cells, strict=True):
            yield Line("Table 4", corpus, measure, text, None, why=_CORPORA)
    for system, cells in printed["table6"].items():
        for paradigm, text in zip(CLASSES.values(), cells, strict=True):
            yield Line("Table 6", paradigm.title, "accuracy", text, None, system=system, why=_XINHUA)
