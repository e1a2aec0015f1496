"""The benchmarks run, on tiny input; how fast anything is, no test asks."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from benchmarks.__main__ import main
from benchmarks.corpus import Corpus, spoil
from benchmarks.measure import BenchmarkError, Cost, Costs, child, interleaved
from benchmarks.registry import NAMES
from benchmarks.table import Row, Table, Target, at_least, compared

from gardenpath import read
from gardenpath.treebank import tree_mask

ROOT = Path(__file__).resolve().parents[1]


def costs(*seconds: float) -> Costs:
    return Costs(tuple(Cost(cpu, 2 * cpu) for cpu in seconds))


def test_contestants_run_in_turn_and_medians_are_taken() -> None:
    order: list[str] = []
    times = {"a": iter([9.0, 1.0, 2.0]), "b": iter([4.0, 6.0, 5.0])}

    def run(name: str) -> Cost:
        order.append(name)
        return Cost(next(times[name]), 0.0)

    found = interleaved({"a": lambda: run("a"), "b": lambda: run("b")}, 3)
    assert "".join(order) == "ababab"
    assert (found["a"].cpu, found["b"].cpu) == (2.0, 5.0)


def test_ratios_are_of_medians_and_per_megabyte_when_inputs_differ() -> None:
    found = {"ours": costs(1, 2, 3), "peer": costs(3, 3, 30)}
    plain = compared(found, ours="ours", megabytes=10, targets={"peer": at_least(2)})
    assert [row.cells["x ours"] for row in plain] == [1.0, pytest.approx(1.5)]
    assert [row.cells["MB/s"] for row in plain] == [5.0, pytest.approx(10 / 3)]
    assert [row.reached for row in plain] == [None, False]
    sampled = compared(found, ours="ours", megabytes={"ours": 10.0, "peer": 5.0}, targets={"peer": at_least(2)})
    assert sampled[1].cells["x ours"] == pytest.approx(3.0)
    assert sampled[1].reached is True


def test_a_table_shows_and_keeps_what_was_reached() -> None:
    rows = [Row({"contestant": "ours", "s": 0.25}, Target("s", "<=", 0.3, " s"), costs(0.25)), Row({"contestant": "x"})]
    table = Table("help", rows, ["a note"])
    lines = table.text().splitlines()
    assert lines[3].split() == ["ours", "0.250", "<=", "0.3", "s", "yes"]
    assert lines[-1] == "* a note"
    assert table.data()["rows"][0]["reached"] is True
    assert table.data()["rows"][0]["runs"] == [{"cpu": 0.25, "wall": 0.5}]


def test_generated_files_hold_whole_sentences_of_all_treebanks(samples: Path, tmp_path: Path) -> None:
    corpus = Corpus(samples)
    files = [tmp_path / f"{number}.conllu" for number in range(3)]
    written = corpus.write_many(files, 1.2)
    assert written == pytest.approx(sum(path.stat().st_size for path in files) / 1e6)
    assert written == pytest.approx(1.2, rel=0.02)
    assert all(tree_mask(bank.heads, bank.offsets).all() for bank in map(read, files))


def test_a_spoiled_treebank_has_the_same_words_and_still_trees(samples: Path, tmp_path: Path) -> None:
    gold, other = samples / "en_garden-test.conllu", tmp_path / "spoiled.conllu"
    spoil(gold, other)
    right, wrong = read(gold), read(other)
    assert list(right.column("form")) == list(wrong.column("form"))
    assert 0 < (right.heads != wrong.heads).mean() < 0.2
    assert tree_mask(wrong.heads, wrong.offsets).all()


def test_a_child_that_fails_is_an_error_with_its_last_words() -> None:
    with pytest.raises(BenchmarkError, match=r"exit code 3 of .*: went wrong"):
        child([sys.executable, "-c", "import sys; print('went wrong', file=sys.stderr); sys.exit(3)"])


def test_a_child_may_print_more_than_a_pipe_holds() -> None:
    cost, output = child([sys.executable, "-c", "import sys; sys.stderr.write('x' * 300_000); print('y' * 300_000)"])
    assert len(output) == 300_001
    assert cost.cpu > 0


def test_an_unknown_benchmark_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["raed"])
    assert "no benchmark raed; there are help, read" in capsys.readouterr().err


TORCH = tuple(name for name in NAMES if name in ("hf", "structural", "chart"))
"""They share a process, which imports PyTorch once."""


@pytest.mark.parametrize("names", [TORCH, *((name,) for name in NAMES if name not in TORCH)], ids="-".join)
def test_every_benchmark_runs(names: tuple[str, ...], samples: Path, tmp_path: Path) -> None:
    results = tmp_path / "results.json"
    command = [sys.executable, "-m", "benchmarks", *names, "--repeats", "1", "--size", "0.1", "--offline"]
    command += ["--data", str(samples), "--output", str(results)]
    paths = [str(ROOT), *filter(None, sys.path)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "TMPDIR": str(tmp_path)}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    ran = json.loads(results.read_text(encoding="utf-8"))["benchmarks"]
    assert list(ran) == list(names)
    assert all(part["tables"] and all(table["rows"] for table in part["tables"]) for part in ran.values())
    assert [path.name for path in tmp_path.iterdir()] == ["results.json"]
