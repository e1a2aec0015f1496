"""Conditions that a run must meet: `roles.las[order=OVS]>=40`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from operator import ge, gt, le, lt

from ...errors import UsageError, unknown_name
from ...runs.record.signatures import short
from ...runs.result.result import CheckCase, Finding, Result, Table, Verdict
from ...runs.result.verdict import MEASURED, ranked, score_text
from ..engine.registry import STUDIES, study_command

_FORM = re.compile(
    r"\s*(?P<study>[\w-]+)\.(?P<measure>[\w-]+)\s*(?:\[(?P<keys>.*)\])?\s*(?P<sign>>=|<=|>|<)\s*(?P<bound>[^\s<>=]+)\s*",
    re.DOTALL,
)
_OVERALL = re.compile(r"\d+ suites")
"""The suite of a finding over several suites."""
_SLOTS = re.compile(r"(?<=[\[SOV])[SOV](?=[SOV]*\])")
"""The letters of an order of SORTS: O, V, S of VF[O]LK[V]MF[S]."""
_MOST = 20
"""Names that an error lists."""
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

    def __str__(self) -> str:
        """`mine: roles.las>=80 fails with 60.00`."""
        does = "holds" if self.holds else "fails"
        return f"{self.finding.system}: {self.condition.text} {does} with {self.value:.2f}"

    def case(self, path: str) -> CheckCase:
        """For a continuous integration; `path` is where the run lies."""
        name = f"{self.finding.system}: {self.condition.text}"
        return CheckCase("condition", name, str(self), "pass" if self.holds else "error", path)


def parse_condition(text: str) -> Condition:
    """Reads a condition; nothing in it is executed."""
    match = _FORM.fullmatch(text)
    if match is None:
        raise UsageError("this is not a condition", where=text, todo=_GRAMMAR)
    try:
        bound = float(match["bound"])
    except ValueError:
        raise UsageError(f"{match['bound']!r} is not a number", where=text, todo=_GRAMMAR) from None
    if bound != bound:
        raise UsageError("nothing is more or less than NaN", where=text, todo=_GRAMMAR)
    keys = []
    # A comma begins the next key only if a key and = follow: values such as LK[V]MF[SO], or lists, may hold commas.
    for part in re.split(r",\s*(?=[\w-]+\s*=)", match["keys"] or "") if match["keys"] else []:
        key, sign, value = part.partition("=")
        if not sign or not key.strip():
            raise UsageError(f"{part!r} is not a key=value", where=text, todo=_GRAMMAR)
        keys.append((key.strip(), value.strip()))
    return Condition(text.strip(), match["study"], match["measure"], tuple(keys), match["sign"], bound)


def check(result: Result, conditions: Sequence[str]) -> tuple[Result, list[Checked]]:
    """The findings that the conditions name, each with its verdict; without `system=` all systems must meet them."""
    if not conditions:
        raise UsageError("no condition is given", todo=_GRAMMAR)
    checked = [case for text in conditions for case in _matches(result, parse_condition(text))]
    rows = [
        (
            case.condition.text,
            case.finding.suite,
            case.finding.system,
            case.value,
            case.finding.n,
            "holds" if case.holds else "fails",
        )
        for case in checked
    ]
    failed = sum(not case.holds for case in checked)
    note = f"{failed} of {len(checked)} fail" if failed else f"all {len(checked)} hold"
    table = Table(f"Conditions: {note}", ("condition", "suite", "system", "value", "n", "verdict"), rows)
    findings = [
        Finding(
            case.finding.study, case.finding.suite, case.finding.system, case.finding.measure, case.value,
            case.finding.n, case.finding.low, case.finding.high,
            {**case.finding.by, "condition": case.condition.text, "bound": case.condition.bound, "holds": case.holds},
        )
        for case in checked
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
    findings, keys = list(result.findings), dict[str, str]()
    study = _meant("study", condition.study, {finding.study for finding in findings}, condition)
    findings = [finding for finding in findings if finding.study == study]
    measure = _meant("measure", condition.measure, {finding.measure for finding in findings}, condition)
    findings = [finding for finding in findings if finding.measure == measure]
    known = {"system", "suite", *(key for finding in findings for key in finding.by)}
    for name, text in condition.keys:
        key = _meant("key", name, known, condition)
        values = {value_text(_of(finding, key)) for finding in findings if _of(finding, key) is not None}
        keys[key] = _meant(key, text, values, condition)
        findings = [finding for finding in findings if value_text(_of(finding, key)) == keys[key]]
    own = set(keys) - {"system", "suite"}
    exact = [candidate for candidate in findings if set(candidate.by) == own]
    if not exact and "suite" in keys:  # a suite need not be called by its class too, which all its findings have
        own |= _shared(findings)
        exact = [candidate for candidate in findings if set(candidate.by) == own]
    if not exact:
        more = sorted({", ".join(sorted(set(candidate.by) - own)) for candidate in findings})
        if not findings:
            raise UsageError("no finding has all of these keys at once", where=condition.text)
        raise UsageError("this measure is known per group only", where=condition.text, todo=f"add {' or '.join(more)}")
    if "suite" not in keys:
        # Several suites have an overall score beside their own: that is what a condition without a suite is about.
        exact = [finding for finding in exact if _OVERALL.fullmatch(finding.suite)] or exact
    checked = []
    for candidate in exact:
        if (
            isinstance(candidate.value, bool)
            or not isinstance(candidate.value, int | float)
            or candidate.value != candidate.value
        ):
            raise UsageError(
                f"{candidate.measure} of {candidate.system} has no value ({candidate.value})",
                where=condition.text,
                todo="leave it out",
            )
        checked.append(Checked(condition, candidate, float(candidate.value), condition.holds(float(candidate.value))))
    return checked


def _shared(findings: Sequence[Finding]) -> set[str]:
    """The keys that have the same value in all of them."""
    values = [set(finding.by.items()) for finding in findings]
    return {key for key, _ in set.intersection(*values)} if values else set()


def _meant(kind: str, name: str, known: set[str], condition: Condition) -> str:
    """The known name that was meant: as it is, in other letter case, a command for its study, SVO for its order."""
    if name in known:
        return name
    alike = {candidate for candidate in known if candidate.casefold() == name.casefold()}
    if kind == "study" and (command := name.casefold()) in STUDIES:
        alike |= {form.load().name for form in study_command(command).forms.values()} & known
    if kind == "order":
        alike |= {order for order in known if "".join(_SLOTS.findall(order)) == name.upper()}
    if len(alike) == 1:
        return alike.pop()
    if alike:
        todo = f"name one of {', '.join(sorted(alike))}"
        raise UsageError(f"{name!r} may be any of {len(alike)}", where=condition.text, todo=todo)
    error = unknown_name(kind, name, known, where=condition.text)
    if not error.todo.startswith("did you mean"):
        raise error
    there = f"{', '.join(sorted(known)[:_MOST])}{', …' if len(known) > _MOST else ''}"
    raise UsageError(error.what, where=error.where, todo=f"{error.todo} There are: {there}")


def _of(finding: Finding, key: str) -> object:
    return getattr(finding, key) if key in ("system", "suite") else finding.by.get(key)


def value_text(value: object) -> str:
    """The value of a key as conditions and groups name it; empty where there is none."""
    return ("true" if value else "false") if isinstance(value, bool) else "" if value is None else str(value)
