"""Training: seeds, interruptions, early stopping, options, checkpoints that are kept, texts that teach nothing."""

from __future__ import annotations

import math
import re
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from gardenpath.cli.main import build as program
from gardenpath.errors import GardenpathError, InputError, SystemFailure, UsageError
from gardenpath.studies.engine.study import run
from gardenpath.studies.surprisal.study import SURPRISAL
from gardenpath.suites.regions.model import Condition, Item, Prediction, Region, RegionSuite
from gardenpath.systems.asking.registry import language_model
from gardenpath.systems.files.models import kept_steps, read_card, seeds_of
from gardenpath.systems.training.training import train
from gardenpath_models.neural.vocabulary import OUTPUTS_FROM

torch = pytest.importorskip("torch")
from gardenpath.systems import torch_threads  # noqa: E402
from gardenpath_models.neural import system as neural_system  # noqa: E402
from gardenpath_models.neural.networks import tensor  # noqa: E402
from gardenpath_models.neural.system import PRESETS, Architecture, build, sentence_items, settings_of  # noqa: E402
from gardenpath_models.neural.training_loop import Fitted, Items, Schedule, duration, fit  # noqa: E402
from gardenpath_models.neural.vocabulary import load  # noqa: E402

SMALL = {"hidden": "8", "epochs": "3", "heads": "2"}
LSTM = {name: value for name, value in SMALL.items() if name != "heads"}


class Interrupted(BaseException):
    """Stands for Ctrl-C."""


def at(word: str) -> Callable[[str], None]:
    def tell(text: str) -> None:
        if word in text:
            raise Interrupted

    return tell


@pytest.mark.parametrize(("kind", "options"), [("lstm", LSTM), ("transformer", SMALL)])
def test_same_seed_same_weights(kind: str, options: dict[str, str], toy: tuple[Path, Path], tmp_path: Path) -> None:
    models = [
        train(kind, *toy, output=tmp_path / str(number), preset="tiny", seed=seed, options={**options, "epochs": "2"})
        for number, seed in enumerate((3, 3, 4))
    ]
    bytes_of = [(model.path / "weights.pt").read_bytes() for model in models]
    assert bytes_of[0] == bytes_of[1] != bytes_of[2]
    assert models[0].card["signature"] == models[1].card["signature"]


def test_interrupted_training_goes_on_to_the_same_weights(toy: tuple[Path, Path], tmp_path: Path) -> None:
    def trained(target: Path, tell: Callable[[str], None]) -> Path:
        return train("lstm", *toy, output=target, preset="tiny", options=LSTM, progress=tell).path

    whole = trained(tmp_path / "whole", lambda _: None)
    target, checkpoint = tmp_path / "halved", tmp_path / "halved.checkpoint"
    with pytest.raises(Interrupted):
        trained(target, at("epoch 2"))
    assert checkpoint.exists()
    assert not target.exists()
    told: list[str] = []
    trained(target, told.append)
    assert any(f"going on with epoch 2, from {checkpoint}" in line for line in told)
    assert (target / "weights.pt").read_bytes() == (whole / "weights.pt").read_bytes()
    assert not checkpoint.exists()


def test_checkpoint_of_another_training_is_not_gone_on_with(toy: tuple[Path, Path], tmp_path: Path) -> None:
    def trained(seed: int, tell: Callable[[str], None], resume: bool = True) -> None:
        train(
            "lstm",
            *toy,
            output=tmp_path / "model",
            preset="tiny",
            seed=seed,
            options=LSTM,
            progress=tell,
            resume=resume,
        )

    for _ in range(2):
        with pytest.raises(Interrupted):
            trained(0, at("epoch 2:"))
    told: list[str] = []
    trained(1, told.append)
    assert any("with other data or options: begun anew" in line for line in told)
    with pytest.raises(Interrupted):
        trained(0, at("epoch 2:"))
    told.clear()
    trained(0, told.append, resume=False)
    assert not any("going on" in line for line in told)


def fitted(tmp_path: Path, stop_after: int | None = None, **changes: float) -> tuple[Fitted, dict[str, torch.Tensor]]:
    """A network with dropout on seven sentences, which may be interrupted after some batches."""
    sentences = [np.arange(3, 3 + length) for length in (1, 2, 3, 4, 5, 6, 7)]
    calls = 0
    with torch_threads(seed=5):
        network = build(Architecture("lstm", 2, 6, 6, 0.5), 12)
        items = sentence_items(network, sentences)

        def loss(numbers: np.ndarray) -> tuple[torch.Tensor, int]:
            nonlocal calls
            calls += 1
            if stop_after is not None and calls > stop_after:
                raise Interrupted
            return items.loss(numbers)

        found = fit(
            network, Items(items.lengths, loss), items, Schedule(**{"epochs": 4, "batch": 8, **changes}), seed=5,
            tell=lambda _: None, checkpoint=tmp_path / "checkpoint", identity="test", checkpoint_seconds=0,
        )  # fmt: skip
        return found, {name: tensor.clone() for name, tensor in network.state_dict().items()}


@pytest.mark.parametrize(("stop_after", "average"), [(1, 0.0), (6, 0.0), (9, 0.0), (15, 0.0), (6, 0.9), (15, 0.9)])
def test_interruption_within_an_epoch(tmp_path: Path, stop_after: int, average: float) -> None:
    (tmp_path / "whole").mkdir()
    whole, expected = fitted(tmp_path / "whole", average=average)
    with pytest.raises(Interrupted):
        fitted(tmp_path, stop_after, average=average)
    halved, found = fitted(tmp_path, average=average)
    assert halved.history == whole.history
    assert all(torch.equal(found[name], expected[name]) for name in expected)


@pytest.mark.parametrize("average", [0.0, 0.3, 0.9])
def test_the_model_has_the_moving_average_of_its_weights(average: float) -> None:
    """One weight, and what it was before each step: the average is computed beside it, step by step."""
    seen: list[float] = []

    def trained(average: float) -> float:
        with torch_threads(seed=0):
            module = torch.nn.Linear(1, 1, bias=False)

            def loss(numbers: np.ndarray) -> tuple[torch.Tensor, int]:
                seen.append(float(module.weight.detach()))
                return (module.weight - len(seen)).square().sum(), 1

            fit(module, Items([1] * 12, loss), None, Schedule(3, 3, 0.1, average=average), seed=0, tell=lambda _: None)
            return float(module.weight.detach())

    last = trained(0.0)
    steps, seen = [*seen[1:], last], []
    mean = steps[0]
    for number, weight in enumerate(steps[1:], 1):
        share = min(average, (1 + number) / (10 + number))
        mean = share * mean + (1 - share) * weight
    assert len(steps) == 12
    assert trained(average) == pytest.approx(mean if average else last, rel=1e-5)
    assert [*seen[1:]] == pytest.approx(steps[:-1]), "what is learned is the same"


def test_random_numbers_and_threads_are_as_before() -> None:
    state, threads = torch.get_rng_state(), torch.get_num_threads()
    with torch_threads(seed=1):
        torch.rand(3)
        assert torch.get_num_threads() == 1
    assert torch.equal(torch.get_rng_state(), state)
    assert torch.get_num_threads() == threads


def test_training_stops_where_dev_gets_no_better(toy: tuple[Path, Path], tmp_path: Path) -> None:
    options = {"hidden": "16", "epochs": "60", "rate": "0.05", "patience": "1"}
    card = train("lstm", *toy, output=tmp_path / "m", preset="tiny", options=options).card
    history = card["log"]["epochs"]
    assert len(history) < 60
    best = min(history, key=lambda epoch: epoch["dev"])
    assert card["log"]["best_epoch"] == best["epoch"] == len(history) - 1
    assert card["dev_scores"]["perplexity"] == pytest.approx(best["dev"], abs=1e-3)


def test_without_dev_the_last_weights_are_kept(toy: tuple[Path, Path], tmp_path: Path) -> None:
    card = train("lstm", toy[0], output=tmp_path / "m", preset="tiny", options=LSTM).card
    assert (card["dev_scores"], card["log"]["best_epoch"]) == ({}, 3)


def test_long_sentences_are_told_and_counted(tmp_path: Path) -> None:
    text = tmp_path / "text.txt"
    text.write_text("a b a b\n" * 20 + "a " * 101 + "\n" + "c " * 150 + "\n", encoding="utf-8")
    told: list[str] = []
    options = {**SMALL, "layers": "1"}
    trained = train(
        "transformer", text, text, output=tmp_path / "m", preset="tiny", options=options, progress=told.append
    )
    assert "warning: 2 training sentences of more than 100 words (251 words) are left out" in told
    assert "warning: 2 dev sentences of more than 100 words (251 words) are left out" in told
    assert trained.card["log"]["too_long"] == 2
    assert trained.card["train"]["words"] == 80
    assert '"c"' not in (trained.path / "vocabulary.json").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("kind", "options", "message"),
    [
        ("lstm", {"hiden": "3"}, "hiden"),
        ("lstm", {"heads": "3"}, "unknown option of lstm 'heads'"),
        ("lstm", {"hidden": "x"}, "cannot be read"),
        ("lstm", {"embedding": "3"}, "tied weights need the same"),
        ("lstm", {"dropout": "1"}, "not a share"),
        ("lstm", {"layers": "0"}, "is not a number of this"),
        ("lstm", {"epochs": "0"}, "epochs must be at least 1"),
        ("lstm", {"rate": "0"}, "rate must be above 0"),
        ("lstm", {"average": "1"}, "average must be at least 0"),
        ("lstm", {"tied": "perhaps"}, "cannot be read"),
        ("transformer", {"heads": "5"}, "cannot be shared by 5 heads"),
        ("transformer", {"positions": "sines"}, "unknown positions"),
    ],
)
def test_options_that_do_not_fit(kind: str, options: dict[str, str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        settings_of(kind, "tiny", options)


def test_paper_sizes() -> None:
    """Table 3a: LSTM 2 layers of 256 and embeddings of 256, Transformer 12 layers of 768."""
    found = {kind: presets["paper"].shape for kind, presets in PRESETS.items()}
    sizes = {kind: (shape.layers, shape.hidden, shape.embedding) for kind, shape in found.items()}
    assert sizes == {"lstm": (2, 256, 256), "transformer": (12, 768, 768)}


def test_loss_that_is_no_number() -> None:
    with torch_threads(seed=0):
        network = build(Architecture("lstm", 1, 4, 4, 0.0), 8)
        items = sentence_items(network, [np.array([4, 5])])
        endless = Items(items.lengths, lambda numbers: (items.loss(numbers)[0] * float("inf"), 1))
        with pytest.raises(SystemFailure, match="the loss is inf in epoch 1"):
            fit(network, endless, None, Schedule(), seed=0, tell=lambda _: None)


def test_seeds_are_one_system(toy: tuple[Path, Path], tmp_path: Path) -> None:
    def trained(tell: Callable[[str], None], folder: str = "seeds") -> list[str]:
        made = train(
            "lstm",
            *toy,
            output=tmp_path / folder,
            seeds=2,
            preset="tiny",
            options={**LSTM, "epochs": "1"},
            progress=tell,
        )
        assert made.system == f"lstm:{tmp_path / folder}"
        return [model.system for model in made.seeds]

    with pytest.raises(Interrupted):
        trained(at("seed 1"))
    told: list[str] = []
    names = trained(told.append)
    assert told[0] == f"seed 0 is there already: {tmp_path / 'seeds' / 'seed-0'}"
    assert seeds_of(f"lstm:{tmp_path / 'seeds'}") == names
    assert seeds_of(names[0]) == [names[0]]
    for rest in ("@step8", "#25,3,2", "@step8#25,3,2"):  # what is said of the folder is said of every seed
        assert seeds_of(f"lstm:{tmp_path / 'seeds'}{rest}") == [f"{name}{rest}" for name in names]
    assert [read_card(tmp_path / "seeds" / f"seed-{seed}")["seed"] for seed in (0, 1)] == [0, 1]
    at_once = train(
        "lstm", *toy, output=tmp_path / "jobs", seeds=2, jobs=2, preset="tiny", options={**LSTM, "epochs": "1"},
    )  # fmt: skip
    for number, model in enumerate(at_once.seeds):  # in processes of their own the same models are learned
        alone = tmp_path / "seeds" / f"seed-{number}"
        assert (model.path / "weights.pt").read_bytes() == (alone / "weights.pt").read_bytes()
        assert model.card["dev_scores"] == read_card(alone)["dev_scores"]
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "letter.txt").write_text("Dear")
    with pytest.raises(UsageError, match="something else in the folder"):
        trained(told.append, "other")


def test_checkpoint_holds_all_that_goes_on(tmp_path: Path) -> None:
    fitted(tmp_path)
    found = load(tmp_path / "checkpoint")
    assert {"module", "best", "optimiser", "random", "progress", "identity"} <= found.keys()
    (tmp_path / "checkpoint").write_bytes(b"torn")
    with pytest.raises(SystemFailure, match="cannot be gone on with"):
        fitted(tmp_path)


@pytest.mark.parametrize(
    ("text", "more", "told"),
    [
        ("a b c\n", {}, "the vocabulary is empty"),
        ("\n", {}, "there is no text in it"),
        ("a\n", {"seeds": 0}, "0 is not a number of seeds"),
        ("a\n", {"jobs": 2}, "one model is trained in one process"),
    ],
)
def test_what_cannot_be_trained_leaves_nothing(tmp_path: Path, text: str, more: dict[str, int], told: str) -> None:
    (tmp_path / "text.txt").write_text(text, encoding="utf-8")
    with pytest.raises(GardenpathError, match=told):
        train("lstm", tmp_path / "text.txt", output=tmp_path / "m", preset="tiny", **more)
    assert not (tmp_path / "m").exists()


@pytest.fixture(scope="module")
def kept(toy: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two seeds with the checkpoints of the steps 0, 1, 5 and that of the end of the first epoch."""
    target = tmp_path_factory.mktemp("kept") / "lstm"
    train("lstm", *toy, output=target, preset="tiny", seeds=2, options={**LSTM, "keep": f"0,1,5,{_epoch(toy)}"})
    return target


def _epoch(toy: tuple[Path, Path]) -> int:
    """Batches of an epoch."""
    from gardenpath_models.neural.training_loop import bucketed

    lengths = [len(line.split()) + 1 for line in toy[0].read_text(encoding="utf-8").splitlines()]
    return len(bucketed(lengths, settings_of("lstm", "tiny", LSTM).schedule.batch))


def test_a_kept_checkpoint_is_the_model_that_a_shorter_training_makes(kept, toy, tmp_path):
    once = train("lstm", *toy, output=tmp_path / "once", preset="tiny", options={**LSTM, "epochs": "1"})
    checkpoint = kept / "seed-0" / "checkpoints" / f"step-{_epoch(toy)}.pt"
    assert checkpoint.read_bytes() == (once.path / "weights.pt").read_bytes()
    sentences = [["the", "dogs", "near", "the", "bird", "sleep", "."]]
    bits = language_model(f"lstm:{kept}/seed-0@step{_epoch(toy)}").surprisals(sentences)[0]
    assert bits.tolist() == language_model(once.system).surprisals(sentences)[0].tolist()
    untrained = language_model(f"lstm:{kept}/seed-0@step0")
    even = math.log2(len(untrained.vocabulary) - OUTPUTS_FROM)
    assert untrained.surprisals(sentences)[0] == pytest.approx([even] * 7, abs=0.4)


def test_keeping_changes_nothing_in_the_model(kept, toy, tmp_path):
    plain = train("lstm", *toy, output=tmp_path / "plain", preset="tiny", options=LSTM)
    assert language_model(f"lstm:{kept}/seed-0").signature == language_model(plain.system).signature
    names = [f"lstm:{kept}/seed-0{at}" for at in ("", "@step1", "@step5")]
    assert len({language_model(name).signature for name in names}) == 3
    assert language_model(names[1]).name == names[1]


def test_an_interrupted_training_keeps_the_same(kept, toy, tmp_path):
    options = {**LSTM, "keep": f"0,1,5,{_epoch(toy)}"}
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
    first = neural_system.build

    def counted(*given: Any) -> Any:
        nonlocal most
        network = first(*given)
        alive.append(weakref.ref(network))
        most = max(most, sum(reference() is not None for reference in alive))
        return network

    monkeypatch.setattr(neural_system, "build", counted)
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
    call = f"train lstm {toy[0]} -o {tmp_path}/m --preset tiny --set hidden=4 --set epochs=1 --checkpoints 3"
    assert CliRunner().invoke(program("train"), call.split()).exit_code == 0
    assert kept_steps(tmp_path / "m") == [1, round(_epoch(toy) ** 0.5), _epoch(toy)]


@pytest.mark.parametrize(
    ("kind", "options"),
    [("lstm", {"threads": "2"}), ("lstm", {"precision": "bfloat16"}), ("transformer", {"precision": "bfloat16"})],
)
def test_threads_and_precision_hardly_change_what_is_learned(
    kind: str, options: dict[str, str], toy: tuple[Path, Path], tmp_path: Path
) -> None:
    usual, with_options = (
        train(kind, *toy, output=tmp_path / name, preset="tiny", options={"epochs": "3", **given}).card
        for name, given in (("usual", {}), ("with-options", options))
    )
    perplexities = [card["dev_scores"]["perplexity"] for card in (usual, with_options)]
    assert perplexities[1] == pytest.approx(perplexities[0], rel=0.05)
    assert all(str(with_options["options"][name]) == value for name, value in options.items())


def test_speed_and_cost_are_reported_once(toy: tuple[Path, Path], tmp_path: Path) -> None:
    told: list[str] = []
    long = {"epochs": "100000", "patience": "1"}
    card = train("lstm", *toy, output=tmp_path / "m", preset="tiny", options=long, progress=told.append).card
    estimates = [line for line in told if "tokens per second" in line]
    assert len(estimates) == 1
    assert re.fullmatch(
        r"[\d,]+ tokens per second: about \d+ seconds? for an epoch and at most \d+ [a-z]+ for all 100000",
        estimates[0],
    )
    assert card["log"]["tokens_per_second"] > 0


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.6, "1 second"), (119, "119 seconds"), (120, "2 minutes"), (7200, "2 hours"), (4e5, "5 days")],
)
def test_durations(seconds: float, text: str) -> None:
    assert duration(seconds) == text


@pytest.mark.parametrize("device", ["cuda:7", "gpu"])
def test_a_device_that_is_not_here(device: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=f"there is no {device} here"):
        train("lstm", tmp_path / "never-read.txt", output=tmp_path / "m", options={"device": device})


def test_tensors_are_made_on_the_default_device() -> None:
    with torch.device("meta"):
        assert tensor(np.zeros(3)).device.type == "meta"
    assert tensor(np.zeros(3)).device.type == "cpu"
