"""Tables of sentences that say which word disambiguates them, and which arc is decisive.

The SAP Benchmark (Huang et al. 2024) has such tables. A row is a sentence in a condition (`NPS_AMB`, `NPS_UAMB`; a
column may say ambiguous or unambiguous), or an item with both its sentences. Positions count from 1; a column `…_0idx`
counts from 0 and is used only where there is no other: in two of the published files it holds the same numbers as the
column that counts from 1.

The decisive arc of *While the man hunted the deer ran* says that *deer* is the subject of *ran*. A condition of a suite
may carry one, as `"arc": {"dependent": 6, "head": 7, "labels": ["nsubj"]}`: words from 1, separated by blanks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...errors import InputError
from ...formats import Format
from .file_text import csv_rows, decoded
from .formula import ALL, Atom, comparisons_of
from .model import Condition, Item, Prediction, Region, RegionSuite, title_of
from .pairs import bare_name, common_start

KEY = "arc"
"""Where a condition keeps it, in JSON too."""
_TODO = 'write "arc": {"dependent": 6, "head": 7, "labels": ["nsubj"]}, words from 1'


@dataclass(frozen=True, slots=True)
class DecisiveArc:
    """Two words of a sentence, from 1, and the labels that are right between them."""

    dependent: int
    head: int
    labels: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        return {"dependent": self.dependent, "head": self.head, "labels": list(self.labels)}


@dataclass(frozen=True, slots=True)
class Contrast:
    """A region that is compared in two conditions: where it must be more surprising, and where less."""

    region: int
    harder: str
    easier: str
    place: int
    """Which of the suite's comparisons it is, from 0."""


def contrasts_of(suite: RegionSuite) -> list[Contrast]:
    """The comparisons of the suite that compare one region in two conditions."""
    compared = [comparison for prediction in suite.predictions for comparison in comparisons_of(prediction.tree)]
    contrasts = []
    for place, comparison in enumerate(compared):
        sides = (comparison.left, comparison.right)
        harder, easier = sides if comparison.sign == ">" else sides[::-1]
        if comparison.sign == "=" or not (isinstance(harder, Atom) and isinstance(easier, Atom)):
            continue
        if harder.region == easier.region != ALL:
            contrasts.append(Contrast(harder.region, harder.condition, easier.condition, place))
    return contrasts


def arc_of(suite: RegionSuite, item: Item, condition: Condition) -> DecisiveArc | None:
    """The decisive arc of a sentence, if it carries one; what is no arc, or leaves the sentence, is an error."""
    raw = condition.extra.get(KEY)
    if raw is None:
        return None
    where = suite.place(item, condition.name)
    if not isinstance(raw, Mapping) or raw.keys() != {"dependent", "head", "labels"}:
        raise InputError("this is not a decisive arc", where=where, todo=_TODO)
    words, labels = (raw["dependent"], raw["head"]), raw["labels"]
    if not isinstance(labels, list) or not labels or not all(isinstance(label, str) and label for label in labels):
        raise InputError("a decisive arc without labels", where=where, todo=_TODO)
    size = len(condition.words)
    if not all(type(word) is int and 1 <= word <= size for word in words) or words[0] == words[1]:
        what = f"the decisive arc {words[0]} ← {words[1]} is none between two words of a sentence of {size}"
        raise InputError(what, where=where, todo=_TODO)
    return DecisiveArc(*words, tuple(labels))


def carries_arcs(suite: RegionSuite) -> bool:
    """Does some sentence of the suite carry a decisive arc?"""
    return any(KEY in condition.extra for item in suite.items for condition in item.conditions)


def garden_path_arcs(
    construction: str, ambiguous: Sequence[str], unambiguous: Sequence[str], positions: tuple[int, int]
) -> tuple[DecisiveArc, DecisiveArc] | None:
    """The decisive arcs of a classic garden path, by rule; `positions` are those of the disambiguating word, from 1.

    NP/S and NP/Z: the word before it is its subject (*the file deserved …*). Main verb or reduced relative: its subject
    is the word after which *who was* is inserted (*the suspect (who was) sent the file deserved …*).
    """
    if construction in ("NPS", "NPZ"):
        dependents = (positions[0] - 1, positions[1] - 1)
    elif construction == "MVRR":
        shared = common_start(ambiguous, unambiguous)
        dependents = (shared, shared)
    else:
        return None
    if not all(0 < word < verb for word, verb in zip(dependents, positions, strict=True)):
        return None
    first, second = (DecisiveArc(word, verb, ("nsubj",)) for word, verb in zip(dependents, positions, strict=True))
    return first, second


FORMAT = "positions"
REGIONS = {1: "before", 2: "disambiguating word", 3: "one word later", 4: "two words later", 5: "rest"}
EFFECTS = "effects"
"""What a suite calls the regions in which the difference of its two conditions is an effect of its own."""
CONSTRUCTION, LEXICAL_ITEM = "construction", "lexical_item"
"""Columns of its items: what is compared, and what shares its words."""
AMBIGUOUS, UNAMBIGUOUS, CRITICAL, BASELINE = "ambiguous", "unambiguous", "critical", "baseline"
_SEPARATORS = (",", "\t", ";")
_POSITION = re.compile(r"(?:disamb\w*?|target|critical)_?position(?:_?(?P<side>unamb|amb))?(?P<zero>_?0idx)?")
_SIDES = {"amb": AMBIGUOUS, "unamb": UNAMBIGUOUS}
_SUFFIX = re.compile(r"(?P<name>.*?)_?(?P<side>u(?:n)?amb|amb)(?:iguous)?", re.IGNORECASE)
_CONTRASTS = {
    "Agreement": ("UNAGREE", "AGREE"), "RC": ("RC_Obj", "RC_Subj"), "AttachHigh": ("AttachHigh", "AttachMulti"),
    "AttachLow": ("AttachLow", "AttachMulti"),
}  # fmt: skip
"""The benchmark's other constructions: the condition that costs readers more, and the one it is compared with."""


@dataclass(frozen=True, slots=True)
class _Columns:
    """The columns of a table by what they hold, by number."""

    item: int
    condition: int
    sentences: Mapping[str, int]
    """By side; one that is empty where each row has one sentence."""
    positions: Mapping[str, int]
    """Those that count from 1, by side; empty for all sentences."""
    from_zero: int | None
    ambiguity: int | None


@dataclass(frozen=True, slots=True)
class _Row:
    """One sentence: its words, the word that disambiguates it (from 1), and what else its row says."""

    line: int
    item: str
    condition: str
    side: str
    words: tuple[str, ...]
    position: int
    cells: Mapping[str, str]


def looks_like_positions(data: bytes, _: str) -> bool:
    return bool(_separator(data[:8192].decode("utf-8-sig", "replace")))


def _separator(text: str) -> str:
    """The separator with which the first line makes sense; empty where there is none."""
    line = text.lstrip("\n").split("\n", 1)[0]
    for separator in _SEPARATORS:
        try:
            if any(_columns(row) for _, row in csv_rows(line, "", separator)):
                return separator
        except InputError:
            continue
    return ""


def _columns(header: Sequence[str]) -> _Columns | None:
    """What the columns of a header are; None where a sentence, its position, item or condition is not among them."""
    at: dict[str, int] = {}
    for number, name in enumerate(header):
        at.setdefault(bare_name(name), number)
    positions, from_zero = dict[str, int](), None
    for name, number in at.items():
        if match := _POSITION.fullmatch(name):
            if match["zero"]:
                from_zero = number
            else:
                positions[_SIDES.get(match["side"] or "", "")] = number
    both = {side: at[side] for side in (AMBIGUOUS, UNAMBIGUOUS) if side in at}
    sentences = both if len(both) == 2 else {"": at["sentence"]} if "sentence" in at else {}
    if not sentences or not (positions or from_zero is not None) or not {"item", "condition"} <= at.keys():
        return None
    if "word_pos" in at:  # a row a word: surprisals
        return None
    return _Columns(at["item"], at["condition"], sentences, positions, from_zero, at.get("ambiguity"))


def from_positions(data: bytes, name: str) -> RegionSuite:
    """Items of all constructions of the file, in two conditions; each item says its construction."""
    rows = list(_rows(data, name))
    joined: dict[tuple[str, str], dict[bool, _Row]] = {}
    for row in rows:
        for construction, is_harder in _meanings(row, name):
            sentences = joined.setdefault((construction, row.item), {})
            if is_harder in sentences:
                what = f"two sentences of item {row.item} are {row.condition}"
                raise InputError(what, where=f"{name}:{row.line}", todo="renumber the items, or take one away")
            sentences[is_harder] = row
    if not joined:
        raise InputError("no sentences in this table", where=name)
    ambiguity = all(row.side for row in rows)
    names = (AMBIGUOUS, UNAMBIGUOUS) if ambiguity else (CRITICAL, BASELINE)
    items = [_item(*key, sentences, names, name) for key, sentences in joined.items()]
    prediction = Prediction(f"(2;%{names[0]}%) > (2;%{names[1]}%)", f"{name} (prediction 1)")
    return RegionSuite(
        name, title_of(name), items, [prediction], REGIONS, FORMAT, fixed=[(2, names)], extra={EFFECTS: [2, 3, 4]}
    )


def _rows(data: bytes, name: str) -> Iterator[_Row]:
    text = decoded(data, name)
    (_, header), *rows = csv_rows(text, name, _separator(text))
    columns = _columns(header)
    assert columns is not None
    taken = {columns.item, *columns.sentences.values()}
    further = {title: number for number, title in reversed(list(enumerate(header))) if title and number not in taken}
    further = {title: number for title, number in further.items() if not title.startswith("Unnamed: ")}
    for line, row in rows:
        cells = [*row, *[""] * (len(header) - len(row))]
        for side, sentence in columns.sentences.items():
            own = side or (cells[columns.ambiguity].strip() if columns.ambiguity is not None else "")
            if not own and (ending := _SUFFIX.fullmatch(cells[columns.condition].strip())):
                own = AMBIGUOUS if ending["side"].casefold() == "amb" else UNAMBIGUOUS
            words = tuple(cells[sentence].replace("\\'", "'").split())
            position = _position(columns, own, cells, f"{name}:{line}")
            if not 1 <= position <= len(words):
                what = f"the position {position} is none in a sentence of {len(words)} words"
                raise InputError(what, where=f"{name}:{line}", todo="positions count from 1, words by blanks")
            rest = {title: cells[number] for title, number in further.items() if cells[number].strip()}
            yield _Row(line, cells[columns.item].strip(), cells[columns.condition].strip(), own, words, position, rest)


def _position(columns: _Columns, side: str, cells: Sequence[str], where: str) -> int:
    """The position from 1: that of the side, or of all sentences, or the one from 0."""
    number = columns.positions.get(side, columns.positions.get(""))
    place = columns.from_zero if number is None else number
    if place is None:
        todo = "add a column disambPosition, or say which sentences are ambiguous"
        raise InputError("no column says the position in this sentence", where=where, todo=todo)
    text = cells[place].strip()
    if not re.fullmatch(r"[0-9]{1,4}(\.0)?", text):
        raise InputError(f"{text!r} is not a position", where=where, todo="write the number of the word, from 1")
    return int(text.partition(".")[0]) + (number is None)


def _meanings(row: _Row, name: str) -> Iterator[tuple[str, bool]]:
    """The construction, and is this its harder sentence? One that is compared twice has two of these."""
    if row.side:
        if row.side not in (AMBIGUOUS, UNAMBIGUOUS):
            todo = "write ambiguous or unambiguous"
            raise InputError(f"{row.side!r} says nothing of ambiguity", where=f"{name}:{row.line}", todo=todo)
        match = _SUFFIX.fullmatch(row.condition)
        yield (match["name"] if match else row.condition), row.side == AMBIGUOUS
        return
    known = [
        (construction, row.condition == harder)
        for construction, (harder, easier) in _CONTRASTS.items()
        if row.condition in (harder, easier)
    ]
    if not known:
        todo = "call conditions X_AMB and X_UNAMB, or add a column ambiguity that says ambiguous or unambiguous"
        raise InputError(f"what is {row.condition!r} compared with?", where=f"{name}:{row.line}", todo=todo)
    yield from known


def _item(construction: str, number: str, sentences: Mapping[bool, _Row], names: tuple[str, str], file: str) -> Item:
    if len(sentences) < 2:
        (alone,) = sentences.values()
        what = f"item {number} of {construction} has one sentence, {alone.condition}, and nothing to compare it with"
        raise InputError(what, where=f"{file}:{alone.line}", todo="add the other sentence")
    harder, easier = sentences[True], sentences[False]
    arcs = garden_path_arcs(construction, harder.words, easier.words, (harder.position, easier.position))
    conditions = tuple(
        Condition(name, _regions(row), {} if arcs is None else {KEY: arcs[place].as_json()})
        for place, (name, row) in enumerate(zip(names, (harder, easier), strict=True))
    )
    stem = title_of(file).removesuffix(".pivot")
    cells: dict[str, Any] = {**harder.cells, CONSTRUCTION: construction, LEXICAL_ITEM: f"{stem} {number}"}
    return Item(number, conditions, harder.line, {"cells": cells})


def _regions(row: _Row) -> tuple[Region, ...]:
    """Before, the disambiguating word, each of the two after it, and the rest."""
    ends = [0, row.position - 1, row.position, row.position + 1, row.position + 2, len(row.words)]
    return tuple(
        Region(number, " ".join(row.words[ends[number - 1] : max(ends[number - 1], ends[number])]))
        for number in REGIONS
    )


FORMATS = (
    Format(FORMAT, "a table of sentences with their disambiguating word", (), looks_like_positions, from_positions),
)
