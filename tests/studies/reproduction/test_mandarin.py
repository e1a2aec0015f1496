"""The paper on Mandarin from its own data: every cell that its published surprisals allow."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from gardenpath.studies.reproduction.line import Line, digits
from gardenpath.studies.reproduction.mandarin import NEURAL, OUTPUTS


@pytest.fixture(scope="module")
def ledger(ledger_of: Callable[[str], list[Line]]) -> list[Line]:
    return ledger_of("mandarin")


def test_table_6_to_three_decimals(ledger: list[Line]) -> None:
    cells = [line for line in ledger if line.table == "Table 6"]
    assert {line.system for line in cells} == set(OUTPUTS)
    neural = [line for line in cells if line.system in NEURAL]
    assert len(neural) == 48
    assert {(line.verdict, line.outcome) for line in neural} == {("recomputed", "equal")}
    ngram = [round(line.ours or 0, 3) for line in cells if line.system == "n-gram"]
    assert ngram == [0.560, 0.500, 0.500, 0.496, 0.575, 0.675]  # with ties as one half
    for system in ("n-gram", "n-gram-Xinhua"):  # the class without ties
        assert [line.outcome for line in cells if line.system == system].count("equal") == 1


def test_what_differs_and_what_cannot_be_had_says_why(ledger: list[Line]) -> None:
    """Two marks of significance."""
    differs = {
        (line.table, line.row.partition(":")[0], line.system, line.measure, line.kind): line.why
        for line in ledger
        if line.outcome == "differs"
    }
    assert set(differs) == {
        ("Table 1", "Missing Object", "PLM-Xinhua against Transformer-Xinhua", "stars", "cell"),
        ("Figure 4b", "Garden Path Subject", "RNNG-Xinhua", "p below .001", "check"),
    }
    assert all(differs.values())
    assert all(line.why for line in ledger if line.verdict != "recomputed")
    assert sum(line.outcome == "equal" for line in ledger if line.table == "Table 2") == 24


def test_garden_paths(ledger: list[Line]) -> None:
    """Figure 4: positive for objects; for subjects RNNG-Xinhua alone has a significant positive mean."""
    assert [line.ours for line in ledger if line.table == "Figure 4a"] == [1.0] * 12
    significant = [line.ours for line in ledger if line.measure == "significantly above 0"]
    assert significant == [0.0] * 7 + [1.0] + [0.0] * 2
    lstm = next(line for line in ledger if line.table == "Figure 4a" and line.system == "LSTM")
    assert "t(123) = 5.38, p < .001" in lstm.row


def test_table_1_is_that_of_lme4(ledger: list[Line]) -> None:
    """Fits of glmer (R, lme4): estimates within 0.005, standard errors within 3 %, the same stars but one."""
    cells = [line for line in ledger if line.table == "Table 1" and line.ours is not None]
    assert len(cells) == 3 * 8
    assert {line.measure for line in cells if line.kind == "cell"} == {"stars"}  # the estimates are not the paper's
    assert [line.published for line in cells if line.outcome != "equal"] == ["-3"]
    assert max(abs(line.difference or 0) for line in cells if line.measure == "estimate") < 0.002
    stars = {(line.system, line.row): line.ours for line in cells if line.measure == "stars" and line.ours}
    assert stars == {
        ("RNNG against LSTM", "Verb-Noun"): 2.0, ("RNNG against LSTM", "Subordination"): 2.0,
        ("PLM against Transformer", "Garden Path Object"): 2.0,
        ("RNNG-Xinhua against LSTM-Xinhua", "Verb-Noun"): -1.0,
        ("RNNG-Xinhua against LSTM-Xinhua", "Subordination"): 2.0,
        ("PLM-Xinhua against Transformer-Xinhua", "Classifier-Noun"): 2.0,
        ("PLM-Xinhua against Transformer-Xinhua", "Garden Path Object"): -1.0,
        ("PLM-Xinhua against Transformer-Xinhua", "Missing Object"): -2.0,
    }  # fmt: skip


def test_table_5_to_the_printed_digits(ledger: list[Line]) -> None:
    """The paper cuts digits off: our value, cut, is the printed one or rounds to it."""
    cells = [line for line in ledger if line.table == "Table 5" and line.measure == "coefficient"]
    assert len(cells) == 12
    assert {(line.verdict, line.outcome) for line in cells} == {("recomputed", "equal")}
    for line in cells:
        scale = 10.0 ** digits(line.published)
        cut, near = (kind(round((line.ours or 0) * scale, 6)) / scale for kind in (math.trunc, round))
        assert float(line.published) in (cut, near)
