"""The evaluation of systems on a gold treebank, as findings, tables and observations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from ...errors import UsageError
from ...runs.result import Finding, Result, Table, Value
from ...runs.signature import digest, signature
from ...treebank.scores import METRICS, Scores, score
from ...treebank.treebank import Treebank

if TYPE_CHECKING:
    from ...runs.observations import Observations
    from .breakdown import Group

STUDY = "evaluation"
GROUPINGS = ("label", "length", "distance", "direction", "depth", "projectivity", "confusion")
"""What `by` may name."""
_CONFUSIONS_SHOWN = 15


def evaluate(
    gold: Treebank,
    systems: Mapping[str, Treebank],
    *,
    by: Sequence[str] = (),
    example: str = "",
    limit: int = 10,
    draws: int = 1000,
    seed: int = 0,
    facts: Mapping[str, object] | None = None,
    failures: Mapping[str, int] | None = None,
) -> tuple[Result, dict[str, Scores]]:
    """Scores every system's trees against gold, side by side; several systems are tested against the first.

    `facts` are further pairs for the signature (how the trees were made), `failures` what was counted then.
    """
    if not systems:
        raise UsageError("no system to evaluate", todo="name a parsed file or a parser, such as udpipe:MODEL")
    scores = {name: score(gold, system) for name, system in systems.items()}
    suite = PurePath(gold.name).name
    counted = dict(failures or {})
    for name, one in scores.items():
        counted.update({kind if len(scores) == 1 else f"{name}: {kind}": n for kind, n in one.failures.items()})
    findings, tables = _main(suite, scores, draws, seed)
    if len(scores) > 1 and draws:
        from .comparison import compare, difference_findings, difference_table

        differences = compare(scores, draws=draws, seed=seed)
        findings += difference_findings(STUDY, suite, differences)
        tables.append(difference_table(differences))
    for grouping in by:
        from .breakdown import by_group, confusions

        if grouping == "confusion":
            for name, one in scores.items():
                cells = confusions(one)
                findings += [
                    Finding(STUDY, suite, name, "confusion", n, by={"label": g, "predicted": s}) for g, s, n in cells
                ]
                tables.append(_confusion_table(name, cells))
            continue
        groups = {name: by_group(one, grouping, draws=draws, seed=seed) for name, one in scores.items()}
        findings += [f for name, found in groups.items() for f in _group_findings(suite, name, found)]
        tables.append(_group_table(grouping, groups))
    details: dict[str, Any] = {}
    if example:
        from .examples import find_examples

        details["examples"] = []
        for name, one in scores.items():
            shown, total = find_examples(one, example, limit)
            details["examples"] += [{"system": name, **asdict(item)} for item in shown]
            rows = [(item.sent_id, item.marked, item.gold, item.predicted) for item in shown]
            title = f"{name}: {total} words for {example}" + (f", the first {limit}" if total > limit else "")
            tables.append(Table(title, ("sentence", "text", "gold", "predicted"), rows))
    release = f"{suite}#{digest(gold.to_bytes())[:8]}"
    pairs = [("study", STUDY), ("gold", release), ("words", "conll2018"), ("subtypes", "ignored"), ("punct", "counted")]
    bootstrap = [("draws", draws), ("seed", seed)] if draws else []
    signed = signature(*pairs, *(facts or {}).items(), *bootstrap)
    return Result(signed, findings, tables, counted, details), scores


def _main(suite: str, scores: Mapping[str, Scores], draws: int, seed: int) -> tuple[list[Finding], list[Table]]:
    findings: list[Finding] = []
    rows: dict[str, list[Value]] = {metric: [metric] for metric in METRICS}
    for name, one in scores.items():
        intervals = one.intervals(draws, seed)
        for metric in METRICS:
            correct, gold, system, aligned = one.totals(metric)
            low, high = intervals.get(metric, (None, None))
            key = metric.lower()
            findings += [
                Finding(STUDY, suite, name, key, one.f1(metric), gold, low, high),
                Finding(STUDY, suite, name, f"{key}_precision", one.precision(metric), system),
                Finding(STUDY, suite, name, f"{key}_recall", one.recall(metric), gold),
                Finding(STUDY, suite, name, f"{key}_aligned", one.aligned_accuracy(metric), aligned),
                Finding(STUDY, suite, name, f"{key}_correct", correct, gold),
            ]
            if len(scores) == 1:
                rows[metric] += [one.precision(metric), one.recall(metric)]
            rows[metric] += [one.f1(metric), _range(low, high)]
            if len(scores) == 1:
                rows[metric].append(one.aligned_accuracy(metric))
    columns = ["metric"]
    for name in scores:
        columns += ["precision", "recall", "F1", "95 %", "aligned"] if len(scores) == 1 else [name, "95 %"]
    title = f"{next(iter(scores))} on {suite}" if len(scores) == 1 else f"F1 on {suite}"
    return findings, [Table(title, columns, list(rows.values()))]


def _range(low: float | None, high: float | None) -> str | None:
    return None if low is None or high is None else f"[{low:.2f}, {high:.2f}]"


def _group_findings(suite: str, system: str, groups: Sequence[Group]) -> list[Finding]:
    findings = []
    for one in groups:
        by: dict[str, Value] = {one.grouping: one.name}
        findings += [
            Finding(STUDY, suite, system, "uas", one.uas, one.words, by=by),
            Finding(STUDY, suite, system, "las", one.las, one.words, one.low, one.high, by),
            Finding(STUDY, suite, system, "label", one.label, one.words, by=by),
        ]
        if one.f1 is not None:
            findings.append(Finding(STUDY, suite, system, "las_precision", one.precision, one.words, by=by))
            findings.append(Finding(STUDY, suite, system, "las_f1", one.f1, one.words, by=by))
    return findings


def _group_table(grouping: str, groups: Mapping[str, Sequence[Group]]) -> Table:
    """One system: all measures; several: LAS side by side."""
    first = next(iter(groups.values()))
    if len(groups) == 1:
        columns = [grouping, "words", "UAS", "LAS", "95 %", "label"]
        columns += ["precision", "F1"] if grouping == "label" else []
        rows: list[list[Value]] = [[g.name, g.words, g.uas, g.las, _range(g.low, g.high), g.label] for g in first]
        for row, g in zip(rows, first, strict=True):
            row += [g.precision, g.f1] if grouping == "label" else []
        return Table(f"By {grouping}", columns, rows)
    names = list(dict.fromkeys((g.name, g.words) for found in groups.values() for g in found))
    by_name = {system: {g.name: g for g in found} for system, found in groups.items()}
    columns = [grouping, "words"]
    rows = [[name, words] for name, words in names]
    for system, found in by_name.items():
        columns += [f"LAS {system}", "95 %"]
        for row in rows:
            one = found.get(str(row[0]))
            row += [one.las, _range(one.low, one.high)] if one else [None, None]
    return Table(f"LAS by {grouping}", columns, rows)


def _confusion_table(system: str, cells: Sequence[tuple[str, str, int]]) -> Table:
    wrong = [(g, s, n) for g, s, n in cells if g != s]
    total = sum(n for *_, n in wrong)
    rows = [(g, s, n, 100 * n / total) for g, s, n in wrong[:_CONFUSIONS_SHOWN]]
    title = f"{system}: {total} words with another label; the most frequent confusions"
    return Table(title, ("gold", "predicted", "words", "% of these"), rows)


def observations(gold: Treebank, scores: Mapping[str, Scores], seed: int = 0) -> Observations:
    """One row per gold word and system: is head and label right (`outcome`), is the head right (`value`)?"""
    from ...runs.observations import Observations
    from .breakdown import groups_of_words

    parts = []
    upos, distance = gold.column("upos").strings(), (gold.ids - gold.heads).tolist()
    sent_ids = [sent_id or str(number + 1) for number, sent_id in enumerate(gold.sent_ids)]
    items = [sent_ids[number] for number in gold.sentence_of.tolist()]
    groups = groups_of_words(gold)
    for name, one in scores.items():
        words = one.words
        labels = words.deprels
        columns = {
            "study": STUDY, "suite": PurePath(gold.name).name, "item": items, "condition": "",
            "system": name, "seed": seed,
            "unit": gold.ids.tolist(),
            "outcome": [("right" if right else "wrong") if asked else "no gold head"
                        for right, asked in zip(words.las.tolist(), words.scored.tolist(), strict=True)],
            "value": words.uas.astype(int).tolist(),
            "upos": upos,
            "label": [labels[code] for code in words.gold_deprels.tolist()],
            "predicted": [labels[code] if code >= 0 else "" for code in words.system_deprels.tolist()],
            "displacement": [d if h > 0 else None for d, h in zip(distance, gold.heads.tolist(), strict=True)],
            **groups,
        }  # fmt: skip
        parts.append(Observations(columns))
    return Observations.joined(parts)
