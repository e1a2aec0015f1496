"""The paper's layout: test treebanks side by side, its denominators, NA where there is no batch."""

from __future__ import annotations

from batch_cases import asked, judged, told

from gardenpath.runs.result.result import Finding
from gardenpath.studies.consistency.declaration import ConsistencySettings
from gardenpath.studies.consistency.tables import PaperTables

BY = {"perturbation": "numerals", "order": "surface"}


def _counts(treebank: str, originals: tuple[int, ...], variants: tuple[int, ...]) -> list[Finding]:
    return [
        Finding("consistency", treebank, "x", f"{kind}{measure}", value, by=BY)
        for kind, counts in (("originals", originals), ("variants", variants))
        for measure, value in zip(("", "_wrong_segmentation", "_considered", "_right"), counts, strict=True)
    ]


def test_table_6_of_the_paper() -> None:
    """English: 235 originals, 5 of them cut in several, 230 right; no original of the 14 of dev."""
    findings = _counts("train", (235, 5, 230, 230), (11500, 0, 11500, 11452))
    findings += _counts("dev", (14, 0, 14, 0), (700, 0, 700, 0))
    shown = PaperTables(findings, ["train", "dev"], "numerals", "surface").counts("x", "Table 6")
    assert list(shown.columns) == ["metric", "train", "dev"]
    assert [row[1:] for row in shown.rows] == [
        [235, 14], [5, 0], [230, 14], [230, 0], ["100.0%", "0.0%"],
        [11500, 700], [0, 0], [11500, 700], [11452, 0], ["99.6%", "0.0%"],
    ]  # fmt: skip
    assert shown.rows[2][0] == "Original considered"
    assert "Table 6" in shown.note
    constant = PaperTables(findings, ["train"], "numerals", "surface").counts(
        "x", "Table 7", {"originals": "Substituted"}
    )
    assert [row[0] for row in constant.rows][:1] == ["Substituted in total"]
    assert len(constant.rows) == 5


def test_the_five_questions_in_its_layout() -> None:
    steady, split = ["gold"] * 6, ["gold", "gold", "label", "gold", "gold", "gold"]
    given = asked(list("ab"))
    result, _ = judged(given, {"x": told(given, {"a": steady, "b": split})}, ConsistencySettings(by=("paper",)))
    (shown,) = [table for table in result.tables if table.title.startswith("Detailed analysis")]
    assert not shown.folded
    cells = {row[0].strip(): row[1:] for row in shown.rows if row[0].strip().endswith((")", "considered"))}
    assert cells["Batches considered"] == [2, 0]
    assert cells["Completely corr. batches (Q1)"] == [1, "NA"]
    assert cells["Median (Min - Max)"][1] == "NA"  # the last one: there is no original that was parsed wrong
    means = [row[1] for row in shown.rows if row[0] == "  Mean (SD)"]
    assert means[1] == "2 (0)"  # clusters of the only batch with several parses
    folded = judged(given, {"x": told(given, {"a": steady, "b": split})}, ConsistencySettings())[0]
    assert all(table.folded for table in folded.tables if "Laid out as" in table.note)
