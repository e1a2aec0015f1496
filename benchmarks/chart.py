"""`chart`: phrase parsers on real trees: brackets, gaps and CPU of PCFGs, plain and latent, and of the span parser."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from gardenpath.data import bundled
from gardenpath.phrase import PhraseTree, write
from gardenpath.phrase.formats.source import read
from gardenpath.studies.evaluation.brackets import BracketScores, bracket_scores
from gardenpath.systems import phrase_parser, train
from gardenpath.systems.training.training import counted_as

from .measure import ROOT, Cost, in_process, interleaved
from .setting import FULL, Setting, missing
from .table import Cell, Row, Table, Target

_CORPUS = ROOT.parent / "shared" / "data" / "phrase" / "tiger-pcc" / "syntax"
_HELD_OUT = 6
"""One split: every sixth tree is held out. Scores over six folds are in docs/constructions.md."""
_CHART = "chart"
_KINDS = {
    "pcfg": ("pcfg", {"functions": "yes", "scheme": "tiger"}),
    "pcfg, latent": ("pcfg", {"functions": "yes", "scheme": "tiger", "latent": "2"}),
    "pcfg, split": ("pcfg", {"functions": "yes", "scheme": "tiger", "gaps": "split"}),
    "chart, split": ("chart", {"scheme": "tiger", "gaps": "split"}),
    _CHART: ("chart", {"scheme": "tiger"}),
}
_SMALL = {"pcfg": {"least": "0.05"}, "chart": {"epochs": "1"}}
"""On a small part of the trees nothing is to be learned: it only has to run."""
_ELSEWHERE: dict[str, dict[str, Cell]] = {
    "Berkeley's parser (elsewhere)": {"F1": 63.8, "CPU s": 11.6},
    "disco-dop, Double-DOP (elsewhere)": {"F1": 63.5, "CPU s": 59.0},
    "disco-dop, DOP (elsewhere)": {"gaps": 23.4},
}
"""On the same 1,829 trees, on another machine: these were not run here."""


def run(setting: Setting) -> list[Table]:
    absent = missing(pcfg="numba", chart="torch")
    if absent:
        return [Table("chart", [Row({"contestant": name, "note": note}) for name, note in absent.items()])]
    whole, real = setting.size >= FULL, _CORPUS.is_dir()
    trees = read(_CORPUS) if real else read(bundled("de-constructions") / "tiger" / "trees.export")
    trees = trees if whole else trees[: max(24, round(len(trees) * setting.size / FULL))]
    learned = [tree for at, tree in enumerate(trees) if at % _HELD_OUT != _HELD_OUT - 1]
    gold = trees[_HELD_OUT - 1 :: _HELD_OUT]
    files = setting.folder / "chart.export"
    write([tree.named(str(number)) for number, tree in enumerate(learned, 1)], files)
    taught = {name: _trained(name, files, setting, whole) for name in _KINDS}
    parsers = {name: phrase_parser(system) for name, (system, _) in taught.items()}
    words = [tree.words for tree in gold]
    parses = {name: parser.parse_trees(words) for name, parser in parsers.items()}  # compiled and warm
    contestants = {
        name: in_process(lambda parser=parser: parser.parse_trees(words))  # type: ignore[misc]
        for name, parser in parsers.items()
    }
    costs = interleaved(contestants, setting.repeats, setting.tell)
    rows = []
    for name, (_, training) in taught.items():
        cells = {
            "contestant": name,
            **_scores(gold, parses[name]),
            "training s": training.cpu,
            "CPU s": costs[name].cpu,
        }
        rows.append(Row(cells, Target("F1", ">=", 70, "") if whole and real and name == _CHART else None, costs[name]))
    if whole and real:
        rows.append(Row(dict(rows[-1].cells), Target("gaps", ">=", 30, "")))
        rows.append(Row(dict(rows[-1].cells), Target("CPU s", "<=", 11.6 / 5, " s")))
        rows += [Row({"contestant": name, **cells}) for name, cells in _ELSEWHERE.items()]
    notes = [
        f"{len(learned)} trees to learn from, {len(gold)} to parse, {'PCC' if real else 'bundled'}; "
        "functions in all parses; CPU s: parsing all of them, one thread, model loaded and compiled",
        *(["elsewhere: not run here, on the same trees on another machine"] if whole and real else []),
    ]
    return [Table("chart: phrase parsers on real trees (one process, CPU time)", rows, notes)]


def _trained(name: str, trees: Path, setting: Setting, whole: bool) -> tuple[str, Cost]:
    kind, options = _KINDS[name]
    given = options if whole else {**options, **_SMALL[kind]}
    output = setting.folder / f"{name.replace(', ', '-')}.npz"
    made = []
    cost = in_process(
        lambda: made.append(train(kind, trees, output=output, preset="default" if whole else "tiny", options=given))
    )()
    return made[0].system, cost


def _scores(gold: Sequence[PhraseTree], parses: Sequence[PhraseTree | None]) -> dict[str, Cell]:
    scores: BracketScores = bracket_scores(gold, parses, counted_as(gold))
    names = {"F1": "f1", "with functions": "functions_f1", "gaps": "discontinuous_f1", "exact": "exact", "tags": "tags"}
    return {shown: scores.value(measure) for shown, measure in names.items()}
