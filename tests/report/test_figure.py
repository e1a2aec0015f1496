"""Figures as files: what is drawn, the data behind it, and names that stay in their folder."""

from __future__ import annotations

from pathlib import Path

import altair
import pytest

from gardenpath.report.figures import figures_of
from gardenpath.report.figures.figure import Figure, save
from gardenpath.runs.result.result import Result

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
