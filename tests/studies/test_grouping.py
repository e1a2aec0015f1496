"""Groups of items by columns: values in the order in which they come, numbers in order and cut at quartiles."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from gardenpath.errors import UsageError
from gardenpath.studies.engine.grouping import SINGLE, asked_groups, column_groups, known_column


def test_texts_and_few_numbers_have_a_group_each() -> None:
    made = column_groups(["domain"], {"domain": ["news", "books", " news ", None, ""]})
    assert list(made.groups) == [{"domain": "news"}, {"domain": "books"}]
    assert [members.tolist() for members in made.members] == [
        [True, False, True, False, False], [False, True, False, False, False],
    ]  # fmt: skip
    assert made.note == "2 items without a value are in no group"
    depth = column_groups(["depth"], {"depth": ["10", "2", "2", "1.5"]})
    assert [group["depth"] for group in depth.groups] == [1.5, 2, 10]


def test_many_numbers_are_cut_at_the_quartiles() -> None:
    values = list(range(1, 101))
    made = column_groups(["x"], {"x": [str(value) for value in values]})
    assert [group["x"] for group in made.groups] == ["1 to 25", "26 to 50", "51 to 75", "76 to 100"]
    assert [int(members.sum()) for members in made.members] == [25, 25, 25, 25]
    assert made.note == "x: 100 different numbers, cut at the quartiles of all items"


@pytest.mark.parametrize("seed", range(5))
def test_bins_hold_every_number_once_in_order_and_never_part_equal_ones(seed: int) -> None:
    values = np.random.default_rng(seed).geometric(0.1, 300)
    made = column_groups(["x"], {"x": values.tolist()})
    assert np.sum(made.members, axis=0).tolist() == [1] * 300
    parts = [set(values[members].tolist()) for members in made.members]
    assert len(np.unique(values)) > SINGLE
    for lower, upper in pairwise(parts):
        assert max(lower) < min(upper)


def test_two_columns_cross() -> None:
    made = column_groups(["a", "b"], {"a": ["x", "x", "y"], "b": [2, 1, 1]})
    assert list(made.groups) == [{"a": "x", "b": 1}, {"a": "x", "b": 2}, {"a": "y", "b": 1}]


def test_truth_values_are_no_numbers_and_too_many_groups_are_refused() -> None:
    assert [group["x"] for group in column_groups(["x"], {"x": [True, False]}).groups] == ["True", "False"]
    with pytest.raises(UsageError, match="x make 401 groups"):
        column_groups(["x"], {"x": [f"s{number}" for number in range(401)]})


def test_a_column_is_found_by_its_letters_and_an_unknown_one_lists_all() -> None:
    columns = ["Number (phenomenon)", "tree_depth"]
    assert known_column("TREE-depth", columns, ()) == "tree_depth"
    with pytest.raises(
        UsageError, match=r"unknown grouping 'xyz'\n  known: Number \(phenomenon\), all, class, tree_depth"
    ):
        known_column("xyz", columns, ["class"])


def test_an_item_of_several_values_is_in_several_groups() -> None:
    made = column_groups(["p", "g"], {"p": [("x", "y"), ("y",), ()], "g": ["a", "b", "a"]})
    assert list(made.groups) == [{"p": "x", "g": "a"}, {"p": "y", "g": "a"}, {"p": "y", "g": "b"}]
    assert [members.tolist() for members in made.members] == [
        [True, False, False], [True, False, False], [False, True, False],
    ]  # fmt: skip
    assert made.note == "1 items without a value are in no group"


def test_a_column_does_not_pass_for_what_findings_say_of_themselves() -> None:
    made = asked_groups(["system", "kind"], {"system": ["a"], "kind": ["b"]}, (), ("kind",))
    assert made is not None
    assert list(made.groups) == [{"column system": "a", "column kind": "b"}]
    with pytest.raises(UsageError, match="3 columns to cross"):
        asked_groups(["a", "b", "c"], {"a": [1], "b": [1], "c": [1]}, ())
    assert known_column("genre", ["meta::genre"], ()) == "meta::genre"
