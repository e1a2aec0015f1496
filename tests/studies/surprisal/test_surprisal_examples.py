"""Which items are wrong: the same ones as the judgements say, the clearest first, with the bits of what was asked."""

from __future__ import annotations

from typing import Any

import polars
import pytest

import gardenpath as gp
from gardenpath.errors import UsageError
from gardenpath.suites.regions.model import Condition, Item, Prediction, Region, RegionSuite

PAIRS = polars.DataFrame(
    {
        "item": [1, 2, 3, 4, 5],
        "good": ["a b", "aaaa b", "aa b", "aaaaaa b", "fail b"],
        "bad": ["aaa b", "aa b", "bb b", "a b", "a b"],
    }
)


def lengths(sentences: list[list[str]]) -> list[list[float]]:
    return [[float("nan") if word == "fail" else float(len(word)) for word in words] for words in sentences]


def test_items_are_what_the_judgements_say_and_the_clearest_comes_first() -> None:
    result = gp.surprisal(PAIRS, {"length": lengths})
    kinds = {kind: [one["item"] for one in result.examples(kind)] for kind in ("wrong", "right", "tie", "failed")}
    assert kinds == {"wrong": ["4", "2"], "right": ["1"], "tie": ["3"], "failed": ["5"]}
    first = result.examples("wrong", limit=1)[0]
    assert (first["system"], first["difference"]) == ("length", -5.0)
    assert [(one["sentence"], one["bits"]) for one in first["conditions"]] == [("aaaaaa b", 7.0), ("a b", 2.0)]


def test_regions_that_are_asked_for_stand_in_brackets() -> None:
    conditions = tuple(
        Condition(name, (Region(1, "the dog"), Region(2, verb), Region(3, "here")))
        for name, verb in (("good", "barks"), ("bad", "bark"))
    )
    names = {1: "noun", 2: "verb", 3: "rest"}
    suite = RegionSuite("own", "own", [Item("1", conditions)], [Prediction("(2;%good%) < (2;%bad%)")], names, "json")
    (example,) = gp.surprisal(suite, {"length": lengths}, tokens="characters").examples("wrong:own")
    assert example["conditions"][0]["sentence"] == "the dog [barks] here"
    (example,) = gp.surprisal(suite, {"length": lengths}).examples("wrong:own")
    assert [(one["sentence"], one["bits"]) for one in example["conditions"]] == [
        ("the dog [barks] here", 5.0), ("the dog [bark] here", 4.0),
    ]  # fmt: skip


def test_seeds_are_averaged_and_an_item_that_one_of_them_misses_is_wrong() -> None:
    def backwards(sentences: list[list[str]]) -> list[list[float]]:
        return [[9.0 - value for value in values] for values in lengths(sentences)]

    both = gp.surprisal(PAIRS.head(4), {"both": [lengths, backwards]})
    assert [(one["item"], one["difference"]) for one in both.examples("wrong")] == [("1", 0.0), ("2", 0.0), ("4", 0.0)]
    assert [one["item"] for one in both.examples("tie")] == ["3"]


@pytest.mark.parametrize(
    ("settings", "message"),
    [({"examples": "odd"}, "unknown kind of item"), ({"examples": "wrong:odd"}, "unknown suite or class"),
     ({"limit": 3}, "--limit says")],
)  # fmt: skip
def test_what_there_is_not_is_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        gp.surprisal(PAIRS, {"length": lengths}, **settings)
