"""Suites of regions: every format is read, written back as it was, and refused with its place where it is wrong."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from region_cases import item, suite, whole

from gardenpath.errors import InputError, UsageError
from gardenpath.formats import REGIONS
from gardenpath.suites.regions import read_region_suites
from gardenpath.suites.regions.conversion import convert_regions
from gardenpath.suites.regions.mandarin import PAPER, class_of
from gardenpath.suites.regions.reader import holds_regions, read_region_suite, region_files, region_format
from gardenpath.suites.regions.syntaxgym import from_syntaxgym, to_syntaxgym

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
