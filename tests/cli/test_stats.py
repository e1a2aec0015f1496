"""`gardenpath stats model` and `ratio` on a run and on a table."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from gardenpath.cli.main import main

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


def test_one_finding_per_effect_and_measure(table: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("model", table, "value ~ system + (1|item)", "-f", "json", "--p", "satterthwaite") == 0
    result = json.loads(capsys.readouterr().out)
    found = {(one.get("effect"), one["measure"]): one["value"] for one in result["findings"]}
    assert 0.6 < found["system=b", "estimate"] < 1.4
    assert found["system=b", "p"] < 0.01
    assert {"estimate", "se", "statistic", "p", "df"} <= {measure for _, measure in found}
    assert result["converged"] is True
    assert "model:value ~ system + (1/item)" in result["signature"]


def test_binomial_table_and_warnings(table: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("model", table, "right ~ system + (1|item)", "--family", "binomial") == 0
    shown = capsys.readouterr().out
    assert "Random effects" in shown
    assert "system=b" in shown


def test_ratio(table: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("ratio", table, "value ~ 1 + (1|item)", "value ~ system + (1|item)", "-f", "json") == 0
    found = {one["measure"]: one["value"] for one in json.loads(capsys.readouterr().out)["findings"]}
    assert found["freedom"] == 1
    assert found["p"] < 0.001


def test_a_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = str(tmp_path / "run")
    with pytest.raises(SystemExit):
        main(["roles", "bundled:de-roles", "baseline:subject-first", "--run", run])
    capsys.readouterr()
    assert call("model", run, "value ~ variations + (1|item)", "-f", "tsv") == 0
    assert "estimate" in capsys.readouterr().out


def test_bad_calls(table: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("model", table, "value ~ sytem + (1|item)") == 2
    assert "did you mean system" in capsys.readouterr().err
    assert call("model", str(tmp_path / "none.tsv"), "value ~ system + (1|item)") == 2
    assert call("model", table, "right ~ system + (1|item)", "--family", "binomial", "--p", "satterthwaite") == 2
    assert "linear models" in capsys.readouterr().err
