"""What is in a suite of regions, or in one item of it, as a result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import PurePath

from ...errors import unknown_name
from ...runs.record.signatures import digest, signature
from ...runs.result.result import Finding, Result, Table, Value
from .model import RegionSuite
from .pairs import columns_of, has_target, is_pairs_file
from .syntaxgym import to_syntaxgym


def region_overview(suite: RegionSuite) -> Result:
    """Conditions, regions with their lengths, predictions."""
    facts: list[list[Value]] = [
        ["name", suite.title], ["format", suite.format], ["items", len(suite)], ["metric", suite.metric],
        ["words joined by", repr(suite.joiner)], ["word borders", suite.segmented],
        *(list[Value]((key, value)) for key, value in suite.properties.items()),
        ["content", digest(to_syntaxgym(suite))[:12]],
    ]  # fmt: skip
    count = Counter(one.name for item in suite.items for one in item.conditions)
    lengths: dict[int, list[int]] = {}
    for item in suite.items:
        for condition in item.conditions:
            for region in condition.regions:
                lengths.setdefault(region.number, []).append(len(region.words))
    asked = {number for number, _ in suite.asked}
    regions: list[list[Value]] = [
        [number, suite.region_names.get(number), sum(sizes) / len(sizes), sizes.count(0), number in asked]
        for number, sizes in sorted(lengths.items())
    ]
    tables = [
        Table("Suite", ["what", "value"], facts),
        Table("Conditions", ["condition", "items"], list(count.items())),
        Table("Regions", ["region", "name", "mean words", "empty", "asked for"], regions),
        _predictions(suite),
    ]
    findings = [Finding("suites", suite.name, "", "items", len(suite))]
    findings += [Finding("suites", suite.name, "", "items", n, by={"condition": name}) for name, n in count.items()]
    details = {"facts": {str(name): value for name, value in facts}}
    return Result(signature(("command", "suites show"), ("suite", suite.title)), findings, tables, details=details)


def overview_of_pairs(paradigms: Sequence[RegionSuite], name: str, files: int, unread: Sequence[str]) -> Result:
    """Phenomena and paradigms of a benchmark, with their pairs, targets and columns."""
    whole = PurePath(name).name
    rows = [_paradigm_row(suite) for suite in paradigms]
    groups: dict[Value, list[list[Value]]] = {}
    for row in rows:
        groups.setdefault(row[0], []).append(row)
    columns = dict.fromkeys(column for suite in paradigms for item in suite.items[:1] for column in item.columns)
    named = sum(row[0] is not None for row in rows)
    facts: list[list[Value]] = [
        ["format", ", ".join(dict.fromkeys(suite.format for suite in paradigms))], ["files", files],
        ["items", sum(map(len, paradigms))], ["phenomena", len(groups) if named else 0],
        ["paradigms", len(paradigms)], ["columns", ", ".join(columns) or None],
        *(list[Value](("file that is not a suite", file)) for file in unread),
        ["content", digest(*(to_syntaxgym(suite) for suite in paradigms))[:12]],
    ]  # fmt: skip
    tables = [
        Table("Suites", ["what", "value"], facts),
        Table(
            "Phenomena", ["phenomenon", "paradigms", "items"],
            [[phenomenon, len(group), sum(int(str(row[2])) for row in group)] for phenomenon, group in groups.items()],
        ),
        Table("Paradigms", ["phenomenon", "paradigm", "items", "with a target", "file"], rows),
    ]  # fmt: skip
    findings = [Finding("suites", whole, "", str(what), value) for what, value in facts if isinstance(value, int)]
    for suite, row in zip(paradigms, rows, strict=True):
        by: dict[str, Value] = {"phenomenon": row[0], "paradigm": row[1]}
        findings.append(Finding("suites", whole, "", "items", len(suite), by=by))
        if row[3] is not None:
            findings.append(Finding("suites", whole, "", "targets", row[3], len(suite), by=by))
    details = {"facts": {str(what): value for what, value in facts}}
    return Result(signature(("command", "suites show"), ("suite", whole)), findings, tables, details=details)


def _paradigm_row(suite: RegionSuite) -> list[Value]:
    """Phenomenon, paradigm, items, those whose target is known (None where the file names none), and the file."""
    columns = columns_of(suite) if is_pairs_file(suite) else None
    targets = None
    if columns is not None and columns.good_target:
        targets = sum(has_target(suite, item, columns) for item in suite.items)
    return [suite.property_of("class") or None, suite.title, len(suite), targets, PurePath(suite.name).name]


def one_region_item(suite: RegionSuite, wanted: str) -> Result:
    """The sentences of one item, in regions."""
    ids = [item.id for item in suite.items]
    if wanted not in ids:
        raise unknown_name("item", wanted, ids, where=suite.name)
    item = suite.items[ids.index(wanted)]
    numbers = suite.region_numbers
    rows: list[list[Value]] = []
    findings = []
    for condition in item.conditions:
        contents = {region.number: " ".join(region.words) for region in condition.regions}
        rows.append([condition.name, *(contents.get(number) for number in numbers)])
        findings += [
            Finding("suites", suite.name, "", "region", text, by={"item": item.id, "condition": condition.name,
                    "region": number}) for number, text in contents.items()
        ]  # fmt: skip
    columns = ["condition", *(f"{number} {suite.region_names.get(number, '')}".rstrip() for number in numbers)]
    tables = [Table(f"Item {item.id} of {suite.title}", columns, rows), _predictions(suite)]
    return Result(signature(("command", "suites show"), ("item", item.id)), findings, tables)


def _predictions(suite: RegionSuite) -> Table:
    rows = [(number, " ".join(one.formula.split())) for number, one in enumerate(suite.predictions, 1)]
    return Table("Predictions", ["prediction", "formula"], rows)
