"""Grammars and lexicons of trees: every distribution sums to 1; training, files and what is wrong in them."""

from __future__ import annotations

import io
import json
import zipfile
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st
from pcfg_oracle import TooMany, all_derivations

from gardenpath.cli import main as program
from gardenpath.errors import GardenpathError, InputError, UsageError
from gardenpath.phrase import PhraseTree, from_notation, grown, write
from gardenpath.runs.work.where import Where
from gardenpath.systems import parse_trees_with, phrase_parser, train
from gardenpath.systems.files.models import read_card
from gardenpath.treebank import Treebank
from gardenpath_models.pcfg.chart import Forest, chart_of
from gardenpath_models.pcfg.model import PCFG, learn, load, save, tree_of

pytest.importorskip("numba", reason="the extra pcfg is not installed")


AMBIGUOUS = [
    "(S (NP:SB (PPER:HD sie)) (VVFIN:HD sah) (NP:OA (ART:NK den) (NN:NK Mann) (PP:MNR (APPR:AC mit) (NN:NK Hut))))",
    "(S (NP:SB (NE:HD Anna)) (VVFIN:HD sah) (NN:OA Hut) (PP:MO (APPR:AC mit) (NP:NK (NN:HD Glas))))",
    "(S (NP:SB (NP:CJ (NN:HD Mann)) (KON:CD und) (NP:CJ (NN:HD Frau))) (VVFIN:HD sah))",
    "(NP (NP (NN Mann)) (PP (APPR mit) (NP (NN Hut))))",
]


def trees(lines: list[str] = AMBIGUOUS) -> list[PhraseTree]:
    return [from_notation(line) for line in lines]


def assert_sums(model: PCFG) -> None:
    grammar = model.grammar
    chains, lefts = defaultdict(float), defaultdict(float)
    for top, score in zip(grammar.chain_top.tolist(), grammar.chain_score.tolist(), strict=True):
        chains[top] += np.exp(score)
    for left, score in zip(grammar.rule_left.tolist(), grammar.rule_score.tolist(), strict=True):
        lefts[left] += np.exp(score)
    for state, score in zip(grammar.last_state.tolist(), grammar.last_score.tolist(), strict=True):
        lefts[grammar.symbols + state] += np.exp(score)
    assert chains.keys() == set(range(grammar.preterminals, grammar.symbols))
    assert list(chains.values()) == pytest.approx([1.0] * len(chains))
    assert list(lefts.values()) == pytest.approx([1.0] * len(lefts))
    assert lefts.keys() >= set(range(grammar.symbols, grammar.symbols + grammar.states))


@pytest.mark.parametrize("functions", [False, True])
@pytest.mark.parametrize("horizontal", [0, 1, 2])
@pytest.mark.parametrize("vertical", [1, 2, 3])
def test_the_rules_of_every_left_hand_side_sum_to_one(vertical: int, horizontal: int, functions: bool) -> None:
    model = learn(trees(), vertical=vertical, horizontal=horizontal, functions=functions)
    assert_sums(model)


def test_what_is_left_out_is_given_to_the_rest() -> None:
    whole, cut = learn(trees(), least=0.0), learn(trees(), least=0.1)
    assert cut.grammar.size["rules"] < whole.grammar.size["rules"]
    assert_sums(cut)


def random_trees(draw: st.DrawFn) -> list[PhraseTree]:
    return [_random_tree(draw) for _ in range(draw(st.integers(1, 3)))]


def _random_tree(draw: st.DrawFn) -> PhraseTree:
    """A continuous tree over a few words, with chains of single children also of equal names."""
    size = draw(st.integers(1, 4))
    words = [draw(st.sampled_from("ab")) for _ in range(size)]
    tags = [draw(st.sampled_from("xy")) for _ in range(size)]
    labels: list[str] = []
    mothers = [-1] * size
    level = list(range(size))
    for _ in range(draw(st.integers(0, 4))):
        begin = draw(st.integers(0, len(level) - 1))
        end = draw(st.integers(begin + 1, len(level)))
        labels.append(draw(st.sampled_from("XY")))
        mothers.append(-1)
        node = size + len(labels) - 1
        for child in level[begin:end]:
            mothers[child] = node
        level[begin:end] = [node]
    return grown(words, tags, labels, [""] * len(mothers), mothers)


@settings(max_examples=60, deadline=None)
@given(
    st.composite(random_trees)(),
    st.integers(1, 3),
    st.integers(0, 2),
    st.lists(st.sampled_from("abc"), min_size=1, max_size=4),
)
def test_best_and_next_best_are_those_of_plain_enumeration(
    treebank: list[PhraseTree], vertical: int, horizontal: int, sentence: list[str]
) -> None:
    model = learn(treebank, vertical=vertical, horizontal=horizontal)
    chart = model.chart(sentence)
    try:
        expected = all_derivations(model.grammar, chart.emissions)
    except TooMany:
        reject()
    forest = Forest(chart, 20)
    found = []
    for rank in range(20):
        one = forest.derivation(chart.root, rank)
        if one is None:
            break
        found.append(one.score)
    assert found == pytest.approx([score for score, _ in expected[:20]])
    if expected:
        drawn = [tree_of(forest, sentence, rank) for rank in range(len(found))]
        assert len(set(drawn)) == len(drawn), "two derivations of one tree"
        assert chart.score(chart.root) == pytest.approx(expected[0][0])
        assert tree_of(Forest(chart), sentence) == drawn[0]
    else:
        assert model.parse(sentence) is None


def test_the_enumeration_has_no_derivation_twice() -> None:
    model = learn(trees(), functions=True)
    found = all_derivations(model.grammar, model.chart("Anna sah Hut".split()).emissions)
    assert len(found) > 20
    assert len({drawn for _, drawn in found}) == len(found)


def test_fifty_best_of_an_ambiguous_sentence() -> None:
    model = learn(trees())
    sentence = "Anna sah Hut".split()
    chart = model.chart(sentence)
    expected = all_derivations(model.grammar, chart.emissions)
    assert len(expected) > 50
    found = model.nbest(sentence, 50)
    assert [score for score, _ in found] == pytest.approx([score for score, _ in expected[:50]])
    assert found[0][1] == model.parse(sentence)


def test_a_chain_never_comes_back_to_a_symbol() -> None:
    model = learn(trees(["(X (Y (X (Y (a a)))))", "(X (X (X (b b) (b b))))", "(Y (X (Y (b b))))"]))
    for top, path in zip(model.grammar.chain_top.tolist(), model.grammar.chain_paths, strict=True):
        assert len({top, *path}) == 1 + len(path)


def test_an_entry_too_many_is_a_clear_failure() -> None:
    from gardenpath.errors import SystemFailure

    model = learn(trees())
    with pytest.raises(SystemFailure, match="a sentence of 3 tokens has more than 5 entries"):
        chart_of(model.grammar, model.chart(["Anna", "sah", "Hut"]).emissions, entries=5)


LINES = [
    "(S (NP:SB (ART:NK der) (NN:NK Hund)) (VVFIN:HD schläft)) ($. .)",
    "(S (NP:SB (ART:NK die) (NN:NK Katze)) (VVFIN:HD jagt) (NP:OA (ART:NK den) (NN:NK Hund))) ($. .)",
]
GOLD = [from_notation(line, f"s{number}") for number, line in enumerate(LINES, 1)]


@pytest.fixture
def treebank(tmp_path: Path) -> Path:
    path = tmp_path / "train.export"
    write(GOLD, path)
    return path


def test_a_model_is_trained_scored_and_described(treebank: Path, tmp_path: Path) -> None:
    told: list[str] = []
    trained = train(
        "pcfg", treebank, treebank, output=tmp_path / "m.npz", options={"functions": "yes", "scheme": "tiger"},
        progress=told.append,
    )  # fmt: skip
    card = read_card(tmp_path / "m.npz")
    assert card["dev_scores"] == {"labelled F1": 100.0, "coverage": 100.0}
    assert card["train"]["sentences"] == 2
    assert card["train"]["words"] == 10
    assert card["options"]["functions"] is True
    assert card["signature"] == phrase_parser(trained.system).signature
    assert told[0] == "training pcfg on 2 trees"
    assert parse_trees_with(trained.system, [tree.words for tree in GOLD], where=Where(cache=False)).trees == GOLD


def test_the_same_trees_make_the_same_bytes_and_a_seed_is_refused(treebank: Path, tmp_path: Path) -> None:
    for name in ("a.npz", "b.npz"):
        train("pcfg", treebank, output=tmp_path / name)
    assert len({(tmp_path / name).read_bytes() for name in ("a.npz", "b.npz")}) == 1
    with pytest.raises(UsageError, match="pcfg has no seed"):
        train("pcfg", treebank, output=tmp_path / "c.npz", seed=7)


@pytest.mark.parametrize("gaps", ["raise", "split"])
def test_a_saved_model_parses_as_before(tmp_path: Path, gaps: str) -> None:
    model = learn(GOLD, functions=True, gaps=gaps)
    save(model, tmp_path / "m.npz")
    again = load(tmp_path / "m.npz")
    assert again.preparation == model.preparation
    for sentence in (["der", "Hund", "jagt", "."], ["Unbekannte", "Wörter"]):
        assert again.nbest(sentence, 5) == model.nbest(sentence, 5)


def spoiled(path: Path, name: str, change: object) -> Path:
    """The file with one of its arrays replaced."""
    with np.load(path, allow_pickle=False) as found:
        arrays = {key: found[key] for key in found.files}
    arrays[name] = change(arrays[name]) if callable(change) else change
    with path.open("wb") as stream:
        np.savez(stream, **arrays)
    return path


def other_about(**changes: object) -> object:
    return lambda data: np.frombuffer(json.dumps(json.loads(data.tobytes()) | changes).encode(), np.uint8)


@pytest.mark.parametrize(
    ("name", "change", "told"),
    [
        ("rule_left", lambda column: column + 10_000, "rule_left names what is not there"),
        ("pair_right", lambda column: -column - 1, "pair_right names what is not there"),
        ("rule_score", lambda column: column * np.nan, "rule_score has no probabilities"),
        ("rule_score", lambda column: column + 100, "rule_score has no probabilities"),
        ("rule_pair", lambda column: column[::-1], "rule_pair is not in order"),
        ("last_symbol", lambda column: column[:-1], "do not fit"),
        ("chain_top", lambda column: column * 0, "tags for mothers"),
        ("path_lengths", lambda column: column + 1, "chains do not fit"),
        ("word_starts", lambda column: column + 1, "words do not fit"),
        ("class_tags", lambda rows: rows[:, :-1], "classes of words do not fit"),
        ("chain_score", np.array([{}], object), "damaged or no PCFG"),
        ("about", other_about(format="gardenpath-pcfg 99"), "its format is gardenpath-pcfg 99"),
        ("about", other_about(root=0), "symbols do not fit"),
        ("about", other_about(states=True), "is not a number"),
        ("about", other_about(tags=["XX"]), "do not fit"),
        ("about", other_about(gaps="jump"), "preparation of trees is not known"),
        ("about", np.frombuffer(b"no json", np.uint8), "damaged or no PCFG"),
    ],
)  # fmt: skip
def test_a_file_that_is_no_grammar_is_refused(tmp_path: Path, name: str, change: object, told: str) -> None:
    save(learn(GOLD), tmp_path / "m.npz")
    with pytest.raises(InputError, match=told):
        load(spoiled(tmp_path / "m.npz", name, change))


def test_packed_parts_are_refused(tmp_path: Path) -> None:
    packed = io.BytesIO()
    np.savez_compressed(packed, about=np.zeros(10_000, np.uint8))
    (tmp_path / "m.npz").write_bytes(packed.getvalue())
    with pytest.raises(InputError, match="its parts are packed"):
        load(tmp_path / "m.npz")


def test_a_cut_file_and_another_file_are_told(tmp_path: Path) -> None:
    save(learn(GOLD), tmp_path / "m.npz")
    data = (tmp_path / "m.npz").read_bytes()
    (tmp_path / "cut.npz").write_bytes(data[: len(data) // 2])
    with pytest.raises(InputError, match="damaged or no PCFG"):
        load(tmp_path / "cut.npz")
    assert zipfile.is_zipfile(tmp_path / "m.npz")
    (tmp_path / "text.npz").write_text("S -> NP VP")
    with pytest.raises(InputError, match="this is not a PCFG"):
        phrase_parser(f"pcfg:{tmp_path / 'text.npz'}")


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"vertikal": "2"}, "unknown option of pcfg 'vertikal'"),
        ({"vertical": "0"}, "'0' is not a number from 1 to 4"),
        ({"horizontal": "9"}, "from 0 to 4"),
        ({"functions": "perhaps"}, "neither yes nor no"),
        ({"gaps": "jump"}, "unknown treatment of gaps"),
        ({"scheme": "latin"}, "unknown annotation scheme"),
        ({"least": "nan"}, "from 0 to 0.5"),
        ({"backoff": "x"}, "is not a number"),
    ],
)
def test_options_are_checked_before_anything_is_read(tmp_path: Path, options: dict[str, str], told: str) -> None:
    (tmp_path / "t.export").write_text("no trees")
    with pytest.raises(GardenpathError, match=told):
        train("pcfg", tmp_path / "t.export", output=tmp_path / "m.npz", options=options)


def test_what_cannot_be_trained_or_be_learned_from_is_told(treebank: Path, tmp_path: Path) -> None:
    bank = Treebank(b"1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n\n")
    with pytest.raises(UsageError, match="phrase parser, which learns from phrase trees and not from dep"):
        train("pcfg", bank, output=tmp_path / "m")
    with pytest.raises(UsageError, match="a trees system cannot be trained"):
        train("trees", treebank, output=tmp_path / "m")


def test_the_command_trains_and_the_model_is_a_system(
    treebank: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = tmp_path / "m.npz"
    arguments = ["train", "pcfg", str(treebank), "--dev", str(treebank), "-o", str(model), "--scheme", "tiger"]
    with pytest.raises(SystemExit) as done:
        program.main([*arguments, "--preset", "tiny", "--set", "functions=yes"])
    told = capsys.readouterr().err
    assert done.value.code == 0, told
    assert "labelled F1 100.00, coverage 100.00 on dev" in told
    assert phrase_parser(f"pcfg:{model}").parse_trees([tree.words for tree in GOLD]) == GOLD
    assert read_card(model)["preset"] == "tiny"
