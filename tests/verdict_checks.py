"""What holds of the verdicts of every study: they rest on findings, and have no number of their own."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gardenpath.runs.result.result import Result, Verdict
from gardenpath.runs.result.verdict import MEASURED, MOST, NOT_SHOWN, SHOWN, SUGGESTED


def printed_numbers(text: str) -> Iterator[tuple[float, float]]:
    """Each number of a sentence, and by how much it may be off where it was rounded."""
    for number in re.findall(r"(?<![\w.])[+-]?\d[\d,]*(?:\.\d+)?", text):
        places = len(number.partition(".")[2])
        yield float(number.replace(",", "")), 0.5 * 10**-places + 1e-9


def unfounded(verdict: Verdict) -> list[float]:
    """The numbers of a sentence that are none of the findings that it rests on, nor part of their names."""
    text = re.sub(r"about [\d,]+ would", "", verdict.text)  # a plan, reckoned from the interval
    names = {
        str(name) for finding in verdict.rests_on for name in (finding.system, finding.suite, *finding.by.values())
    }
    for name in sorted(names, key=len, reverse=True):
        text = text.replace(name, "") if re.search(r"\d", name) else text
    known: list[float] = []
    for finding in verdict.rests_on:
        known += [
            abs(float(value))
            for value in (finding.value, finding.low, finding.high, finding.n, finding.effective)
            if isinstance(value, int | float)
        ]
    return [
        number
        for number, error in printed_numbers(text)
        if not any(abs(value - abs(number)) <= error for value in known)
    ]


def check_verdicts(result: Result) -> None:
    """Some verdicts, no more than a person reads, each from findings of this result and with no other number."""
    assert 1 <= len(result.verdicts) <= MOST
    assert len({verdict.text for verdict in result.verdicts}) == len(result.verdicts)
    for verdict in result.verdicts:
        assert verdict.sure in (SHOWN, SUGGESTED, NOT_SHOWN, MEASURED)
        assert verdict.text.endswith(".")
        assert "None" not in verdict.text
        assert "nan" not in verdict.text
        assert all(finding in result.findings for finding in verdict.rests_on), verdict.text
        assert unfounded(verdict) == [], verdict.text
