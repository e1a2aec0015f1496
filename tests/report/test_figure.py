"""Figures as files: what is drawn, the data behind it, and names that stay in their folder."""

from __future__ import annotations

from pathlib import Path

import altair
import pytest

from gardenpath.phrase import from_notation
from gardenpath.report.figures import figures_of, save_figures
from gardenpath.report.figures.figure import Figure, save
from gardenpath.report.figures.intervals import GREY, fields_text, finding_rows, interval_chart
from gardenpath.runs.result.result import Finding, Result
from gardenpath.studies.engine.study import run
from gardenpath.studies.evaluation.declaration import PHRASE_GROUPINGS, BracketSettings
from gardenpath.studies.evaluation.phrase_study import BRACKETS

ROWS = [{"place": number, "share": number / 10, "split": "<b>train</b>\t"} for number in range(4)]


def chart(rows: list[dict[str, object]]) -> altair.Chart:
    return altair.Chart(altair.Data(values=rows)).mark_line().encode(x="place:Q", y="share:Q", color="split:N")


def test_svg_pdf_and_data(tmp_path: Path) -> None:
    rule = altair.Chart(altair.Data(values=[{"mean": 1.5}])).mark_rule().encode(x="mean:Q")
    written = save([Figure("shares", "Shares of places", "Four places.", altair.layer(chart(ROWS), rule))], tmp_path)
    assert [path.name for path in written] == ["shares.svg", "shares.pdf", "shares.tsv", "shares-2.tsv"]
    svg = (tmp_path / "shares.svg").read_text("utf-8")
    assert "Shares of places" in svg
    assert "&lt;b&gt;train" in svg
    assert "<b>" not in svg
    assert (tmp_path / "shares.pdf").read_bytes().startswith(b"%PDF")
    first = (tmp_path / "shares.tsv").read_text("utf-8").splitlines()
    assert first[:2] == ["place\tshare\tsplit", "0\t0.0\t<b>train</b>\\t"]
    assert (tmp_path / "shares-2.tsv").read_text("utf-8") == "mean\n1.5\n"


@pytest.mark.parametrize("name", ["../out", "/etc/passwd", "a/b", "..", ""])
def test_a_name_cannot_leave_the_folder(tmp_path: Path, name: str) -> None:
    for path in save([Figure(name, "", "", chart(ROWS))], tmp_path / "figures"):
        assert path.parent == tmp_path / "figures"
        assert path.is_file()


def test_data_that_two_layers_share_is_written_once() -> None:
    both = altair.layer(chart(ROWS), chart(ROWS).mark_point())
    assert Figure("x", "", "", both).data == [ROWS]


def test_nothing_is_loaded_from_anywhere() -> None:
    spec = Figure("x", "title", "", chart(ROWS)).spec
    assert "url" not in str(spec["data"])
    assert spec["title"] == "title"


def test_a_result_without_figures() -> None:
    assert figures_of(Result("none")) == []


# ---- points with intervals: every group says its n, and what rests on fewer than ten is grey


SIZES = {("a", "x"): 120, ("a", "y"): 7, ("b", "x"): 120, ("b", "y"): 9}
FINDINGS = [
    Finding("other", "s", f"kind:models/{system}", "las", 50.0, n, 40.0, 60.0, by={"order": group})
    for (system, group), n in SIZES.items()
]


def test_n_stands_at_its_group_and_tiny_n_is_grey() -> None:
    rows = finding_rows(FINDINGS)
    assert {row["system"] for row in rows} == {"kind:a", "kind:b"}
    figure = Figure("f", "", "", interval_chart(rows, "order", "LAS", title="order"))
    assert {row["group_and_n"] for row in figure.data[0]} == {"x (n\u00a0120)", "y (n\u00a07–9)"}
    svg = figure._repr_svg_()
    assert svg.count(f'stroke="{GREY}"') == 2  # two intervals
    assert svg.count(f'fill="{GREY}"') == 2  # and two points
    assert "y (n\u00a07–9)" in svg


@pytest.mark.parametrize(
    ("text", "shown"),
    [("VF[ADV]LK[V]MF[OS]", "[adv] [verb] [obj subj]"), ("SVO", "SVO"), ("MF[SO]VC[V]", "[subj obj] [verb]")],
)  # fmt: skip
def test_orders_are_shown_by_their_fields(text: str, shown: str) -> None:
    assert fields_text(text) == shown


# ---- figures of an evaluation on phrase trees: what the findings say, as SVG, PDF and data


GOLD = [
    "(S (NP:SB (ART:NK Die) (NN:NK Katze)) (VVFIN:HD sieht) (NP:OA (ART:NK den) (NN:NK Hund))) ($. .)",
    "(S (PPER:SB Er) (VVFIN:HD bellt) (PP:MO (APPRART:AC am) (NN:NK Zaun))) ($. .)",
]
PARSED = [
    "(S (NP:OA (ART:NK Die) (NN:NK Katze)) (VVFIN:HD sieht) (NP:SB (ART:NK den) (NN:NK Hund))) ($. .)",
    "(S (PPER:SB Er) (VVFIN:HD bellt) (APPRART:AC am) (NN:NK Zaun)) ($. .)",
]


def evaluated() -> Result:
    gold, parsed = ([from_notation(line, str(n)) for n, line in enumerate(lines)] for lines in (GOLD, PARSED))
    return run(BRACKETS, gold, {"a": parsed, "b": gold}, BracketSettings(scheme="tiger", by=PHRASE_GROUPINGS))


def test_every_figure_is_drawn_and_has_its_data(tmp_path: Path) -> None:
    result = evaluated()
    names = [figure.name for figure in figures_of(result)]
    assert names == ["brackets-measures", "brackets-length", "brackets-label", "brackets-function"]
    save_figures(result, tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {
        f"{name}.{kind}" for name in names for kind in ("svg", "pdf", "tsv")
    }
    header, *rows = (tmp_path / "brackets-measures.tsv").read_text("utf-8").splitlines()
    cells = [dict(zip(header.split("\t"), row.split("\t"), strict=True)) for row in rows]
    f1 = {row["system"]: float(row["value"]) for row in cells if row["measure"] == "labelled F1"}
    found = {one.system: one.value for one in result.findings if one.measure == "f1" and not one.by}
    assert f1 == found
    assert "crossing brackets per sentence" not in {row["measure"] for row in cells}


def test_without_groups_there_is_one_figure() -> None:
    gold = [from_notation(GOLD[0], "1")]
    result = run(BRACKETS, gold, {"a": gold}, BracketSettings())
    assert [figure.name for figure in figures_of(result)] == ["brackets-measures"]
