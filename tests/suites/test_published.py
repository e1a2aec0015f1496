"""The published suites: sizes, the paper's Tables 7 and 9, both releases, and where their forms disagree."""

from __future__ import annotations

from pathlib import Path

import pytest

from gardenpath.suites import check, convert, read_suite
from gardenpath.suites.roles.conll import from_conll

TABLE_7 = {
    "LK[V]MF[SO]": 1349, "VF[S]LK[V]MF[O]": 1349, "VF[ADV]LK[V]MF[SO]": 1349, "MF[SO]VC[V]": 1349,
    "LK[V]MF[OS]": 306, "VF[O]LK[V]MF[S]": 1349, "VF[ADV]LK[V]MF[OS]": 306, "MF[OS]VC[V]": 306,
    "acc": 75, "spron": 858, "opron": 1213, "oneg": 1175, "aux": 1270, "pp": 1270,
    "sinan": 575, "oan": 715, "invan": 811, "regpol": 874, "sname": 788, "semas": 567, "noref": 783, "psy": 1172,
    "vlight": 530, "syn": 1150, "prov": 155,
}  # fmt: skip
"""Frequencies of the paper's Table 7 (SORTS amb), all 25 rows."""
TABLE_9 = {
    "LK[V]MF[SO]": 1884, "VF[S]LK[V]MF[O]": 1884, "VF[ADV]LK[V]MF[SO]": 1884, "MF[SO]VC[V]": 1884,
    "LK[V]MF[OS]": 473, "VF[O]LK[V]MF[S]": 1884, "VF[ADV]LK[V]MF[OS]": 473, "MF[OS]VC[V]": 473,
    "acc": 75, "dat": 1285, "amb": 1335, "spron": 1140, "opron": 1387, "oneg": 1405, "aux": 1467, "pp": 1490,
    "sinan": 812, "oan": 870, "invan": 1182, "regpol": 1065, "sname": 945, "semas": 720, "noref": 1065, "psy": 1560,
    "vlight": 675, "syn": 1320, "prov": 320,
}  # fmt: skip
"""Frequencies of the paper's Table 9 (SORTS part-amb), all 27 rows."""
SIZES = {
    "sorts-2020/german_ambiguous_gold.conll": 7663,
    "sorts-2020/german_part-ambiguous_gold.conll": 10839,
    "sorts-2026/german/german_amb_gold.conll": 6812,
    "sorts-2026/german/german_part-amb_gold.conll": 10482,
    "sorts-2026/dutch/dutch_amb_gold.conll": 6303,
    "sorts-2026/dutch/dutch_part-amb_gold.conll": 7812,
    "ppats/pp-test-suite.conll": 855,
}
OTHER = ["other-items", "other-sentence", "other-labels", "other-gold"]


@pytest.fixture(scope="module")
def roles(shared: Path) -> Path:
    return shared / "roles"


@pytest.mark.parametrize(
    ("name", "published"),
    [("sorts-2020/german_ambiguous_gold", TABLE_7), ("sorts-2020/german_part-ambiguous_gold", TABLE_9)],
)
@pytest.mark.parametrize("ending", ["conll", "tsv"])
def test_frequencies_are_those_of_the_paper(roles: Path, name: str, published: dict[str, int], ending: str) -> None:
    suite = read_suite(roles / f"{name}.{ending}")
    assert len(published) in (25, 27)
    assert suite.order_counts() | suite.property_counts() == published
    assert (suite.release, suite.language) == ("2020", "de")


@pytest.mark.parametrize("name", SIZES)
def test_sizes_and_one_gold_arc_for_each_role(roles: Path, name: str) -> None:
    suite = read_suite(roles / name)
    assert len(suite) == SIZES[name]
    assert len(suite.arcs) == 2 * len(suite)
    assert suite.language == ("nl" if "dutch" in name else "de")


def test_no_amb_is_part_amb_without_case_syncretism(roles: Path) -> None:
    suite = read_suite(roles / "sorts-2020/german_part-ambiguous_gold.conll")
    assert (suite.ambiguity, int((~suite.ambiguous).sum())) == ("part", 9504)
    assert read_suite(roles / "sorts-2020/german_ambiguous_gold.conll").ambiguous.all()


@pytest.mark.parametrize(("old", "new"), [("ambiguous", "amb"), ("part-ambiguous", "part-amb")])
def test_both_releases_line_up_after_mapping(roles: Path, old: str, new: str) -> None:
    before = read_suite(roles / f"sorts-2020/german_{old}_gold.conll")
    after = read_suite(roles / f"sorts-2026/german/german_{new}_gold.conll")
    assert (before.release, after.release) == ("2020", "2026")
    assert set(before.order_counts()) == set(after.order_counts())
    assert set(before.property_counts()) == set(after.property_counts())

    def labelled(suite: object) -> dict[tuple[str, ...], tuple[str, tuple[str, ...]]]:
        return {item.tokens: (item.order, item.properties) for item in suite.items}  # type: ignore[attr-defined]

    a, b = labelled(before), labelled(after)
    same = a.keys() & b.keys()
    assert len(same) > 0.4 * len(after)
    differing = [tokens for tokens in same if (a[tokens][0], set(a[tokens][1])) != (b[tokens][0], set(b[tokens][1]))]
    assert len(differing) < 0.01 * len(same)


@pytest.mark.parametrize(
    ("name", "other", "expected"),
    [
        ("sorts-2020/german_ambiguous_gold.conll", "sorts-2020/german_ambiguous_gold.tsv", {}),
        ("sorts-2020/german_part-ambiguous_gold.conll", "sorts-2020/german_part-ambiguous_gold.tsv", {}),
        ("sorts-2026/dutch/dutch_amb_gold.conll", "sorts-2026/dutch/dutch_amb_gold.tsv", {}),
        ("sorts-2026/dutch/dutch_part-amb_gold.conll", "sorts-2026/dutch/dutch_part-amb_gold.tsv", {}),
        ("sorts-2026/german/german_amb_gold.conll", "sorts-2026/german/german_amb_gold_u.conll", {}),
        ("sorts-2026/german/german_amb_gold.conll", "sorts-2026/german/german_amb_gold_all-heads.conll", {}),
        ("sorts-2026/german/german_amb_gold.conll", "sorts-2026/german/german_amb_gold.tsv", {"other-sentence": 122}),
        (
            "sorts-2026/german/german_part-amb_gold.conll",
            "sorts-2026/german/german_part-amb_gold.tsv",
            {"other-sentence": 1},
        ),
        ("ppats/pp-test-suite.conll", "ppats/pp-test-suite.tsv", {"other-gold": 20}),
        ("ppats/pp-test-suite.tsv", "ppats/pp-test-suite-all-heads.conll", {}),
        ("ppats/pp-test-suite.conll", "ppats/pp-test-suite_u.conll", {"other-gold": 20}),
    ],
)
def test_the_forms_agree_or_their_disagreements_are_known(
    roles: Path, name: str, other: str, expected: dict[str, int]
) -> None:
    found: dict[str, int] = {}
    for problem in check(read_suite(roles / name), against=read_suite(roles / other), only=OTHER):
        found[problem.id] = found.get(problem.id, 0) + 1
    assert found == expected


def test_every_item_of_sorts_has_a_pair_in_another_order(roles: Path) -> None:
    for name in (one for one in SIZES if "ppats" not in one):
        suite = read_suite(roles / name)
        paired = {number for pair in suite.pairs() if pair.kind == "order" for number in pair[:2]}
        assert len(paired) == len(suite)


def test_gold_and_order_agree_but_for_twelve_items_of_2020(roles: Path) -> None:
    found = {name: sum(1 for _ in check(read_suite(roles / name), only=["order-contradiction"])) for name in SIZES}
    assert {name: count for name, count in found.items() if count} == {
        "sorts-2020/german_part-ambiguous_gold.conll": 12
    }


def test_conversion_of_real_files_is_byte_for_byte(roles: Path) -> None:
    path = roles / "sorts-2020/german_ambiguous_gold.conll"
    suite = read_suite(path)
    equals = convert(suite, "conllu-feats").data
    assert convert(from_conll(equals, "x", format="conllu-feats"), "conll").data == path.read_bytes()
    tsv = (roles / "sorts-2020/german_ambiguous_gold.tsv").read_bytes().replace(b"\r\n", b"\n")
    assert convert(suite, "tsv").data.strip() == tsv.strip()


def test_all_heads_become_the_partial_gold(roles: Path) -> None:
    folder = roles / "sorts-2026/german"
    partial = convert(read_suite(folder / "german_amb_gold_all-heads.conll"), "conll", partial=True).data
    assert partial == read_suite(folder / "german_amb_gold.conll").treebank.to_bytes()
