"""`gardenpath roles` as a user calls it."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest

from calls import Capture
from calls import call as call_program
from gardenpath.runs import Run

CASES = Path(__file__).resolve().parents[1] / "suites" / "cases"
SUITE, TSV = str(CASES / "perfect.conll"), str(CASES / "perfect.tsv")
FIRST = "baseline:subject-first"


@pytest.fixture(scope="module")
def system(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The suite's gold with subject and object of its second item swapped."""
    head, second, *rest = (CASES / "perfect.conll").read_text("utf-8").split("\n\n")
    swapped = second.replace("\tobj\t", "\tX\t").replace("\tnsubj\t", "\tobj\t").replace("\tX\t", "\tnsubj\t")
    path = tmp_path_factory.mktemp("roles") / "parsed.conll"
    path.write_text("\n\n".join([head, swapped, *rest]), encoding="utf-8")
    return str(path)


call = partial(call_program, "roles")


def test_table(system: str, capsys: Capture) -> None:
    assert call(SUITE, system, "--by", "all", "--examples", "swapped") == 0
    shown = capsys.readouterr().out
    assert "parsed.conll  90.00" in shown
    assert "By order" in shown
    assert "all else equal" in shown
    assert "Einen Knochen/obj sucht der Hund/nsubj ." in shown
    assert "signature: study:roles|suite:perfect.conll#" in shown


def test_json_has_all_findings_with_full_precision(system: str, capsys: Capture) -> None:
    assert call(SUITE, system, "--baseline", FIRST, "--format", "json") == 0
    result = json.loads(capsys.readouterr().out)
    assert set(result) == {"signature", "findings", "failures", "verdicts"}
    assert "clusters:subject noun=1" in result["signature"]
    plain = {
        (one["system"], one["measure"]): one["value"]
        for one in result["findings"]
        if set(one) == {"study", "suite", "system", "measure", "value", "n", "low", "high"}
    }
    assert plain[system, "las"] == 90
    assert plain[FIRST, "las"] == 80
    assert {"las_difference", "las_delta", "items", "arcs"} <= {one["measure"] for one in result["findings"]}
    cells = [one for one in result["findings"] if {"property", "order"} <= set(one) and one["measure"] == "las"]
    assert len(cells) == 2 * 10


def test_conllu_kind_and_file_are_the_same(system: str, capsys: Capture) -> None:
    shown = []
    for name in (system, f"conllu:{system}"):
        assert call(SUITE, name, "--format", "tsv") == 0
        shown.append([line.split("\t")[3:] for line in capsys.readouterr().out.splitlines()])
    assert shown[0] == shown[1]


def test_baseline_alone_and_suite_without_heads(capsys: Capture) -> None:
    assert call(TSV, FIRST) == 0
    shown = capsys.readouterr().out
    assert "80.00" in shown
    assert "no gold heads" in shown
    assert "LAS" not in shown


def test_run_folder(system: str, tmp_path: Path) -> None:
    target, folder = tmp_path / "out.tsv", tmp_path / "run"
    for _ in range(2):  # the second time the run is there already
        assert call(SUITE, system, "--format", "tsv", "-o", str(target), "--run", str(folder)) == 0
    run = Run.load(folder)
    assert run.finished
    assert len(run.observations()) == 20
    assert target.read_text("utf-8").startswith("study\tsuite\tsystem\t")


def test_treebank_view(samples: Path, tmp_path: Path, capsys: Capture) -> None:
    gold = str(samples / "de_garden-test.conllu")
    assert call(gold, FIRST) == 0
    shown = capsys.readouterr().out
    assert "What tells subject and object apart" in shown
    assert "6 more tables: --by all" in shown
    assert call(gold, FIRST, "--by", "all", "--run", str(tmp_path / "run")) == 0
    shown = capsys.readouterr().out
    assert "clauses with subject, verb and object" in shown
    assert "VF[O]LK[V]MF[S]" in shown
    assert "By definiteness" in shown
    assert "spearman" in shown
    assert len(Run.load(tmp_path / "run").observations()) > 20
    assert call(gold, "--format", "json") == 0
    findings = json.loads(capsys.readouterr().out)["findings"]
    assert {one["measure"] for one in findings} == {"clauses", "share", "share_lead", "share_lead_p"}


def test_conditions(system: str, capsys: Capture) -> None:
    assert call_program("check", SUITE, system, "--min", "roles.las>=90") == 0
    capsys.readouterr()
    assert call_program("check", SUITE, system, "--min", "roles.uas>=50", "--min", "roles.las>=90.5") == 1
    assert "roles.las>=90.5 fails with 90.00" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "no system is named"),
        (["{system}", "--examples", "swappd"], "did you mean swapped"),
        (["{system}", "--set", "release=2021"], "unknown release"),
    ],
)
def test_bad_calls(arguments: list[str], message: str, system: str, capsys: Capture) -> None:
    assert call(SUITE, *(one.format(system=system) for one in arguments)) == 2
    assert message in capsys.readouterr().err


def test_examples_of_a_treebank_are_of_its_clauses(capsys: Capture) -> None:
    assert call("bundled:de-test", FIRST, "--examples", "swapped") == 2
    assert "unknown order, pattern, kind or clue" in capsys.readouterr().err


def test_label_bound_on_a_suite_without_heads(capsys: Capture) -> None:
    assert call_program("check", TSV, FIRST, "--min", "roles.las>=80") == 2
    assert "unknown measure 'las'" in capsys.readouterr().err
    assert call_program("check", TSV, FIRST, "--min", "roles.label>=80") == 0


def test_subject_first_is_no_baseline_for_prepositions(capsys: Capture) -> None:
    pp = str(CASES / "pp-perfect.conll")
    assert call(pp, FIRST) == 2
    assert "says nothing about prepositions" in capsys.readouterr().err
    assert call(pp, "baseline:right-branching") == 0


def test_another_file_is_refused_before_anything_is_written(samples: Path, tmp_path: Path, capsys: Capture) -> None:
    target = tmp_path / "out.txt"
    assert call(SUITE, str(samples / "de_garden-test.conllu"), "-o", str(target)) == 2
    assert "sentence 1 differs: gold has 'Der Hund sucht" in capsys.readouterr().err
    assert not target.exists()


def test_figures_and_kept_trees(system: str, tmp_path: Path, capsys: Capture) -> None:
    folder = tmp_path / "figures"
    assert call(SUITE, system, "--run", str(tmp_path / "run")) == 0
    assert call_program("report", tmp_path / "run", "--to", "figures", "-o", folder) == 0
    assert len({path.stem for path in folder.iterdir()}) == 5
    assert {path.suffix for path in folder.iterdir()} == {".svg", ".pdf", ".tsv"}
    assert Path(system).read_bytes() in [path.read_bytes() for path in (tmp_path / "run" / "trees").iterdir()]
