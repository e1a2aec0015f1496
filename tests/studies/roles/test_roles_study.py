"""The study on small suites: every number by hand, and against counting node by node."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from role_cases import CASES, SPOILED, judged_arcs, parsed, perfect, roles, slow_counts

from gardenpath.errors import GardenpathError, InputError, UsageError
from gardenpath.runs.result.result import Result
from gardenpath.stats.sampling import Clusters, shares
from gardenpath.studies.roles.arcs import OUTCOMES, GoldArcs, judge
from gardenpath.studies.roles.declaration import GROUPINGS
from gardenpath.studies.roles.scores import KINDS, item_kinds
from gardenpath.studies.roles.study import observations
from gardenpath.studies.roles.tables import find_examples
from gardenpath.suites import read_suite
from gardenpath.suites.roles.model import RoleSuite, suite_clusters
from gardenpath.suites.roles.names import ORDERS
from gardenpath.treebank import Treebank

SVO, OVS = "VF[S]LK[V]MF[O]", "VF[O]LK[V]MF[S]"


def values(result: Result, measure: str, **by: Any) -> dict[str, Any]:
    """System to value, of the findings with exactly these keys."""
    return {one.system: one.value for one in result.findings if one.measure == measure and dict(one.by) == by}


def value(result: Result, measure: str, **by: Any) -> Any:
    (found,) = values(result, measure, **by).values()
    return found


@pytest.fixture(scope="module")
def spoiled() -> Result:
    suite = perfect()
    return roles(suite, {"a": parsed(suite, SPOILED)})


def test_scores_by_hand(spoiled: Result) -> None:
    assert value(spoiled, "las") == 100 * 16 / 20
    assert value(spoiled, "uas") == 100 * 19 / 20
    assert value(spoiled, "label") == 100 * 17 / 20  # of all arcs: the one with the wrong head is called right
    assert value(spoiled, "las", order=OVS) == 25
    assert value(spoiled, "las", order=SVO) == 100
    assert value(spoiled, "las", property="acc") == 70
    assert value(spoiled, "las", property="aux") == 90
    assert value(spoiled, "las", property="acc", order=OVS) == 0
    assert value(spoiled, "las", property="aux", order=OVS) == 50
    assert value(spoiled, "las", variations=0) == 70
    assert value(spoiled, "las", variations=1) == 90


def test_pair_deltas_by_hand(spoiled: Result) -> None:
    by = {"pair": "property", "change": "aux"}
    assert value(spoiled, "las_delta", **by) == pytest.approx(20)  # two of five pairs gain one of two arcs
    assert value(spoiled, "las_delta_p", **by) == 1  # all five pairs are of one subject noun
    by = {"pair": "order", "change": f"{SVO} > {OVS}"}
    assert value(spoiled, "las_delta", **by) == -75
    delta = next(one for one in spoiled.findings if one.measure == "las_delta" and dict(one.by) == by)
    assert (delta.n, delta.low, delta.high) == (2, -100, 100)  # one noun says nothing about others
    assert "clusters:subject noun=1" in spoiled.signature
    assert "only one subject noun: nothing is known about others" in spoiled.tables[0].note


def test_items_of_one_base_sentence_are_one_cluster() -> None:
    suite = replace(perfect(), bases=["dog"] * 10)
    assert suite_clusters(suite).count == 1
    assert suite_clusters(replace(suite, bases=["a", "b"] * 5)).name == "subject noun"  # which holds both
    assert suite_clusters(suite, independent=True).count == 10


def test_order_pairs_have_one_direction() -> None:
    suite = perfect()
    result = roles(suite, {"a": parsed(suite)})
    changes = {one.by["change"] for one in result.findings if one.measure == "las_delta" and one.by["pair"] == "order"}
    assert len(changes) == 10
    assert not {tuple(str(one).split(" > ")) for one in changes} & {
        tuple(reversed(str(one).split(" > "))) for one in changes
    }


def test_kinds_and_confusions_by_hand(spoiled: Result) -> None:
    found = {one.by["kind"]: one.value for one in spoiled.findings if one.measure == "items" and len(one.by) == 1}
    assert found == {
        "right": 7, "swapped": 1, "subject-only": 1, "object-only": 1, "part": 0, "wrong-head": 0, "other-label": 0,
    }  # fmt: skip
    assert value(spoiled, "items", order=OVS, kind="swapped") == 1
    assert value(spoiled, "items_share", kind="right") == 70
    assert value(spoiled, "items_share", order=OVS, kind="swapped") == 50
    assert (value(spoiled, "size"), value(spoiled, "size", order=OVS), value(spoiled, "size", variations=1)) == (
        10,
        2,
        5,
    )
    assert value(spoiled, "items", property="aux", kind="swapped") == 0
    assert value(spoiled, "arcs", label="obj", predicted="nsubj", head="right") == 2
    assert value(spoiled, "arcs", label="nsubj", predicted="nsubj", head="wrong") == 1


@pytest.mark.parametrize(
    ("changes", "outcomes", "kind"),
    [
        ({}, ("right", "right"), "right"),
        ({(0, 2): ("3", "obj"), (0, 5): ("3", "nsubj")}, ("swapped", "swapped"), "swapped"),
        ({(0, 2): ("3", "iobj")}, ("swapped", "right"), "object-only"),
        ({(0, 2): ("3", "nsubj:pass")}, ("right", "right"), "right"),
        ({(0, 5): ("3", "obl")}, ("right", "other label"), "subject-only"),
        ({(0, 5): ("3", "iobj")}, ("right", "other label"), "subject-only"),
        ({(0, 2): ("3", "obl"), (0, 5): ("3", "obl")}, ("other label", "other label"), "other-label"),
        ({(0, 2): ("3", "obj"), (0, 5): ("3", "obl")}, ("swapped", "other label"), "other-label"),
        ({(0, 2): ("5", "obj"), (0, 5): ("3", "nsubj")}, ("wrong head", "swapped"), "wrong-head"),
        ({(0, 2): ("0", "root"), (0, 5): ("2", "obj")}, ("wrong head", "wrong head"), "wrong-head"),
        ({(0, 2): ("_", "_"), (0, 5): ("3", "obl")}, ("no head", "other label"), "wrong-head"),
    ],
)
def test_outcomes_of_one_item(
    changes: Mapping[tuple[int, int], tuple[str, str]], outcomes: tuple[str, str], kind: str
) -> None:
    suite = perfect()
    judged = judge(GoldArcs.of_suite(suite), parsed(suite, changes))
    assert tuple(OUTCOMES[code] for code in judged.outcome[:2].tolist()) == outcomes
    kinds = [list(KINDS)[code] for code in item_kinds(judged).tolist()]
    assert kinds == [kind] + ["right"] * 9


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000))
def test_random_systems_against_counting_nodes(seed: int) -> None:
    suite, rng = perfect(), random.Random(seed)
    changes = {
        (item.number, arc.dependent): (
            str(rng.choice([0, arc.head, arc.head, arc.head, 1 if arc.dependent > 1 else 2])),
            rng.choice(["nsubj", "obj", "iobj", "obl", "nsubj:pass"]),
        )
        for item in suite.items
        for arc in item.arcs
    }
    system = parsed(suite, changes)
    result = roles(suite, {"x": system})
    counts = slow_counts(suite, system)
    arcs = judged_arcs(suite, {"x": system})["x"]
    judged = (arcs.head_right, arcs.right, arcs.label_right)
    fast = zip(arcs.arcs.counts, *(arcs.per_item(right) for right in judged), strict=True)
    assert [tuple(map(int, each)) for each in fast] == counts
    for by, chosen in [
        ({}, range(10)),
        ({"order": OVS}, (1, 6)),
        ({"property": "aux"}, range(5, 10)),
        ({"property": "acc", "order": SVO}, (0,)),
    ]:
        asked, heads, right, labels = (sum(counts[number][place] for number in chosen) for place in range(4))
        assert value(result, "las", **by) == pytest.approx(100 * right / asked)
        assert value(result, "uas", **by) == pytest.approx(100 * heads / asked)
        assert value(result, "label", **by) == pytest.approx(100 * labels / asked)
    kinds = [finding.value for finding in result.findings if finding.measure == "items" and set(finding.by) == {"kind"}]
    assert sum(kinds) == len(suite)
    for change, flips in slow_flips(suite, system).items():
        for measure, name in zip(("flips", "flips_lost", "flips_gained"), ("any", "lost", "gained"), strict=True):
            assert value(result, measure, **dict(change)) == pytest.approx(100 * flips[name] / flips["pairs"])


def slow_flips(suite: RoleSuite, system: Treebank) -> dict[frozenset[tuple[str, str]], Counter[str]]:
    """Pairs whose analysis changes, by what changes: label and rightness of the head of subject and object, by hand."""

    def analysis(number: int) -> list[Any]:
        arcs = sorted(suite.items[number].arcs, key=lambda arc: arc.label)
        words = [system[number].words[arc.dependent - 1] for arc in arcs]
        found = [(word.udeprel, word.head == arc.head) for word, arc in zip(words, arcs, strict=True)]
        return ["right" if one == (arc.label, True) else one for one, arc in zip(found, arcs, strict=True)]

    counts: dict[frozenset[tuple[str, str]], Counter[str]] = defaultdict(Counter)
    places = list(ORDERS)
    for pair in suite.pairs():
        first, second = pair.first, pair.second
        if pair.kind == "order" and places.index(suite.orders[first]) > places.index(suite.orders[second]):
            first, second = second, first
        name = pair.change if pair.kind == "property" else f"{suite.orders[first]} > {suite.orders[second]}"
        a, b = (analysis(number) for number in (first, second))
        counts[frozenset({("pair", pair.kind), ("change", name)})] += Counter(
            pairs=1, any=a != b,
            lost=a == ["right", "right"] != b,
            gained=b == ["right", "right"] != a,
        )  # fmt: skip
    return counts


def test_flips_show_what_a_difference_hides() -> None:
    """One gain and one loss: no change of LAS, two changed analyses."""
    suite = perfect()
    wrong = {(0, 2): ("3", "dep"), (6, 2): ("3", "dep")}
    result = roles(suite, {"a": parsed(suite, wrong)})
    by = {"pair": "property", "change": "aux"}
    assert value(result, "las_delta", **by) == 0
    assert [value(result, f"flips{end}", **by) for end in ("", "_lost", "_gained")] == [40, 20, 20]
    flips = next(one for one in result.findings if one.measure == "flips" and dict(one.by) == by)
    changed, pairs = np.array([[1], [1], [0], [0], [0]]), np.ones((5, 1))
    (expected,) = shares(changed, pairs, Clusters.of(noun=["Hund"] * 5))
    assert (flips.n, flips.low, flips.high) == (5, *(expected.percent if expected else ()))
    assert "flips-property" in [table.name for table in roles(suite, {"a": suite.treebank}, by=("pairs",)).tables]


def test_combinations_of_properties_are_groups(samples: Path) -> None:
    suite = read_suite(samples / "de_garden-roles.conllu")
    result = roles(suite, "baseline:subject-first", by=("property+property",))
    orders = [("-".join(sorted(item.properties)), item.order) for item in suite.items]
    for combination in {names for names, _ in orders}:
        mine = [order for names, order in orders if names == combination]
        first = [order.find("S") < order.find("O") for order in (one.replace("SO]", "S]O") for one in mine)]
        (found,) = (
            one for one in result.findings
            if one.measure == "las" and "-".join(sorted(str(one.by.get("property+property")).split("-"))) == combination
        )  # fmt: skip
        assert (found.n, found.value) == (2 * len(mine), pytest.approx(100 * sum(first) / len(mine)))
    shown = next(table for table in result.tables if table.name == "by-property+property")
    scores = [float(str(row[2])) for row in shown.rows if float(str(row[1])) >= 10]
    assert scores == sorted(scores)
    assert len(shown.rows) == len({names for names, _ in orders}) > 100


def test_gold_against_itself_is_perfect() -> None:
    for name in ("perfect.conll", "pp-perfect.conll"):
        suite = read_suite(CASES / name)
        result = roles(suite, {"gold": suite.treebank})
        scores = [score for score in result.findings if score.measure in ("las", "uas", "label")]
        assert {score.value for score in scores} == {100.0}
        ends = {(score.low, score.high) for score in scores}
        assert all(low is None or (0 < low < 100 and high == 100) for low, high in ends)  # no interval of width zero
        independent = roles(suite, {"gold": suite.treebank}, independent=True)
        assert any(score.low for score in independent.findings if score.measure == "label")
        assert judged_arcs(suite, {"gold": suite.treebank})["gold"].right.all()
        assert not any(result.failures.values())


def test_the_order_of_the_items_does_not_matter() -> None:
    suite = perfect()
    turned = Treebank(b"".join(suite.treebank.block(number) for number in reversed(range(len(suite)))))
    path = suite.treebank
    system = parsed(suite, SPOILED)
    other = Treebank(b"".join(system.block(number) for number in reversed(range(len(suite)))))
    from gardenpath.suites.roles.conll import from_conll

    again = from_conll(turned.data, path.name, format="conll")
    first = roles(suite, {"x": system})
    second = roles(again, {"x": other})

    def named(result: Result) -> dict[Any, Any]:
        return {(one.measure, *sorted(one.by.items())): one.value for one in result.findings}

    assert named(first) == named(second)


# ---- improvements


def test_improvement_over_a_baseline_by_hand() -> None:
    suite = perfect()
    swapped = {
        (number, arc.dependent): (str(arc.head), "obj" if arc.label == "nsubj" else "nsubj")
        for number in (1, 6)
        for arc in suite.items[number].arcs
    }
    systems = {"first": parsed(suite, swapped), "a": parsed(suite, SPOILED), "gold": parsed(suite)}
    result = roles(suite, systems, baseline="first")
    assert values(result, "las_difference", baseline="first") == pytest.approx({"a": 0, "gold": 20})
    assert values(result, "las_difference", baseline="first", order=OVS) == pytest.approx({"a": 25, "gold": 100})
    assert values(result, "uas_difference", baseline="first") == pytest.approx({"a": -5, "gold": 0})
    assert values(result, "las_p", baseline="first") == {"a": 1, "gold": 1}  # all of one subject noun
    alone = roles(suite, systems, baseline="first", independent=True)
    # Two of ten items differ, by 100 points each: t = 20 / (13.3 · √(3/2)) with 9 degrees of freedom.
    assert values(alone, "las_p", baseline="first")["gold"] == pytest.approx(0.25175948, abs=1e-8)
    plain, bh, holm = (
        [finding.value for finding in alone.findings if finding.measure == name]
        for name in ("las_p", "las_p_bh", "las_p_holm")
    )
    assert all(c is None or a <= b <= c for a, b, c in zip(plain, bh, holm, strict=True))
    assert {finding.value for finding in result.findings if finding.measure == "las_p_holm"} == {None}
    assert any("Improvement over first" in table.title for table in result.tables)


# ---- tokens that differ


def test_split_and_merged_tokens_are_aligned_and_counted() -> None:
    suite = perfect()
    blocks = [parsed(suite).block(number).decode() for number in range(len(suite))]
    rows = [line.split("\t") for line in blocks[0].splitlines() if line]
    split = []
    for row in rows:  # Knochen in two words, and all that follows one further
        at = int(row[0])
        if at == 5:
            split += [["5", "Kno", *row[2:]], ["6", "chen", *row[2:6], "5", "flat", "_", "_"]]
        else:
            split.append([str(at + (at > 5)), *row[1:]])
    blocks[0] = "\n".join("\t".join(row) for row in split) + "\n\n"
    systems = {"x": Treebank("".join(blocks).encode())}
    result = roles(suite, systems)
    assert [OUTCOMES[code] for code in judged_arcs(suite, systems)["x"].outcome[:2].tolist()] == ["right", "not found"]
    assert result.failures["words split or merged"] == 1
    assert result.failures["tested words split or merged"] == 1
    assert value(result, "las") == 95


def test_a_split_verb_is_no_head() -> None:
    suite = perfect()
    text = parsed(suite).block(0).decode()
    rows = [line.split("\t") for line in text.splitlines() if line]
    split = []
    for row in rows:
        at, head = int(row[0]), int(row[6])
        moved = [str(at + (at > 3)), *row[1:6], str(head + (head > 3)), *row[7:]]
        split += (
            [[*moved[:1], "su", *moved[2:]], ["4", "cht", *["_"] * 4, "3", "flat", "_", "_"]] if at == 3 else [moved]
        )
    rest = "".join(parsed(suite).block(number).decode() for number in range(1, len(suite)))
    system = Treebank(("\n".join("\t".join(row) for row in split) + "\n\n" + rest).encode())
    judged = judged_arcs(suite, {"x": system})
    assert [OUTCOMES[code] for code in judged["x"].outcome[:2].tolist()] == ["wrong head", "wrong head"]


def test_sentences_that_are_no_trees_are_counted() -> None:
    suite = perfect()
    changes = {(0, 3): ("2", "dep"), (1, 1): ("0", "root")}  # a cycle, and a second root
    result = roles(suite, {"x": parsed(suite, changes)})
    assert result.failures["sentences with a cycle"] >= 1
    assert result.failures["sentences with several roots"] == 1


# ---- gold that is not complete


def test_a_suite_without_heads_has_labels_alone() -> None:
    suite = read_suite(CASES / "perfect.tsv")
    systems = {"x": parsed(perfect(), SPOILED)}
    result = roles(suite, systems)
    assert {one.measure for one in result.findings} & {"las", "uas"} == set()
    assert value(result, "label") == 100 * 17 / 20  # the wrong head of item 5 is not seen
    assert "gold:labels" in result.signature
    assert "no gold heads" in result.tables[0].note
    assert value(result, "label_delta", pair="property", change="aux") == pytest.approx(10)
    rows = observations(suite, judged_arcs(suite, systems), suite_clusters(suite))
    assert rows.frame()["head"].null_count() == 20


def test_arcs_without_head_among_others_are_left_out_and_counted(tmp_path: Path) -> None:
    text = (CASES / "perfect.conll").read_text("utf-8").replace("\t3\tobj\t", "\t_\tobj\t", 1)
    path = tmp_path / "suite.conll"
    path.write_text(text, encoding="utf-8")
    suite = read_suite(path)
    result = roles(suite, {"x": parsed(perfect())})
    assert result.failures["gold arcs without head, left out"] == 1
    assert next(one.n for one in result.findings if one.measure == "las" and not one.by) == 19


def test_an_arc_outside_its_sentence_is_an_error() -> None:
    suite = read_suite(CASES / "position-outside.tsv")
    with pytest.raises(InputError, match=r"leaves a sentence of \d+ words"):
        GoldArcs.of_suite(suite)


# ---- nothing is scored by accident


def bad_systems() -> dict[str, tuple[Treebank, str]]:
    suite = perfect()
    good = parsed(suite)
    blocks = [good.block(number) for number in range(len(suite))]
    dutch = good.data.replace(b"Hund", b"hond").replace(b"einen Knochen", b"een bot")
    return {
        "other language": (Treebank(dutch), "sentence 1 differs: gold has 'Der Hund sucht"),
        "half": (Treebank(b"".join(blocks[:4])), "has 4 of 10 sentences; 'Weil der Hund.*' is missing"),
        "too much": (
            Treebank(b"".join([*blocks, blocks[0]])),
            "has 11 sentences and gold 10; gold does not have 'Der Hund",
        ),
        "one missing": (Treebank(b"".join(blocks[:2] + blocks[3:])), "has 9 of 10 sentences; .* is missing"),
        "one of another text": (
            Treebank(b"".join([dutch.split(b"\n\n")[3] + b"\n\n", *blocks[:3], *blocks[4:]])),
            "sentence 4 differs: gold has .*Hund.*, the system .*hond",
        ),
        "not parsed": (
            Treebank(b"".join(line.replace(b"\t1\tdep", b"\t_\t_") for line in _without_heads(suite.treebank))),
            "no word has a head",
        ),
    }


def _without_heads(treebank: Treebank) -> list[bytes]:
    lines = []
    for line in treebank.data.splitlines(keepends=True):
        cells = line.split(b"\t")
        lines.append(b"\t".join([*cells[:6], b"_", b"_", *cells[8:]]) if len(cells) == 10 else line)
    return lines


@pytest.mark.parametrize("kind", bad_systems())
def test_another_text_is_refused_and_the_first_difference_named(kind: str) -> None:
    system, message = bad_systems()[kind]
    with pytest.raises(InputError, match=message):
        roles(perfect(), {"x": system})


def test_where_a_suite_in_tsv_differs_is_a_line_of_the_tsv() -> None:
    suite = read_suite(CASES / "perfect.tsv")
    blocks = [parsed(perfect()).block(number) for number in range(10)]
    with pytest.raises(InputError) as error:
        roles(suite, {"x": Treebank(b"".join(blocks[:2] + blocks[3:]))})
    assert "perfect.tsv:4" in str(error.value)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"examples": "swaped"}, "did you mean swapped"),
        ({"examples": "swapped:auxx"}, "did you mean aux"),
        ({"examples": "noun-only"}, "kind of item"),
        ({"by": ("property", "property")}, "property is named twice"),
    ],
)
def test_unknown_names(options: dict[str, Any], message: str) -> None:
    suite = perfect()
    with pytest.raises(GardenpathError, match=message):
        roles(suite, {"x": parsed(suite)}, **options)


# ---- what people see


def test_examples_show_gold_and_what_the_system_said() -> None:
    suite = perfect()
    judged = judged_arcs(suite, {"x": parsed(suite, SPOILED)})
    shown, total = find_examples(suite, judged["x"], "swapped")
    assert total == 1
    assert shown[0].marked == "Einen Knochen/obj sucht der Hund/nsubj ."
    assert shown[0].gold == "obj ← sucht, nsubj ← sucht"
    assert shown[0].predicted == "nsubj ← sucht, obj ← sucht"
    assert (shown[0].item, shown[0].order) == ("2", OVS)
    assert shown[0].place.endswith("perfect.conll:8")
    wrong, total = find_examples(suite, judged["x"], "wrong", limit=2)
    assert (len(wrong), total) == (2, 3)
    assert find_examples(suite, judged["x"], "wrong:aux")[1] == 1
    assert find_examples(suite, judged["x"], f"wrong:{OVS}")[1] == 2


def test_observations_have_a_row_per_arc_and_system() -> None:
    suite = perfect()
    judged = judged_arcs(suite, {"a": parsed(suite, SPOILED), "b": parsed(suite)})
    frame = observations(suite, judged, suite_clusters(suite)).frame()
    assert len(frame) == 40
    one = frame.filter(frame["system"] == "a")
    assert one["value"].sum() == 16
    assert one["outcome"].to_list().count("swapped") == 3
    assert one.row(2, named=True) | {"study": "", "suite": ""} == {
        "study": "", "suite": "", "item": "2", "condition": OVS, "system": "a", "seed": 0, "unit": "2 obj",
        "outcome": "swapped", "value": 0.0, "order": OVS, "props": "acc", "variations": 0, "ambiguous": False,
        "family": 1,
        "label": "obj", "predicted": "nsubj", "head": 1, "cluster": 0,
    }  # fmt: skip


def test_pp_suites_have_their_own_kinds() -> None:
    suite = read_suite(CASES / "pp-perfect.conll")
    changes = {(0, 7): ("4", "nmod"), (1, 7): ("6", "case")}
    result = roles(suite, {"x": parsed(suite, changes)}, by=GROUPINGS)
    found = {one.by["kind"]: one.value for one in result.findings if one.measure == "items" and len(one.by) == 1}
    assert found == {
        "right": len(suite) - 2, "preposition-only": 1, "noun-only": 1, "part": 0, "wrong-head": 0, "other-label": 0,
    }  # fmt: skip
    assert value(result, "las", property="2head") == 50
    assert not [one for one in result.findings if "order" in one.by]


def test_attachment_is_the_head_of_the_noun_alone() -> None:
    """Of three items one has a wrong head, one a wrong label below the right head, one a wrong preposition."""
    suite = read_suite(CASES / "pp-perfect.conll")
    changes = {(0, 7): ("4", "nmod"), (1, 9): ("2", "nmod"), (2, 1): ("4", "case")}
    result = roles(suite, {"x": parsed(suite, changes), "gold": parsed(suite)}, baseline="gold")
    items = len(suite)
    assert values(result, "attachment") == {"x": pytest.approx(100 * (items - 1) / items), "gold": 100}
    assert values(result, "las") == {"x": pytest.approx(100 * (2 * items - 3) / (2 * items)), "gold": 100}
    assert values(result, "uas") == {"x": pytest.approx(100 * (2 * items - 2) / (2 * items)), "gold": 100}
    assert {finding.n for finding in result.findings if finding.measure == "attachment" and not finding.by} == {items}
    assert values(result, "attachment_difference", baseline="gold") == {"x": pytest.approx(-100 / items)}
    assert "attached" in result.tables[0].columns


# ---- the denominator is gold's


def test_garbage_has_the_denominators_of_a_good_parser() -> None:
    """A parser that fails on a third of the sentences is asked about as many arcs, items and pairs as any other."""
    suite = perfect()

    def answering(words: list[str], number: int) -> Any:
        if number % 6 == 0:
            raise ValueError("no tree")
        if number % 3 == 0:
            return [(2, "nsubj"), (1, "obj"), *[(1, "obj")] * (len(words) - 2)]  # a cycle
        return [(1, "obj") if at else (0, "root") for at in range(len(words))]

    texts = [tuple(tokens) for tokens in suite.tokens]

    def garbage(sentences: list[list[str]]) -> list[Any]:
        return [answering(words, texts.index(tuple(words))) for words in sentences]

    result = roles(suite, {"good": parsed(suite), "bad": garbage}, baseline="good")
    assert (result.failures["bad: crashed"], result.failures["bad: sentences with a cycle"]) == (2, 2)

    def denominators(system: str) -> dict[Any, int | None]:
        return {
            (finding.measure, *sorted(finding.by.items())): finding.n
            for finding in result.findings
            if finding.system == system
        }

    mine, theirs = denominators("good"), denominators("bad")
    shared = [key for key in mine if key[0] in ("las", "uas", "label", "items", "items_share", "las_delta")]
    assert len(shared) > 50
    assert {key: theirs[key] for key in shared} == {key: mine[key] for key in shared}


# ---- labels that count as the same


def test_labels_may_count_as_the_same() -> None:
    suite = perfect()
    changes = {(0, 5): ("3", "obl:arg"), (1, 2): ("3", "obl"), (2, 6): ("1", "obl:arg")}
    systems = {"x": parsed(suite, changes)}
    plain, bridged = (roles(suite, systems, labels=equal) for equal in ((), ("obl:arg=obj",)))
    assert (value(plain, "las"), value(bridged, "las")) == (85, 90)  # the third has a wrong head as well
    assert (value(plain, "label"), value(bridged, "label")) == (85, 95)
    assert value(roles(suite, systems, labels=("obl=obj",)), "las") == 95  # with all subtypes
    assert "labels:obl:arg=obj" in bridged.signature
    assert "equal" not in plain.signature


@pytest.mark.parametrize("equal", ["obj", "=obj", "obl:arg=", "obl=obj:lvc", "a=b=c"])
def test_what_does_not_say_which_label_counts_as_which_is_refused(equal: str) -> None:
    with pytest.raises(UsageError, match="does not say which label counts as which"):
        roles(perfect(), {"x": parsed(perfect())}, labels=(equal,))


# ---- pairs that change more than one word


def pair_suite(tmp_path: Path, sentences: Mapping[str, str]) -> Any:
    rows = [f"{SVO}\t{props}\t2\t5\t{text}" for props, text in sentences.items()]
    header = "Word Order\tOther Properties\tSubject Position\tObject Position\tSentence"
    path = tmp_path / "pairs.tsv"
    path.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    return read_suite(path)


def test_pairs_that_change_several_words_are_counted(tmp_path: Path) -> None:
    suite = pair_suite(
        tmp_path,
        {
            "base-acc": "Der Hund sucht einen Knochen .",
            "base-sinan": "Der Magnet findet einen Knochen .",  # noun and verb
            "base-syn": "Der Hund findet einen Knochen .",
            "base-amb": "Die Hunde suchten einige Knochen .",  # inflection, and one more word
            "base-pp": "Der Hund sucht in diesem Jahr einen Knochen .",  # two words are added
        },
    )
    result = roles(suite, {"x": "baseline:subject-first"}, by=("pairs",))
    counted = {
        finding.by["change"]: (finding.value, finding.n)
        for finding in result.findings
        if finding.measure == "several_words"
    }
    assert counted == {"sinan": (1, 1), "syn": (0, 1), "amb": (0, 1), "pp": (1, 1)}
    (table,) = [table for table in result.tables if table.name == "pairs-property"]
    assert ">1 word" in table.columns


def test_words_of_generated_pairs_are_compared_by_lemma() -> None:
    """Oracle: the definition of each property in the generator: a synonym is one word, an animate object two."""
    from gardenpath_generate.roles.subject_object import generate_roles

    suite = generate_roles("de", size=600, seed=3).suite()
    result = roles(suite, {"x": "baseline:subject-first"})
    shares = {
        finding.by["change"]: finding.value / finding.n
        for finding in result.findings
        if finding.measure == "several_words"
    }  # type: ignore[operator]
    assert {name for name, share in shares.items() if share == 0} >= {"syn", "aux", "sname", "oneg", "spron", "noref"}
    assert {name for name, share in shares.items() if share == 1} >= {"sinan", "invan", "semas", "pp"}
