"""`gardenpath stats` on a run and on a table: models, tests of two models, groups, marks; the paper's Table 1."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gardenpath.cli.main import main
from gardenpath.errors import GardenpathError
from gardenpath.runs.record.run import Run
from gardenpath.runs.result.observations import Observations
from gardenpath.runs.result.result import Result
from gardenpath.studies.engine.mixed_models import mixed_models

pytest.importorskip("mixedlm")


def call(*arguments: str) -> int:
    with pytest.raises(SystemExit) as stop:
        main(["stats", *arguments])
    return int(stop.value.code or 0)


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> str:
    generator = np.random.default_rng(8)
    path = tmp_path_factory.mktemp("stats") / "table.tsv"
    effects = generator.normal(size=20)
    lines = ["item\tsystem\tvalue\tright"]
    for item in range(20):
        for system, shift in (("a", 0.0), ("b", 1.0)):
            for _ in range(3):
                value = effects[item] + shift + generator.normal()
                lines.append(f"i{item}\t{system}\t{value:.4f}\t{int(value > 0)}")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two systems, three seeds, four suites of ten items; the second system is right more often."""
    draw = np.random.default_rng(1)
    rows = [
        (suite, str(item), system, seed)
        for suite in ("a", "b", "c", "d")
        for item in range(10)
        for system in ("plain", "tree")
        for seed in range(3)
    ]
    suite, item, system, seed = (list(column) for column in zip(*rows, strict=True))
    right = draw.random(len(rows)) < np.where(np.array(system) == "tree", 0.8, 0.5)
    outcome = np.where(right, "right", "wrong").tolist()
    outcome[0] = "tie"
    columns = {
        "study": "surprisal", "suite": suite, "item": item, "condition": "c", "system": system, "seed": seed,
        "unit": "prediction 1", "outcome": outcome, "value": right.astype(float).tolist(), "class": "X",
        "modifier": suite, "kind": None,
    }  # fmt: skip
    folder = tmp_path_factory.mktemp("stats") / "run"
    with Run.open(folder, command="surprisal", settings={}) as record:
        record.finish(Result("study:surprisal"), Observations(columns))
    return folder


def values(result: Any, effect: str) -> dict[str, Any]:
    return {finding.measure: finding for finding in result.findings if finding.by.get("effect") == effect}


def test_one_finding_per_effect_and_measure(table: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(table, "value ~ system + (1|item)", "-f", "json", "--set", "p=satterthwaite") == 0
    result = json.loads(capsys.readouterr().out)
    found = {(one.get("effect"), one["measure"]): one["value"] for one in result["findings"]}
    assert 0.6 < found["system=b", "estimate"] < 1.4
    assert found["system=b", "p"] < 0.01
    assert {"estimate", "se", "statistic", "p", "df"} <= {measure for _, measure in found}
    assert result["converged"] is True
    assert "model:value ~ system + (1/item)|family:gaussian" in result["signature"]


def test_a_response_with_two_values_makes_a_binomial_model(table: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(table, "right ~ system + (1|item)") == 0
    shown = capsys.readouterr().out
    assert "right ~ system + (1|item) (binomial, 120 rows)" in shown
    assert "Random effects" in shown
    assert call(table, "right ~ system + (1|item)", "--family", "gaussian") == 0
    assert "(gaussian, 120 rows)" in capsys.readouterr().out


def test_two_formulas_are_a_likelihood_ratio_test(table: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(table, "value ~ 1 + (1|item)", "value ~ system + (1|item)", "-f", "json") == 0
    found = {one["measure"]: one["value"] for one in json.loads(capsys.readouterr().out)["findings"]}
    assert found["freedom"] == 1
    assert found["p"] < 0.001


def test_the_run_of_a_study(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(tmp_path / "run")
    with pytest.raises(SystemExit):
        main(["roles", "bundled:de-roles", "baseline:subject-first", "--run", folder])
    capsys.readouterr()
    assert call(folder, "value ~ variations + (1|item)", "--family", "gaussian", "-f", "tsv") == 0
    assert "estimate" in capsys.readouterr().out


def test_table_1_of_the_paper_from_its_surprisals(shared: Path, tmp_path: Path) -> None:
    """lme4: 0.5066 (0.1953), p .0095; seeds by their names are those of the paper in this class."""
    from gardenpath.studies.engine.study import run as carry_out
    from gardenpath.studies.surprisal.study import SURPRISAL
    from gardenpath.suites.regions.reader import read_region_suite

    place = shared / "surprisal" / "mandarin"
    suites = [
        read_region_suite(place / "test_suites" / "Verb_Noun" / f"vo_{name}_txt.txt")
        for name in ("none", "adj", "obj", "sub")
    ]
    systems = {
        name: f"surprisals:{place / 'surprisals'}/{name.lower()}_outputs#match=order" for name in ("LSTM", "RNNG")
    }
    carry_out(SURPRISAL, suites, systems, folder=tmp_path / "run")
    formula = "outcome ~ syntax + (1|modifier) + (1|item) + (1|seed)"
    result = mixed_models(tmp_path / "run", formula, by="class", marks=["syntax=RNNG"])
    effect = values(result, "syntax")
    assert effect["estimate"].value == pytest.approx(0.5066, abs=0.005)
    assert effect["se"].value == pytest.approx(0.1953, rel=0.03)
    assert effect["p"].value == pytest.approx(0.0095, abs=0.0005)
    assert {finding.by["class"] for finding in result.findings} == {"Verb-Noun"}
    assert result.tables[0].title.startswith("Verb-Noun: outcome ~ syntax")
    assert "models that did not converge" not in result.failures


def test_a_tie_is_left_out_of_a_binomial_model_and_counted(run: Path) -> None:
    result = mixed_models(run, "outcome ~ system + (1|item)")
    assert result.failures["ties left out of models"] == 1
    estimate = values(result, "system=tree")["estimate"]
    assert (estimate.n, estimate.value > 0) == (239, True)


def test_accuracy_is_that_of_a_suite_by_a_seed(run: Path) -> None:
    estimate = values(mixed_models(run, "accuracy ~ system + (1|suite)"), "system=tree")["estimate"]
    assert estimate.n == 24  # 4 suites, 2 systems, 3 seeds
    frame = Run.load(run).observations()
    means = {name: frame.filter(frame["system"] == name)["value"].mean() for name in ("plain", "tree")}
    assert estimate.value == pytest.approx(means["tree"] - means["plain"])  # balanced: the difference of the means


def test_a_model_for_each_group_is_the_model_of_its_rows_alone(table: str, tmp_path: Path) -> None:
    lines = Path(table).read_text(encoding="utf-8").splitlines()
    (tmp_path / "b.tsv").write_text("\n".join(line for line in lines if "\ta\t" not in line), encoding="utf-8")
    both = mixed_models(table, "value ~ 1 + (1|item)", by="system")
    alone = mixed_models(tmp_path / "b.tsv", "value ~ 1 + (1|item)")
    kept = [(one.measure, one.value) for one in both.findings if one.by["system"] == "b"]
    assert kept == [(one.measure, one.value) for one in alone.findings]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("value ~ sytem + (1|item)",), "did you mean system"),
        (("outcome ~ syntax + (1|item)",), "unknown column 'syntax'"),
        (("right ~ system + (1|item)", "--set", "p=satterthwaite"), "linear models"),
        (("value ~ 1 + (1|item)", "value ~ system + (1|item)", "--set", "p=satterthwaite"), "takes p from chi-square"),
        (("value ~ system + (1|item)", "--by", "itm"), "did you mean item"),
        (("value ~ x + (1|item)", "--mark", "x"), "marks nothing"),
        (("value ~ x + (1|item)", "--mark", "x=c"), "unknown system 'c'"),
        (("value ~ x + (1|item)", "--mark", "right=a"), "there is a column right already"),
    ],
)
def test_what_is_refused(
    arguments: tuple[str, ...], message: str, table: str, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = Path(table).read_text(encoding="utf-8").replace("value\tright", "value\tright\toutcome", 1).splitlines()
    Path(table).with_name("more.tsv").write_text(
        "\n".join([lines[0], *(f"{line}\tright" for line in lines[1:])]), encoding="utf-8"
    )
    given = "more.tsv" if "outcome" in arguments[0] else "table.tsv"
    assert call(str(Path(table).with_name(given)), *arguments) == 2
    assert message in capsys.readouterr().err


def test_files_that_cannot_be_used(run: Path, tmp_path: Path) -> None:
    assert call(str(tmp_path / "none.tsv"), "value ~ system + (1|item)") == 2
    with pytest.raises(GardenpathError, match="the column kind is empty"):
        mixed_models(run, "outcome ~ system + (1|item)", by="kind")
