"""The paper on Mandarin from its own data: every cell of Table 6 that its published surprisals allow."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from gardenpath.studies.reproduction.line import Line
from gardenpath.studies.reproduction.mandarin import NEURAL, OUTPUTS, lines


@pytest.fixture(scope="module")
def found(shared: Path) -> list[Line]:
    return lines(lambda name: shared / "surprisal" / "mandarin")


def test_table_6_to_three_decimals(found: list[Line]) -> None:
    cells = [one for one in found if one.table == "Table 6"]
    assert len(cells) == 60
    assert {one.system for one in cells} == set(OUTPUTS)
    neural = [one for one in cells if one.system in NEURAL]
    assert len(neural) == 48
    assert {one.verdict for one in neural} == {"equal"}
    ngram = [round(one.ours or 0, 3) for one in cells if one.system == "n-gram"]
    assert ngram == [0.560, 0.500, 0.500, 0.496, 0.575, 0.675]  # with ties as one half
    assert [one.verdict for one in cells if one.system == "n-gram"].count("equal") == 1  # the class without ties
    assert [one.verdict for one in cells if one.system == "n-gram-Xinhua"].count("equal") == 1


def test_what_differs_and_what_is_not_computed_says_why(found: list[Line]) -> None:
    """Two marks of significance that lme4 does not give either."""
    differs = {(one.table, one.row.partition(":")[0], one.system, one.measure): one.why for one in found
               if one.verdict == "differs"}  # fmt: skip
    assert set(differs) == {
        ("Table 1", "Missing Object", "PLM-Xinhua against Transformer-Xinhua", "stars"),
        ("Figure 4b", "Garden Path Subject", "RNNG-Xinhua", "p below .001"),
    }
    assert all(differs.values())
    assert all(one.why for one in found if one.verdict in ("not computed", "other data"))
    assert sum(one.verdict == "equal" for one in found if one.table == "Table 2") == 24


def test_garden_paths(found: list[Line]) -> None:
    """Figure 4: positive for objects; for subjects RNNG-Xinhua alone has a significant positive mean."""
    assert [one.ours for one in found if one.table == "Figure 4a"] == [1.0] * 12
    significant = [one.ours for one in found if one.measure == "significantly above 0"]
    assert significant == [0.0] * 7 + [1.0] + [0.0] * 2
    lstm = next(one for one in found if one.table == "Figure 4a" and one.system == "LSTM")
    assert "t(123) = 5.38, p < .001" in lstm.row


def test_table_1_is_that_of_lme4(found: list[Line]) -> None:
    """24 fits of glmer (R, lme4): estimates within 0.005, standard errors within 3 %, the same stars but one."""
    cells = [one for one in found if one.table == "Table 1"]
    assert len(cells) == 72
    assert [one.published for one in cells if one.verdict != "equal"] == ["-3"]
    assert max(abs(one.difference or 0) for one in cells if one.measure == "estimate") < 0.002
    stars = {(one.system, one.row): one.ours for one in cells if one.measure == "stars" and one.ours}
    assert stars == {
        ("RNNG against LSTM", "Verb-Noun"): 2.0, ("RNNG against LSTM", "Subordination"): 2.0,
        ("PLM against Transformer", "Garden Path Object"): 2.0,
        ("RNNG-Xinhua against LSTM-Xinhua", "Verb-Noun"): -1.0,
        ("RNNG-Xinhua against LSTM-Xinhua", "Subordination"): 2.0,
        ("PLM-Xinhua against Transformer-Xinhua", "Classifier-Noun"): 2.0,
        ("PLM-Xinhua against Transformer-Xinhua", "Garden Path Object"): -1.0,
        ("PLM-Xinhua against Transformer-Xinhua", "Missing Object"): -2.0,
    }  # fmt: skip


def test_table_5_to_the_printed_digits(found: list[Line]) -> None:
    """The paper cuts digits off: our value, cut, is the printed one or rounds to it."""
    cells = [one for one in found if one.table == "Table 5"]
    assert len(cells) == 12
    assert {one.verdict for one in cells} == {"equal"}
    for one in cells:
        scale = 10.0**one.digits
        cut, near = (kind(round((one.ours or 0) * scale, 6)) / scale for kind in (math.trunc, round))
        assert float(one.published) in (cut, near)
