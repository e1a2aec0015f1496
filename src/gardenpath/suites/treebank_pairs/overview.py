"""What came of a treebank, as a result: pairs, the rules they rest on, and why other sites gave none."""

from __future__ import annotations

from ...runs.result import Finding, Result, Table, Value
from ...runs.signature import digest, signature
from .making import TreebankPairs

REASONS = {
    "no agreement": "the treebank itself has another value there",
    "no rule": "too few sites keep the rule, or too many break it",
    "wavering": "this noun or verb is also found with the other value",
    "no form": "the other form is not known",
    "same form": "the other form is the same",
    "syncretic": "the other form may be right",
    "syncretic controller": "the noun or pronoun may have the other value",
    "roles may change": "the subject could be the object then",
    "vocative": "the subject could be the person that is spoken to",
    "several words": "more than one word would change",
    "sound": "the other determiner is not known before this letter",
    "contraction": "the other determiner would melt into the word before it",
    "passive": "the verb is passive",
    "not a word of its own": "part of a multiword token, with an apostrophe or a hyphen, or in capitals",
    "repeated": "the same two sentences are there already",
    "length": "the sentence is too short or too long",
    "quotation": "the sentence has quotation marks",
    "broken sentence": "the sentence is a list, a slip of the tongue or incomplete",
}


def pairs_overview(made: TreebankPairs, settings: list[tuple[str, object]]) -> Result:
    """One finding per phenomenon, reason and rule."""
    name = made.treebank.name
    findings: list[Finding] = []
    rows: list[list[Value]] = []
    for phenomenon, pairs in made.pairs.items():
        attracted = sum(pair.attractors > 0 for pair in pairs)
        rows.append([phenomenon, made.sites[phenomenon], len(pairs), attracted])
        by: dict[str, Value] = {"phenomenon": phenomenon}
        findings += [
            Finding("suites", name, "", "pairs", len(pairs), made.sites[phenomenon], by=by),
            Finding("suites", name, "", "pairs_with_attractors", attracted, len(pairs), by=by),
        ]
    left_out: list[list[Value]] = []
    for (phenomenon, reason), count in sorted(made.left_out.items()):
        left_out.append([phenomenon, reason, count, REASONS[reason]])
        by = {"phenomenon": phenomenon, "reason": reason}
        findings.append(Finding("suites", name, "", "left_out", count, made.sites[phenomenon], by=by))
    rules: list[list[Value]] = []
    for rule in made.rules:
        seen = rule.kept + rule.broken
        rules.append([rule.phenomenon, rule.value, rule.other, seen, 100 * rule.kept / seen])
        by = {"phenomenon": rule.phenomenon, "value": rule.value, "instead": rule.other}
        findings.append(Finding("suites", name, "", "kept", rule.kept / seen, seen, by=by))
    tables = [
        Table("Pairs", ["phenomenon", "sites", "pairs", "with attractors"], rows),
        Table("What the treebank shows", ["phenomenon", "value", "instead", "sites", "kept %"], rules, digits=1,
              note="a rule is counted for each order and form of the verb; one that is kept less often than in 95 % of "
              "the sites, or in fewer than 20, makes no pairs"),
        Table("Sites without a pair", ["phenomenon", "why", "sites", "meaning"], left_out),
    ]  # fmt: skip
    facts: list[tuple[str, object]] = [("command", "suites from-treebank"), ("data", digest(made.treebank.data)[:12])]
    return Result(signature(*facts, *settings), findings, [table for table in tables if table.rows])
