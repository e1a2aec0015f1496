"""Trees and surprisals of PCFGs. Oracles: all derivations of a sentence, all sentences of a grammar."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st
from pcfg_oracle import TooMany, all_derivations, all_sentences, conditionals
from test_pcfg_grammar import AMBIGUOUS, random_trees

from gardenpath.errors import FailedOnInput, InputError, UsageError
from gardenpath.phrase import PhraseTree, from_notation, to_notation
from gardenpath.phrase.parseval import GERMAN, score_trees
from gardenpath.suites.generation import TextGrammar, parsed_grammar, sentences, text_grammar
from gardenpath.systems.language_models.scoring import score_with
from gardenpath_models.pcfg.chart import Forest
from gardenpath_models.pcfg.lexicon import learned, shape_of
from gardenpath_models.pcfg.model import LONGEST, PCFG, learn, tree_of
from gardenpath_models.pcfg.prefix_chart import PrefixChart
from gardenpath_models.pcfg.written import written_pcfg

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
    found = learn(trees(PLAIN)).parse("der Hund schläft .".split())  # without functions
    assert plain(found) == "(S (NP (ART der) (NN Hund)) (VVFIN schläft)) ($. .)"


@pytest.mark.parametrize(
    ("text", "options"),
    [
        (EXTRAPOSED, {"functions": True, "gaps": "split"}),  # pieces are merged to a node with a gap
        ("(S#1 (S (NN Regen) (VVFIN kam))) ($, ,) (S#1 (KON und) (S (NN Wind) (VVFIN ging))) ($. .)", {}),
        ("(S (NP (NN Hund)) ($, ,) (VVFIN bellt))", {}),  # punctuation that hangs inside stays inside
    ],
)
def test_gaps_and_punctuation_are_where_they_were(text: str, options: dict[str, Any]) -> None:
    gold = from_notation(text)
    assert learn([gold], **options).parse(gold.words) == gold


def test_raising_keeps_the_stretch_with_the_head() -> None:
    gold = from_notation(EXTRAPOSED)
    found = learn([gold], functions=True, scheme="tiger").parse(gold.words)
    assert not any(node.has_gap for node in found.inner) if found else False
    assert "(NP:OA (ART:NK einen) (NN:NK Trainer)) (VVPP:HD gefunden) (S:RC" in plain(found)


def test_any_words_get_a_tree() -> None:
    model = learn(trees(PLAIN))
    odd = ["\u0000", "猫", "\U0001f600"]
    long = "die Katze jagt den Hund in dem Garten".split() * 15
    for words in (["Ende"], ["Unbekannt"], ["der", "Fisch", "schläft", "."], odd, [""], ["-"] * 3, long):
        tree = model.parse(words)
        assert tree is not None
        assert tree.words == tuple(words)


def test_the_empty_and_the_endless_sentence_have_no_parse() -> None:
    model = learn(trees(PLAIN))
    assert model.parse([]) is None
    assert model.parse(["Hund"] * (LONGEST + 1)) is None
    with pytest.raises(UsageError, match="a sentence of 0 tokens"):
        model.nbest([], 1)


def test_how_many_trees_can_be_asked_for_and_learned_from() -> None:
    for k in (0, 51):
        with pytest.raises(UsageError, match="from 1 to 50"):
            learn(trees(PLAIN)).nbest(["Ende"], k)
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


def test_a_known_word_can_have_another_tag_and_the_first_is_looked_up_in_small_letters() -> None:
    lexicon = learned({("laut", "ADJD", False): 3, ("traut", "VVFIN", False): 1}, ["ADJD", "VVFIN"])
    shares = lexicon.tag_shares("laut", False)
    assert shares[0] > shares[1] > 0
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


def grammar_of(*lines: str) -> TextGrammar:
    """`A: 3 B c | 1 d` as a grammar file has it."""
    rules = [line.partition(": ") for line in lines]
    return parsed_grammar("\n".join(f"{name}\n  " + body.replace(" | ", "\n  ") for name, _, body in rules))


LEFT = grammar_of("TEXT: 1 NP V | 1 NP V NP", "NP: 6 d n | 3 NP PP | 1 NP s NP", "PP: 1 p NP", "V: 2 v | 1 V PP")
"""Left recursion, direct and below another name."""
CIRCLE = grammar_of("TEXT: 2 A | 1 A B", "A: 3 B | 1 a | 1 A A", "B: 2 A | 1 C | 1 b b", "C: 1 TEXT | 2 c | 1 B")
"""Circles of single names, also through the root."""


def random_grammar(seed: int) -> TextGrammar:
    """Four names with two to four alternatives of one to three parts, any of them; each has one that is a word."""
    draw = Random(seed)
    names = ["TEXT", "AA", "BB", "CC"]
    lines = []
    for name in names:
        bodies = [f"{draw.uniform(1, 2):.3f} {draw.choice('abc')}"]
        for _ in range(draw.randint(1, 3)):
            parts = [draw.choice([*names, "a", "b", "c"]) for _ in range(draw.choice([1, 1, 2, 2, 3]))]
            bodies.append(f"{draw.uniform(0.1, 0.7):.3f} {' '.join(parts)}")
        lines.append(f"{name}: {' | '.join(bodies)}")
    return grammar_of(*lines)


def charts(model: PCFG, sentence: list[str]) -> list[tuple[PrefixChart, float]]:
    """The chart before each word and after the last, and p(word); it stops at a word that cannot be."""
    rows = model.vocabulary.probabilities(sentence)[:, model._tag_at]
    probabilities = []
    for size in range(len(sentence) + 1):
        chart = PrefixChart.begun(model.prefixes, len(sentence))
        likely = [chart.add(row) for row in rows[:size]]
        if 0.0 in likely:
            break
        probabilities.append((chart, likely[-1] if likely else 1.0))
    return probabilities


def assert_like_the_oracle(source: TextGrammar, sentence: list[str]) -> None:
    expected, end = conditionals(source, sentence)
    reached = len(expected) - (not expected[-1])
    scores = written_pcfg(source).word_scores(sentence)
    assert 2.0 ** -scores.surprisals[:reached] == pytest.approx(expected[:reached], rel=1e-9)
    assert np.isinf(scores.surprisals[reached:]).all()
    assert 2.0**-scores.end == pytest.approx(end, rel=1e-9, abs=1e-15)


@pytest.mark.parametrize("source", [LEFT, CIRCLE], ids=["left recursion", "circles"])
def test_recursion_is_summed_as_trees_of_any_height(source: TextGrammar) -> None:
    sentences = {"d": ["d n p d n v", "d n s d n v p", "n"], "a": ["a b b", "c c a", "b b a c"]}
    for sentence in sentences["d" if source is LEFT else "a"]:
        assert_like_the_oracle(source, sentence.split())


@pytest.mark.parametrize("seed", range(25))
def test_random_grammars_with_recursion_and_circles(seed: int) -> None:
    source = random_grammar(seed)
    draw = Random(seed)
    for sentence in (source.sentence(draw)[:4], [draw.choice("abc") for _ in range(3)]):
        assert_like_the_oracle(source, sentence)


@pytest.mark.parametrize("ending", ["C: 1 x | 1 z z", "C: 1 x | 2 | 1 D D z", "C: 1 x D | 2 D"])
def test_all_sentences_of_a_finite_grammar(ending: str) -> None:
    """Every prefix of every sentence: the sum over the sentences that begin so, over that of one word less."""
    first = "TEXT: 3 A B | 1 B | 2 A A C"
    source = grammar_of(first, "A: 2 x | 1 x y | 1 B", "B: 1 y | 2 y C", "D: 3 | 1 z", ending)
    lines = all_sentences(source)
    model = written_pcfg(source)
    assert sum(lines.values()) == pytest.approx(1.0)

    def begins(prefix: tuple[str, ...]) -> float:
        return sum(mass for line, mass in lines.items() if line[: len(prefix)] == prefix)

    for line, mass in lines.items():
        scores = model.word_scores(line)
        shares = [begins(line[: size + 1]) / begins(line[:size]) for size in range(len(line))]
        assert 2.0**-scores.surprisals == pytest.approx(shares, rel=1e-9)
        assert 2.0**-scores.end == pytest.approx(mass / begins(line), rel=1e-9)


def test_by_hand() -> None:
    """TEXT -> TEXT a (1/4) | b (3/4): the words after b are a with 1/4, else the end; and b is certain."""
    scores = written_pcfg(grammar_of("TEXT: 1 TEXT a | 3 b")).word_scores(["b", "a", "a"])
    assert scores.surprisals == pytest.approx([0.0, 2.0, 2.0])
    assert scores.end == pytest.approx(-np.log2(3 / 4))


@settings(max_examples=40, deadline=None)
@given(st.composite(random_trees)(), st.integers(1, 2), st.integers(0, 2), st.lists(st.sampled_from("abc"), max_size=4))
def test_learned_grammars_sum_over_all_trees_and_expect_something(
    treebank: list[PhraseTree], vertical: int, horizontal: int, sentence: list[str]
) -> None:
    """What can come next and the end sum to 1 after any words; a sentence is the sum of its derivations."""
    model = learn(treebank, vertical=vertical, horizontal=horizontal)
    for chart, _ in charts(model, sentence):
        assert chart.next_tags.sum() + chart.end == pytest.approx(1.0, abs=1e-9)
    if not sentence:
        return
    with np.errstate(divide="ignore"):
        emissions = np.log(model.vocabulary.probabilities(sentence)[:, model._tag_at])
    try:
        trees = all_derivations(model.grammar, emissions)
    except TooMany:
        reject()
    scores = model.word_scores(sentence)
    expected = sum(np.exp(score) for score, _ in trees)
    assert 2.0 ** -(scores.surprisals.sum() + scores.end) == pytest.approx(expected, rel=1e-9, abs=1e-300)


def test_words_sum_to_one_for_every_tag_known_and_unknown_at_both_places() -> None:
    model = learn([from_notation(line) for line in AMBIGUOUS])
    for table in model.vocabulary.tables.values():
        assert table.probabilities.sum(axis=0) == pytest.approx(np.ones(len(model.vocabulary.tags)))
        assert len(table.probabilities) == len(table.at) + len(model.lexicon.classes)


def test_a_learned_vocabulary_is_open_and_by_class() -> None:
    model = learn([from_notation(line) for line in AMBIGUOUS])
    sentence = "Anna sah Hüte mit Gut".split()
    assert model.vocabulary.known(sentence).tolist() == [True, True, False, True, False]
    first, second = model.vocabulary.probabilities(["sah", "Gut"])[1], model.vocabulary.probabilities(["sah", "Hut"])[1]
    nouns = model.vocabulary.tags.index("NN")
    assert 0 < first[nouns] < second[nouns]
    assert np.isfinite(model.word_scores(sentence).surprisals).all()


def test_the_first_word_is_known_with_and_without_a_capital() -> None:
    model = written_pcfg(text_grammar("en"))
    large, small = (model.word_scores(f"{first} author smiles at night .".split()) for first in ("The", "the"))
    assert large.surprisals.tolist() == small.surprisals.tolist()


def test_two_hundred_words_do_not_underflow() -> None:
    """p(sentence) is below 2 to the -2000; each word costs what it costs in a short sentence."""
    source = grammar_of("TEXT: 1 S", "S: 999 W S | 1 W", f"W: {' | '.join(f'1 w{n}' for n in range(1024))}")
    scores = written_pcfg(source).word_scores([f"w{n}" for n in range(200)])
    assert scores.surprisals == pytest.approx([10.0] + [10.0 - np.log2(0.999)] * 199)
    assert scores.end == pytest.approx(-np.log2(0.001))


def test_a_grammar_in_a_file_is_a_system(tmp_path: Path) -> None:
    path = tmp_path / "small.grammar"
    path.write_text("words N: dog cat\nTEXT\n  1 NP V\nNP\n  3 the N\n  1 a N\nV\n  1 sleeps\n  1 runs\n")
    scores = score_with(f"pcfg:{path}", [["the", "dog", "runs"], ["a", "cat", "sleeps"]])
    assert [values.sum() for values in scores.surprisals] == pytest.approx([2 - np.log2(0.75), 2 - np.log2(0.25)])
    assert scores.ends is not None
    assert scores.ends.tolist() == [0.0, 0.0]


def test_an_underscore_is_a_blank_in_words_and_stays_in_names() -> None:
    scores = written_pcfg(grammar_of("TEXT: 1 NOUN_PHRASE in_the_rain", "NOUN_PHRASE: 1 we | 3 they")).word_scores(
        "they in the rain".split()
    )
    assert scores.surprisals == pytest.approx([-np.log2(0.75), 0.0, 0.0, 0.0])


def test_what_cannot_be_is_a_counted_failure(tmp_path: Path) -> None:
    path = tmp_path / "small.grammar"
    path.write_text("TEXT\n  1 a b\n")
    scores = score_with(f"pcfg:{path}", [["a", "b"], ["b"], ["a", "x"], [], ["a"]])
    assert scores.problems == {1: "crashed", 2: "crashed", 3: "crashed"}
    assert (scores.surprisals[0].tolist(), scores.surprisals[4].tolist()) == ([0.0, 0.0], [0.0])
    assert scores.ends is not None
    assert scores.ends[[0, 4]].tolist() == [0.0, np.inf]
    assert [marks.tolist() for marks in scores.oov[:1]] == [[False, False]]


@pytest.mark.parametrize(
    ("sentence", "message"),
    [
        (["b"], "no sentence of the grammar goes on with 'b'"),
        (["a", "a"], "no sentence of the grammar goes on with 'a' after 'a'"),
        (["a", "x"], "the grammar does not know 'x', word 2"),
    ],
)
def test_a_word_that_cannot_be_is_named(tmp_path: Path, sentence: list[str], message: str) -> None:
    path = tmp_path / "small.grammar"
    path.write_text("TEXT\n  1 a b\n")
    with pytest.raises(FailedOnInput, match=message):
        score_with(f"pcfg:{path}", [sentence])


def test_too_long_is_told() -> None:
    model = written_pcfg(grammar_of("TEXT: 1 TEXT a | 1 a"))
    with pytest.raises(FailedOnInput, match=f"a sentence of {LONGEST + 1} tokens"):
        model.word_scores(["a"] * (LONGEST + 1))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("TEXT\n  1 TEXT a\n", "TEXT never comes to an end"),
        ("TEXT\n  1 a\nB\n  1 B\n", "B never comes to an end"),
        ("TEXT\n  0 a\n", "its weight, above 0"),
        ("TEXT\n  1\n  1 a\n", "a sentence may be empty"),
        ("TEXT\n  nan a\n", "its weight, above 0"),
    ],
)
def test_a_grammar_that_is_none_is_told(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        written_pcfg(parsed_grammar(text))


def test_a_written_grammar_parses_and_shows_the_likeliest_chain() -> None:
    model = written_pcfg(grammar_of("TEXT: 1 S", "S: 1 NP VP", "NP: 1 N | 1 D N", "N: 1 dogs", "D: 1 the", "VP: 1 run"))
    tree = model.parse(["the", "dogs", "run"])
    assert tree is not None
    assert to_notation(tree) == "(S (NP (D the) (N dogs)) (VP run))"
    bare = model.parse(["dogs", "run"])
    assert bare is not None
    assert to_notation(bare) == "(S (NP (N dogs)) (VP run))"


def test_a_text_is_likelier_under_its_own_grammar_than_a_shuffled_one() -> None:
    model = written_pcfg(text_grammar("zh"))
    for words in sentences("zh", 5, seed=3):
        assert np.isfinite(model.word_scores(words).surprisals).all()
        assert np.isinf(model.word_scores(words[::-1]).surprisals).any()
