"""LSTM and Transformer as language models, and their files. Oracles: the network word by word, PyTorch's own loss."""

from __future__ import annotations

import math
import pickle
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from toy_language import NOUNS, VERBS

from gardenpath.errors import InputError
from gardenpath.runs.record.cache import ResultCache
from gardenpath.runs.work.where import Where
from gardenpath.systems.asking.protocol import LanguageModel
from gardenpath.systems.asking.registry import language_model
from gardenpath.systems.language_models.scoring import score_with
from gardenpath_models.neural.system import _beginnings, _windows
from gardenpath_models.neural.vocabulary import OUTPUTS_FROM
from hostile import Hostile

torch = pytest.importorskip("torch")
from gardenpath.systems import torch_threads  # noqa: E402
from gardenpath_models.neural import networks as output_loss  # noqa: E402

SENTENCES = [
    "the dog near the birds sleeps .".split(),
    "the dog near the birds sleep .".split(),
    "the dog near the birds".split(),
    "the".split(),
    [],
    "birds Zorro 99 the the dog".split(),
    "the dog near the birds sleeps .".split(),
]


def by_steps(model: LanguageModel, sentence: list[str]) -> list[float]:
    """Surprisals of the words and the end, each from a reading of all that stands before."""
    ids = [1, *model.vocabulary.encode(sentence).tolist(), 2]  # type: ignore[attr-defined]
    network = model.network  # type: ignore[attr-defined]
    found = []
    with torch_threads(), torch.inference_mode():
        for at in range(1, len(ids)):
            logits = network.output(network(torch.tensor([ids[:at]]))[0, -1])
            found.append(-torch.log_softmax(logits, 0)[ids[at] - 2].item() / math.log(2))
    return found


def test_surprisals_are_those_of_the_network_word_by_word(toy_model: str) -> None:
    model = language_model(toy_model)
    scores = score_with(model, SENTENCES, where=Where(cache=False))
    assert scores.ends is not None
    for sentence, values, end in zip(SENTENCES, scores.surprisals, scores.ends, strict=True):
        np.testing.assert_allclose([*values, end], by_steps(model, sentence), atol=1e-5)


def test_batched_is_one_by_one(toy_model: str) -> None:
    model = language_model(toy_model)
    together = model.surprisals(SENTENCES)
    for sentence, values in zip(SENTENCES, together, strict=True):
        np.testing.assert_allclose(values, model.surprisals([sentence])[0], atol=1e-5)


def test_what_begins_alike_has_the_same_values_to_the_last_digit(toy_model: str) -> None:
    good, bad, begun, *_ = language_model(toy_model).surprisals(SENTENCES)
    assert good[:5].tolist() == bad[:5].tolist() == begun.tolist()


def test_probabilities_sum_to_one_over_words_classes_and_end(toy_model: str) -> None:
    model = language_model(toy_model)
    vocabulary, network = model.vocabulary, model.network  # type: ignore[attr-defined]
    logits = network.output(network(torch.tensor([[1, *vocabulary.encode(["the", "dog"]).tolist()]]))[0, -1])
    assert logits.shape == (len(vocabulary) - OUTPUTS_FROM,)
    total = 2 ** -model.end_surprisals([["the", "dog"]])[0]  # type: ignore[attr-defined]
    total += sum(2 ** -model.surprisals([["the", "dog", word]])[0][2] for word in vocabulary.words)
    classes = torch.softmax(logits, 0)[1 : 1 + len(vocabulary.classes)].sum().item()
    assert total + classes == pytest.approx(1, abs=1e-5)


def test_agreement_is_learned(toy_model: str) -> None:
    """Across a noun of the other number, where the word before the verb tells the wrong thing."""
    pairs = [
        (["the", noun, "near", "the", between, right], ["the", noun, "near", "the", between, wrong])
        for number, other in (("sg", "pl"), ("pl", "sg"))
        for noun in NOUNS[number]
        for between in NOUNS[other]
        for right, wrong in zip(VERBS[number], VERBS[other], strict=True)
    ]
    model = language_model(toy_model)
    good = model.surprisals([right for right, _ in pairs])
    bad = model.surprisals([wrong for _, wrong in pairs])
    assert np.mean([one[-1] < other[-1] for one, other in zip(good, bad, strict=True)]) > 0.9


def test_unknown_words_have_the_surprisal_of_their_class(toy_model: str) -> None:
    model = language_model(toy_model)
    oov = model.oov([["the", "Zorro", "99", "dog"]])[0]
    assert oov.tolist() == [False, True, True, False]
    one, other = model.surprisals([["the", "Zorro"], ["the", "Ivan"]])
    assert one.tolist() == other.tolist()
    assert np.isfinite(one).all()


def test_a_second_run_loads_no_model(toy_model: str, tmp_path: Path) -> None:
    store = ResultCache(tmp_path / "store")
    first = score_with(language_model(toy_model), SENTENCES, where=Where(cache=store))
    again = language_model(toy_model)
    second = score_with(again, SENTENCES, where=Where(cache=store))
    assert [one.tolist() for one in second.surprisals] == [one.tolist() for one in first.surprisals]
    assert not {"network", "vocabulary"} & vars(again).keys()


def test_long_sentences_are_read_in_windows(toy_model: str) -> None:
    model = language_model(toy_model)
    sentence = ("the dog near the birds sleeps . " * 40).split()
    values = model.surprisals([sentence])[0]
    assert len(values) == 280
    assert np.isfinite(values).all()
    begun = model.surprisals([sentence[:100]])[0]
    np.testing.assert_allclose(values[:100], begun, atol=1e-4)


def test_model_of_another_kind(toy_model: str) -> None:
    kind, _, folder = toy_model.partition(":")
    other = {"lstm": "transformer", "transformer": "lstm"}[kind]
    with pytest.raises(InputError, match=f"a model of the kind {kind}"):
        language_model(f"{other}:{folder}")
    with pytest.raises(InputError, match="no such folder"):
        language_model(f"{kind}:{folder}-none")


@pytest.mark.parametrize("rows", [1, 3, 7, 256])
def test_loss_and_gradients_are_those_of_cross_entropy(rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output_loss, "ROWS", rows)
    chance = torch.Generator().manual_seed(1)
    hidden, weight, bias = (torch.randn(*size, generator=chance).requires_grad_() for size in ((7, 5), (11, 5), (11,)))
    targets = torch.randint(0, 11, (7,), generator=chance)

    def whole() -> torch.Tensor:
        logits = torch.nn.functional.linear(hidden, weight, bias)
        return torch.nn.functional.cross_entropy(logits, targets, reduction="sum")

    def pieces() -> torch.Tensor:
        return output_loss.summed_loss(hidden, weight, bias, targets)

    expected = torch.autograd.grad(whole() / 3, (hidden, weight, bias))
    torch.testing.assert_close(torch.autograd.grad(pieces() / 3, (hidden, weight, bias)), expected)
    with torch.no_grad():
        torch.testing.assert_close(pieces(), whole())


DRAWN = st.lists(st.lists(st.integers(3, 5), max_size=6), max_size=12)


@given(DRAWN)
def test_every_beginning_is_there_once(sentences: list[list[int]]) -> None:
    contexts, words = _beginnings([np.array(one, np.int64) for one in sentences])
    different = {tuple(one[:at]) for one in sentences for at in range(len(one) + 1)}
    assert contexts.count == len(different)
    of_event = iter(contexts.of_event.tolist())
    numbers = {tuple(one[:at]): next(of_event) for one in sentences for at in range(len(one) + 1)}
    assert sorted(numbers.values()) == list(range(len(different)))
    assert words.tolist() == [word for one in sentences for word in (*one, 2)]
    read = {}
    for row, (begin, first) in zip(contexts.rows, contexts.places, strict=True):
        for at in range(begin, len(row)):
            read[tuple(row[1 : at + 1].tolist())] = first + at - begin
    assert read == numbers


@given(st.integers(1, 300), st.none() | st.integers(1, 50))
def test_windows_read_off_every_position_once(length: int, longest: int | None) -> None:
    windows = _windows(length, longest)
    positions = [at for _, first, stop in windows for at in range(first, stop)]
    assert positions == list(range(length))
    for start, first, stop in windows:
        assert start >= 0
        assert stop - start <= (longest or length) + 1
        assert start == 0 or first - start >= (longest or 0) // 2


@pytest.fixture
def copy(toy_model: str, tmp_path: Path) -> tuple[str, Path]:
    kind, _, folder = toy_model.partition(":")
    shutil.copytree(folder, tmp_path / "model")
    return f"{kind}:{tmp_path / 'model'}", tmp_path / "model"


def test_code_is_not_run(copy: tuple[str, Path], tmp_path: Path) -> None:
    name, folder = copy
    torch.save({"embedding.weight": Hostile(tmp_path / "run")}, folder / "weights.pt")
    with pytest.raises(InputError, match="holds code instead of weights; nothing of it was run"):
        language_model(name).surprisals([["the"]])
    (folder / "weights.pt").write_bytes(pickle.dumps(Hostile(tmp_path / "run")))
    with pytest.raises(InputError, match="nothing of it was run"):
        language_model(name).surprisals([["the"]])
    assert not (tmp_path / "run").exists()


def packed(folder: Path) -> None:
    with zipfile.ZipFile(folder / "weights.pt") as archive:
        parts = {member: archive.read(member) for member in archive.namelist()}
    with zipfile.ZipFile(folder / "weights.pt", "w", zipfile.ZIP_DEFLATED) as archive:
        for member, data in parts.items():
            archive.writestr(member, data)


def cut(folder: Path) -> None:
    data = (folder / "weights.pt").read_bytes()
    (folder / "weights.pt").write_bytes(data[: len(data) // 2])


def of_another_shape(folder: Path) -> None:
    path = folder / "network.json"
    path.write_text(path.read_text().replace('"layers": ', '"layers": 1'))


def no_numbers(folder: Path) -> None:
    state = torch.load(folder / "weights.pt", weights_only=True)
    state["output.bias"][0] = float("nan")
    torch.save(state, folder / "weights.pt")


@pytest.mark.parametrize(
    ("harm", "message"),
    [
        (packed, "its parts are packed"), (cut, "is damaged"), (of_another_shape, "do not fit the settings"),
        (no_numbers, "not all finite numbers"),
    ],
)  # fmt: skip
def test_damaged_weights_are_refused(copy: tuple[str, Path], harm: Callable[[Path], None], message: str) -> None:
    name, folder = copy
    harm(folder)
    with pytest.raises(InputError, match=message):
        language_model(name).surprisals([["the"]])


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("gardenpath-network 1", "other", "the format is not"),
        ('"dropout": 0.0', '"dropout": "a"', "dropout is not a float"),
        ('"layers"', '"leyers"', "this describes no network"),
        ('"longest": 100', '"longest": -1', "this describes no network"),
        ("{", "", "this describes no network"),
    ],
)
def test_description_that_is_none(copy: tuple[str, Path], old: str, new: str, message: str) -> None:
    name, folder = copy
    path = folder / "network.json"
    path.write_text(path.read_text().replace(old, new, 1))
    with pytest.raises(InputError, match=message):
        language_model(name)


def test_folder_that_is_no_model(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no lstm model: there is no network\.json"):
        language_model(f"lstm:{tmp_path}")


def test_folder_of_seeds_is_several_models(copy: tuple[str, Path], tmp_path: Path) -> None:
    name, folder = copy
    kind = name.partition(":")[0]
    (tmp_path / "seeds").mkdir()
    folder.rename(tmp_path / "seeds" / "seed-4")
    with pytest.raises(InputError, match="this folder holds 1 models"):
        language_model(f"{kind}:{tmp_path / 'seeds'}")
