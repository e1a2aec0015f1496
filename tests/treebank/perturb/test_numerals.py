"""Numerals as published: the years, the sentences found, and every variant against a slow edit of the text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from made_sentences import sentence

from gardenpath.treebank import read
from gardenpath.treebank.perturb.batch import Batch, Tally, batches, perturb
from gardenpath.treebank.perturb.edit import Refusal
from gardenpath.treebank.perturb.numerals import years_to_test, years_to_train
from gardenpath.treebank.perturb.registry import PerturbationSettings, perturbation

# The ten clusters of the paper's Appendix C, and the four years that stand in none of them.
APPENDIX_C = """1505 1505 1798 1777 1817 1872 1844 1883 1361 1338 1427 1704 1605 1662 1562 1420 1344 1295 1504 1299 1625
1599 1564 1564 1493 1128 2024 1147 1182 2030 1205 1964 1308 1415 1413 1404 1967 1413 1774 1721 1759 1759 1461 1731
1724 1832"""
ALONE = "1145 1279 1597 1993"


def test_the_years_to_test_with_are_those_of_the_paper() -> None:
    assert Counter(years_to_test()) == Counter(map(int, f"{APPENDIX_C} {ALONE}".split()))
    assert len(set(years_to_test())) == 46


def test_the_years_to_train_with_are_no_test_years() -> None:
    drawn = np.random.default_rng(7907).integers(1100, 2100, size=100)
    expected = [int(year) for year in drawn if year not in years_to_test()][:20]
    assert list(years_to_train()[:20]) == expected
    assert not set(years_to_train()) & set(years_to_test())


@pytest.mark.parametrize(
    ("file", "found"),
    [
        # The paper (UD 2.8): English 235 and 14, Swedish 108 and 5, Ukrainian 103 and 29. Swedish and Ukrainian
        # training files are rebuilt ones here, not the releases.
        ("UD_English-EWT/en_ewt-ud-train.conllu", 235),
        ("UD_English-EWT/en_ewt-ud-dev.conllu", 14),
        ("UD_Swedish-Talbanken/sv_talbanken-v1to2-train.conllu", 158),
        ("UD_Swedish-Talbanken/sv_talbanken-ud-dev.conllu", 5),
        ("UD_Ukrainian-IU/uk_iu-zoloto-train.conllu", 100),
        ("UD_Ukrainian-IU/uk_iu-ud-dev.conllu", 29),
    ],
)
def test_sentences_found(shared: Path, file: str, found: int) -> None:
    tally = Tally()
    list(batches(perturbation("numerals"), read(shared / "ud" / file), tally, limit=1))
    assert tally.batches == found
    assert tally.refused == {"no match": tally.sentences - found}


# ---- the oracle: plain text in, plain text out


def slow_variants(path: Path, years: list[str]) -> Iterator[tuple[str, str, list[str]]]:
    """(year, text, rows) of every variant in a file, from its lines alone."""
    for block in path.read_text(encoding="utf-8").strip().split("\n\n"):
        lines = block.split("\n")
        text = next(line for line in lines if line.startswith("# text = ")).removeprefix("# text = ")
        match = re.search(r"(?<= )\d{4}(?= )", text)
        if not match:
            continue
        for year in years:
            rows, surface, covered = [], "", 0
            for line in lines:
                if line.startswith("#"):
                    continue
                row = line.split("\t")
                if row[1] == match.group():
                    row[1] = row[2] = year  # a transliteration of the old form would be wrong
                    row[9] = re.sub(r"(^|\|)L?Translit=[^|]*", "", row[9]).strip("|") or "_"
                rows.append("\t".join(row))
                first, _, last = row[0].partition("-")
                if "." in first or (not last and int(first) <= covered):
                    continue
                covered = int(last) if last else covered
                surface += row[1] + ("" if "SpaceAfter=No" in row[9].split("|") else " ")
            yield year, surface.strip(), rows


@pytest.mark.parametrize(
    "file",
    [
        "bundled:de-train",
        "ud/UD_English-EWT/en_ewt-ud-dev.conllu",
        "ud/UD_English-EWT/en_ewt-ud-test.conllu",
        "ud/UD_Swedish-Talbanken/sv_talbanken-ud-dev.conllu",
        "ud/UD_Swedish-Talbanken/sv_talbanken-v1to2-train.conllu",
        "ud/UD_Ukrainian-IU/uk_iu-ud-dev.conllu",
        "ud/UD_Russian-Taiga@r2.7/ru_taiga-ud-train.conllu",
        "ud/UD_German-PUD/de_pud-ud-test.conllu",
    ],
)
def test_every_variant_is_the_slow_one(file_named: Callable[[str], Path], file: str) -> None:
    path = file_named(file)
    years = [str(year) for year in years_to_test()]
    expected = list(slow_variants(path, years))
    made = []
    for batch in batches(perturbation("numerals"), read(path)):
        for variant, one in zip(batch.variants, batch.treebank(), strict=True):
            made.append((variant.value, one.text, ["\t".join(row) for row in one.rows]))
    assert made == expected
    assert len(made) >= 50


TWO_YEARS = """
In in ADP _ 2 case
1872 1872 NUM NumType=Card 5 obl
and and CCONJ _ 4 cc
1505 1505 NUM NumType=Card 2 conj
fell fall VERB _ 0 root
1872 1872 NUM NumType=Card 5 obl
times time NOUN _ 5 obl +
. . PUNCT _ 5 punct
"""


def test_the_first_number_is_replaced_wherever_it_stands_and_no_other() -> None:
    batch = perturb(perturbation("numerals"), sentence(TWO_YEARS))
    assert isinstance(batch, Batch)
    assert (batch.old, batch.words, len(batch.variants), len(batch.distinct)) == ("1872", (2, 6), 50, 46)
    assert batch.multiplicity["1505"] == 2
    # The published code edits one copy in a row: there the second number would go along after the value 1505.
    texts = [one.text for one in batch.treebank()]
    assert texts[0] == "In 1505 and 1505 fell 1505 times."
    assert texts[1] == "In 1721 and 1505 fell 1721 times."
    assert [v.value for v in batch.distinct[:5]] == ["1505", "1721", "1759", "1420", "1662"]


@pytest.mark.parametrize(
    ("text", "refused"),
    [("In 1872, and 18725 fell", "no match"), ("1872 fell 1872", "no match"), ("In 1872 fell", None)],
)
def test_blanks_on_both_sides(text: str, refused: str | None) -> None:
    words = re.findall(r"\w+|,", text)
    rows = [f"{w} {w} X _ {0 if n == 1 else 1} {'root' if n == 1 else 'dep'}" for n, w in enumerate(words, 1)]
    rows = [row + (" +" if after == "," else "") for row, after in zip(rows, [*words[1:], ""], strict=True)]
    found = perturb(perturbation("numerals"), sentence("\n".join(rows)))
    assert (found.reason if isinstance(found, Refusal) else None) == refused


def test_another_seed_gives_other_years_and_says_so() -> None:
    usual, seeded = (perturbation("numerals", PerturbationSettings(split="train", seed=seed)) for seed in (None, 3))
    assert (usual.signature, seeded.signature) == ("numerals(set=train,seed=7907)", "numerals(set=train,seed=3)")
