"""Tables in the five formats, letter by letter."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from gardenpath.errors import UsageError
from gardenpath.report import plain, render
from gardenpath.report.formats import shown
from gardenpath.runs.result.result import Finding, Result, Table

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
