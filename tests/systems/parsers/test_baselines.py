"""Baselines: full trees from the rules, the figures of the SORTS paper, random trees against enumeration."""

from __future__ import annotations

import re
from collections import Counter
from itertools import permutations, product
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings, strategies
from scipy.stats import chisquare

from gardenpath.errors import InputError, UsageError
from gardenpath.systems import parse_with, system
from gardenpath.systems.asking.matching import tree_fault
from gardenpath.systems.parsers.baselines import (
    _DRAWN,
    _RULES,
    random_labelled,
    random_projective,
    shortest_arrangement,
    tree_count,
)
from gardenpath.treebank import Treebank, read, tree_mask


def argument_score(gold: Treebank, parsed: Treebank) -> float:
    """Subject-object LAS of SORTS: over gold arcs labelled nsubj, obj or iobj."""
    labels, found = gold.column("deprel").strings(), parsed.column("deprel").strings()
    heads = (gold.heads == parsed.heads).tolist()
    asked = [i for i, label in enumerate(labels) if label in ("nsubj", "obj", "iobj")]
    right = sum(heads[i] and (found[i] == labels[i]) for i in asked)
    return 100 * right / len(asked)


@pytest.mark.parametrize(
    ("rule", "gold"), [("nearest-head", "tags"), ("right-branching", ""), ("right-branching", "tags")]
)
def test_rules_give_trees(dev: Treebank, rule: str, gold: str) -> None:
    result = parse_with(f"baseline:{rule}", dev, gold=gold)
    assert not result.failures
    assert tree_mask(result.treebank.heads, result.treebank.offsets).all()


def test_no_tags_and_a_seed_where_nothing_is_drawn_are_refused(dev: Treebank) -> None:
    with pytest.raises(UsageError, match="needs tags, and 'Vor dem Haus"):
        parse_with("baseline:nearest-head", dev)
    with pytest.raises(UsageError, match="nothing is drawn"):
        system("baseline:right-branching#seed=1")


PHRASES = """\
1	Sie	_	PRON	_	_	_	_	_	_
2	gibt	_	VERB	_	_	_	_	_	_
3	das	_	DET	_	_	_	_	_	_
4	{noun}	_	NOUN	_	_	_	_	_	_
5	heute	_	ADV	_	_	_	_	_	_
6	in	_	ADP	_	_	8	case	_	_
7	die	_	DET	_	_	_	_	_	_
8	{last}	_	NOUN	_	_	{head}	{label}	_	_

1	In	_	ADP	_	_	3	case	_	_
2	die	_	DET	_	_	_	_	_	_
3	{last}	_	NOUN	_	_	4	obl	_	_
4	gibt	_	VERB	_	_	_	_	_	_
5	sie	_	PRON	_	_	_	_	_	_
6	das	_	DET	_	_	_	_	_	_
7	{noun}	_	NOUN	_	_	_	_	_	_

"""


def phrases(label: str, *, tags: bool, noun: str = "Geld", last: str = "Hand") -> Treebank:
    """A PP below the verb (obl) or the noun before it (nmod), with an adverb between; and one in front."""
    text = PHRASES.format(noun=noun, last=last, head=2 if label == "obl" else 4, label=label)
    return Treebank((text if tags else re.sub("\t(PRON|VERB|DET|NOUN|ADV|ADP)\t", "\t_\t", text)).encode())


@pytest.mark.parametrize("tags", [True, False])
@pytest.mark.parametrize("label", ["obl", "nmod"])
def test_rules_of_pp_suites(label: str, tags: bool) -> None:
    """With tags, and by the capital letter of German nouns alone: the adverb is no candidate, and gold says nothing."""
    gold = phrases(label, tags=tags)
    nearest, verb = (parse_with(f"baseline:{name}", gold).treebank for name in ("nearest-candidate", "always-verb"))
    nothing = (None, "_")
    first = [nothing] * 5 + [(8, "case"), nothing]
    second = [(3, "case"), nothing, (4, "obl"), nothing, nothing, nothing, nothing]
    assert arcs_of(nearest) == [[*first, (4, "nmod")], second]
    assert arcs_of(verb) == [[*first, (2, "obl")], second]


def arcs_of(bank: Treebank) -> list[list[tuple[int | None, str]]]:
    return [[(word.head, word.deprel) for word in sentence.words] for sentence in bank]


def test_a_postposition_follows_its_noun() -> None:
    rows = ["Sie PRON", "handelt VERB", "dem DET", "Plan NOUN obl", "nach ADP case"]
    bank = Treebank(treebank_of([row.split() for row in rows]))
    (arcs,) = arcs_of(parse_with("baseline:always-verb", bank).treebank)
    assert arcs[3:] == [(2, "obl"), (4, "case")]


def treebank_of(rows: list[list[str]]) -> bytes:
    """One sentence of words, tags and labels; every labelled word depends on the first."""
    lines = [
        f"{number}\t{form}\t_\t{tag}\t_\t_\t{1 if label else '_'}\t{label[0] if label else '_'}\t_\t_"
        for number, (form, tag, *label) in enumerate(rows, 1)
    ]
    return ("\n".join(lines) + "\n\n").encode()


ASKED = {"subject-first": ["nsubj", "obj", "iobj", "obl:arg"], "nearest-candidate": ["case", "obl", "nmod"]}
ASKED["always-verb"] = ASKED["nearest-candidate"]
"""Which words are asked is no secret, and neither are the gold heads of subject-first (SORTS)."""


def permuted(bank: Treebank, rule: str, chance: Random) -> Treebank:
    """The treebank with gold permuted; the words with a label that is asked stay the same."""
    asked = ASKED.get(rule, [])
    lines = []
    for sentence in bank:
        rows = [row.copy() for row in sentence.rows]
        words = [row for row in rows if row[0].isdecimal()]
        marked = [row[7] in asked or row[7].partition(":")[0] in asked for row in words]
        heads = [row[6] for row in words]
        others = [row[7] for row, is_asked in zip(words, marked, strict=True) if not is_asked]
        chance.shuffle(heads)
        chance.shuffle(others)
        for row, head, is_asked in zip(words, heads, marked, strict=True):
            row[7] = chance.choice(asked) if is_asked else others.pop()
            row[6] = row[6] if rule == "subject-first" else head
        lines += [*("\t".join(row) for row in rows), ""]
    return Treebank("\n".join([*lines, ""]).encode())


@pytest.mark.parametrize("rule", [*_RULES, *_DRAWN])
@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(seed=strategies.integers(0, 10**6), label=strategies.sampled_from(["obl", "nmod"]), tags=strategies.booleans())
def test_no_baseline_sees_gold(dev: Treebank, rule: str, seed: int, label: str, tags: bool) -> None:
    """Oracle: whatever gold is permuted to, the trees stay the same, byte by byte."""
    bank = dev[:20] if rule not in ("nearest-candidate", "always-verb") else phrases(label, tags=tags)
    other = permuted(bank, rule, Random(seed))
    gold = "tags" if rule == "nearest-head" else ""
    asked, answered = (parse_with(f"baseline:{rule}", one, gold=gold).treebank for one in (bank, other))
    assert arcs_of(asked) == arcs_of(answered)


def test_rules_of_pp_suites_refuse_what_they_cannot_tell(dev: Treebank) -> None:
    with pytest.raises(InputError, match="nouns cannot be told"):
        parse_with("baseline:nearest-candidate", phrases("obl", tags=False, last="hand"))
    assert (
        parse_with("baseline:nearest-candidate", phrases("obl", tags=True, last="hand")).treebank[0].words[7].head == 4
    )
    without = Treebank(b"1\tHunde\t_\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tbellen\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n")
    for rule in ("nearest-candidate", "always-verb"):
        with pytest.raises(InputError, match="no PP with gold"):
            parse_with(f"baseline:{rule}", without)


def test_the_nearest_head_of_an_article_is_its_noun(dev: Treebank) -> None:
    parsed = parse_with("baseline:nearest-head", dev, gold="tags").treebank
    articles = [word for sentence in parsed for word in sentence if word.upos == "DET" and word.deprel == "det"]
    assert len(articles) > 10
    assert all(word.parent is not None and word.parent.upos in ("NOUN", "PROPN", "VERB") for word in articles)


def test_subject_first_keeps_gold_heads_and_says_so(dev: Treebank) -> None:
    result = parse_with("baseline:subject-first", dev)
    assert (result.treebank.heads == dev.heads).all()
    assert "sees:arguments,heads" in result.signature
    assert "sees" not in system("baseline:right-branching").signature


def test_subject_first_calls_the_first_argument_subject() -> None:
    bank = Treebank(
        b"1\tDen\t_\tDET\t_\t_\t2\tdet\t_\t_\n2\tHund\t_\t_\t_\t_\t3\tobj\t_\t_\n3\tsieht\t_\t_\t_\t_\t0\troot\t_\t_\n"
        b"4\tsie\t_\t_\t_\t_\t3\tnsubj\t_\t_\n5\theute\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
    )
    result = parse_with("baseline:subject-first", bank)
    assert result.treebank.column("deprel").strings() == ["dep", "nsubj", "root", "obj", "_"]
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


def all_trees(words: int) -> list[tuple[int, ...]]:
    """Every assignment of heads that is a tree."""
    return [heads for heads in product(range(words + 1), repeat=words) if not tree_fault([str(head) for head in heads])]


def is_projective(heads: tuple[int, ...]) -> bool:
    """No two edges cross, the one from the root (0) included."""
    edges = [sorted((head, word)) for word, head in enumerate(heads, 1)]
    return not any(a < c < b < d for a, b in edges for c, d in edges)


def test_there_are_as_many_projective_trees_as_counted() -> None:
    for words in range(1, 6):
        assert tree_count(words) == sum(map(is_projective, all_trees(words)))
    assert [tree_count(words) for words in range(1, 9)] == [1, 2, 7, 30, 143, 728, 3876, 21318]  # OEIS A006013


@pytest.mark.parametrize(
    ("make", "trees"),
    [
        (random_projective, [heads for heads in all_trees(4) if is_projective(heads)]),
        (random_labelled, all_trees(4)),
    ],
)
def test_each_tree_is_as_likely_as_any_other(make, trees) -> None:
    draw = Random(1)
    counts = Counter(tuple(make(4, draw)) for _ in range(100 * len(trees)))
    assert set(counts) == set(trees)
    assert chisquare([counts[tree] for tree in trees]).pvalue > 0.01


def arrangements(heads: tuple[int, ...]) -> list[tuple[int, ...]]:
    """The tree with its nodes in every order that is projective."""
    words = range(1, len(heads) + 1)
    trees = []
    for places in permutations(words):
        arranged = [0] * len(heads)
        for node in words:
            head = heads[node - 1]
            arranged[places[node - 1] - 1] = places[head - 1] if head else 0
        if is_projective(tuple(arranged)):
            trees.append(tuple(arranged))
    return trees


def length(heads) -> int:
    return sum(abs(head - word) for word, head in enumerate(heads, 1) if head)


def test_the_arrangement_is_the_shortest_of_all() -> None:
    draw = Random(2)
    trees = [heads for words in (1, 2, 3) for heads in all_trees(words)]
    trees += [tuple(random_labelled(words, draw)) for words in (4, 5, 6) for _ in range(15)]
    for heads in trees:
        others = arrangements(heads)
        arranged = tuple(shortest_arrangement(heads))
        assert arranged in others
        assert length(arranged) == min(map(length, others))


@pytest.mark.parametrize("rule", ["random-projective", "optimal-linear-arrangement"])
def test_words_and_seed_decide_the_tree(dev: Treebank, rule: str) -> None:
    first, other = (parse_with(f"baseline:{rule}{seed}", dev) for seed in ("", "#seed=1"))
    assert not first.failures
    assert tree_mask(first.treebank.heads, first.treebank.offsets).all()
    assert first.treebank.heads.tolist() != other.treebank.heads.tolist()
    alone = parse_with(f"baseline:{rule}", dev[3:4])
    assert alone.treebank.heads.tolist() == [word.head for word in first.treebank[3]]
    assert (f"rule:{rule}|seed:0" in first.signature, f"rule:{rule}|seed:1" in other.signature) == (True, True)
    assert system(f"baseline:{rule}#seed=1").name == f"baseline:{rule}#seed=1"


def test_long_sentences_are_no_trouble() -> None:
    assert not tree_fault([str(head) for head in random_projective(300, Random(0))])
    assert not tree_fault([str(head) for head in shortest_arrangement(random_labelled(300, Random(0)))])
