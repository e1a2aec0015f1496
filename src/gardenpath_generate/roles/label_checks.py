"""Check of role suites by a grammar: is every item ambiguous that is called so, and no other?

The forms of a lexicon are looked up in the sentences, so the suite needs no features and no tree; items with words
that the lexicon does not have are not judged.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product

from gardenpath.suites import Hit, RoleSuite, check_of_roles

from .grammar import Argument, SentenceGrammar
from .language import Number, language_codes, language_folder
from .lexicon import read_lexicon

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
        self.verbs: dict[str, Agreement] = defaultdict(set)
        self.auxiliaries: dict[str, Agreement] = defaultdict(set)
        for argument in self._arguments():
            for case in home.language.cases:
                words = tuple(word.form.casefold() for word in self.grammar.phrase(argument, case))
                self.phrases[words].add((case, argument.number, argument.gender))
        for tense in home.language.verbs.tenses:
            self._add_verbs(SentenceGrammar(home.language, tense))
        self.longest = max(map(len, self.phrases))
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

    def undecided(self, words: Sequence[str], subject: int, object: int) -> bool | None:
        """Return whether the words allow the other reading too; None if the lexicon does not know them all."""
        phrases = [self._phrase(words, place) for place in (subject, object)]
        outside = {word for at, word in enumerate(words) if at not in (subject, object)}
        agreement = self._agreement(outside, self.auxiliaries) or self._agreement(outside, self.verbs)
        if not all(phrases) or not agreement:
            return None
        if not any(case in self.object_cases for case, _, _ in phrases[0]):
            return False
        first, genders = self.grammar.language.cases[0], self.grammar.language.genders
        numbers = {number for number, _ in agreement}
        return any(
            case == first and ((number, gender) in agreement if gender in genders else number in numbers)
            for case, number, gender in phrases[1]
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


@check_of_roles(
    "ambiguity",
    "Case and agreement say other than the suite whether subject and object can be told apart.",
    "add or remove amb, or change the words",
    level="warning",
)
def ambiguity(suite: RoleSuite) -> Iterator[Hit]:
    """Idioms, whose words stand as they are, and datives are not judged."""
    if suite.kind != "roles" or not suite.ambiguity or suite.language not in language_codes():
        return
    forms = _forms(suite.language)
    for number, properties in enumerate(suite.properties):
        places = {arc.label.partition(":")[0]: arc.dependent - 1 for arc in suite.arcs_of(number)}
        words = [word.casefold() for word in suite.tokens[number]]
        if {"prov", "dat"} & set(properties) or set(places) != {"nsubj", "obj"} or max(places.values()) >= len(words):
            continue
        undecided = forms.undecided(words, places["nsubj"], places["obj"])
        if undecided is not None and undecided != bool(suite.ambiguous[number]):
            text = " ".join(suite.tokens[number])
            what = "object could be the subject" if undecided else "forms tell subject from object"
            yield Hit(number, f"{'not ' * undecided}called ambiguous, but the {what}: {text}")
