"""Traces are no words: parsers learn from trees without them, as evaluation by evalb leaves them out too."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from pathlib import Path

import pytest

import gardenpath as gp
from gardenpath.phrase import to_notation
from gardenpath.phrase.brackets import Labels
from gardenpath.phrase.penn import read_penn
from gardenpath.phrase.source import stream, write
from gardenpath.phrase.traces import without_traces
from gardenpath.systems import train

PENN = """( (S (NP-SBJ-1 (NNP Rudolph)) (VP (VBD was) (VP (VBN named) (S (NP-SBJ (-NONE- *-1)) (NP-PRD (NN chief)))))
  (. .)))
( (SBARQ (WHNP=2 (WP What)) (SQ (VBZ is) (NP (-NONE- *T*-2)) (NP-SBJ (PRP it)))))
"""


def test_traces_go_with_the_nodes_that_hold_nothing_else() -> None:
    trees, count = without_traces(list(read_penn(PENN)))
    assert count == 2
    assert list(map(to_notation, trees)) == [
        "(S (NP:SBJ (NNP Rudolph)) (VP (VBD was) (VP (VBN named) (S (NP:PRD (NN chief))))) (. .))",
        "(SBARQ (WHNP (WP What)) (SQ (VBZ is) (NP:SBJ (PRP it))))",
    ]
    assert trees == list(read_penn(PENN, labels=Labels(empty=False, indices=False)))


def test_without_traces_numbers_stay() -> None:
    trees = list(read_penn("( (S (NP-SBJ-1 (NN dog)) (VP (VBZ barks))))"))
    assert without_traces(trees) == (trees, 0)


def test_the_reader_that_leaves_them_out_agrees_on_real_trees(file_named: Callable[[str], Path]) -> None:
    path = file_named("phrase/ptb-sample/wsj-sample.mrg")
    trees, count = without_traces(list(islice(stream(path), 150)))
    assert trees == list(islice(stream(path, labels=Labels(empty=False, indices=False)), 150))
    assert count > 100


def test_parsers_learn_without_traces_and_say_how_many_there_were(tmp_path: Path) -> None:
    pytest.importorskip("numba", reason="the extra pcfg is not installed")
    lines: list[str] = []
    (tmp_path / "wsj.mrg").write_text(PENN)
    trained = train("pcfg", tmp_path / "wsj.mrg", output=tmp_path / "m.npz", progress=lines.append)
    assert lines[0].endswith("wsj.mrg: 2 traces left out, and the numbers of functions")
    assert trained.card["train"]["words"] == 8


def test_evaluation_leaves_traces_out_unless_they_are_asked_for(tmp_path: Path) -> None:
    gold, bare = tmp_path / "wsj.mrg", tmp_path / "bare.mrg"
    gold.write_text(PENN)
    write(without_traces(list(read_penn(PENN)))[0], bare, "penn")
    for parses in (gold, bare):
        result = gp.evaluate(gold, str(parses), parameters="all")
        assert {one.measure: one.value for one in result.findings}["f1"] == 100
        assert "|traces:left out=2|" in str(result.signature)
    kept = gp.evaluate(gold, str(gold), parameters="all", traces=True)
    assert "|traces:yes|" in str(kept.signature)
    words = [next(one.n for one in scored.findings if one.measure == "tags") for scored in (result, kept)]
    assert words == [8, 10]
