"""The paper on Mandarin from its own data: every cell of Table 6 that its published surprisals allow."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from gardenpath.studies.reproduction.line import Line
from gardenpath.studies.reproduction.mandarin import OUTPUTS


@pytest.fixture(scope="module")
def found(ledger_of: Callable[[str], list[Line]]) -> list[Line]:
    return ledger_of("mandarin")


def test_table_6_to_three_decimals(found: list[Line]) -> None:
    cells = [one for one in found if one.table == "Table 6" and not one.system.endswith("-Xinhua")]
    assert len(cells) == 30
    assert {one.system for one in cells} == set(OUTPUTS)
    neural = [one for one in cells if one.system != "n-gram"]
    assert {(one.verdict, one.outcome) for one in neural} == {("recomputed", "equal")}
    ngram = [round(one.ours or 0, 3) for one in cells if one.system == "n-gram"]
    assert ngram == [0.560, 0.500, 0.500, 0.496, 0.575, 0.675]  # with ties as one half
    assert [one.outcome for one in cells if one.system == "n-gram"].count("equal") == 1  # the class without ties


def test_nothing_differs_and_what_is_not_computed_says_why(found: list[Line]) -> None:
    assert [one for one in found if one.outcome == "differs"] == []
    assert all(one.why for one in found if one.verdict != "recomputed")
    assert sum(one.outcome == "equal" for one in found if one.table == "Table 2") == 24


def test_garden_paths(found: list[Line]) -> None:
    """Figure 4: positive for objects; for subjects no model of CTB has a significant positive mean."""
    assert [one.ours for one in found if one.table == "Figure 4a"] == [1.0] * 4
    assert [one.ours for one in found if one.table == "Figure 4b"] == [0.0] * 5
    lstm = next(one for one in found if one.table == "Figure 4a" and one.system == "LSTM")
    assert "t(123) = 5.38, p < .001" in lstm.row


def test_table_1_is_that_of_lme4(found: list[Line]) -> None:
    """Twelve fits of glmer (R, lme4): estimates within 0.005, standard errors within 3 %, the same stars."""
    cells = [one for one in found if one.table == "Table 1" and one.ours is not None]
    assert len(cells) == 36
    assert [one for one in cells if one.outcome != "equal"] == []
    assert {one.measure for one in cells if one.kind == "cell"} == {"stars"}  # the estimates are not the paper's
    stars = {(one.system, one.row): one.ours for one in cells if one.measure == "stars" and one.ours}
    assert stars == {
        ("RNNG against LSTM", "Verb-Noun"): 2.0, ("RNNG against LSTM", "Subordination"): 2.0,
        ("PLM against Transformer", "Garden Path Object"): 2.0,
    }  # fmt: skip


def test_table_5_has_the_printed_signs(found: list[Line]) -> None:
    cells = [one for one in found if one.table == "Table 5" and one.measure == "coefficient"]
    assert len(cells) == 12
    assert all((one.ours or 0) * float(one.published) > 0 for one in cells)
