"""`gardenpath treebank stats` from the command line to the printed table, also when it is killed in the middle."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from gardenpath.cli.main import main

ROW = "{0}\t{1}\t{1}\t{2}\t_\t_\t{3}\t{4}\t_\t_\n"


def write(path: Path, *forms: str) -> Path:
    """A treebank of one sentence, where all words hang under the first."""
    rows = [
        ROW.format(number, form, "NOUN" if number > 1 else "VERB", min(number - 1, 1), "obj" if number > 1 else "root")
        for number, form in enumerate(forms, 1)
    ]
    path.write_text("".join(rows) + "\n", encoding="utf-8")
    return path


def stats(*arguments: object) -> int:
    with pytest.raises(SystemExit) as end:
        main(["treebank", "stats", *map(str, arguments)])
    return int(end.value.code or 0)


def values(text: str) -> dict[tuple[str, str], object]:
    return {(f["suite"], f["measure"]): f["value"] for f in json.loads(text)["findings"] if f["measure"] != "count"}


def test_table_of_one_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert stats(write(tmp_path / "a.conllu", "eat", "fish", "fish")) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["measure", "a.conllu"] in lines
    assert ["words", "3"] in lines
    assert ["dependency", "length", "mean", "1.5000"] in lines
    assert ["NOUN", "2", "0.6667"] in lines
    assert ["obj", "2", "0.6667"] in lines


def test_files_are_columns_or_rows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [write(tmp_path / f"{name}.conllu", "eat", name) for name in "abcde"]
    assert stats(*files[:2], "--set", "tables=no") == 0
    few = capsys.readouterr().out
    assert "a.conllu  b.conllu" in few
    assert "UPOS" not in few
    assert stats(tmp_path) == 0
    many = capsys.readouterr().out.splitlines()
    heads = [number for number, text in enumerate(many) if text.startswith("file ")]
    rows = [[text.split()[:3] for text in many[head + 2 : head + 7]] for head in heads]
    assert rows[0] == [[f"{name}.conllu", "1", "2"] for name in "abcde"]
    assert rows[1] == [[f"{name}.conllu", "1.000", "2.000"] for name in "abcde"]  # nothing here could cross
    assert len(heads) == 2


@pytest.mark.parametrize("files", [4, 6])
def test_files_side_by_side_fit_a_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], samples: Path, files: int
) -> None:
    for number in range(files):
        shutil.copy(samples / "de_garden-test.conllu", tmp_path / f"de_garden{number}-ud-train.conllu")
    assert stats(tmp_path) == 0
    tables, _, _ = capsys.readouterr().out.partition("signature: ")
    assert max(map(len, tables.splitlines())) <= 100


def test_all_files_together(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path / "a.conllu", "eat", "fish")
    write(tmp_path / "b.conllu", "eat", "bread", "now")
    assert stats(tmp_path / "*.conllu", "--by", "all", "--format", "json") == 0
    found = values(capsys.readouterr().out)
    assert (found["all", "words"], found["all", "forms"], found["all", "sentences"]) == (5, 4, 2)


def test_files_of_one_name_keep_their_folders(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for folder in ("x", "y"):
        (tmp_path / folder).mkdir()
        write(tmp_path / folder / "a.conllu", "eat")
    assert stats(tmp_path, "--format", "tsv", "--set", "tables=no") == 0
    suites = {line.split("\t")[1] for line in capsys.readouterr().out.splitlines()[1:]}
    assert suites == {str(tmp_path / "x" / "a.conllu"), str(tmp_path / "y" / "a.conllu")}


def test_findings_have_their_groups(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert stats(write(tmp_path / "a.conllu", "eat", "fish"), "--format", "json") == 0
    found = json.loads(capsys.readouterr().out)
    assert {"upos", "deprel", "displacement"} <= {key for finding in found["findings"] for key in finding}
    assert {finding["study"] for finding in found["findings"]} == {"treebank"}
    assert found["signature"].startswith("command:treebank stats|by:file|variant:text|version:")


def test_failures_are_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.conllu").write_text(ROW.format(1, "a", "X", 1, "dep") + "\n")
    assert stats(tmp_path / "a.conllu") == 0
    assert "failures: not a tree 1, no root 1, cyclic 1" in capsys.readouterr().out


def test_variant_changes_the_signature_and_the_number(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = write(tmp_path / "a.conllu", "eat", "fish", "now")
    stats(file, "--format", "json")
    text = capsys.readouterr().out
    stats(file, "--format", "json", "--set", "variant=script")
    script = capsys.readouterr().out
    assert "variant:script" in script
    assert values(text)["a.conllu", "word_entropy"] == values(script)["a.conllu", "word_entropy"]


def test_a_malformed_file_is_named_with_its_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "bad.conllu").write_text(ROW.format(1, "a", "X", 7, "dep") + "\n")
    assert stats(tmp_path / "bad.conllu") == 2
    assert "bad.conllu:1: HEAD 7 in a sentence of 1 words" in capsys.readouterr().err


def test_standard_input_cannot_be_shared_or_recorded(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert stats("-", write(tmp_path / "a.conllu", "eat"), "--jobs", "2") == 2
    assert stats("-", "--run", tmp_path / "run") == 2
    assert "standard input" in capsys.readouterr().err


def test_processes_give_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in "abc":
        write(tmp_path / f"{name}.conllu", "eat", name)
    stats(tmp_path, "--format", "tsv")
    alone = capsys.readouterr().out
    stats(tmp_path, "--format", "tsv", "--jobs", "2")
    assert capsys.readouterr().out == alone


KILLED = """
import os, signal, sys
from gardenpath.cli.main import main
from gardenpath.runs.record.run import Run
from gardenpath.treebank.trees import measures

measures.BATCH_FILES = 1
keep, kept = Run.store_part, []

def keep_and_die(self, key, value):
    kept.append(keep(self, key, value))
    if len(kept) == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    return kept[-1]

Run.store_part = keep_and_die
main(sys.argv[1:])
"""


def test_a_killed_run_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gardenpath.treebank.trees.measures.BATCH_FILES", 1)
    files = [write(tmp_path / f"{name}.conllu", "eat", name) for name in "abcde"]
    command = ["treebank", "stats", *map(str, files), "--run", str(tmp_path / "killed")]
    ended = subprocess.run([sys.executable, "-c", KILLED, *command], env=_environment(), check=False)
    assert ended.returncode == -signal.SIGKILL
    assert len(list((tmp_path / "killed" / "parts").iterdir())) == 2
    assert stats(*files, "--run", tmp_path / "killed") == 0
    resumed = capsys.readouterr().out
    assert stats(*files, "--run", tmp_path / "whole") == 0
    assert capsys.readouterr().out == resumed
    results = [(tmp_path / run / "result.json").read_bytes() for run in ("killed", "whole")]
    assert results[0] == results[1]
    assert json.loads((tmp_path / "killed" / "run.json").read_text())["continued"] == 1


def test_a_finished_run_is_shown_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = write(tmp_path / "a.conllu", "eat", "fish")
    assert stats(file, "--run", tmp_path / "run") == 0
    first = capsys.readouterr().out
    before = (tmp_path / "run" / "run.json").read_bytes()
    assert stats(file, "--run", tmp_path / "run") == 0
    assert capsys.readouterr().out == first
    assert (tmp_path / "run" / "run.json").read_bytes() == before
    assert stats(file, "--run", tmp_path / "run", "--set", "variant=script") == 2
    assert "another run" in capsys.readouterr().err


def test_nothing_heavy_is_loaded(tmp_path: Path) -> None:
    """A table that goes to a pipe needs neither Rich nor Polars, nor what distributes work."""
    file = write(tmp_path / "a.conllu", "eat")
    code = "import sys; from gardenpath.cli.main import main\ntry: main(sys.argv[1:])\nfinally: print(*sys.modules)"
    command = [sys.executable, "-c", code, "treebank", "stats", str(file)]
    printed = subprocess.run(command, env=_environment(), capture_output=True, text=True, check=True).stdout
    loaded = set(printed.splitlines()[-1].split())
    assert "gardenpath.treebank.trees.measures" in loaded
    assert not loaded & {"rich", "polars", "scipy", "numba", "multiprocessing", "concurrent.futures"}


def _environment() -> dict[str, str]:
    source = str(Path(__file__).resolve().parents[2] / "src")
    return {**os.environ, "PYTHONPATH": os.pathsep.join([source, os.environ.get("PYTHONPATH", "")])}


def test_of_many_files_only_what_is_shown_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tags, relations and displacements are three quarters of the findings of a file, and a table of many has none."""
    from gardenpath.report.measures import MAIN
    from gardenpath.treebank.trees import measures
    from gardenpath.treebank.trees.measures import MEASURES

    plain, made = measures.describe, list[tuple[int, set[str], bool]]()

    def noted(tasks: list[object], *, measures: list[str], tables: bool, **more: object) -> object:
        made.append((len(tasks), set(measures), tables))
        return plain(tasks, measures=measures, tables=tables, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(measures, "describe", noted)
    for number in range(5):
        write(tmp_path / f"{number}.conllu", "eat")
    assert stats(tmp_path) == 0
    assert stats(tmp_path, "--format", "tsv") == 0
    main = {name for names in MAIN.values() for name in names}
    assert made == [(5, main, False), (5, set(MEASURES), True)]
