"""Conditions that a run must meet: `roles.las[order=OVS]>=40`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from operator import ge, gt, le, lt

from ...errors import UsageError, unknown_name
from ...runs.result import Finding, Result, Table, Verdict
from ...runs.signature import short
from ...runs.verdict import MEASURED, ranked, score_text

_FORM = re.compile(
    r"\s*(?P<study>[\w-]+)\.(?P<measure>[\w-]+)\s*(?:\[(?P<keys>.*)\])?\s*(?P<sign>>=|<=|>|<)\s*(?P<bound>[^\s<>=]+)\s*",
    re.DOTALL,
)
_OVERALL = re.compile(r"\d+ suites")
"""The suite of a finding over several suites."""
_SIGNS = {">=": ge, "<=": le, ">": gt, "<": lt}
_GRAMMAR = "write study.measure[key=value,…]>=number, such as roles.las[order=OVS]>=40"


@dataclass(frozen=True, slots=True)
class Condition:
    """A bound on one measure of one group; `keys` may have `system` and `suite` beside the group's own."""

    text: str
    study: str
    measure: str
    keys: tuple[tuple[str, str], ...]
    sign: str
    bound: float

    def holds(self, value: float) -> bool:
        return bool(_SIGNS[self.sign](value, self.bound))


@dataclass(frozen=True, slots=True)
class Checked:
    """A condition on one finding."""

    condition: Condition
    finding: Finding
    value: float
    holds: bool


def parse_condition(text: str) -> Condition:
    """Reads a condition; nothing in it is executed."""
    match = _FORM.fullmatch(text)
    if match is None:
        raise UsageError("this is no condition", where=text, todo=_GRAMMAR)
    try:
        bound = float(match["bound"])
    except ValueError:
        raise UsageError(f"{match['bound']!r} is no number", where=text, todo=_GRAMMAR) from None
    if bound != bound:
        raise UsageError("nothing is more or less than NaN", where=text, todo=_GRAMMAR)
    keys = []
    # A comma begins the next key only if a key and = follow: values such as LK[V]MF[SO], or lists, may hold commas.
    for part in re.split(r",\s*(?=[\w-]+\s*=)", match["keys"] or "") if match["keys"] else []:
        key, sign, value = part.partition("=")
        if not sign or not key.strip():
            raise UsageError(f"{part!r} is no key=value", where=text, todo=_GRAMMAR)
        keys.append((key.strip(), value.strip()))
    return Condition(text.strip(), match["study"], match["measure"], tuple(keys), match["sign"], bound)


def check(result: Result, conditions: Sequence[str]) -> tuple[Result, list[Checked]]:
    """The findings that the conditions name, each with its verdict; without `system=` all systems must meet them."""
    if not conditions:
        raise UsageError("no condition is given", todo=_GRAMMAR)
    checked = [one for text in conditions for one in _matches(result, parse_condition(text))]
    rows = [
        (
            one.condition.text,
            one.finding.suite,
            one.finding.system,
            one.value,
            one.finding.n,
            "holds" if one.holds else "fails",
        )
        for one in checked
    ]
    failed = sum(not one.holds for one in checked)
    note = f"{failed} of {len(checked)} fail" if failed else f"all {len(checked)} hold"
    table = Table(f"Conditions: {note}", ("condition", "suite", "system", "value", "n", "verdict"), rows)
    findings = [
        Finding(
            one.finding.study, one.finding.suite, one.finding.system, one.finding.measure, one.value, one.finding.n,
            one.finding.low, one.finding.high,
            {**one.finding.by, "condition": one.condition.text, "bound": one.condition.bound, "holds": one.holds},
        )
        for one in checked
    ]  # fmt: skip
    signed = f"{result.signature}|check:{short('|'.join(conditions))}"
    failures = {"conditions that fail": failed} if failed else {}
    return Result(signed, findings, [table], failures, verdicts=ranked(map(_verdict, findings))), checked


def _verdict(finding: Finding) -> Verdict:
    """Does a condition hold, and could it be luck? What fails comes first."""
    holds, bound = finding.by["holds"], float(finding.by["bound"] or 0)
    text = f"{finding.by['condition']} {'holds' if holds else 'fails'} with {score_text(finding)}"
    if finding.low is not None and finding.high is not None and finding.low <= bound <= finding.high:
        text += ": the bound is within the interval, so another sample could decide otherwise"
    system = f"{finding.system}: " if finding.system else ""
    return Verdict(f"{system}{text}.", MEASURED, (finding,), weight=0.0 if holds else 1.0)


def _matches(result: Result, condition: Condition) -> list[Checked]:
    findings = list(result.findings)
    studies = {one.study for one in findings}
    if condition.study not in studies:
        raise unknown_name("study", condition.study, studies, where=condition.text)
    findings = [one for one in findings if one.study == condition.study]
    measures = {one.measure for one in findings}
    if condition.measure not in measures:
        raise unknown_name("measure", condition.measure, measures, where=condition.text)
    findings = [one for one in findings if one.measure == condition.measure]
    for key, value in condition.keys:
        if key not in ("system", "suite") and not any(key in one.by for one in findings):
            known = {"system", "suite", *(name for one in findings for name in one.by)}
            raise unknown_name("key", key, known, where=condition.text)
        values = {_text(_of(one, key)) for one in findings if _of(one, key) is not None}
        if value not in values:
            raise unknown_name(key, value, values, where=condition.text)
        findings = [one for one in findings if _text(_of(one, key)) == value]
    own = {key for key, _ in condition.keys} - {"system", "suite"}
    exact = [one for one in findings if set(one.by) == own]
    if not exact:
        more = sorted({", ".join(sorted(set(one.by) - own)) for one in findings})
        if not findings:
            raise UsageError("no finding has all of these keys at once", where=condition.text)
        raise UsageError("this measure is known per group only", where=condition.text, todo=f"add {' or '.join(more)}")
    if not any(key == "suite" for key, _ in condition.keys):
        # Several suites have an overall score beside their own: that is what a condition without a suite is about.
        exact = [finding for finding in exact if _OVERALL.fullmatch(finding.suite)] or exact
    checked = []
    for one in exact:
        if isinstance(one.value, bool) or not isinstance(one.value, int | float) or one.value != one.value:
            raise UsageError(
                f"{one.measure} of {one.system} has no value ({one.value})", where=condition.text, todo="leave it out"
            )
        checked.append(Checked(condition, one, float(one.value), condition.holds(float(one.value))))
    return checked


def _of(finding: Finding, key: str) -> object:
    return getattr(finding, key) if key in ("system", "suite") else finding.by.get(key)


def _text(value: object) -> str:
    return ("true" if value else "false") if isinstance(value, bool) else "" if value is None else str(value)
