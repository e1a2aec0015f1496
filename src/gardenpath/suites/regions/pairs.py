"""Pairs of a good and a bad sentence: which column of a file is what, and the target word as a region.

A column name is compared without capitals and signs: `Critical word(s)` is `critical_word_s`. What names do not tell is
asked for: `--set layout=good=COLUMN --set layout=bad=COLUMN`."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product, takewhile
from typing import Any

from ...errors import InputError, UsageError, unknown_name
from .model import Condition, Item, Prediction, Region, RegionSuite, title_of

KEYS = (
    "good", "bad", "sentence", "label", "item", "class", "paradigm", "good_target", "bad_target", "encoding",
    "separator", "order",
)  # fmt: skip
"""What a layout may say: columns by what they hold, and how the file is written."""
WRITING = ("encoding", "separator", "order")
"""Those that name no column."""
ORDERS = ("good-bad", "bad-good")
"""Which sentence comes first in plain lines, of which nothing says which are good."""
_WORDS = (
    ("good", "bad"), ("grammatical", "ungrammatical"), ("acceptable", "unacceptable"), ("correct", "incorrect"),
    ("correct", "wrong"), ("right", "wrong"),
)  # fmt: skip
_FORMS = ("sentence_{}", "{}_sentence", "{}", "{}_sent", "sent_{}", "{}_text", "text_{}")
PAIRS = (
    *((form.format(good), form.format(bad)) for form, (good, bad) in product(_FORMS, _WORDS)),
    ("sen", "wrong_sen"), ("source_sentence", "target_sentence"),
)  # fmt: skip
"""The names of the good and the bad sentence, as the sisters of BLiMP have them."""
_SENTENCES = ("sentence", "text", "stimulus")
_LABELS = (
    "grammaticality", "grammatical", "is_grammatical", "acceptability", "acceptable", "is_acceptable", "correctness",
    "label",
)  # fmt: skip
_ITEMS = ("pairid", "pair_id", "item", "item_id", "item_number", "idx", "id")
_CLASSES = ("linguistics_term", "phenomenon", "linguistic_phenomenon", "class", "category", "field")
_PARADIGMS = ("uid", "paradigm", "pid", "category")
_TARGETS = (
    ("source_word", "target_word"), ("good_target", "bad_target"), ("target_good", "target_bad"),
    *((name, name) for name in ("critical_region", "critical_word", "critical_words", "critical_word_s", "target")),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class PairColumns:
    """The columns of a file by what they hold, under the file's own names; empty where there is none."""

    good: str = ""
    bad: str = ""
    sentence: str = ""
    """With `label`, of files that have two rows for a pair."""
    label: str = ""
    item: str = ""
    phenomenon: str = ""
    paradigm: str = ""
    good_target: str = ""
    bad_target: str = ""

    def __bool__(self) -> bool:
        """Is it told where the sentences are?"""
        return bool((self.good and self.bad) or (self.sentence and self.label))


def parse_layout(given: Iterable[str]) -> dict[str, str]:
    """`good=COLUMN` and the like, each for itself or several with commas between them."""
    layout: dict[str, str] = {}
    for part in (part for text in given for part in re.split(rf",(?=(?:{'|'.join(KEYS)}|target)=)", text)):
        key, equals, value = part.partition("=")
        if not equals or not value:
            raise UsageError(f"{part!r} says nothing of a layout", where="layout", todo="write it as good=COLUMN")
        if key == "target":
            layout |= {"good_target": value, "bad_target": value}
        elif key not in KEYS:
            raise unknown_name("key of a layout", key, (*KEYS, "target"), where="layout")
        else:
            layout[key] = value
    if layout.get("order", ORDERS[0]) not in ORDERS:
        raise unknown_name("order of lines", layout["order"], ORDERS, where="layout")
    if ("good" in layout) != ("bad" in layout):
        missing = "bad" if "good" in layout else "good"
        raise UsageError("a layout names both sentences", where="layout", todo=f"add {missing}=COLUMN")
    return layout


def find_columns(
    header: Collection[str], layout: Mapping[str, str] | None = None, rows: Sequence[Mapping[str, Any]] | None = None,
    where: str = "",
) -> PairColumns:  # fmt: skip
    """What the columns of a header are; false where the sentences are not among them.

    A column that is empty in all `rows` is no phenomenon or paradigm. Two ways to read one header are an error that
    asks which is meant, and so is a column of the layout that is not there.
    """
    given = {key: name for key, name in (layout or {}).items() if key not in WRITING}
    for name in given.values():
        if name not in header:
            raise unknown_name("column", name, [heading for heading in header if heading], where=where)
    by_name: dict[str, str] = {}
    for name in header:
        by_name.setdefault(bare_name(name), name)
    grouping = {
        key: name
        for key, name in by_name.items()
        if key in (*_CLASSES, *_PARADIGMS) and (rows is None or any(cell_text(row.get(name)) for row in rows))
    }
    group = given.get("class") or _first(grouping, _CLASSES)
    paradigm = given.get("paradigm") or _first(
        {key: name for key, name in grouping.items() if name != group}, _PARADIGMS
    )
    good, bad, sentence, label = _sentences(by_name, given, where)
    targets = next(
        (
            (by_name[heading], by_name[second])
            for heading, second in _TARGETS
            if heading in by_name and second in by_name
        ),
        ("", ""),
    )
    return PairColumns(
        good, bad, sentence, label, given.get("item") or _first(by_name, _ITEMS), group, paradigm,
        given.get("good_target") or targets[0], given.get("bad_target") or targets[1],
    )  # fmt: skip


def paired_columns(names: Iterable[str]) -> list[tuple[str, str]]:
    """The columns that say something of a word of the good sentence, each with that of the bad one."""
    by_name = {bare_name(name): name for name in names}
    pairs = [(name, f"bad_{name.removeprefix('good_')}") for name in by_name if name.startswith("good_")]
    pairs += [(name, f"{name}_bad") for name in by_name]  # of the second row of a pair
    pairs.append(("source_word", "target_word"))
    return [(by_name[first], by_name[second]) for first, second in pairs if first in by_name and second in by_name]


def cell_text(value: Any) -> str:
    """The text of a cell as a name of a group; empty where it holds nothing."""
    if value is None or isinstance(value, dict | list):
        return ""
    return " ".join(str(value).split())


def no_pairs(header: Collection[str], where: str) -> InputError:
    """The error of a file whose columns do not tell where the sentences are."""
    columns = ", ".join(name for name in header if name)
    todo = f"say which they are: --set layout=good=COLUMN --set layout=bad=COLUMN; the columns are {columns}"
    return InputError("no column is known to hold the good and the bad sentence", where=where, todo=todo)


def _sentences(by_name: Mapping[str, str], given: Mapping[str, str], where: str) -> tuple[str, str, str, str]:
    """The columns good, bad, sentence and label: the first two or the last two."""
    if "good" in given:
        return given["good"], given["bad"], "", ""
    if "sentence" not in given and "label" not in given:
        columns = [(by_name[good], by_name[bad]) for good, bad in named_pairs(by_name)]
        if len(columns) > 1:
            both = "; ".join(f"{good} and {bad}" for good, bad in columns)
            todo = "say which are meant: --set layout=good=COLUMN --set layout=bad=COLUMN"
            raise InputError(f"two pairs of columns may be the sentences: {both}", where=where, todo=todo)
        if columns:
            return *columns[0], "", ""
    sentence = given.get("sentence") or _first(by_name, _SENTENCES)
    label = given.get("label") or _first(by_name, _LABELS)
    return ("", "", sentence, label) if sentence and label else ("", "", "", "")


def named_pairs(names: Collection[str]) -> list[tuple[str, str]]:
    """The good and bad columns among these bare names; several where there is more than one way to read them."""
    return [(good, bad) for good, bad in PAIRS if good in names and bad in names]


def _first(by_name: Mapping[str, str], wanted: Iterable[str]) -> str:
    return next((by_name[name] for name in wanted if name in by_name), "")


def bare_name(name: str) -> str:
    """The name of a column without capitals and signs: `Bad Sentence` and `badSentence` are `bad_sentence`."""
    parted = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name)
    return re.sub(r"[^0-9a-z]+", "_", parted.casefold()).strip("_")


GOOD, BAD = "good", "bad"
FORMULA = "(*;%bad%) > (*;%good%)"
NAMES = {1: "sentence"}
_KINDS = {"syntax": "syntactic", "semantics": "semantic", "syntax_semantics": "hybrid", "syntax/semantics": "hybrid"}
_SHARED = ("class", "modifier", "kind", "complexity")
"""Columns whose one value is a property of the suite."""


def pair_item(id: str, good: str, bad: str, line: int, extra: Mapping[str, Any] | None = None) -> Item:
    """An item of two conditions with one region each."""
    conditions = (Condition(GOOD, (Region(1, good),)), Condition(BAD, (Region(1, bad),)))
    return Item(id, conditions, line, extra or {})


def pair_prediction(name: str) -> Prediction:
    """The bad sentence must have the greater surprisal."""
    return Prediction(FORMULA, f"{name} (prediction 1)")


def pair_suite(
    name: str, items: Sequence[Item], columns: PairColumns, format: str, extra: Mapping[str, Any],
    layout: Mapping[str, str],
) -> RegionSuite:  # fmt: skip
    """All pairs of a file; phenomenon and paradigm are those of the file where all pairs have the same."""
    rows = [item.columns for item in items]
    properties = {key: value for key in _SHARED if (value := _one(rows, key))}
    if value := _one(rows, columns.phenomenon):
        properties["class"] = value
    if kind := _KINDS.get(_one(rows, "field"), ""):
        properties["kind"] = kind
    # Mostly characters of scripts that are written without blanks, and no blanks.
    text = "".join(item.conditions[0].regions[0].content for item in items[:20])
    letters = [char for char in text if char.isalpha()]
    unsegmented = bool(letters) and " " not in text.strip() and len(re.findall(r"[぀-ヿ㐀-鿿]", text)) > len(letters) / 2
    return RegionSuite(
        name, _one(rows, columns.paradigm) or title_of(name), items, [pair_prediction(name)], NAMES, format,
        joiner="" if unsegmented else " ", segmented=not unsegmented, properties=properties,
        extra={**extra, "layout": dict(layout)} if layout else extra,
    )  # fmt: skip


def is_pairs_file(suite: RegionSuite) -> bool:
    """Are all items of this suite pairs of a good and a bad sentence?"""
    return suite.condition_names == (GOOD, BAD) and all(len(item.conditions) == 2 for item in suite.items)


def columns_of(suite: RegionSuite) -> PairColumns:
    """The columns of the file that a suite of pairs came from, also by way of SyntaxGym's JSON."""
    header = suite.said("header") or [name for item in suite.items[:1] for name in item.columns]
    return find_columns(header, suite.said("layout"), [item.columns for item in suite.items])


def pair_of(suite: RegionSuite, item: Item) -> tuple[str, str]:
    """The good and the bad sentence of an item; an error where the suite has no such two."""
    good, bad = (item.condition(name) for name in (GOOD, BAD))
    if good is None or bad is None or len(item.conditions) != 2:
        names = ", ".join(condition.name for condition in item.conditions)
        what = f"pairs need the conditions good and bad, here are {names}"
        raise InputError(what, where=suite.place(item), todo="keep the suite as SyntaxGym's JSON")
    return written(suite, good), written(suite, bad)


def written(suite: RegionSuite, condition: Condition) -> str:
    """The sentence of a condition, as it was where it is one region."""
    if len(condition.regions) == 1:
        return condition.regions[0].content
    return " ".join(condition.words) if suite.segmented else condition.text(suite.joiner)


def _one(rows: Sequence[Mapping[str, Any]], column: str) -> str:
    """The value that all pairs have in a column; empty where they differ."""
    values = {cell_text(columns.get(column)) for columns in rows} if column else set()
    return values.pop() if len(values) == 1 else ""


TARGET_NAMES = {1: "before", 2: "target", 3: "after"}
TARGET_FORMULA = "(2;%bad%) > (2;%good%)"
_NONE = frozenset(("", "-", "∅", "none", "nan", "null"))


def on_targets(suite: RegionSuite) -> RegionSuite:
    """The pairs whose target is known, in three regions, and the prediction on the second."""
    columns = columns_of(suite)
    items = [cut for item in suite.items if (cut := _cut(suite, item, columns)) is not None]
    prediction = Prediction(TARGET_FORMULA, f"{suite.name} (prediction 1)")
    return replace(suite, items=items, predictions=[prediction], region_names=TARGET_NAMES)


def has_target(suite: RegionSuite, item: Item, columns: PairColumns) -> bool:
    """Is the target of this pair named, and found in both sentences?"""
    return _cut(suite, item, columns) is not None


def names_target(item: Item, columns: PairColumns) -> bool:
    """Does the file name a target for this pair?"""
    return all(folded(target) not in _NONE for target in target_words(item, columns))


def target_words(item: Item, columns: PairColumns) -> tuple[str, str]:
    """What the file names as the target of the good and of the bad sentence; empty where it names none."""
    row = item.columns
    bad = row.get(f"{columns.bad_target} (bad)", row.get(columns.bad_target))
    return cell_text(row.get(columns.good_target)), cell_text(bad)


def _cut(suite: RegionSuite, item: Item, columns: PairColumns) -> Item | None:
    if not columns.good_target or not names_target(item, columns):
        return None
    pieces = [list(text.split() if suite.segmented else "".join(text.split())) for text in pair_of(suite, item)]
    conditions = []
    for own, other, target, condition in zip(
        pieces, reversed(pieces), target_words(item, columns), item.conditions, strict=True
    ):
        wanted = target.split() if suite.segmented else list("".join(target.split()))
        begin = _place(own, other, wanted)
        if begin is None:
            return None
        end = begin + len(wanted)
        joiner = " " if suite.segmented else ""
        parts = (own[:begin], own[begin:end], own[end:])
        regions = tuple(Region(number, joiner.join(part)) for number, part in enumerate(parts, 1))
        conditions.append(Condition(condition.name, regions, condition.extra))
    return replace(item, conditions=tuple(conditions))


def _place(words: Sequence[str], other: Sequence[str], wanted: Sequence[str]) -> int | None:
    """Where the wanted words begin; None where they are not there, or in several places that differ alike."""
    here, sought = [folded(word) for word in words], [folded(word) for word in wanted]
    size = len(sought)
    places = [begin for begin in range(len(words) - size + 1) if here[begin : begin + size] == sought]
    if len(places) > 1:
        ahead = common_start(words, other)
        behind = min(common_start(words[::-1], other[::-1]), len(words) - ahead, len(other) - ahead)
        places = [begin for begin in places if begin < len(words) - behind and begin + size > ahead]
    return places[0] if len(places) == 1 else None


def common_start(first: Sequence[str], second: Sequence[str]) -> int:
    """How many words two sentences begin with alike."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(first, second, strict=False)))


def folded(word: str) -> str:
    """Small letters without signs at the ends; the dotted and the dotless i of Turkish are one."""
    small = word.casefold().replace("\u0307", "").replace("ı", "i")
    bare = small.strip("".join({char for char in small if not char.isalnum()}))
    return bare or small
