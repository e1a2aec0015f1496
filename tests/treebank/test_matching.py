"""Sentences found again by what they say."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from gardenpath.errors import InputError
from gardenpath.treebank import Draft, Treebank, Word, from_drafts
from gardenpath.treebank.alignment import align
from gardenpath.treebank.matching import SentenceKey, difference, in_order_of, match


def bank(*sentences: str, ids: Sequence[str] = ()) -> Treebank:
    """Words of a sentence are divided by blanks; the label of each is the number of its sentence."""
    drafts = []
    for number, text in enumerate(sentences):
        words = [Word(form, head=at, deprel=str(number) if at else "root") for at, form in enumerate(text.split())]
        drafts.append(Draft(words, comments=[f"sent_id = {ids[number]}"] if ids else []))
    return from_drafts(drafts)


def order(gold: Treebank, system: Treebank) -> list[str] | None:
    """The sentences of the system as they were put, by the label of their last word."""
    moved = in_order_of(gold, system)
    return None if moved is None else [sentence.words[-1].deprel for sentence in moved]


def test_content_then_ids_then_the_order_in_which_they_come() -> None:
    asked = [SentenceKey("a", "1"), SentenceKey("b", "2"), SentenceKey("a", "3"), SentenceKey("a")]
    returned = [SentenceKey("a"), SentenceKey("a", "3"), SentenceKey("b", "9"), SentenceKey("a", "1")]
    assert match(asked, returned) == [3, 2, 1, 0]
    assert match(asked, returned[:2]) == [0, None, 1, None]


def test_what_has_another_content_is_found_near_by_its_id_or_its_place() -> None:
    asked = [SentenceKey("a", "1"), SentenceKey("b", "2"), SentenceKey("c")]
    returned = [SentenceKey("B", "2"), SentenceKey("a", "1"), SentenceKey("C")]
    assert match(asked, returned) == [1, None, None]
    assert match(asked, returned, near=True) == [1, 0, 2]
    assert match(asked, [*returned, SentenceKey("d")], near=True) == [1, 0, None]  # other counts: places say nothing


def test_the_order_of_gold() -> None:
    gold = bank("a b", "c d", "e f")
    assert order(gold, gold) == ["0", "1", "2"]
    assert in_order_of(gold, gold) is gold
    assert order(gold, bank("e f", "a b", "c d")) == ["1", "2", "0"]
    assert order(gold, bank("a b", "c d")) is None
    assert order(gold, bank("a b", "c d", "e g")) is None


def test_sentences_of_the_same_text_are_told_apart_by_their_ids_and_words() -> None:
    gold = bank("a b", "a b", "c d", ids=["x", "y", "z"])
    assert order(gold, bank("c d", "a b", "a b", ids=["z", "y", "x"])) == ["2", "1", "0"]
    assert order(gold, bank("c d", "a b", "a b")) == ["1", "2", "0"]
    assert order(bank("ab c", "a bc"), bank("a bc", "ab c")) == ["1", "0"]


def test_ids_that_were_given_anew_tell_nothing() -> None:
    """Numbers from 0 against numbers from 1: the id 2 is of another sentence in each."""
    gold = bank("c d", "a b", "a b", ids=["1", "2", "3"])
    assert order(gold, bank("c d", "a b", "a b", ids=["0", "1", "2"])) == ["0", "1", "2"]


def test_alignment_puts_sentences_in_the_order_of_gold() -> None:
    gold = bank("a b", "a b a b", ids=["x", "y"])
    aligned = align(gold, bank("a b a b", "a b", ids=["y", "x"]))  # the same words one after the other
    assert aligned.same_tokens
    assert [sentence.words[-1].deprel for sentence in aligned.system] == ["1", "0"]
    aligned = align(bank("ab c", "d e"), bank("d e", "a bc"))
    assert [sentence.words[-1].deprel for sentence in aligned.system] == ["1", "0"]
    assert aligned.gold_words.tolist() == [2, 3]


def test_the_same_letters_in_other_code_points_are_a_difference_that_is_named() -> None:
    with pytest.raises(InputError, match="the texts differ"):
        align(bank("caf\u00e9 b"), bank("cafe\u0301 b"))


@pytest.mark.parametrize(
    ("theirs", "told"),
    [
        ("a b c", ""),
        ("a x c", "after 'a' the input has 'b c', the file 'x c'"),
        ("a b", "after 'a b' the input has 'c', the file '(end)'"),
        ("x", "the input has 'a b c', the file 'x'"),
    ],
)
def test_the_first_difference(theirs: str, told: str) -> None:
    assert difference("a b c".split(), theirs.split()) == told
