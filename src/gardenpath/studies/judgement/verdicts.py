"""Sentences about chat models: whether they choose better than a coin, and how many answers cannot be used."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...runs.result import Finding, Verdict
from ...runs.verdict import MEASURED, count_text, score_text
from ..chance import AgainstChance, against_chance, by_chance
from ..verdicts import MeasureWords, SystemVerdicts
from .templates import CHOICE, TEMPLATES

_CHOICES = "per cent of choices right"
_MANY = 10.0
"""Per cent of answers that cannot be used, from which on a sentence says so."""


def judgement_verdicts(findings: Sequence[Finding]) -> Iterator[Verdict]:
    """Against chance, and the answers that count as wrong because they cannot be used.

    A model that falls below chance by such answers alone is not said to choose worse than a coin: it did not choose.
    """
    verdicts = SystemVerdicts(findings, MeasureWords("accuracy", _CHOICES, "pair", "item"))
    tested = {
        system: chance
        for system in verdicts.index.systems
        if (chance := against_chance(verdicts, system)) and not _is_excused(verdicts, system, chance)
    }
    yield from by_chance(list(tested.values()), what=_CHOICES, unit="pair")
    for system in verdicts.index.systems:
        unusable = verdicts.index.get("unusable", system)
        if unusable is None or float(unusable.value or 0) < _MANY:
            continue
        value, _, interval = score_text(unusable).partition(" ")
        text = f"{value} % {interval} of the answers of {verdicts.names[system]} cannot be used, and count as wrong"
        rests_on, weight = [unusable], float(unusable.value or 0)
        accuracy = verdicts.index.get("accuracy", system)
        if system not in tested and accuracy is not None:
            text += f": whether it chooses better than a coin is not known ({_CHOICES} {score_text(accuracy)})"
            rests_on.append(accuracy)
        yield Verdict(f"{text}; {count_text(unusable.n, 'pair')}.", MEASURED, tuple(rests_on), weight)


def _is_excused(verdicts: SystemVerdicts, system: str, tested: AgainstChance) -> bool:
    """Would it be at chance or above if the answers that cannot be used were right?"""
    choices = [template for template, known in TEMPLATES.items() if known.kind == CHOICE]
    shares = [verdicts.index.get("unusable", system, {"template": template}) for template in choices]
    unusable = [float(share.value or 0) for share in shares if share is not None]
    return tested.gap < 0 and bool(unusable) and tested.gap + sum(unusable) / len(unusable) >= 0
