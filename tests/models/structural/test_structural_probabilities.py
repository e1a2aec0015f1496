"""Probabilities of RNNG and PLM. Oracles: all trees, whole derivations, and the layers of PyTorch."""

from __future__ import annotations

import math
from itertools import product
from typing import Any

import numpy as np
import pytest
from every_tree import INVENTORY, derivations

from gardenpath_models.structural.actions import FIRST_NT, REDUCE_ID

torch = pytest.importorskip("torch")
from every_tree import WORDS, log_probabilities  # noqa: E402

from gardenpath_models.structural import beam as output_layer  # noqa: E402
from gardenpath_models.structural.beam import Beam, BeamResult, search  # noqa: E402
from gardenpath_models.structural.plm import Phrases  # noqa: E402
from gardenpath_models.structural.rnng import Cell, Contents, squashed, stepped  # noqa: E402

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
