"""Region suites: formats, formulas, checks and clusters."""

from __future__ import annotations

import csv
import io
import json
import random
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from region_cases import item, suite, whole

from gardenpath.errors import InputError, UsageError
from gardenpath.formats import REGIONS
from gardenpath.studies.surprisal.asking import RegionSurprisals
from gardenpath.studies.surprisal.outcomes import suite_outcome
from gardenpath.suites import check
from gardenpath.suites.regions.conversion import convert_regions
from gardenpath.suites.regions.formula import Atom, Comparison, Logic, atoms_of, comparisons_of, parse_formula
from gardenpath.suites.regions.hierarchy import item_clusters
from gardenpath.suites.regions.mandarin import PAPER, class_of
from gardenpath.suites.regions.model import Condition, Item, Prediction, Region, RegionSuite
from gardenpath.suites.regions.reader import (
    holds_regions,
    read_region_suite,
    read_region_suites,
    region_files,
    region_format,
)
from gardenpath.suites.regions.syntaxgym import from_syntaxgym, to_syntaxgym
from gardenpath.suites.registry import CHECKS
from gardenpath.suites.report import check_list, survey
from second_evaluator import evaluated

BLIMP = (
    '{"sentence_good": "Ann sees herself.", "sentence_bad": "Ann sees himself.", "field": "syntax", '
    '"linguistics_term": "binding", "UID": "gender", "pairID": "0"}\n'
    '{"sentence_good": "Tom sees himself.", "sentence_bad": "Tom sees herself.", "field": "syntax", '
    '"linguistics_term": "binding", "UID": "gender", "pairID": "1"}\n'
)
CLIMP = ",0,1,2,3\n0,verb,verb_b,他走了,1\n1,verb,verb_b,他了走,0\n2,verb,verb_b,她了来,0\n3,verb,verb_b,她来了,1\n"
PAIRS = "item\tgood\tbad\tclass\nx1\tthe dog barks\tthe dog bark\tagreement\nx2\tcats sleep\tcats sleeps\tagreement\n"
LINES = {
    "cls_adj_txt.txt": (
        "我 看 一 本 新 的 书 。\n我 看 一 张 新 的 书 。\n我 看 一 张 新 的 画 。\n我 看 一 本 新 的 画 。\n"
    ),
    "gpo_none_txt.txt": "他 看 那 本 朋友 写 的 书 。\n他 看 那 个 朋友 写 的 书 。\n",
    "gps_none_txt.txt": "那 本 朋友 写 的 书 很 好 。\n那 个 朋友 写 的 书 很 好 。\n",
    "mobj_sub2_txt.txt": "他 看 了 。\n他 看 了 书 。\n",
}


def written(folder: Path, name: str, text: str) -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_syntaxgym_keeps_all_it_does_not_know() -> None:
    raw = whole(joiner="", author="A", metric=["mean", "sum"])
    raw["items"][0]["conditions"][0]["regions"][0] |= {"metric_value": {"sum": 1.5}, "oovs": []}
    raw["items"][1]["note"] = "x"
    raw["predictions"].append(
        {"type": "relation", "relation": "<", "region_number": 2, "l_operand": "good", "r_operand": "bad"}
    )
    raw["more"] = [1]
    found = from_syntaxgym(json.dumps(raw).encode(), "x.json")
    assert json.loads(to_syntaxgym(found)) == raw
    assert (found.joiner, found.metric, found.title) == ("", "sum", "agreement")
    assert found.predictions[1].formula == "(2;%good%) < (2;%bad%)"
    assert found.items[0].conditions[0].text("") == "Thedogbarksloudly."


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda raw: raw.pop("items"), "no items"),
        (lambda raw: raw["items"][1].pop("conditions"), "an item without conditions"),
        (lambda raw: raw["items"][1]["conditions"][0].pop("condition_name"), "a condition without name"),
        (lambda raw: raw["items"][1]["conditions"][1]["regions"][0].pop("content"), "region without number or content"),
        (lambda raw: raw["meta"].update(metric="product"), "unknown metric 'product'"),
        (lambda raw: raw["region_meta"].update(x="y"), "region_meta is not a number"),
        (lambda raw: raw["predictions"].append({"type": "formula"}), "a prediction without formula"),
        (lambda raw: raw["meta"].update(gardenpath={"fixed": [3]}), "fixed is not a list"),
    ],
)
def test_syntaxgym_that_does_not_fit_its_schema(change: object, message: str) -> None:
    raw = whole()
    change(raw)  # type: ignore[operator]
    with pytest.raises(InputError, match=message) as error:
        from_syntaxgym(json.dumps(raw, indent=1).encode(), "x.json")
    assert error.value.where.startswith("x.json")


def test_an_item_is_found_by_its_line() -> None:
    found = suite()
    text = json.dumps(whole(), indent=1).splitlines()
    assert [text[one.line - 1].strip() for one in found.items] == ['"item_number": 1,', '"item_number": 2,']


@pytest.mark.parametrize(
    ("name", "text", "kind"),
    [
        ("a.jsonl", BLIMP, "blimp"), ("b.csv", CLIMP, "climp"), ("c.tsv", PAIRS, "pairs"),
        *((name, text, "mandarin") for name, text in LINES.items()),
    ],
)  # fmt: skip
def test_every_format_is_told_read_and_written_as_it_was(name: str, text: str, kind: str, tmp_path: Path) -> None:
    path = written(tmp_path, name, text)
    assert region_format(text.encode(), name) == kind
    assert holds_regions(path)
    found = read_region_suite(path)
    again = convert_regions(found, kind)
    assert (again.data.decode(), again.losses) == (text, ())
    through = convert_regions(found, "syntaxgym")
    assert through.losses == ()
    back = from_syntaxgym(through.data, "x.json")
    assert convert_regions(back, kind).data.decode() == text
    assert (back.title, back.properties) == (found.title, found.properties)


def test_names_of_fields_in_the_sisters_of_blimp(tmp_path: Path) -> None:
    for good, bad in (("sen", "wrong_sen"), ("good_sentence", "bad_sentence"), ("source_sentence", "target_sentence")):
        line = json.dumps({good: "他来了", bad: "他了来", "phenomenon": "order"}, ensure_ascii=False) + "\n"
        found = read_region_suite(written(tmp_path, f"{good}.jsonl", line))
        assert found.items[0].conditions[1].text() == "他了来"
        assert (found.properties["class"], found.segmented, found.joiner) == ("order", False, "")
        assert convert_regions(found, "blimp").data.decode() == line


def test_targets_of_the_mandarin_classes(tmp_path: Path) -> None:
    targets = {}
    for name, text in LINES.items():
        found = read_region_suite(written(tmp_path, name, text))
        targets[found.title] = [one.regions[1].content for one in found.items[0].conditions]
    assert targets == {
        "cls_adj": ["书 。", "书 。", "画 。", "画 。"], "gpo_none": ["写", "写"], "gps_none": ["的", "的"],
        "mobj_sub2": ["。", "。"],
    }  # fmt: skip
    mobj = read_region_suite(str(tmp_path / "mobj_sub2_txt.txt"))
    assert mobj.condition_names == ("bad", "good")
    assert mobj.properties["complexity"] == "2"
    classifier = read_region_suite(str(tmp_path / "cls_adj_txt.txt"))
    assert len(classifier.predictions) == 4
    assert [class_of(one) for one in ("Classifier_obj_clause.csv", "VO_none.csv", "mine.csv")] == [
        ("cls", "obj"), ("vo", "none"), ("", ""),
    ]  # fmt: skip


def test_tables_of_two_and_four_conditions(tmp_path: Path) -> None:
    two = 'ID,Ungrammatical,Grammatical,Notes\n7,他 看 了 。,他 看 了 书 。,"a, b"\n'
    found = read_region_suite(written(tmp_path, "mobj_none_tkd.csv", two))
    assert found.items[0].id == "7"
    assert convert_regions(found, "mandarin-csv").data.decode() == two
    assert convert_regions(found, "mandarin").data.decode() == "他 看 了 。\n他 看 了 书 。\n"
    header = "ID,Grammatical_1,Ungrammatical_1,Grammatical_2,Ungrammatical_2\n"
    four = header + "1,看一本书。,看一张书。,看一张画。,看一本画。\n"
    raw = read_region_suite(written(tmp_path, "Classifier_none.csv", four))
    assert not raw.segmented
    assert raw.predictions[0].formula == "(*;%bad1%) > (*;%good1%)"
    assert convert_regions(raw, "mandarin-csv").data.decode() == four


@pytest.mark.parametrize(
    ("name", "text", "message", "where"),
    [
        ("a.jsonl", BLIMP + '{"sentence_good": "x"}\n', "no sentence_bad", ":3"),
        ("a.jsonl", BLIMP + "{\n", "not JSON", ":3"),
        ("b.csv", CLIMP + "4,verb,verb_b,他走,1\n", "not pairs", "b.csv"),
        ("b.csv", CLIMP.replace("她来了,1", "她来了,0"), "both good or both bad", ":4-5"),
        ("b.csv", CLIMP.replace("他了走,0", "他了走,2"), "not a row of CLiMP", ":3"),
        ("c.tsv", PAIRS + "x3\tone\n", "2 cells", ":4"),
        ("c.tsv", PAIRS + "x3\t\tone\tc\n", "no sentence in the column good", ":4"),
        ("cls_adj_txt.txt", LINES["gpo_none_txt.txt"], "not whole items", "cls_adj"),
        ("gps_none_txt.txt", "那 本 书 。\n那 个 书 。\n", "no 的", ":1"),
        ("gpo_none_txt.txt", "书 。\n书 。\n", "too few", ":1"),
        ("vo_none_tkd.csv", "ID,Grammatical,Ungrammatical\n1,a b c\n", "2 cells", ":2"),
        ("d.json", '{"region_meta": 1', "not JSON", "d.json"),
        ("a.jsonl", '{"sentence_good": "\\ud800", "sentence_bad": "x"}\n', "half a character", ":1"),
        ("e.txt", "hello\n", "not a suite of regions", "e.txt"),
        ("f.tsv", "sentence_id\ttoken_id\ttoken\tsurprisal\n", "a file of surprisals", "f.tsv"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(name: str, text: str, message: str, where: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message) as error:
        read_region_suite(written(tmp_path, name, text))
    assert where in error.value.where


def test_losses_are_said(tmp_path: Path) -> None:
    gpo = read_region_suite(written(tmp_path, "gpo_none_txt.txt", LINES["gpo_none_txt.txt"]))
    losses = " ".join(convert_regions(gpo, "pairs").losses)
    assert "borders of regions, in sentences: 2" in losses
    assert "(2;%bad%) > (2;%good%)" in losses
    with pytest.raises(InputError, match="pairs need the conditions good and bad"):
        convert_regions(suite([item(1, a=["x"], b=["y"])], "(1;%a%) > (1;%b%)"), "blimp")
    with pytest.raises(UsageError, match="unknown format"):
        convert_regions(gpo, "blmp")


def test_a_folder_of_the_mandarin_suites_stands_for_the_paper_s(shared: Path) -> None:
    folder = shared / "surprisal" / "mandarin" / "test_suites"
    suites = list(read_region_suites(folder))
    assert [one.title for one in suites] == list(PAPER)
    assert sum(map(len, suites)) == 732
    for one in suites:
        raw = Path(one.name).read_bytes()
        assert convert_regions(one, "mandarin").data == raw.rstrip(b"\n") + b"\n"


@pytest.mark.parametrize(("folder", "count"), [("bundled:en-surprisal", 9), ("surprisal/syntaxgym", 23)])
def test_every_suite_of_syntaxgym_goes_there_and_back(
    folder: str, count: int, file_named: Callable[[str], Path]
) -> None:
    files = region_files(file_named(folder))
    assert len(files) == count
    for file in files:
        found = read_region_suite(file)
        again = convert_regions(found, "syntaxgym")
        assert again.losses == ()
        assert json.loads(again.data) == json.loads(Path(file).read_bytes())
        assert found.asked


@pytest.mark.parametrize("kind", ["blimp", "climp"])
def test_published_pairs_go_there_and_back(kind: str, shared: Path) -> None:
    for file in region_files(shared / "surprisal" / kind)[:3]:
        found = read_region_suite(file)
        assert len(found) == 1000
        data, raw = convert_regions(found, kind).data.decode(), Path(file).read_text("utf-8")
        if kind == "blimp":
            assert [json.loads(line) for line in data.splitlines()] == [json.loads(line) for line in raw.splitlines()]
        else:
            assert list(csv.reader(io.StringIO(data))) == list(csv.reader(io.StringIO(raw)))


def test_formats_are_those_that_can_be_read() -> None:
    written = {"syntaxgym", "blimp", "climp", "mandarin", "mandarin-csv", "pairs", "pair-rows", "labelled-lines"}
    assert set(REGIONS.writable) == written
    assert set(REGIONS) == {*written, "template", "positions"}  # which are read alone


GOOD, BAD = ["The dog", "barks", "."], ["The dogs", "barks", "."]


def many(last: dict[str, list[str]]) -> list[dict[str, object]]:
    """Ten items alike, and one that is not."""
    return [*(item(n, good=[f"x{n}", "a", "."], bad=[f"y{n}", "a", "."]) for n in range(1, 11)), item(11, **last)]


SPOILED = {
    "no-prediction": lambda: RegionSuite("x", "x", suite().items, [], {1: "a", 2: "b", 3: "c"}, "syntaxgym"),
    "wrong-formula": lambda: suite(None, "(2;%good%) << (2;%bad%)"),
    "unknown-name": lambda: suite(None, "(2;%god%) < (9;%bad%)"),
    "missing-condition": lambda: suite([item(1, good=GOOD, bad=BAD), item(2, good=["a", "b", "c"])]),
    "region-numbers": lambda: suite([item(1, good=GOOD, bad=BAD[:2])]),
    "empty-region": lambda: suite([item(1, good=GOOD, bad=["The dogs", "", "."])]),
    "blanks": lambda: suite([item(1, good=GOOD, bad=[" The dogs", "barks", "."])]),
    "words-differ": lambda: suite(many({"good": ["x", "a", "."], "bad": ["y", "a", "!"]})),
    "same-sentence": lambda: suite([item(1, good=GOOD, bad=GOOD)]),
    "repeated-item": lambda: suite([item(1, good=GOOD, bad=BAD), item(2, good=GOOD, bad=BAD)]),
}


def test_a_good_suite_has_no_problem() -> None:
    assert list(check(suite())) == []


@pytest.mark.parametrize("id", SPOILED)
def test_each_problem_is_found(id: str) -> None:
    problems = list(check(SPOILED[id]()))
    assert id in {problem.id for problem in problems}
    assert all(problem.todo and problem.line >= 1 for problem in problems)


def test_names_in_a_formula_get_a_suggestion() -> None:
    messages = {problem.message: problem.todo for problem in check(SPOILED["unknown-name"]())}
    assert messages["prediction 1: no condition god"] == "did you mean good?"
    assert messages["prediction 1: no region 9"] == "regions are 1, 2, 3, or *"


def test_target_and_minimal_difference_of_the_mandarin_paradigms(tmp_path: Path) -> None:
    path = tmp_path / "vo_none_txt.txt"
    path.write_text("我 修 了 电脑 。\n我 读 了 电脑 。\n我 修 了 电脑 。\n她 读 了 书 。\n", encoding="utf-8")
    places = [(problem.id, problem.item, problem.line) for problem in check(read_region_suite(str(path)))]
    assert ("target-differs", "2", 3) in places
    assert ("not-minimal", "2", 3) in places
    assert {item for _, item, _ in places} == {"2"}


def test_every_check_has_a_case_and_is_listed() -> None:
    ids = {known.id for known in CHECKS.all("regions")}
    of_pairs = {"swapped-pair", "against-the-rule", "lost-target"}  # in test_pair_files
    of_arcs = {"two-positions", "wrong-arc", "missing-arc"}  # in test_position_tables
    assert ids == {*SPOILED, "target-differs", "not-minimal", *of_pairs, *of_arcs}
    listed = {row[0] for table in check_list().tables for row in table.rows}
    assert ids <= listed


def test_only_ignore_and_limit() -> None:
    spoiled = SPOILED["region-numbers"]()
    assert {problem.id for problem in check(spoiled, only=["region-numbers"])} == {"region-numbers"}
    assert "region-numbers" not in {problem.id for problem in check(spoiled, ignore=["region-numbers"])}
    report = survey(SPOILED["words-differ"](), limit=0)
    assert report.problems == []
    assert report.counts["words-differ"] == 1


def test_what_is_wrong_in_the_published_suites(shared: Path) -> None:
    folder = shared / "surprisal"
    gpo = read_region_suite(folder / "mandarin" / "test_suites" / "GP_obj" / "gpo_obj_txt.txt")
    assert [(problem.id, problem.item) for problem in check(gpo)] == [("not-minimal", "25")]
    mvrr = read_region_suite(folder / "syntaxgym" / "mvrr.json")
    assert len(list(check(mvrr, only=["same-sentence"]))) == 2


NOUNS = ["dog", "cat", "cow"]


def templated(title: str, pattern: str, nouns: list[str] = NOUNS, **extra: list[str]) -> RegionSuite:
    items = [
        Item(
            str(number + 1),
            tuple(Condition(name, (Region(1, pattern.format(noun)), Region(2, verb)))
                  for name, verb in (("good", f"{noun}s"), ("bad", f"{noun}ed"))),
            extra={key: values[number] for key, values in extra.items()},
        )
        for number, noun in enumerate(nouns)
    ]  # fmt: skip
    predictions = [Prediction("(2;%bad%) > (2;%good%)")]
    return RegionSuite(f"{title}.json", title, items, predictions, {1: "noun", 2: "verb"}, "syntaxgym")


def test_items_of_one_number_in_parallel_suites_are_one_cluster() -> None:
    suites = [templated("a", "the {}"), templated("b", "the old {}"), templated("c", "people sing", ["x", "y", "z"])]
    clusters = item_clusters(suites)
    assert clusters.name == "base sentence"
    first, second, third = np.split(clusters.codes[0], 3)
    assert first.tolist() == second.tolist()
    assert clusters.count == 6
    assert not set(first) & set(third)
    turned = item_clusters([suites[0], templated("b", "the old {}", NOUNS[::-1])])  # the numbers say nothing here
    assert (turned.name, turned.count) == ("item", 6)
    assert item_clusters(suites, independent=True).count == 9
    assert item_clusters(suites[:1]).name == "item"


def test_a_column_of_the_file_says_what_was_sampled(tmp_path: Path) -> None:
    suites = [
        templated("a", "the {}", template=["x", "x", "y"]),
        templated("b", "the old {}", template=["x", "y", "z"]),
    ]
    clusters = item_clusters(suites)
    assert (clusters.name, clusters.count) == ("template", 3)
    path = tmp_path / "pairs.tsv"
    path.write_text("good\tbad\tlexeme\na b\ta c\tdog\na d\ta e\tdog\nf b\tf c\tcat\n", encoding="utf-8")
    clusters = item_clusters(list(read_region_suites(path)))
    assert (clusters.name, clusters.codes[0].tolist()) == ("lexeme", [1, 1, 0])


def test_the_published_suites(shared: Path) -> None:
    """Both garden path classes of the Mandarin suites are made of the same 31 sentences."""
    clusters = item_clusters(list(read_region_suites(shared / "surprisal" / "mandarin" / "test_suites")))
    assert (clusters.name, clusters.count, len(clusters)) == ("base sentence", 30 + 31 + 31 + 30 + 30, 732)


def holds(formula: str, values: dict[tuple[int, str], float]) -> bool:
    """The formula on one item, ties being wrong as in SyntaxGym."""
    items = [object()]
    suite = RegionSuite("x", "x", items, [Prediction(formula)], {}, "syntaxgym")  # type: ignore[arg-type]
    outcome = suite_outcome(
        suite, RegionSurprisals({key: np.array([value]) for key, value in values.items()}), "strict"
    )
    return bool(outcome.holds[0, 0])


def test_tree() -> None:
    tree = parse_formula("[(5;%a%) > (5;%b-c%) ] & (((6;%a%)-(*;%b-c%))<0)")
    assert isinstance(tree, Logic)
    assert tree.left == Comparison(">", Atom(5, "a"), Atom(5, "b-c"))
    assert list(atoms_of(tree))[3] == Atom(0, "b-c")
    assert [one.sign for one in comparisons_of(tree)] == [">", "<"]


def test_and_and_or_have_the_same_rank_and_go_from_left_to_right() -> None:
    values = {(1, "t"): 1.0, (1, "f"): 0.0}
    true, false = "(1;%t%) > (1;%f%)", "(1;%f%) > (1;%t%)"
    assert not holds(f"{true} | {true} & {false}", values)  # (true | true) & false
    assert holds(f"{true} | ({true} & {false})", values)


@pytest.mark.parametrize(("gap", "expected"), [(0.0009, True), (0.0012, False), (0.0, True)])
def test_equal_has_a_tolerance(gap: float, expected: bool) -> None:
    assert holds("(1;%a%) = (1;%b%)", {(1, "a"): 10.0 + gap, (1, "b"): 10.0}) is expected


@pytest.mark.parametrize(
    ("formula", "what", "rest"),
    [
        ("(5;%a%) >> (5;%b%)", "a region, a number or a bracket", "> (5;%b%)"),
        ("(5;%a%) > (5;%b%", "not a part of a formula", "(5 ⟶ ;%b%"),
        ("(5;%a) > (5;%b%)", "not a part of a formula", "(5 ⟶ ;%a) > (5;%b%)"),
        ("(5;%a%) > (5;%b%) > (5;%c%)", "& or | is missing", "> (5;%c%)"),
        ("(5;%a%) + (5;%b%)", "a comparison must stand here", "(5;%a%) + (5;%b%)"),
        ("(5;%a%)", "a comparison must stand here", "(5;%a%)"),
        ("[(5;%a%) > (5;%b%)", "] must stand here", ""),
        ("[(5;%a%) > (5;%b%))", "] must stand here", ")"),
        ("((5;%a%) > 1) + 2 > 1", "this is a comparison", "((5;%a%) > 1) + 2 > 1"),
        ("(0;%a%) > 1", "regions count from 1", "0;%a%) > 1"),
        ("(5;%a%) >= 1", "a region, a number", "= 1"),
        ("-1 < (5;%a%)", "a region, a number", "-1 < (5;%a%)"),
        ("(5;%a%) > 1 * 2", "not a part of a formula", "* 2"),
        ("", "ends too early", ""),
        ("(" * 120 + "1" + ")" * 120 + " > 0", "inside one another", ""),
        ("__import__('os')", "not a part of a formula", "__import__('os')"),
    ],
)
def test_a_typo_is_shown_at_its_place(formula: str, what: str, rest: str) -> None:
    with pytest.raises(InputError) as error:
        parse_formula(formula, "suite.json (prediction 1)")
    assert what in error.value.what
    assert error.value.what.endswith(rest)
    assert "⟶" in error.value.what
    assert error.value.where == "suite.json (prediction 1)"


ATOMS = st.tuples(st.integers(0, 3), st.sampled_from(["a", "b_1", "c-d"]))
VALUES = st.sampled_from([0.0, 0.5, 1.0, 1.0004, 2.25, 7.0])


@st.composite
def formulas(draw: st.DrawFn) -> str:
    """Formulas with brackets of both kinds and blanks anywhere."""

    def bracketed(text: str) -> str:
        return draw(st.sampled_from(["{}", "({})", "[ {} ]"])).format(text)

    def number() -> str:
        if draw(st.integers(0, 5)) == 0:
            return draw(st.sampled_from(["0", "1.5", "3"]))
        region, name = draw(ATOMS)
        return f"({region or '*'};%{name}%)"

    def total() -> str:
        parts = [number() for _ in range(draw(st.integers(1, 3)))]
        text = parts[0] + "".join(draw(st.sampled_from(["+", " - "])) + bracketed(part) for part in parts[1:])
        return bracketed(text)

    def compared() -> str:
        return bracketed(f"{total()} {draw(st.sampled_from('<>='))} {total()}")

    parts = [compared() for _ in range(draw(st.integers(1, 4)))]
    return bracketed(parts[0] + "".join(f" {draw(st.sampled_from('&|'))} {part}" for part in parts[1:]))


@given(formulas(), st.data())
def test_any_formula_agrees_with_the_second_evaluator(formula: str, data: st.DataObject) -> None:
    atoms = {(one.region, one.condition) for one in atoms_of(parse_formula(formula))}
    values = {atom: data.draw(VALUES) for atom in sorted(atoms)}
    assert holds(formula, values) == evaluated(formula, values)


@pytest.mark.parametrize(("folder", "least"), [("bundled:en-surprisal", 9), ("surprisal/syntaxgym", 23)])
def test_predictions_of_syntaxgym_agree_with_the_second_evaluator(
    folder: str, least: int, file_named: Callable[[str], Path]
) -> None:
    chance = random.Random(7)
    seen = 0
    for path in sorted(file_named(folder).glob("*.json")):
        for prediction in json.loads(path.read_text("utf-8"))["predictions"]:
            formula = prediction["formula"]
            names = {(int(n), name) for n, name in re.findall(r"\((\d+);%([\w-]+)%\)", formula)}
            for _ in range(40):
                values = {one: chance.choice([1.0, 1.0005, 2.0, chance.random() * 9]) for one in sorted(names)}
                assert holds(formula, values) == evaluated(formula, values), (path.name, formula, values)
                seen += 1
    assert seen >= least * 40
