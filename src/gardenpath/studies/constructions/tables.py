"""The tables and verdicts of the constructions study."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ...errors import unknown_name
from ...phrase.schemes.registry import title_of
from ...runs.result.layout import (
    SIGNED,
    WITH_INTERVALS,
    Column,
    FindingIndex,
    P,
    measured,
    short_names,
    table,
    unfolded,
)
from ...runs.result.result import Finding, Table, Value, Verdict
from ...runs.result.verdict import MEASURED, count_text, listed, score_text, share_text
from ...stats.sampling import Clusters
from ...suites.constructions.model import PHENOMENA, table_of
from ..engine.verdicts import MeasureWords, SystemVerdicts
from .error_classes import CLASSES, NOPARSE, RIGHT, SHOWN, UNCLASSED, UNDECIDED, WRONG, ConstructionVerdict
from .judging import JudgedConstructions

_TITLES = {
    "pp": "PP attachment (Table 1)",
    "erc": "Extraposed relative clauses (Table 2)",
    "fcr": "Forward conjunction reduction (Table 3)",
    "sgf": "Subject gap with finite/fronted verb (Table 4)",
    "cuc": "Coordination of unlike constituents",
}
_NOTE = "accuracy: per cent right; no parse is wrong, n/a is left out"
_SHOWN = "shown: right as far as such trees show it, counts as right"
_PAIRED = "On the same items, by {}; first only, this only: right by one of the two alone."
_UNPAIRED = (
    "On different sentences, by {}: Welch's t; all: phenomena weighted alike for both; items "
    "that the trees of one side show only in part are omitted."
)

Cells = dict[tuple[str, str], Finding]
"""The accuracy of each system in each phenomenon, over all its suites."""


def finding_tables(
    findings: Sequence[Finding], by: Sequence[str], clusters: Clusters, remarks: Sequence[str] = ()
) -> list[Table]:
    """Systems (with remarks), phenomena, differences to the first system, and the error classes of each table."""
    index = FindingIndex(findings)
    cells: Cells = {
        (finding.system, str(finding.by["phenomenon"])): finding
        for finding in findings  # those of all suites together come last
        if finding.measure == "accuracy" and set(finding.by) in ({"scheme", "phenomenon"}, {"phenomenon"})
    }
    compared = [finding for finding in findings if finding.measure in ("accuracy_difference", "share_difference")]
    paired = [finding for finding in compared if index.get("baseline_only", finding.system, finding.by, finding.suite)]
    tested = [rows for rows in (paired, [row for row in compared if row not in paired]) if rows]
    return [
        _systems_table(index, clusters, remarks),
        *unfolded([_phenomenon_table(index, cells)], "phenomenon" in by),
        *unfolded([_difference_table(index, rows, clusters) for rows in tested], "errors" in by),
        *unfolded(_class_tables(index, cells), "errors" in by),
        *_agreement_table(index),
    ]


def _agreement_table(index: FindingIndex) -> Iterator[Table]:
    rows = [finding for finding in index.findings if finding.measure == "agreement"]
    if not rows:
        return
    beside = {name: [index.get(name, row.system, row.by, row.suite) for row in rows] for name in ("kappa", "alpha")}
    columns = [
        Column("system", [short_names(index.systems)[row.system] for row in rows]),
        Column("annotators", [row.by["annotators"] for row in rows]),
        Column("phenomenon", [row.by.get("phenomenon", "all") for row in rows]),
        *measured("items", rows, of="n"),
        *measured("agreement", rows, interval=True),
        *(column for name, found in beside.items() if any(found) for column in measured(name, found, interval=True)),
    ]
    yield table("Agreement", columns, note="kappa: Cohen's, of two; alpha: Krippendorff's, of several", name="people")


def _classed(index: FindingIndex, measure: str, accuracy: Finding, name: str) -> Finding | None:
    """The items of a class, or their share, in the group that an accuracy is of."""
    return index.get(measure, accuracy.system, {**accuracy.by, "class": name}, accuracy.suite)


def _systems_table(index: FindingIndex, clusters: Clusters, remarks: Sequence[str]) -> Table:
    """One row per system and suite; its number stands for the system in the other tables."""
    rows = [finding for finding in index.findings if finding.measure == "accuracy" and set(finding.by) == {"scheme"}]
    names = short_names(index.systems)
    counts = {name: [_classed(index, "items", row, name) for row in rows] for name in (RIGHT, *UNCLASSED)}
    if not any(map(_value, counts[SHOWN])):
        del counts[SHOWN]
    columns = [
        Column("#", [index.systems.index(row.system) + 1 for row in rows]),
        Column("system", [names[row.system] for row in rows]),
        Column("suite", [row.suite for row in rows]),
        Column("scheme", [title_of(str(row.by["scheme"])) for row in rows]),
        *measured("items", counts[RIGHT], of="n"),
        *(column for name, findings in counts.items() for column in measured(name, findings)),
        *measured("accuracy", rows, interval=True),
    ]
    notes = [*remarks, _NOTE, _SHOWN if SHOWN in counts else "", clusters.note]
    return table("Constructions", columns, note="; ".join(note for note in notes if note), name="systems")


def _phenomenon_table(index: FindingIndex, cells: Cells) -> Table:
    """Accuracy by phenomenon, a system beside the other."""
    phenomena, systems = _phenomena(cells), index.systems
    columns = [Column("phenomenon", phenomena), Column("meaning", [PHENOMENA[name] for name in phenomena])]
    for number, system in enumerate(systems, 1):
        findings = [cells.get((system, name)) for name in phenomena]
        end = f" {number}" if len(systems) > 1 else ""
        columns += measured(f"items{end}", findings, of="n")
        columns += measured(f"accuracy{end}", findings, interval=len(systems) <= WITH_INTERVALS)
    return table("By phenomenon", columns, name="phenomena")


def _class_tables(index: FindingIndex, cells: Cells) -> list[Table]:
    """For each table of the paper: classes × systems, items and per cent."""
    systems, tables = index.systems, []
    for key, title in _TITLES.items():
        phenomena = [name for name in _phenomena(cells) if table_of(name) == key]
        chosen = [cells[system, name] for system in systems for name in phenomena if (system, name) in cells]
        if not chosen:
            continue
        unclassed = [name for name in UNCLASSED if any(_value(_classed(index, "items", cell, name)) for cell in chosen)]
        classes = [RIGHT, *CLASSES[key], *unclassed]
        meanings = {**CLASSES[key], **UNCLASSED}
        columns = [Column("class", classes), Column("meaning", [meanings.get(name, "") for name in classes])]
        for cell in chosen:
            header = str(cell.by["phenomenon"]) if key == "pp" else "items"
            number = f" {systems.index(cell.system) + 1}" if len(systems) > 1 else ""
            columns += measured(header + number, [_classed(index, "items", cell, name) for name in classes])
            columns += measured("%", [_classed(index, "share", cell, name) for name in classes])
        tables.append(table(title, columns, digits=1, name=key))
    return tables


def _difference_table(index: FindingIndex, rows: Sequence[Finding], clusters: Clusters) -> Table:
    """Each system against the first, phenomenon by phenomenon; of two samples also error class by error class."""
    names = short_names(index.systems)
    classes = [row.by.get("class", "right") for row in rows]
    only = [("first only", "baseline_only"), ("this only", "system_only")]
    is_paired = index.get("baseline_only", rows[0].system, rows[0].by, rows[0].suite) is not None

    def beside(ending: str) -> list[Finding | None]:
        named = [ending if ending.endswith("only") else row.measure.partition("_")[0] + ending for row in rows]
        return [index.get(name, row.system, row.by, row.suite) for name, row in zip(named, rows, strict=True)]

    columns = [
        Column("system", [names[row.system] for row in rows]),
        Column("phenomenon", [row.by.get("phenomenon", "all") for row in rows]),
        *([] if is_paired else [Column("class", classes)]),
        *measured("items", rows, of="n"),
        *(column for title, name in only if is_paired for column in measured(title, beside(name))),
        *measured("difference", rows, interval=True, kind=SIGNED),
        *measured("p", beside("_p"), kind=P),
        *measured("p Holm", beside("_p_holm"), kind=P),
    ]
    title = f"Difference to {names[str(rows[0].by['baseline'])]}"
    note, name = (_PAIRED, "differences") if is_paired else (_UNPAIRED, "samples")
    return table(title, columns, note=note.format(clusters.name), name=name)


def example_table(wanted: str, shown: Sequence[ConstructionExample], total: int, systems: Sequence[str]) -> Table:
    """The items of a class, with the reason in words."""
    names = short_names(systems)
    more = f", the first {len(shown)}" if total > len(shown) else ""
    columns = [
        Column("item", [example.item for example in shown]),
        Column("system", [names[example.system] for example in shown]),
        Column("class", [example.outcome for example in shown]),
        Column("text", [example.text for example in shown]),
        Column("reason", [example.reason for example in shown]),
    ]
    return table(f"{total} item{'s' if total != 1 else ''}: {wanted}{more}", columns, name="examples")


def _phenomena(cells: Cells) -> list[str]:
    return [name for name in PHENOMENA if any(name == phenomenon for _, phenomenon in cells)]


def _value(finding: Finding | None) -> object:
    return None if finding is None else finding.value


_LEAST = 10
"""Items of a phenomenon before it is called the hardest."""
_OFTEN = 3
"""Items of a class before it is called the most frequent error."""


def construction_verdicts(findings: Sequence[Finding], cluster: str) -> Iterator[Verdict]:
    """Of every system and suite the accuracy, the hardest phenomenon and the most frequent error; then differences."""
    verdicts = SystemVerdicts(findings, MeasureWords("accuracy", "accuracy", "item", cluster))
    systems = verdicts.index.systems
    accuracies = [score for score in findings if score.measure == "accuracy" and set(score.by) == {"scheme"}]
    systems_of_scores = [score.system for score in accuracies]
    called = {}
    for overall in accuracies:
        several = systems_of_scores.count(overall.system) > 1
        where = f" on {overall.suite} ({title_of(str(overall.by['scheme']))})" if several else ""
        called[verdicts.names[overall.system] + where] = overall
    yield from verdicts.scores({
        name + _as_shown(verdicts, score): score for name, score in called.items() if score.value is not None
    })  # fmt: skip
    for name, overall in called.items():
        parts = [finding for finding in findings if _is_part(finding, overall)]
        scores = {_called(score.by): score for score in parts if score.measure == "accuracy"}
        examples = {group: f"wrong:{score.by['phenomenon']}" for group, score in scores.items()}
        yield from verdicts.extreme(name, overall, scores, least=_LEAST, examples=examples)
        yield from _most_frequent(name, parts)
        unparsed = {**overall.by, "class": NOPARSE}
        yield from _without_parse(name, verdicts.index.get("items", overall.system, unparsed, overall.suite))
    yield from _agreed(verdicts)
    apart = [system for system in systems[1:] if _is_unpaired(verdicts, system)]
    samples, classes = (
        SystemVerdicts(findings, MeasureWords(*words, "item", cluster, more, less)) for words, more, less in _OF_SAMPLES
    )
    yield from verdicts.differences([system for system in systems[1:] if system not in apart], systems[0])
    yield from samples.differences(apart, systems[0])
    for system in systems[1:]:
        yield from (samples if system in apart else verdicts).group_differences(system, systems[0], _called)
        yield from classes.group_differences(system, systems[0], _called)


_OF_SAMPLES = (
    (("accuracy", "accuracy (each on its own sentences)"), "does better", "does worse"),
    (("share", "share (each on its own sentences)"), "makes this error more often", "makes this error less often"),
)
"""How sentences speak of systems that were judged on different sentences."""


def _agreed(verdicts: SystemVerdicts) -> Iterator[Verdict]:
    """Yield how far annotators, and they and the rules, agree on the parses of a system."""
    for finding in verdicts.index.findings:
        if finding.measure != "agreement" or set(finding.by) != {"annotators"}:
            continue
        found = (verdicts.index.get(name, finding.system, finding.by, finding.suite) for name in ("kappa", "alpha"))
        beyond = next((one for one in found if one is not None), None)
        more = f" ({beyond.measure} {score_text(beyond, 2)})" if beyond is not None else ""
        text = f"{finding.by['annotators']} agree on {share_text(finding)} of {count_text(finding.n, 'parse')}"
        rests_on = (finding, beyond) if beyond is not None else (finding,)
        yield Verdict(f"{text} by {verdicts.names[finding.system]}{more}.", MEASURED, rests_on, weight=_AGREED)


_AGREED = 90.0
"""Weight of an agreement: above the verdicts on a part of the items."""


def _is_unpaired(verdicts: SystemVerdicts, system: str) -> bool:
    measures = {finding.measure for finding in verdicts.index.findings if finding.system == system}
    return "accuracy_difference" in measures and "baseline_only" not in measures


def _as_shown(verdicts: SystemVerdicts, overall: Finding) -> str:
    """A score with much that was not asked does not stand beside others without saying so."""
    shown = verdicts.index.get("items", overall.system, {**overall.by, "class": SHOWN}, overall.suite)
    return " (as far as its trees show it)" if shown is not None and shown.value else ""


def _is_part(finding: Finding, overall: Finding) -> bool:
    """Is this of a phenomenon, or a class of it, in what an accuracy is of?"""
    keys = set(finding.by) - {"class"}
    of_it = (finding.system, finding.suite) == (overall.system, overall.suite)
    return of_it and keys == {"scheme", "phenomenon"} and finding.by["scheme"] == overall.by["scheme"]


def _called(by: Mapping[str, Value]) -> str:
    phenomenon = str(by["phenomenon"])
    if "class" not in by:
        return f"{phenomenon} ({PHENOMENA[phenomenon]})"
    return f"{phenomenon} {by['class']} ({CLASSES[table_of(phenomenon)][str(by['class'])]})"


def _most_frequent(system: str, parts: Sequence[Finding]) -> Iterator[Verdict]:
    """The error class with most items; of two that have as many, both."""
    errors = [
        finding
        for finding in parts
        if finding.measure == "items" and finding.by["class"] in CLASSES[table_of(str(finding.by["phenomenon"]))]
    ]
    most = max((int(error.value or 0) for error in errors), default=0)
    leading = [error for error in errors if error.value == most]
    if most < _OFTEN or len(leading) > 2:
        return
    texts, rests_on = list[str](), list[Finding]()
    for error in leading:
        code, phenomenon = str(error.by["class"]), str(error.by["phenomenon"])
        share = next(finding for finding in parts if finding.measure == "share" and finding.by == error.by)
        meaning = CLASSES[table_of(phenomenon)][code]
        texts.append(f"{phenomenon} {code} ({meaning}), {most} of {error.n} items, {share_text(share)}")
        rests_on += [error, share]
    word = "error is" if len(leading) == 1 else "errors are"
    examples = f"{leading[0].by['class']}:{leading[0].by['phenomenon']}"
    text = f"{system}: the most frequent {word} {listed(texts)}."
    yield Verdict(text, MEASURED, tuple(rests_on), weight=float(rests_on[1].value or 0), examples=examples)


def _without_parse(system: str, failed: Finding | None) -> Iterator[Verdict]:
    if failed is not None and failed.value:
        text = f"{system}: no parse of {failed.value} of {failed.n} items, which count as wrong."
        weight = 100 * float(failed.value) / (failed.n or 1)
        yield Verdict(text, MEASURED, (failed,), weight=weight, examples=NOPARSE)


KINDS = (RIGHT, WRONG, *sorted({code for table in CLASSES.values() for code in table} - {WRONG}), *UNCLASSED)


@dataclass(frozen=True, slots=True)
class ConstructionExample:
    """One item with its verdict."""

    system: str
    item: str
    phenomenon: str
    outcome: str
    flags: str
    text: str
    reason: str


def parse_wanted(wanted: str) -> tuple[str, str]:
    """`CLASS` or `CLASS:PHENOMENON`; `wrong` is all that is not right."""
    kind, _, phenomenon = wanted.partition(":")
    if kind not in KINDS:
        raise unknown_name("class", kind, KINDS, where="--examples")
    if phenomenon and phenomenon not in PHENOMENA:
        raise unknown_name("phenomenon", phenomenon, PHENOMENA, where="--examples")
    return kind, phenomenon


def find_examples(
    judged: Sequence[JudgedConstructions], wanted: str, limit: int = 10
) -> tuple[list[ConstructionExample], int]:
    """The first `limit` items of a class, and how many there are."""
    kind, phenomenon = parse_wanted(wanted)
    examples = [
        ConstructionExample(
            performance.system, item.item, item.construction.phenomenon, verdict.primary, " ".join(verdict.flags),
            " ".join(item.tree.words), verdict.reason,
        )
        for performance in judged
        for item, verdict in zip(performance.suite.items, performance.verdicts, strict=True)
        if _fits(verdict, kind) and phenomenon in ("", item.construction.phenomenon)
    ]  # fmt: skip
    return examples[:limit], len(examples)


def _fits(verdict: ConstructionVerdict, kind: str) -> bool:
    if kind == WRONG:
        return not verdict.right and verdict.primary != UNDECIDED
    return kind == verdict.primary or kind in verdict.codes
