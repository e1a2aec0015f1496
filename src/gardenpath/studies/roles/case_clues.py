"""Do case and agreement tell subject from object? Syncretism is measured from the treebank itself.

What a form can be is what it is elsewhere in the treebank: the set of its (Case, Gender, Number), gender in the
singular only. A phrase can be what its noun, determiners and adjectives can all be; the noun's gender is known. Case
leaves a clause open where the subject could have the object's case and the object the subject's; agreement does, where
the object, too, has the person, number and gender of the finite verb. A word whose case is not annotated has the usual
one of subjects or objects, and could have any.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

import numpy as np

from ...treebank.format.fields import parse_feats
from ...treebank.format.treebank import Treebank
from ...treebank.trees.scores import universal
from ...treebank.trees.tree import parents
from .clauses import Clauses, Ints

CLUES = ("case", "agreement", "open", "rare")
"""What tells subject and object apart; `open`: neither; `rare`: forms that are too rare to know."""
RARE = 20
"""Occurrences without which nothing is known of a form: a case that a word has every fourth time is seen by then."""
Cell = tuple[str, str, str]
"""Case, Gender (empty in the plural) and Number."""
_AGREEING = ("Number", "Person", "Gender")


def case_clues(clauses: Clauses) -> Ints:
    """For each clause an index into CLUES."""
    treebank = clauses.treebank
    forms = _Forms(treebank)
    clues = np.empty(len(clauses), dtype=np.int64)
    subjects, objects = clauses.subject.tolist(), clauses.object.tolist()
    usual = forms.usual_case(subjects), forms.usual_case(objects)
    for number, (subject, obj, finite) in enumerate(zip(subjects, objects, clauses.finite.tolist(), strict=True)):
        cases = forms.case(subject) or usual[0], forms.case(obj) or usual[1]
        possible = forms.cases(subject), forms.cases(obj)
        if any(known and case and case not in known for known, case in zip(possible, cases[::-1], strict=True)):
            clues[number] = CLUES.index("case")
        elif forms.disagrees(obj, finite):
            clues[number] = CLUES.index("agreement")
        else:
            clues[number] = CLUES.index("rare" if cases[0] != cases[1] and None in possible else "open")
    return clues


class _Forms:
    """The forms of a treebank, and which cells of the paradigm each has."""

    def __init__(self, treebank: Treebank) -> None:
        self._forms = treebank.column("form").mapped(str.casefold).codes.tolist()
        self._upos = treebank.column("upos").codes.tolist()
        feats = treebank.column("feats")
        parsed = [parse_feats(value) for value in feats.values]
        self._feats = [parsed[code] for code in feats.codes.tolist()]
        self._cells: dict[tuple[int, int], set[Cell]] = defaultdict(set)
        self._counts: dict[tuple[int, int], int] = defaultdict(int)
        for word, pairs in enumerate(self._feats):
            key = self._forms[word], self._upos[word]
            self._cells[key].update(_cells(pairs))
            self._counts[key] += 1
        up = parents(treebank.heads, treebank.offsets)
        label = treebank.column("deprel").mapped(universal)
        agreeing = {label.code("det"), label.code("amod")} - {-1}
        self._modifiers: dict[int, list[int]] = defaultdict(list)
        for word in np.flatnonzero(np.isin(label.codes, list(agreeing)) & (treebank.heads > 0)).tolist():
            self._modifiers[int(up[word])].append(word)

    def case(self, word: int) -> str:
        """Its own, or that of a word that agrees with it."""
        named = [self._feats[member].get("Case", "") for member in (word, *self._modifiers.get(word, ()))]
        return next(filter(None, named), "")

    def usual_case(self, words: Sequence[int]) -> str:
        """The most frequent, for words whose case is not annotated; empty in a treebank without cases."""
        counts = Counter(case for word in words if (case := self.case(word)))
        return max(counts, key=lambda case: counts[case]) if counts else ""

    def cases(self, word: int) -> set[str] | None:
        """The cases that the phrase of this word can have by its form; None where all of its forms are rare.

        Empty where case is not marked on any of its words, which leaves all of them possible.
        """
        sets, is_marked = [], bool(self.case(word))
        for member in (word, *self._modifiers.get(word, ())):
            key = self._forms[member], self._upos[member]
            cells = {cell for cell in self._cells[key] if cell[0]}
            if self._counts[key] >= RARE and cells:
                sets.append(cells)
        if not sets:
            return None if is_marked else set()
        sets.append({("", kind, "") for kind in self._feats[word].get("Gender", "").split(",")})
        possible = [cell for cell in set.union(*sets) if all(any(_fits(cell, own) for own in cells) for cells in sets)]
        return {case for case, _, _ in possible if case}

    def disagrees(self, word: int, finite: int) -> bool:
        """Has this word another number, person or gender than the finite verb? A noun is of the third person."""
        verb, own = self._feats[finite], self._feats[word]
        for name in _AGREEING:
            wanted = verb.get(name)
            value = own.get(name) or ("3" if name == "Person" else None)
            if wanted and value and not set(wanted.split(",")) & set(value.split(",")):
                return True
        return False


def _cells(feats: dict[str, str]) -> list[Cell]:
    """All that FEATS say a form is here: `Case=Acc,Nom` are two."""
    number = feats.get("Number", "")
    gender = "" if number == "Plur" else feats.get("Gender", "")
    return [(case, kind, number) for case in feats.get("Case", "").split(",") for kind in gender.split(",")]


def _fits(first: Cell, second: Cell) -> bool:
    """What one of the two leaves open fits anything."""
    return all(a == b or not a or not b for a, b in zip(first, second, strict=True))
