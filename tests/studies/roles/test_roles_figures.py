"""The figures are made from findings alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from role_cases import SPOILED, parsed, perfect, roles, treebank_view

from gardenpath.report.figures.roles import figures
from gardenpath.runs.result.result import Result
from gardenpath.treebank import read
from spoil import spoiled


@pytest.mark.parametrize("count", [1, 2])
def test_figures_of_a_suite(count: int) -> None:
    suite = perfect()
    systems = dict([("a/one.conll", parsed(suite, SPOILED)), ("b/two.conll", parsed(suite))][:count])
    result = roles(suite, systems)
    made = figures(Result(result.signature, result.findings))
    assert [one.name for one in made] == [
        "roles-order", "roles-property", "roles-delta-property", "roles-delta-order", "roles-property-order",
    ]  # fmt: skip
    for one in made:
        (rows,) = one.data
        assert {row["system"] for row in rows} == {"one.conll", "two.conll"} if count == 2 else {"one.conll"}
        assert all({"value", "n"} <= set(row) for row in rows)
        assert one.caption.endswith(".")
    cells = {(row["property"], row["order"]): row["value"] for row in made[-1].data[0] if row["system"] == "one.conll"}
    assert cells["acc", "VF[O]LK[V]MF[S]"] == 0
    assert cells["aux", "VF[O]LK[V]MF[S]"] == 50


def test_figures_of_a_treebank(samples: Path) -> None:
    gold = read(samples / "de_garden-test.conllu")
    alone = figures(treebank_view(gold))
    assert [one.name for one in alone] == ["roles-frequency"]
    both = figures(treebank_view(gold, {"x": spoiled(gold, 1)}))
    assert [one.name for one in both] == ["roles-order", "roles-frequency"]
    assert all("share" in row for row in both[-1].data[0])


def test_no_findings_no_figures() -> None:
    assert figures(Result("")) == []
