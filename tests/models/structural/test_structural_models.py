"""RNNG and PLM as systems; their probabilities against the sum over every tree."""

from __future__ import annotations

import json
import math
import shutil
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from every_tree import INVENTORY, derivations

from gardenpath.cli.main import main
from gardenpath.errors import FailedOnInput, GardenpathError, InputError, UsageError
from gardenpath.phrase import read
from gardenpath.runs.work.where import Where
from gardenpath.systems.asking.protocol import LanguageModel, PhraseParser
from gardenpath.systems.asking.registry import language_model, phrase_parser
from gardenpath.systems.language_models.scoring import score_with
from gardenpath.systems.parsers.phrase_parsing import parse_trees_with
from gardenpath.systems.training.training import train
from gardenpath_models.structural.actions import FIRST_NT, REDUCE_ID
from gardenpath_models.structural.system import settings_of
from interrupted_training import interrupt_after_an_epoch

torch = pytest.importorskip("torch")
from every_tree import WORDS, log_probabilities  # noqa: E402

from gardenpath_models.structural import beam as output_layer  # noqa: E402
from gardenpath_models.structural.beam import Beam, BeamResult, search  # noqa: E402
from gardenpath_models.structural.plm import Phrases  # noqa: E402
from gardenpath_models.structural.rnng import Cell, Contents, squashed, stepped  # noqa: E402

SENTENCE = "the dog sees a cat".split()
TINY = {"hidden": "8", "epochs": "2", "batch": "100"}


def test_it_is_a_language_model_and_a_parser(model: str) -> None:
    one = language_model(model)
    assert isinstance(one, LanguageModel)
    assert isinstance(phrase_parser(model), PhraseParser)
    scores = score_with(one, [SENTENCE, ["a", "zebra"]], where=Where(cache=False))
    assert [len(values) for values in scores.surprisals] == [5, 2]
    assert scores.ends is not None
    assert min(map(min, scores.surprisals)) >= 0
    assert [marks.tolist() for marks in scores.oov] == [[False] * 5, [False, True]]


def test_it_has_learned_the_trees(model: str, trees_file: Path) -> None:
    gold = read(trees_file)[:6]
    found = parse_trees_with(model, [tree.words for tree in gold], where=Where(cache=False)).trees
    assert [tree.labels[-1] for tree in found if tree] == ["S"] * 6
    assert sum(tree is not None and tree.masks == one.masks for tree, one in zip(found, gold, strict=True)) >= 4
    card = json.loads((Path(model.partition(":")[2]) / "model.json").read_text(encoding="utf-8"))
    assert card["dev_scores"]["unlabelled F1"] > 80
    assert 1 < card["dev_scores"]["perplexity"] < 10
    assert card["log"]["epochs"][-1]["dev"] < card["log"]["epochs"][0]["dev"]
    assert card["log"]["dev_sample"] == 24


def test_checkpoints_are_kept(model: str) -> None:
    untrained, after, trained = (language_model(f"{model}{at}") for at in ("@step0", "@step2#100,10,5", ""))
    bits = [kept.surprisals([SENTENCE])[0].mean() for kept in (untrained, after, trained)]
    assert bits[0] > bits[1] > bits[2]
    assert after.name == f"{language_model(model).name}@step2#100,10,5"
    network = after.network
    after.release()
    assert after.network is not network
    assert after.surprisals([SENTENCE])[0].mean() == bits[1]


def test_beam_in_the_name(model: str) -> None:
    wide, narrow = language_model(model), language_model(f"{model}#3,1,1")
    assert narrow.name.endswith("#3,1,1")
    assert wide.signature != narrow.signature
    assert narrow.surprisals([SENTENCE])[0].sum() >= wide.surprisals([SENTENCE])[0].sum() - 1e-6
    with pytest.raises(UsageError, match="room for one hypothesis"):
        language_model(f"{model}#0,1,1")


def test_sentences_that_cannot_be_scored(model: str) -> None:
    one = language_model(model)
    with pytest.raises(InputError, match="a sentence without words"):
        one.surprisals([SENTENCE, []])
    with pytest.raises(FailedOnInput, match="has 101 words, and the model was trained on 100 at most"):
        one.surprisals([["cat"] * 101])
    trees = phrase_parser(model).parse_trees([[], SENTENCE, ["cat"] * 101])
    assert [tree is None for tree in trees] == [True, False, True]


def test_models_that_do_not_fit(model: str, tmp_path: Path) -> None:
    kind, _, folder = model.partition(":")
    broken = tmp_path / "broken"
    shutil.copytree(folder, broken)
    actions = json.loads((broken / "actions.json").read_text(encoding="utf-8"))
    actions["labels"].append("XP")
    (broken / "actions.json").write_text(json.dumps(actions), encoding="utf-8")
    with pytest.raises(InputError, match="the weights are for 6 actions, but the model lists 7"):
        language_model(f"{kind}:{broken}").surprisals([SENTENCE])
    other = {"rnng": "plm", "plm": "rnng"}[kind]
    with pytest.raises(InputError, match=f"a model of the kind {kind}"):
        language_model(f"{other}:{broken}")
    (broken / "network.json").write_text('{"format": "gardenpath-network 1"}', encoding="utf-8")
    with pytest.raises(InputError, match="not settings of a structural model: the format is not gardenpath-structural"):
        language_model(f"{kind}:{broken}")
    (broken / "actions.json").unlink()
    with pytest.raises(InputError, match=r"there is no actions\.json"):
        language_model(f"{kind}:{broken}")


@pytest.mark.parametrize("kind", ["rnng", "plm"])
def test_the_seed_decides(kind: str, trees_file: Path, tmp_path: Path) -> None:
    def signature(name: str, seed: int) -> str:
        made = train(kind, trees_file, output=tmp_path / name, preset="tiny", options=TINY, seed=seed)
        return str(made.card["signature"])

    assert signature("a", 1) == signature("b", 1) != signature("c", 2)


def test_several_seeds_are_not_trained_twice(trees_file: Path, tmp_path: Path) -> None:
    told: list[str] = []

    def trained() -> list[str]:
        made = train(
            "rnng",
            iter([trees_file]),
            output=tmp_path / "all",
            seeds=2,
            preset="tiny",
            options=TINY,
            progress=told.append,
        )
        return [model.system for model in made.seeds]

    first = trained()
    assert [Path(one).name for one in first] == ["seed-0", "seed-1"]
    assert trained() == first
    assert told[-1].startswith("seed 1 is there already")
    with pytest.raises(InputError, match="holds 2 models"):
        language_model(f"rnng:{tmp_path / 'all'}")


def test_an_interrupted_training_goes_on(trees_file: Path, tmp_path: Path) -> None:
    def trained(name: str) -> str:
        options = {**TINY, "dev_sample": "1"}
        made = train("rnng", trees_file, trees_file, output=tmp_path / name, preset="tiny", options=options)
        return str(made.card["signature"])

    whole = trained("whole")
    interrupt_after_an_epoch(lambda: trained("part"))
    assert (tmp_path / "part.checkpoint").exists()
    assert trained("part") == whole
    assert not (tmp_path / "part.checkpoint").exists()


def test_dependency_trees_will_do(samples: Path, tmp_path: Path) -> None:
    told: list[str] = []
    made = train(
        "rnng", samples / "de_garden-dev.conllu", output=tmp_path / "ud", preset="tiny",
        options={**TINY, "epochs": "1"}, progress=told.append,
    )  # fmt: skip
    assert any("dependency trees made into phrases" in line for line in told)
    tree = phrase_parser(made.system).parse_trees([["Der", "Hund", "schläft", "."]])[0]
    assert tree is not None
    assert all(label.endswith("P") or label == "<root>" for label in tree.labels)


def test_nothing_is_left_out_in_silence(tmp_path: Path) -> None:
    file = tmp_path / "trees.mrg"
    file.write_text("(S (A a) (B b))\n(S (A a) (X (X (X (B b)))))\n(S" + " (A a)" * 12 + ")\n(A a)\n", encoding="utf-8")
    told: list[str] = []
    made = train(
        "plm", file, output=tmp_path / "model", preset="tiny", progress=told.append,
        options={**TINY, "max_run": "2", "longest": "10", "min_count": "1"},
    )  # fmt: skip
    text = "\n".join(told)
    assert "1 training sentence of more than 10 words (12 words) is left out" in text
    assert "1 training tree with more phrases opened in a row than max_run (2) left out" in text
    assert "a phrase was put over several roots, or over a word, in 1 training tree" in text
    assert made.card["log"]["left_out"] == 2
    assert made.card["train"]["sentences"] == 2


def test_dev_trees_of_another_scheme(trees_file: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.mrg"
    other.write_text("(Satz (D the) (N dog))\n", encoding="utf-8")
    with pytest.raises(InputError, match="no dev tree has the categories of the training trees"):
        train("rnng", trees_file, other, output=tmp_path / "model", preset="tiny", options=TINY)
    assert not (tmp_path / "model").exists()


@pytest.mark.parametrize(
    ("kind", "options", "what"),
    [
        ("rnng", {"heads": "2"}, "heads"),
        ("plm", {"history": "yes"}, "history"),
        ("plm", {"hidden": "30", "heads": "4"}, "cannot be shared"),
        ("rnng", {"dropout": "1"}, "is not a share"),
        ("rnng", {"rate": "fast"}, "cannot be read"),
        ("rnng", {"rate": "0"}, "rate must be above 0"),
        ("rnng", {"decay": "2"}, "decay must be between 0 and 1"),
        ("plm", {"epochs": "0"}, "epochs must be at least 1"),
        ("plm", {"positions": "2"}, "are not a derivation"),
        ("rnng", {"max_open": "-1"}, "-1 is less than 0"),
        ("rnng", {"min_count": "0"}, "a vocabulary has words"),
        ("rnng", {"nonprojective": "drop"}, "drop"),
    ],
)
def test_wrong_options(kind: str, options: dict[str, str], what: str, trees_file: Path, tmp_path: Path) -> None:
    with pytest.raises(GardenpathError, match=what):
        train(kind, trees_file, output=tmp_path / "model", options=options)
    assert not (tmp_path / "model").exists()


def test_presets_have_the_sizes_of_the_paper() -> None:
    rnng, plm = settings_of("rnng", "paper", {}).shape, settings_of("plm", "paper", {}).shape
    assert (rnng.layers, rnng.hidden, plm.layers, plm.hidden) == (2, 256, 12, 768)  # Table 3a
    assert not plm.guided  # as Qian et al. have it
    assert settings_of("plm", "default", {}).shape.guided
    assert replace(rnng, history=True).history != rnng.history


def test_scores_do_not_depend_on_the_company(model: str) -> None:
    one = language_model(model)
    sentences = [SENTENCE, "the dog sleeps".split(), "the dog sees the cat on the mat".split(), ["cat"]]
    together = one.surprisals(sentences)
    for sentence, values in zip(sentences, together, strict=True):
        np.testing.assert_allclose(one.surprisals([sentence])[0], values, atol=1e-4)


def call(*arguments: object) -> int:
    with pytest.raises(SystemExit) as stop:
        main([str(one) for one in arguments])
    return int(stop.value.code or 0)


@pytest.mark.parametrize("kind", ["rnng", "plm"])
def test_train_then_score(kind: str, trees_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, text = tmp_path / "model", tmp_path / "text.txt"
    quick = ("--preset", "tiny", "--set", "hidden=8", "--set", "epochs=1")
    assert call("train", kind, trees_file, "--dev", trees_file, "-o", folder, *quick) == 0
    told = capsys.readouterr().err
    assert "unlabelled F1" in told
    assert "joint perplexity" in told
    text.write_text("the dog sleeps\n", encoding="utf-8")
    assert call("score", f"{kind}:{folder}", text) == 0
    assert "sleeps" in capsys.readouterr().out


def test_several_seeds(trees_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    quick = ("--preset", "tiny", "--set", "hidden=8", "--set", "epochs=1", "--seeds", 2)
    assert call("train", "rnng", trees_file, "-o", tmp_path / "all", *quick) == 0
    assert sorted(one.name for one in (tmp_path / "all").iterdir()) == ["seed-0", "seed-1"]
    assert call("train", "rnng", trees_file, "-o", tmp_path / "x", "--set", "width=8") == 2
    assert "width" in capsys.readouterr().err


ROOM = Beam(action=10**6, word=10**6, fast=5, negligible=0)
"""Holds all derivations, and follows them all."""
SENTENCES = [[3], [4, 5], [3, 5, 3]]


def found(network: Any, sentences: list[list[int]], beam: Beam = ROOM, together: int = 16) -> list[BeamResult]:
    return search(network, [np.array(sentence) for sentence in sentences], beam, together)


@pytest.mark.parametrize("words", SENTENCES)
def test_beam_with_room_is_the_sum_over_all_trees(network: Any, words: list[int]) -> None:
    (one,) = found(network, [words])
    assert one.marginals[-1] == pytest.approx(
        np.logaddexp.reduce(log_probabilities(network, derivations(words))), abs=1e-5
    )
    assert len(one.marginals) == len(words) + 2


@pytest.mark.parametrize("words", SENTENCES)
def test_best_derivation_is_the_best_of_all(network: Any, words: list[int]) -> None:
    (one,) = found(network, [words])
    items = derivations(words)
    scores = log_probabilities(network, items)
    assert one.log_probability == pytest.approx(scores.max(), abs=1e-5)
    assert one.actions.tolist() == items[int(scores.argmax())].actions.tolist()


def test_next_words_and_the_end_sum_to_one(network: Any) -> None:
    for begin in product(WORDS, repeat=2):
        after = [np.exp(one.marginals[3]) for one in found(network, [[*begin, word] for word in WORDS])]
        (here,) = found(network, [list(begin)])
        total = sum(after) + np.exp(here.marginals[-1])
        assert total / np.exp(here.marginals[2]) == pytest.approx(1, abs=1e-5)
    firsts = [np.exp(one.marginals[1]) for one in found(network, [[word] for word in WORDS])]
    assert sum(firsts) == pytest.approx(1, abs=1e-5)  # a sentence has a word


def test_a_narrow_beam_finds_less(network: Any) -> None:
    whole = found(network, [[3, 5, 3]])[0].marginals
    for beam in (Beam(1, 1, 1), Beam(4, 2, 1), Beam(20, 5, 2), Beam(100, 10, 5), Beam(100, 10, 0)):
        narrow = found(network, [[3, 5, 3]], beam)[0].marginals
        assert (narrow <= whole + 1e-6).all()
        assert (np.diff(narrow) <= 1e-9).all()  # no surprisal is negative
        assert np.isfinite(narrow).all()


def test_together_and_one_by_one(network: Any) -> None:
    random = np.random.default_rng(1)
    sentences = [random.choice(WORDS, length).tolist() for length in (1, 7, 3, 5, 2, 7, 4)] + [[3, 4, 5], [3, 4, 4, 4]]
    beam = Beam(12, 4, 2)
    alone = [found(network, [sentence], beam)[0] for sentence in sentences]
    for group in (16, 2):
        for one, other in zip(found(network, sentences, beam, group), alone, strict=True):
            np.testing.assert_allclose(one.marginals, other.marginals, atol=1e-4)
            assert one.actions.tolist() == other.actions.tolist()


def test_a_batch_is_the_sum_of_its_sentences(network: Any) -> None:
    items = [one for words in SENTENCES for one in derivations(words)[::17]]
    with torch.no_grad():
        alone = [-float(network.loss([one])) for one in items]
        np.testing.assert_allclose(log_probabilities(network, items), alone, atol=1e-4)
        assert float(network.loss(items)) == pytest.approx(-sum(alone), rel=1e-5)


def test_gradients_of_a_batch_are_those_of_its_sentences(network: Any) -> None:
    items = derivations([3, 5, 3])[::100]
    weights = list(network.parameters())

    def gradients(parts: list[list[Any]]) -> list[Any]:
        network.zero_grad()
        for part in parts:
            network.loss(part).backward()
        return [torch.zeros(1) if weight.grad is None else weight.grad.clone() for weight in weights]

    for one, other in zip(gradients([items]), gradients([[item] for item in items]), strict=True):
        torch.testing.assert_close(one, other, atol=1e-4, rtol=1e-3)


def test_impossible_actions_have_no_probability(network: Any) -> None:
    with torch.inference_mode():
        acts, _ = network.predict(network.start())
    probabilities = acts[0].double().exp().numpy()
    assert probabilities[:2].tolist() == [0, 0]  # neither REDUCE nor GEN before a phrase is open
    assert probabilities.sum() == pytest.approx(1)
    assert math.isclose(len(probabilities), len(INVENTORY))


@pytest.mark.parametrize("frequent", [0, 1, 2, 512])
def test_a_bound_is_not_below_the_probability(network: Any, monkeypatch: pytest.MonkeyPatch, frequent: int) -> None:
    monkeypatch.setattr(output_layer, "FREQUENT", frequent)
    hidden = torch.randn(60, network.shape.hidden, generator=torch.Generator().manual_seed(2))
    words = torch.tensor(list(WORDS) * (60 // len(WORDS)))
    with torch.inference_mode():
        said, most = network.say.log_probability(hidden, words), network.say.at_most(hidden, words)
    assert (most >= said).all()
    assert frequent < len(WORDS) or (most <= said + 2 * output_layer.ROUNDING).all()


def test_words_that_are_not_asked_for_would_not_be_picked(network: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    sentences = [[3, 5, 3, 4], [4, 4, 5], [5, 3, 4, 3, 3]]
    beams = [Beam(6, 3, 1, 0), Beam(9, 4, 2, 0), Beam(9, 4, 0, 0), Beam(30, 5, 3, 0)]
    monkeypatch.setattr(output_layer, "FREQUENT", 1)
    asked: list[int] = []
    exact = output_layer.Saying.log_probability

    def counted(self: Any, hidden: Any, words: Any) -> Any:
        asked.append(len(words))
        return exact(self, hidden, words)

    monkeypatch.setattr(output_layer.Saying, "log_probability", counted)
    quick = [found(network, sentences, beam) for beam in beams]
    some = sum(asked)
    asked.clear()
    monkeypatch.setattr(output_layer.Saying, "at_most", lambda self, hidden, words: torch.zeros(len(words)))
    for one, other in zip(quick, [found(network, sentences, beam) for beam in beams], strict=True):
        for left, right in zip(one, other, strict=True):
            np.testing.assert_allclose(left.marginals, right.marginals, atol=1e-5)
            assert left.actions.tolist() == right.actions.tolist()
    assert some < sum(asked)


def test_what_is_negligible_changes_little(network: Any) -> None:
    sentences = [[3, 5, 3, 4], [4, 4, 5], [5, 3, 4, 3, 3]]
    whole = found(network, sentences, Beam(40, 6, 2, 0))
    for share in (1e-9, 1e-6):
        for one, other in zip(found(network, sentences, Beam(40, 6, 2, share)), whole, strict=True):
            np.testing.assert_allclose(one.marginals, other.marginals, atol=1e-4)


def vectors(contents: Contents, numbers: np.ndarray[Any, np.dtype[np.int64]]) -> Any:
    return contents._known.rows(0, numbers)


RNNGS = pytest.mark.parametrize("network", ["rnng", "rnng with histories"], indirect=True)


@RNNGS
def test_phrases_of_a_search_are_those_of_training(network: Any) -> None:
    contents = Contents(network)
    with torch.inference_mode():
        words = contents.words(np.array([WORDS[0], WORDS[1], WORDS[0]]))
        assert words[0] == words[2] != words[1]
        first, second = int(words[0]), int(words[1])
        inner = int(contents.phrases([(0, first, second)])[0])
        phrases = [(1, inner, second, first), (0, second), (1, inner, second, first), (0, first, second)]
        numbers = contents.phrases(phrases)
        assert numbers[0] == numbers[2]
        assert numbers[3] == inner  # composed before
        assert len({*numbers.tolist()}) == 3
        for phrase, number in zip(phrases, numbers.tolist(), strict=True):
            children = vectors(contents, np.array(phrase[1:]))[None]
            expected = network._compose(torch.tensor([phrase[0]]), children, torch.tensor([len(phrase) - 1]))
            torch.testing.assert_close(vectors(contents, np.array([number])), expected, atol=1e-6, rtol=1e-5)


@RNNGS
def test_categories_come_first(network: Any) -> None:
    every = np.arange(len(INVENTORY.labels))
    assert torch.equal(vectors(Contents(network), every), network.categories.weight)


def test_squashed_is_tanh() -> None:
    values = torch.linspace(-30, 30, 4001)
    torch.testing.assert_close(squashed(values.clone()), torch.tanh(values), atol=3e-7, rtol=0)


def test_a_cell_that_is_only_read_with_steps_as_the_one_that_learns() -> None:
    learning = torch.nn.LSTMCell(6, 5)
    inputs, hidden, state = torch.randn(7, 6) * 4, torch.randn(7, 5), torch.randn(7, 5) * 3
    cell = Cell.of(learning)
    with torch.inference_mode():
        made = stepped(cell.read(inputs) + cell.remembered(hidden), state)
        torch.testing.assert_close(made, learning(inputs, (hidden, state)), atol=1e-6, rtol=1e-5)


def test_phrases_of_hypotheses_are_those_of_the_derivation() -> None:
    for item in derivations([3, 5]):
        room = np.zeros((1, INVENTORY.max_open), np.int64)
        phrases, opened = Phrases(room, room), 0
        for at, action in enumerate(item.actions.tolist()):
            phrases, guides = phrases.after(np.array([action]), np.array([opened]))
            opened += (action >= FIRST_NT) - (action == REDUCE_ID)
            closed = item.labels[at] + FIRST_NT if action == REDUCE_ID else 0
            inside = item.inside[at] + FIRST_NT if opened else 0
            assert (guides.closed[0], guides.inside[0], guides.children[0]) == (closed, inside, item.read[at])
        assert opened == 0


def test_by_hand() -> None:
    """(2 (3 word) word: the closed phrase is the first child of the outer one, the word its second."""
    phrases = Phrases(np.zeros((1, 4), np.int64), np.zeros((1, 4), np.int64))
    told = []
    for action, opened in ((2, 0), (3, 1), (1, 2), (0, 2), (1, 1)):
        phrases, guides = phrases.after(np.array([action]), np.array([opened]))
        told.append((int(guides.closed[0]), int(guides.inside[0]), int(guides.children[0])))
    assert told == [(0, 2, 0), (0, 3, 0), (0, 3, 1), (3, 2, 1), (0, 2, 2)]


@pytest.mark.parametrize("kind", ["rnng", "plm"])
def test_half_precision_hardly_changes_what_is_learned(kind: str, trees_file: Path, tmp_path: Path) -> None:
    usual, half = (
        train(
            kind,
            trees_file,
            trees_file,
            output=tmp_path / name,
            preset="tiny",
            options={"epochs": "3", "min_count": "1", **given},
        ).card
        for name, given in (("usual", {}), ("half", {"precision": "bfloat16"}))
    )
    assert half["log"]["epochs"][-1]["dev"] == pytest.approx(usual["log"]["epochs"][-1]["dev"], rel=0.05)
