"""Batches, vocabulary, classes of unknown words. Oracle of the classes: the published rules of the Berkeley parser."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gardenpath.errors import InputError, UsageError
from gardenpath_models.neural.training_loop import bucketed, padded, within
from gardenpath_models.neural.vocabulary import (
    BEGIN_ID,
    COARSEST,
    END_ID,
    PADDING_ID,
    Vocabulary,
    coarser,
    vocabulary_of,
    word_class,
)


@given(st.lists(st.integers(1, 30), min_size=1, max_size=80), st.integers(1, 100), st.none() | st.integers(0, 9))
def test_every_sentence_once_and_no_batch_too_wide(lengths: list[int], size: int, seed: int | None) -> None:
    batches = bucketed(lengths, size, seed)
    assert sorted(np.concatenate(batches).tolist()) == list(range(len(lengths)))
    for batch in batches:
        assert len(batch) == 1 or len(batch) * max(lengths[number] for number in batch) <= size


def test_seed_and_epoch_decide_the_order() -> None:
    lengths = [1 + number % 7 for number in range(60)]

    def order(seed: int, epoch: int) -> list[list[int]]:
        return [batch.tolist() for batch in bucketed(lengths, 20, seed, epoch)]

    assert order(1, 0) == order(1, 0)
    assert order(1, 0) != order(1, 1)
    assert order(1, 0) != order(2, 0)


def test_long_sentences_are_told() -> None:
    told: list[str] = []
    assert within([3, 101, 100, 200], told.append).tolist() == [0, 2]
    assert told == ["warning: 2 training sentences of more than 100 words (301 words) are left out"]
    with pytest.raises(InputError, match="no dev sentence has 2 words or less"):
        within([3], told.append, "dev", longest=2)


def test_rows_are_filled_up() -> None:
    assert padded([[1, 2], [3]], 0).tolist() == [[1, 2], [3, 0]]


TEXT = [line.split() for line in ("the dog sees the cat", "the dog sleeps", "Cats sleep 17 times", "狗 睡觉 了 了")]


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("walked", "UNK-LC-ed"),
        ("walking", "UNK-LC-ing"),
        ("nations", "UNK-LC-s"),
        ("glass", "UNK-LC"),
        ("bus", "UNK-LC"),
        ("Paris", "UNK-INITC"),
        ("Rivers", "UNK-INITC-s"),
        ("NATO", "UNK-CAPS"),
        ("well-known", "UNK-LC-DASH"),
        ("1984", "UNK-NUM"),
        ("25-year-old", "UNK-LC-NUM-DASH"),
        ("B-52s", "UNK-INITC-NUM-DASH-s"),
        ("…", "UNK-SYM"),
        ("狗", "UNK-HAN-1"),
        ("科学家", "UNK-HAN-3"),
        ("中华人民共和国", "UNK-HAN-4"),
        ("二十三", "UNK-HAN-NUM"),
        ("３点５亿", "UNK-HAN-NUM"),
        ("第三", "UNK-HAN-NUM"),
        ("点", "UNK-HAN-1"),
        ("卡拉OK", "UNK-HAN-MIX"),
        ("𠮷野", "UNK-HAN-2"),
    ],
)
def test_word_has_its_class(word: str, name: str) -> None:
    assert word_class(word) == name


def test_initial_capital_of_a_known_word() -> None:
    assert word_class("The", {"the"}) == "UNK-INITC-KNOWNLC"
    assert word_class("The", {"a"}) == "UNK-INITC"


@given(st.text(min_size=1))
def test_every_word_has_a_class_that_leads_to_the_coarsest(word: str) -> None:
    name = word_class(word)
    for _ in range(name.count("-")):
        name = coarser(name)
    assert name == COARSEST


def test_words_by_number() -> None:
    vocabulary = vocabulary_of(TEXT)
    assert vocabulary.words == ("the", "dog", "了")
    ids = vocabulary.encode(["the", "cat", "sees", "dog", "了"])
    assert vocabulary.decode(ids) == ["the", "UNK-LC", "UNK-LC-s", "dog", "了"]
    assert vocabulary.oov(ids).tolist() == [False, True, True, False, False]
    assert not vocabulary.oov(np.array([PADDING_ID, BEGIN_ID, END_ID])).any()


def test_rare_class_is_part_of_a_coarser_one() -> None:
    vocabulary = vocabulary_of(TEXT)  # one word each: Cats, 17, 狗, 睡觉
    assert vocabulary.decode(vocabulary.encode(["17", "狗", "Cats", "walked"])) == ["UNK", "UNK-HAN", "UNK", "UNK-LC"]


def test_unknown_mark_is_no_word_and_what_is_spelt_like_a_class_is_one() -> None:
    vocabulary = vocabulary_of([["a", "a", "<unk>", "<unk>"]])
    assert vocabulary.words == ("a",)
    assert vocabulary.decode(vocabulary.encode(["<unk>"])) == ["UNK"]
    vocabulary = vocabulary_of([["UNK-LC", "UNK-LC", "b"]])
    assert vocabulary.oov(vocabulary.encode(["UNK-LC", "b"])).tolist() == [False, True]


def test_size_keeps_the_most_frequent() -> None:
    assert vocabulary_of(TEXT, size=1).words == ("the",)
    assert len(vocabulary_of(TEXT, min_count=1).words) == 12


@given(st.lists(st.lists(st.text("ab1-狗S", min_size=1), min_size=1), min_size=1))
def test_there_and_back(text: list[list[str]]) -> None:
    vocabulary = vocabulary_of(text, min_count=1)
    again = Vocabulary.from_json(vocabulary.to_json())
    assert (again, again.digest) == (vocabulary, vocabulary.digest)
    assert [again.decode(again.encode(line)) for line in text] == text


def test_empty_vocabulary() -> None:
    with pytest.raises(UsageError, match="no word occurs 2 times"):
        vocabulary_of([["a", "b"]])
    with pytest.raises(InputError, match="no word to learn from"):
        vocabulary_of([])
    with pytest.raises(UsageError, match="has words"):
        vocabulary_of(TEXT, size=0)


@pytest.mark.parametrize(
    "content",
    [
        [],
        {"format": "other"},
        {"format": "gardenpath-vocabulary 1", "classes": ["UNK"], "words": [1]},
        {"format": "gardenpath-vocabulary 1", "classes": [], "words": ["a"]},
        {"format": "gardenpath-vocabulary 1", "classes": ["UNK"], "words": ["a", "a"]},
    ],
)
def test_no_vocabulary(content: object) -> None:
    with pytest.raises(InputError, match="this is not a vocabulary"):
        Vocabulary.from_json(json.dumps(content), "vocabulary.json")
