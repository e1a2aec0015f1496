"""A PCFG on sentences: it gives its treebank back, knows what to do with any words, and brings gaps and roots back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gardenpath.errors import UsageError
from gardenpath.phrase import PhraseTree, from_notation, to_notation
from gardenpath.phrase.evalb import GERMAN
from gardenpath.phrase.parseval import score_trees
from gardenpath.systems.pcfg import learn
from gardenpath.systems.pcfg.derivations import Forest
from gardenpath.systems.pcfg.lexicon import learned, shape_of
from gardenpath.systems.pcfg.model import LONGEST, tree_of

pytest.importorskip("numba", reason="the extra pcfg is not installed")

PLAIN = [
    "(S (NP:SB (ART:NK der) (NN:NK Hund)) (VVFIN:HD schläft)) ($. .)",
    "(S (NP:SB (ART:NK die) (NN:NK Katze)) (VVFIN:HD jagt) (NP:OA (ART:NK den) (NN:NK Hund))) ($. .)",
    "(S (PP:MO (APPR:AC in) (ART:NK dem) (NN:NK Garten)) (VVFIN:HD schläft) (NP:SB (ART:NK die) (NN:NK Katze))) ($. .)",
    "(NP (NN Ruhe)) ($. !)",
    "(NN Ende)",
]
EXTRAPOSED = (
    "(S (NP:SB (ART:NK der) (NN:NK Verein)) (VAFIN:HD hat) (VP:OC (NP:OA#1 (ART:NK einen) (NN:NK Trainer)) "
    "(VVPP:HD gefunden) (NP:OA#1 (S:RC (PRELS:SB der) (NN:OA Geduld) (VVFIN:HD braucht)))))"
)


def trees(lines: list[str]) -> list[PhraseTree]:
    return [from_notation(line) for line in lines]


def plain(tree: PhraseTree | None) -> str:
    assert tree is not None
    return to_notation(tree)


def test_an_unambiguous_treebank_is_given_back_with_its_functions() -> None:
    model = learn(trees(PLAIN), functions=True, horizontal=2)
    assert [plain(model.parse(tree.words)) for tree in trees(PLAIN)] == [to_notation(tree) for tree in trees(PLAIN)]


def test_without_functions_the_trees_have_none() -> None:
    model = learn(trees(PLAIN))
    found = model.parse("der Hund schläft .".split())
    assert plain(found) == "(S (NP (ART der) (NN Hund)) (VVFIN schläft)) ($. .)"


def test_pieces_are_merged_to_a_node_with_a_gap() -> None:
    gold = from_notation(EXTRAPOSED)
    model = learn([gold], functions=True, gaps="split")
    assert model.parse(gold.words) == gold


def test_raising_keeps_the_stretch_with_the_head() -> None:
    gold = from_notation(EXTRAPOSED)
    found = learn([gold], functions=True, scheme="tiger").parse(gold.words)
    assert not any(node.has_gap for node in found.inner) if found else False
    assert "(NP:OA (ART:NK einen) (NN:NK Trainer)) (VVPP:HD gefunden) (S:RC" in plain(found)


def test_punctuation_inside_a_sentence_hangs_at_the_root_again() -> None:
    gold = from_notation("(S#1 (S (NN Regen) (VVFIN kam))) ($, ,) (S#1 (KON und) (S (NN Wind) (VVFIN ging))) ($. .)")
    assert learn([gold]).parse(gold.words) == gold


def test_punctuation_that_hangs_inside_stays_inside() -> None:
    gold = from_notation("(S (NP (NN Hund)) ($, ,) (VVFIN bellt))")
    assert learn([gold]).parse(gold.words) == gold


def test_any_words_get_a_tree() -> None:
    model = learn(trees(PLAIN))
    for words in (
        ["Ende"],
        ["Unbekannt"],
        ["der", "Fisch", "schläft", "."],
        ["\u0000", "猫", "\U0001f600"],
        [""],
        ["-"] * 3,
    ):
        tree = model.parse(words)
        assert tree is not None
        assert tree.words == tuple(words)


def test_the_empty_and_the_endless_sentence_have_no_parse() -> None:
    model = learn(trees(PLAIN))
    assert model.parse([]) is None
    assert model.parse(["Hund"] * (LONGEST + 1)) is None
    with pytest.raises(UsageError, match="a sentence of 0 tokens"):
        model.nbest([], 1)


def test_a_sentence_of_120_tokens() -> None:
    words = "die Katze jagt den Hund in dem Garten".split() * 15
    tree = learn(trees(PLAIN)).parse(words)
    assert tree is not None
    assert tree.words == tuple(words)


@pytest.mark.parametrize("k", [0, 51])
def test_how_many_trees_can_be_asked_for(k: int) -> None:
    with pytest.raises(UsageError, match="from 1 to 50"):
        learn(trees(PLAIN)).nbest(["Ende"], k)


def test_no_trees_are_told() -> None:
    with pytest.raises(UsageError, match="no trees"):
        learn([])


def test_an_ending_and_a_capital_tell_an_unknown_word() -> None:
    words = {
        ("Zeitung", "NN", False): 2,
        ("Heizung", "NN", False): 1,
        ("gehen", "VVINF", False): 1,
        ("sehen", "VVINF", False): 1,
    }
    lexicon = learned(words, ["NN", "VVINF"])
    noun, verb = lexicon.tag_shares("Leitung", False), lexicon.tag_shares("drehen", False)
    assert noun[0] > 0.8
    assert verb[1] > 0.8
    assert noun.sum() == pytest.approx(1.0)


def test_a_known_word_can_have_another_tag() -> None:
    lexicon = learned({("laut", "ADJD", False): 3, ("traut", "VVFIN", False): 1}, ["ADJD", "VVFIN"])
    shares = lexicon.tag_shares("laut", False)
    assert shares[0] > shares[1] > 0


def test_the_first_word_is_also_looked_up_in_small_letters() -> None:
    lexicon = learned({("heute", "ADV", False): 9, ("Leute", "NN", False): 9}, ["ADV", "NN"])
    assert lexicon.tag_shares("Heute", True)[0] > 0.9 > lexicon.tag_shares("Heute", False)[0]


@pytest.mark.parametrize(
    ("word", "begins", "shape"),
    [
        ("Haus", False, "Capital"),
        ("Haus", True, "First"),
        ("USA", False, "capitals"),
        ("A-Klasse", False, "Capital-hyphen"),
        ("1990", False, "number"),
        ("3", False, "number1"),
        (",", False, "signs1"),
        ("30er", False, "small-digit"),
        ("", False, "signs1"),
    ],
)
def test_shapes(word: str, begins: bool, shape: str) -> None:
    assert shape_of(word, begins) == shape


@pytest.mark.parametrize("name", ["bundled:de-constructions/tiger/trees.export", "phrase/tiger-pcc/syntax"])
def test_real_trees_are_learned_and_found_again(name: str, file_named: Callable[[str], Path]) -> None:
    from gardenpath.phrase import read

    place = file_named(name)
    gold = [tree for tree in read(sorted(place.glob("maz-1*.xml"))[:4] if place.is_dir() else place) if len(tree)]
    model = learn(gold, functions=True, horizontal=1, gaps="split", scheme="tiger")
    short = [tree for tree in gold if len(tree) <= 15]
    counts = score_trees(short, [model.parse(tree.words) for tree in short], GERMAN)
    right, wanted, given = (sum(getattr(one.labelled, name) for one in counts) for name in ("right", "gold", "system"))
    assert all(one.parsed for one in counts)
    assert 2 * right / (wanted + given) > 0.85  # of its own training trees


def test_a_rule_that_drew_one_piece_draws_the_second() -> None:
    """Rules see no sister at all, and the tree with a gap is still whole: of 20 derivations none has a lone piece."""
    gold = [
        from_notation("(S (VP:OC#1 (NN:OA Brot)) (VAFIN:HD hat) (NE:SB Anna) (VP:OC#1 (VVPP:HD gegessen)))"),
        from_notation("(S (NE:SB Anna) (VAFIN:HD hat) (VP:OC (NN:OA Brot) (VVPP:HD gegessen)))"),
        from_notation("(S (NE:SB Anna) (VVFIN:HD isst) (NN:OA Brot))"),
    ]
    model = learn(gold, functions=True, horizontal=0, gaps="split")
    assert model.parse(gold[0].words) == gold[0]
    forest = Forest(model.chart(gold[0].words), 20)
    ranks = [rank for rank in range(20) if forest.derivation(forest.chart.root, rank)]
    pieces = [[label for label in tree_of(forest, gold[0].words, rank).labels if label == "VP*"] for rank in ranks]
    assert len(ranks) > 5
    assert {len(own) for own in pieces} == {0, 2}


@pytest.mark.parametrize("latent", [0, 1])
def test_gold_tags_are_the_tags_of_the_tree_and_decide_it(latent: int) -> None:
    lines = ["(S (NN Otto) (VVFIN malt) (NN Bilder))", "(S (VVFIN malt) (NN Otto))", "(NP (NN Bilder) (NE Otto))"]
    model = learn(trees(lines * 4), latent=latent)
    for words, tags in (("Otto malt Bilder", "NN VVFIN NN"), ("Otto Bilder", "VVFIN NN"), ("Bilder malt", "NN NE")):
        parsed = model.parse(words.split(), tags.split())
        assert parsed is not None
        assert parsed.tags == tuple(tags.split())
    free = model.parse(["Bilder", "Otto"])
    assert model.parse(["Bilder", "Otto"], ["NN", "no tag of this grammar"]) == model.parse(["Bilder", "Otto"]) == free
