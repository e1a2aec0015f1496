"""`gardenpath consistency` as a user calls it."""

from __future__ import annotations

import json
import re
import shlex
import sys
from functools import partial
from itertools import chain
from pathlib import Path

import pytest

from calls import call as call_program
from gardenpath.runs import Run
from gardenpath.runs.result.result import Result
from gardenpath.treebank import read
from gardenpath.treebank.perturb.batch import batches
from gardenpath.treebank.perturb.registry import PerturbationSettings, perturbation

# The first word is the root, all others depend on it; if Clara is there, on the word before.
CHAIN = """
import sys
for block in sys.stdin.read().strip().split("\\n\\n"):
    rows = [line.split("\\t") for line in block.split("\\n") if line[0] != "#"]
    clara = any(row[1] == "Clara" for row in rows)
    for number, row in enumerate(rows):
        if "-" not in row[0]:
            head = 0 if row[0] == "1" else int(row[0]) - 1 if clara else 1
            print(row[0], row[1], "_", "X", "_", "_", head, "dep" if head else "root", "_", "_", sep="\\t")
    print()
"""


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GARDENPATH_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def parser(tmp_path: Path) -> str:
    (tmp_path / "parser.py").write_text(CHAIN, encoding="utf-8")
    return "command:" + shlex.join([sys.executable, "-S", str(tmp_path / "parser.py")])


call = partial(call_program, "consistency")


NAMES = ("--change", "names", "--set", "per_sentence=4")


def test_tables(parser: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("bundled:de-test", parser, *NAMES, "--set", "order=both", "--by", "all") == 0
    shown = capsys.readouterr()
    assert "8 batches" in shown.err
    assert "originals in total" in shown.out
    assert "clusters (Q4)                udon2    +" in shown.out
    assert "Clara" in shown.out
    assert "perturb:names(language=de,set=test)" in shown.out


def test_json_run_and_figures(parser: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("vl_convert")
    folder = tmp_path / "run"
    outputs = []
    for _ in range(2):  # the second time the run is there already
        assert call("bundled:de-test", parser, *NAMES, "--run", str(folder), "--format", "json") == 0
        outputs.append(json.loads(capsys.readouterr().out))
    assert call_program("report", folder, "--to", "figures", "-o", tmp_path / "figures") == 0
    assert outputs[0] == outputs[1]
    by = {"perturbation": "names", "order": "surface"}
    consistent = [f for f in outputs[0]["findings"] if f["measure"] == "consistent" and by.items() <= f.items()]
    assert [f["value"] for f in consistent] == [75]  # two batches of eight are of women, and have Clara
    values = [f for f in outputs[0]["findings"] if f["measure"] == "differs_from_majority" and "replacement" in f]
    assert {f["replacement"] for f in values if f["value"] == 100} == {"Clara"}
    run = Run.load(folder)
    frame = run.observations()
    assert len(frame) == 8 * 4
    assert set(frame["outcome"]) == {"same as original", "other"}
    gold, parsed = (read(path) for path in run.trees().values())
    assert len(gold) == len(parsed) == 8 * 5
    assert gold.sent_ids == parsed.sent_ids
    names = {path.stem for path in (tmp_path / "figures").glob("*.svg")}
    wanted = ("summary", "values-names", "groups-names", "clusters-names", "parts-names", "distance-names", "classes-1")
    assert names == {f"consistency-{name}" for name in wanted}


def test_a_parsed_file_and_gold_itself(tmp_path: Path, samples: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A system may be a file with parses of originals and variants: here the gold trees, which are all right."""
    gold = read(samples / "de_garden-test.conllu")
    some_batches = list(batches(perturbation("names", PerturbationSettings("de")), gold, limit=4))
    text = "".join(batch.sentence.to_conllu() + "".join(v.conllu for v in batch.variants) for batch in some_batches)
    (tmp_path / "all.conllu").write_text(text, encoding="utf-8")
    more = ("--set", "order=both", "--run", str(tmp_path / "run"))
    assert call("bundled:de-test", str(tmp_path / "all.conllu"), *NAMES, *more) == 0
    assert "100.0" in capsys.readouterr().out
    bounds = [
        ("--min", f"consistency.{measure}[perturbation=names,order={order}]>=100")
        for measure in ("consistent", "right") for order in ("surface", "udon2")
    ]  # fmt: skip
    bounds.append(("--min", "consistency.original_right[perturbation=names,order=surface]>=100"))
    assert call_program("check", tmp_path / "run", *chain(*bounds)) == 0


def test_a_list_of_ones_own(parser: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "values.txt").write_text("Bert\nClara\n", encoding="utf-8")
    own = ("--set", f"values={tmp_path}/values.txt", "--set", "match=Lena|Anna|Paul", "--set", "upos=PROPN")
    assert call("bundled:de-test", parser, *own, "--run", str(tmp_path / "run")) == 0
    capsys.readouterr()
    measure = "consistency.consistent[perturbation=values,order=surface]"
    assert call_program("check", tmp_path / "run", "--min", f"{measure}>=50") == 1
    assert f"{measure}>=50 fails with 0.00" in capsys.readouterr().err


def test_no_match_says_so(parser: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("bundled:zh-test", parser, "--change", "numerals") == 2
    told = capsys.readouterr()
    assert "no sentence has a match\n  numerals: no match" in told.err
    assert told.out == ""


def test_what_was_not_measured_does_not_hold(parser: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With one variant of each sentence nothing can be said about consistency."""
    more = ("--change", "names,places", "--set", "per_sentence=1", "--run", str(tmp_path / "run"))
    assert call("bundled:de-test", parser, *more) == 0
    for name in ("names", "places"):
        capsys.readouterr()
        condition = f"consistency.consistent[perturbation={name},order=surface]>=0"
        assert call_program("check", tmp_path / "run", "--min", condition) == 2
        assert f"{condition}: consistent of {parser} has no value" in capsys.readouterr().err


def test_examples_and_quiet(parser: str, capsys: pytest.CaptureFixture[str]) -> None:
    more = ("--examples", "changed:Clara", "--limit", "1", "--by", "questions", "--quiet")
    assert call("bundled:de-test", f"chain={parser}", *NAMES, *more) == 0
    shown = capsys.readouterr()
    assert shown.err == ""
    assert "chain: 2 variants with another tree than the original's (Clara), the first 1" in shown.out
    assert "> Clara" in shown.out
    assert "Where trees change" not in shown.out


def test_remedies(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    more = ("--parser", "udpipe", "--preset", "tiny", "--set", "sentences=3", "--run", str(tmp_path / "run"))
    call_ = ("remedies", "bundled:de-dev", "bundled:de-test", *NAMES, *more, "--remedy", "substitute")
    call_ += ("--by", "perturbation")
    assert call(*call_) == 0
    shown = capsys.readouterr().out
    assert "Remedies: udpipe, preset tiny" in shown
    assert "NNNN in place of names" in shown
    assert Run.load(tmp_path / "run").finished
    assert call(*call_) == 0  # the run is there already
    assert capsys.readouterr().out == shown


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "no system is named"),
        (("x:y", "--change", "namse"), "did you mean names"),
        (("x:y", "--set", "match=a"), "a list of your own needs"),
        (("x:y", "--set", "upos=NUM"), "a list of your own needs"),
        (("x:y", "--limit", "3"), "write --sentences N"),
        (("x:y", "--examples", "brokn"), "did you mean broken"),
    ],
)
def test_bad_calls(arguments: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("bundled:de-test", *arguments) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "no treebank to test on"),
        (("bundled:de-dev", "--parser", "udpip"), "did you mean udpipe"),
        (("bundled:de-dev", "--dev", "nowhere.conllu", "--change", "names"), "no such file"),
    ],
)
def test_bad_calls_of_remedies(arguments: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("remedies", "bundled:de-test", *arguments) == 2
    assert message in capsys.readouterr().err


def shown(*runs: str) -> int:
    """`gardenpath show RUN RUN`."""
    return call_program("show", *runs)


def test_languages_and_parts_side_by_side(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each column is that of its own run: tables are laid out and nothing is computed."""
    runs = []
    for name in ("de-test", "de-dev"):
        runs.append(str(tmp_path / name))
        assert call(f"bundled:{name}", "baseline:right-branching", *NAMES, "--by", "paper", "--run", runs[-1]) == 0
    capsys.readouterr()
    assert shown(*runs) == 0
    kept = [next(one for one in Run.load(run).result().tables if "as Table 1" in one.note) for run in runs]
    title, header, _, *rows = capsys.readouterr().out.splitlines()
    assert title == "Results of parsing, names: baseline:right-branching"
    assert header.split()[1:] == [one.columns[1] for one in kept]
    cells = [re.split(r"  +", row.strip()) for row in rows[:10]]
    assert cells == [[a[0], str(a[1]), str(b[1])] for a, b in zip(kept[0].rows, kept[1].rows, strict=True)]
    assert shown(runs[0], runs[0]) == 2
    assert "the same treebank and system" in capsys.readouterr().err
    with Run.open(tmp_path / "other", command="evaluate") as run:
        run.finish(Result("none"))
    assert shown(str(tmp_path / "other"), str(tmp_path / "other")) == 2
    assert "only runs of consistency" in capsys.readouterr().err
