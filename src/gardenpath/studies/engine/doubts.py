"""Doubts about the scores of a system: other outputs when it is queried again, and training on the test."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ...runs.result.layout import Column, measured, table
from ...runs.result.result import Finding, Result, Verdict
from ...runs.result.verdict import MEASURED, count_text, share_text
from ...systems.asking.entrants import Entrant
from .registry import CONTAMINATED, UNREPEATABLE

_NOTABLE = 0.01
"""The share of test sentences in training above which it is said; any two texts share a greeting."""


@dataclass(frozen=True)
class Doubt:
    """A share of sentences that makes scores doubtful, and what to say of it."""

    finding: Finding
    text: str
    """Empty: too little to be said beyond the table."""

    @property
    def verdict(self) -> Verdict:
        text = f"{self.finding.system} is {self.text}"
        return Verdict(text, MEASURED, (self.finding,), 1000.0)


def doubtful(
    study: str, findings: Sequence[Finding], entrants: Sequence[Entrant], seen: Mapping[str, Mapping[int, bool]]
) -> list[Doubt]:
    """Return a doubt for each system that is not repeatable, or was trained on some of these sentences.

    `seen` has, for each system that knows its training sentences, whether a sentence (by its digest) is one of them.
    """
    from ...stats.sampling import wilson_bounds

    suite, doubts = findings[0].suite if findings else "", list[Doubt]()
    for entrant in entrants:
        known = entrant.repeatability
        if known.changed:
            low, high = (100 * end for end in wilson_bounds(known.changed / known.queried, known.queried))
            share = 100 * known.changed / known.queried
            finding = Finding(study, suite, entrant.name, UNREPEATABLE, share, known.queried, low, high)
            text = f"not repeatable: {known.text} ({share_text(finding)}). Another run gives other numbers."
            doubts.append(Doubt(finding, text))
        asked = {key: is_seen for one in entrant.members for key, is_seen in seen.get(one.name, {}).items()}
        if number := sum(asked.values()):
            finding = Finding(study, suite, entrant.name, CONTAMINATED, 100 * number / len(asked), len(asked))
            counted = f"{number:,} of {count_text(len(asked), 'test sentence')}"
            text = f"trained on {counted} ({share_text(finding)}). Its scores may be too high."
            doubts.append(Doubt(finding, text if number >= _NOTABLE * len(asked) else ""))
    return doubts


_TABLES = {
    UNREPEATABLE: (
        "repeatability", "Not repeatable", "changed %",
        "sentences of a sample whose output changed when they were queried again unchanged",
    ),
    CONTAMINATED: (
        "in_training", "Trained on the test", "in training %", "sentences that are in the training data, word for word",
    ),
}  # fmt: skip


def with_doubts(result: Result, doubts: Sequence[Doubt]) -> Result:
    """Return the result with the findings on doubtful systems, and a table of each kind."""
    findings = [doubt.finding for doubt in doubts]
    tables = []
    for measure, (name, title, heading, note) in _TABLES.items():
        own = [finding for finding in findings if finding.measure == measure]
        columns = [Column("system", [finding.system for finding in own]), *measured(heading, own, interval=True)]
        columns.append(Column("sentences", [finding.n for finding in own]))
        tables += [table(title, columns, note=note, name=name)] if own else []
    return replace(result, findings=[*result.findings, *findings], tables=[*result.tables, *tables])


def noise_of(findings: Sequence[Finding], system: str) -> Finding | None:
    """Return the share of outputs of a system that change by themselves; None where none is known to."""
    own = (finding for finding in findings if finding.measure == UNREPEATABLE and finding.system == system)
    return next(own, None)
