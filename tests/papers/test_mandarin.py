"""The paper on Mandarin from its own data: every cell that its published surprisals allow."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable

import pytest

from gardenpath_papers.ledger import Line, digits
from gardenpath_papers.mandarin import OUTPUTS

NEURAL = {name for name in OUTPUTS if not name.startswith("n-gram")}


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
    """Marks and bounds of significance."""
    differs = {
        (line.table, line.system, line.measure, line.kind): line.why for line in ledger if line.outcome == "differs"
    }
    assert set(differs) == {
        ("Table 1", "PLM-Xinhua against Transformer-Xinhua", "stars", "cell"),
        ("Section 4", "Transformer-Xinhua against Transformer", "p", "text"),
        ("Section 4.2", "RNNG-Xinhua", "p", "text"),
    }
    assert all(differs.values())
    assert all(line.why for line in ledger if line.verdict not in ("recomputed", "not printed"))
    assert sum(line.outcome == "equal" for line in ledger if line.table == "Table 2") == 24


def test_garden_paths(ledger: list[Line]) -> None:
    """Figure 4: positive for objects; for subjects RNNG-Xinhua alone has a significant positive mean."""
    assert [line.ours for line in ledger if line.table == "Figure 4a" and line.kind == "check"] == [1.0] * 12
    significant = [line.ours for line in ledger if line.measure == "significantly above 0"]
    assert significant == [0.0] * 7 + [1.0] + [0.0] * 2
    lstm = next(line for line in ledger if line.table == "Figure 4a" and line.system == "LSTM" and line.kind == "check")
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
    """The paper cuts digits off: our value, cut, is the printed one or rounds to it. Marks by the model with slopes."""
    stars = [line for line in ledger if line.table == "Table 5" and line.measure == "stars" and line.ours is not None]
    assert [(line.system, line.ours, line.outcome) for line in stars] == [("RNNG", mark, "equal") for mark in (0, 0, 3)]
    cells = [line for line in ledger if line.table == "Table 5" and line.measure == "coefficient"]
    assert len(cells) == 12
    assert {(line.verdict, line.outcome) for line in cells} == {("recomputed", "equal")}
    for line in cells:
        scale = 10.0 ** digits(line.published)
        cut, near = (kind(round((line.ours or 0) * scale, 6)) / scale for kind in (math.trunc, round))
        assert float(line.published) in (cut, near)


def test_the_models_of_the_text_are_those_of_lme4(ledger: list[Line]) -> None:
    """Linear models with random slopes, by R's lmer: estimates within 0.002, standard errors within 3 %."""
    checks = [
        line
        for line in ledger
        if line.table in ("Section 4", "Appendix D.1", "Table 5") and line.kind == "check" and line.ours is not None
    ]
    assert Counter(line.measure for line in checks) == {"estimate": 5, "se": 8}
    assert {line.outcome for line in checks} == {"equal"}
    text = {(line.table, line.row, line.system): line for line in ledger if line.kind == "text" and line.ours}
    assert len(text) == 5
    size = text["Section 4", "data size, all classes", "Transformer-Xinhua against Transformer"]
    assert size.ours == pytest.approx(0.0501, abs=2e-4)  # the paper: < .05
    assert text["Section 4", "Subordination", "RNNG against LSTM-Xinhua"].ours == pytest.approx(0.9386, abs=1e-3)
    assert text["Section 4.2", "Garden Path Subject, t-test", "RNNG-Xinhua"].ours == pytest.approx(0.0174, abs=5e-4)
    by_seed = next(line.ours for line in ledger if line.row.endswith("items × seeds"))
    assert by_seed == pytest.approx(0.003, abs=5e-4)


def test_figures_of_both_sizes_of_data(ledger: list[Line]) -> None:
    """What the text says of Figures 1, 3 and 6 holds; their bars are the suites' accuracies."""
    checks = Counter(line.table for line in ledger if line.table.startswith("Figure") and line.kind == "check")
    assert checks == {"Figure 1": 14, "Figure 3": 6, "Figure 4a": 12, "Figure 4b": 13, "Figure 6": 17}
    assert {line.outcome for line in ledger if line.kind == "check" and line.table.startswith("Figure")} == {"equal"}
    heights = Counter(line.table for line in ledger if line.kind == "ours")
    assert heights == {"Figure 2": 10, "Figure 4a": 10, "Figure 4b": 10, "Figure 6": 32, "Figure 7": 240,
                       "Section 4.2": 1}  # fmt: skip
    suites = [line.ours for line in ledger if line.table == "Figure 7" and line.system == "LSTM"]
    cells = [line.ours for line in ledger if line.table == "Table 6" and line.system == "LSTM"]
    means = [sum(value or 0 for value in suites[at : at + 4]) / 4 for at in range(0, 24, 4)]
    order = ["cls", "gpo", "gps", "vo", "mobj", "sd"]
    rows = [
        line.suite[: line.suite.index("_")] for line in ledger if line.table == "Figure 7" and line.system == "LSTM"
    ]
    by_class = dict(zip(rows[::4], means, strict=True))
    assert [by_class[key] for key in order] == pytest.approx(cells)
