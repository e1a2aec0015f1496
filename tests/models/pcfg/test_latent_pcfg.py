"""Latent-variable PCFGs: EM against sums over all subsymbols, merging, and charts against all derivations."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from itertools import product
from math import exp, log
from pathlib import Path

import numpy as np
import pytest
from pcfg_oracle import all_derivations
from test_pcfg_grammar import AMBIGUOUS, assert_sums

from gardenpath.errors import InputError, UsageError
from gardenpath.phrase import PhraseTree, from_notation, to_notation, write
from gardenpath.systems import train
from gardenpath.systems.language_models.scoring import score_with
from gardenpath_models.pcfg.latent import split_merge
from gardenpath_models.pcfg.latent.split_grammar import PosteriorChart
from gardenpath_models.pcfg.latent.split_merge import Material, Training, material, subtag_counts
from gardenpath_models.pcfg.model import PCFG, learn, load, save
from gardenpath_models.pcfg.treebank_grammar import counted

pytest.importorskip("numba", reason="the extra pcfg is not installed")

TREES = [from_notation(line) for line in AMBIGUOUS]


def given(trees: list[PhraseTree], functions: bool = False, horizontal: int = 0) -> Material:
    counts = counted(trees, vertical=1, horizontal=horizontal, functions=functions)
    return material(trees, counts, backoff=3.0, least=0.0, rare=0)


def training(trees: list[PhraseTree] = TREES, splits: int = 1, seed: int = 0, **options: object) -> Training:
    """After so many splits, each with one iteration of EM, so that subsymbols differ."""
    ours = given(trees, **options)  # type: ignore[arg-type]
    result = Training(ours.productions, ours.observed, seed)
    for _ in range(splits):
        result.split()
        result.improve()
    return result


def enumerated(ours: Training) -> tuple[float, np.ndarray]:
    """Log likelihood and expected counts by going through every choice of subsymbols of every tree."""
    productions, trees = ours.productions, ours.trees
    starts, sizes = productions.starts, productions.sizes
    counts, logs, begin = np.zeros(int(starts[-1])), 0.0, 0
    for end in trees.ends.tolist():
        steps = range(begin, end)
        choices = [range(int(sizes[productions.unit[trees.production[step]]])) for step in steps]
        total, seen = 0.0, np.zeros_like(counts)
        for choice in product(*choices):
            weight, used = 1.0, []
            for step, own in zip(steps, choice, strict=True):
                place = own
                for child in (int(trees.left[step]), int(trees.right[step])):
                    if child >= 0:
                        place = place * len(choices[child - begin]) + choice[child - begin]
                used.append(int(starts[trees.production[step]]) + place)
                weight *= float(productions.values[used[-1]])
            total += weight
            np.add.at(seen, used, weight)
        counts += seen / total
        logs += log(total)
        begin = end
    return logs, counts


@pytest.mark.parametrize("horizontal", [0, 1])
def test_expected_counts_are_those_of_all_choices_of_subsymbols(horizontal: int) -> None:
    trees = [from_notation(line) for line in ("(S (NP (N a)) (V b))", "(S (N a) (V b))")]
    ours = training(trees, horizontal=horizontal)
    logs, counts = enumerated(ours)
    expected = ours.expected()
    assert expected.log_likelihood == pytest.approx(logs, abs=1e-9)
    assert expected.counts == pytest.approx(counts, abs=1e-9)


def assert_proper(ours: Training) -> None:
    """Each subsymbol's probabilities sum to 1 in each of its draws."""
    productions, sums = ours.productions, defaultdict(float)
    for rule, start in enumerate(productions.starts[:-1].tolist()):
        size = int(productions.sizes[productions.unit[rule]])
        tensor = productions.values[start : int(productions.starts[rule + 1])].reshape(size, -1)
        for number, mass in enumerate(tensor.sum(axis=1).tolist()):
            sums[int(productions.draw[rule]), number] += mass
    assert list(sums.values()) == pytest.approx([1.0] * len(sums), abs=1e-9)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_em_never_lowers_the_likelihood_and_all_steps_keep_sums(seed: int) -> None:
    ours = training(splits=0, seed=seed)
    for _ in range(2):
        ours.split()
        assert_proper(ours)
        logs = [ours.improve() for _ in range(12)]
        assert np.diff(logs).min() > -1e-9
        ours.merge(0.5)
        assert_proper(ours)
        ours.smooth(0.01, 0.1)
        assert_proper(ours)


def test_what_does_not_differ_is_merged_without_loss(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(split_merge, "NOISE", 0.0)
    ours = training(splits=0)
    ours.improve()
    before, unsplit = ours.expected().log_likelihood, ours.productions.values
    ours.split()
    assert ours.expected().log_likelihood == pytest.approx(before, abs=1e-9)
    ours.merge(1.0)
    assert ours.productions.values == pytest.approx(unsplit, abs=1e-12)


def test_merging_takes_the_splits_back_that_lose_least() -> None:
    ours = training(splits=0)
    ours.split()
    for _ in range(20):
        ours.improve()
    best = ours.expected().log_likelihood
    after = []
    for share in (0.25, 0.5, 1.0):
        half = Training(ours.productions, ours.trees)
        half.merge(share)
        after.append(half.expected().log_likelihood)
    assert np.diff([best, *after]).max() < 1e-9
    assert best - after[0] < 0.1 * (best - after[2])


def test_subtags_of_rare_words_lean_on_those_of_their_tag() -> None:
    trees = [from_notation("(S (N a) (N b))"), from_notation("(S (N a) (N a))")]
    rows = [np.array([1.0, 0.0]), np.array([0.0, 1.0]), np.array([1.0, 0.0]), np.array([1.0, 0.0])]
    seen = subtag_counts(trees, rows, [0] * 4, weight=0.0)
    assert seen == {("a", 0, True): 2.0, ("a", 0, False): 1.0, ("b", 1, False): 1.0}
    leaning = subtag_counts(trees, rows, [0] * 4, weight=1.0)
    assert leaning["b", 1, False] == pytest.approx((1 + 1 / 4) / 2)  # one token, and the tag's share of 1 in 4
    assert sum(leaning.values()) == pytest.approx(4.0)


def split_model(rounds: int = 2, **options: object) -> PCFG:
    return learn(TREES, latent=rounds, vertical=1, horizontal=0, **options)  # type: ignore[arg-type]


def test_the_expanded_grammar_is_proper_and_the_chart_has_its_posteriors() -> None:
    """Every node of the unsplit chart against the sum over all derivations of the expanded grammar with such a node."""
    model = split_model(rounds=1)
    assert model.split is not None
    expanded = model.split.expanded
    assert_sums(PCFG(expanded, model.lexicon, model.preparation))
    sentence = TREES[0].words[:3]
    rows = model.lexicon.scores(sentence)[:, model._tag_at]
    first = np.concatenate([[0], np.cumsum(model.split.sizes[: model.grammar.symbols])])
    masses: defaultdict[tuple[int, int, int], float] = defaultdict(float)
    total = 0.0
    for score, drawn in all_derivations(expanded, rows):
        total += exp(score)
        for symbol, begin, end in nodes(drawn):
            masses[int(np.searchsorted(first, symbol, "right")) - 1, begin, end] += exp(score)
    chart = model.chart(sentence)
    assert isinstance(chart, PosteriorChart)
    ours: defaultdict[tuple[int, int, int], float] = defaultdict(float)
    for (_, _, made, *_), logarithm in zip(chart.edge_rows.tolist(), chart.logs.tolist(), strict=True):
        item = chart.items[made]
        if item.layer == "whole" and item.symbol >= model.grammar.preterminals:
            ours[item.symbol, item.begin, item.end] += exp(logarithm)
    for node, mass in masses.items():
        assert ours[node] == pytest.approx(mass / total, abs=1e-3)  # what is too unlikely was left out
    assert len(masses) > 5


def nodes(drawn: str) -> list[tuple[int, int, int]]:
    """The nodes of a derivation as the oracle writes it: `(symbol path below)`, and `symbol@place` for a word."""
    spans, waiting = [], list[tuple[int, list[int]]]()
    for sign in re.findall(r"\(\d+|\d+@\d+|\)", drawn):
        if sign.startswith("("):
            waiting.append((int(sign[1:]), []))
        elif sign == ")":
            symbol, places = waiting.pop()
            spans.append((symbol, min(places), max(places) + 1))
            if waiting:
                waiting[-1][1].extend(places)
        else:
            waiting[-1][1].append(int(sign.partition("@")[2]))
    return spans


def test_nbest_trees_have_the_best_products_of_posteriors() -> None:
    model = split_model()
    best = model.nbest(TREES[0].words, 5)
    scores = [score for score, _ in best]
    assert scores == sorted(scores, reverse=True)
    assert scores[0] <= 1e-9
    assert len({to_notation(tree) for _, tree in best}) == len(best) > 1


def test_words_are_expected_as_the_sum_over_all_derivations_says() -> None:
    model = split_model(rounds=1)
    sentence = list(TREES[0].words[:3])
    scores = model.word_scores(sentence)
    rows = model.vocabulary.scores(sentence)[:, model._tag_at]
    assert model.split is not None
    total = sum(exp(score) for score, _ in all_derivations(model.split.expanded, rows))
    assert scores.surprisals.sum() + scores.end == pytest.approx(-np.log2(total), abs=1e-6)


@pytest.fixture
def treebank(tmp_path: Path) -> Path:
    write(TREES, tmp_path / "train.export")
    return tmp_path / "train.export"


def test_a_split_grammar_is_trained_kept_and_asked_like_any_other(treebank: Path, tmp_path: Path) -> None:
    lines: list[str] = []
    for name, seed in (("a.npz", 1), ("b.npz", 1), ("c.npz", 2)):
        trained = train(
            "pcfg",
            treebank,
            treebank,
            output=tmp_path / name,
            seed=seed,
            options={"latent": "1"},
            progress=lines.append,
        )
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes() != (tmp_path / "c.npz").read_bytes()
    assert trained.card["options"]["latent"] == 1
    assert trained.card["log"]["grammar"]["subsymbols"] > trained.card["log"]["grammar"]["symbols"]
    assert trained.card["dev_scores"]["coverage"] == 100.0
    assert any(line.startswith("round 1:") for line in lines)
    again, model = load(tmp_path / "a.npz"), learn(TREES, latent=1, seed=1, vertical=1, horizontal=0)
    assert again.nbest(TREES[0].words, 3) == model.nbest(TREES[0].words, 3)
    scores = score_with(f"pcfg:{tmp_path / 'a.npz'}", [list(TREES[0].words)])
    assert scores.surprisals[0] == pytest.approx(model.word_scores(TREES[0].words).surprisals)


def test_without_splits_a_seed_is_refused_and_splits_have_a_limit(treebank: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="pcfg has no seed"):
        train("pcfg", treebank, output=tmp_path / "m.npz", seed=1)
    with pytest.raises(UsageError, match="'7' is not a number from 0 to 6"):
        train("pcfg", treebank, output=tmp_path / "m.npz", options={"latent": "7"})


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("sizes", lambda column: column * 0, "its subsymbols do not fit"),
        ("sizes", lambda column: column + 1, "do not fit"),
        ("emission_at", lambda column: column + 1, "its subtags do not fit"),
        ("split_values", lambda column: column[:-1], "its split rules do not fit"),
        ("split_values", lambda column: column - 2, "probabilities that are none"),
        ("word_counts", lambda column: column * np.nan, "no column of numbers"),
    ],
)
def test_a_damaged_split_grammar_is_refused(tmp_path: Path, name: str, change: object, message: str) -> None:
    save(split_model(rounds=1), tmp_path / "m.npz")
    with np.load(tmp_path / "m.npz", allow_pickle=False) as stored:
        arrays = {key: stored[key] for key in stored.files}
    arrays[name] = change(arrays[name])  # type: ignore[operator]
    np.savez(tmp_path / "m.npz", **arrays)
    with pytest.raises(InputError, match=message):
        load(tmp_path / "m.npz")
    assert json.loads(arrays["about"].tobytes())["format"] == "gardenpath-pcfg 1"
