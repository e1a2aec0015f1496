"""Language models by name: the registry tells them from parsers, results are kept, wrong ones are told with places."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from gardenpath.errors import SystemFailure, UsageError
from gardenpath.runs.record.cache import ResultCache
from gardenpath.runs.work.where import Where
from gardenpath.systems import kinds, system
from gardenpath.systems.asking.protocol import LanguageModel
from gardenpath.systems.asking.registry import language_model
from gardenpath.systems.language_models.scoring import Perplexity, perplexity, score_blocks, score_with, surprisals_with
from gardenpath.systems.training.training import train
from gardenpath_models.ngram.system import NGram
from installed_package import install

TEXT = [["der", "Hund", "bellt"], [], ["die", "Katze"], ["ein", "Hund", "sah", "die", "Maus"]]


class Lengths:
    """A model that finds long words surprising, counts its calls, and has whatever faults a test wants."""

    name, signature = "lengths:1", "kind:lengths|version:1"

    def __init__(self) -> None:
        self.calls = 0
        self.wrong: dict[str, float] = {}

    def surprisals(self, sentences: Sequence[Sequence[str]]) -> list[np.ndarray]:
        self.calls += 1
        return [np.array([self.wrong.get(word, len(word)) for word in one], float) for one in sentences]

    def oov(self, sentences: Sequence[Sequence[str]]) -> list[np.ndarray]:
        return [np.array([word == "Maus" for word in one], bool) for one in sentences]


@pytest.fixture(scope="module")
def ngram(samples: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("ngram") / "de.npz"
    return train("ngram", samples / "de_garden-train.conllu", output=path).system


def test_values_come_in_the_shape_of_the_sentences() -> None:
    model = Lengths()
    assert isinstance(model, LanguageModel)
    scores = score_with(model, TEXT, where=Where(cache=False))
    assert [values.tolist() for values in scores.surprisals] == [[3, 4, 5], [], [3, 5], [3, 4, 3, 3, 4]]
    assert [values.tolist() for values in scores.oov][3] == [False, False, False, False, True]
    assert scores.ends is None
    assert [len(values) for values in surprisals_with(model, TEXT, where=Where(cache=False))] == [3, 0, 2, 5]
    assert score_with(model, [], where=Where(cache=False)).surprisals == []


def test_a_second_run_asks_no_model(tmp_path: Path) -> None:
    model, store = Lengths(), ResultCache(tmp_path / "store")
    first = score_with(model, TEXT, where=Where(cache=store))
    again = score_with(model, TEXT, where=Where(cache=store))
    assert model.calls == 1
    assert [one.tolist() for one in again.surprisals] == [one.tolist() for one in first.surprisals]
    assert [one.tolist() for one in again.oov] == [one.tolist() for one in first.oov]
    score_with(model, [["der", "Hund bellt"], *TEXT[1:]], where=Where(cache=store))  # the borders of tokens count
    assert model.calls == 2


def test_a_second_run_by_name_loads_no_model(ngram: str, monkeypatch: pytest.MonkeyPatch) -> None:
    first = score_with(ngram, TEXT)

    def refuse(path: Path) -> None:
        raise AssertionError(f"{path} is loaded")

    monkeypatch.setattr("gardenpath_models.ngram.system.load", refuse)
    again = score_with(ngram, TEXT)
    assert np.concatenate(again.surprisals).tolist() == np.concatenate(first.surprisals).tolist()
    assert again.ends is not None
    assert first.ends is not None
    assert again.ends.tolist() == first.ends.tolist()
    with pytest.raises(SystemFailure, match="is loaded"):
        score_with(ngram, [["neu"]])


def test_processes_and_stretches_change_nothing(ngram: str, samples: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from gardenpath.systems.asking.protocol import Habits
    from scored_text import read_sentences

    monkeypatch.setattr(NGram, "habits", Habits(chunk=7))
    sentences = read_sentences(samples / "de_garden-dev.conllu")[:30]
    here = score_with(ngram, sentences, where=Where(cache=False))
    there = score_with(ngram, sentences, where=Where(cache=False, jobs=2))
    pieces = list(score_blocks(ngram, [sentences[:11], sentences[11:]], where=Where(cache=False)))
    for other in (there.surprisals, pieces[0].surprisals + pieces[1].surprisals):
        assert np.concatenate(other).tolist() == np.concatenate(here.surprisals).tolist()
    total = perplexity(pieces[0]) + perplexity(pieces[1])
    assert total.value() == pytest.approx(perplexity(here).value())
    assert total.oov == perplexity(here).oov > 0


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_a_surprisal_that_is_no_number_is_a_counted_failure_of_its_sentence(value: float) -> None:
    model = Lengths()
    sound = score_with(model, TEXT, where=Where(cache=False))
    model.wrong["sah"] = value
    scores = score_with(model, TEXT, where=Where(cache=False))
    assert scores.failures == {"crashed": 1}
    assert f"sentence 4: the surprisal of token 3, 'sah', is {value}" in scores.notes[0]
    assert np.isnan(scores.surprisals[3]).all()
    assert [values.tolist() for values in scores.surprisals[:3]] == [values.tolist() for values in sound.surprisals[:3]]
    _, second = score_blocks(model, [TEXT[:2], [["a"], ["b"], ["c"], ["sah"]]], where=Where(cache=False))
    assert second.problems == {3: "crashed"}
    assert "sentence 6: " in second.notes[0]
    with pytest.raises(SystemFailure, match="sentence 1: "):  # all of them: then it is the model
        score_with(model, [["sah"]], where=Where(cache=False))


def test_too_few_values_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Lengths, "surprisals", lambda self, sentences: [np.zeros(2) for _ in sentences])
    with pytest.raises(SystemFailure, match="sentence 1: 2 surprisals for 3 tokens"):
        score_with(Lengths(), TEXT, where=Where(cache=False))
    monkeypatch.setattr(Lengths, "surprisals", lambda self, sentences: [])
    with pytest.raises(SystemFailure, match="surprisals of 0 sentences for 4"):
        score_with(Lengths(), TEXT, where=Where(cache=False))


def test_perplexity_of_words_of_equal_surprise_is_two_to_its_power() -> None:
    model = Lengths()
    found = perplexity(score_with(model, [["ab", "cd"], ["Maus"]], where=Where(cache=False)))
    assert found.value(ends=False) == pytest.approx(2 ** (8 / 3))
    assert found.value(ends=False, oov=False) == pytest.approx(4)
    assert found.value() is None  # it does not predict ends
    assert Perplexity().value() is None
    assert (Perplexity() + Perplexity(1, 2, 0, 4.0, 0.0, 2.0)).value() == pytest.approx(4)


def test_parsers_have_no_surprisals_and_language_models_no_trees(ngram: str) -> None:
    with pytest.raises(UsageError, match=r"(?s)this is a parser, and a language model is needed.*ngram"):
        language_model("conllu:parsed.conllu")
    with pytest.raises(UsageError, match=r"(?s)this is a language model, and a parser is needed.*udpipe"):
        system(ngram)
    assert kinds()["ngram"].role == "language model"
    assert kinds()["udpipe"].role == "parser"


@pytest.fixture
def third_party(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A real distribution with entry points, installed into a folder on the path."""
    (tmp_path / "other_models.py").write_text(
        "import numpy as np\n"
        "class Flat:\n"
        "    signature = 'kind:flat|version:1'\n"
        "    def __init__(self, argument):\n"
        "        self.name, self.bits = 'flat:' + argument, float(argument)\n"
        "    def surprisals(self, sentences):\n"
        "        return [np.full(len(one), self.bits) for one in sentences]\n"
        "    def oov(self, sentences):\n"
        "        return [np.zeros(len(one), bool) for one in sentences]\n"
        "class Tree:\n"
        "    name, signature, modes = 'tree:1', 'kind:tree|version:1', ('tokens',)\n"
        "    def __init__(self, argument): pass\n"
        "    def parse(self, request): return ''\n"
        "class Half:\n"
        "    name, signature = 'half:1', 'kind:half|version:1'\n"
        "    def __init__(self, argument): pass\n"
        "    def surprisals(self, sentences): return []\n",
        encoding="utf-8",
    )
    named = [f"{name.lower()} = other_models:{name}\n" for name in ("Flat", "Tree", "Half", "Gone")]
    install(tmp_path, monkeypatch, "other_models", "".join(named))


@pytest.mark.usefixtures("third_party")
def test_a_language_model_of_another_package_works_like_ours() -> None:
    assert surprisals_with("flat:2.5", TEXT)[0].tolist() == [2.5, 2.5, 2.5]
    roles = {name: kinds()[name].role for name in ("flat", "tree", "gone")}
    assert roles == {"flat": "language model", "tree": "parser", "gone": "cannot be loaded"}
    with pytest.raises(UsageError, match="this is a language model"):
        system("flat:1")
    with pytest.raises(UsageError, match="this is a parser"):
        language_model("tree:1")
    with pytest.raises(SystemFailure, match="is not a language model"):
        language_model("half:1")
