"""What is in a suite, or in one item of it, as a result."""

from __future__ import annotations

from collections import Counter

from ...errors import unknown_name
from ...runs.record.signatures import digest, signature
from ...runs.result.result import Finding, Result, Table, Value
from .model import RoleSuite
from .names import ORDERS, PROPERTIES


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
    made = signature(("command", "suites show"), ("release", suite.release or None))
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
    return Result(signature(("command", "suites show"), ("item", sent_id)), findings, tables, details=details)


def _sorted(counts: dict[str, int], known: list[str]) -> list[str]:
    return sorted(counts, key=lambda name: (known.index(name) if name in known else len(known), name))
