"""How each study measures, and what to cite: the lines a reader needs beside the numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Note(NamedTuple):
    """`method` in two or three sentences; `cite` names the paper the study is from."""

    title: str
    method: str
    cite: str


NOTES: Mapping[str, Note] = {
    "evaluation": Note(
        "Evaluation",
        "Precision, recall and F1 as in the CoNLL 2018 shared task: words are aligned by characters, label subtypes "
        "are ignored, punctuation counts. Intervals are the middle 95 % of a bootstrap over sentences; differences "
        "are paired over the same sentences.",
        "Zeman et al. 2018, CoNLL 2018 Shared Task: Multilingual Parsing from Raw Text to Universal Dependencies.",
    ),
    "roles": Note(
        "Roles",
        "Subject-object LAS: over the gold arcs of subject and object (in PP suites: preposition and noun), the "
        "share whose head and label are both right; all other arcs are ignored. A property's score is over all "
        "sentences that carry it. A pair is two items that differ in one property or in order alone.",
        "Fischer, de Kok and Hinrichs 2020, When Beards Start Shaving Men, COLING.",
    ),
    "displacement": Note(
        "Displacement",
        "The displacement of an edge is the position of a word less that of its head; root edges and displacements "
        "beyond 30 are left out. EDV is the Wasserstein distance of the distributions of training and test data, in "
        "tokens; the noise floor is what random samples of these sizes from the same data show.",
        "Anderson and Gómez-Rodríguez 2022, The Impact of Edge Displacement Vaserstein Distance on UD Parsing "
        "Performance, Computational Linguistics.",
    ),
    "consistency": Note(
        "Consistency",
        "A sentence is parsed with irrelevant changes (a year, a name); trees that are equal form a class. A parser "
        "is consistent where all variants are in one class.",
        "Kalpakchi and Boye 2021, Minor changes make a difference: a case study on the consistency of UD-based "
        "dependency parsers.",
    ),
}


def note_of(study: str) -> dict[str, str] | None:
    note = NOTES.get(study)
    return None if note is None else {"title": note.title, "method": note.method, "cite": note.cite}
