"""Do case, adpositions and agreement tell subject from object? Syncretism is measured from the treebank itself.

What a form can be is what it is elsewhere in the treebank: the set of its (Case, Gender, Number), gender in the
singular only. A phrase can be what its noun, determiners and adjectives can all be; the noun's gender is known. Case
leaves a clause open where the subject could have the object's case and the object the subject's; agreement does, where
the object, too, has the person, number and gender of the finite verb. A word whose case is not annotated has the usual
one of subjects or objects, and could have any. Adpositions leave it open where both have the same (mostly none), or
where other subjects have the object's, or other objects the subject's.

Where no word of the treebank has Case, or none a feature that agrees, what the other clues leave open is not annotated.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

import numpy as np

from ...treebank.format.fields import parse_feats
from ...treebank.format.treebank import Treebank
from ...treebank.trees.scores import universal
from ...treebank.trees.tree import parents
from .clauses import OBJECTS, SUBJECTS, Clauses, Ints, feature_names, flags

CLUES = ("case", "adposition", "agreement", "open", "rare", "not annotated")
"""What tells subject and object apart; `open`: none of them; `rare`: forms that are too rare to know."""
_STRAY = 0.05
"""The share of an adposition's subjects among its subjects and objects (or of its objects) that may be mistakes."""
RARE = 20
"""Occurrences without which nothing is known of a form: a case that a word has every fourth time is seen by then."""
Cell = tuple[str, str, str]
"""Case, Gender (empty in the plural) and Number."""
_AGREEING = ("Number", "Person", "Gender")


def missing_clues(treebank: Treebank) -> list[str]:
    """Return the layers that no word of the treebank has, in words."""
    names = feature_names(treebank)
    missing = [] if "Case" in names else ["Case"]
    return missing if names & set(_AGREEING) else [*missing, "Number, Person and Gender"]


def shown_clues(treebank: Treebank) -> list[str]:
    """Return the clues that a treebank with these layers can have."""
    missing = missing_clues(treebank)
    hidden = {"open"} if missing else {"not annotated"}
    hidden |= {"case", "rare"} if "Case" in missing else set()
    hidden |= {"agreement"} if missing[("Case" in missing) :] else set()
    return [clue for clue in CLUES if clue not in hidden]


def case_clues(clauses: Clauses) -> Ints:
    """For each clause an index into CLUES."""
    treebank = clauses.treebank
    forms, adpositions = _Forms(treebank), _Adpositions(treebank)
    neither = "not annotated" if missing_clues(treebank) else "open"
    clues = np.empty(len(clauses), dtype=np.int64)
    subjects, objects = clauses.subject.tolist(), clauses.object.tolist()
    usual = forms.usual_case(subjects), forms.usual_case(objects)
    for number, (subject, obj, finite) in enumerate(zip(subjects, objects, clauses.finite.tolist(), strict=True)):
        cases = forms.case(subject) or usual[0], forms.case(obj) or usual[1]
        possible = forms.cases(subject), forms.cases(obj)
        if any(known and case and case not in known for known, case in zip(possible, cases[::-1], strict=True)):
            clues[number] = CLUES.index("case")
        elif adpositions.tell(subject, obj):
            clues[number] = CLUES.index("adposition")
        elif forms.disagrees(obj, finite):
            clues[number] = CLUES.index("agreement")
        else:
            clues[number] = CLUES.index("rare" if cases[0] != cases[1] and None in possible else neither)
    return clues


class _Adpositions:
    """The adpositions of subjects and objects: their dependants with the label case."""

    def __init__(self, treebank: Treebank) -> None:
        forms = treebank.column("form").mapped(str.casefold)
        label = treebank.column("deprel").mapped(universal)
        up = parents(treebank.heads, treebank.offsets)
        self._of: dict[int, tuple[str, ...]] = {}
        for word in np.flatnonzero(flags(label, "case".__eq__) & (treebank.heads > 0)).tolist():
            head = int(up[word])
            self._of[head] = (*self._of.get(head, ()), forms[word])
        self._roles: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
        for word, marks in self._of.items():
            role = "subject" if label[word] in SUBJECTS else "object" if label[word] in OBJECTS else ""
            self._roles[marks][role] += 1

    def tell(self, subject: int, obj: int) -> bool:
        """Return whether the adpositions of one of the two are not those that the other could have."""
        of_subject, of_object = self._of.get(subject, ()), self._of.get(obj, ())
        if of_subject == of_object:
            return False
        return self._is_only(of_object, "object") or self._is_only(of_subject, "subject")

    def _is_only(self, marks: tuple[str, ...], role: str) -> bool:
        """Have only such arguments these adpositions, but for a few?"""
        counts = self._roles[marks] if marks else Counter[str]()
        both = counts["subject"] + counts["object"]
        return bool(both) and counts[role] >= (1 - _STRAY) * both


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
