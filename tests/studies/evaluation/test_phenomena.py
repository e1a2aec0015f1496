"""Scores where a query finds something: counted by hand, named, signed by content, and refused where it is none."""

from __future__ import annotations

from pathlib import Path

import pytest

import gardenpath as gp
from gardenpath.errors import GardenpathError
from gardenpath.studies.evaluation.breakdown import phenomena
from gardenpath.treebank import Treebank, read

PATTERN = "V [upos=VERB]; V -[nsubj]-> S; e: V -[obj]-> O"


@pytest.fixture(scope="module")
def gold() -> Treebank:
    return read("bundled:de-test")


def test_scores_are_those_of_the_words_that_are_found(gold: Treebank) -> None:
    parsed = gp.parse("baseline:right-branching", gold).treebank
    result = gp.evaluate(gold, {"x": parsed}, by=[f"transitive={PATTERN}"])
    asked = [
        (sentence.number, node.ord - 1)
        for sentence in gold
        for node in sentence.words
        if node.deprel == "obj"
        and node.parent.upos == "VERB"
        and any(child.deprel == "nsubj" for child in node.parent.children)
    ]
    right = sum(parsed[number].words[place].head == gold[number].words[place].head for number, place in asked)
    uas, las = (
        next(row for row in result.findings if row.by == {"phenomenon": "transitive"} and row.measure == measure)
        for measure in ("uas", "las")
    )
    assert (uas.n, uas.value) == (len(asked), pytest.approx(100 * right / len(asked)))
    assert 0 < right < len(asked)
    assert las.low is not None
    assert las.high is not None
    assert las.low <= float(las.value or 0) < las.high


def test_a_perfect_parser_and_a_query_that_finds_nothing(gold: Treebank) -> None:
    result = gp.evaluate(gold, {"x": gold}, by=["bundled:ud-phenomena", "none=X [upos=SYM]"])
    las = {str(row.by["phenomenon"]): row for row in result.findings if row.measure == "las" and "phenomenon" in row.by}
    assert len(las) == 25
    assert {row.value for row in las.values() if row.n} == {100.0}
    assert (las["none"].value, las["none"].n, las["none"].low) == (None, 0, None)
    assert las["object before subject"].n == len(gold.search("V -[1=nsubj]-> S; e: V -[obj]-> O; O << S").words("e"))


def test_a_pattern_alone_is_its_own_name() -> None:
    (named,) = phenomena(["passive=e: V -[nsubj:pass]-> S"])
    assert (named.name, named.request.edges) == ("passive", ("e",))
    (alone,) = phenomena(["X [upos=VERB]"])
    assert alone.name == "X [upos=VERB]"
    (feature,) = phenomena(["X -> Y; X.lemma = Y.lemma"])
    assert feature.request.nodes == ("X", "Y")


def test_the_content_of_a_file_is_signed(gold: Treebank, tmp_path: Path) -> None:
    place, signatures = tmp_path / "mine.toml", set()
    for label in ("obj", "nsubj"):
        place.write_text(f'[[phenomenon]]\nname = "arguments"\nquery = "e: V -[{label}]-> A"\n', encoding="utf-8")
        signatures.add(gp.evaluate(gold, {"x": gold}, by=[str(place)]).signature)
    assert len(signatures) == 2
    assert all("|by:1 query#" in signature for signature in signatures)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a = 1", "there is no phenomenon"),
        ("[[phenomenon]]\nname = 'x'", "phenomenon 1: a phenomenon without a name or a query"),
        ("[[phenomenon]]\nname = 'x'\nquery = 'X -> '", "phenomenon 1, character 6: the query: the node where"),
        ("[[phenomenon]]\nname = 'x'\nquery = 'X -> Y'\nedge = 'e'", "unknown: edge"),
        ("[[phenomenon]\n", "not TOML"),
        ("[[phenomenon]]\nname = 'x'\nquery = 'X []'\n" * 2, "two queries are called 'x'"),
    ],
)
def test_what_is_wrong_with_a_file(text: str, message: str, tmp_path: Path) -> None:
    place = tmp_path / "mine.toml"
    place.write_text(text, encoding="utf-8")
    with pytest.raises(GardenpathError, match=message):
        phenomena([str(place)])
    with pytest.raises(GardenpathError, match="cannot be read"):
        phenomena([str(tmp_path / "nowhere.toml")])


def test_a_file_may_name_the_arc_and_the_language(gold: Treebank, tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    query = 'query = "s: V -[nsubj]-> S; o: V -[obj]-> O"'
    file.write_text(
        f'[[phenomenon]]\nname = "both"\n{query}\n'
        f'[[phenomenon]]\nname = "object"\narc = "o"\nlanguage = "de"\n{query}\n'
        f'[[phenomenon]]\nname = "English"\nlanguage = "en"\n{query}\n',
        encoding="utf-8",
    )
    result = gp.evaluate(gold, {"x": gold}, by=[str(file)])
    n = {str(row.by["phenomenon"]): row.n for row in result.findings if row.measure == "las" and row.by}
    matches = gold.search("s: V -[nsubj]-> S; o: V -[obj]-> O")
    assert n == {"both": len(matches.dependants), "object": len(set(matches.words("o").tolist()))}
    assert result.failures["phenomena of another language"] == 1
    file.write_text(f'[[phenomenon]]\nname = "x"\narc = "e"\n{query}\n', encoding="utf-8")
    with pytest.raises(GardenpathError, match="no edge of the query is called 'e'"):
        phenomena([str(file)])
