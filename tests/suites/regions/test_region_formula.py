"""Formulas: what is read, what is refused and where; values against a second evaluator written here."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gardenpath.errors import InputError
from gardenpath.studies.surprisal.outcomes import suite_outcome
from gardenpath.studies.surprisal.regions import RegionSurprisals
from gardenpath.suites.regions.formula import Atom, Comparison, Logic, atoms_of, comparisons_of, parse_formula
from gardenpath.suites.regions.model import Prediction, RegionSuite
from second_evaluator import evaluated


def holds(formula: str, values: dict[tuple[int, str], float]) -> bool:
    """The formula on one item, ties being wrong as in SyntaxGym."""
    items = [object()]
    suite = RegionSuite("x", "x", items, [Prediction(formula)], {}, "syntaxgym")  # type: ignore[arg-type]
    outcome = suite_outcome(
        suite, RegionSurprisals({key: np.array([value]) for key, value in values.items()}), "strict"
    )
    return bool(outcome.holds[0, 0])


def test_tree() -> None:
    tree = parse_formula("[(5;%a%) > (5;%b-c%) ] & (((6;%a%)-(*;%b-c%))<0)")
    assert isinstance(tree, Logic)
    assert tree.left == Comparison(">", Atom(5, "a"), Atom(5, "b-c"))
    assert list(atoms_of(tree))[3] == Atom(0, "b-c")
    assert [one.sign for one in comparisons_of(tree)] == [">", "<"]


def test_and_and_or_have_the_same_rank_and_go_from_left_to_right() -> None:
    values = {(1, "t"): 1.0, (1, "f"): 0.0}
    true, false = "(1;%t%) > (1;%f%)", "(1;%f%) > (1;%t%)"
    assert not holds(f"{true} | {true} & {false}", values)  # (true | true) & false
    assert holds(f"{true} | ({true} & {false})", values)


@pytest.mark.parametrize(("gap", "expected"), [(0.0009, True), (0.0012, False), (0.0, True)])
def test_equal_has_a_tolerance(gap: float, expected: bool) -> None:
    assert holds("(1;%a%) = (1;%b%)", {(1, "a"): 10.0 + gap, (1, "b"): 10.0}) is expected


@pytest.mark.parametrize(
    ("formula", "what", "rest"),
    [
        ("(5;%a%) >> (5;%b%)", "a region, a number or a bracket", "> (5;%b%)"),
        ("(5;%a%) > (5;%b%", "not a part of a formula", "(5 ⟶ ;%b%"),
        ("(5;%a) > (5;%b%)", "not a part of a formula", "(5 ⟶ ;%a) > (5;%b%)"),
        ("(5;%a%) > (5;%b%) > (5;%c%)", "& or | is missing", "> (5;%c%)"),
        ("(5;%a%) + (5;%b%)", "a comparison must stand here", "(5;%a%) + (5;%b%)"),
        ("(5;%a%)", "a comparison must stand here", "(5;%a%)"),
        ("[(5;%a%) > (5;%b%)", "] must stand here", ""),
        ("[(5;%a%) > (5;%b%))", "] must stand here", ")"),
        ("((5;%a%) > 1) + 2 > 1", "this is a comparison", "((5;%a%) > 1) + 2 > 1"),
        ("(0;%a%) > 1", "regions count from 1", "0;%a%) > 1"),
        ("(5;%a%) >= 1", "a region, a number", "= 1"),
        ("-1 < (5;%a%)", "a region, a number", "-1 < (5;%a%)"),
        ("(5;%a%) > 1 * 2", "not a part of a formula", "* 2"),
        ("", "ends too early", ""),
        ("(" * 120 + "1" + ")" * 120 + " > 0", "inside one another", ""),
        ("__import__('os')", "not a part of a formula", "__import__('os')"),
    ],
)
def test_a_typo_is_shown_at_its_place(formula: str, what: str, rest: str) -> None:
    with pytest.raises(InputError) as error:
        parse_formula(formula, "suite.json (prediction 1)")
    assert what in error.value.what
    assert error.value.what.endswith(rest)
    assert "⟶" in error.value.what
    assert error.value.where == "suite.json (prediction 1)"


ATOMS = st.tuples(st.integers(0, 3), st.sampled_from(["a", "b_1", "c-d"]))
VALUES = st.sampled_from([0.0, 0.5, 1.0, 1.0004, 2.25, 7.0])


@st.composite
def formulas(draw: st.DrawFn) -> str:
    """Formulas with brackets of both kinds and blanks anywhere."""

    def bracketed(text: str) -> str:
        return draw(st.sampled_from(["{}", "({})", "[ {} ]"])).format(text)

    def number() -> str:
        if draw(st.integers(0, 5)) == 0:
            return draw(st.sampled_from(["0", "1.5", "3"]))
        region, name = draw(ATOMS)
        return f"({region or '*'};%{name}%)"

    def total() -> str:
        parts = [number() for _ in range(draw(st.integers(1, 3)))]
        text = parts[0] + "".join(draw(st.sampled_from(["+", " - "])) + bracketed(part) for part in parts[1:])
        return bracketed(text)

    def compared() -> str:
        return bracketed(f"{total()} {draw(st.sampled_from('<>='))} {total()}")

    parts = [compared() for _ in range(draw(st.integers(1, 4)))]
    return bracketed(parts[0] + "".join(f" {draw(st.sampled_from('&|'))} {part}" for part in parts[1:]))


@given(formulas(), st.data())
def test_any_formula_agrees_with_the_second_evaluator(formula: str, data: st.DataObject) -> None:
    atoms = {(one.region, one.condition) for one in atoms_of(parse_formula(formula))}
    values = {atom: data.draw(VALUES) for atom in sorted(atoms)}
    assert holds(formula, values) == evaluated(formula, values)


@pytest.mark.parametrize(("folder", "least"), [("bundled:en-surprisal", 9), ("surprisal/syntaxgym", 23)])
def test_predictions_of_syntaxgym_agree_with_the_second_evaluator(
    folder: str, least: int, file_named: Callable[[str], Path]
) -> None:
    chance = random.Random(7)
    seen = 0
    for path in sorted(file_named(folder).glob("*.json")):
        for prediction in json.loads(path.read_text("utf-8"))["predictions"]:
            formula = prediction["formula"]
            names = {(int(n), name) for n, name in re.findall(r"\((\d+);%([\w-]+)%\)", formula)}
            for _ in range(40):
                values = {one: chance.choice([1.0, 1.0005, 2.0, chance.random() * 9]) for one in sorted(names)}
                assert holds(formula, values) == evaluated(formula, values), (path.name, formula, values)
                seen += 1
    assert seen >= least * 40
