"""Baselines: full trees from the rules, and subject-first equal to the figures of the SORTS paper."""

from __future__ import annotations

from pathlib import Path

import pytest

from gardenpath.systems import parse_with, system
from gardenpath.treebank import Treebank, read, tree_mask


def argument_score(gold: Treebank, parsed: Treebank) -> float:
    """Subject-object LAS of SORTS: over gold arcs labelled nsubj, obj or iobj."""
    labels, found = gold.column("deprel").strings(), parsed.column("deprel").strings()
    heads = (gold.heads == parsed.heads).tolist()
    asked = [i for i, label in enumerate(labels) if label in ("nsubj", "obj", "iobj")]
    right = sum(heads[i] and (found[i] == labels[i]) for i in asked)
    return 100 * right / len(asked)


@pytest.mark.parametrize("rule", ["nearest-head", "right-branching"])
@pytest.mark.parametrize("gold", ["", "tags"])
def test_rules_give_trees(dev: Treebank, rule: str, gold: str) -> None:
    result = parse_with(f"baseline:{rule}", dev, gold=gold)
    assert not result.failures
    assert tree_mask(result.treebank.heads, result.treebank.offsets).all()


def test_the_nearest_head_of_an_article_is_its_noun(dev: Treebank) -> None:
    parsed = parse_with("baseline:nearest-head", dev, gold="tags").treebank
    articles = [word for sentence in parsed for word in sentence if word.upos == "DET" and word.deprel == "det"]
    assert len(articles) > 10
    assert all(word.parent is not None and word.parent.upos in ("NOUN", "PROPN", "VERB") for word in articles)


def test_subject_first_keeps_gold_heads_and_says_so(dev: Treebank) -> None:
    result = parse_with("baseline:subject-first", dev)
    assert (result.treebank.heads == dev.heads).all()
    assert "sees:heads" in result.signature
    assert "sees" not in system("baseline:right-branching").signature


def test_subject_first_calls_the_first_argument_subject() -> None:
    bank = Treebank(
        b"1\tDen\t_\tDET\t_\t_\t2\tdet\t_\t_\n2\tHund\t_\t_\t_\t_\t3\tobj\t_\t_\n3\tsieht\t_\t_\t_\t_\t0\troot\t_\t_\n"
        b"4\tsie\t_\t_\t_\t_\t3\tnsubj\t_\t_\n5\theute\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
    )
    result = parse_with("baseline:subject-first", bank)
    assert result.treebank.column("deprel").strings() == ["det", "nsubj", "root", "obj", "_"]
    assert not result.failures


@pytest.mark.parametrize(
    ("suite", "published"),
    [
        ("sorts-2020/german_ambiguous", 70.42),
        ("sorts-2020/german_part-ambiguous", 69.53),
        ("sorts-2026/german/german_amb", 77.22),
        ("sorts-2026/german/german_part-amb", 70.18),
        ("sorts-2026/dutch/dutch_amb", 83.83),
        ("sorts-2026/dutch/dutch_part-amb", 80.08),
    ],
)
def test_subject_first_on_sorts_is_what_the_reference_says(shared: Path, suite: str, published: float) -> None:
    """Oracle: Table 6 of the paper for the release of 2020, the shared reference for that of 2026."""
    bank = read(shared / "roles" / f"{suite}_gold.conll")
    score = argument_score(bank, parse_with("baseline:subject-first", bank).treebank)
    assert score == pytest.approx(published, abs=0.005)
