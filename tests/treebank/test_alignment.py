"""Sentences and words of two treebanks matched."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gardenpath.errors import InputError
from gardenpath.treebank import Draft, Treebank, Word, from_drafts
from gardenpath.treebank.trees.alignment import Pair, SentenceKey, align, difference, in_order_of, match


def treebank(*rows: str) -> Treebank:
    """`1 form` or `1-2 form` per row."""
    lines = []
    for row in rows:
        number, form = row.split(" ", 1)
        lines.append(
            f"{number}\t{form}"
            + "\t_" * (8 if "-" in number else 0)
            + ("" if "-" in number else "\t_\tX\t_\t_\t0\troot\t_\t_")
        )
    return Treebank(("\n".join(lines) + "\n\n").encode())


def pairs(gold: Treebank, system: Treebank) -> list[tuple[int, int]]:
    found = align(gold, system)
    return list(zip(found.gold_words.tolist(), found.system_words.tolist(), strict=True))


def test_same_words() -> None:
    one = treebank("1 a", "2 b")
    assert align(one, one).same_tokens
    assert pairs(one, one) == [(0, 0), (1, 1)]


def test_split_and_merged_words_are_left_out() -> None:
    assert pairs(treebank("1 ab", "2 c", "3 d"), treebank("1 a", "2 b", "3 cd")) == []
    assert pairs(treebank("1 ab", "2 c"), treebank("1 a", "2 b", "3 c")) == [(1, 2)]


def test_multiword_tokens_by_lower_cased_forms() -> None:
    gold = treebank("1-2 im", "1 in", "2 dem", "3 Haus")
    system = treebank("1-3 im", "1 In", "2 x", "3 dem", "4 Haus")
    assert pairs(gold, system) == [(0, 0), (1, 2), (2, 3)]


def test_word_against_multiword_token() -> None:
    assert pairs(treebank("1-2 im", "1 in", "2 dem"), treebank("1 im")) == []
    assert pairs(treebank("1-2 du", "1 de", "2 le", "3 x"), treebank("1 du", "2 x")) == [(2, 1)]


def test_blanks_do_not_count() -> None:
    assert pairs(treebank("1 1 000", "2 b"), treebank("1 1\u00a0000", "2 b")) == [(0, 0), (1, 1)]


@pytest.mark.parametrize(
    ("other", "message"),
    [(("1 a", "2 x"), "gold has 'b'"), (("1 a",), "ends where"), (("1 a", "2 b", "3 c"), "ends where")],
    ids=["differs", "shorter", "longer"],
)
def test_other_text(other: tuple[str, ...], message: str) -> None:
    with pytest.raises(InputError, match=message):
        align(treebank("1 a", "2 b"), treebank(*other))


def test_an_id_that_comes_twice_keeps_its_places() -> None:
    """Comments differ, ids do not: nothing has moved, though ids alone would not tell which is which."""
    row = "1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n\n"
    gold = Treebank("".join(f"# sent_id = x\n{row}" for _ in range(2)).encode())
    system = Treebank("".join(f"# sent_id = x\n# parser = {n}\n{row}" for n in range(2)).encode())
    assert align(gold, system).system is system
    assert pairs(gold, system) == [(0, 0), (1, 1)]


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


LABELS = st.lists(st.sampled_from(["nsubj", "nsubj:pass", "obj", "obl", "obl:agent", "root"]), min_size=1, max_size=20)


def with_labels(labels: list[str]) -> Treebank:
    rows = [f"{n}\tw{n}\t_\t_\t_\t_\t{n - 1}\t{label}\t_\t_\n" for n, label in enumerate(labels, 1)]
    return Treebank(("".join(rows) + "\n").encode())


def plain(label: str) -> str:
    return label.partition(":")[0]


@settings(deadline=None)
@given(LABELS, LABELS)
def test_columns_of_both_share_their_numbering(left: list[str], right: list[str]) -> None:
    pair = Pair(with_labels(left), with_labels(right))
    for label in (str, plain):
        ours, theirs = pair.column("deprel", label)
        labels = [label(text) for text in left + right]
        known = {text: number for number, text in enumerate(dict.fromkeys(labels))}
        assert [*ours.codes.tolist(), *theirs.codes.tolist()] == [known[text] for text in labels]
        assert (ours.strings(), theirs.strings()) == (labels[: len(left)], labels[len(left) :])
        assert list(ours.values) == list(theirs.values) == list(known)
