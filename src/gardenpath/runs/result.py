"""What a command found out, in the one form that all formats, runs and reports are made from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Value = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class Finding:
    """One number: what was measured (`measure`) on what (`suite`), of whom (`system`), for which group (`by`)."""

    study: str
    suite: str
    system: str
    measure: str
    value: float | int | str | None
    n: int | None = None
    low: float | None = None
    high: float | None = None
    by: Mapping[str, Value] = field(default_factory=dict)

    def flat(self) -> dict[str, Value]:
        """The finding as JSON and TSV show it: names, grouping keys, then the numbers."""
        head: dict[str, Value] = {"study": self.study, "suite": self.suite, "system": self.system}
        tail: dict[str, Value] = {
            "measure": self.measure, "value": self.value, "n": self.n, "low": self.low, "high": self.high,
        }  # fmt: skip
        return {**head, **self.by, **tail}

    @classmethod
    def from_flat(cls, flat: Mapping[str, Any]) -> Finding:
        """A finding as it was kept in JSON."""
        by = {key: value for key, value in flat.items() if key not in _OWN}
        return cls(**{key: flat.get(key) for key in _OWN}, by=by)  # type: ignore[arg-type]


_OWN = ("study", "suite", "system", "measure", "value", "n", "low", "high")


@dataclass(frozen=True, slots=True)
class Table:
    """A table for people: numbers keep their full precision, `digits` says how many places are shown."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Value]]
    digits: int = 2
    note: str = ""


@dataclass(frozen=True, slots=True)
class Result:
    """Findings for programs, tables for people, failures for both, and the signature that makes them repeatable."""

    signature: str
    findings: Sequence[Finding] = ()
    tables: Sequence[Table] = ()
    failures: Mapping[str, int] = field(default_factory=dict)
    details: Mapping[str, Any] = field(default_factory=dict)
    """What does not fit a flat finding (problems with places, sentences); top-level keys in JSON."""

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Result:
        """A result as a run keeps it: `as_json` and the tables."""
        kept = {
            key: value for key, value in stored.items() if key not in ("signature", "findings", "failures", "tables")
        }
        findings = [Finding.from_flat(flat) for flat in stored["findings"]]
        tables = [Table(**table) for table in stored.get("tables", ())]
        return cls(stored["signature"], findings, tables, stored["failures"], kept)

    def as_json(self) -> dict[str, Any]:
        return {
            "signature": self.signature,
            "findings": [finding.flat() for finding in self.findings],
            "failures": dict(self.failures),
            **self.details,
        }
