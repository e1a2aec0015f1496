"""The files of requests find what rules in Python found before them, hit by hit, with all anchors and flags."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from gardenpath.phrase.schemes.registry import scheme
from gardenpath.phrase.source import read
from gardenpath.suites.constructions.finding import find_in
from gardenpath.suites.constructions.model import PHENOMENA, SCHEMES
from gardenpath.suites.constructions.request_files import finding_rules


@pytest.mark.parametrize(
    ("name", "hits", "digest"),
    [("tiger", 232, "546643e27d326d2e"), ("tuebadz", 232, "b953458f8ee176c0")],
)
def test_every_hit_is_that_of_the_python_rules(
    name: str, hits: int, digest: str, file_named: Callable[[str], Path]
) -> None:
    """The digests were made with the rules in Python that these files replaced (November 2026); on the Potsdam
    Commentary Corpus, SQUOIA, SMULTRON and 3,000 generated trees the hits were the same too."""
    trees = read(file_named(f"bundled:de-constructions/{name}/trees.export"))
    constructions = list(find_in(trees, name, tuple(PHENOMENA), wide=True))
    assert len(constructions) == hits
    rows = [[number, one.phenomenon, one.variant, one.node, *one.anchors, *one.flags] for number, one in constructions]
    assert sha256(repr(rows).encode()).hexdigest()[:16] == digest


@pytest.mark.parametrize("name", SCHEMES)
def test_a_file_has_a_rule_for_every_phenomenon_and_no_open_placeholder(name: str) -> None:
    rules = finding_rules(scheme(name))
    absent = {"ptb": {"sgf"}, "sinica": {"erc", "sgf"}, "ctb": {"erc", "sgf"}}.get(name, set())
    assert {rule.phenomenon for rule in rules} == set(PHENOMENA) - absent
    texts = [text for rule in rules for text in (rule.pattern, *(text for _, texts in rule.flags for text in texts))]
    assert not any("${" in text for text in texts)
