"""Intervals and tests of the roles study go by what was sampled; oracles: the items of each group taken one by one,
leaving out cluster after cluster in a loop, and a bootstrap that draws subject nouns."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from role_cases import CASES, judged_arcs, roles
from scipy.stats import t as student

from gardenpath.runs.result.result import Finding, Result
from gardenpath.stats.sampling import share
from gardenpath.suites import read_suite
from gardenpath.suites.roles.model import RoleSuite, suite_clusters
from gardenpath.treebank import Treebank, read
from gardenpath_generate.roles.subject_object import generate_roles
from spoil import spoiled

NOUNS = ("Hund", "Kater", "Hahn", "Esel", "Bär", "Wolf", "Fuchs", "Dachs", "Igel", "Hase")
VERBS = ("sucht", "findet", "sieht", "holt")
HEADER = "Word Order\tOther Properties\tSubject Position\tObject Position\tSentence"


@pytest.fixture(scope="module")
def nested(tmp_path_factory: pytest.TempPathFactory) -> RoleSuite:
    """Ten nouns with four verbs each, subject first and object first: sets lie within nouns."""
    rows = [HEADER]
    for noun in NOUNS:
        for verb in VERBS:
            rows.append(f"VF[S]LK[V]MF[O]\tbase-acc\t2\t5\tDer {noun} {verb} einen Knochen .")
            rows.append(f"VF[O]LK[V]MF[S]\tbase-acc\t5\t2\tEinen Knochen {verb} der {noun} .")
    path = tmp_path_factory.mktemp("suites") / "animals.tsv"
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return read_suite(path)


@pytest.fixture(scope="module")
def crossed() -> RoleSuite:
    return generate_roles("de", size=700, seed=1).suite()


def finding(result: Result, measure: str, system: str = "x", **by: Any) -> Finding:
    (match,) = [
        match for match in result.findings if (match.measure, match.system, dict(match.by)) == (measure, system, by)
    ]
    return match


def answered(suite: RoleSuite, right: Sequence[bool]) -> Treebank:
    """Labels of a suite without heads: as gold, or subject and object swapped."""
    swap = {"nsubj": "obj", "obj": "nsubj"}
    drafts = [sentence.edit() for sentence in suite.treebank]
    for draft, good in zip(drafts, right, strict=True):
        for at, word in enumerate(draft.words):
            word.head = 0 if at == 0 else 1
            word.deprel = word.deprel if good else swap.get(word.deprel, word.deprel)
            word.deprel = "dep" if word.deprel == "_" else word.deprel
    from gardenpath.treebank import from_drafts

    return from_drafts(drafts)


# ---- what a cluster is


def test_sets_within_nouns_are_no_second_way(nested: RoleSuite) -> None:
    clusters = suite_clusters(nested)
    assert (clusters.name, clusters.count, len(nested)) == ("subject noun", 10, 80)
    assert "clusters:subject noun=10" in roles(nested, {"x": "baseline:subject-first"}).signature


def test_base_sentences_and_nouns_cross_where_a_suite_says_bases(crossed: RoleSuite) -> None:
    clusters = suite_clusters(crossed)
    assert clusters.name == "base sentence×subject noun"
    assert len(np.unique(clusters.codes[0])) == len(set(crossed.bases))
    lemmas = crossed.treebank.column("lemma").strings()
    first = [
        lemmas[int(crossed.treebank.offsets[number]) + arc.dependent - 1].casefold()
        for number in range(len(crossed))
        for arc in crossed.arcs_of(number)
        if arc.label == "nsubj"
    ]
    codes = clusters.codes[1].tolist()
    nouns = [pair for *pair, names in zip(first, codes, crossed.properties, strict=True) if "spron" not in names]
    by_lemma = {lemma: {code for another, code in nouns if another == lemma} for lemma, _ in nouns}
    assert {len(codes) for codes in by_lemma.values()} == {1}


def test_pronouns_are_no_sample_of_words(tmp_path: Path) -> None:
    """Two pronoun subjects of different base sentences are not one cluster."""
    rows = [f"VF[S]LK[V]MF[O]\tbase-spron\t1\t4\tEr {verb} einen Knochen ." for verb in VERBS]
    path = tmp_path / "pronouns.tsv"
    path.write_text("\n".join([HEADER, *rows]) + "\n", encoding="utf-8")
    assert suite_clusters(read_suite(path)).count == len(VERBS)


def test_clusters_of_a_pp_suite() -> None:
    suite = read_suite(CASES / "pp-perfect.conll")
    clusters = suite_clusters(suite)  # all of its items have the same noun and the same verb
    assert (clusters.count, clusters.units) == (1, ("noun",))


# ---- intervals


@pytest.mark.parametrize("independent", [False, True])
@pytest.mark.parametrize("name", ["nested", "crossed"])
def test_intervals_are_those_of_the_items_of_each_group(name: str, independent: bool, request: Any) -> None:
    suite: RoleSuite = request.getfixturevalue(name)
    chance = np.random.default_rng(1)
    system = answered(suite, list(chance.random(len(suite)) < 0.7)) if name == "nested" else spoiled(suite.treebank, 3)
    result = roles(suite, {"x": system}, independent=independent)
    judged = judged_arcs(suite, {"x": system})["x"]
    clusters, measure = suite_clusters(suite, independent), "label" if name == "nested" else "las"
    right, asked = judged.per_item(judged.right), judged.arcs.counts
    groups: list[tuple[dict[str, Any], Any]] = [({}, np.ones(len(suite), dtype=bool))]
    groups += [({"order": order}, np.array([each == order for each in suite.orders])) for order in set(suite.orders)]
    groups += [
        ({"property": name}, np.array([name in names for names in suite.properties]))
        for name in suite.property_counts()
    ]
    for by, inside in groups:
        expected = share(right[inside], asked[inside], clusters.at(inside))
        score = finding(result, measure, **by)
        assert score.value == pytest.approx(100 * expected.value)
        assert (score.low, score.high) == pytest.approx(expected.percent)
        assert score.low is not None
        assert score.high is not None
        assert score.low < score.high


def test_what_one_change_does_by_leaving_out_nouns(nested: RoleSuite) -> None:
    """Oracle: the jackknife in a loop, with one more differing cluster, and t from SciPy."""
    chance = np.random.default_rng(2)
    right = [bool(chance.random() < (0.9 if number % 2 == 0 else 0.4)) for number in range(len(nested))]
    result = roles(nested, {"x": answered(nested, right)})
    delta = finding(result, "label_delta", pair="order", change="VF[S]LK[V]MF[O] > VF[O]LK[V]MF[S]")
    gaps = [(number // 8, int(right[number + 1]) - int(right[number])) for number in range(0, 80, 2)]
    mean = sum(gap for _, gap in gaps) / len(gaps)
    without = []
    for noun in range(10):
        rest = [gap for of, gap in gaps if of != noun]
        without.append(sum(rest) / len(rest))
    differing = sum(any(gap for of, gap in gaps if of == noun) and sum(gap for o, gap in gaps if o == noun) != 0
                    for noun in range(10))  # fmt: skip
    error = sqrt(9 / 10 * sum((value - mean) ** 2 for value in without) * (differing + 1) / differing)
    assert (delta.value, delta.n) == (pytest.approx(100 * mean), 40)
    half = student.ppf(0.975, 9) * error
    assert (delta.low, delta.high) == pytest.approx((100 * (mean - half), 100 * (mean + half)))
    p = finding(result, "label_delta_p", **delta.by)
    assert (p.value, p.n) == (pytest.approx(2 * student.sf(abs(mean) / error, 9)), 10)


def test_interval_and_p_agree_even_where_all_pairs_do_the_same(nested: RoleSuite) -> None:
    """Subject-first loses every object-first sentence: surely a difference with ten nouns, and none with two."""
    by = {"pair": "order", "change": "VF[S]LK[V]MF[O] > VF[O]LK[V]MF[S]"}
    many = roles(nested, {"x": "baseline:subject-first"})
    delta, p = finding(many, "label_delta", **by), finding(many, "label_delta_p", **by)
    assert (delta.value, delta.low) == (-100, -100)
    error = 2 / 11  # ten nouns, and one more in which it would be the other way
    assert delta.high == pytest.approx(100 * (student.ppf(0.975, 9) * error - 1))
    assert p.value == pytest.approx(2 * student.sf(1 / error, 9))
    assert float(p.value or 0) < 1e-3
    few = read_suite_of(nested, 16)
    result = roles(few, {"x": "baseline:subject-first"})
    delta, p = finding(result, "label_delta", **by), finding(result, "label_delta_p", **by)
    assert delta.high is not None
    assert delta.high > 0
    assert float(p.value or 0) > 0.05
    assert "rough" in result.tables[0].note


def read_suite_of(suite: RoleSuite, items: int) -> RoleSuite:
    """The first items of a suite of the same form."""
    from gardenpath.suites.roles.conll import from_conll

    return from_conll(suite.treebank[:items].to_bytes(), "few.conll", format="conll")


def test_sticker2_by_nouns_is_far_less_sure_than_by_items(shared: Path) -> None:
    """Oracle: 2,000 bootstrap draws of the same clusters, with NumPy alone."""
    folder = shared / "roles" / "sorts-2026" / "german"
    suite = read_suite(folder / "german_amb_gold.conll")
    judged = judged_arcs(suite, {"x": read(folder / "german_amb_sticker2.conll")})["x"]
    right, asked, clusters = judged.per_item(judged.right), judged.arcs.counts, suite_clusters(suite)
    nouns, items = share(right, asked, clusters), share(right, asked)
    tops, bottoms = np.bincount(clusters.codes[0], right), np.bincount(clusters.codes[0], asked)
    picks = np.random.default_rng(0).integers(0, len(tops), size=(2000, len(tops)))
    low, high = np.quantile(tops[picks].sum(axis=1) / bottoms[picks].sum(axis=1), [0.025, 0.975])
    assert nouns.value == items.value
    assert (nouns.low, nouns.high) == pytest.approx((low, high), abs=0.004)  # Wilson's is not symmetric
    assert nouns.low is not None
    assert nouns.high is not None
    assert items.low is not None
    assert items.high is not None
    assert nouns.high - nouns.low > 2 * (items.high - items.low)
