"""Consistency (Kalpakchi and Boye 2021): the drawn years, the sentences found, and the arithmetic of its tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from ...data.registry import find
from ...errors import InputError
from ...treebank.perturb.batch import Tally, batches
from ...treebank.perturb.numerals import years_to_test, years_to_train
from ...treebank.perturb.registry import perturbation
from ...treebank.source import read
from ..consistency.published import published_clusters
from .line import Line
from .paper import Data, published

LANGUAGES = ("English", "Swedish", "Russian", "Ukrainian")
TREEBANKS = {"English": "ud:English-EWT", "Swedish": "ud:Swedish-Talbanken", "Ukrainian": "ud:Ukrainian-IU"}
SPLITS = ("train", "dev")
COLUMNS = [f"{language} {split}" for language in LANGUAGES for split in SPLITS]
PER_BATCH = 50
_NO_PARSES = (
    "The parses are not published and Stanza's models of 2021 are others today: what is computed again is what the "
    "counts of the table make."
)


def lines(data: Data) -> list[Line]:
    """All numbers of the paper that can be had again, by table."""
    printed = published("consistency")
    found = [*_years(printed), *_clusters(printed), *_sentences(printed, data)]
    return [*found, *_tables(printed), *_text(printed)]


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
    yield Line("Appendix C: clusters", "clusters, counted as published", "clusters", given["count"], count, why=why)


def _sentences(printed: Mapping[str, Any], data: Data) -> Iterator[Line]:
    """Sentences with a four-digit number between blanks, in the releases that are here."""
    for place, column in enumerate(COLUMNS):
        language, split = column.split()
        published_count = printed["table1"]["originals"][place]
        if language not in TREEBANKS:
            why = "Russian-SynTagRus is not fetched, for its size."
            yield Line("Table 1: originals", column, "sentences", published_count, None, why=why)
            continue
        name = TREEBANKS[language]
        count, what = _counted(data(name), split)
        why = f"{what}."
        if not place:
            why = f"Ours is {find(name).name.partition('@')[2]}, or what a mirror has under this name: {why}"
        yield Line(
            "Table 1: originals", column, "sentences", published_count, count, suite=name, why=why, same_data=False
        )


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
    for table in ("table1", "table6", "table7"):
        cells = printed[table]
        title = f"Table {table[5:]}"
        for place, column in enumerate(COLUMNS):
            number = {row: float(values[place]) for row, values in cells.items()}
            kinds = ("originals", "augmented") if "augmented" in cells else ("originals",)
            for kind in kinds:
                considered = number[kind] - number[f"{kind} wrong"]
                yield Line(title, f"{column}: {kind} considered", "sentences", cells[f"{kind} considered"][place],
                           considered, why=_NO_PARSES)  # fmt: skip
                share = 100 * number[f"{kind} right"] / number[f"{kind} considered"]
                text = cells[f"{kind} right (%)"][place]
                why = (
                    f"{column}: {number[f'{kind} right']:.0f} of {number[f'{kind} considered']:.0f} are {share:.3f} %."
                )
                line = Line(title, f"{column}: {kind} right", "per cent", text, share)
                yield replace(line, why=why) if line.verdict == "differs" else line
            if "augmented" in cells:
                total = PER_BATCH * number["originals considered"]
                yield Line(title, f"{column}: augmented in total", "sentences", cells["augmented"][place], total)
                plus, plus_mean, minus, minus_mean = map(float, printed["details"][table][place][:4])
                right = plus * plus_mean + minus * minus_mean
                why = "Augmented right: batches × mean of Tables 2 to 5 and 8 to 11, which are rounded."
                yield Line(title, f"{column}: augmented right", "sentences", cells["augmented right"][place], right,
                           why=why, slack=0.005 * (plus + minus) + 0.5)  # fmt: skip


def _text(printed: Mapping[str, Any]) -> Iterator[Line]:
    details = dict(zip(COLUMNS, printed["details"]["table1"], strict=True))
    apart = {name: 100 * (1 - float(row[4]) / float(row[2])) for name, row in details.items()}
    wrong = 76 - 52  # Table 3: of 76 batches 52 are completely right
    ours = (100 * wrong / 76, apart["Russian train"], apart["Swedish dev"], sum(apart.values()) / len(apart))
    why = "24 of 76 are 31.58 %."
    for (row, text), value in zip(printed["text"].items(), ours, strict=True):
        yield Line("Section 4.1", row, "per cent", text, value, why=why if text == "31.5" else "")
