"""What a study of constructions says in sentences: how many are right, which is the hardest, and which error leads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ...phrase.schemes.registry import title_of
from ...runs.result import Finding, Value, Verdict
from ...runs.verdict import MEASURED, listed, share_text
from ...suites.constructions.model import PHENOMENA, table_of
from ..verdicts import MeasureWords, SystemVerdicts
from .verdict import CLASSES, NOPARSE, SHOWN

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
    yield from verdicts.differences(systems[1:], systems[0])
    for system in systems[1:]:
        yield from verdicts.group_differences(system, systems[0], _called)


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
    return f"{by['phenomenon']} ({PHENOMENA[str(by['phenomenon'])]})"


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
