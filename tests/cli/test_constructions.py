"""`gardenpath constructions` as a user calls it."""

from __future__ import annotations

import base64
import gzip
import json
import re
import shlex
import sys
from functools import partial
from pathlib import Path

import pytest

from calls import call as call_program
from gardenpath.cli.main import main
from gardenpath.phrase import PhraseTree, read, write
from gardenpath.runs import Run
from gardenpath.studies.engine.phrase_trees import PHRASES, read_judged
from gardenpath.suites.constructions.storage import write_constructions
from gardenpath_generate.constructions.treebank import generate


def with_objects_as_subjects(tree: PhraseTree) -> PhraseTree:
    """The mistake of this file's parser: every accusative object is a subject."""
    from dataclasses import replace

    wrong = {"OA": "ON" if "SIMPX" in tree.labels else "SB"}
    return replace(tree, functions=tuple(wrong.get(one, one) for one in tree.functions))


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A generated parallel suite, gold trees as a treebank, and trees that make one kind of mistake."""
    folder = tmp_path_factory.mktemp("constructions")
    made = generate(60, seed=5)
    write_constructions(made.suites, folder / "suite")
    for scheme in ("tiger", "tuebadz"):
        write(made.trees(scheme), folder / f"{scheme}-gold.export")
        write([with_objects_as_subjects(tree) for tree in made.trees(scheme)], folder / f"{scheme}-wrong.export")
    return folder


call = partial(call_program, "constructions")


def test_both_schemes_of_a_parallel_suite(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = [place / f"{scheme}-wrong.export" for scheme in ("tiger", "tuebadz")]
    assert call(place / "suite", *wrong, "--examples", "wrong:sgf", "--limit", "2", "--by", "errors") == 0
    shown = capsys.readouterr().out
    assert "tiger-wrong.export" in shown
    assert "TüBa-D/Z" in shown
    assert "Subject gap with finite/fronted verb (Table 4)" in shown
    assert "Difference to tiger-wrong.export" in shown
    assert "signature: study:constructions|suite:generated constructions#" in shown
    unwrapped = ("--format", "markdown", "--examples", "wrong:sgf", "--limit", "2")
    assert call(place / "suite", *wrong, *unwrapped) == 0
    assert "taken as subject of the second conjunct" in capsys.readouterr().out


def test_json_has_all_findings(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    both = [f"tiger=trees:{place}/tiger-wrong.export", f"tuebadz={place}/tuebadz-gold.export"]
    assert call(place / "suite", *both, "--format", "json", "--set", "independent=yes") == 0
    result = json.loads(capsys.readouterr().out)
    assert "clusters:item=" in result["signature"]
    assert {"accuracy", "items", "share", "held", "accuracy_difference"} <= {
        one["measure"] for one in result["findings"]
    }
    accuracy = {
        (one["scheme"], one["phenomenon"]): one["value"]
        for one in result["findings"]
        if one["measure"] == "accuracy" and set(one) >= {"scheme", "phenomenon"} and "variant" not in one
    }
    assert accuracy["tuebadz", "erc"] == 100
    assert accuracy["tiger", "sgf"] == 0
    assert accuracy["tiger", "cuc"] == 100


def test_a_treebank_with_its_scheme(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold = place / "tuebadz-gold.export"
    assert call(gold, gold, "--scheme", "tuebadz", "--set", "phenomena=erc,fcr", "--by", "all") == 0
    shown = capsys.readouterr().out
    assert "Extraposed relative clauses" in shown
    assert "PP attachment" not in shown
    assert "100.00" in shown


def test_decisions_are_in_the_signature(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    suite, gold = place / "suite" / "tiger", place / "tiger-gold.export"
    assert call(suite, gold, "--set", "decide=overlap=0.6,full_verb=no", "--set", "form=discontinuous") == 0
    shown = capsys.readouterr().out
    assert "form:discontinuous|decisions:overlap=0.6,full_verb=False" in shown


def test_a_run_keeps_verdicts_and_trees(place: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = [place / "suite" / "tiger", place / "tiger-wrong.export", "--run", tmp_path / "run"]
    assert call(*arguments) == 0
    first = capsys.readouterr().out
    assert call(*arguments) == 0
    assert capsys.readouterr().out == first
    rows = Run.load(tmp_path / "run").observations()
    assert set(rows["condition"].unique()) == {"ppn", "ppv", "erc", "fcr", "sgf", "cuc"}
    assert rows.filter(rows["outcome"] == "right")["value"].to_list() == [1.0] * int(rows["value"].sum())
    assert rows["gold"].to_list() != rows["parse"].to_list()
    kept = list(read_judged(tmp_path / "run" / PHRASES))
    assert [item.item for item in kept] == rows["item"].to_list()
    assert all(item.marked and list(item.systems) == [str(place / "tiger-wrong.export")] for item in kept)


def test_runs_can_be_compared(place: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    suite = place / "suite" / "tiger"
    for name in ("gold", "wrong"):
        assert call(suite, place / f"tiger-{name}.export", "--run", tmp_path / name) == 0
    capsys.readouterr()
    with pytest.raises(SystemExit) as stop:
        main(["compare", str(tmp_path / "wrong"), str(tmp_path / "gold")])
    assert not stop.value.code
    assert "phenomenon" in capsys.readouterr().out


def test_figures(place: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = [place / f"{scheme}-wrong.export" for scheme in ("tiger", "tuebadz")]
    assert call(place / "suite", *wrong, "--run", tmp_path / "run") == 0
    assert call_program("report", tmp_path / "run", "--to", "figures", "-o", tmp_path / "figures") == 0
    assert {path.stem for path in (tmp_path / "figures").iterdir()} == {
        "constructions-classes", "constructions-accuracy",
    }  # fmt: skip
    classes = (tmp_path / "figures" / "constructions-classes.tsv").read_text("utf-8").splitlines()
    assert classes[0].split("\t")[:4] == ["system", "phenomenon", "class", "value"]
    assert any("tuebadz-wrong.export (TüBa-D/Z)\tsubject gap" in line for line in classes)
    svg = (tmp_path / "figures" / "constructions-accuracy.svg").read_text("utf-8")
    assert "extraposed relative clause" in svg


def test_conditions(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    suite = place / "suite" / "tiger"
    assert call_program("check", suite, place / "tiger-gold.export", "--min", "constructions.accuracy>=100") == 0
    assert call_program("check", suite, place / "tiger-wrong.export", "--min", "constructions.accuracy>=99") == 1
    assert "constructions.accuracy>=99 fails with " in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nothing-here", "trees:x"], "no suite of constructions is named"),
        (["suite"], "no system is named"),
        (["suite", "tiger-gold.export", "--set", "decide=overlapp=1"], "did you mean overlap?"),
        (["suite", "tiger-gold.export", "--examples", "F"], "unknown class"),
        (["suite", "tiger-gold.export", "--set", "phenomena=erz"], "did you mean erc?"),
        (["suite/tiger", "tuebadz-gold.export"], "these trees are in the scheme of TüBa-D/Z"),
        (["tiger-gold.export", "tiger-gold.export", "--scheme", "negra"], "unknown scheme 'negra'"),
        (["suite", "ngram:x"], "a phrase parser is needed here"),
        (["--limit", "3"], "no suite of constructions is named"),
        (["bundled:de-construction", "tiger-gold.export"], "did you mean de-constructions"),
        (["-", "tiger-gold.export", "--scheme", "tiger", "--run", "run"], "standard input"),
    ],
)
def test_wrong_calls(
    place: Path, arguments: list[str], message: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(place)
    assert call(*arguments) == 2
    assert message in capsys.readouterr().err


def test_three_commands_from_tiger_xml_to_a_report_of_a_parser_that_writes_brackets(
    place: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the tutorial has it; the program makes one flat clause of every sentence, and so no mistake but this."""
    monkeypatch.chdir(tmp_path)
    gold = read(place / "tiger-gold.export")
    write(gold, tmp_path / "tiger.xml", "tigerxml")
    (tmp_path / "parser.py").write_text(
        "import sys\n"
        "for line in sys.stdin:\n"
        "    print('(S ' + ' '.join(f'(NN {word})' for word in line.split()) + ')')\n",
        encoding="utf-8",
    )
    assert call_program("suite", "make", "constructions", "tiger.xml", "--scheme", "tiger", "-n", 2, "-o", "suite") == 0
    parser = f"command:trees {shlex.quote(sys.executable)} parser.py"
    assert call("suite", parser, "--set", "form=raised", "--by", "errors", "--run", "run") == 0
    shown = capsys.readouterr().out
    assert "C      clause not recognised                         2  100.0" in shown
    assert "C      coordination not recognised                2  100.0" in shown
    with pytest.raises(SystemExit) as stop:
        main(["report", "run", "-o", "report.html"])
    assert not stop.value.code
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    packed = [gzip.decompress(base64.b64decode(block)) for block in re.findall(r">(H4sI[\w+/=]+)<", page)]
    assert any(b"coordination not recognised" in block for block in packed)
