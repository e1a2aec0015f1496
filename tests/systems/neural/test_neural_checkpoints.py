"""Checkpoints that a training keeps: which weights they are, interruptions, and one in memory at a time."""

from __future__ import annotations

import math
import weakref
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from gardenpath.cli.main import build
from gardenpath.errors import InputError, UsageError
from gardenpath.studies.engine import run
from gardenpath.studies.surprisal.study import SURPRISAL
from gardenpath.suites.regions.model import Condition, Item, Prediction, Region, RegionSuite
from gardenpath.systems.checkpoints import kept_steps
from gardenpath.systems.neural.vocabulary import OUTPUTS_FROM
from gardenpath.systems.registry import language_model
from gardenpath.systems.training import train

torch = pytest.importorskip("torch")

from gardenpath.systems.neural import system as neural_system  # noqa: E402
from gardenpath.systems.neural.settings import settings_of  # noqa: E402

SMALL = {"hidden": "8", "epochs": "3"}


class Interrupted(BaseException):
    """Stands for Ctrl-C."""


@pytest.fixture(scope="module")
def kept(toy: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two seeds with the checkpoints of the steps 0, 1, 5 and that of the end of the first epoch."""
    target = tmp_path_factory.mktemp("kept") / "lstm"
    train("lstm", *toy, output=target, preset="tiny", seeds=2, options={**SMALL, "keep": f"0,1,5,{_epoch(toy)}"})
    return target


def _epoch(toy: tuple[Path, Path]) -> int:
    """Batches of an epoch."""
    from gardenpath.systems.neural.batches import bucketed

    lengths = [len(line.split()) + 1 for line in toy[0].read_text(encoding="utf-8").splitlines()]
    return len(bucketed(lengths, settings_of("lstm", "tiny", SMALL).schedule.batch))


def test_a_kept_checkpoint_is_the_model_that_a_shorter_training_makes(kept, toy, tmp_path):
    once = train("lstm", *toy, output=tmp_path / "once", preset="tiny", options={**SMALL, "epochs": "1"})
    checkpoint = kept / "seed-0" / "checkpoints" / f"step-{_epoch(toy)}.pt"
    assert checkpoint.read_bytes() == (once.path / "weights.pt").read_bytes()
    sentences = [["the", "dogs", "near", "the", "bird", "sleep", "."]]
    bits = language_model(f"lstm:{kept}/seed-0@step{_epoch(toy)}").surprisals(sentences)[0]
    assert bits.tolist() == language_model(once.system).surprisals(sentences)[0].tolist()
    untrained = language_model(f"lstm:{kept}/seed-0@step0")
    even = math.log2(len(untrained.vocabulary) - OUTPUTS_FROM)
    assert untrained.surprisals(sentences)[0] == pytest.approx([even] * 7, abs=0.4)


def test_keeping_changes_nothing_in_the_model(kept, toy, tmp_path):
    plain = train("lstm", *toy, output=tmp_path / "plain", preset="tiny", options=SMALL)
    assert language_model(f"lstm:{kept}/seed-0").signature == language_model(plain.system).signature
    names = [f"lstm:{kept}/seed-0{at}" for at in ("", "@step1", "@step5")]
    assert len({language_model(name).signature for name in names}) == 3
    assert language_model(names[1]).name == names[1]


def test_an_interrupted_training_keeps_the_same(kept, toy, tmp_path):
    options = {**SMALL, "keep": f"0,1,5,{_epoch(toy)}"}
    target = tmp_path / "halved"

    def stop(text: str) -> None:
        if "epoch 2" in text:
            raise Interrupted

    with pytest.raises(Interrupted):
        train("lstm", *toy, output=target, preset="tiny", options=options, progress=stop)
    collected = tmp_path / "halved.checkpoint.steps"
    names = {f"step-{step}.pt" for step in (0, 1, 5, _epoch(toy))}
    assert {path.name for path in collected.iterdir()} == names
    trained = train("lstm", *toy, output=target, preset="tiny", options=options)
    assert trained.card["log"]["checkpoints"] == [0, 1, 5, _epoch(toy)]
    for path in (target / "checkpoints").iterdir():
        assert path.read_bytes() == (kept / "seed-0" / "checkpoints" / path.name).read_bytes()
    assert not collected.exists()


def test_what_another_training_collected_is_not_kept(toy, tmp_path):
    collected = tmp_path / "new.checkpoint.steps"
    collected.mkdir()
    (collected / "step-999.pt").write_bytes(b"of another")
    (collected / "mine.txt").write_text("not theirs", encoding="utf-8")
    train("lstm", toy[0], output=tmp_path / "new", preset="tiny", options={"hidden": "4", "epochs": "1", "keep": "1"})
    assert kept_steps(tmp_path / "new") == [_epoch(toy)]
    assert [path.name for path in collected.iterdir()] == ["mine.txt"]
    assert [path.name for path in (tmp_path / "new" / "checkpoints").iterdir()] == [f"step-{_epoch(toy)}.pt"]


@pytest.mark.parametrize("keep", ["0", "x", "1,1", "2.5"])
def test_steps_that_are_none(keep):
    with pytest.raises(UsageError):
        settings_of("lstm", "tiny", {"keep": keep})


def test_a_step_that_was_not_kept(kept, toy):
    with pytest.raises(InputError, match=f"kept are: 0, 1, 5, {_epoch(toy)}"):
        language_model(f"lstm:{kept}/seed-0@step2")


def suite() -> RegionSuite:
    """Agreement of the toy language."""
    items = [
        Item(str(number), tuple(
            Condition(name, (Region(1, f"the {noun} near the {other}"), Region(2, verb)))
            for name, verb in (("good", good), ("bad", bad))
        ))
        for number, (noun, other, good, bad) in enumerate(
            (noun, other, *(verbs if noun.endswith("s") else verbs[::-1]))
            for noun in ("dog", "dogs", "bird", "birds")
            for other in ("dog", "birds")
            for verbs in (("sleep", "sleeps"), ("run", "runs"))
        )
    ]  # fmt: skip
    return RegionSuite("toy", "toy", items, [Prediction("(2;%bad%) > (2;%good%)")], {1: "a", 2: "b"}, "syntaxgym")


def test_one_checkpoint_is_in_memory_at_a_time(kept, toy, monkeypatch, tmp_path):
    monkeypatch.setenv("GARDENPATH_CACHE", str(tmp_path / "cache"))
    alive: list[weakref.ref[Any]] = []
    most = 0
    load = neural_system.load_network

    def counted(*given: Any) -> Any:
        nonlocal most
        network = load(*given)
        alive.append(weakref.ref(network))
        most = max(most, sum(reference() is not None for reference in alive))
        return network

    monkeypatch.setattr(neural_system, "load_network", counted)
    result = run(SURPRISAL, suite(), {"L": f"lstm:{kept}@all"})
    assert len(alive) == 2 * 4
    assert most == 2  # the seeds of one step
    accuracy = {finding.by["step"]: finding for finding in result.findings if finding.measure == "accuracy"}
    assert sorted(accuracy) == [0, 1, 5, _epoch(toy)]
    alone = run(SURPRISAL, suite(), {"L": f"lstm:{kept}@step5"})
    plain = next(finding for finding in alone.findings if finding.measure == "accuracy" and not finding.by)
    ends = [(finding.value, finding.n, finding.low, finding.high) for finding in (plain, accuracy[5])]
    assert ends[0] == ends[1]


def test_the_command_line(toy, tmp_path, monkeypatch):
    monkeypatch.setenv("GARDENPATH_CACHE", str(tmp_path / "cache"))
    call = f"train lstm {toy[0]} -o {tmp_path}/m --preset tiny --option hidden=4 --option epochs=1 --keep-checkpoints 3"
    assert CliRunner().invoke(build(("train",)), call.split()).exit_code == 0
    assert kept_steps(tmp_path / "m") == [1, round(_epoch(toy) ** 0.5), _epoch(toy)]
