"""The other form at a site: one word changes, it differs, and no reading of it saves the sentence."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from .paradigms import Paradigms, Realised, agrees, alike, plain
from .sites import DETERMINER_NOUN, OBJECT_CASE, PHENOMENA, Site, asks_or_relates, demands, noun_phrase, subject_of
from .words import Cell, Words

FREE_ORDER = 0.02
"""Where more than this share of clauses have the object before the subject, order does not tell the roles."""
_ALIKE, _OFTEN = 0.9, 0.3
"""Shares of lexemes with one form in two cells: for nearly all of them, and for too many to be sure."""
_COMMAS = frozenset(",،、")
_CLOSED_CLASS = 5
"""A determiner or pronoun that occurs so often has shown its cases."""


@dataclass(frozen=True, slots=True)
class Change:
    """The word that changes, its new form, and the features of that."""

    word: int
    form: str
    cell: Cell


class Changes:
    """Looks for the other form at sites; a site that has none gets the reason, as a string."""

    def __init__(self, words: Words, paradigms: Paradigms) -> None:
        self._words, self._paradigms = words, paradigms

    def others(self, site: Site) -> list[str]:
        """The values that could stand instead of the right one."""
        words = self._words
        if PHENOMENA[site.phenomenon].group == OBJECT_CASE:
            return [self._subject_case] if self._subject_case not in ("", site.value) else []
        values = self._paradigms.values(words.lemmas[site.target], words.tags[site.target], site.feature)
        others = [value for value in values if value != site.value and "," not in value]
        # A first person often looks like a third person of another mood: German "er gebe".
        return sorted(others, key=lambda value: (site.feature, value) != ("Person", "2"))

    def change(self, site: Site, other: str) -> Change | str:
        """The change that gives the site the other value, or why there is none."""
        group = PHENOMENA[site.phenomenon].group
        if group == OBJECT_CASE:
            return self._object(site, other)
        words, target = self._words, site.target
        demanded = demands(words, site.controller)
        realised = self._realised(target, site.feature, other, demanded)
        if realised is None:
            return "no form"
        if alike(realised.form, words.forms[target]):
            return "same form"
        if group == DETERMINER_NOUN:
            return self._determiner(site, realised)
        if site.feature == "Person":  # in no number: that "it are" is a plural is another error
            demanded = {"Person": site.value}
            if self._may_be_addressed(site.controller, target):
                return "vocative"
        if self._paradigms.may_be(words.lemmas[target], words.tags[target], realised, demanded):
            return "syncretic"
        if not self._shows(site, other):
            return "syncretic controller"
        return Change(target, realised.form, realised.cell)

    def _may_be_addressed(self, subject: int, verb: int) -> bool:
        """A noun after the verb, or beside a comma, is a vocative where the verb needs no subject: *dedim, baba*."""
        words = self._words
        sentence = words.sentences[subject]
        beside = [word for word in (subject - 1, subject + 1) if 0 <= word < len(words)]
        comma = any(words.forms[word] in _COMMAS and words.sentences[word] == sentence for word in beside)
        return words.tags[subject] != "PRON" and (comma or verb < subject)

    def _shows(self, site: Site, other: str) -> bool:
        """Does some word of the subject have a form that cannot have the other value? German *sie* is one and many."""
        words, feature = self._words, site.feature
        if feature == "Person":
            return True
        for word in noun_phrase(words, site.controller):
            cell = words.cell(word)
            if feature in cell:
                case = {"Case": cell["Case"]} if "Case" in cell else {}
                form = Realised(words.forms[word], cell)
                if not self._paradigms.may_be(words.lemmas[word], words.tags[word], form, {feature: other, **case}):
                    return True
        return False

    def _realised(self, word: int, feature: str, value: str, controller: Cell) -> Realised | None:
        words = self._words
        cell = words.cell(word)
        return self._paradigms.realised(words.lemmas[word], words.tags[word], cell, feature, value, controller)

    # ---- determiners

    def _determiner(self, site: Site, realised: Realised) -> Change | str:
        """No reading of the new form may fit the noun in gender and number; case does not count, for a feminine
        *der* is a dative. In a number that the noun has not here, the noun must be known to have another form."""
        words, noun = self._words, site.controller
        demanded = {key: value for key, value in demands(words, noun).items() if key in ("Gender", "Number")}
        for reading in self._paradigms.readings(realised.form, "DET"):
            if agrees(reading, demanded):
                return "syncretic"
            number = reading.get("Number", demanded.get("Number", ""))
            if number != demanded.get("Number", number) and not self._differs_in(noun, number, reading.get("Case", "")):
                return "syncretic"
        if (realised.form.lower(), self._next_letter(site.target)) not in self._before_letters:
            return "sound"
        if self._contracts(site.target, realised.form.lower()):
            return "contraction"
        return Change(site.target, realised.form, realised.cell)

    def _differs_in(self, noun: int, number: str, case: str) -> bool:
        """Has the noun another form in this number and case? What it has in its own case must be known."""
        words = self._words
        own = words.cell(noun)
        forms = {
            plain(form.lower())
            for cell, form, _ in self._paradigms.forms(words.lemmas[noun], words.tags[noun])
            if cell.get("Number") == number and cell.get("Case", case) == case
        }
        if forms:
            return plain(words.forms[noun].lower()) not in forms
        known = number in self._paradigms.values(words.lemmas[noun], words.tags[noun], "Number")
        other = {**own, "Number": number, "Case": case}
        elsewhere = known and case not in ("", own.get("Case", ""))
        return elsewhere and self._paradigms.share_alike("NOUN", own, other) < _OFTEN

    def _next_letter(self, word: int) -> str:
        following = word + 1
        same = following < len(self._words) and self._words.sentences[following] == self._words.sentences[word]
        return self._words.forms[following][0].lower() if same else ""

    @cached_property
    def _before_letters(self) -> set[tuple[str, str]]:
        """Determiners with the letters before which they occur: *la* is not *l'*, *a* is not *an*."""
        words = self._words
        return {(words.forms[word].lower(), self._next_letter(word)) for word in words.with_relation("det")}

    def _contracts(self, word: int, form: str) -> bool:
        """Would the new form melt into one token with the word before it? French *de le* is *du*."""
        words = self._words
        if word == words.offsets[words.sentences[word]]:
            return False
        together, apart = self._neighbours[words.forms[word - 1].lower(), form]
        return together > apart

    @cached_property
    def _neighbours(self) -> dict[tuple[str, str], tuple[int, int]]:
        """For two words in a row how often they are in one multiword token, and how often they are not."""
        words, surface = self._words, self._words.treebank.surface
        counts: dict[tuple[str, str], tuple[int, int]] = defaultdict(lambda: (0, 0))
        for determiner in words.with_relation("det"):
            if determiner > 0:
                pair = words.forms[determiner - 1].lower(), words.forms[determiner].lower()
                one_token = surface.token_of[determiner] == surface.token_of[determiner - 1]
                together, apart = counts[pair]
                counts[pair] = together + bool(one_token), apart + (not one_token)
        return counts

    # ---- objects

    @cached_property
    def _clauses(self) -> list[tuple[int, int, int]]:
        """(subject, verb, object) of all clauses that have them."""
        words, changes = self._words, list[tuple[int, int, int]]()
        for object in words.with_relation("obj"):
            verb = words.parents[object]
            subject = subject_of(words, verb)
            if subject is not None and words.tags[verb] == "VERB":
                changes.append((subject, verb, object))
        return changes

    @cached_property
    def _subject_case(self) -> str:
        """The case that subjects of verbs with an object have: nominative, or ergative. Empty where none has one."""
        cases = Counter(self._words.cell(subject).get("Case", "") for subject, _, _ in self._clauses)
        del cases[""]
        return max(sorted(cases), key=lambda case: cases[case]) if cases else ""

    @cached_property
    def _order_is_free(self) -> bool:
        """Do objects come before subjects, other than in questions and relative clauses?"""
        cells = self._words.cell
        clauses = [clause for clause in self._clauses if not asks_or_relates(cells(clause[2]))]
        return sum(object < subject for subject, _, object in clauses) > FREE_ORDER * len(clauses)

    def _object(self, site: Site, other: str) -> Change | str:
        """The object in the case of subjects: one word of its phrase changes, and the subject is not an object then."""
        words, head = self._words, site.target
        subject = subject_of(words, site.controller)
        assert subject is not None  # what a site of this kind has
        if words.labels[subject] == "nsubj:pass":
            return "passive"
        if self._order_is_free and not self._shows_case(subject, site.value):
            return "roles may change"
        changes = list(self._in_case(head, site.value, other))
        if any(change is None for change in changes):
            return "no form"
        differing = [change for change in changes if change and not alike(change.form, words.forms[change.word])]
        if not differing:
            return "same form"
        if len(differing) > 1:
            return "several words"
        change = differing[0]
        cells = self._paradigms.readings(change.form, words.tags[change.word])
        own = {key: value for key, value in words.cell(head).items() if key in ("Number", "Gender", "Case")}
        if any(agrees(cell, own) and "Case" in cell for cell in cells):
            return "syncretic"
        return change

    def _in_case(self, head: int, case: str, other: str) -> Iterator[Change | None]:
        """The words of a noun phrase in another case; None for one whose form is not known."""
        words = self._words
        for word in noun_phrase(words, head):
            cell = words.cell(word)
            if cell.get("Case") != case:
                yield Change(word, words.forms[word], cell) if "Case" not in cell else None
                continue
            realised = self._realised(word, "Case", other, words.cell(head))
            if realised is None and words.tags[word] == "NOUN" and self._alike(cell, other):
                realised = Realised(words.forms[word], {**cell, "Case": other})
            yield None if realised is None else Change(word, realised.form, realised.cell)

    def _alike(self, cell: Cell, case: str) -> bool:
        """Do nearly all nouns with these features look the same in the other case?"""
        return self._paradigms.share_alike("NOUN", cell, {**cell, "Case": case}) >= _ALIKE

    def _shows_case(self, subject: int, case: str) -> bool:
        """Does some word of the subject have a form that the case of the object cannot have?"""
        return any(self._is_no(word, case) for word in noun_phrase(self._words, subject))

    def _is_no(self, word: int, case: str) -> bool:
        words = self._words
        cell, tag, form = words.cell(word), words.tags[word], words.forms[word]
        if "Case" not in cell or cell["Case"] == case:
            return False
        if tag in ("DET", "PRON"):
            own = {key: value for key, value in cell.items() if key in ("Number", "Gender")}
            readings = self._paradigms.readings(form, tag)
            common = self._paradigms.count(form, tag) >= _CLOSED_CLASS
            return common and not any(reading.get("Case") == case and agrees(reading, own) for reading in readings)
        realised = self._realised(word, "Case", case, cell)
        return realised is not None and not alike(realised.form, form)
