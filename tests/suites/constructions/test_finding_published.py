"""The finding rules on real treebanks: counts that were made by other code, and sentences that were read."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from trees_to_find import subject_object_order

from gardenpath.phrase import PhraseTree
from gardenpath.phrase.formats.source import read
from gardenpath.phrase.heads import finite_verb
from gardenpath.phrase.schemes.model import TIGER
from gardenpath.suites.constructions.finding import find
from gardenpath.suites.constructions.sampling import Found, count, find_all

FOLDERS = {"pcc": "phrase/tiger-pcc/syntax/*.xml", "squoia": "phrase/tiger-squoia/*_DE.xml"}
SAMPLE = "phrase/formats/discoursegraphs_tueba_exportxml-example.xml"


@cache
def trees(shared: Path, name: str) -> list[PhraseTree]:
    return read(shared / FOLDERS[name])


@cache
def hits(shared: Path, name: str) -> list[Found]:
    return find_all(trees(shared, name), "tiger")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (
            "pcc",
            {"erc": (80, 74), "fcr-v2": (40, 35), "fcr-vl": (46, 28), "sgf": (14, 12), "cuc": (5, 4)},
        ),
        (
            "squoia",
            {"erc": (158, 135), "fcr-v2": (173, 153), "fcr-vl": (67, 53), "sgf": (81, 68), "cuc": (4, 4)},
        ),
    ],
)
def test_items_and_short_sentences(shared: Path, name: str, expected: dict[str, tuple[int, int]]) -> None:
    found: Counter[str] = Counter()
    short: Counter[str] = Counter()
    for one in count(trees(shared, name), hits(shared, name)):
        kind = one.phenomenon if one.phenomenon == "cuc" else "-".join(filter(None, (one.phenomenon, one.variant)))
        found[kind] += one.items
        short[kind] += one.short
    assert {kind: (found[kind], short[kind]) for kind in expected} == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [("pcc", {"ppn": (790, 757), "ppv": (1838, 656)}), ("squoia", {"ppn": (3103, 2949), "ppv": (4113, 1373)})],
)
def test_pps_that_are_no_conjuncts(shared: Path, name: str, expected: dict[str, tuple[int, int]]) -> None:
    all_of_them, ambiguous = Counter[str](), Counter[str]()
    for one in hits(shared, name):
        construction = one.construction
        if "coordinated" not in construction.flags:
            all_of_them[construction.phenomenon] += 1
            ambiguous[construction.phenomenon] += "ambiguous" in construction.flags
    assert {kind: (all_of_them[kind], ambiguous[kind]) for kind in expected} == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("pcc", {"fcr-v2": 39, "fcr-vl": 45, "sgf": 14}),
        ("squoia", {"fcr-v2": 169, "fcr-vl": 64, "sgf": 79}),
    ],
)
def test_most_shared_subjects_have_a_secondary_edge(shared: Path, name: str, expected: dict[str, int]) -> None:
    found = Counter[str]()
    for one in hits(shared, name):
        if "confirmed" in one.construction.flags:
            found["-".join(filter(None, (one.construction.phenomenon, one.construction.variant)))] += 1
    assert found == expected


@pytest.mark.parametrize(("name", "found", "all_finite"), [("pcc", 99, 109), ("squoia", 313, 324)])
def test_conjoined_clauses_with_an_edge_to_their_subject_are_mostly_found(
    shared: Path, name: str, found: int, all_finite: int
) -> None:
    """Recall by what the rules do not use; some of the others share a subject at the right, which is no hit."""
    hit = total = 0
    second_verbs: dict[int, set[int]] = {}
    for one in hits(shared, name):
        if one.construction.phenomenon in ("fcr", "sgf"):
            second_verbs.setdefault(one.tree, set()).add(one.construction.anchor("verb2"))
    for number, tree in enumerate(trees(shared, name)):
        verbs = second_verbs.get(number, set())
        clauses = {to for _, label, to in tree.secondary if label == "SB" and to >= len(tree)}
        for clause in (tree[to] for to in clauses):
            verb = finite_verb(clause, TIGER)
            if clause.label == "S" and clause.function == "CJ" and verb is not None:
                total += 1
                hit += verb.number in verbs
    assert (hit, total) == (found, all_finite)


@pytest.mark.parametrize(("name", "number"), [("pcc", 16), ("squoia", 25)])
def test_unlike_coordinations_in_the_wide_sense(shared: Path, name: str, number: int) -> None:
    assert len(find_all(trees(shared, name), "tiger", ["cuc"], wide=True)) == number


@pytest.mark.parametrize(("name", "expected"), [("pcc", (491, 136)), ("squoia", (1282, 208))])
def test_order_of_subject_and_object(shared: Path, name: str, expected: tuple[int, int]) -> None:
    assert subject_object_order(trees(shared, name)) == expected


@pytest.mark.parametrize(
    ("name", "phenomenon", "ids"),
    [
        ("pcc", "ppn", "s2175 s2186 s27"),
        ("pcc", "ppv", "s147 s121 s744"),
        ("pcc", "erc", "s312 s858 s144"),
        ("pcc", "fcr", "s2123 s725 s851 s26"),
        ("pcc", "sgf", "s452 s76 s1349"),
        ("pcc", "cuc", "s2007 s1755 s2143"),
        ("squoia", "ppn", "s1530 s1686 s1496"),
        ("squoia", "ppv", "s1573 s54 s166"),
        ("squoia", "erc", "s2296 s2768 s160"),
        ("squoia", "fcr", "s1785 s4098 s3685 s2897"),
        ("squoia", "sgf", "s4152 s3667 s2459"),
        ("squoia", "cuc", "s70 s280 s3340"),
    ],
)
def test_sentences_that_were_read_are_hits(shared: Path, name: str, phenomenon: str, ids: str) -> None:
    found = {
        trees(shared, name)[one.tree].sent_id for one in hits(shared, name) if one.construction.phenomenon == phenomenon
    }
    assert set(ids.split()) <= found


def test_a_subject_at_the_right_end_is_no_hit(shared: Path) -> None:
    (tree,) = (one for one in trees(shared, "pcc") if one.sent_id == "s1438")
    assert find(tree, "tiger", ["fcr", "sgf"]) == []


# ---- TüBa-D/Z: a sample whose words are masked


@pytest.fixture(scope="module")
def masked(shared: Path) -> list[PhraseTree]:
    return read(shared / SAMPLE)


def test_relative_clauses_and_coordinations_of_the_sample(masked: list[PhraseTree]) -> None:
    found: dict[str, set[str]] = {}
    for one in find_all(masked, "tuebadz", ["erc", "fcr", "sgf", "cuc"], wide=True):
        kind = "-".join(filter(None, (one.construction.phenomenon, one.construction.variant, *one.construction.flags)))
        found.setdefault(kind, set()).add(masked[one.tree].sent_id)
    assert found == {
        "erc": set("s6 s23 s131 s374 s379 s128 s152 s385".split()),
        "erc-refint": {"s33"},
        "fcr-v2": {"s17", "s129", "s136"},
        "fcr-vl": {"s135"},
        "cuc-ap+pp": {"s144"},
    }


def test_pps_of_the_sample(masked: list[PhraseTree]) -> None:
    """SCHEMES counts 50 at nouns, 2 that point at a phrase, and 20, 18, 53, 15 and 3 by function.

    Ten of them are pronominal adverbs (1 at a noun, FOPP 1, V-MOD 1, MOD 7), which are no PPs here; one at a noun
    has no noun phrase beside it; the conjuncts of one V-MOD are two items; and s144 is read as its `span` says, not
    as it is nested, which gives one more at a noun and an OA-MOD.
    """
    found = Counter[str]()
    for one in find_all(masked, "tuebadz", ["ppn", "ppv"]):
        node = masked[one.tree][one.construction.node]
        function = node.mother.function if node.function == "KONJ" and node.mother is not None else node.function
        found[function] += 1
    assert found == {"-": 49, "PRED-MOD": 2, "OA-MOD": 1, "OPP": 20, "FOPP": 17, "V-MOD": 53, "MOD": 8, "PRED": 3}
