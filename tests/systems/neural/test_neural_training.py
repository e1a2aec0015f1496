"""Training: seeds, going on after an interruption, early stopping, options, and texts that cannot be learned from."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from gardenpath.errors import InputError, SystemFailure, UsageError
from gardenpath.systems.card import read_card
from gardenpath.systems.seeds import seeds_of
from gardenpath.systems.training import train

torch = pytest.importorskip("torch")

from gardenpath.systems.neural.items import Items  # noqa: E402
from gardenpath.systems.neural.prediction import build, sentence_items  # noqa: E402
from gardenpath.systems.neural.settings import PRESETS, Architecture, settings_of  # noqa: E402
from gardenpath.systems.neural.training_loop import Fitted, Schedule, fit, one_thread  # noqa: E402
from gardenpath.systems.neural.weights import load  # noqa: E402

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
    with one_thread(5):
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
        with one_thread(0):
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
    with one_thread(1):
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


def test_text_without_frequent_words(tmp_path: Path) -> None:
    text = tmp_path / "text.txt"
    text.write_text("a b c\n", encoding="utf-8")
    with pytest.raises(UsageError, match="the vocabulary is empty"):
        train("lstm", text, output=tmp_path / "m", preset="tiny")
    assert not (tmp_path / "m").exists()


@pytest.mark.parametrize(
    ("kind", "options", "message"),
    [
        ("lstm", {"hiden": "3"}, "hiden"),
        ("lstm", {"heads": "3"}, "unknown option of lstm 'heads'"),
        ("lstm", {"hidden": "x"}, "cannot be read"),
        ("lstm", {"embedding": "3"}, "tied weights need the same"),
        ("lstm", {"dropout": "1"}, "not a share"),
        ("lstm", {"layers": "0"}, "is not a number of this"),
        ("lstm", {"epochs": "0"}, "too few"),
        ("lstm", {"rate": "0"}, "no rate"),
        ("lstm", {"average": "1"}, "not a share of the mean"),
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
    with one_thread(0):
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


def test_n_gram_has_no_seeds(toy: tuple[Path, Path], tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="ngram models are trained one at a time"):
        train("ngram", toy[0], output=tmp_path / "m", seeds=2)


def test_no_seeds_at_all(toy: tuple[Path, Path], tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="0 is not a number of seeds"):
        train("lstm", toy[0], output=tmp_path / "m", seeds=0)
    with pytest.raises(UsageError, match="one model is trained in one process"):
        train("lstm", toy[0], output=tmp_path / "m", jobs=2)


def test_empty_text(tmp_path: Path) -> None:
    (tmp_path / "empty.txt").write_text("\n")
    with pytest.raises(InputError, match="there is no text in it"):
        train("lstm", tmp_path / "empty.txt", output=tmp_path / "m", preset="tiny")
