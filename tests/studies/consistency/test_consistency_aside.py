"""Batches whose sentences have not all the same words: what is compared, and what is right, counted by hand."""

from __future__ import annotations

import pytest

from gardenpath.studies.consistency.judging import (
    LEFT_OUT,
    VariantAnswer,
    VariantAnswers,
    core_words,
    judge,
    without_aside,
)
from gardenpath.studies.consistency.variants import ask
from gardenpath.treebank import Treebank
from gardenpath.treebank.perturb.registry import PerturbationSettings, perturbation

GOLD = """# sent_id = s1
# text = She has come.
1	She	she	PRON	_	_	3	nsubj	_	_
2	has	have	AUX	_	VerbForm=Fin	3	aux	_	_
3	come	come	VERB	_	_	0	root	_	SpaceAfter=No
4	.	.	PUNCT	_	_	3	punct	_	_

"""


def outcomes(name: str, changed: dict[str, tuple[str, str]]) -> tuple[str, list[str], list[int], int]:
    """Every sentence is parsed right, but for what is replaced in the parse of a value ("" is the original)."""
    asked = ask(Treebank(GOLD.encode(), name="x"), [perturbation(name, PerturbationSettings("en"))])
    case = asked.cases[0]
    answers = []
    for value, place in zip(("", *case.values), (case.original, *case.variants), strict=True):
        old, new = changed.get(value, ("", ""))
        block = asked.treebank.block(place).decode()
        assert old in block
        answers.append(VariantAnswer((block.replace(old, new) if old else block).encode()))
    batch = judge(asked, VariantAnswers(answers))["surface"][0]
    return batch.original, list(batch.outcomes), list(batch.cluster_of), batch.original_cluster


def test_right_trees_are_alike_with_and_without_the_adverb() -> None:
    assert outcomes("adverbs", {}) == ("right", ["right"] * 5, [0] * 5, 0)


def test_an_adverb_at_the_wrong_place_is_wrong_but_changes_nothing_else() -> None:
    wrong = ("4\tadvmod", "2\tadvmod")
    assert outcomes("adverbs", {"probably": wrong}) == ("right", ["same as original", *["right"] * 4], [0] * 5, 0)


def test_another_word_that_changes_is_a_change() -> None:
    assert outcomes("adverbs", {"probably": ("\tnsubj\t", "\tobj\t")})[1:] == (
        ["other", *["right"] * 4],
        [1, 0, 0, 0, 0],
        0,
    )


def test_what_hangs_on_the_adverb_is_a_change() -> None:
    hung = ("1\tShe\tshe\tPRON\t_\t_\t4", "1\tShe\tshe\tPRON\t_\t_\t3")
    assert outcomes("adverbs", {"probably": hung})[2] == [1, 0, 0, 0, 0]


def test_a_mark_that_goes_is_compared_with_one_that_stays() -> None:
    assert outcomes("punctuation", {}) == ("right", ["right"] * 3, [0] * 3, 0)
    wrong = ("\tpunct\t", "\tdep\t")
    assert outcomes("punctuation", {"!": wrong, "": wrong})[:3] == (
        "wrong",
        ["same as original", "right", "right"],
        [0] * 3,
    )


@pytest.mark.parametrize(
    ("parse", "left"),
    [
        ("ab c d", [("ab", 2, "x"), ("d", 0, "root")]),  # cut as gold
        ("ab cd", [("ab", 2, "x"), ("cd", 0, "root")]),  # c is no token: nothing to leave out
    ],
)
def test_words_are_found_by_their_characters(parse: str, left: list[tuple[str, int, str]]) -> None:
    forms = parse.split()
    gold = "".join(
        f"{n}\t{form}\t_\tX\t_\t_\t{0 if n == 3 else 3}\tx\t_\t_\n" for n, form in enumerate(("ab", "c", "d"), 1)
    )
    rows = "".join(
        f"{n}\t{form}\t_\tX\t_\t_\t{0 if n == len(forms) else len(forms)}\t{'root' if n == len(forms) else 'x'}\t_\t_\n"
        for n, form in enumerate(forms, 1)
    )
    made = Treebank(without_aside(rows.encode(), gold.encode(), {2}))[0]
    assert [(word.form, word.head, word.deprel) for word in made.words] == left


def test_heads_go_up_past_words_that_are_left_out() -> None:
    rows = "1\ta\t_\tX\t_\t_\t2\tx\t_\t_\n2\tb\t_\tX\t_\t_\t3\ty\t_\t_\n3\tc\t_\tX\t_\t_\t0\troot\t_\t_\n"
    made = Treebank(without_aside(rows.encode(), rows.encode(), {2}))[0]
    assert [(word.head, word.deprel) for word in made.words] == [(2, f"x{LEFT_OUT}"), (0, "root")]
    assert core_words((2, 3), {2}, 3) == (1, 2)
