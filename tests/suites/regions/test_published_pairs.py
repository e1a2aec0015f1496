"""The published pairs beside the repository: as many pairs, phenomena and paradigms as papers and headers state."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from gardenpath.data import find
from gardenpath.suites.regions.conversion import convert_regions
from gardenpath.suites.regions.reader import read_paradigms, read_region_suite
from gardenpath.suites.regions.targets import on_targets

STATED = {
    "blimp": (67_000, 13, 67),
    "blimp-nl": (1_400, 6, 14),
    "clams": (2_640, 4, 6),
    "jblimp": (331, 11, 37),
    "lindsea": (380, 4, 38),
    "multiblimp": (255, 1, 1),
    "rublimp": (8_000, 8, 8),
    "turblimp": (6_700, 7, 13),
    "zhoblimp": (35_400, 15, 118),
}
"""Pairs, phenomena (or languages, by folder), paradigms: the papers of BLiMP (12 phenomena, of which the files divide
one), JBLiMP and ZhoBLiMP, the README of LINDSEA; of the others, which are parts here, the headers of the files."""


@pytest.mark.parametrize("name", STATED)
def test_all_pairs_of_a_benchmark_are_read(name: str, shared: Path) -> None:
    suites = read_paradigms([shared / "pairs" / name])
    assert (sum(map(len, suites)), len({suite.property_of("class") for suite in suites}), len(suites)) == STATED[name]
    assert len({suite.title for suite in suites}) == len(suites)
    assert {suite.format for suite in suites} == {find("multiblimp-fr" if name == "multiblimp" else name).layout}
    if name in ("blimp", "zhoblimp"):
        assert all(suite.said("human_accuracy") is not None for suite in suites)
    if name == "blimp":  # Table 3 of the paper
        printed = {"ellipsis": 85.0, "island_effects": 84.9, "binding": 87.3, "quantifiers": 86.6}
        for phenomenon, accuracy in printed.items():
            values = [suite.said("human_accuracy") for suite in suites if suite.property_of("class") == phenomenon]
            assert round(sum(values) / len(values), 1) == accuracy


@pytest.mark.parametrize(
    ("file", "targets"),
    [
        ("rublimp/negative_concord.csv", 1000),
        ("turblimp/base/augmented_binding.csv", 990),
        ("turblimp/base/augmented_irregular_forms.csv", 0),
        ("blimp-nl/Phenomenon01.csv", 200),
    ],
)
def test_targets_are_found_where_files_name_them(file: str, targets: int, shared: Path) -> None:
    assert len(on_targets(read_region_suite(shared / "pairs" / file))) == targets


@pytest.mark.parametrize("file", ["rublimp/tense_marker.csv", "turblimp/base/augmented_binding.csv"])
def test_published_tables_go_there_and_back(file: str, shared: Path) -> None:
    suite = read_region_suite(shared / "pairs" / file)
    separator = suite.said("separator")
    data = convert_regions(suite, "pairs").data.decode()
    raw = (shared / "pairs" / file).read_text("utf-8-sig")
    assert list(csv.reader(io.StringIO(data), delimiter=separator)) == list(
        csv.reader(io.StringIO(raw, newline=""), delimiter=separator)
    )


def test_published_lines_go_there_and_back(shared: Path) -> None:
    lines = shared / "pairs" / "clams" / "fr_evalset" / "simple_agrmt.txt"
    again = convert_regions(read_region_suite(lines), "labelled-lines").data.decode()
    assert again.splitlines() == lines.read_text("utf-8").splitlines()
    objects = shared / "pairs" / "jblimp" / "validated_minimal_pairs.jsonl"
    again = convert_regions(read_region_suite(objects), "blimp").data.decode()
    assert [*map(json.loads, again.splitlines())] == [*map(json.loads, objects.read_text("utf-8").splitlines())]
