"""What parsers may see of gold beside the words: `gold=("tags",)`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from construction_suites import suite

from gardenpath.errors import UsageError
from gardenpath.phrase import PhraseTree
from gardenpath.runs.result.result import Result
from gardenpath.studies.constructions.declaration import ConstructionsSettings
from gardenpath.studies.constructions.study import CONSTRUCTIONS
from gardenpath.studies.engine.study import run


class Tagless:
    """A parser of words alone, which knows the sentences of the suite."""

    name, signature = "tagless", "kind:test"

    def __init__(self) -> None:
        self.known = {item.tree.words: item.tree for item in suite("tiger").items}

    def parse_trees(self, sentences: Sequence[Sequence[str]]) -> list[PhraseTree | None]:
        return [self.known[tuple(words)] for words in sentences]


class Tagged(Tagless):
    """It gives a tree only where it is given the tags of gold."""

    def parse_trees(self, sentences: Sequence[Sequence[str]]) -> list[PhraseTree | None]:
        return [None for _ in sentences]

    def parse_tagged(
        self, sentences: Sequence[Sequence[str]], tags: Sequence[Sequence[str]]
    ) -> list[PhraseTree | None]:
        trees = [self.known[tuple(words)] for words in sentences]
        assert [tuple(row) for row in tags] == [tree.tags for tree in trees]
        return list(trees)


def study(system: object, *layers: str) -> Result:
    return run(CONSTRUCTIONS, suite("tiger"), {"x": system}, ConstructionsSettings(gold=layers))


def accuracy(result: Result) -> Any:
    return next(finding.value for finding in result.findings if finding.measure == "accuracy" and not finding.by)


def test_tags_of_gold_reach_a_phrase_parser_that_can_use_them_and_the_signature_says_so() -> None:
    without, tagged = study(Tagged()), study(Tagged(), "tags")
    assert (accuracy(without), accuracy(tagged)) == (0.0, 100.0)
    assert "|layers:tags|" in tagged.signature
    assert "layers" not in without.signature


def test_a_parser_that_cannot_use_them_is_an_error() -> None:
    with pytest.raises(UsageError, match="this parser cannot be given tags"):
        study(Tagless(), "tags")
    with pytest.raises(UsageError, match="a phrase parser cannot be given feats or lemmas"):
        study(Tagged(), "lemmas", "feats", "tags")


def test_a_dependency_parser_that_needs_tags_is_judged_with_them() -> None:
    import gardenpath as gp

    with pytest.raises(UsageError, match="needs tags"):
        gp.constructions("bundled:de-constructions", {"ud": "baseline:nearest-head"})
    result = gp.constructions("bundled:de-constructions", {"ud": "baseline:nearest-head"}, gold="tags")
    judged = [finding for finding in result.findings if finding.measure == "accuracy" and not finding.by]
    assert [(finding.system, finding.n) for finding in judged] == [("ud", 148)]
    assert "|layers:tags|" in result.signature
