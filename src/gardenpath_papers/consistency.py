"""Consistency (Kalpakchi and Boye 2021): the drawn years, the sentences found, and the arithmetic of its tables.

Tables 2 to 5 and 8 to 11 consist of columns of which some numbers follow from the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor
from pathlib import Path
from statistics import fmean, median, pstdev
from typing import Any

from gardenpath.data import find
from gardenpath.errors import InputError
from gardenpath.studies import published_clusters
from gardenpath.treebank import Tally, batches, perturbation, read, years_to_test, years_to_train

from .ledger import ARITHMETIC, INPUT, OTHER_DATA, Line
from .paper import Data, published

PER_BATCH = 50
STATISTICS = ("mean", "SD", "median", "min", "max")
ROWS = (
    "batches", "Q1", *(f"Q2 {name}" for name in STATISTICS), "Q3",
    *(f"{question} {name}" for question in ("Q4", "Q5") for name in STATISTICS),
)  # fmt: skip
_ROUNDED = 0.005


@dataclass(frozen=True, slots=True)
class BatchColumn:
    """The batches of one data set whose original is right, or wrong; what is not applicable has no cell."""

    cells: Mapping[str, str]

    @classmethod
    def of(cls, cells: Sequence[str]) -> BatchColumn:
        return cls({row: cell for row, cell in zip(ROWS, cells, strict=True) if cell})

    @property
    def batches(self) -> int:
        return int(self.cells["batches"])

    def value(self, row: str, missing: float | None = None) -> float:
        if row not in self.cells and missing is not None:
            return missing
        return float(self.cells[row])

    def follows(self) -> dict[str, float]:
        """The numbers that the others leave no choice for, such as any mean between a least and a largest of 50."""
        made: dict[str, float] = {}
        for question in ("Q2", "Q4", "Q5"):
            values, used = self._values(question)
            for name, statistic in (("mean", fmean), ("SD", pstdev), ("median", median)):
                if values and f"{question} {name}" not in used:
                    made[f"{question} {name}"] = statistic(values)
        if "Q1" in self.cells and self.value("Q2 max") < PER_BATCH:
            made["Q1"] = 0
        elif "Q1" in self.cells and self.value("Q2 min") == PER_BATCH:
            made["Q1"] = self.batches
        return made

    def inputs(self) -> set[str]:
        """The numbers that those which follow are made of."""
        used = {row for question in ("Q2", "Q4", "Q5") for row in self._values(question)[1]}
        return used | ({"Q2 min", "Q2 max"} if "Q1" in self.follows() else set())

    def _values(self, question: str) -> tuple[list[float], set[str]]:
        """The single values where only one set of them is possible, and the rows that show it."""
        if f"{question} min" not in self.cells:
            return [], set()
        low, high = self.value(f"{question} min"), self.value(f"{question} max")
        used = {f"{question} min", f"{question} max"}
        if low == high:
            return [low], used
        if question == "Q5":  # values between 0 and 1 of pairs of clusters, whose number is not printed
            return [], set()
        size, counts = self.batches, {"Q1", "Q3"}
        if question == "Q4":  # of the batches that are neither right nor consistent
            size -= int(self.value("Q1")) + int(self.value("Q3"))
        elif size - self.value("Q1") == 1:  # all of them are right but one
            return [PER_BATCH] * (size - 1) + [low], {"Q1", f"{question} min"}
        else:
            counts = set()
        values = _only_set(size, int(low), int(high), self.value(f"{question} mean"))
        return values, {*used, *counts, f"{question} mean"} if values else set()


def _only_set(size: int, low: int, high: int, mean: float) -> list[float]:
    """So many whole numbers with this least, largest and (rounded) mean, if no others have them.

    Beside one `low` and one `high` there are size - 2 values; above `low` they sum to `rest`, at most `room`.
    """
    room = (size - 2) * (high - low)
    sums = range(ceil((mean - _ROUNDED) * size - 1e-9), floor((mean + _ROUNDED) * size + 1e-9) + 1)
    rests = [rest for total in sums if 0 <= (rest := total - high - (size - 1) * low) <= room]
    if len(rests) != 1:
        return []
    (rest,) = rests
    if high - low == 1 or rest in (0, room):
        more = rest // (high - low)
        return [*[float(low)] * (size - 1 - more), *[float(high)] * (1 + more)]
    return []


LANGUAGES = ("English", "Swedish", "Russian", "Ukrainian")
TREEBANKS = {"English": "ud:English-EWT", "Swedish": "ud:Swedish-Talbanken", "Ukrainian": "ud:Ukrainian-IU"}
SPLITS = ("train", "dev")
COLUMNS = [f"{language} {split}" for language in LANGUAGES for split in SPLITS]
SUMMARIES: Mapping[int, Sequence[int]] = {1: (2, 3, 4, 5), 6: (8, 9, 10, 11), 7: ()}
"""The tables of all languages, and those that look closer at each of them."""
_NO_PARSES = "The parses are not published, and Stanza's models of 2021 are others today."
_FOLLOWS = "Made of the other numbers of the column, or of Table 1 or 6."


def lines(data: Data) -> list[Line]:
    """Every number of the paper's tables, and what is made of it."""
    printed = published("consistency")
    return [
        *_years(printed), *_clusters(printed), *_sentences(printed, data), *_tables(printed), *_details(printed),
        *_text(printed),
    ]  # fmt: skip


def _years(printed: Mapping[str, Any]) -> Iterator[Line]:
    test, train = years_to_test(), years_to_train()[:20]
    why = (
        f"default_rng(7919) and (7907), numbers from 1100 to 2099: the {len(test)} are {len(set(test))} different ones."
    )
    ours = {"test": len(test), "train": len(train), "overlap": len(set(test) & set(train))}
    for name, count in ours.items():
        yield Line("Appendix A: years", f"{name} years", "numbers", printed["years"][name], count, why=why)


def _clusters(printed: Mapping[str, Any]) -> Iterator[Line]:
    """The years of Appendix C are among ours, so the draw is theirs; those that it leaves out stand alone."""
    given = printed["clusters"]
    ours = Counter(years_to_test())
    for number, (size, members) in enumerate(zip(given["sizes"], given["members"], strict=True), 1):
        there = sum(min(count, ours[year]) for year, count in Counter(members).items())
        yield Line("Appendix C: clusters", f"cluster {number}: years that are drawn", "numbers", size, there)
    left = list((ours - Counter(year for members in given["members"] for year in members)).elements())
    clusters = [*given["members"], *([year] for year in left)]
    why = (
        f"The ten clusters hold {PER_BATCH - len(left)} of {PER_BATCH} sentences; {', '.join(map(str, sorted(left)))} "
        "are in none. The script looks for cliques among pairs that agree, and a tree that stands alone is in no pair: "
        f"as classes of equal trees there are {len(clusters)}."
    )
    count = len(published_clusters(clusters))
    yield Line("Appendix C: clusters", "clusters, counted as published", "clusters", given["count"], count, why=why,
               basis=ARITHMETIC)  # fmt: skip


def _sentences(printed: Mapping[str, Any], data: Data) -> Iterator[Line]:
    """Sentences with a four-digit number between blanks, in the releases that are here."""
    for place, column in enumerate(COLUMNS):
        language, split = column.split()
        count, why, name = None, "Russian-SynTagRus is not fetched, for its size.", TREEBANKS.get(language, "")
        if name:
            count, what = _counted(data(name), split)
            why = f"Ours is {find(name).name.partition('@')[2]}, or what a mirror has under this name: {what}."
        for table in SUMMARIES:
            text = printed[f"table{table}"]["originals"][place]
            yield Line(f"Table {table}", f"{column}: originals", "sentences", text, count, suite=name, why=why,
                       basis=OTHER_DATA)  # fmt: skip


def _counted(folder: Path, split: str) -> tuple[int | None, str]:
    try:
        treebank = read(str(folder / f"*-{split}*.conllu"))
    except InputError:
        return None, f"no {split} file"
    tally = Tally()
    for _ in batches(perturbation("numerals"), treebank, tally, limit=1):
        pass
    file = sorted(folder.glob(f"*-{split}*.conllu"))[0].name
    return tally.batches, f"{file}, {len(treebank):,} sentences"


def _tables(printed: Mapping[str, Any]) -> Iterator[Line]:
    """What the counts of Tables 1, 6 and 7 make, and the means of Tables 2 to 5 and 8 to 11 times their batches."""
    for number, of_languages in SUMMARIES.items():
        cells, title = printed[f"table{number}"], f"Table {number}"
        for place, column in enumerate(COLUMNS):
            counts = {row: float(values[place]) for row, values in cells.items()}
            for kind in ("originals", "augmented") if "augmented" in cells else ("originals",):
                for part in ("wrong", "right"):
                    text = cells[f"{kind} {part}"][place]
                    yield Line(title, f"{column}: {kind} {part}", "sentences", text, None, why=_NO_PARSES, basis=INPUT)
                considered = counts[kind] - counts[f"{kind} wrong"]
                yield Line(title, f"{column}: {kind} considered", "sentences", cells[f"{kind} considered"][place],
                           considered, why=_NO_PARSES, basis=ARITHMETIC)  # fmt: skip
                share = 100 * counts[f"{kind} right"] / counts[f"{kind} considered"]
                why = f"{counts[f'{kind} right']:.0f} of {counts[f'{kind} considered']:.0f} are {share:.3f} %."
                yield Line(title, f"{column}: {kind} right", "per cent", cells[f"{kind} right (%)"][place], share,
                           why=f"{column}: {why}", basis=ARITHMETIC)  # fmt: skip
            if of_languages:
                total = PER_BATCH * counts["originals considered"]
                yield Line(title, f"{column}: augmented", "sentences", cells["augmented"][place], total,
                           basis=ARITHMETIC)  # fmt: skip
                sides = [BatchColumn.of(of_sign) for of_sign in _of_split(printed, of_languages, place)]
                yield _right_variants(title, column, cells["augmented right"][place], sides)


def _of_split(printed: Mapping[str, Any], tables: Sequence[int], place: int) -> list[list[str]]:
    """The two columns of a language's table, original + and -, for the training or development set."""
    columns: list[list[str]] = printed["details"][str(tables[place // 2])]
    return columns[2 * (place % 2) : 2 * (place % 2) + 2]


def _right_variants(title: str, column: str, text: str, sides: Sequence[BatchColumn]) -> Line:
    right = sum(side.batches * side.value("Q2 mean", 0.0) for side in sides)
    why = "Augmented right: batches × mean of Tables 2 to 5 and 8 to 11, which are rounded."
    slack = 0.005 * sum(side.batches for side in sides) + 0.5
    return Line(title, f"{column}: augmented right", "sentences", text, right, why=why, slack=slack, basis=ARITHMETIC)


def _details(printed: Mapping[str, Any]) -> Iterator[Line]:
    """Tables 2 to 5 and 8 to 11: batches of a kind are originals of a kind, and some columns leave little choice.

    Augmented right and the text are made of means, of the largest number of clusters, and of Q1 and Q3 as pretrained.
    """
    for number, of_languages in SUMMARIES.items():
        originals = printed[f"table{number}"]
        for place, column in enumerate(COLUMNS if of_languages else ()):
            right = int(originals["originals right"][place])
            wrong = int(originals["originals considered"][place]) - right
            for sign, count, cells in zip("+-", (right, wrong), _of_split(printed, of_languages, place), strict=True):
                title, split = f"Table {of_languages[place // 2]}", column.split()[1]
                batch_column = BatchColumn.of(cells)
                follows = batch_column.follows() | {"batches": count}
                for row, text in batch_column.cells.items():
                    why = _FOLLOWS if row in follows else _NO_PARSES
                    yield Line(title, f"{split}, original {sign}", row, text, follows.get(row), why=why,
                               basis=ARITHMETIC)  # fmt: skip
                used = batch_column.inputs() | {"Q2 mean", "Q4 max"} | ({"Q1", "Q3"} if number == 1 else set())
                for row in used & set(batch_column.cells):
                    yield Line(title, f"{split}, original {sign}", row, batch_column.cells[row], None, why=_NO_PARSES,
                               basis=INPUT)  # fmt: skip


def _text(printed: Mapping[str, Any]) -> Iterator[Line]:
    """Sections 4.1 and 4.2, of the tables."""
    sides = {
        (column, sign): BatchColumn.of(cells)
        for place, column in enumerate(COLUMNS)
        for sign, cells in zip("+-", _of_split(printed, SUMMARIES[1], place), strict=True)
    }
    apart = {
        column: 100 * (1 - side.value("Q3") / side.batches) for (column, sign), side in sides.items() if sign == "-"
    }
    swedish = sides["Swedish train", "+"]
    shares = [float(printed["table1"][f"{kind} right (%)"][2]) for kind in ("originals", "augmented")]
    most = [
        max(BatchColumn.of(cells).value("Q4 max", 0.0) for table in tables for cells in printed["details"][str(table)])
        for tables in (SUMMARIES[1], SUMMARIES[6])
    ]
    ours = (
        100 * (1 - swedish.value("Q1") / swedish.batches), apart["Russian train"], apart["Swedish dev"],
        sum(apart.values()) / len(apart), shares[0] - shares[1], *most,
    )  # fmt: skip
    for (row, text), value in zip(printed["text"].items(), ours, strict=True):
        why = "24 of 76 are 31.58 %." if text == "31.5" else ""
        measure = "clusters" if "clusters" in row else "per cent"
        section = "Section 4.2" if "retrained" in row else "Section 4.1"
        yield Line(section, row, measure, text, value, why=why, basis=ARITHMETIC)
