"""What was sampled are original sentences: intervals and tests go by them, against a jackknife done by hand."""

from __future__ import annotations

import statistics
from itertools import combinations
from math import sqrt
from pathlib import Path
from typing import Any

import pytest
from batch_cases import asked, judged, told, treebank
from scipy import stats

from gardenpath.errors import UsageError
from gardenpath.runs.result.result import Finding, Result
from gardenpath.studies.consistency.declaration import ConsistencySettings
from gardenpath.studies.consistency.judging import VariantAnswers, answers
from gardenpath.studies.consistency.numbers import JudgedVariants
from gardenpath.studies.consistency.study import CONSISTENCY
from gardenpath.studies.consistency.variants import AskedVariants, ask
from gardenpath.studies.engine import study as engine
from gardenpath.systems import train
from gardenpath.treebank import read
from gardenpath.treebank.perturb.registry import PerturbationSettings, perturbation

LABELS = (0, 1, 5, 2, 0, 3, 4, 0, 1, 2, 5, 0)
"""How many of the five variants of each sentence have another label than the original."""


def answered(*systems: tuple[int, ...], **more: Any) -> tuple[Result, JudgedVariants]:
    names = [f"s{number}" for number in range(len(systems[0]))]
    given = asked(names)
    answers = {
        f"system {place}": told(
            given, {name: ["gold", *["label"] * n, *["gold"] * (5 - n)] for name, n in zip(names, labels, strict=True)}
        )
        for place, labels in enumerate(systems, 1)
    }
    return judged(given, answers, ConsistencySettings(**more))


def finding(result: Result, measure: str, system: str = "system 1") -> Finding:
    return next(each for each in result.findings if (each.measure, each.system) == (measure, system))


def test_the_interval_of_a_share_leaves_out_sentences() -> None:
    changed = finding(answered(LABELS)[0], "changed")
    n, total = len(LABELS), sum(LABELS)
    shares = [(total - labels) / (5 * (n - 1)) for labels in LABELS]
    p = total / (5 * n)
    error = sqrt((n - 1) / n * sum((share - p) ** 2 for share in shares))
    worth = p * (1 - p) / error**2 * (1.959963984540054 / stats.t.ppf(0.975, n - 1)) ** 2
    z2 = 1.959963984540054**2
    centre, half = p + z2 / (2 * worth), sqrt(z2 * (p * (1 - p) / worth + z2 / (4 * worth**2)))
    low, high = (centre - half) / (1 + z2 / worth), (centre + half) / (1 + z2 / worth)
    assert changed.value == pytest.approx(100 * p)
    assert (changed.low, changed.high) == pytest.approx((100 * low, 100 * high))


def test_variants_of_one_sentence_are_not_independent() -> None:
    by_sentence, by_variant = (
        finding(answered(LABELS, independent=independent)[0], "changed") for independent in (False, True)
    )
    assert by_sentence.value == by_variant.value
    wide, narrow = (float(estimate.high or 0) - float(estimate.low or 0) for estimate in (by_sentence, by_variant))
    assert wide > 1.5 * narrow
    k, n = sum(LABELS), 5 * len(LABELS)
    ends = stats.binomtest(k, n).proportion_ci(method="wilson")
    assert (by_variant.low, by_variant.high) == pytest.approx((100 * ends.low, 100 * ends.high))


def test_batches_with_one_tree_have_wilsons_interval() -> None:
    """A batch is one item: the textbook's interval, also where all are alike."""
    consistent = finding(answered(LABELS)[0], "consistent")
    ends = stats.binomtest(LABELS.count(0) + LABELS.count(5), len(LABELS)).proportion_ci(method="wilson")
    assert (consistent.low, consistent.high) == pytest.approx((100 * ends.low, 100 * ends.high))


def test_no_interval_has_width_zero() -> None:
    for labels in ((0,) * 3, (5,) * 3, (0,), (2, 2, 2)):
        result, _ = answered(labels, labels)
        for estimate in result.findings:
            assert estimate.low is None or float(estimate.low) < float(estimate.high or 0), (labels, estimate)
        assert (finding(result, "consistent").low is None) == (len(labels) == 1)  # one sentence tells of no other


def test_a_difference_and_its_p_are_of_one_mind() -> None:
    better = tuple(max(0, labels - 2) for labels in LABELS)
    result, _ = answered(LABELS, better, tuple(reversed(LABELS)))
    sure, unsure = (finding(result, "changed_difference", f"system {n}") for n in (2, 3))
    assert sure.value == pytest.approx(100 * (sum(better) - sum(LABELS)) / 60)
    assert sure.n == 12  # sentences
    assert float(sure.high or 0) < 0 < float(unsure.high or 0)
    p_sure, p_unsure = (finding(result, "changed_p", f"system {n}").value for n in (2, 3))
    assert float(p_sure or 1) < 0.05 < float(p_unsure or 0)
    assert float(finding(result, "changed_p_holm", "system 2").value or 0) >= float(p_sure or 1)
    same = finding(answered(LABELS, LABELS)[0], "changed_difference", "system 2")
    assert same.value == 0
    assert float(same.low or 0) < 0 < float(same.high or 0)


def test_the_signature_and_the_table_say_what_was_sampled() -> None:
    gold = treebank(["a", "b"])
    settings = ConsistencySettings(change=("numerals",), per_sentence=3)
    result = engine.run(CONSISTENCY, gold, {"x": "baseline:right-branching"}, settings)
    assert "clusters:original sentence=2" in result.signature
    assert "2 original sentences: too few to tell how far scores would move on others" in result.tables[0].note
    alone = ConsistencySettings(change=("numerals",), per_sentence=3, independent=True)
    again = engine.run(CONSISTENCY, gold, {"x": "baseline:right-branching"}, alone)
    assert "clusters:variant=6" in again.signature
    assert [estimate.value for estimate in again.findings] == [estimate.value for estimate in result.findings]
    with pytest.raises(TypeError):
        ConsistencySettings(draws=10)  # type: ignore[call-arg]
    with pytest.raises(UsageError, match="unknown setting"):
        __import__("gardenpath").consistency("bundled:de-test", "baseline:x", draws=10)


# ---- real parses of a tiny model, judged again by a slow program that shares nothing with the study


Tree = list[tuple[str, ...]]


@pytest.fixture(scope="module")
def parsed(samples: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[AskedVariants, VariantAnswers]:
    """Names in German sentences by a model that has seen forty."""
    folder = tmp_path_factory.mktemp("oracle")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GARDENPATH_CACHE", str(folder / "cache"))
        made = train("udpipe", read(samples / "de_garden-train.conllu")[:60], output=folder / "m.udpipe", preset="tiny",
                     options={"tokenizer": "none"})  # fmt: skip
        names = perturbation("names", PerturbationSettings("de"))
        given = ask(read(samples / "de_garden-train.conllu"), [names], sentences=14, per_sentence=8)
        return given, answers(made.system, given.treebank)


def columns(conllu: bytes) -> Tree:
    """What makes a tree, read without gardenpath: heads, labels, tags and features."""
    rows = [line.split("\t") for line in conllu.decode().split("\n") if line[:1].isdigit()]
    return [(row[6], row[7], row[3], row[5]) for row in rows if row[0].isdecimal()]


def maximal_cliques(trees: list[Tree]) -> list[frozenset[int]]:
    """All sets of pairwise equal trees that cannot grow, by trying every set from the largest on."""
    found: list[frozenset[int]] = []
    for size in range(len(trees), 0, -1):
        for some in combinations(range(len(trees)), size):
            equal = all(trees[a] == trees[b] for a, b in combinations(some, 2))
            if equal and not any(set(some) <= clique for clique in found):
                found.append(frozenset(some))
    return found


def test_the_study_against_the_slow_program(parsed: tuple[AskedVariants, VariantAnswers]) -> None:
    given, told = parsed
    result, judgement = judged(given, {"tiny": told}, ConsistencySettings())
    batches: dict[str, list[dict[str, Any]]] = {"right": [], "wrong": []}
    for case in given.cases:
        trees = [columns(told.answers[place].conllu) for place in case.variants]
        gold = [columns(given.treebank.block(place)) for place in case.variants]
        original = columns(told.answers[case.original].conllu) == columns(given.treebank.block(case.original))
        batches["right" if original else "wrong"].append(
            {
                "right": sum(a == b for a, b in zip(trees, gold, strict=True)),
                "size": len(trees),
                "cliques": maximal_cliques(trees),
            }
        )
    assert len(given.cases) == 14
    assert any(len(one["cliques"]) > 1 for some in batches.values() for one in some), "the model is too consistent"
    for original, some in batches.items():
        by = {"perturbation": "names", "order": "surface", "original": original}
        found = {one.measure: one.value for one in result.findings if dict(one.by) == by}
        faulty = [one for one in some if one["right"] < one["size"]]
        apart = [one for one in faulty if len(one["cliques"]) > 1]
        assert found["batches"] == len(some)
        assert found["complete_batches"] == len(some) - len(faulty)
        assert found["consistent_error_batches"] == (len(faulty) - len(apart) if faulty else None)
        if some:
            assert found["right_per_batch"] == pytest.approx(statistics.mean(one["right"] for one in some))
            assert found["right_per_batch_sd"] == pytest.approx(statistics.pstdev([one["right"] for one in some]))
        if apart:
            counts = [len(one["cliques"]) for one in apart]
            assert found["clusters"] == pytest.approx(statistics.mean(counts))
            assert found["clusters_median"] == statistics.median(counts)
            assert (found["clusters_min"], found["clusters_max"]) == (min(counts), max(counts))
    for some_batches in judgement.batches.values():
        for judged_batch in some_batches:
            assert sorted(map(len, judged_batch.clusters), reverse=True) == [
                len(cluster) for cluster in judged_batch.clusters
            ]


def test_similarities_against_a_count_of_common_fragments(parsed: tuple[AskedVariants, VariantAnswers]) -> None:
    """NCPTK by a recursive count over all pairs of nodes and all subsequences of children."""
    from gardenpath.studies.consistency.judging import judge

    given, told = parsed
    for one in judge(given, told)["surface"]:
        if len(one.clusters) < 2:
            continue
        trees = [grct(columns(told.answers[one.case.variants[some[0]]].conllu)) for some in one.clusters]
        wanted = [kernel(a, b) / (kernel(a, a) * kernel(b, b)) ** 0.5 for a, b in combinations(trees, 2)]
        assert one.similarities == pytest.approx(wanted, rel=1e-9)


Nested = tuple[str, tuple[Any, ...]]


def grct(tree: Tree) -> Nested:
    """Relation over (tag over features), then the relations of the dependents, by position."""

    def grow(word: int) -> Nested:
        _, label, tag, feats = tree[word]
        below = tuple(grow(other) for other, row in enumerate(tree) if row[0] == str(word + 1))
        return f"r:{label}", ((f"t:{tag}", ((f"f:{feats}", ()),)), *below)

    return grow(next(word for word, row in enumerate(tree) if row[0] == "0"))


def kernel(a: Nested, b: Nested) -> int:
    def nodes(tree: Nested) -> list[Nested]:
        return [tree, *(node for child in tree[1] for node in nodes(child))]

    memory: dict[tuple[int, int], int] = {}

    def delta(u: Nested, v: Nested) -> int:
        if u[0] != v[0]:
            return 0
        key = id(u), id(v)
        if key not in memory:
            memory[key] = 1 + subsequences(u[1], v[1])
        return memory[key]

    def subsequences(first: tuple[Any, ...], second: tuple[Any, ...]) -> int:
        """Σ over pairs of equally long, non-empty subsequences of the product of their deltas."""
        table = [[1] * (len(second) + 1) for _ in range(len(first) + 1)]
        for i in range(1, len(first) + 1):
            for j in range(1, len(second) + 1):
                here = delta(first[i - 1], second[j - 1])
                table[i][j] = table[i - 1][j] + table[i][j - 1] - table[i - 1][j - 1] + here * table[i - 1][j - 1]
        return table[-1][-1] - 1

    return sum(delta(u, v) for u in nodes(a) for v in nodes(b))
