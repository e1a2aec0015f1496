"""What a search found, as a result: how many matches, in which groups, and the first of them in their sentences."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath

from ...runs.layout import Column, measured, table
from ...runs.result import Finding, Result, Table, Value
from ...runs.signature import digest, signature
from .search import Hit, Matches, hits

STUDY = "search"
NONE = "(none)"
"""Stands for a feature that a word does not have."""


def search_result(matches: Matches, by: Sequence[str] = (), limit: int = 10) -> Result:
    """Matches and the sentences that have one, matches by the values of `by`, and the first `limit` as examples."""
    suite, count = PurePath(matches.nodes.name).name, matches.nodes.sentence_count
    findings = [
        Finding(STUDY, suite, "", "matches", len(matches), count),
        Finding(STUDY, suite, "", "sentences", len(matches.sentences), count),
    ]
    tables = [_overview(findings)]
    if by:
        groups = [_group(suite, by, values, number, len(matches)) for values, number in matches.counts(*by).items()]
        findings += [finding for pair in groups for finding in pair]
        tables.append(_by_group(by, groups))
    shown = hits(matches, range(min(limit, len(matches))))
    if shown:
        tables.append(_examples(shown, len(matches)))
    details = {"examples": [{"sentence": hit.sentence, "text": hit.text, **hit.nodes} for hit in shown]}
    content = digest(matches.nodes.to_bytes())[:8]
    pattern = " ".join(matches.request.text.split())
    marks = signature(
        ("command", "treebank search"), ("treebank", f"{suite}#{content}"), ("pattern", pattern), *matches.nodes.facts
    )
    return Result(marks, findings, tables, details=details)


def _overview(findings: Sequence[Finding]) -> Table:
    columns = [Column("", ["matches", "sentences with a match"]), *measured("count", findings)]
    return table(f"{findings[0].suite}: {findings[0].n:,} sentences", columns, name="matches")


def _group(
    suite: str, keys: Sequence[str], values: Sequence[str | None], number: int, total: int
) -> tuple[Finding, Finding]:
    by: dict[str, Value] = {key: NONE if value is None else value for key, value in zip(keys, values, strict=True)}
    share = Finding(STUDY, suite, "", "share", 100 * number / total, total, by=by)
    return Finding(STUDY, suite, "", "matches", number, total, by=by), share


def _by_group(keys: Sequence[str], groups: Sequence[tuple[Finding, Finding]]) -> Table:
    columns = [Column(key, [count.by[key] for count, _ in groups]) for key in keys]
    columns += measured("matches", [count for count, _ in groups])
    columns += measured("%", [share for _, share in groups])
    return table(f"By {', '.join(keys)}", columns, name="groups")


def _examples(shown: Sequence[Hit], total: int) -> Table:
    more = f", the first {len(shown)}" if total > len(shown) else ""
    columns = [Column("sentence", [hit.sentence for hit in shown]), Column("text", [hit.text for hit in shown])]
    return table(f"{total:,} match{'es' if total != 1 else ''}{more}", columns, name="examples")
