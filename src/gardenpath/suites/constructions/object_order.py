"""Which comes first in a clause of TIGER, the subject or the accusative object."""

from __future__ import annotations

from collections.abc import Iterable

from ...phrase.schemes.tiger import TIGER
from ...phrase.tree import PhraseTree


def subject_object_order(trees: Iterable[PhraseTree]) -> tuple[int, int]:
    """Of the clauses (S) with a subject and an accusative object: how many have which one first.

    Of two that are both marked OA (a reflexive, and the object proper) the last one counts.
    """
    subject_first = object_first = 0
    for tree in trees:
        for clause in tree.inner:
            if clause.label not in TIGER.categories.clauses:
                continue
            starts = {child.function: child.start for child in clause.children}
            subject, object_ = starts.get(TIGER.functions.subject), starts.get(TIGER.functions.object)
            if subject is not None and object_ is not None:
                subject_first += subject < object_
                object_first += subject > object_
    return subject_first, object_first
