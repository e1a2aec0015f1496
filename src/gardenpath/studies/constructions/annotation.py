"""Human judgements of parses: sheets that annotators fill in, and their agreement with each other and with the rules.

A sheet has a row for each item and parse, in random order: the words that the item is about, the sentence, both trees
and the classes to choose from. It says neither which system made a parse nor how the rules judge it; a parse that
several systems share has one row.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from random import Random

from ...boundary.texts import csv_rows, file_text
from ...errors import InputError, UsageError
from ...phrase.drawing import drawn
from ...phrase.formats.notation import to_notation
from ...phrase.schemes.registry import scheme as known_scheme
from ...phrase.tree import PhraseTree
from ...runs.record.signatures import digest
from ...runs.result.encoding import cell
from ...runs.result.result import Finding, Value
from ...stats.agreement import Ratings, cohen_kappa, krippendorff_alpha
from ...stats.sampling import Clusters, share
from ...suites.constructions.model import PHENOMENA, table_of
from ..engine.phrase_trees import JudgedPhrases
from .error_classes import CLASSES, ONLY_WITH_FIELDS, RIGHT, ConstructionVerdict
from .judging import JudgedConstructions
from .scores import clusters_of, sentence_of

COLUMNS = ("id", "phenomenon", "words", "sentence", "gold", "parse", "classes", "others", "class")
RULES = "the rules"
"""The name of the rules among annotators."""


Sheet = Mapping[str, str]
"""The classes that an annotator gave, by the id of the row."""


def row_id(suite: str, scheme: str, item: str, gold: PhraseTree, parse: PhraseTree) -> str:
    """Return the id of a row, which belongs to this very parse of this very tree."""
    return digest(suite, scheme, item, to_notation(gold), to_notation(parse))[:12]


def choices(phenomenon: str, scheme: str) -> tuple[str, ...]:
    """Return the classes that an annotator can give."""
    hidden = ONLY_WITH_FIELDS if known_scheme(scheme).fields is None else ()
    return (RIGHT, *(code for code in CLASSES[table_of(phenomenon)] if (phenomenon, code) != hidden))


def sheet_text(
    items: Sequence[JudgedPhrases], phenomena: Mapping[tuple[str, str], str], sheets: Mapping[str, Sheet], seed: int = 0
) -> str:
    """Return a blank sheet; of filled sheets the one to adjudicate: what they disagree on comes first, without a class.

    `phenomena` has the phenomenon of each item by suite and name, `sheets` the filled ones by annotator.
    """
    rows: dict[str, list[str]] = {}
    for item in items:
        phenomenon = phenomena[item.suite, item.item]
        meanings = {RIGHT: "no mistake", **CLASSES[table_of(phenomenon)]}
        listed = "\n".join(f"{code}: {meanings[code]}" for code in choices(phenomenon, item.scheme))
        about = " ".join(f"{item.gold.words[token]}/{token + 1}" for token in item.marked)
        for parse in item.systems.values():
            if parse is None or not parse.labels:
                continue
            key = row_id(item.suite, item.scheme, item.item, item.gold, parse)
            given = {name: sheet[key] for name, sheet in sheets.items() if key in sheet}
            is_agreed = len(given) == len(sheets) and len(set(given.values())) == 1
            trees = (drawn(tree).partition("\n")[2] for tree in (item.gold, parse))
            others = "; ".join(f"{name}: {code}" for name, code in given.items())
            agreed = next(iter(given.values())) if is_agreed else ""
            rows[key] = [key, phenomenon, about, " ".join(item.gold.words), *trees, listed, others, agreed]
    if not rows:
        raise UsageError("the run has no parse to judge", todo="choose a run with parsed items")
    shuffled = list(rows.values())
    Random(seed).shuffle(shuffled)
    rest = sorted(shuffled, key=lambda row: bool(row[-1]))
    text = io.StringIO()
    guarded = (["\n".join(map(cell, one.split("\n"))) for one in row] for row in rest)
    csv.writer(text, delimiter="\t", lineterminator="\n").writerows([COLUMNS, *guarded])
    return text.getvalue()


def read_sheets(paths: Sequence[str]) -> dict[str, Sheet]:
    """Return filled sheets by annotator, who is called as the file."""
    sheets = {Path(path).stem: _read_sheet(path) for path in paths}
    if len(sheets) < len(paths) or RULES in sheets:
        raise UsageError(f"two annotators have the same name, or one is called {RULES}", todo="rename their files")
    return sheets


def _read_sheet(path: str) -> Sheet:
    """Return the classes of a sheet, tab-separated or as CSV; columns that only people read may be missing."""
    text = file_text(path, "the sheet")
    separator = "\t" if "\t" in text.partition("\n")[0] else ","
    table = list(csv_rows(io.StringIO(text, newline=""), path, separator))
    header = table[0][1] if table else []
    if not {"id", "class", "phenomenon"} <= set(header):
        todo = "gardenpath constructions sheet writes one; keep its columns"
        raise InputError("not a sheet: it has no columns id, phenomenon and class", where=path, todo=todo)
    sheet: dict[str, str] = {}
    for line, cells in table[1:]:
        row = dict(zip(header, (text.strip() for text in cells), strict=False))
        key, code, phenomenon = (row.get(name, "") for name in ("id", "class", "phenomenon"))
        if not code:
            continue
        if phenomenon not in PHENOMENA:
            raise InputError(f"unknown phenomenon {phenomenon!r}", where=f"{path}:{line}", todo="keep this column")
        known = {one.casefold(): one for one in (RIGHT, *CLASSES[table_of(phenomenon)])}
        if code.casefold() not in known:
            todo = f"choose one of {', '.join(known.values())}"
            raise InputError(f"{code!r} is not a class of {phenomenon}", where=f"{path}:{line}", todo=todo)
        if key in sheet:
            raise InputError(f"the row {key} occurs twice", where=f"{path}:{line}", todo="keep one of them")
        sheet[key] = known[code.casefold()]
    if not sheet:
        raise InputError("no row of this sheet has a class", where=path, todo="fill in the column class")
    return sheet


def with_people(judged: Sequence[JudgedConstructions], sheets: Mapping[str, Sheet]) -> list[JudgedConstructions]:
    """Return the judgements with the classes of annotators; a single sheet takes the place of the rules."""
    made, met = [], set[str]()
    for performance in judged:
        suite, verdicts = performance.suite, performance.verdicts
        keys = [
            "" if tree is None else row_id(suite.name, suite.scheme, item.item, item.tree, tree)
            for item, tree in zip(suite.items, performance.trees, strict=True)
        ]
        met.update(keys)
        people = {name: [sheet.get(key) for key in keys] for name, sheet in sheets.items()}
        if len(sheets) == 1:
            ((name, codes),) = people.items()
            pairs = zip(codes, verdicts, strict=True)
            verdicts = [verdict if code is None else _by_hand(name, code, verdict) for code, verdict in pairs]
        rules = [RIGHT if one.right else one.primary if one.codes else None for one in performance.verdicts]
        made.append(replace(performance, people={**people, RULES: rules}, verdicts=verdicts))
    if unmet := next((name for name, sheet in sheets.items() if not met & sheet.keys()), None):
        todo = "name the suite and the systems of the run that the sheet was made from"
        raise UsageError("no row of this sheet belongs to these parses", where=unmet, todo=todo)
    return made


def _by_hand(name: str, code: str, verdict: ConstructionVerdict) -> ConstructionVerdict:
    codes = () if code == RIGHT else (code,)
    return replace(verdict, codes=codes, primary=code, flags=("by-hand",), reason=f"judged by {name}")


def agreements(judged: Sequence[JudgedConstructions], independent: bool = False) -> Iterator[Finding]:
    """Yield the agreement of each pair, of all people where there are more than two, and of each with the rules.

    These are the share of items to which all gave the same class, and Cohen's kappa or, of several, Krippendorff's
    alpha; for each system, over all and by phenomenon.
    """
    for system in dict.fromkeys(performance.system for performance in judged):
        own = [performance for performance in judged if performance.system == system]
        people = [name for name in own[0].people if name != RULES]
        groups = [*combinations(people, 2), *([tuple(people)] if len(people) > 2 else [])]
        groups += [(name, RULES) for name in people]
        pairs = [(item, performance.suite.name) for performance in own for item in performance.suite.items]
        clusters = clusters_of([sentence_of(suite, item.tree) for item, suite in pairs], independent)
        kinds = [item.construction.phenomenon for item, _ in pairs]
        head = "constructions", ", ".join(dict.fromkeys(suite for _, suite in pairs)), system
        for group in groups:
            given = [[code for performance in own for code in performance.people[name]] for name in group]
            for phenomenon in ("", *PHENOMENA):
                inside = [
                    [code if phenomenon in ("", kind) else None for code, kind in zip(codes, kinds, strict=True)]
                    for codes in given
                ]
                by: dict[str, Value] = {"annotators": " and ".join(group)}
                by |= {"phenomenon": phenomenon} if phenomenon else {}
                yield from _agreement(head, by, inside, clusters)


def _agreement(
    head: tuple[str, str, str], by: dict[str, Value], columns: Sequence[Ratings], clusters: Clusters
) -> Iterator[Finding]:
    units = [[code for code in unit if code is not None] for unit in zip(*columns, strict=True)]
    rated = [len(unit) > 1 for unit in units]
    if not any(rated):
        return
    same = share([len(unit) > 1 and len(set(unit)) == 1 for unit in units], rated, clusters)
    low, high = same.percent
    yield Finding(*head, "agreement", 100 * same.value, sum(rated), low, high, by)
    pair = len(columns) == 2
    found = cohen_kappa(columns[0], columns[1], clusters) if pair else krippendorff_alpha(columns, clusters)
    if found is not None:
        yield Finding(*head, "kappa" if pair else "alpha", found.value, sum(rated), found.low, found.high, by)
