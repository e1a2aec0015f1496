"""The tree classes of a batch, as Appendix C of the paper shows them: in `show`, and as a figure."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest
from batch_cases import VALUES, told, treebank, years

from gardenpath.cli.main import main
from gardenpath.errors import InputError
from gardenpath.report.figures import save_figures
from gardenpath.runs import Run
from gardenpath.runs.result.result import Result
from gardenpath.studies.consistency.declaration import ConsistencySettings
from gardenpath.studies.consistency.study import CONSISTENCY
from gardenpath.studies.consistency.tree_classes import TreeClasses, classes_in_run
from gardenpath.studies.consistency.variants import ask
from gardenpath.studies.engine import study as engine
from gardenpath.treebank import Treebank

KINDS = {
    "few": ["gold", "gold", "gold", "label", "gold", "gold"],
    "many": ["gold", "label", "label", "head", "feats", "label"],
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    values = tmp_path / "values.txt"
    values.write_text("\n".join(VALUES) + "\n", encoding="utf-8")
    settings = ConsistencySettings(values=str(values), match=r"\d{4}", upos=("NUM",))
    given = ask(treebank(list(KINDS)), [years()])
    answers = [told(given, KINDS), told(given, {name: ["gold"] * 6 for name in KINDS})]
    systems = {
        name: Treebank(b"".join(answer.conllu for answer in own.answers), name=name)
        for name, own in zip(("moody", "steady"), answers, strict=True)
    }
    engine.run(CONSISTENCY, treebank(list(KINDS)), systems, settings, folder=tmp_path / "run")
    return tmp_path / "run"


def read_of(classes: TreeClasses) -> list[tuple[str, str, list[str]]]:
    return [(tree.text, " ".join(tree.forms), [mark for mark in marks if mark]) for tree, marks in classes.drawings]


MANY = [
    ("3 trees (1505, 1798, 2024)", "… starb 1505 allein", []),
    ("1 tree (1872)", "… starb 1872 allein", ["deprel", "head"]),
    ("1 tree (1964)", "… starb 1964 allein", ["deprel, feats"]),
]


def test_the_batch_with_most_classes_and_one_by_name(folder: Path) -> None:
    most = classes_in_run(Run.load(folder))
    assert (most.system, most.sentence, most.text) == ("moody", "many", "Sie starb 1998 allein")
    assert read_of(most) == MANY
    few = classes_in_run(Run.load(folder), "few")
    assert read_of(few) == [
        ("4 trees (1505, 1798, 1964, 2024)", "… starb 1505 …", []),
        ("1 tree (1872)", "… starb 1872 …", ["deprel"]),
    ]
    steady = classes_in_run(Run.load(folder), system="steady")
    assert [tree.text for tree, _ in steady.drawings] == ["5 trees (1505, 1798, 1872, 1964, 2024)"]


def test_the_result_keeps_the_batch_with_most_classes(folder: Path, tmp_path: Path) -> None:
    result = Run.load(folder).result()
    (kept,) = result.details["tree_classes"]  # none of the system whose trees are all alike
    assert TreeClasses.from_json(kept) == classes_in_run(Run.load(folder))
    pytest.importorskip("vl_convert")
    names = {path.name for path in save_figures(result, tmp_path / "figures")}
    assert {"consistency-classes-1.svg", "consistency-classes-1.pdf"} <= names
    drawn = ElementTree.parse(tmp_path / "figures" / "consistency-classes-1.svg").getroot()
    texts = [part.text for part in drawn.iter() if part.tag.endswith("text")]
    assert [f"class {number}: {text}" for number, (text, _, _) in enumerate(MANY, 1)] == [
        text for text in texts if str(text).startswith("class")
    ]
    assert sum(part.get("class") == "d" for part in drawn.iter()) == 3  # a label, a head, a label


def shown(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main(["show", *arguments])
    captured = capsys.readouterr()
    return int(ended.value.code or 0), captured.out, captured.err


def test_show(folder: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    classes = ("--table", "tree classes")
    code, out, _ = shown(capsys, str(folder), *classes)
    assert code == 0
    assert out.splitlines()[:2] == ["many: Sie starb 1998 allein", "moody, values: 3 tree classes"]
    assert [line for line in out.splitlines() if line.startswith("# ")] == [
        f"# class {number}: {text}" for number, (text, _, _) in enumerate(MANY, 1)
    ]
    assert out.count("≠") == 3
    latex = shown(capsys, str(folder), "-s", "few", "--format", "latex")[1]
    assert latex.count("\\begin{dependency}") == 2
    assert latex.count("dashed") == 1
    assert shown(capsys, str(folder), *classes, "-f", "svg", "-o", str(tmp_path / "x.svg"))[0] == 0
    ElementTree.parse(tmp_path / "x.svg")
    code, _, err = shown(capsys, str(folder), "-s", "fews")
    assert code == 2
    assert "did you mean few" in err
    assert "did you mean moody" in shown(capsys, str(folder), *classes, "--system", "mody")[2]
    assert "leave out --limit" in shown(capsys, str(folder), "--limit", "3")[2]


def test_what_was_cut_or_failed_is_a_class_without_a_tree() -> None:
    given = ask(treebank(["s"]), [years()])
    answers = told(given, {"s": ["gold", "gold", "label", "[cut]", "[crashed]", "[crashed]"]})
    judged = CONSISTENCY.judge(given, {"x": answers}, ConsistencySettings())
    (kept,) = CONSISTENCY.findings(judged, ConsistencySettings()).details["tree_classes"]
    texts = [tree.text for tree, _ in TreeClasses.from_json(kept).drawings]
    assert texts == [
        "1 tree (1505)", "1 tree (1798)", "1 variant without a tree (1872)", "2 variants without a tree (1964, 2024)",
    ]  # fmt: skip


def test_other_runs_have_no_tree_classes(tmp_path: Path) -> None:
    with Run.open(tmp_path / "run", command="evaluate") as run:
        run.finish(Result("none"))
    with pytest.raises(InputError, match="not a run of consistency"):
        classes_in_run(Run.load(tmp_path / "run"))
