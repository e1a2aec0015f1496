"""Vocabulary and classes of unknown words. Oracle of the classes: the published rules of the Berkeley parser."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gardenpath.errors import InputError, UsageError
from gardenpath.systems.neural.unknown_words import COARSEST, coarser, word_class
from gardenpath.systems.neural.vocabulary import BEGIN_ID, END_ID, PADDING_ID, Vocabulary, vocabulary_of

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


def test_unknown_mark_is_no_word() -> None:
    vocabulary = vocabulary_of([["a", "a", "<unk>", "<unk>"]])
    assert vocabulary.words == ("a",)
    assert vocabulary.decode(vocabulary.encode(["<unk>"])) == ["UNK"]


def test_word_that_is_spelt_like_a_class_is_a_word() -> None:
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
