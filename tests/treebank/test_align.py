"""Word alignment; that it leads to the shared task's counts is tested with the scores."""

from __future__ import annotations

import pytest

from gardenpath.errors import InputError
from gardenpath.treebank import Treebank
from gardenpath.treebank.alignment import align


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
