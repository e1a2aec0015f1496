"""The ledger: lines, verdicts, outcomes, the command and the documentation."""

from __future__ import annotations

import csv
import math
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import gardenpath as gp
from gardenpath.errors import UsageError
from gardenpath.runs.result.result import Finding
from gardenpath_papers.ledger import (
    ARITHMETIC,
    IMPOSSIBLE,
    INPUT,
    OTHER_DATA,
    RECOMPUTED,
    VERDICTS,
    Line,
    selected,
    settled,
    shown,
)
from gardenpath_papers.paper import PAPERS, papers_called, published, reproduce

DOCS = Path(__file__).resolve().parents[2] / "docs"

# Worked out from the papers: rows × columns, less what is empty or NA; a cell with a mean, its deviation and its
# range holds as many numbers. Tables that are not here print examples or definitions and no numbers.
DETAILS = 18  # batches, Q1 and Q3; mean, deviation, median, least and largest of Q2, Q4 and Q5
SIZES = {
    "sorts": {
        "Table 2": 6 * 3, "Table 2, caption": 5, "Table 4": 4 * 2, "Table 6": 7 * 3, "Table 7": 25 * 7,
        "Table 8": 25 * 6, "Table 9": 27 * 6, "Table 10": 27 * 6,
    },
    "mandarin": {
        "Table 1": 6 * 4, "Table 2": 24, "Table 3a": 4 * 3, "Table 3b": 5 * 2, "Table 4": 2 * 2,
        "Table 5": 4 * 3 * 2, "Table 6": 10 * 6,
    },
    "consistency": {
        "Table 1": 10 * 8, "Table 6": 10 * 8, "Table 7": 5 * 8,
        "Table 2": 4 * DETAILS - 11, "Table 3": 4 * DETAILS, "Table 4": 4 * DETAILS, "Table 5": 4 * DETAILS - 11,
        "Table 8": 4 * DETAILS - 2 * 17, "Table 9": 4 * DETAILS - 2 * 11, "Table 10": 4 * DETAILS,
        "Table 11": 4 * DETAILS - 11 - 10,
    },
    "edv": {
        "Table 1": 12 * 3, "Table 2": 16 * 2, "Table 3": 14 * 2, "Table 4": 6 * 7, "Table 5": 2 * (4 + 8 + 8),
        "Table 6": 12 * 8, "Table 7": 10 * 7, "Table 7, caption": 6, "Table B.1": 4 * 5, "Table D.1": 6 * (4 * 2 + 1),
        "Table D.1, caption": 3, "Figure 7": 4, "Figure 8": 6, "Figure 9": 1, "Figure 12": 2, "Figure 13": 2,
        "Figure A.3": 4, "Figure A.6": 6,
    },
    "tepacoc": {},
}  # fmt: skip


@pytest.mark.parametrize("paper", PAPERS)
def test_every_table_has_as_many_lines_as_numbers(paper: str, ledger_of: Callable[[str], list[Line]]) -> None:
    ledger = ledger_of(paper)
    assert Counter(line.table for line in ledger if line.kind == "cell") == SIZES[paper]
    places = Counter(line.place for line in ledger if line.kind in ("cell", "text"))
    assert [place for place, count in places.items() if count > 1] == []


def test_sizes_of_all_papers() -> None:
    assert {paper: sum(sizes.values()) for paper, sizes in SIZES.items()} == {
        "sorts": 701, "mandarin": 158, "consistency": 677, "edv": 452, "tepacoc": 0,
    }  # fmt: skip


# ---- the docs


def ledger_of_the_docs() -> list[dict[str, str]]:
    with (DOCS / "reproduction.tsv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


@pytest.mark.parametrize("paper", ["sorts", "mandarin", "consistency", "edv"])  # tepacoc trains for 40 seconds
def test_the_ledger_of_the_docs_is_what_the_command_writes(paper: str, ledger_of: Callable[[str], list[Line]]) -> None:
    names = ("system", "table", "row", "measure", "kind", "printed", "verdict", "outcome", "why")
    made = [line for line in ledger_of(paper) if line.published]
    shown = [row for row in ledger_of_the_docs() if row["suite"] == paper]
    if paper == "mandarin":  # of whose mixed models a part is fitted here
        pairs = list(zip(shown, made, strict=True))
        kept = [(row, line) for row, line in pairs if line.ours is not None or not row["value"]]
        shown, made = [row for row, _ in kept], [line for _, line in kept]
        assert len(made) > 200
    flat_lines = [line.finding(paper).flat() for line in made]
    assert [[row[name] for name in names] for row in shown] == [[row[name] for name in names] for row in flat_lines]
    values = [float(row["value"] or "nan") for row in shown]
    expected = [math.nan if line.ours is None else line.ours for line in made]
    assert values == pytest.approx(expected, rel=1e-4, abs=1e-6, nan_ok=True)


def test_the_counts_of_the_docs_are_those_of_the_ledger() -> None:
    numbers_of = [row for row in ledger_of_the_docs() if row["kind"] in ("cell", "text")]
    page = (DOCS / "reproduction.md").read_text(encoding="utf-8")
    for name, title in {**{name: paper.title for name, paper in PAPERS.items()}, "all": "all"}.items():
        part = [row for row in numbers_of if name in ("all", row["suite"])]
        verdicts = Counter(row["verdict"] for row in part)
        differ = sum(row["outcome"] == "differs" for row in part)
        cells = [len(part), *(verdicts[verdict] for verdict in VERDICTS), differ]
        assert f"| {title} | {' | '.join(map(str, cells))} |\n" in page
    recomputed = sum(row["verdict"] == RECOMPUTED for row in numbers_of)
    readme = (DOCS.parent / "README.md").read_text(encoding="utf-8")
    assert f"recomputes {recomputed} of the {len(numbers_of):,} numbers" in readme


# ---- the papers' texts


def numbers(text: str) -> Counter[str]:
    """The numbers of a piece of a paper, without marks of structure: labels and indices are taken out before."""
    text = re.sub(r"</?\w+>|[*†]", "", text).replace("−", "-")
    text = re.sub(r"(?<=\d),(?=\d{3}\b)", "", text)
    return Counter(re.findall(r"(?<![\w.])[-<]?\d+(?:\.\d+)?(?![\w.]*\d)", text))


def between(text: str, start: str, end: str) -> str:
    first = text.index(start)
    return text[first : text.index(end, first)]


@pytest.fixture(scope="module")
def paper_text(shared: Path) -> Callable[[str], str]:
    folder = shared.parent / "papers"
    if not folder.is_dir():
        pytest.skip("needs the texts of the papers beside the shared data")
    return lambda name: (folder / f"{name}.txt").read_text(encoding="utf-8")


def flat(value: object) -> list[str]:
    if isinstance(value, dict):
        return [text for key, inner in value.items() if key != "system" for text in flat(inner)]
    return [text for inner in value for text in flat(inner)] if isinstance(value, list) else [str(value)]


@pytest.mark.parametrize(
    ("table", "start", "end"),
    [
        ("table2", "Word order\tFrequency", "Table 2: Relative"),
        ("table4", "Subject\tObject\tFrequency", "Table 4: Relative"),
        ("table6", "Subject-first\t69.07", "Table 6: Subject-object"),
        ("table7", "Property (frequency)\tParser\tBaseline\tBaseline", "Table 7: Property-specific"),
        ("table8", "Parser \\ Property", "Table 8: Property-specific"),
        ("table9", "Property (frequency)\tParser\tBaseline +PMIs", "Table 9: Property-specific"),
        ("table10", "Parser Property", "Table 10: Property-specific"),
    ],
)
def test_numbers_of_sorts(table: str, start: str, end: str, paper_text: Callable[[str], str]) -> None:
    text = re.sub(r"sticker\d", "", between(paper_text("sorts"), start, end)).replace("(", " ")
    assert numbers(text) == Counter(flat(published("sorts")[table]))


@pytest.mark.parametrize("table", ["1", "6", "7"])
def test_numbers_of_consistency(table: str, paper_text: Callable[[str], str]) -> None:
    text = paper_text("consistency")
    before = text[: text.index(f"\nTable {table}: ")]
    cells = before[before.rindex("Metric\t") :].replace("%", "")
    assert numbers(cells) == Counter(flat(published("consistency")[f"table{table}"]))


@pytest.mark.parametrize("table", ["2", "3", "4", "5", "8", "9", "10", "11"])
def test_numbers_of_the_details(table: str, paper_text: Callable[[str], str]) -> None:
    text = paper_text("consistency")
    before = text[: text.index(f"\nTable {table}: ")]
    rows = [line.split("\t", 1)[1] for line in before[before.rindex("Metric\t") :].splitlines()[2:] if "\t" in line]
    printed = numbers("\n".join(rows).replace(" - ", " ").replace("(", " "))
    assert printed == Counter(text for text in flat(published("consistency")["details"][table]) if text)


@pytest.mark.parametrize(
    ("table", "start", "end"),
    [
        ("table1", "Variable\tW\tp-value", "Parser\tVariable"),
        ("table2", "Parser\tVariable\t", "Table 2\n"),
        ("table3", "Parser\tVariables\t", "Table 3\n"),
        ("table4", "Parser\tCovariant(s)", "Table 5\n"),
        ("table5", "Parser\tVariables\tAdj.", "respect to LAS for"),
        ("table6", "Parser\tSet\t", "biases (outside"),
        ("table7", "Variable\tTarget\t", "EDV and UD"),
        ("tableB1", "Data\tVariable\t", "Figure B.1"),
        ("tableD1", "2K Sample", "Figure D.1"),
    ],
)
def test_numbers_of_edv(table: str, start: str, end: str, paper_text: Callable[[str], str]) -> None:
    """True and False are 1 and 0 in our file; names of parsers and releases, exponents and a stray 1 are none."""
    text = between(paper_text("edv"), start, end)
    text = re.sub(r"UDPipe \d\.\d|UD v2\.\d|\d[Kk] Sample|CI95|\^2|^1(?=\t)", " ", text, flags=re.MULTILINE)
    text = re.sub(r"(?<=\d),(?=\d{3}\b)", "", text).replace("< 0", "<0").replace("True", "1").replace("False", "0")
    assert numbers(re.sub(r"[\[\](),{}&$]", " ", text)) == Counter(flat(published("edv")[table]))


@pytest.mark.parametrize(
    ("table", "start"),
    [("table3a", "Model\t# layers"), ("table3", "Model\tСТВ\tXinhua"), ("table5", "Model\tSingle SRC"),
     ("table6", "Model\tCLASSIFIER-NOUN\t")],
)  # fmt: skip
def test_numbers_of_mandarin(table: str, start: str, paper_text: Callable[[str], str]) -> None:
    text = between(paper_text("mandarin"), start, "(a)" if table == "table3a" else "Table ")
    stars = [str(len(marks)) for marks in re.findall(r"(?<=\d)(\**)(?=\s)", text)] if table == "table5" else []
    assert numbers(text) + Counter(stars) == Counter(flat(published("mandarin")[table]))


@pytest.mark.parametrize(
    ("printed", "ours", "outcome"),
    [
        ("69.07", 69.0749, "equal"),
        ("69.07", 69.0651, "equal"),
        ("69.07", 69.0759, "differs"),
        ("0.58", 0.5830, "equal"),
        ("7663", 7663, "equal"),
        ("7663", 7664, "differs"),
        ("-4.3", -4.34, "equal"),
        ("5", 5.4, "equal"),
        ("<0.001", 0.0009, "equal"),
        ("<0.001", 0.0011, "differs"),
        ("1", None, ""),
    ],
)
def test_equal_means_to_the_last_printed_digit(printed: str, ours: float | None, outcome: str) -> None:
    assert Line("Table 1", "row", "las", printed, ours).outcome == outcome


def test_other_data_is_never_called_equal() -> None:
    line = Line("t", "r", "las", "1.0", 1.0, basis=OTHER_DATA)
    assert (line.verdict, line.outcome) == (OTHER_DATA, "")


def test_slack_for_numbers_that_are_made_of_rounded_ones() -> None:
    assert Line("t", "r", "las", "70.79", 70.7955).outcome == "differs"
    assert Line("t", "r", "las", "70.79", 70.7955, slack=0.006).outcome == "equal"


def test_without_a_number_of_ours_it_is_impossible_unless_it_is_an_input() -> None:
    assert Line("t", "r", "las", "1", None, basis=ARITHMETIC).verdict == IMPOSSIBLE
    assert Line("t", "r", "las", "1", None, basis=INPUT).verdict == INPUT
    assert Line("t", "r", "las", "", 1.0).verdict == "not printed"


def test_a_finding_says_all_of_it() -> None:
    flat = Line("Table 6", "amb", "las", "70.42", 70.5, system="x", why="because").finding("sorts").flat()
    assert flat["published"] == 70.42
    assert flat["difference"] == pytest.approx(0.08)
    assert (flat["suite"], flat["value"], flat["verdict"], flat["outcome"]) == ("sorts", 70.5, "recomputed", "differs")
    assert (flat["printed"], flat["why"]) == ("70.42", "because")


def test_a_printed_number_is_counted_once_under_its_first_verdict() -> None:
    given = Line("Table 1", "row", "las", "1.0", None, basis=INPUT)
    elsewhere = Line("Table 1", "row", "las", "1.0", 1.2, basis=OTHER_DATA)
    made = Line("Table 1", "row", "las", "1.0", 1.0, basis=ARITHMETIC)
    ledger = settled([given, elsewhere, made, replace(made, kind="check"), Line("Section 1", "row", "las", "1.0", 1.0)])
    assert [(line.kind, line.verdict) for line in ledger] == [
        ("cell", ARITHMETIC), ("again", OTHER_DATA), ("check", ARITHMETIC), ("text", "recomputed"),
    ]  # fmt: skip
    assert [line.verdict for line in settled([given])] == [INPUT]
    assert [line.kind for line in settled([Line("t", "r", "las", "", 1.0)] * 2)] == ["ours", "ours"]


def a_ledger() -> list[Finding]:
    """Table 1: two recomputed, one of which differs, and one impossible; Table 10: an input; a check; one of ours."""
    lines = [
        Line("Table 10", "a", "las", "3", None, basis=INPUT, why="it is given"),
        Line("Table 1", "a", "las", "1.0", 1.0),
        Line("Table 1", "b", "las", "1.0", 2.0),
        Line("Table 1", "c", "las", "1.0", None, why="no data"),
        Line("Table 1", "sum", "las", "2.0", 2.0, basis=ARITHMETIC, kind="check"),
        Line("Table 1", "d", "las", "", 1.25, system="x"),
    ]  # fmt: skip
    return [line.finding("paper") for line in settled(lines)]


def test_counts_differences_and_reasons() -> None:
    counts, different, reasons = shown("Paper", a_ledger(), lines=False)
    assert counts.rows == [
        ["Table 1", 3, 2, 0, 0, 0, 1, 1],
        ["Table 10", 1, 0, 0, 0, 1, 0, 0],
        ["all", 4, 2, 0, 0, 1, 1, 1],
    ]
    assert "4 numbers in tables and figures, 0 in the text; 1 checks" in counts.note
    assert [row[:3] for row in different.rows] == [["Table 1", "b", "las"]]
    assert list(reasons.rows) == [("impossible here", 1, "no data"), ("published input", 1, "it is given")]


def test_lines_of_a_table_and_of_a_verdict() -> None:
    _, own, numbers, checks = shown("Paper", selected(a_ledger(), ["table 1"], []), lines=True)
    assert (list(own.columns), own.rows) == (["row", "measure", "x"], [["d", "las", 1.25]])
    assert [row[0] for row in numbers.rows] == ["a", "b", "c"]
    assert "system" not in numbers.columns
    assert checks.title == "Table 1: checks"
    assert [finding.by["table"] for finding in selected(a_ledger(), [], [INPUT])] == ["Table 10"]
    with pytest.raises(UsageError, match="unknown table 'Table 2'"):
        selected(a_ledger(), ["Table 2"], [])
    with pytest.raises(UsageError, match="no line of Table 1 is published input"):
        selected(a_ledger(), ["Table 1"], [INPUT])
    with pytest.raises(UsageError, match="unknown verdict 'equal'"):
        reproduce([], lambda name: pytest.fail(name), verdicts=["equal"])


def test_several_papers_begin_with_an_overview(monkeypatch: pytest.MonkeyPatch) -> None:
    """From Python too, where a table and a verdict may be named."""
    for paper, ours in (("tepacoc", 1.0), ("sorts", None)):
        lines = [Line("Table 1", "a", "las", "1.0", ours, why="so"), Line("Section 2", "a", "las", "1.0", 2.0)]
        monkeypatch.setattr(f"gardenpath_papers.{paper}.lines", lambda data, lines=lines: lines)
    papers = [PAPERS["tepacoc"], replace(PAPERS["sorts"], needs=())]
    first, *_ = reproduce(papers, lambda name: pytest.fail(name)).tables
    assert [(*row[1:3], row[-1]) for row in first.rows] == [(2, 2, 1), (2, 1, 1), (4, 3, 2)]
    result = gp.reproduce("tepacoc", table="Table 1", verdict="recomputed")
    assert [(finding.by["table"], finding.by["outcome"]) for finding in result.findings] == [("Table 1", "equal")]


def test_papers_by_name() -> None:
    assert [paper.name for paper in papers_called(["all"])] == list(PAPERS)
    with pytest.raises(UsageError, match="sorst"):
        papers_called(["sorst"])


@pytest.mark.parametrize("paper", PAPERS)
def test_published_numbers_are_numbers(paper: str) -> None:
    def numbers(value: object) -> list[str]:
        if isinstance(value, dict):
            return [text for key, inner in value.items() if key != "system" for text in numbers(inner)]
        return [text for inner in value for text in numbers(inner)] if isinstance(value, list) else [str(value)]

    found = numbers(published(paper))
    assert len(found) > (10 if paper == "tepacoc" else 100)  # it defines classes, and has few numbers
    assert all(isinstance(float(text.removeprefix("<")), float) for text in found if text)  # an empty cell: NA in print
