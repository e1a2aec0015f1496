"""`gardenpath train lstm` as a user calls it: seeds in a folder, a real kill, and the models in other commands."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from calls import Capture, call
from gardenpath.studies.surprisal.asking import model_seeds, seed_numbers
from gardenpath.systems.asking.entrants import entrants_of

pytest.importorskip("torch")

TEXT = "the dog sleeps .\nthe dogs sleep .\na bird sings .\nbirds sing .\n" * 12
QUICK = ("--preset", "tiny", "--set", "hidden=8", "--set", "batch=20")


@pytest.fixture
def text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GARDENPATH_CACHE", str(tmp_path / "cache"))
    path = tmp_path / "text.txt"
    path.write_text(TEXT, encoding="utf-8")
    return path


def test_seeds_in_a_folder_are_one_system(text: Path, tmp_path: Path, capsys: Capture) -> None:
    folder = tmp_path / "lstm"
    command = ("train", "lstm", text, "--dev", text, "-o", folder, "--seeds", 2, "--set", "epochs=2", *QUICK)
    assert call(*command) == 0
    told = capsys.readouterr()
    assert told.out == ""
    assert "epoch 2: perplexity" in told.err
    assert f"lstm:{folder / 'seed-1'} is ready" in told.err.splitlines()[-1]
    assert sorted(one.name for one in folder.iterdir()) == ["seed-0", "seed-1"]

    assert call("score", f"lstm:{folder / 'seed-0'}", text, "--summary", "--format", "json") == 0
    assert '"perplexity"' in capsys.readouterr().out

    suite = tmp_path / "pairs.tsv"
    suite.write_text("item\tgood\tbad\n1\tthe dog sleeps\tthe dog sleep\n", encoding="utf-8")
    assert call("surprisal", suite, f"lstm:{folder}", "--format", "json") == 0
    found = json.loads(capsys.readouterr().out)
    assert {finding["system"] for finding in found["findings"] if finding["measure"] != "chance"} == {f"lstm:{folder}"}
    (entrant,) = entrants_of(f"LSTM=lstm:{folder}", "language model")
    seeds = model_seeds(entrant)
    assert (entrant.name, seed_numbers(seeds)) == ("LSTM", [0, 1])
    assert [seed.model.name for seed in seeds] == [f"lstm:{folder / seed}" for seed in ("seed-0", "seed-1")]

    assert call("score", f"lstm:{folder}", text) == 2
    assert "2 models, one for each seed" in capsys.readouterr().err


def test_killed_training_goes_on(text: Path, tmp_path: Path, capsys: Capture) -> None:
    """The process is killed as soon as it has told of its second epoch, and has no time to tidy up."""
    target, options = tmp_path / "model", ("--set", "epochs=20", "--set", "patience=20", *QUICK)
    command = ["train", "lstm", str(text), "--dev", str(text), "-o", str(target), *options]
    process = subprocess.Popen(
        [sys.executable, "-m", "gardenpath", *command], stderr=subprocess.PIPE, text=True, env={**os.environ}
    )
    assert process.stderr is not None
    for line in process.stderr:
        if line.startswith("epoch 2:"):
            process.send_signal(signal.SIGKILL)
            break
    process.stderr.close()
    process.wait()
    assert (tmp_path / "model.checkpoint").exists()
    assert not target.exists()
    assert call(*command) == 0
    assert "going on with epoch" in capsys.readouterr().err
    assert call("train", "lstm", text, "--dev", text, "-o", tmp_path / "whole", *options) == 0
    assert (target / "weights.pt").read_bytes() == (tmp_path / "whole" / "weights.pt").read_bytes()
    left = {"cache", "model", "text.txt", "whole"}
    assert {one.name for one in tmp_path.iterdir()} <= left


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--set", "hiden=3"), "did you mean hidden"),
        (("--seeds", "0"), "0 is not in the range"),
        (("--preset", "huge"), "unknown preset"),
        (("--set", "vocabulary=x"), "write a whole number"),
    ],
)
def test_wrong_options(text: Path, tmp_path: Path, arguments: tuple[str, ...], message: str, capsys: Capture) -> None:
    assert call("train", "transformer", text, "-o", tmp_path / "m", *arguments) == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "m").exists()
