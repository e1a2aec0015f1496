"""Contents of a role or region suite, or of one of its items, as a result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import PurePath

from ..errors import unknown_name
from ..runs.record.signatures import digest, signature
from ..runs.result.result import Finding, Result, Table, Value
from .regions.model import RegionSuite
from .regions.pairs import columns_of, has_target, is_pairs_file
from .regions.syntaxgym import to_syntaxgym
from .roles.model import RoleSuite
from .roles.names import ORDERS, PROPERTIES


def overview(suite: RoleSuite) -> Result:
    """Sentences by order and by property, and minimal pairs by what differs."""
    findings = [Finding("suites", suite.name, "", "items", len(suite))]
    orders, properties = suite.order_counts(), suite.property_counts()
    pairs = Counter((pair.kind, pair.change if pair.kind == "property" else "") for pair in suite.pairs())
    by_kind = Counter(dict.fromkeys(("order", "property"), 0))
    for (kind, _), count in pairs.items():
        by_kind[kind] += count
    facts: list[list[Value]] = [
        ["kind", suite.kind], ["format", suite.format], ["language", suite.language or "not known"],
        ["release", suite.release or "one"], ["ambiguity", suite.ambiguity or "not known"], ["items", len(suite)],
        ["ambiguous items", int(suite.ambiguous.sum())], ["gold arcs", len(suite.arcs)],
        ["pairs by order", by_kind["order"]], ["pairs by property", by_kind["property"]],
        ["content", digest(suite.treebank.data)[:12]],
    ]  # fmt: skip
    tables = [Table("Suite", ["what", "value"], facts)]
    rows: list[list[Value]]
    if orders:
        rows = [[order, orders[order], ORDERS.get(order, "unknown")] for order in _sorted(orders, list(ORDERS))]
        tables.append(Table("Orders", ["order", "sentences", "meaning"], rows))
        findings += [
            Finding("suites", suite.name, "", "sentences", count, by={"order": order})
            for order, count in orders.items()
        ]
    known = PROPERTIES[suite.kind]
    rows = [
        [name, properties[name], pairs["property", name], known.get(name, "unknown")]
        for name in _sorted(properties, list(known))
    ]
    tables.append(Table("Properties", ["property", "sentences", "pairs", "meaning"], rows))
    for name, count in properties.items():
        findings.append(Finding("suites", suite.name, "", "sentences", count, by={"property": name}))
        findings.append(Finding("suites", suite.name, "", "pairs", pairs["property", name], by={"property": name}))
    findings.append(Finding("suites", suite.name, "", "pairs", by_kind["order"], by={"property": "(order)"}))
    made = signature(("command", "show"), ("release", suite.release or None))
    return Result(made, findings, tables, details={"facts": {str(name): value for name, value in facts}})


def one_item(suite: RoleSuite, sent_id: str) -> Result:
    """An item with its gold arcs and the other halves of its pairs."""
    if sent_id not in suite.sent_ids:
        raise unknown_name("item", sent_id, suite.sent_ids, where=suite.name)
    item = suite.item(suite.sent_ids.index(sent_id))
    words = dict(enumerate(item.tokens, 1))
    facts: list[list[Value]] = [
        ["item", item.sent_id], ["sentence", item.text], ["order", item.order or None],
        ["properties", ", ".join(item.properties)], ["ambiguous", item.ambiguous],
        ["in the file", " ".join(item.marked).strip()], ["line", item.line],
    ]  # fmt: skip
    arcs: list[list[Value]] = [
        [arc.label, arc.dependent, words.get(arc.dependent), arc.head if arc.head >= 0 else None, words.get(arc.head)]
        for arc in item.arcs
    ]
    pairs: list[list[Value]] = []
    for pair in suite.pairs():
        if item.number in (pair.first, pair.second):
            partner = pair.second if pair.first == item.number else pair.first
            change = suite.orders[partner] if pair.kind == "order" else pair.change
            if pair.kind == "property":
                change = ("without " if partner == pair.first else "with ") + change
            pairs.append([pair.kind, change, suite.sent_ids[partner], " ".join(suite.tokens[partner])])
    tables = [
        Table("Item", ["what", "value"], facts),
        Table("Gold arcs", ["label", "position", "word", "head", "head word"], arcs),
        Table("Minimal pairs", ["by", "change", "item", "sentence"], pairs),
    ]
    findings = [
        Finding("suites", suite.name, "", "head", arc.head, by={"item": item.sent_id, "position": arc.dependent,
                "label": arc.label}) for arc in item.arcs
    ]  # fmt: skip
    details = {"item": {str(name): value for name, value in facts}, "pairs": pairs}
    return Result(signature(("command", "show"), ("item", sent_id)), findings, tables, details=details)


def _sorted(counts: dict[str, int], known: list[str]) -> list[str]:
    return sorted(counts, key=lambda name: (known.index(name) if name in known else len(known), name))


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
    return Result(signature(("command", "show"), ("suite", suite.title)), findings, tables, details=details)


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
    return Result(signature(("command", "show"), ("suite", whole)), findings, tables, details=details)


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
    return Result(signature(("command", "show"), ("item", item.id)), findings, tables)


def _predictions(suite: RegionSuite) -> Table:
    rows = [(number, " ".join(one.formula.split())) for number, one in enumerate(suite.predictions, 1)]
    return Table("Predictions", ["prediction", "formula"], rows)
