"""Tables in the five formats, letter by letter, and plain text in the columns of a terminal."""

from __future__ import annotations

import json
import math
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gardenpath._text import columns_of
from gardenpath.errors import UsageError
from gardenpath.report import plain, render
from gardenpath.report.formats import shown
from gardenpath.report.plain_text import WIDTH, aligned, fitted, wrapped
from gardenpath.runs.result.layout import FindingIndex, opening, unfolded, worst_first
from gardenpath.runs.result.result import Finding, Result, Table, Verdict

RESULT = Result(
    "study:evaluate|version:1",
    findings=[
        Finding("evaluate", "de_gsd", "udpipe", "LAS", 0.8125, n=16, low=0.5, high=math.inf),
        Finding("evaluate", "de_gsd", "a\tb\\c", "UAS", math.nan, by={"deprel": "obj", "root": True}),
    ],
    tables=[
        Table("Scores", ["system", "LAS", "n"], [["udpipe", 0.8125, 16], ["stanza", None, 2]], digits=3, note="a note"),
        Table("", ["x"], [["y"]]),
    ],
    failures={"no parse": 2, "never": 0},
    details={"places": [{"at": "a:1", "share": math.nan}]},
)


def test_the_plain_table() -> None:
    assert render(RESULT, "table") == (
        "Scores\nsystem    LAS   n\n------  -----  --\nudpipe  0.812  16\nstanza          2\na note\n\n"
        "x\n-\ny\n\nfailures: no parse 2\nsignature: study:evaluate|version:1\n"
    )


def test_tsv_has_all_findings_and_all_digits() -> None:
    assert render(RESULT, "tsv") == (
        "study\tsuite\tsystem\tdeprel\troot\tmeasure\tvalue\tn\tlow\thigh\n"
        "evaluate\tde_gsd\tudpipe\t\t\tLAS\t0.8125\t16\t0.5\tinf\n"
        "evaluate\tde_gsd\ta\\tb\\\\c\tobj\ttrue\tUAS\tNaN\t\t\t\n"
    )


def test_json_has_everything_and_no_nan() -> None:
    found = json.loads(render(RESULT, "json"), parse_constant=pytest.fail)
    assert found == {
        "signature": "study:evaluate|version:1",
        "findings": [
            {"study": "evaluate", "suite": "de_gsd", "system": "udpipe", "measure": "LAS", "value": 0.8125, "n": 16,
             "low": 0.5, "high": None},
            {"study": "evaluate", "suite": "de_gsd", "system": "a\tb\\c", "deprel": "obj", "root": True,
             "measure": "UAS", "value": None, "n": None, "low": None, "high": None},
        ],
        "failures": {"no parse": 2, "never": 0},
        "places": [{"at": "a:1", "share": None}],
    }  # fmt: skip


def test_json_takes_numbers_of_numpy() -> None:
    details = {
        "a": np.float32("nan"),
        "b": np.int64(3),
        "c": np.array([1.0, np.inf]),
        "d": (np.bool_(True), {"e": -np.inf}),
    }
    found = json.loads(render(Result("s", details=details), "json"), parse_constant=pytest.fail)
    assert (found["a"], found["b"], found["c"], found["d"]) == (None, 3, [1.0, None], [True, {"e": None}])


def test_markdown() -> None:
    assert render(RESULT, "markdown") == (
        "**Scores**\n\n| system | LAS | n |\n| --- | ---: | ---: |\n| udpipe | 0.812 | 16 |\n| stanza |  | 2 |\n\n"
        "a note\n\n| x |\n| --- |\n| y |\n\nfailures: no parse 2\n\nsignature: `study:evaluate|version:1`\n"
    )


def test_latex() -> None:
    assert render(RESULT, "latex") == (
        "\\begin{table}\n\\centering\n\\begin{tabular}{lrr}\n\\toprule\nsystem & LAS & n \\\\\n\\midrule\n"
        "udpipe & 0.812 & 16 \\\\\nstanza &  & 2 \\\\\n\\bottomrule\n\\end{tabular}\n"
        "\\caption{Scores a note}\n\\end{table}\n\n"
        "\\begin{table}\n\\centering\n\\begin{tabular}{l}\n\\toprule\nx \\\\\n\\midrule\ny \\\\\n\\bottomrule\n"
        "\\end{tabular}\n\\end{table}\n\n% failures: no parse 2\n% signature: study:evaluate|version:1\n"
    )


def test_an_unknown_format_is_named() -> None:
    with pytest.raises(UsageError, match="unknown format 'jsn'\n  did you mean json"):
        render(RESULT, "jsn")


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, ""), (True, "yes"), (False, "no"), (3, "3"), (2.0, "2.00"), (-0.001, "0.00"), (math.nan, ""),
     (math.inf, "inf"), (1e6, "1000000.00"), ("a\tb\nc", "a b c")],
)  # fmt: skip
def test_values_as_a_table_shows_them(value: float | str | None, text: str) -> None:
    assert shown(value) == text


def test_wide_and_combining_characters_keep_columns_straight() -> None:
    table = Table("", ["word", "n"], [["狗", 1], ["e\u0301te\u0301", 22], ["कु", 3], ["ab\u200bc", 4], ["ＡＢＣ", 5]])
    assert plain(table).split("\n") == [
        "word     n",
        "------  --",
        "狗       1",
        "e\u0301te\u0301     22",
        "कु        3",
        "ab\u200bc      4",
        "ＡＢＣ   5",
    ]


def test_columns_of_yes_and_no_are_text_and_empty_tables_have_a_head() -> None:
    assert plain(Table("", ["right", "n"], [[True, 1], [False, None]])) == "right  n\n-----  -\nyes    1\nno"
    assert plain(Table("t", ["a", "b"], [])) == "t\na  b\n-  -"


def test_line_breaks_do_not_break_a_table() -> None:
    table = Table("", ["a\nb"], [["x\r\ny"]])
    assert plain(table) == "a b\n----\nx  y"
    for name in ("markdown", "latex"):
        assert "a b" in render(Result("s", tables=[table]), name)


def test_markdown_escapes_what_it_would_take_for_its_own() -> None:
    text = render(Result("s", tables=[Table("a*b", ["x|y"], [["_p_ `q` <r> \\s"]])]), "markdown")
    assert text.startswith("**a\\*b**\n\n| x\\|y |\n| --- |\n| \\_p\\_ \\`q\\` \\<r> \\\\s |\n")


def test_latex_escapes_what_it_would_take_for_its_own() -> None:
    rows = [["&%$#_{}~^\\<>"], ["[VF] x"], ["*"], ["a[b]*"]]
    lines = render(Result("s", tables=[Table("", ["x_y"], rows)]), "latex").split("\n")
    assert lines[4] == "x\\_y \\\\"
    assert lines[6] == (
        "\\&\\%\\$\\#\\_\\{\\}\\textasciitilde{}\\textasciicircum{}\\textbackslash{}\\textless{}\\textgreater{} \\\\"
    )
    assert lines[7:10] == ["{}[VF] x \\\\", "{}* \\\\", "a[b]* \\\\"]


def test_failures_cannot_leave_their_comment() -> None:
    text = render(Result("s", failures={"a\n\\input{x}": 1}), "latex")
    assert text == "% failures: a \\input{x} 1\n% signature: s\n"


def test_nothing_in_a_cell_can_steer_the_terminal() -> None:
    text = render(Result("s", tables=[Table("\x1b[31mt", ["a\x07"], [["\x1b]0;x\x07"]])]), "table")
    assert not set(text) & {"\x1b", "\x07"}


# ---- text for a terminal: columns that stand below each other, headings and sentences that fit


WORDS = st.lists(st.text("abcé本", min_size=1, max_size=30), min_size=1, max_size=40)


def test_headings_of_a_wide_table_are_broken_and_those_of_a_narrow_one_are_not() -> None:
    headers = ["measure", "udpipe:a-very-long-name.udpipe", "stanza:another/long_name"]
    narrow = aligned(headers, [["LAS", "55.00", "44.00"]], [False, True, True])
    assert narrow[0] == "measure  udpipe:a-very-long-name.udpipe  stanza:another/long_name"
    wide = aligned(headers, [["x" * 60, "55.00", "44.00"]], [False, True, True])
    assert [line.split() for line in wide[:2]] == [
        ["udpipe:a-very-long-", "stanza:another/"],
        ["measure", "name.udpipe", "long_name"],
    ]
    assert max(map(columns_of, wide)) <= WIDTH
    assert wide[-1].split() == ["x" * 60, "55.00", "44.00"]


def test_names_and_sentences_of_a_wide_table_go_on_in_the_next_line_and_numbers_do_not() -> None:
    rows = [["spacy:spacy-en_core_web_sm-3.8.0 " * 2, "[-45.45, -14.55]", "word " * 12, "1.00"], ["b", "", "c", "2.00"]]
    flush = [False, False, False, True]
    assert len(aligned(["parser", "95 %", "sentence", "bits"], rows, flush)) == 4  # a line for each, unless asked
    lines = aligned(["parser", "95 %", "sentence", "bits"], rows, flush, text=[True, False, True, False])
    assert max(map(columns_of, lines)) <= WIDTH
    assert all(("1.00" in line) == ("[-45.45, -14.55]" in line) for line in lines[2:])
    assert " ".join(" ".join(lines[2:-1]).split()).count("word") == 12
    assert lines[-1].split() == ["b", "c", "2.00"]


def test_columns_for_which_there_is_no_room_stand_below_with_the_names_again() -> None:
    headers = ["system", *[part for number in range(6) for part in (f"LAS {number}", "95 %")], "p"]
    rows = [[name, *["12.34", "[10.00, 20.00]"] * 6, "0.1234"] for name in ("udpipe:a", "udpipe:b")]
    right, tied = [header.startswith("LAS") for header in headers], [header == "95 %" for header in headers]
    text = [header == "system" for header in headers]
    lines = fitted(headers, rows, right, [(1, 1), (1, 11)], text=text, tied=tied)
    plain = [line.replace("\x1b[31m", "").replace("\x1b[0m", "") for line in lines]
    assert max(map(columns_of, plain)) <= WIDTH
    assert len(lines) == 8  # two blocks of a heading, a line, and two rows
    shown = [cell for line in plain for cell in re.findall(r"\[.*?\]|\S+", line) if line.startswith("udpipe:b")]
    assert [cell for cell in shown if cell != "udpipe:b"] == rows[1][1:]
    assert all(line.count("12.34") == line.count("[10.00, 20.00]") for line in plain)
    assert [line.count("\x1b[31m") for line in lines] == [0, 0, 0, 1, 0, 0, 0, 1]


def test_a_table_of_numbers_alone_has_its_first_column_again_and_one_that_fits_stays() -> None:
    row = ["12345.678"] * 15
    how = {"text": [False] * 15, "tied": [False] * 15}
    lines = fitted(list(map(str, range(15))), [row], [True] * 15, **how)
    assert max(map(columns_of, lines)) <= WIDTH
    assert sum(len(line.split()) for line in (lines[2], lines[5])) == 16
    assert lines[3].split()[0] == "0"
    assert fitted(["a"], [["1"]], [True], text=[False], tied=[False]) == aligned(["a"], [["1"]], [True])


def test_a_sentence_without_blanks_is_broken_between_its_characters() -> None:
    lines = fitted(["句", "bits"], [["春" * 120, "1.00"]], [False, True], text=[True, False], tied=[False, False])
    assert max(map(columns_of, lines)) <= WIDTH
    assert "".join(lines).count("春") == 120


def test_an_endless_word_is_broken_only_where_it_would_be_too_wide() -> None:
    assert aligned(["x" * 90], [["1"]], [True])[0] == "x" * 90
    lines = aligned(["x" * 120], [["1"]], [True])
    assert max(map(columns_of, lines)) <= WIDTH
    assert "".join(lines).count("x") == 120


@given(WORDS, st.sampled_from(["", "  "]))
def test_wrapping_keeps_every_word_and_the_width(words: list[str], indent: str) -> None:
    text = " ".join(words)
    lines = wrapped(text, indent)
    assert " ".join(line.removeprefix(indent if number else "") for number, line in enumerate(lines)) == text
    assert all(columns_of(line) <= WIDTH for line in lines)
    assert all(line.startswith(indent) for line in lines[1:])


def test_a_number_keeps_its_sign_and_an_interval_stays_whole() -> None:
    for start in range(70, 101):
        lines = wrapped("x" * start + " 77.5 % [71.8, 82.4] of 1,768 variants", "  ")
        assert "77.5 %" in "\n".join(lines)
        assert "[71.8, 82.4]" in "\n".join(lines)


@pytest.mark.parametrize("format", ["table", "markdown", "latex"])
def test_a_folded_table_is_counted_and_not_shown(format: str) -> None:
    tables = [Table("open", ["a"], [[1]]), *unfolded([Table("closed", ["b"], [[2]])], asked=False)]
    text = render(Result("s", tables=tables), format)
    assert "open" in text
    assert "closed" not in text
    assert ("1 more table: --by all" in text) == (format != "latex")
    assert "more table" not in render(Result("s", tables=unfolded(tables[:1], asked=True)), format)


def test_two_tables_open_a_result_and_those_that_matter_before_others() -> None:
    tables = [Table(name, ["a"], [[1]]) for name in "pqrs"]
    assert [table.title for table in opening([*tables, None], asked=False) if not table.folded] == ["p", "q"]
    first = opening(tables, asked=False, first=[tables[0], tables[3]])
    assert [(table.title, table.folded) for table in first] == [("p", False), ("q", True), ("r", True), ("s", False)]
    assert opening(tables, asked=True) == tables


def test_a_run_keeps_what_is_folded() -> None:
    from dataclasses import asdict

    result = Result("s", tables=unfolded([Table("closed", ["b"], [[2]])], asked=False))
    stored = {**result.as_json(), "tables": [asdict(table) for table in result.tables]}
    assert Result.from_json(stored).tables == result.tables
    assert Result.from_json(stored).open_tables == []


def test_the_worst_group_is_on_top_and_few_items_are_at_the_end() -> None:
    values = {"a": (80.0, 50), "b": (20.0, 50), "c": (0.0, 9), "d": (None, 50)}
    findings = [Finding("s", "x", "m", "las", value, n, by={"label": name}) for name, (value, n) in values.items()]
    ordered = worst_first(FindingIndex(findings), [{"label": name} for name in values], "las")
    assert [group["label"] for group in ordered] == ["b", "a", "c", "d"]


def test_verdicts_open_the_text_within_the_width() -> None:
    verdict = Verdict("word " * 30 + "end.", "shown", ())
    lines = render(Result("s", verdicts=[verdict]), "table").splitlines()
    assert lines[0].startswith("- word word")
    assert lines[1].startswith("  word")
    assert max(map(len, lines)) <= WIDTH
