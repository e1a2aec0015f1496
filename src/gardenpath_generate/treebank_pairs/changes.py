"""Rules of agreement and case, their sites in a treebank, and the changes that break them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from .paradigms import Cell, Paradigms, Realised, Words, agrees, alike, plain

NOMINAL = frozenset(["NOUN", "PROPN", "PRON"])
VERBAL = frozenset(["VERB", "AUX"])
SUBJECT_VERB, DETERMINER_NOUN, OBJECT_CASE = "subject-verb agreement", "determiner-noun agreement", "case"
_AGREEING = ("Number", "Person", "Gender")


@dataclass(frozen=True, slots=True)
class Site:
    """`target` is the word to change, `controller` the one that demands `value` of `feature`; `kind` is what a rule
    may depend on, as the order of the two and the form of the verb."""

    phenomenon: str
    feature: str
    target: int
    controller: int
    value: str
    kind: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Phenomenon:
    """A phenomenon by name: its class, the feature it turns on, and how its sites are found."""

    name: str
    group: str
    feature: str
    find: Callable[[Words, Phenomenon], Iterator[Site]]

    def sites(self, words: Words) -> Iterator[Site]:
        return self.find(words, self)

    def dependent(self, site: Site) -> int:
        """Which of the two words depends on the other: the subject on its verb, else what is changed."""
        return site.controller if self.group == SUBJECT_VERB else site.target


def demands(words: Words, controller: int) -> dict[str, str]:
    """What a noun or pronoun demands of what agrees with it; a noun is a third person."""
    cell = words.cell(controller)
    agreeing = {key: cell[key] for key in (*_AGREEING, "Animacy") if key in cell}
    if words.tags[controller] in ("NOUN", "PROPN"):
        agreeing.setdefault("Person", "3")
    return agreeing


def is_coordinated(words: Words, word: int) -> bool:
    return words.relations[word] == "conj" or bool(words.children(word, "conj"))


def subject_of(words: Words, predicate: int) -> int | None:
    """The one nominal subject of a predicate; None where there is none, or more, or one that is coordinated."""
    subjects = words.children(predicate, "nsubj", "csubj")
    if len(subjects) != 1 or words.relations[subjects[0]] != "nsubj":
        return None
    subject = subjects[0]
    if words.tags[subject] not in NOMINAL or words.is_odd(subject) or is_coordinated(words, subject):
        return None
    return subject


def _subject_verb(words: Words, phenomenon: Phenomenon) -> Iterator[Site]:
    """A subject, and each verb of its predicate that shows the feature: the verb itself, auxiliaries, the copula."""
    feature = phenomenon.feature
    for subject in words.with_relation("nsubj"):
        predicate = words.parents[subject]
        value = demands(words, subject).get(feature)
        if value is None or "," in value or subject_of(words, predicate) != subject:
            continue
        if is_coordinated(words, predicate) or words.children(predicate, "expl") or _quantified(words, subject):
            continue
        helpers = words.children(predicate, "aux", "cop")
        if words.children(predicate, "cop") and words.cell(predicate).get(feature, value) != value:
            continue  # in "the problem is the taxes" the copula may agree with either
        for verb in (predicate, *helpers):
            if words.tags[verb] in VERBAL and feature in words.cell(verb) and not words.is_odd(verb):
                side = "subject first" if subject < verb else "verb first"
                auxiliaries = (
                    " ".join(sorted({words.lemmas[helper] for helper in helpers})) if verb == predicate else ""
                )
                form = words.cell(verb).get("VerbForm", "")
                yield Site(phenomenon.name, feature, verb, subject, value, (side, form, auxiliaries))


def _quantified(words: Words, noun: int) -> bool:
    """A number beside a noun may decide agreement in its stead: five people, много людей."""
    return bool(words.children(noun, "nummod"))


def _determiner_noun(words: Words, phenomenon: Phenomenon) -> Iterator[Site]:
    feature = phenomenon.feature
    for determiner in words.with_relation("det"):
        noun = words.parents[determiner]
        value = words.cell(noun).get(feature, "")
        if words.tags[noun] != "NOUN" or words.tags[determiner] != "DET" or feature not in words.cell(determiner):
            continue
        if not value or "," in value or words.is_odd(noun) or words.is_odd(determiner):
            continue
        if len(words.children(noun, "det")) > 1 or is_coordinated(words, noun) or _quantified(words, noun):
            continue
        if words.children(determiner):
            continue
        kind = ("determiner first" if determiner < noun else "noun first", words.lemmas[determiner])
        yield Site(phenomenon.name, feature, determiner, noun, value, kind)


def asks_or_relates(cell: Cell) -> bool:
    """Is this a pronoun of questions or relative clauses, which stands first whatever its role?"""
    return not {"Int", "Rel"}.isdisjoint(cell.get("PronType", "").split(","))


def noun_phrase(words: Words, head: int) -> list[int]:
    """A noun and the words beside it that may show its case."""
    return [head, *words.children(head, "det", "amod", "nummod")]


def _objects(words: Words, phenomenon: Phenomenon) -> Iterator[Site]:
    """Objects without adposition whose verb has an overt subject; questions and relative clauses are left out.

    They should have the case that most objects of their kind have.
    """
    sites = list(_objects_with_case(words, phenomenon))
    cases = Counter((site.kind, site.value) for site in sites)
    usual = {kind: case for (kind, case), _ in reversed(cases.most_common())}
    for site in sites:
        yield replace(site, value=usual[site.kind])


def _objects_with_case(words: Words, phenomenon: Phenomenon) -> Iterator[Site]:
    for head in words.with_relation("obj"):
        verb, cell = words.parents[head], words.cell(head)
        if words.tags[verb] != "VERB" or words.tags[head] not in NOMINAL or words.is_odd(head):
            continue
        case = cell.get("Case", "")
        if not case or "," in case or asks_or_relates(cell) or "Reflex" in cell:
            continue
        if words.children(head, "case") or is_coordinated(words, head) or len(words.children(verb, "obj")) > 1:
            continue
        if is_coordinated(words, verb) or subject_of(words, verb) is None:
            continue
        lemma = words.lemmas[head] if words.tags[head] == "PRON" else ""
        yield Site(phenomenon.name, "Case", head, verb, case, (words.tags[head], lemma))


PHENOMENA = {
    phenomenon.name: phenomenon
    for phenomenon in (
        *(Phenomenon(f"subject-verb-{feature.lower()}", SUBJECT_VERB, feature, _subject_verb) for feature in _AGREEING),
        Phenomenon("object-case", OBJECT_CASE, "Case", _objects),
        Phenomenon("determiner-noun-number", DETERMINER_NOUN, "Number", _determiner_noun),
        Phenomenon("determiner-noun-gender", DETERMINER_NOUN, "Gender", _determiner_noun),
    )
}


SUPPORT, EXCEPTIONS = 20, 0.05
"""A rule needs so many sites that keep it, and at most this share that break it."""
WAVERING = 0.01
"""A lexeme that breaks it more often than this is left out."""


@dataclass(frozen=True, slots=True)
class Rule:
    """With a controller that demands `value`, `kept` words show it and `broken` show `other` instead."""

    phenomenon: str
    value: str
    other: str
    kept: int
    broken: int

    @property
    def holds(self) -> bool:
        return self.kept >= SUPPORT and self.broken <= EXCEPTIONS * (self.kept + self.broken)


class Rules:
    """Counted for each kind of site on its own: what holds before the verb need not hold after it."""

    def __init__(self, words: Words, sites: Iterable[Site]) -> None:
        self._words = words
        self._shown: Counter[tuple[str, tuple[str, ...], str, str]] = Counter()
        self._by_controller: dict[tuple[str, str, str], Counter[tuple[tuple[str, ...], str]]] = defaultdict(Counter)
        for site in sites:
            shown = self.shown(site)
            self._shown[site.phenomenon, site.kind, site.value, shown] += 1
            self._by_controller[site.phenomenon, words.lemmas[site.controller], site.value][site.kind, shown] += 1

    def shown(self, site: Site) -> str:
        """The value that the word shows."""
        return self._words.cell(site.target)[site.feature]

    def rule(self, site: Site, other: str) -> Rule:
        """The rule that would be broken if the word showed the other value."""
        return self._rule(site.phenomenon, site.kind, site.value, other)

    def _rule(self, phenomenon: str, kind: tuple[str, ...], value: str, other: str) -> Rule:
        kept, broken = (self._shown[phenomenon, kind, value, shown] for shown in (value, other))
        return Rule(phenomenon, value, other, kept, broken)

    def wavers(self, site: Site, other: str) -> bool:
        """Does the treebank have this very controller with the other value, where the rule holds for others?

        A majority is and are; but that French *elle a mangé* shows no gender says nothing of *elle est venue*.
        """
        kept = broken = 0
        for (kind, shown), count in self._by_controller[
            site.phenomenon, self._words.lemmas[site.controller], site.value
        ].items():
            if self._rule(site.phenomenon, kind, site.value, other).holds:
                kept += count * (shown == site.value)
                broken += count * (shown == other)
        return broken > WAVERING * (kept + broken)

    def overview(self) -> Iterator[Rule]:
        """All rules, the kinds of sites taken together."""
        total: Counter[tuple[str, str, str]] = Counter()
        for (phenomenon, _, value, shown), count in self._shown.items():
            total[phenomenon, value, shown] += count
        shown_values: dict[str, set[str]] = defaultdict(set)
        for phenomenon, value, shown in total:
            shown_values[phenomenon] |= {value, shown}
        for phenomenon, values in shown_values.items():
            for value in sorted(values):
                for other in sorted(values - {value}):
                    kept, broken = total[phenomenon, value, value], total[phenomenon, value, other]
                    if kept + broken:
                        yield Rule(phenomenon, value, other, kept, broken)


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
        if self._order_is_free and not any(self._is_no(word, site.value) for word in noun_phrase(self._words, subject)):
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
