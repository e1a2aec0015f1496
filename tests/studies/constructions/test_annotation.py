"""TEPACOC, Sections 1 and 2.7: people judge parses by the error classes.

Oracles: classes given by hand, statsmodels' kappa, the package krippendorff, a reader of CSV.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from two_halves import half, with_mistakes

from gardenpath.errors import InputError, UsageError
from gardenpath.phrase import from_notation
from gardenpath.runs.record.run import Run
from gardenpath.runs.result.result import Result
from gardenpath.studies.constructions.annotation import choices, read_sheets, sheet_text
from gardenpath.studies.constructions.declaration import ConstructionsSettings
from gardenpath.studies.constructions.study import CONSTRUCTIONS
from gardenpath.studies.engine.phrase_trees import PHRASES, JudgedPhrases, read_judged
from gardenpath.studies.engine.study import run

SUITE = half("tiger", 60)
SYSTEMS = {"careless": with_mistakes(SUITE, 0.6), "careful": with_mistakes(SUITE, 0.0)}
PHENOMENA = {(SUITE.name, item.item): item.construction.phenomenon for item in SUITE.items}
Row = dict[str, str]


def judged(*sheets: Path) -> Result:
    return run(CONSTRUCTIONS, SUITE, SYSTEMS, ConstructionsSettings(judgements=tuple(map(str, sheets))))


@pytest.fixture(scope="module")
def items(tmp_path_factory: pytest.TempPathFactory) -> list[JudgedPhrases]:
    folder = tmp_path_factory.mktemp("runs") / "run"
    run(CONSTRUCTIONS, SUITE, SYSTEMS, ConstructionsSettings(), folder=folder)
    assert Run.load(folder).finished
    return list(read_judged(folder / PHRASES))


def rows_of(text: str, separator: str = "\t") -> list[Row]:
    return list(csv.DictReader(io.StringIO(text, newline=""), delimiter=separator))


@pytest.fixture
def fill(items: list[JudgedPhrases], tmp_path: Path) -> Callable[[str, Callable[[Row], str]], Path]:
    """A filled sheet: the class of each row by a function of the row."""

    def filled(annotator: str, judge: Callable[[Row], str], separator: str = "\t") -> Path:
        path = tmp_path / f"{annotator}.tsv"
        rows = [{**row, "class": judge(row)} for row in rows_of(sheet_text(items, PHENOMENA, {}))]
        text = io.StringIO()
        writer = csv.DictWriter(text, rows[0], delimiter=separator, quoting=csv.QUOTE_ALL)
        writer.writeheader()
        writer.writerows(rows)
        path.write_text(text.getvalue(), encoding="utf-8")
        return path

    return filled


def by_trees(row: Row) -> str:
    """The judgement of someone who sees only whether the trees are the same: right, or the first class."""
    return "right" if row["gold"] == row["parse"] else choices(row["phenomenon"], "tiger")[1]


def erring(every: int) -> Callable[[Row], str]:
    """The same, but every so many rows (by id) are called right."""
    return lambda row: "right" if int(row["id"], 16) % every == 0 else by_trees(row)


def values(result: Result, measure: str, **by: str) -> dict[str, Any]:
    return {f.system: f.value for f in result.findings if f.measure == measure and dict(f.by) == by}


def test_a_sheet_is_blind_and_shuffled_by_its_seed(items: list[JudgedPhrases]) -> None:
    text = sheet_text(items, PHENOMENA, {}, seed=1)
    rows, again = rows_of(text), rows_of(sheet_text(items, PHENOMENA, {}, seed=2))
    assert "careless" not in text
    assert {row["class"] for row in rows} == {row["others"] for row in rows} == {""}
    order = [row["id"] for row in rows]
    assert order != [row["id"] for row in again]
    assert sorted(order) == sorted(row["id"] for row in again)
    assert sheet_text(items, PHENOMENA, {}, seed=1) == text
    spoiled = sum(one != two for one, two in zip(*SYSTEMS.values(), strict=True))
    assert len(order) == len(set(order)) == len(SUITE.items) + spoiled  # what both parsed alike is one row
    assert "D: wrong attachment" in next(row["classes"] for row in rows if row["phenomenon"] == "ppn")
    assert not any("E: span wrong" in row["classes"] for row in rows)  # only in TüBa-D/Z


def test_a_single_sheet_takes_the_place_of_the_rules(fill: Callable[..., Path]) -> None:
    result = judged(fill("anna", by_trees))
    spoiled = sum(one != two for one, two in zip(*SYSTEMS.values(), strict=True))
    assert values(result, "accuracy") == {
        "careless": pytest.approx(100 - 100 * spoiled / len(SUITE.items)), "careful": 100.0,
    }  # fmt: skip
    (performance, _) = result.judged
    assert {verdict.flags for verdict in performance.verdicts} == {("by-hand",)}
    assert "judgements:anna#" in result.signature
    agreed = [one == two for one, two in zip(performance.people["anna"], performance.people["the rules"], strict=True)]
    shares = values(result, "agreement", annotators="anna and the rules")
    assert shares["careless"] == pytest.approx(100 * sum(agreed) / len(agreed))


def test_agreement_of_two_and_of_three(fill: Callable[..., Path]) -> None:
    rater: Any = pytest.importorskip("statsmodels.stats.inter_rater", reason="needs statsmodels (extra dev)")
    package: Any = pytest.importorskip("krippendorff", reason="needs the package krippendorff (extra dev)")
    sheets = [fill("anna", by_trees), fill("ben", erring(3)), fill("cleo", erring(4))]
    result = judged(*sheets)
    (performance, _) = result.judged
    given = [performance.people[name] for name in ("anna", "ben", "cleo")]
    names = sorted({code for column in given for code in column})
    pairs = list(zip(given[0], given[1], strict=True))
    table = [[pairs.count((one, two)) for two in names] for one in names]
    assert values(result, "kappa", annotators="anna and ben")["careless"] == pytest.approx(
        rater.cohens_kappa(table, return_results=False)
    )
    codes = [[names.index(code) for code in column] for column in given]
    alpha = values(result, "alpha", annotators="anna and ben and cleo")["careless"]
    assert alpha == pytest.approx(package.alpha(codes, level_of_measurement="nominal"))
    rules = {performance.system: performance.verdicts for performance in judged(sheets[0], sheets[1]).judged}
    assert all("by-hand" not in verdict.flags for verdicts in rules.values() for verdict in verdicts)


def test_adjudication(items: list[JudgedPhrases], fill: Callable[..., Path], tmp_path: Path) -> None:
    sheets = read_sheets([str(fill("anna", by_trees)), str(fill("ben", erring(2)))])
    rows = rows_of(sheet_text(items, PHENOMENA, sheets))
    disputed = [key for key, code in sheets["anna"].items() if sheets["ben"][key] != code]
    assert disputed
    assert {row["id"] for row in rows[: len(disputed)]} == set(disputed)
    assert all(not row["class"] and "anna: " in row["others"] for row in rows[: len(disputed)])
    assert all(row["class"] == sheets["anna"][row["id"]] for row in rows[len(disputed) :])
    final = tmp_path / "final.tsv"
    text = "id\tphenomenon\tclass\n"
    final.write_text(text + "".join(f"{row['id']}\t{row['phenomenon']}\t{row['class'] or 'right'}\n" for row in rows))
    result = judged(final)
    wrong = sum(bool(row["class"]) and row["class"] != "right" for row in rows)
    assert values(result, "accuracy")["careless"] == pytest.approx(100 - 100 * wrong / len(SUITE.items))


def test_a_sheet_that_a_spreadsheet_saved_with_commas(fill: Callable[..., Path]) -> None:
    tabs, commas = fill("anna", by_trees), fill("ben", lambda row: by_trees(row).upper(), ",")
    sheets = read_sheets([str(tabs), str(commas)])
    assert sheets["anna"] == sheets["ben"]


def test_no_cell_is_a_formula_and_quotes_stay_in_their_cell() -> None:
    tree = from_notation('(S (NN:SB =1+2) (VVFIN:HD ") (PP:MO (APPR:AC @a) (NN:NK b)))')
    item = JudgedPhrases("s", "tiger", "ppv-001", tree, {"p": tree}, (0, 2))
    text = sheet_text([item, item], {("s", "ppv-001"): "ppv"}, {"=cmd": {}})
    (row,) = rows_of(text)
    assert not any(str(value).lstrip().startswith(("=", "@")) for value in row.values())
    assert row["sentence"].endswith('1+2 " @a b')


SHEET: Mapping[str, str] = {"id": "1", "phenomenon": "ppn", "class": "D"}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"class": "Z"}, "2: 'Z' is not a class of ppn"),
        ({"phenomenon": "pp"}, "2: unknown phenomenon 'pp'"),
        ({"class": ""}, "no row of this sheet has a class"),
    ],
)
def test_a_sheet_that_cannot_be_read(tmp_path: Path, change: Mapping[str, str], message: str) -> None:
    path = tmp_path / "anna.tsv"
    row = {**SHEET, **change}
    path.write_text("\t".join(row) + "\n" + "\t".join(row.values()) + "\n")
    with pytest.raises(InputError, match=message):
        read_sheets([str(path)])


def test_other_sheets_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "anna.tsv"
    path.write_text("a\tb\n1\t2\n")
    with pytest.raises(InputError, match="not a sheet"):
        read_sheets([str(path)])
    path.write_text("id\tphenomenon\tclass\n1\tppn\tD\n1\tppn\tD\n")
    with pytest.raises(InputError, match="3: the row 1 occurs twice"):
        read_sheets([str(path)])
    path.write_text("id\tphenomenon\tclass\n1\tppn\tD\n")
    with pytest.raises(UsageError, match="same name"):
        read_sheets([str(path), str(path)])
    with pytest.raises(UsageError, match="no row of this sheet belongs"):
        judged(path)
