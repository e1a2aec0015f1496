"""Which column of a file of pairs is what: sentences, phenomenon, paradigm, number, target.

A name is compared without capitals and signs: `Critical word(s)` is `critical_word_s`. What names do not tell is asked
for: `--layout good=COLUMN --layout bad=COLUMN`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from ...errors import InputError, UsageError, unknown_name

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
            raise UsageError(f"{part!r} says nothing of a layout", where="--layout", todo="write it as good=COLUMN")
        if key == "target":
            layout |= {"good_target": value, "bad_target": value}
        elif key not in KEYS:
            raise unknown_name("key of a layout", key, (*KEYS, "target"), where="--layout")
        else:
            layout[key] = value
    if layout.get("order", ORDERS[0]) not in ORDERS:
        raise unknown_name("order of lines", layout["order"], ORDERS, where="--layout")
    if ("good" in layout) != ("bad" in layout):
        missing = "bad" if "good" in layout else "good"
        raise UsageError("a layout names both sentences", where="--layout", todo=f"add {missing}=COLUMN")
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
    todo = f"say which they are: --layout good=COLUMN --layout bad=COLUMN; the columns are {columns}"
    return InputError("no column is known to hold the good and the bad sentence", where=where, todo=todo)


def _sentences(by_name: Mapping[str, str], given: Mapping[str, str], where: str) -> tuple[str, str, str, str]:
    """The columns good, bad, sentence and label: the first two or the last two."""
    if "good" in given:
        return given["good"], given["bad"], "", ""
    if "sentence" not in given and "label" not in given:
        columns = [(by_name[good], by_name[bad]) for good, bad in named_pairs(by_name)]
        if len(columns) > 1:
            both = "; ".join(f"{good} and {bad}" for good, bad in columns)
            todo = "say which are meant: --layout good=COLUMN --layout bad=COLUMN"
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
