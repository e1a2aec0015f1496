"""Which properties of the suites go together, and what each does to a base sentence."""

from __future__ import annotations

from .language import Language

FRAMES = ("sinan", "oan", "invan", "semas", "psy", "vlight")
"""Properties that bring another verb, or other nouns; each keeps at least one noun of the base sentence."""

_SEQUENCE = (
    "dat amb aux spron opron oneg pp sinan oan invan regpol sname semas noref psy vlight syn prov".split()
)  # fmt: skip
"""The order in which SORTS writes two properties."""

_TOGETHER = {
    "dat": "aux spron opron oneg pp sinan oan invan regpol sname semas noref psy vlight syn prov",
    "amb": "aux spron opron oneg pp sinan oan invan regpol sname semas noref psy vlight syn",
    "aux": "spron opron oneg pp sinan oan invan regpol sname semas noref psy vlight syn prov",
    "spron": "opron oneg pp oan invan noref psy vlight syn",
    "opron": "oneg pp sinan invan regpol sname psy syn",
    "oneg": "pp sinan oan invan regpol sname semas psy vlight syn prov",
    "pp": "sinan oan invan regpol sname semas noref psy vlight syn prov",
    "sinan": "noref vlight syn",
    "oan": "regpol sname noref syn",
    "invan": "noref syn",
    "regpol": "semas noref psy vlight syn",
    "sname": "noref psy vlight syn",
    "semas": "psy syn",
    "noref": "psy syn",
    "psy": "syn",
}
"""What SORTS combines, but for `sinan-oan`, which is `invan` by another name."""


def combinations(ambiguity: str, language: Language, tense: str) -> list[frozenset[str]]:
    """All pairs of properties that a set of this ambiguity has (paper, Section 3.5)."""
    without_auxiliary = set[str]() if tense in language.verbs.complex else {"aux"}
    left_out = (
        without_auxiliary
        | {"full": {"amb", "dat"}, "none": {"amb"}, "part": set[str]()}[ambiguity]
        | language.absent[ambiguity]
    )
    pairs = [frozenset((first, second)) for first, others in _TOGETHER.items() for second in others.split()]
    return [pair for pair in pairs if not pair & left_out and pair not in language.excluded]


def written(properties: frozenset[str]) -> str:
    """As in the files: `base-acc`, `base-aux`, `aux-syn`."""
    names = sorted(properties, key=_SEQUENCE.index)
    return "-".join(names if len(names) > 1 else ("base", *(names or ["acc"])))
