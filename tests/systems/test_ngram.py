"""N-gram models against a brute-force implementation, against KenLM's numbers, and as probabilities."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from brute_kneser_ney import END, BruteKneserNey
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gardenpath.errors import InputError, UsageError
from gardenpath.systems.language_model import SurprisalScores
from gardenpath.systems.ngram.columns import Column, Scratch
from gardenpath.systems.ngram.counts import _distinct, count
from gardenpath.systems.ngram.encode import Corpus, encoded
from gardenpath.systems.ngram.kneser_ney import discounts_of, estimate
from gardenpath.systems.ngram.model import BackoffModel
from gardenpath.systems.ngram.storage import save
from gardenpath.systems.perplexity import perplexity
from gardenpath.systems.tokenised import read_stretches
from scored_text import read_sentences

Sentences = list[list[str]]
LETTERS = "abcdefghijklmnopqrstuvwABCDEFGHIJKLMNOPQRSTUVWXYZ"


def corpus_of(sentences: Sentences, vocabulary: int | None = None) -> Corpus:
    return encoded([[token.encode() for one in sentences for token in (*one, END)]], vocabulary)


def some_text(seed: int, sentences: int = 150, words: str = LETTERS) -> Sentences:
    """Words with very different frequencies, in sentences of 1 to 8, some of which come again."""
    rng = random.Random(seed)
    weights = [1 / (number + 1) for number in range(len(words))]
    found: Sentences = []
    for _ in range(sentences):
        again = found and rng.random() < 0.2
        found.append(rng.choice(found) if again else rng.choices(words, weights, k=rng.randint(1, 8)))
    return found


def probabilities(model: BackoffModel, before: list[str], words: list[str]) -> np.ndarray:
    tokens, _ = model.score([[*before, word] for word in words])
    return np.exp2(-tokens.reshape(len(words), len(before) + 1)[:, -1])


@pytest.mark.parametrize("order", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("seed", [2, 3])
def test_every_number_is_that_of_the_brute_force(order: int, seed: int) -> None:
    text, unseen = some_text(seed), some_text(seed + 100, 15, "abcdefghxyz")
    brute = BruteKneserNey(text, order)
    corpus = corpus_of(text)
    found = estimate(corpus, order)
    assert np.array([one.values for one in found.discounts]) == pytest.approx(np.array(brute.discounts), abs=1e-12)
    assert not found.discounts[-1].problem  # of the closed form, not fallen back
    for length, level in enumerate(count(corpus, order), 1):
        adjusted = sorted(times for times in level.adjusted.array.tolist() if times)
        assert adjusted == sorted(times for times in brute.adjusted[length - 1].values() if times)
        assert length == 1 or len(level.keys) == len(brute.raw[length - 1])
    tokens, ends = found.model.score(unseen)
    expected = [
        brute.probability(word, ("<s>", *sentence[:at])) for sentence in unseen for at, word in enumerate(sentence)
    ]
    assert np.exp2(-tokens) == pytest.approx(np.array(expected), rel=1e-10)
    assert np.exp2(-ends) == pytest.approx(
        np.array([brute.probability(END, ("<s>", *sentence)) for sentence in unseen]), rel=1e-10
    )


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.lists(st.sampled_from("abcdef"), min_size=1, max_size=6), min_size=1, max_size=12),
    st.lists(st.sampled_from("abcxyz"), max_size=4),
    st.integers(1, 5),
    st.sampled_from([(), (0, 1), (0, 0, 1)]),
)
def test_probabilities_after_any_context_sum_to_one(
    text: Sentences, before: list[str], order: int, prune: tuple[int, ...]
) -> None:
    model = estimate(corpus_of(text), order, prune=prune[:order]).model
    words = [word for word in model.words if word not in ("<s>", END, "<unk>")]
    _, ends = model.score([before])
    assert probabilities(model, before, [*words, "unseen"]).sum() + np.exp2(-ends[0]) == pytest.approx(1, abs=1e-10)


LMPLZ = [
    (2, (), [1127, 3244], [(0.593807, 1.20116, 1.64612), (0.828605, 1.28854, 2.16141)], 112.439786, 85.230144),
    (
        3, (), [1127, 3244, 3951],
        [(0.593807, 1.20116, 1.64612), (0.861822, 1.25333, 2.27967), (0.932229, 1.34676, 2.30083)],
        109.345818, 82.707722,
    ),
    (
        5, (), [1127, 3244, 3951, 3756, 3365],
        [
            (0.593807, 1.20116, 1.64612), (0.861822, 1.25333, 2.27967), (0.944292, 1.24119, 2.24457),
            (0.989404, 1.85159, 3.0), (0.994663, 1.66845, 3.0),
        ],
        109.533166, 82.894402,
    ),
    (
        4, (0, 1, 1, 2), [1127, 440, 182, 2],
        [
            (0.593807, 1.20116, 1.64612), (0.861822, 1.25333, 2.27967), (0.944292, 1.24119, 2.24457),
            (0.984668, 1.79628, 3.0),
        ],
        139.504111, 108.645740,
    ),
]  # fmt: skip
"""What `lmplz -o N [--prune …]` and `query` of KenLM 0.3.0 print for the bundled German text: order, pruning, n-grams,
discounts, perplexity with and without OOV."""


@pytest.mark.parametrize(("order", "prune", "counts", "discounts", "including", "excluding"), LMPLZ)
def test_counts_discounts_and_perplexity_are_those_of_lmplz(
    samples: Path,
    order: int,
    prune: tuple[int, ...],
    counts: list[int],
    discounts: list[tuple[float, ...]],
    including: float,
    excluding: float,
) -> None:
    train = encoded(stretch.tokens() for stretch in read_stretches(samples / "de_garden-train.conllu"))
    found = estimate(train, order, prune=prune)
    assert found.model.counts == counts
    for own, theirs in zip(found.discounts, discounts, strict=True):
        assert own.values == pytest.approx(theirs, abs=1e-5)
        assert not own.problem
    sentences = read_sentences(samples / "de_garden-dev.conllu")
    tokens, ends = found.model.score(sentences)
    cuts = np.cumsum([len(sentence) for sentence in sentences])[:-1]
    oov = found.model.ids(sentences) == 0
    total = perplexity(SurprisalScores(np.split(tokens, cuts), np.split(oov, cuts), ends, ""))
    assert (total.oov, total.tokens + total.sentences) == (66, 953)
    assert total.value() == pytest.approx(including, rel=1e-6)
    assert total.value(oov=False) == pytest.approx(excluding, rel=1e-6)


def column(values: list[int]) -> Column:
    return Scratch().column(np.int64, np.array(values))


def test_discounts_of_a_text_that_cannot_tell_them_fall_back_and_say_why() -> None:
    found = discounts_of(column([1, 1, 1, 3]))
    assert found.values == (0.5, 1.0, 1.5)
    assert found.problem == "none was counted 2×"
    odd = discounts_of(column([1] * 100 + [2] + [3] * 10))
    assert odd.values == (0.5, 1.0, 1.5)
    assert "counted 2× would be -27." in odd.problem
    assert discounts_of(column([1, 1, 1, 3]), (0.1, 0.2, 0.3)).values == (0.1, 0.2, 0.3)


def test_rare_words_become_unknown_ones_and_the_first_of_equals_wins() -> None:
    corpus = corpus_of([["a", "b", "c"], ["a", "<unk>", "b"], ["d", "a"]], vocabulary=2)
    assert corpus.words == ["<unk>", "<s>", END, "a", "b"]
    assert corpus.ids.array.tolist() == [1, 3, 4, 0, 2, 1, 3, 0, 4, 2, 1, 0, 3, 2]
    assert (corpus.sentences, corpus.tokens) == (3, 8)
    model = estimate(corpus, 2).model
    assert (probabilities(model, ["a"], ["b", "z"]) > 0.2).all()  # <unk> was seen after "a"


def test_the_begin_of_a_sentence_is_no_word() -> None:
    model = estimate(corpus_of(some_text(3)), 2).model
    assert model.ids([["<s>", "a", "zzz"]]).tolist() == [0, model.words.index("a"), 0]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 40), min_size=1, max_size=60), st.sampled_from([41, 1 << 62]))
def test_sorting_with_places_packed_in_equals_sorting_places(values: list[int], limit: int) -> None:
    keys, firsts, counts, ranks = _distinct(np.array(values), limit)
    expected = np.unique(values, return_index=True, return_inverse=True, return_counts=True)
    assert ranks is not None
    for own, numpys in zip((keys, firsts, ranks, counts), expected, strict=True):
        assert np.asarray(own).tolist() == numpys.tolist()


def saved(text: Sentences, order: int, prune: list[int], vocabulary: int | None, scratch: Scratch, path: Path) -> bytes:
    """The model's file; the text comes in pieces of a few tokens."""
    tokens = [token.encode() for sentence in text for token in (*sentence, END)]
    pieces = (tokens[at : at + 7] for at in range(0, len(tokens), 7))
    model = estimate(encoded(pieces, vocabulary, scratch), order, prune=prune).model
    save(model, path)
    return path.read_bytes()


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    seed=st.integers(0, 1000), sentences=st.integers(1, 60), order=st.integers(1, 5), rows=st.integers(1, 90),
    prune=st.sampled_from([[], [0, 1], [0, 0, 1], [0, 1, 2]]), vocabulary=st.sampled_from([None, 5]),
)  # fmt: skip
def test_a_budget_of_memory_changes_no_byte(
    tmp_path: Path, seed: int, sentences: int, order: int, rows: int, prune: list[int], vocabulary: int | None
) -> None:
    """With files that hold a few rows at a time, contexts and keys that fill several of them, and without."""
    text = some_text(seed, sentences)
    small = Scratch(128 * rows, tmp_path)
    assert small.rows == rows
    limits, path = prune[:order], tmp_path / "model.npz"
    assert saved(text, order, limits, vocabulary, small, path) == saved(
        text, order, limits, vocabulary, Scratch(), path
    )
    assert list(tmp_path.iterdir()) == [path]  # scratch files have no names


def test_arrays_are_written_as_numpy_writes_them(tmp_path: Path) -> None:
    model = estimate(corpus_of(some_text(1)), 3).model
    save(model, tmp_path / "ours.npz")
    with np.load(tmp_path / "ours.npz") as arrays:
        np.savez(tmp_path / "numpys.npz", allow_pickle=False, **arrays)
    assert (tmp_path / "ours.npz").read_bytes() == (tmp_path / "numpys.npz").read_bytes()


@pytest.mark.parametrize("order", [0, 6])
def test_an_order_that_does_not_exist(order: int) -> None:
    with pytest.raises(UsageError, match="from 1 to 5"):
        estimate(corpus_of([["a"]]), order)


@pytest.mark.parametrize("prune", [(1,), (0, 2, 1), (0, 0, 0, 0)])
def test_limits_that_would_leave_holes_are_refused(prune: tuple[int, ...]) -> None:
    with pytest.raises(UsageError, match="cannot be pruned"):
        estimate(corpus_of([["a"]]), 3, prune=prune)


def test_nothing_to_learn_from() -> None:
    with pytest.raises(InputError, match="no text"):
        encoded([[END.encode(), END.encode()]])
    with pytest.raises(UsageError, match="size of a vocabulary"):
        encoded([], 0)
