"""What a study says of a system that gives another output when it is queried again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ...runs.result.layout import Column, measured, table
from ...runs.result.result import Finding, Result, Verdict
from ...runs.result.verdict import MEASURED, share_text
from ...systems.asking.entrants import Entrant
from .registry import UNREPEATABLE


@dataclass(frozen=True)
class Doubt:
    """The share of a sample of sentences whose output changed although nothing else did."""

    finding: Finding
    text: str

    @property
    def verdict(self) -> Verdict:
        text = f"{self.finding.system} is {self.text}"
        return Verdict(text, MEASURED, (self.finding,), 1000.0)


def doubtful(study: str, findings: Sequence[Finding], entrants: Sequence[Entrant]) -> list[Doubt]:
    """Return a doubt for each system that is not repeatable."""
    from ...stats.sampling import wilson_bounds

    suite, doubts = findings[0].suite if findings else "", list[Doubt]()
    for entrant in entrants:
        known = entrant.repeatability
        if not known.changed:
            continue
        low, high = (100 * end for end in wilson_bounds(known.changed / known.queried, known.queried))
        share = 100 * known.changed / known.queried
        finding = Finding(study, suite, entrant.name, UNREPEATABLE, share, known.queried, low, high)
        text = f"not repeatable: {known.text} ({share_text(finding)}). Another run gives other numbers."
        doubts.append(Doubt(finding, text))
    return doubts


def with_doubts(result: Result, doubts: Sequence[Doubt]) -> Result:
    """Return the result with the findings on systems that are not repeatable, and a table of them."""
    if not doubts:
        return result
    findings = [doubt.finding for doubt in doubts]
    columns = [
        Column("system", [finding.system for finding in findings]),
        *measured("changed %", findings, interval=True),
    ]
    columns.append(Column("sentences", [finding.n for finding in findings]))
    note = "sentences of a sample whose output changed when they were queried again unchanged"
    shown = table("Not repeatable", columns, note=note, name="repeatability")
    return replace(result, findings=[*result.findings, *findings], tables=[*result.tables, shown])


def noise_of(findings: Sequence[Finding], system: str) -> Finding | None:
    """Return the share of outputs of a system that change by themselves; None where none is known to."""
    own = (finding for finding in findings if finding.measure == UNREPEATABLE and finding.system == system)
    return next(own, None)
