"""Figures of an evaluation on phrase trees: what the findings say, as SVG, PDF and data."""

from __future__ import annotations

from pathlib import Path

from gardenpath.phrase import from_notation
from gardenpath.report.figures import figures_of, save_figures
from gardenpath.runs.result.result import Result
from gardenpath.studies.engine.study import run
from gardenpath.studies.evaluation.declaration import PHRASE_GROUPINGS, BracketSettings
from gardenpath.studies.evaluation.phrase_study import BRACKETS

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
