"""PCFGs as language models: prefix probabilities equal to plain sums over derivations, and proper over all words."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st
from pcfg_oracle import TooMany, all_derivations
from prefix_oracle import all_sentences, conditionals
from test_pcfg_grammar import AMBIGUOUS, random_trees

from gardenpath.errors import FailedOnInput, InputError
from gardenpath.phrase import PhraseTree, from_notation, to_notation
from gardenpath.suites.generate.text import TextGrammar, parsed_grammar, sentences, text_grammar
from gardenpath.systems.language_model import score_with
from gardenpath.systems.pcfg import PCFG, learn
from gardenpath.systems.pcfg.model import LONGEST
from gardenpath.systems.pcfg.prefix_chart import PrefixChart
from gardenpath.systems.pcfg.written import written_pcfg

pytest.importorskip("numba", reason="the extra pcfg is not installed")


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
