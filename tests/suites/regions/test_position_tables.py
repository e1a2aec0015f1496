"""Sentences with the position of their disambiguating word: both layouts, arcs by rule, what is wrong and where."""

from __future__ import annotations

from pathlib import Path

import pytest

from gardenpath.errors import InputError
from gardenpath.suites import check
from gardenpath.suites.regions.hierarchy import item_clusters
from gardenpath.suites.regions.model import RegionSuite
from gardenpath.suites.regions.positions import arc_of, contrasts_of
from gardenpath.suites.regions.reader import read_paradigms, read_region_suite, unread_files
from gardenpath.suites.regions.syntaxgym import from_syntaxgym, to_syntaxgym

ROWS = """,item,condition,disambPositionAmb,disambPositionUnamb,ambiguity,Sentence,disambPosition_0idx
0,1,NPZ_AMB,7,7,ambiguous,As the old cook left the soup boiled over again.,7
1,1,NPZ_UAMB,7,7,unambiguous,"As the old cook left, the soup boiled over again.",7
2,1,MVRR_AMB,7,9,ambiguous,The old cook sent the soup laughed out loud.,6
3,1,MVRR_UAMB,7,9,unambiguous,The old cook who was sent the soup laughed out loud.,8
4,2,NPS_AMB,5,6,ambiguous,Anna knew the plan failed in May.,4
5,2,NPS_UAMB,5,6,unambiguous,Anna knew that the plan failed in May.,5
"""
WIDE = """item,condition,disambPositionUnamb,unambiguous,disambPositionAmb,ambiguous,Question
1,MVRR_UAMB,9,The old cook who was sent the soup laughed out loud.,7,The old cook sent the soup laughed out loud.,Who?
2,NPS_UAMB,6,Anna knew that the plan failed in May.,5,Anna knew the plan failed in May.,What?
"""


def table(folder: Path, text: str, name: str = "items.csv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def described(suites: list[RegionSuite]) -> dict[tuple[str, str], list[list[str]]]:
    """By construction and item, the regions of each sentence."""
    return {
        (suite.title, item.id): [[region.content for region in condition.regions] for condition in item.conditions]
        for suite in suites
        for item in suite.items
    }


def test_a_row_a_sentence(tmp_path: Path) -> None:
    # NPZ has its position one too far, which only the author can know: the column from 1 is what is read.
    suites = read_paradigms([table(tmp_path, ROWS)])
    assert [(suite.title, suite.property_of("class"), len(suite)) for suite in suites] == [
        ("NPZ", "NPZ", 1), ("MVRR", "MVRR", 1), ("NPS", "NPS", 1)
    ]  # fmt: skip
    regions = described(suites)
    assert regions["NPS", "2"] == [
        ["Anna knew the plan", "failed", "in", "May.", ""], ["Anna knew that the plan", "failed", "in", "May.", ""]
    ]  # fmt: skip
    assert regions["MVRR", "1"][1][:3] == ["The old cook who was sent the soup", "laughed", "out"]
    assert regions["NPZ", "1"][0][1:3] == ["soup", "boiled"]
    (contrast,) = contrasts_of(suites[0])
    assert (contrast.region, contrast.harder, contrast.easier) == (2, "ambiguous", "unambiguous")
    assert item_clusters(suites).counted == "lexical item=2"


def test_a_row_an_item_is_the_same_suite(tmp_path: Path) -> None:
    rows, wide = (described(read_paradigms([table(tmp_path, text, name)])) for text, name in
                  ((ROWS, "a.csv"), (WIDE, "b.csv")))  # fmt: skip
    assert wide == {key: rows[key] for key in wide}
    assert len(wide) == 2


def test_the_same_items_in_two_layouts_count_once(tmp_path: Path) -> None:
    table(tmp_path, WIDE, "x.csv")
    table(tmp_path, "word_pos,word\n", "words.csv")
    pivot = "".join(line for line in ROWS.splitlines(keepends=True) if "NPZ" not in line)
    table(tmp_path, pivot, "x.pivot.csv")
    assert sum(map(len, read_paradigms([tmp_path]))) == 2
    assert unread_files(tmp_path) == []  # a file of surprisals is not a suite that was missed


def test_arcs_by_rule(tmp_path: Path) -> None:
    suites = {suite.title: suite for suite in read_paradigms([table(tmp_path, ROWS)])}
    words_of = {}
    for name, suite in suites.items():
        for condition in suite.items[0].conditions:
            arc = arc_of(suite, suite.items[0], condition)
            assert arc is not None
            assert arc.labels == ("nsubj",)
            words_of[name, condition.name] = (condition.words[arc.dependent - 1], condition.words[arc.head - 1])
    assert words_of["MVRR", "ambiguous"] == words_of["MVRR", "unambiguous"] == ("cook", "laughed")
    assert words_of["NPS", "ambiguous"] == words_of["NPS", "unambiguous"] == ("plan", "failed")


def test_it_goes_through_json_with_arcs_constructions_and_effects(tmp_path: Path) -> None:
    suite = read_region_suite(table(tmp_path, WIDE))
    path = tmp_path / "x.json"
    path.write_bytes(to_syntaxgym(suite))
    back = read_paradigms([path])
    assert described(back) == described(read_paradigms([tmp_path / "items.csv"]))
    assert all(again.said("effects") == [2, 3, 4] for again in back)
    assert arc_of(back[0], back[0].items[0], back[0].items[0].conditions[0]) is not None


def test_the_name_of_a_condition_says_which_position_is_meant(tmp_path: Path) -> None:
    """Without a column of ambiguity, and with semicolons."""
    rows = [line.split(",") for line in ROWS.splitlines() if "NPS" in line]
    plain = "item;condition;disambPositionAmb;disambPositionUnamb;Sentence\n"
    plain += "".join(";".join([*row[1:5], row[6]]) + "\n" for row in rows)
    whole = described(read_paradigms([table(tmp_path, ROWS, "a.csv")]))
    assert described(read_paradigms([table(tmp_path, plain, "b.csv")])) == {("NPS", "2"): whole["NPS", "2"]}
    with pytest.raises(InputError, match="no column says the position in this sentence"):
        read_paradigms([table(tmp_path, plain.replace("NPS_AMB", "NPS"), "c.csv")])


def test_other_conditions_are_those_of_the_benchmark(tmp_path: Path) -> None:
    text = "item,condition,disambPosition,Sentence\n" + "".join(
        f"9,{condition},4,the {noun} who is here today\n"
        for condition, noun in (("AttachMulti", "x"), ("AttachHigh", "y"), ("AttachLow", "z"))
    )
    suites = read_paradigms([table(tmp_path, text)])
    assert {suite.title: suite.condition_names for suite in suites} == dict.fromkeys(
        ("AttachHigh", "AttachLow"), ("critical", "baseline")
    )
    assert described(suites)["AttachLow", "9"] == [
        ["the z who", "is", "here", "today", ""], ["the x who", "is", "here", "today", ""]
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("before", "after", "message", "where"),
    [
        ("5,6,ambiguous,Anna", "9,6,ambiguous,Anna", "the position 9 is none in a sentence of 7 words", ":6"),
        ("5,6,ambiguous,Anna", "x,6,ambiguous,Anna", "'x' is not a position", ":6"),
        ("4,2,NPS_AMB,5,6,ambiguous", "4,2,NPS_AMB,5,6,maybe", "'maybe' says nothing of ambiguity", ":6"),
        ("4,2,NPS_AMB", "4,3,NPS_AMB", "item 3 of NPS has one sentence, NPS_AMB, and nothing to compare", ":6"),
        ("2,NPS_UAMB,5,6,unambiguous", "2,NPS_AMB,5,6,ambiguous", "two sentences of item 2 are NPS_AMB", ":7"),
    ],
)
def test_what_is_wrong_and_where(tmp_path: Path, before: str, after: str, message: str, where: str) -> None:
    path = table(tmp_path, ROWS.replace(before, after, 1))
    with pytest.raises(InputError, match=message) as caught:
        read_paradigms([path])
    assert caught.value.where.endswith(f"items.csv{where}")


def test_a_condition_that_is_compared_with_nothing(tmp_path: Path) -> None:
    path = table(tmp_path, "item,condition,targetPosition,Sentence\n1,blue,1,Skies are blue.\n")
    with pytest.raises(InputError, match="what is 'blue' compared with") as caught:
        read_paradigms([path])
    assert "X_AMB and X_UNAMB" in caught.value.todo


def test_positions_that_contradict_each_other_and_arcs_that_are_none(tmp_path: Path) -> None:
    problems = list(check(read_region_suite(table(tmp_path, ROWS.replace(",7\n", ",6\n")))))
    assert problems == []
    (problem,) = check(read_region_suite(table(tmp_path, ROWS)))
    assert (problem.id, problem.line) == ("two-positions", 2)
    assert problem.message == "disambPosition_0idx is 7, 'boiled'; the position from 1 is 7, 'soup'"
    data = to_syntaxgym(read_region_suite(table(tmp_path, WIDE)))
    spoiled = data.replace(b'"head": 7', b'"head": 70', 1).replace(b'"arc"', b'"ark"', 3).replace(b'"ark"', b'"arc"', 2)
    problem_ids = {(problem.id, problem.item) for problem in check(from_syntaxgym(spoiled, "x.json"))}
    assert problem_ids == {("wrong-arc", "1"), ("missing-arc", "2")}


def test_the_published_items(shared: Path) -> None:
    folder = shared / "pairs" / "sap"
    suites = read_paradigms([folder])
    assert {suite.title: len(suite) for suite in suites} == {
        "Agreement": 18, "AttachHigh": 24, "AttachLow": 24, "NPS": 24, "NPZ": 24, "MVRR": 24, "RC": 24
    }  # fmt: skip
    assert item_clusters(suites).counted == "lexical item=90 worth 74.1"
    # Of both layouts of a file: the column from 1 gives the same words in both, the one from 0 does not.
    for name in ("Agreement", "AttachmentAmbiguity", "ClassicGP", "RelativeClause"):
        wide, pivot = (read_paradigms([folder / f"items_{name}{ending}"]) for ending in (".csv", ".pivot.csv"))
        assert described(wide) == described(pivot)
    ids = {name: {problem.id for problem in check(read_region_suite(folder / f"items_{name}.pivot.csv"))}
           for name in ("Agreement", "ClassicGP", "RelativeClause")}  # fmt: skip
    assert ids["Agreement"] == {"two-positions"}
    assert "two-positions" not in ids["ClassicGP"]
    assert "target-differs" in ids["RelativeClause"]  # one position of 48 is that of another word
