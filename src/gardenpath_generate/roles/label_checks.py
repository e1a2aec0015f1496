"""Checks of role suites by a grammar: does every item have the properties that it is marked with, and no others?

The forms of a grammar and a lexicon are looked up in the sentences, so a suite needs no features and no tree. What
their words do not decide is not judged.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product

from gardenpath.suites import Hit, RoleSuite, check_of_roles

from .grammar import Argument, SentenceGrammar
from .language import Number, language_codes, language_folder
from .lexicon import INSTITUTION, read_lexicon

Agreement = set[tuple[str, str]]
"""Numbers and genders of subjects that a form of a verb may have."""
_NUMBERS: tuple[Number, ...] = ("Sing", "Plur")


class WordForms:
    """What the phrases and finite verbs of a language can be."""

    def __init__(self, code: str) -> None:
        home = language_folder(code)
        self.lexicon = read_lexicon(home.lexicon)
        self.grammar = SentenceGrammar(home.language)
        self.phrases: dict[tuple[str, ...], set[tuple[str, str, str]]] = defaultdict(set)
        """Case, number and gender of the words of a phrase."""
        self.negative = set[str]()
        self.verbs: dict[str, Agreement] = defaultdict(set)
        self.auxiliaries: dict[str, Agreement] = defaultdict(set)
        for argument in self._arguments():
            for case in home.language.cases:
                words = tuple(word.form.casefold() for word in self.grammar.phrase(argument, case))
                self.phrases[words].add((case, argument.number, argument.gender))
        for tense in home.language.verbs.tenses:
            self._add_verbs(SentenceGrammar(home.language, tense))
        self.longest = max(map(len, self.phrases))
        rules = home.language
        self.determiners: dict[str, set[tuple[str, str, str]]] = defaultdict(set)
        """Case, number and gender that a determiner can have, whatever noun follows."""
        for name, paradigm in rules.determiners.items():
            for noun, number in product({noun.gender: noun for noun in self.lexicon.nouns}.values(), _NUMBERS):
                row = paradigm.forms.pick(frozenset([noun.gender, number.lower()]) | noun.facts) or ()
                for case, form in zip(rules.cases, row, strict=bool(row)):
                    self.determiners[form.casefold()].add((case, number, noun.gender))
                    if name == "neg":
                        self.negative.add(form.casefold())
        self.pronouns, self.nobody, negative = (
            {form.casefold() for name in names if name in rules.pronouns
             for _, row in rules.pronouns[name].forms.rows for form in row}
            for names in (("personal",), ("nothing", "nobody"), ("negative",))
        )  # fmt: skip
        self.negative |= negative
        self.names = {form.casefold() for name in self.lexicon.names for row in name.forms.values() for form in row}
        self.prepositions = {one.preposition.casefold() for one in self.lexicon.adjuncts} - {""}
        future = rules.verbs.complex.get("present")
        rows = rules.verbs.auxiliaries.get(future.auxiliary) if future else None
        self.helpers = {form.casefold() for _, form in rows.rows} if rows else set()
        self.animacy: dict[str, set[str]] = defaultdict(set)
        for noun in self.lexicon.nouns:
            kind = "animate" if noun.animate else "" if INSTITUTION in noun.classes else "inanimate"
            for forms in (form for one in (noun, noun.variant) if one for form in one.forms.values()):
                for form in forms:
                    self.animacy[form.casefold()].add(kind)
        unmarked = home.language.determiners.get(home.language.articles["hidden_object"])
        self.object_cases = {"acc", (unmarked.case if unmarked else "") or "acc"}
        """With that of unmarked objects (Turkish)."""

    def _arguments(self) -> Iterator[Argument]:
        light = [one.noun for one in self.lexicon.light]
        nouns = [*self.lexicon.nouns, *light, *(noun.variant for noun in self.lexicon.nouns if noun.variant)]
        for noun, number in product(nouns, _NUMBERS):
            if noun.forms[number]:
                for article in ("", *self.grammar.language.determiners):
                    yield Argument("noun", number, noun, article)
        yield from (Argument("name", name=name) for name in self.lexicon.names)
        by_gender = {noun.gender: noun for noun in nouns}
        for noun, number, role in product(by_gender.values(), _NUMBERS, ("subject", "object")):
            pronoun = Argument("pronoun", number, noun, facts=frozenset([role]))
            if self.grammar.has(pronoun):
                yield pronoun
        for kind in ("negative", "nothing", "nobody"):
            if kind in self.grammar.language.pronouns and self.grammar.has(Argument(kind)):
                yield Argument(kind)

    def _add_verbs(self, grammar: SentenceGrammar) -> None:
        genders = grammar.language.genders or ("",)
        helped = (False, True) if grammar.tense in grammar.language.verbs.complex else (False,)
        for verb, number, gender, negative, auxiliary in product(
            self.lexicon.verbs, _NUMBERS, genders, (False, True), helped
        ):
            facts = frozenset(fact for fact in (gender, number.lower(), grammar.tense) if fact)
            facts |= {"negative"} if negative else set()
            form = grammar.inflected(verb, facts, gender, number, auxiliary)[0].form.casefold()
            (self.auxiliaries if auxiliary else self.verbs)[form].add((number, gender))

    def seen(
        self, words: Sequence[str], tags: Sequence[str], subject: int, object: int, order: str, person: int
    ) -> dict[str, bool]:
        """Return the properties that the words show to be there (True) or not (False); others are left open.

        A closed class shows a property; a determiner, or no word to spare, shows that it is not there.
        """
        subject_before, object_before = (words[place - 1] if place else "" for place in (subject, object))
        rest = sum(word[0].isalnum() and not (
            at in (subject, object) or (at + 1 in (subject, object) and word in self.determiners)
        ) for at, word in enumerate(words)) - 1 - order.startswith(("VF[ADV]", "MF"))  # fmt: skip
        nominal = {place: before in self.determiners for place, before in
                   ((subject, subject_before), (object, object_before))}  # fmt: skip
        evidence = {
            "spron": (words[subject] in self.pronouns, nominal[subject]),
            "opron": (words[object] in self.pronouns or words[object] in self.negative, nominal[object]),
            "oneg": (not self.negative.isdisjoint((words[object], object_before)),
                     nominal[object] or words[object] in self.pronouns),
            "noref": (words[object] in self.nobody, nominal[object] or words[object] in self.pronouns),
            "aux": (not self.helpers.isdisjoint(words), not rest),
            "pp": (rest > 0 and ("ADP" in tags or not self.prepositions.isdisjoint(words)), not rest),
            "sname": (words[person] in self.names or tags[person] == "PROPN",
                      nominal[person] or words[person] in self.pronouns),
        }  # fmt: skip
        cases = {case for case, _, _ in self._phrase(words, object) or self._determined(words, object)}
        if "dat" in self.grammar.language.cases:
            accusative = not self.object_cases.isdisjoint(cases)
            evidence["dat"] = ("dat" in cases and not accusative, accusative and "dat" not in cases)
        subject_kind, object_kind = (self.animacy.get(words[place], set()) for place in (subject, object))
        evidence["sinan"] = (False, subject_kind == {"animate"})
        evidence["oan"] = (False, object_kind == {"inanimate"})
        evidence["invan"] = (False, evidence["sinan"][1] or evidence["oan"][1])
        return {name: there for name, (there, absent) in evidence.items() if there or absent}

    def _determined(self, words: Sequence[str], place: int) -> set[tuple[str, str, str]]:
        """The readings of the determiner before a noun that the lexicon lacks."""
        return self.determiners.get(words[place - 1], set()) if place else set()

    def undecided(self, words: Sequence[str], subject: int, object: int) -> bool | None:
        """Return whether the words allow the other reading too; None if the lexicon does not know them all."""
        known = [self._phrase(words, place) for place in (subject, object)]
        phrases = [one or self._determined(words, place) for one, place in zip(known, (subject, object), strict=True)]
        first = self.grammar.language.cases[0]
        if phrases[0] and not any(case in self.object_cases for case, _, _ in phrases[0]):
            return False
        if phrases[1] and not any(case == first for case, _, _ in phrases[1]):
            return False
        outside = {word for at, word in enumerate(words) if at not in (subject, object)}
        agreement = self._agreement(outside, self.auxiliaries) or self._agreement(outside, self.verbs)
        if not all(known) or not agreement:
            return None
        genders = self.grammar.language.genders
        numbers = {number for number, _ in agreement}
        return any(
            case == first and ((number, gender) in agreement if gender in genders else number in numbers)
            for case, number, gender in known[1]
        )

    def _phrase(self, words: Sequence[str], place: int) -> set[tuple[str, str, str]]:
        """The readings of the longest known phrase that ends here."""
        for length in range(min(self.longest, place + 1), 0, -1):
            if readings := self.phrases.get(tuple(words[place + 1 - length : place + 1])):
                return readings
        return set()

    @staticmethod
    def _agreement(words: set[str], forms: dict[str, Agreement]) -> Agreement:
        found = [forms[word] for word in words if word in forms]
        return set.intersection(*found) if found else set()


_forms = lru_cache(maxsize=4)(WordForms)


def _judged(suite: RoleSuite) -> Iterator[tuple[int, list[str], int, int]]:
    """Items that a grammar can judge, with their words in small letters and the places of subject and object."""
    if suite.kind != "roles" or suite.language not in language_codes():
        return
    for number in range(len(suite)):
        places = {arc.label.partition(":")[0]: arc.dependent - 1 for arc in suite.arcs_of(number)}
        words = [word.casefold() for word in suite.tokens[number]]
        if set(places) == {"nsubj", "obj"} and 0 <= min(places.values()) <= max(places.values()) < len(words):
            yield number, words, places["nsubj"], places["obj"]


@check_of_roles(
    "ambiguity",
    "Case and agreement say other than the suite whether subject and object can be told apart.",
    "add or remove amb, or change the words",
    level="warning",
)
def ambiguity(suite: RoleSuite) -> Iterator[Hit]:
    """Idioms, whose words stand as they are, and datives are not judged."""
    for number, words, subject, object in _judged(suite) if suite.ambiguity else ():
        if {"prov", "dat"} & set(suite.properties[number]):
            continue
        undecided = _forms(suite.language).undecided(words, subject, object)
        if undecided is not None and undecided != bool(suite.ambiguous[number]):
            text = " ".join(suite.tokens[number])
            what = "object could be the subject" if undecided else "forms tell subject from object"
            yield Hit(number, f"{'not ' * undecided}called ambiguous, but the {what}: {text}")


@check_of_roles(
    "property",
    "The words say other than the suite whether an item has a property (pronouns, negation, auxiliary, PP, …).",
    "add or remove the property, or change the words",
    level="warning",
)
def property_contradiction(suite: RoleSuite) -> Iterator[Hit]:
    """Idioms are not judged. A psych verb's subject and object, and an asymmetric object, may be animate or not."""
    tags, offsets = suite.treebank.column("upos").strings(), suite.treebank.offsets.tolist()
    for number, words, subject, object in () if suite.own_names else _judged(suite):
        marked = set(suite.properties[number])
        if "prov" in marked:
            continue
        person = object if "psy" in marked else subject
        tagged = tags[offsets[number] : offsets[number + 1]]
        shown = _forms(suite.language).seen(words, tagged, subject, object, suite.orders[number], person)
        for name, there in shown.items():
            if there != (name in marked):
                what = "but the words do not show it" if name in marked else "but the words show it"
                text = " ".join(suite.tokens[number])
                yield Hit(number, f"{'' if name in marked else 'not '}marked {name}, {what}: {text}")
