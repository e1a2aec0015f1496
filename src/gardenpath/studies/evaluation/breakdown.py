"""Scores of groups of gold words: by attributes of the word or edge, by a query, by a phenomenon."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...boundary.structured import read_toml
from ...boundary.texts import file_bytes
from ...data.store import local
from ...errors import InputError, UsageError
from ...stats.sampling import Clusters, Estimate, shares
from ...treebank.format.documents import sentence_columns
from ...treebank.format.treebank import Treebank
from ...treebank.perturb.registry import language_of
from ...treebank.query.names import check_names, feature_fault, lacking_feature
from ...treebank.query.parser import read_request, request_text
from ...treebank.query.request import Request
from ...treebank.query.search import Matches
from ...treebank.trees.scores import Scores
from ...treebank.trees.tree import crossings, depths
from ..engine.declaration import parts_of
from ..engine.grouping import known_column, label_column

_NAMED = re.compile(r"([^={}\[\]<>:;.@*]++)=\s*(.+)", re.DOTALL)
_NAMED_BEHIND = re.compile(r"(.*[\]})>\s\w*]):\s*([\w][\w -]*?)\s*", re.DOTALL)
_FIELDS = ("name", "query", "about", "arc", "language")
_FORM = 'each has a name and a query: [[phenomenon]], name = "…", query = "…"'


@dataclass(frozen=True)
class Phenomenon:
    """A query by name. Parsers are scored on the edge `arc`, or on its named edges (`e: …`), or on all of its edges.

    One with a `language` is asked of treebanks of this language, and of those whose names do not tell theirs.
    """

    name: str
    request: Request
    arc: str = ""
    language: str = ""

    def words(self, gold: Treebank) -> NDArray[np.bool_]:
        """For each gold word: is its edge one that the phenomenon is about?"""
        matches = Matches(self.request, gold.query_words)
        mask = np.zeros(gold.word_count, dtype=bool)
        mask[matches.words(self.arc) if self.arc else matches.dependants] = True
        return mask

    def check(self, gold: Treebank) -> list[str]:
        """Return notes on names that gold lacks, if the query finds nothing; an unknown name is an error."""
        notes = check_names(self.request, gold.query_words)
        return notes if notes and not self.words(gold).any() else []

    def is_for(self, gold: Treebank) -> bool:
        """By the language with which the names of its files begin."""
        return not self.language or language_of(gold.name.split(" + ")) in ("", self.language)


def is_phenomenon(text: str) -> bool:
    """Return whether a part of `--by` is a query, or a file of queries, and not a dimension or a cross of two."""
    parts = parts_of(text, CROSSED)
    return len(parts) == 1 and (text.startswith(("bundled:", "@")) or text.endswith(".toml") or _is_query(parts[0]))


def _is_query(part: str) -> bool:
    return re.search(r"[\[{>*.]", part) is not None and not _FEATURE.fullmatch(part)


def phenomena(queries: Iterable[str]) -> list[Phenomenon]:
    """Those that are named: `NAME=PATTERN`, a pattern alone, or a file of them (also `bundled:ud-phenomena`)."""
    named = [phenomenon for text in queries for phenomenon in _of(text)]
    names = [phenomenon.name for phenomenon in named]
    for name in names:
        if names.count(name) > 1:
            raise UsageError(f"two queries are called {name!r}", where="--by", todo="give each its own: NAME=PATTERN")
    return named


def _of(text: str) -> list[Phenomenon]:
    if text.startswith("bundled:") or text.endswith(".toml"):
        return _read(text.removeprefix("@"))
    return [as_phenomenon(text)]


def as_phenomenon(text: str) -> Phenomenon:
    """A query as it is written on the command line: `NAME=PATTERN`, `PATTERN:NAME`, or a pattern that is its name."""
    name, pattern = " ".join(text.split()), text
    if match := _NAMED.fullmatch(text):
        name, pattern = match[1].strip(), match[2]
    elif (match := _NAMED_BEHIND.fullmatch(text)) and not text.startswith("@"):
        name, pattern = match[2], match[1]
    return Phenomenon(name, read_request(request_text(pattern)))


def _read(place: str) -> list[Phenomenon]:
    path = Path(local(place))
    entries = read_toml(file_bytes(path), str(path), _FORM).get("phenomenon")
    if not isinstance(entries, list) or not entries:
        raise InputError("there is no phenomenon in this file", where=str(path), todo=_FORM)
    return [_entry(entry, f"{path}, phenomenon {number}") for number, entry in enumerate(entries, 1)]


def _entry(entry: Any, where: str) -> Phenomenon:
    if not isinstance(entry, dict) or not all(isinstance(entry.get(key), str) for key in _FIELDS[:2]):
        raise InputError("a phenomenon without a name or a query", where=where, todo=_FORM)
    if unknown := sorted(set(entry) - set(_FIELDS)):
        raise InputError(f"unknown: {', '.join(unknown)}", where=where, todo=f"there are {', '.join(_FIELDS)}")
    if not all(isinstance(value, str) for value in entry.values()):
        raise InputError("each field of a phenomenon is a text", where=where, todo=_FORM)
    try:
        request, arc = read_request(entry["query"]), entry.get("arc", "")
        if arc and arc not in request.edges:
            raise InputError(f"no edge of the query is called {arc!r}", where=where, todo="name it: e: X -[obj]-> Y")
        return Phenomenon(entry["name"], request, arc, entry.get("language", ""))
    except UsageError as error:
        raise InputError(f"the query: {error.what}", where=f"{where}, {error.where}", todo=error.todo) from None


Ints = NDArray[np.int64]
CROSSED = "+"
NONE = "(none)"
"""The group of words without the feature."""
_FEATURE = re.compile(r"[A-Z][A-Za-z0-9]*(\[[a-z0-9]+\])?")


@dataclass(frozen=True)
class Grouping:
    """One dimension, or two that are crossed; `queries` has those that are a question to the treebank."""

    names: tuple[str, ...]
    queries: Mapping[str, Phenomenon] = field(default_factory=dict)

    @property
    def text(self) -> str:
        return CROSSED.join(self.names)

    def of_words(self, scores: Scores) -> tuple[Ints, list[tuple[str, ...]]]:
        """The number of every word's group, and what each group is called in each dimension."""
        parts = [self._dimension(name, scores) for name in self.names]
        numbers, names = parts[0][0], list[tuple[str, ...]]((name,) for name in parts[0][1])
        for more, more_names in parts[1:]:
            numbers = numbers * len(more_names) + more
            names = [(*first, second) for first in names for second in more_names]
        kept, places = np.unique(numbers, return_inverse=True)
        return places.astype(np.int64), [names[number] for number in kept.tolist()]

    def _dimension(self, name: str, scores: Scores) -> tuple[Ints, list[str]]:
        gold = scores.alignment.gold
        if name in self.queries:
            return self.queries[name].words(gold).astype(np.int64), ["no", "yes"]
        if name == "label":
            return scores.words.gold_deprels.astype(np.int64), list(scores.words.deprels)
        if name in OF_EDGES:
            return OF_EDGES[name](gold)
        if _FEATURE.fullmatch(name) or name in TAGS:
            codes, values = gold.query_words.feature(name)
            return np.where(codes < 0, len(values), codes), [*values, NONE]
        return _of_sentences(name, gold)

    def check(self, gold: Treebank) -> None:
        """Features and comments that gold does not have are an error, and so are unknown names in queries."""
        for query in self.queries.values():
            query.check(gold)
        for name in self.names:
            if name in (*OF_EDGES, "label", "confusion", *self.queries):
                continue
            if name not in TAGS and not _FEATURE.fullmatch(name):
                _sentence_column(name, gold)
            elif not gold.query_words.feature(name)[1]:
                what = feature_fault(name, gold.query_words) or lacking_feature(name, gold.query_words)
                there = ", ".join(sorted(gold.query_words.feature_names)) or "no features"
                raise UsageError(what, where=f"--by {self.text}", todo=f"there are {there}")


def grouping(text: str) -> Grouping:
    """`label`, `Case`, `genre`, `upos+distance`, or a query with its name: `V -[obj]-> O; O << V:object first`."""
    names, queries = list[str](), dict[str, Phenomenon]()
    for part in parts_of(text, CROSSED):
        if _is_query(part):
            query = as_phenomenon(part)
            names.append(query.name)
            queries[query.name] = query
        else:
            names.append(part)
    if not 1 <= len(names) <= 2 or len(set(names)) < len(names):
        raise UsageError(
            "a grouping is one dimension or two that differ", where=f"--by {text}", todo="as upos+distance"
        )
    if "confusion" in names and len(names) > 1:
        raise UsageError("confusion is two labels already", where=f"--by {text}", todo="name it alone")
    return Grouping(tuple(names), queries)


def _sentence_column(name: str, gold: Treebank) -> Sequence[object]:
    columns = sentence_columns(gold)
    known = ("label", *TAGS, *OF_EDGES, "confusion", "a feature such as Case", "a query")
    return columns[known_column(name, columns, known)]


def _of_sentences(name: str, gold: Treebank) -> tuple[Ints, list[str]]:
    """What is said of the sentence, in classes where these are numbers."""
    column = label_column(name, _sentence_column(name, gold))
    numbers = {label: number for number, label in enumerate(column.order)}
    codes = np.array([numbers[labels[0]] if labels else len(numbers) for labels in column.labels], dtype=np.int64)
    return codes[gold.sentence_of], [*map(str, column.order), NONE]


def groups_of_words(gold: Treebank) -> dict[str, list[str]]:
    """For each property of edges but the label, the group of every word of gold."""
    groups = {}
    for name, function in OF_EDGES.items():
        numbers, names = function(gold)
        groups[name] = [names[number] for number in numbers.tolist()]
    return groups


def _by_bins(values: Ints, upper: Sequence[int]) -> tuple[Ints, list[str]]:
    """Numbers of bins with the given upper bounds, and one more for all above."""
    names, low = [], 1
    for bound in upper:
        names.append(f"{low}" if bound == low else f"{low}–{bound}")
        low = bound + 1
    return np.searchsorted(np.array(upper), values), [*names, f"{low}+"]


def _length(gold: Treebank) -> tuple[Ints, list[str]]:
    return _by_bins(gold.lengths[gold.sentence_of], (5, 10, 20, 30, 40, 60))


def _distance(gold: Treebank) -> tuple[Ints, list[str]]:
    """|ID - HEAD|; root edges have no length and are a group of their own."""
    size = np.abs(gold.ids - gold.heads)
    numbers, names = _by_bins(size, (1, 2, 3, 6, 10, 15))
    return np.where(gold.heads == 0, len(names), numbers), [*names, "root"]


def _direction(gold: Treebank) -> tuple[Ints, list[str]]:
    numbers = np.where(gold.heads == 0, 2, (gold.heads < gold.ids).astype(np.int64))
    return numbers, ["head to the right", "head to the left", "root"]


def _depth(gold: Treebank) -> tuple[Ints, list[str]]:
    """Edges up to the artificial root: 1 for the root word."""
    levels = depths(gold.heads, gold.offsets)
    numbers, names = _by_bins(levels, (1, 2, 3, 4, 5, 6))
    return np.where(levels < 0, len(names), numbers), [*names, "no tree"]


def _projectivity(gold: Treebank) -> tuple[Ints, list[str]]:
    crossed = crossings(gold.heads, gold.offsets)
    numbers = crossed.nonprojective.astype(np.int64)
    return np.where(crossed.too_long[gold.sentence_of], 2, numbers), ["projective", "non-projective", "not decided"]


OF_EDGES: dict[str, Callable[[Treebank], tuple[Ints, list[str]]]] = {
    "length": _length,
    "distance": _distance,
    "direction": _direction,
    "depth": _depth,
    "projectivity": _projectivity,
}
TAGS = ("upos", "xpos")


@dataclass(frozen=True, slots=True)
class WordGroup:
    """UAS, LAS and label accuracy over the gold words of one group, per cent, LAS with its interval; None of none."""

    by: Mapping[str, str]
    """The value of each dimension."""
    words: int
    uas: float | None
    las: float | None
    label: float | None
    low: float | None
    high: float | None
    precision: float | None = None
    """Of a label: of the words the system called so, how many are right in head and label."""
    f1: float | None = None


def by_group(scores: Scores, grouping: Grouping, clusters: Clusters) -> list[WordGroup]:
    """The scores of each group that has words, as gold groups them; `clusters` are those of the sentences."""
    numbers, names = grouping.of_words(scores)
    groups = _word_groups(scores, [dict(zip(grouping.names, name, strict=True)) for name in names], numbers, clusters)
    if grouping.names != ("label",):
        return groups
    deprels = scores.words.deprels
    called = dict(zip(deprels, np.bincount(scores.words.called, minlength=len(deprels)).tolist(), strict=True))
    groups = [_with_precision(group, called[group.by["label"]]) for group in groups]
    return sorted(groups, key=lambda group: (-group.words, group.by["label"]))


def of_words(scores: Scores, by: Mapping[str, str], chosen: NDArray[np.bool_], clusters: Clusters) -> WordGroup:
    """The scores of the gold words that are chosen, as one group."""
    groups = _word_groups(scores, [by, {}], np.where(chosen, 0, 1), clusters)
    return next((group for group in groups if group.by), WordGroup(by, 0, *[None] * 5))


def _with_precision(group: WordGroup, called: int) -> WordGroup:
    """Precision and F1 of a label, which `called` words have in the system."""
    right = round((group.las or 0) * group.words / 100)
    return replace(group, precision=100 * right / called if called else None, f1=200 * right / (group.words + called))


def _word_groups(
    scores: Scores, names: Sequence[Mapping[str, str]], numbers: Ints, clusters: Clusters
) -> list[WordGroup]:
    words, gold = scores.words, scores.alignment.gold
    count = len(names)
    scored = words.scored

    def totals(which: NDArray[np.bool_]) -> Ints:
        return np.bincount(numbers[which & scored], minlength=count)

    words_in, uas, las, label = totals(scored), totals(words.uas), totals(words.las), totals(words.label)
    intervals = _intervals(gold, numbers, count, scored, words.las, clusters)
    groups = []
    for i, by in enumerate(names):
        n = int(words_in[i])
        if n == 0:
            continue
        interval = intervals[i]
        low, high = interval.percent if interval else (None, None)
        u, a, b = (100 * int(total[i]) / n for total in (uas, las, label))
        groups.append(WordGroup(by, n, u, a, b, low, high))
    return groups


def _intervals(
    gold: Treebank,
    numbers: Ints,
    count: int,
    scored: NDArray[np.bool_],
    las: NDArray[np.bool_],
    clusters: Clusters,
) -> list[Estimate | None]:
    """The LAS of each group from counts per sentence (sentences × groups)."""
    cells = gold.sentence_of * count + numbers
    size = len(gold) * count
    right = np.bincount(cells[las & scored], minlength=size).reshape(-1, count)
    asked = np.bincount(cells[scored], minlength=size).reshape(-1, count)
    return shares(right, asked, clusters)


def confusions(scores: Scores) -> list[tuple[str, str, int]]:
    """(gold label, label of the system, words) for every pair of labels that occurs, most frequent first."""
    words = scores.words
    kept = words.scored & words.aligned
    size = len(words.deprels)
    table = np.bincount(words.gold_deprels[kept].astype(np.int64) * size + words.system_deprels[kept])
    cells = [(int(table[i]), *divmod(int(i), size)) for i in np.flatnonzero(table)]
    return [(words.deprels[g], words.deprels[s], n) for n, g, s in sorted(cells, key=lambda cell: (-cell[0], cell[1:]))]
