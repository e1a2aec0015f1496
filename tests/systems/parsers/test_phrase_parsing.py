"""Phrase parsers: the protocol, the cache, processes, and trees that another program wrote."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from gardenpath.errors import InputError, SystemFailure, UsageError
from gardenpath.phrase import PhraseTree, from_notation, to_notation
from gardenpath.phrase.formats.notation import from_json, to_json
from gardenpath.phrase.formats.source import write
from gardenpath.runs.record.cache import ResultCache
from gardenpath.runs.work.where import Where
from gardenpath.systems import PhraseParser, kinds, parse_trees_with, phrase_parser, system
from gardenpath.systems.asking.registry import LANGUAGE_MODEL, PHRASE_PARSER, PHRASES, TEXT, Kind

HOUSE = "(S (NP:SB (ART:NK das) (NN:NK Haus)) (VVFIN:HD steht))"
DOG = "(S (NP:SB (ART:NK der) (NN:NK Hund)) (VVFIN:HD bellt) (ADV:MO laut))"
GAP = "(S (VP:OC#1 (NN:OA Brot) (VVPP:HD gekauft)) (VAFIN:HD hat) (PPER:SB er) (VP:OC#1 (ADV:MO gestern)))"


class Flat:
    """Draws one bracket over each sentence, and counts what it was asked."""

    name, signature = "flat:1", "kind:flat|version:1"

    def __init__(self, lost: int = 0, spoilt: str = "") -> None:
        self.asked, self.lost, self.spoilt = 0, lost, spoilt

    def parse_trees(self, sentences: Sequence[Sequence[str]]) -> list[PhraseTree | None]:
        self.asked += len(sentences)
        trees: list[PhraseTree | None] = []
        for words in sentences:
            shown = [self.spoilt or words[0], *words[1:]]
            brackets = " ".join(f"(X {word})" for word in shown)
            trees.append(from_notation(f"(S {brackets})") if len(words) > 1 else None)
        return trees[self.lost :]


def test_a_tree_comes_back_from_json_as_it_was() -> None:
    tree = from_notation(GAP, "s1")
    again = from_json(to_json(tree))
    assert again == tree
    assert again.sent_id == "s1"
    with pytest.raises(InputError, match="not a tree in JSON"):
        from_json({"words": ["a"]})


def test_what_was_parsed_before_is_not_parsed_again(tmp_path: Path) -> None:
    cache, parser = ResultCache(tmp_path), Flat()
    assert isinstance(parser, PhraseParser)
    sentences = [["das", "Haus"], ["Ja"]]
    first = parse_trees_with(parser, sentences, where=Where(cache=cache))
    assert [None if tree is None else to_notation(tree) for tree in first.trees] == ["(S (X das) (X Haus))", None]
    assert parse_trees_with(parser, sentences, where=Where(cache=cache)) == first
    assert parser.asked == 2
    parse_trees_with(parser, sentences, where=Where(cache=False))
    assert parser.asked == 4


def test_faults_of_a_parser_are_told_with_their_place() -> None:
    with pytest.raises(SystemFailure, match="1 trees for 2 sentences"):
        parse_trees_with(Flat(lost=1), [["a", "b"], ["c", "d"]], where=Where(cache=False))
    with pytest.raises(SystemFailure, match=r"sentence 1: .*token 1 is 'a' in the input and 'x' in the tree"):
        parse_trees_with(Flat(spoilt="x"), [["a", "b"]], where=Where(cache=False))


def test_right_branching_in_two_processes(tmp_path: Path) -> None:
    sentences = [["a"], ["a", "b"], ["a", "b", "c"]] * 100
    trees = parse_trees_with(
        "baseline:right-branching", sentences, where=Where(cache=ResultCache(tmp_path), jobs=2, progress=False)
    ).trees
    assert [to_notation(tree) for tree in trees[:3] if tree is not None] == [
        "(S (NN a))", "(S (NN a) (NN b))", "(S (NN a) (S (NN b) (NN c)))",
    ]  # fmt: skip
    assert trees[297:] == trees[:3]
    assert len(trees) == 300


@pytest.fixture
def parsed(tmp_path: Path) -> Path:
    path = tmp_path / "parsed.export"
    write([from_notation(HOUSE, "1"), from_notation(DOG, "2")], path)
    return path


def test_trees_of_a_file_by_order_and_by_id(parsed: Path) -> None:
    house, dog = ["das", "Haus", "steht"], ["der", "Hund", "bellt", "laut"]
    found = parse_trees_with(f"trees:{parsed}", [house, dog]).trees
    assert [len(tree.labels) for tree in found if tree is not None] == [2, 2]
    found = parse_trees_with(f"trees:{parsed}", [dog], ids=["2"]).trees
    assert found == [from_notation(DOG)]
    found = parse_trees_with(f"trees:{parsed}", [dog, ["Neu"], house], ids=["2", "3", "1"]).trees
    assert [tree is None for tree in found] == [False, True, False]


def test_a_file_of_other_sentences_is_a_mistake(parsed: Path) -> None:
    with pytest.raises(InputError, match=r"sentence 2 differs: token 4 is 'leise' in the input and 'laut' in the tree"):
        parse_trees_with(
            f"trees:{parsed}", [["das", "Haus", "steht"], ["der", "Hund", "bellt", "leise"]], ids=["1", "2"]
        )
    with pytest.raises(InputError, match="token 4 is no more in the input"):
        parse_trees_with(f"trees:{parsed}", [["der", "Hund", "bellt"]], ids=["2"])


def test_noparse_and_an_empty_bracket_are_no_parse(tmp_path: Path) -> None:
    write([from_notation("(NOPARSE (NN Haus) (NN Hund))", "1")], tmp_path / "parsed.export")
    assert parse_trees_with(f"trees:{tmp_path / 'parsed.export'}", [["Haus", "Hund"]]).trees == [None]
    path = tmp_path / "parsed.mrg"
    path.write_text("(())\n(NP (NN Hund))\n()\n", encoding="utf-8")
    found = parse_trees_with(f"trees:{path}", [["Haus"], ["Hund"], ["Baum"]]).trees
    assert [tree is None for tree in found] == [True, False, True]


def test_the_signature_follows_the_file(parsed: Path) -> None:
    before = phrase_parser(f"trees:{parsed}").signature
    write([from_notation(HOUSE, "1")], parsed)
    assert phrase_parser(f"trees:{parsed}").signature != before
    with pytest.raises(InputError, match="no such file"):
        phrase_parser("trees:nowhere.export")


def test_roles(parsed: Path) -> None:
    with pytest.raises(UsageError, match=r"(?s)this is a phrase parser, and a parser is needed.*udpipe"):
        system(f"trees:{parsed}")
    with pytest.raises(UsageError, match=r"(?s)this is a parser, and a phrase parser is needed.*trees"):
        phrase_parser("baseline:nearest-head")
    assert kinds()["trees"].role == "phrase parser"
    both = Kind("both", "x:Y", "FILE", "both", roles=(LANGUAGE_MODEL, PHRASE_PARSER))
    assert both.role == "language model and phrase parser"
    assert both.learns_from == PHRASES
    assert kinds()["ngram"].learns_from == TEXT
