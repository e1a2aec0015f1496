"""Which items are one cluster: those of a column of the file, or of one base sentence in parallel suites."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from gardenpath.suites.regions.clusters import item_clusters
from gardenpath.suites.regions.model import Condition, Item, Prediction, Region, RegionSuite
from gardenpath.suites.regions.reader import read_region_suites

NOUNS = ["dog", "cat", "cow"]


def suite(title: str, pattern: str, nouns: list[str] = NOUNS, **extra: list[str]) -> RegionSuite:
    items = [
        Item(
            str(number + 1),
            tuple(Condition(name, (Region(1, pattern.format(noun)), Region(2, verb)))
                  for name, verb in (("good", f"{noun}s"), ("bad", f"{noun}ed"))),
            extra={key: values[number] for key, values in extra.items()},
        )
        for number, noun in enumerate(nouns)
    ]  # fmt: skip
    predictions = [Prediction("(2;%bad%) > (2;%good%)")]
    return RegionSuite(f"{title}.json", title, items, predictions, {1: "noun", 2: "verb"}, "syntaxgym")


def test_items_of_one_number_in_parallel_suites_are_one_cluster() -> None:
    suites = [suite("a", "the {}"), suite("b", "the old {}"), suite("c", "people sing", ["x", "y", "z"])]
    clusters = item_clusters(suites)
    assert clusters.name == "base sentence"
    first, second, third = np.split(clusters.codes[0], 3)
    assert first.tolist() == second.tolist()
    assert clusters.count == 6
    assert not set(first) & set(third)
    turned = item_clusters([suites[0], suite("b", "the old {}", NOUNS[::-1])])  # the numbers say nothing here
    assert (turned.name, turned.count) == ("item", 6)
    assert item_clusters(suites, independent=True).count == 9
    assert item_clusters(suites[:1]).name == "item"


def test_a_column_of_the_file_says_what_was_sampled(tmp_path: Path) -> None:
    suites = [suite("a", "the {}", template=["x", "x", "y"]), suite("b", "the old {}", template=["x", "y", "z"])]
    clusters = item_clusters(suites)
    assert (clusters.name, clusters.count) == ("template", 3)
    path = tmp_path / "pairs.tsv"
    path.write_text("good\tbad\tlexeme\na b\ta c\tdog\na d\ta e\tdog\nf b\tf c\tcat\n", encoding="utf-8")
    clusters = item_clusters(list(read_region_suites(path)))
    assert (clusters.name, clusters.codes[0].tolist()) == ("lexeme", [1, 1, 0])


def test_the_published_suites(shared: Path) -> None:
    """Both garden path classes of the Mandarin suites are made of the same 31 sentences."""
    clusters = item_clusters(list(read_region_suites(shared / "surprisal" / "mandarin" / "test_suites")))
    assert (clusters.name, clusters.count, len(clusters)) == ("base sentence", 30 + 31 + 31 + 30 + 30, 732)
