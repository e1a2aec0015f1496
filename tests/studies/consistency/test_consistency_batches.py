"""Q1 to Q5 on batches that were made by hand and counted by hand."""

from __future__ import annotations

import statistics
from typing import Any

import pytest
from batch_cases import VALUES, asked, told, years

from gardenpath.errors import InputError, UsageError
from gardenpath.runs import Result
from gardenpath.studies.consistency import ask, consistency, observations
from gardenpath.studies.consistency.clusters import published_clusters
from gardenpath.treebank import Treebank

KINDS = {
    "complete": ["gold", *["gold"] * 5],
    "mixed": ["gold", "gold", "gold", "label", "label", "head"],
    "wrong alike": ["label", *["label"] * 5],
    "wrong apart": ["upos", "upos", "upos", "feats", "feats", "root"],
    "lucky": ["head", *["gold"] * 5],
    "segmented": ["[wrong segmentation]", *["gold"] * 5],
    "crash": ["gold", "gold", "[crashed]", "[wrong segmentation]", "label", "label"],
}


def value(result: Result, measure: str, **by: Any) -> Any:
    wanted = {"perturbation": "years", **by}
    found = [one.value for one in result.findings if one.measure == measure and dict(one.by) == wanted]
    assert len(found) == 1, (measure, by, len(found))
    return found[0]


@pytest.fixture(scope="module")
def result() -> Result:
    given = asked(list(KINDS))
    return consistency(given, {"hand": told(given, KINDS)}, order="surface", draws=50)[0]


def test_table_1(result: Result) -> None:
    surface = {"order": "surface"}
    assert value(result, "originals", **surface) == 7
    assert value(result, "originals_wrong_segmentation", **surface) == 1
    assert value(result, "originals_considered", **surface) == 6
    assert value(result, "originals_right", **surface) == 3
    assert value(result, "variants", **surface) == 30  # not those of the original that is not considered
    assert value(result, "variants_wrong_segmentation", **surface) == 1
    assert value(result, "variants_failed", **surface) == 1
    assert value(result, "variants_considered", **surface) == 28
    assert value(result, "variants_right", **surface) == 5 + 2 + 0 + 0 + 5 + 1
    assert value(result, "right", **surface) == pytest.approx(100 * 13 / 28)
    # label, label, head in mixed; feats, feats, root; all of lucky; label, label in crash
    assert value(result, "changed", **surface) == pytest.approx(100 * (3 + 3 + 5 + 2) / 28)
    # complete, wrong alike, lucky: one tree; mixed, wrong apart, crash: more
    assert value(result, "consistent", **surface) == pytest.approx(50)


def test_questions_where_the_original_is_right(result: Result) -> None:
    plus = {"order": "surface", "original": "right"}
    assert value(result, "batches", **plus) == 3
    assert value(result, "complete_batches", **plus) == 1
    assert value(result, "right_per_batch", **plus) == pytest.approx((5 + 2 + 1) / 3)
    assert value(result, "right_per_batch_sd", **plus) == pytest.approx(statistics.pstdev([5, 2, 1]))
    assert value(result, "right_per_batch_median", **plus) == 2
    assert (value(result, "right_per_batch_min", **plus), value(result, "right_per_batch_max", **plus)) == (1, 5)
    assert value(result, "consistent_error_batches", **plus) == 0
    assert value(result, "clusters", **plus) == pytest.approx((3 + 2) / 2)
    # mixed: two pairs and one alone, which the published count loses; crash: a pair and one alone make two
    assert value(result, "clusters_published", **plus) == pytest.approx((2 + 2) / 2)


def test_questions_where_the_original_is_wrong(result: Result) -> None:
    minus = {"order": "surface", "original": "wrong"}
    assert value(result, "batches", **minus) == 3
    assert value(result, "complete_batches", **minus) == 1
    assert value(result, "consistent_error_batches", **minus) == 1
    assert value(result, "clusters", **minus) == 3
    assert value(result, "clusters_published", **minus) == 2
    values = [value(result, f"ncptk{more}", **minus) for more in ("_min", "", "_max")]
    assert 0 <= values[0] < values[1] < values[2] < 1


def test_nothing_to_say_is_not_zero() -> None:
    given = asked(["complete"])
    result, _ = consistency(given, {"hand": told(given, KINDS)}, draws=0)
    for order in ("surface", "udon2"):
        for measure in ("clusters", "ncptk", "consistent_error_batches"):
            assert value(result, measure, order=order, original="right") is None
        assert value(result, "right_per_batch", order=order, original="wrong") is None
    shown = next(table for table in result.tables if table.title.startswith("Questions"))
    assert ["NA"] * 4 in [list(row[1:]) for row in shown.rows]


def test_values_and_groups(result: Result) -> None:
    # 2024 is the head in mixed, root in wrong apart: of five batches with a tree for it, two are not the majority's
    by = {"replacement": "2024", "group": ""}
    assert value(result, "differs_from_majority", **by) == pytest.approx(100 * 2 / 6)
    assert value(result, "differs_from_majority", replacement="1505", group="") == pytest.approx(100 / 6)
    assert value(result, "differs_from_original", replacement="1505", group="") == pytest.approx(100 / 6)  # lucky
    assert value(result, "differs_from_majority", group="1500s") == pytest.approx(100 / 6)


def test_what_changes(result: Result) -> None:
    assert value(result, "minority_clusters") == 2 + 2 + 1
    # mixed: gold is largest (two, as label, but the original's): label, head; apart: upos against feats and root;
    # crash: label (two) against gold
    assert value(result, "root_changed") == pytest.approx(100 / 5)
    assert value(result, "changed_words", part="head") == 1 + 2
    assert value(result, "clusters_changed", part="upos") == pytest.approx(100 * 2 / 5)
    assert value(result, "edited_word_changed") == pytest.approx(100 * 4 / 5)


def test_repeated_values_count_as_often_as_they_are_there() -> None:
    values = ["1505", "1798", "1505", "1872"]
    given = asked(["s"], values)
    assert len(given.treebank) == 1 + 3
    result, parts = consistency(given, {"hand": told(given, {"s": ["label", "gold", "label", "head"]})}, draws=0)
    both = {"order": "surface", "original": "wrong"}
    assert value(result, "variants", order="surface") == 4
    assert value(result, "variants_distinct", order="surface") == 3
    assert value(result, "right_per_batch", **both) == 2
    assert value(result, "clusters", **both) == 3
    assert value(result, "clusters_published", **both) == 2  # the pair, and the rest as one
    rows = observations(given, parts).columns
    assert rows["times"][:3] == [2, 1, 1]
    assert rows["outcome"][:3] == ["right", "same as original", "other"]
    assert rows["cluster"][:3] == [1, 2, 3]


def test_one_variant_alone_is_not_called_consistent() -> None:
    given = asked(["s", "t"], ["1505"])
    told_all = told(given, {"s": ["gold", "label"], "t": ["gold", "gold"]})
    result, _ = consistency(given, {"hand": told_all, "twin": told_all}, order="surface", draws=20)
    found = {one.measure: one.value for one in result.findings if one.system == "hand" and len(one.by) == 2}
    assert found["consistent"] is None
    assert found["changed"] == 50
    differences = {one.measure: one.value for one in result.findings if one.measure.endswith("_difference")}
    assert differences == {"right_difference": 0, "changed_difference": 0}  # nothing to say about consistency


def test_clusters_of_appendix_c() -> None:
    """14 classes of which 4 stand alone: the script sees 10."""
    sizes = [2, 3, 3, 3, 4, 5, 5, 6, 7, 8, 1, 1, 1, 1]
    assert sum(sizes) == 50
    assert len(published_clusters([[0] * size for size in sizes])) == 10
    assert len(published_clusters([[0, 1, 2], [3], [4]])) == 2
    assert len(published_clusters([[0], [1]])) == 0


def test_features_that_the_values_need_are_compared_with_gold() -> None:
    """he and she: each has its own gender, and a parser that gives both theirs is consistent."""
    from gardenpath.studies.consistency.clusters import BatchTrees

    row = "1\t{}\t_\tPRON\t_\t{}\t0\troot\t_\t_\n\n"
    gold = [row.format("he", "Gender=Masc|Person=3").encode(), row.format("she", "Gender=Fem|Person=3").encode()]
    right = BatchTrees(gold, gold)
    assert len(set(right.classes("surface"))) == 1
    lacking = [row.format("he", "Gender=Masc").encode(), row.format("she", "Gender=Fem").encode()]
    assert len(set(BatchTrees(gold, lacking).classes("surface")[2:])) == 1
    mixed = [gold[0], row.format("she", "Gender=Masc|Person=3").encode()]
    trees = BatchTrees(gold, mixed)
    assert len(set(trees.classes("surface")[2:])) == 2
    assert trees.classes("surface")[2] == trees.classes("surface")[0]


def test_a_better_parser_is_better_by_the_paired_difference() -> None:
    given = asked([f"s{n}" for n in range(12)])
    first = told(given, {f"s{n}": ["gold", "gold", "label", "gold", "gold", "gold"] for n in range(12)})
    second = told(given, {f"s{n}": ["gold"] * 6 for n in range(12)})
    result, _ = consistency(given, {"a": first, "b": second}, order="surface", draws=100)
    assert value(result, "consistent_difference") == pytest.approx(100)
    assert value(result, "right_difference") == pytest.approx(20)


def test_order_of_siblings_makes_inconsistency() -> None:
    """UDon2 orders siblings by UPOS|DEPREL|FORM: two numbers that depend on one word change places."""
    text = (
        "# sent_id = s\n# text = Er kam 1998 1800 an\n1\tEr\t_\tPRON\t_\t_\t2\tnsubj\t_\t_\n"
        "2\tkam\t_\tVERB\t_\t_\t0\troot\t_\t_\n3\t1998\t_\tNUM\t_\t_\t2\tobl\t_\t_\n"
        "4\t1800\t_\tNUM\t_\tX=1\t2\tobl\t_\t_\n5\tan\t_\tADP\t_\t_\t2\tcompound:prt\t_\t_\n\n"
    )
    given = ask(Treebank(text.encode()), [years(["1505", "1900"])])
    perfect = told(given, {"s": ["gold"] * 3})
    found, _ = consistency(given, {"gold": perfect}, order="both", draws=0)
    assert value(found, "consistent", order="surface") == 100
    assert value(found, "consistent", order="udon2") == 0
    assert value(found, "right", order="udon2") == 100


def test_wrong_calls() -> None:
    given = asked(["s"])
    with pytest.raises(UsageError, match="no system"):
        consistency(given, {})
    with pytest.raises(UsageError, match="did you mean surface"):
        consistency(given, {"a": told(given, {"s": ["gold"] * 6})}, order="surfce")
    with pytest.raises(UsageError, match="named twice: years"):
        ask(given.treebank, [years(), years()])
    nothing = ask(given.treebank, [years(VALUES[:1])], limit=1)
    assert len(nothing.cases) == 1
    none = ask(Treebank(b"1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n\n"), [years()])
    with pytest.raises(InputError, match="no sentence has a match"):
        consistency(none, {"a": told(none, {})})
