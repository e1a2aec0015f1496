"""`gardenpath evaluate` with phrase trees, as a user calls it."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest

from calls import Capture
from calls import call as call_program
from gardenpath.cli.main import main
from gardenpath.phrase import from_notation
from gardenpath.phrase.formats.source import write
from gardenpath.runs import Run

GOLD = [
    "(S (NP:SB (ART:NK Die) (NN:NK Katze)) (VVFIN:HD sieht) (NP:OA (ART:NK den) (NN:NK Hund))) ($. .)",
    "(S (PPER:SB Er) (VVFIN:HD bellt) (PP:MO (APPRART:AC am) (NN:NK Zaun))) ($. .)",
]
PARSED = [
    "(S (NP:OA (ART:NK Die) (NN:NK Katze)) (VVFIN:HD sieht) (NP:SB (ART:NK den) (NN:NK Hund))) ($. .)",
    "(S (PPER:SB Er) (VVFIN:HD bellt) (APPRART:AC am) (NN:NK Zaun)) ($. .)",
]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    folder = tmp_path_factory.mktemp("phrases")
    for name, lines in (("gold", GOLD), ("parsed", PARSED)):
        write([from_notation(line, str(number)) for number, line in enumerate(lines, 1)], folder / f"{name}.export")
    return str(folder / "gold.export"), str(folder / "parsed.export")


call = partial(call_program, "evaluate")


def test_table(files: tuple[str, str], capsys: Capture) -> None:
    assert call(*files, "--scheme", "tiger", "--by", "label,function,length") == 0
    shown = capsys.readouterr().out
    assert "labelled F1" in shown
    assert f"{100 * 8 / 9:.2f}" in shown
    assert "By function" in shown
    assert "signature: study:brackets|gold:gold.export#" in shown
    assert "scheme:tiger" in shown


def test_json_of_two_systems_and_a_limit_of_length(files: tuple[str, str], capsys: Capture) -> None:
    systems = ["baseline:right-branching", f"trees:{files[1]}"]
    assert call(files[0], *systems, "--set", "max_length=5", "--format", "json") == 0
    result = json.loads(capsys.readouterr().out)
    found = {one["system"]: one for one in result["findings"] if one["measure"] == "recall"}
    assert {name: one["n"] for name, one in found.items()} == dict.fromkeys(systems, 2)
    assert any(one["measure"] == "f1_difference" for one in result["findings"])
    assert "max_length:5" in result["signature"]


def test_a_run_is_kept_and_reported(files: tuple[str, str], tmp_path: Path) -> None:
    folder = tmp_path / "run"
    for _ in range(2):  # the second time the run is there already
        assert call(*files, "--scheme", "tiger", "--run", str(folder), "-o", str(tmp_path / "out.txt")) == 0
    run = Run.load(folder)
    assert run.finished
    assert len(run.observations()) == 2
    assert list(run.trees()) == ["gold", files[1]]
    with pytest.raises(SystemExit) as stop:
        main(["report", str(folder), "-o", str(tmp_path / "page.html")])
    assert not stop.value.code
    assert (tmp_path / "page.html").stat().st_size > 10_000


def test_conditions(files: tuple[str, str], capsys: Capture) -> None:
    assert call_program("check", *files, "--min", "brackets.f1>=50") == 0
    assert call_program("check", *files, "--min", "brackets.f1>=95", "--min", "brackets.exact>=10") == 1
    assert "brackets.f1>=95 fails with 88.89" in capsys.readouterr().err
    assert call_program("check", *files, "--min", "brackets.las>=10") == 2
    assert "unknown measure 'las'" in capsys.readouterr().err


@pytest.mark.parametrize(("arguments", "message"), [(["--scheme", "tigr"], "did you mean tiger")])
def test_bad_calls(arguments: list[str], message: str, files: tuple[str, str], capsys: Capture) -> None:
    assert call(*files, *arguments) == 2
    assert message in capsys.readouterr().err


def test_the_two_kinds_of_gold_are_not_mixed(files: tuple[str, str], samples: Path, capsys: Capture) -> None:
    assert call(files[0], "baseline:nearest-head") == 2
    assert "a phrase parser is needed here" in capsys.readouterr().err
    assert call(str(samples / "de_garden-test.conllu"), f"trees:{files[1]}") == 2
    assert "this is a phrase parser" in capsys.readouterr().err


def test_a_file_of_other_sentences(files: tuple[str, str], tmp_path: Path, capsys: Capture) -> None:
    other = tmp_path / "other.export"
    write([from_notation(GOLD[0].replace("Katze", "Kuh"), "1"), from_notation(GOLD[1], "2")], other)
    assert call(files[0], str(other)) == 2
    assert "sentence 1 differs: token 2 is 'Katze' in the input and 'Kuh' in the tree" in capsys.readouterr().err


def test_a_grammar_trained_here_is_a_system(files: tuple[str, str], tmp_path: Path, capsys: Capture) -> None:
    """Trained on the gold trees, which are unambiguous, it gives them back."""
    pytest.importorskip("numba", reason="the extra pcfg is not installed")
    model = tmp_path / "gold.npz"
    with pytest.raises(SystemExit) as stop:
        main(["train", "pcfg", files[0], "-o", str(model), "--scheme", "tiger", "--set", "functions=yes"])
    assert not stop.value.code
    capsys.readouterr()
    assert call(files[0], f"pcfg:{model}", "--scheme", "tiger", "--format", "json") == 0
    result = json.loads(capsys.readouterr().out)
    found = {one["measure"]: one["value"] for one in result["findings"]}
    assert (found["f1"], found["functions_f1"], found["las"], found["exact"]) == (100, 100, 100, 100)
    assert "kind:pcfg/model:" in result["signature"]


def test_seeds_of_a_model_are_one_system(tmp_path: Path, capsys: Capture) -> None:
    """Its scores are those of all seeds together; the interval knows that another seed would differ."""
    pytest.importorskip("torch")
    gold = tmp_path / "gold.export"
    write([from_notation(line, f"{turn}-{at}") for turn in range(6) for at, line in enumerate(GOLD)], gold)
    options = ("--preset", "tiny", "--set", "epochs=6", "--set", "min_count=1", "--quiet")
    assert call_program("train", "rnng", gold, "-o", tmp_path / "m", "--seeds", 2, *options) == 0
    capsys.readouterr()
    names = [f"rnng:{tmp_path}/m/seed-{seed}" for seed in (0, 1)]

    def findings(*systems: str) -> list[dict[str, object]]:
        assert call(gold, *systems, "--format", "json", "--quiet", "--by", "label") == 0
        return list(json.loads(capsys.readouterr().out)["findings"])

    def counted(name: str) -> tuple[int, int]:
        folder = tmp_path / f"run-{Path(name).name}"
        assert call(gold, name, "--run", folder, "--quiet") == 0
        capsys.readouterr()
        rows = Run.load(folder).observations()
        return int(rows["right"].sum()), int(rows["weight"].sum())

    whole = {one["measure"]: one for one in findings(f"rnng:{tmp_path}/m") if "label" not in one}
    right, brackets = (sum(parts) for parts in zip(*map(counted, names), strict=True))
    assert whole["f1"]["value"] == pytest.approx(200 * right / brackets)
    assert counted(f"rnng:{tmp_path}/m") == (right, brackets)
    by_label = [one for one in findings(f"rnng:{tmp_path}/m") if one.get("label") == "NP" and one["measure"] == "f1"]
    assert by_label[0]["n"] == 12
    seeds = {one["measure"] for one in findings(f"rnng:{tmp_path}/m", "baseline:right-branching")}
    assert {"f1_difference", "f1_p"} <= seeds
