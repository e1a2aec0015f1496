"""What names on the page mean: one line for each measure, order, property, phenomenon and relation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ...studies.engine.declaration import Measure
from ...studies.engine.registry import all_measures
from ...suites.constructions.model import PHENOMENA
from ...suites.roles.names import ORDERS, PP_PROPERTIES, ROLE_PROPERTIES

ENDINGS: Mapping[str, tuple[str, str, str]] = {
    "_p_holm": ("{}: p, Holm", "p of the difference, corrected for everything tested together", ""),
    "_p": ("{}: p", "p of the difference, before correction", ""),
    "_difference": ("difference in {}", "system minus baseline on the same items", "more"),
    "_delta": ("change of {}", "mean change within pairs that differ in one thing alone, in points", "more"),
    "_precision": ("{}, precision", "of what the system says, the share that is right, %", "more"),
    "_recall": ("{}, recall", "of what gold has, the share that is found, %", "more"),
    "_f1": ("{}, F1", "harmonic mean of precision and recall, %", "more"),
    "_aligned": ("{} of aligned words", "of the words that gold and system share, %", "more"),
    "_correct": ("{}: right", "how many are right", ""),
    "_share": ("{}: share", "part of all, %", ""),
    "_excess": ("excess of {}", "the distance minus the mean of random splits of the same data", "less"),
    "_noise_mean": ("{}: noise", "mean over random splits of the same data", ""),
    "_noise_median": ("{}: noise, median", "median over random splits, with their middle 90 %", ""),
    "_noise_sd": ("{}: noise, SD", "standard deviation over random splits", ""),
    "_z": ("{}: z", "the excess in standard deviations of random splits", ""),
    "_sd": ("{}: SD", "standard deviation", ""),
    "_median": ("{}: median", "median", ""),
    "_min": ("{}: least", "the least", ""),
    "_max": ("{}: most", "the most", ""),
}
"""Endings of derived measures: title of the measure they are derived from, meaning, what is better."""

RELATIONS: Mapping[str, str] = {
    "acl": "clause that modifies a noun", "advcl": "adverbial clause", "advmod": "adverb", "amod": "adjective",
    "appos": "apposition", "aux": "auxiliary", "case": "adposition or case marker", "cc": "conjunction",
    "ccomp": "clausal complement", "clf": "classifier", "compound": "part of a compound", "conj": "conjunct",
    "cop": "copula", "csubj": "clausal subject", "dep": "unspecified", "det": "determiner",
    "discourse": "discourse particle", "dislocated": "dislocated element", "expl": "expletive",
    "fixed": "part of a fixed expression", "flat": "part of a name or date", "goeswith": "part of a split word",
    "iobj": "indirect object", "list": "part of a list", "mark": "subordinating word",
    "nmod": "noun that modifies a noun", "nsubj": "nominal subject", "nummod": "number", "obj": "object",
    "obl": "oblique: nominal adjunct or argument", "orphan": "orphan of an ellipsis",
    "parataxis": "parataxis", "punct": "punctuation",
    "reparandum": "what was corrected", "root": "root of the sentence", "vocative": "vocative",
    "xcomp": "open clausal complement",
}  # fmt: skip
"""The relations of Universal Dependencies, version 2."""

_CODES: Mapping[str, Mapping[str, str]] = {
    "order": ORDERS,
    "property": {**ROLE_PROPERTIES, **PP_PROPERTIES},
    "phenomenon": PHENOMENA,
    "label": RELATIONS,
}
_ALSO = {"predicted": "label", "props": "property", "change": "property", "condition": "phenomenon"}
"""Keys whose values are codes of another key's kind."""


def defined(names: Iterable[str]) -> dict[str, dict[str, str]]:
    """Title, meaning and direction of each of these measures."""
    return {name: measure_of(name)._asdict() for name in names}


def measure_of(name: str) -> Measure:
    """The measure of this name; one that is derived says what from, an unknown one only its name.

    >>> measure_of("las_difference").title, measure_of("words_away").title
    ('difference in LAS', 'words away')
    """
    if name in (known := all_measures()):
        return known[name]
    for ending, (title, meaning, better) in ENDINGS.items():
        if name.endswith(ending):
            base = measure_of(name.removesuffix(ending))
            return Measure(title.format(base.title), meaning, base.better if better == "more" else better)
    return Measure(name.replace("_", " "), "", "")


def meanings(values: Mapping[str, Iterable[Any]]) -> dict[str, dict[str, str]]:
    """For each grouping key, what its values mean, as far as they are codes that we know."""
    known = {key: _CODES.get(_ALSO.get(key, key), {}) for key in values}
    explained = {
        key: {str(value): text for value in values[key] if (text := codes.get(str(value)))}
        for key, codes in known.items()
    }
    return {key: texts for key, texts in explained.items() if texts}
