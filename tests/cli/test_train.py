"""`gardenpath train`: progress and scores on stderr, the model in its place, exit 2 without traces."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest

from calls import Capture, call
from gardenpath.treebank import read


@pytest.fixture
def train_file(samples: Path, tmp_path: Path) -> Path:
    path = tmp_path / "conllu"
    read(samples / "de_garden-train.conllu")[:30].write(path)
    return path


run = partial(call, "train")


QUICK = ("--preset", "tiny", "--set", "tagger=none", "--set", "tokenizer=none", "--set", "parser.iterations=1")


def test_a_model_and_its_card(train_file: Path, samples: Path, tmp_path: Path, capsys: Capture) -> None:
    model = tmp_path / "models" / "de.udpipe"
    arguments = (
        "--dev",
        samples / "de_garden-dev.conllu",
        "-o",
        model,
        *QUICK,
        "--set",
        "transition=swap",
        "--seed",
        7,
    )
    assert run("udpipe", train_file, train_file, *arguments) == 0
    told = capsys.readouterr()
    assert told.out == ""
    assert "training udpipe on 60 sentences" in told.err
    assert "parser iteration 1: UAS" in told.err
    assert "LAS" in told.err.splitlines()[-1]
    card = json.loads((tmp_path / "models" / "de.udpipe.json").read_text(encoding="utf-8"))
    assert (card["seed"], card["options"]["parser"]["transition_oracle"]) == (7, "static_lazy")
    assert sorted(path.name for path in model.parent.iterdir()) == ["de.udpipe", "de.udpipe.json", "de.udpipe.seen"]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("udpip", "TRAIN"), "did you mean udpipe"),
        (("udpipe", "nowhere.conllu"), "no such file"),
        (("udpipe", "TRAIN", "--preset", "big"), "unknown preset"),
        (("udpipe", "TRAIN", "--set", "fast"), "write --set fast=VALUE"),
        (("udpipe", "TRAIN", "--set", "parser.hidden=5"), "did you mean hidden_layer"),
        (("conllu", "TRAIN"), "cannot be trained"),
        (("udpipe", "TRAIN", "--set", "transition=swop"), "did you mean swap"),
        (("udpipe", "TRAIN", "--seed", "-1"), "seed"),
    ],
)
def test_a_wrong_call_exits_2_and_writes_nothing(
    train_file: Path, tmp_path: Path, capsys: Capture, arguments: tuple[str, ...], told: str
) -> None:
    given = [str(train_file) if word == "TRAIN" else word for word in arguments]
    assert run(*given, "-o", tmp_path / "out" / "m.udpipe") == 2
    errors = capsys.readouterr().err
    assert told in errors
    assert "training" not in errors  # it does not begin what it cannot do
    assert not (tmp_path / "out" / "m.udpipe").exists()


def test_a_place_that_cannot_be_written_is_said_before_the_work(
    train_file: Path, tmp_path: Path, capsys: Capture
) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    assert run("udpipe", train_file, "-o", tmp_path / "file" / "m.udpipe", *QUICK) == 2
    told = capsys.readouterr().err
    assert "cannot be written" in told or "cannot write" in told
    assert "iteration" not in told
