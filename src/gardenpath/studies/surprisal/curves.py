"""The surprisal of every word of every condition, item by item, as a run keeps it for the report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ...boundary.faults import reading
from ...boundary.structured import read_object
from ...boundary.texts import file_bytes
from ...runs.strict_json import to_text
from .asking import ScoredSentence
from .fit import OTHER
from .regions import AskedSuite, Floats

if TYPE_CHECKING:
    from .study import JudgedSurprisal

SURPRISALS = "surprisals.jsonl"
"""The name of the file in the folder of a run."""
_DIGITS = 3


@dataclass(frozen=True)
class Curves:
    """One item. `conditions` are (name, words, the region of each word); bits are by system and condition.

    A word that the model did not see as such (other text) has no bits.
    """

    suite: str
    item: str
    joiner: str
    regions: Mapping[int, str]
    asked: tuple[tuple[int, str], ...]
    """(region, condition) that the predictions speak of; region 0 is the whole sentence."""
    conditions: tuple[tuple[str, tuple[str, ...], tuple[int, ...]], ...]
    bits: Mapping[str, tuple[tuple[float | None, ...], ...]]


def word_bits(asked: AskedSuite, sentences: Sequence[ScoredSentence]) -> list[Floats]:
    """The bits of each word of each sentence: the sum over its tokens; NaN for a word that was not seen or scored."""
    by_sentence = []
    for words, sentence in zip(asked.sentences, sentences, strict=True):
        if sentence.failure is not None:
            by_sentence.append(np.full(len(words), np.nan))
            continue
        there = sentence.fit.word_of != OTHER
        word_of = sentence.fit.word_of[there]
        bits = np.bincount(word_of, sentence.surprisals[there], minlength=len(words)).astype(np.float64)
        bits[np.bincount(word_of, minlength=len(words)) == 0] = np.nan
        bits[list(sentence.fit.broken)] = np.nan
        by_sentence.append(bits)
    return by_sentence


def attached(judged: JudgedSurprisal) -> bytes:
    """The file: one item a line, bits to three digits, mean over the seeds of a system."""
    lines, by_system = [], judged.bits
    for number, asked in enumerate(judged.asked):
        names = {str(region): name for region, name in asked.suite.region_names.items()}
        head: dict[str, Any] = {"suite": asked.suite.title, "joiner": asked.suite.joiner, "regions": names}
        head["asked"] = sorted([region, name] for region, name in asked.suite.asked)
        rows: dict[int, list[int]] = {}
        for row, (item, _) in enumerate(asked.order):
            rows.setdefault(id(item), []).append(row)
        for item in asked.suite.items:
            own = rows[id(item)]
            conditions = [[asked.order[row][1].name, asked.sentences[row], _regions(asked.cut[row])] for row in own]
            bits = {name: [_rounded(by_suite[number][row]) for row in own] for name, by_suite in by_system.items()}
            value = {**head, "item": item.id, "conditions": conditions, "bits": bits}
            lines.append(to_text(value).encode("utf-8") + b"\n")
    return b"".join(lines)


def read_curves(path: str | PathLike[str]) -> Iterator[Curves]:
    """The items of a file, checked: as many regions and bits as words."""
    place = Path(path)
    for number, line in enumerate(file_bytes(place).split(b"\n"), 1):
        if not line.strip():
            continue
        where, todo = f"{place}:{number}", "make the run again"
        with reading("these are not surprisals", where, todo):
            curves = _curves(read_object(line, where, "these are not surprisals: the line", todo))
        yield curves


def _curves(value: dict[str, Any]) -> Curves:
    conditions = tuple(
        (str(name), tuple(map(str, words)), tuple(map(int, regions))) for name, words, regions in value["conditions"]
    )
    bits = {
        str(system): tuple(tuple(None if one is None else float(one) for one in row) for row in rows)
        for system, rows in value["bits"].items()
    }
    lengths = [len(words) for _, words, _ in conditions]
    rows = [[len(regions) for _, _, regions in conditions], *([len(row) for row in by] for by in bits.values())]
    if any(row != lengths for row in rows):
        raise ValueError("not as many numbers as words")
    return Curves(
        str(value["suite"]), str(value["item"]), str(value["joiner"]),
        {int(region): str(name) for region, name in value["regions"].items()},
        tuple((int(region), str(name)) for region, name in value["asked"]), conditions, bits,
    )  # fmt: skip


def _regions(cut: Mapping[int, Sequence[str]]) -> list[int]:
    return [region for region, words in cut.items() for _ in words]


def _rounded(bits: Floats) -> list[float | None]:
    return [None if np.isnan(bit) or np.isinf(bit) else round(float(bit), _DIGITS) for bit in bits]
