"""Engine of all grammars: phrases of tagged words, subject and object told apart, layout of a clause."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Literal, NamedTuple

from .language import Language, Number, Paradigm
from .lexicon import Adjunct, Fixed, Name, Noun, Verb

Kind = Literal["noun", "name", "pronoun", "negative", "nothing", "nobody", "fixed"]
_NEGATIVE = frozenset(["negative", "nothing", "nobody"])


class Token(NamedTuple):
    form: str
    columns: str
    """LEMMA, UPOS, XPOS and FEATS with tabs between."""
    deprel: str = ""
    """Empty for the head of the phrase: the clause says what it is."""
    up: int = 0
    """How far behind the word its head is; 0 for the head of the phrase."""

    @property
    def lemma(self) -> str:
        return self.columns.partition("\t")[0]


Phrase = tuple[Token, ...]
"""Words; the one without a deprel is the head of the others."""


@dataclass(frozen=True, slots=True)
class Argument:
    """A subject or object before it has a case."""

    kind: Kind
    number: Number = "Sing"
    noun: Noun | None = None
    article: str = ""
    name: Name | None = None
    fixed: Fixed | None = None
    facts: frozenset[str] = frozenset()
    """What the form of a pronoun depends on beside its noun: subject or object, and hidden."""

    @property
    def pronominal(self) -> bool:
        return self.kind == "pronoun"

    @property
    def negative(self) -> bool:
        return self.kind in _NEGATIVE or self.article == "neg"

    @property
    def gender(self) -> str:
        word = self.noun or self.name or self.fixed
        return word.gender if word else ""


@dataclass(frozen=True, slots=True)
class Clause:
    """Subject, verb and object, with what the properties added."""

    subject: Argument
    verb: Verb
    object: Argument
    auxiliary: bool = False
    adjunct: Adjunct | None = None
    inverted: bool = False
    """The object is the more agentive one (psych verbs and the like): it may come first in the middle field."""


class Slot(NamedTuple):
    """A phrase in a clause: what its head is to the main verb (empty: it is the main verb), and its field."""

    phrase: Phrase
    label: str
    field: str


def heads(slots: Iterable[Slot]) -> Mapping[int, int]:
    """Where the head of each slot is among all words, from 1, by the number of the slot."""
    places, before = {}, 0
    for number, slot in enumerate(slots):
        head = next(place for place, word in enumerate(slot.phrase, 1) if not word.deprel)
        places[number] = before + head
        before += len(slot.phrase)
    return places


_TENSES = {"present": "Pres", "past": "Past"}


class SentenceGrammar:
    """Makes words and clauses by the rules of a language."""

    def __init__(self, language: Language, tense: str = "present") -> None:
        self.language, self.tense = language, tense
        self.fixed_determiners = {
            form: name
            for name, paradigm in reversed(tuple(language.determiners.items()))
            for _, forms in paradigm.forms.rows
            for form in forms
        }
        self.phrase = lru_cache(maxsize=100_000)(self._phrase)
        self.adjunct = cache(self._adjunct)
        self.inflected = lru_cache(maxsize=100_000)(self._inflected)

    # ---- words

    def _phrase(self, argument: Argument, case: str) -> Phrase:
        """The words of an argument in a case of the grammar."""
        words, number = self.language.words, argument.number
        if argument.fixed is not None:
            return self._fixed(argument.fixed, case)
        if argument.name is not None:
            template, values = words["name"], self._values(case, argument.name.gender, "Sing")
            form = argument.name.forms["Sing"][self._place(case)]
            return (Token(form, template.columns(argument.name.lemma, frozenset(), values)),)
        if argument.kind != "noun":
            name = "personal" if argument.kind == "pronoun" else argument.kind
            token = self._declined(self.language.pronouns[name], argument.facts | _facts(argument), argument, case)
            assert token is not None  # variations ask `has` first
            return (token,)
        assert argument.noun is not None
        noun, facts = argument.noun, _facts(argument)
        paradigm = self.language.determiners.get(argument.article)
        case = (paradigm.case if paradigm else "") or case
        columns = words["noun"].columns(noun.lemma, facts, self._values(case, noun.gender, number))
        head = Token(noun.forms[number][self._place(case)], columns)
        determiner = self._declined(paradigm, facts, argument, case) if paradigm else None
        return (determiner._replace(deprel="det"), head) if determiner else (head,)

    def has(self, argument: Argument) -> bool:
        """Whether the language has the pronoun that this argument asks for."""
        paradigm = self.language.pronouns.get("personal" if argument.kind == "pronoun" else argument.kind)
        return paradigm is not None and bool(paradigm.forms.pick(argument.facts | _facts(argument)))

    def _declined(self, paradigm: Paradigm, facts: frozenset[str], argument: Argument, case: str) -> Token | None:
        """The form of a determiner or pronoun; None where the paradigm has none."""
        row = paradigm.forms.pick(facts)
        if not row:
            return None
        form = row[self._place(case)]
        values = self._values(case, argument.gender, argument.number, shown=len(set(row)) > 1)
        return Token(form, paradigm.template.columns(paradigm.lemma(row, form), facts, values))

    def _place(self, case: str) -> int:
        return self.language.cases.index(case)

    def _values(self, case: str, gender: str, number: str, *, shown: bool = True) -> dict[str, str]:
        """What templates are filled with."""
        marks = {key: text.capitalize() for key, text in self.language.genders.get(gender, {}).items()}
        return {
            **marks,
            "case": case.capitalize(),
            "case.shown": case.capitalize() if shown else "",
            "gender.sing": marks.get("gender", "") if number == "Sing" else "",
            "number": number,
            "tense": _TENSES[self.tense],
        }

    def _fixed(self, fixed: Fixed, case: str) -> Phrase:
        """The words as they stand, with tags: an idiom has one form only."""
        *before, (form, lemma) = fixed.words
        values, words = self._values(case, fixed.gender, fixed.number), self.language.words
        facts = _words_facts(fixed.gender, fixed.number)
        tokens = []
        for number, (word, base) in enumerate(before):
            name = self.fixed_determiners.get(word)
            if number == 0 and name:
                template = self.language.determiners[name].template
                lemma_of = template.lemma if template.lemma not in ("", "{form}") else base
                tokens.append(Token(word, template.columns(lemma_of, facts, values), "det"))
            else:
                tokens.append(Token(word, words["adjective"].columns(base, facts, values), "amod"))
        return (*tokens, Token(form, words["noun"].columns(lemma, facts, values)))

    def _adjunct(self, adjunct: Adjunct) -> Phrase:
        values = self._values(self.language.adjunct_case, adjunct.gender, "Sing")
        tokens = []
        for name, template in self.language.adjunct:
            if form := getattr(adjunct, name):
                if name == "determiner" and form in self.fixed_determiners:
                    template = self.language.determiners[self.fixed_determiners[form]].template
                lemma = form if template.lemma in ("", "{form}") else template.lemma
                lemma = adjunct.lemma if name == "noun" else lemma
                label = {"noun": "", "determiner": "det", "preposition": "case"}[name]
                tokens.append(Token(form, template.columns(lemma, _words_facts(adjunct.gender, "Sing"), values), label))
        return tuple(tokens)

    def preposition(self, form: str) -> Token:
        template = dict(self.language.adjunct)["preposition"]
        return Token(form, template.columns(template.lemma or form, frozenset(), {}), "case")

    def adjective(self, word: tuple[str, str], noun: Noun, case: str) -> Token:
        """An adjective as it stands, before a noun in the singular."""
        values, facts = self._values(case, noun.gender, "Sing"), _words_facts(noun.gender, "Sing")
        return Token(word[0], self.language.words["adjective"].columns(word[1], facts, values), "amod")

    def verbs(self, clause: Clause) -> tuple[Token, ...]:
        """The finite verb; with an auxiliary this one and the main verb."""
        return self._verbs_of(clause, clause.subject)

    def _verbs_of(self, clause: Clause, subject: Argument) -> tuple[Token, ...]:
        """The same if this were its subject."""
        agreement = self._agreement(clause, subject)
        return self.inflected(clause.verb, agreement, subject.gender, subject.number, clause.auxiliary)

    def _inflected(
        self, verb: Verb, facts: frozenset[str], gender: str, number: str, auxiliary: bool
    ) -> tuple[Token, ...]:
        rules, values = self.language.verbs, self._values("", gender, number)
        if not auxiliary:
            form = verb.fields[rules.finite.pick(facts) or "lemma"]
            return (Token(form, rules.template.columns(verb.lemma, facts, values)),)
        rule = rules.complex[self.tense]
        helper = verb.fields[rule.auxiliary[1:-1]] if rule.auxiliary.startswith("{") else rule.auxiliary
        form = rules.auxiliaries[helper].pick(facts) or helper
        return (
            Token(form, rules.auxiliary.columns(helper, facts, values)),
            Token(verb.fields[rule.main], rule.template.columns(verb.lemma, facts, values)),
        )

    def _agreement(self, clause: Clause, subject: Argument) -> frozenset[str]:
        """What the form of the verb depends on, if this were its subject."""
        facts = _words_facts(subject.gender, subject.number) | {self.tense}
        return facts | {"negative"} if clause.object.negative else facts

    @cache  # noqa: B019 (a grammar lives as long as its suite)
    def uninflected(self, form: str, kind: str) -> Token:
        """An adverb, a conjunction or a mark, which have one form."""
        return Token(form, self.language.words[kind].columns(form, frozenset(), {}))

    def capitalised(self, text: str) -> str:
        return self.language.capitals.get(text[0], text[0].upper()) + text[1:]

    def text(self, slots: Iterable[Slot], mark: str) -> str:
        """The sentence as it is written."""
        return self.capitalised(" ".join(word.form for slot in slots for word in slot.phrase)) + mark

    # ---- what tells subject from object

    def numbers(
        self, subject: Noun, object: Noun, hidden: bool, plural: bool
    ) -> Iterator[tuple[Noun, Number, Noun, Number]]:
        """Forms in which the nouns may appear, the preferred first; `hidden`: no singular may show its case."""
        for numbers in self.language.numbers[hidden, plural]:
            nouns = [
                self._hiding(noun, role) if hidden and number == "Sing" else noun
                for noun, number, role in zip((subject, object), numbers, ("subject", "hidden_object"), strict=True)
            ]
            if all(noun and noun.forms.get(number) for noun, number in zip(nouns, numbers, strict=True)):
                yield nouns[0], numbers[0], nouns[1], numbers[1]  # type: ignore[misc]

    def _hiding(self, noun: Noun, role: str) -> Noun | None:
        """The noun, or its variant, if its singular looks the same as subject and as object."""
        articles, determiners = self.language.articles, self.language.determiners
        unmarked = determiners.get(articles["hidden_object"])
        case = (unmarked.case if unmarked else "") or "acc"
        if not noun.forms.get("Sing"):
            return None
        return noun.variant if self._shows(Argument("noun", "Sing", noun, articles[role]), case) else noun

    def pronoun(self, noun: Noun, number: Number, role: str, hidden: bool) -> Argument | None:
        """The personal pronoun for a noun as subject or object; None where no form does what is asked."""
        facts = frozenset([role, "hidden"] if hidden else [role])
        argument = Argument("pronoun", number, noun, facts=facts)
        return argument if self.has(argument) else None

    def object_case(self, clause: Clause) -> str:
        """The case that the verb asks for; of an unmarked object the one that it stands in."""
        paradigm = self.language.determiners.get(clause.object.article) if clause.object.kind == "noun" else None
        return (paradigm.case if paradigm else "") or clause.verb.case

    def tells(self, clause: Clause) -> bool:
        """Whether case (or agreement, if the language says so) tells which is which."""
        swapped = self._swapped(clause)
        return not swapped or ("agreement" in self.language.tells and not self._agree_alike(clause, swapped))

    def undecided(self, clause: Clause) -> bool:
        """Whether neither case nor agreement says which is which: each could be the other, with the same forms."""
        return self._agree_alike(clause, self._swapped(clause))

    def _swapped(self, clause: Clause) -> list[Argument]:
        """The objects that the same words could be as subjects, if those of the subject could be an object."""
        case, first = self.object_case(clause), self.language.cases[0]
        if not any(self._readings(clause.subject, first, case)):
            return []
        return list(self._readings(clause.object, case, first))

    def _readings(self, argument: Argument, case: str, other: str) -> Iterator[Argument]:
        """The argument in each number in which it has the same words in the `other` case: Žákyně is a plural object."""
        if argument.fixed is not None:
            if not self._shows(argument, case if other == self.language.cases[0] else other):
                yield argument
            return
        forms = [word.form for word in self.phrase(argument, case)]
        numbers: tuple[Number, ...] = ("Sing", "Plur") if argument.kind in ("noun", "pronoun") else (argument.number,)
        for number in numbers:
            read = replace(argument, number=number)
            there = read.noun.forms[number] if read.kind == "noun" and read.noun else read.name or self.has(read)
            if there and [word.form for word in self.phrase(read, other)] == forms:
                yield read

    def _agree_alike(self, clause: Clause, subjects: Iterable[Argument]) -> bool:
        """Whether the verb would have the same form with one of these as its subject."""
        forms = [word.form for word in self._verbs_of(clause, clause.subject)]
        return any([word.form for word in self._verbs_of(clause, subject)] == forms for subject in subjects)

    def _shows(self, argument: Argument, case: str) -> bool:
        """Whether the forms of subject and object differ: der and den, er and ihn, a weak masculine."""
        if argument.fixed is not None:
            return argument.fixed.shows or self._determiner_shows(argument.fixed, case)
        first, second = (self.phrase(argument, name) for name in (self.language.cases[0], case))
        return [word.form for word in first] != [word.form for word in second]

    def _determiner_shows(self, fixed: Fixed, case: str) -> bool:
        name = self.fixed_determiners.get(fixed.words[0][0]) if len(fixed.words) > 1 else None
        if name is None:
            return False
        row = self.language.determiners[name].forms.pick(_words_facts(fixed.gender, fixed.number))
        return bool(row) and row[0] != row[self._place(case)]  # type: ignore[index]

    # ---- layout

    def orders(self, clause: Clause, hidden: bool) -> tuple[str, ...]:
        """The orders in which the clause is grammatical."""
        facts = frozenset(self._clause_facts(clause, hidden))
        return tuple(name for name, order in self.language.orders.items() if order.allowed(facts))

    def _clause_facts(self, clause: Clause, hidden: bool) -> Iterable[str]:
        if hidden:
            yield "hidden"
        if clause.inverted:
            yield "inverted"
        if clause.auxiliary:
            yield "auxiliary"
        for role, argument, case in (
            ("subject", clause.subject, self.language.cases[0]),
            ("object", clause.object, clause.verb.case),
        ):
            yield f"{role}:{argument.kind}"
            yield f"{role}:{argument.article or 'bare'}"
            yield f"{role}:{'animate' if argument.noun and argument.noun.animate else 'inanimate'}"
            if argument.pronominal:
                yield f"{role}:{self.phrase(argument, case)[0].form}"

    def lay_out(self, clause: Clause, order: str, adverb: str, conjunction: str) -> list[Slot]:
        """The phrases of the clause in this order, without the final mark."""
        parts: dict[str, tuple[Phrase, str]] = {
            "S": (self.phrase(clause.subject, self.language.cases[0]), "nsubj"),
            "O": (self.phrase(clause.object, clause.verb.case), "obj"),
        }
        finite, *main = self.verbs(clause)
        parts["V"] = ((finite,), "aux" if main else "")
        if main:
            parts["N"] = (tuple(main), "")
        if clause.adjunct is not None:
            parts["A"] = (self.adjunct(clause.adjunct), "obl")
        if adverb:
            parts["ADV"] = ((self.uninflected(adverb, "adverb"),), "advmod")
        if conjunction:
            parts["C"] = ((self.uninflected(conjunction, "conjunction"),), "mark")
        kinds = {"S": clause.subject.kind, "O": clause.object.kind}
        rules = self.language.orders[order]
        places = list(rules.layout)
        for place in range(len(places) - 1):
            if places[place][1] == "A" and kinds.get(places[place + 1][1]) in rules.after:
                places[place : place + 2] = reversed(places[place : place + 2])
        return [Slot(*parts[name], field) for field, name in places if name in parts]

    def rows(self, slots: list[Slot], mark: str) -> list[str]:
        """CoNLL-U rows with heads, relations and fields; the last word before the mark has no space after it."""
        places = heads(slots)
        root = next(places[number] for number, slot in enumerate(slots) if not slot.label)
        lines: list[str] = []
        for number, slot in enumerate(slots):
            misc = f"Topo={slot.field}" if slot.field else "_"
            for word in slot.phrase:
                at = len(lines) + 1
                form = self.capitalised(word.form) if at == 1 else word.form
                if word.deprel:
                    arc = f"{at + word.up if word.up else places[number]}\t{word.deprel}"
                else:
                    arc = f"{root}\t{slot.label}" if slot.label else "0\troot"
                lines.append(f"{at}\t{form}\t{word.columns}\t{arc}\t_\t{misc}\n")
        row, _, misc = lines[-1].rpartition("\t")
        lines[-1] = f"{row}\tSpaceAfter=No" + ("\n" if misc == "_\n" else f"|{misc}")
        final = self.uninflected(mark, "mark")
        lines.append(f"{len(lines) + 1}\t{final.form}\t{final.columns}\t{root}\tpunct\t_\t_\n")
        return lines


@cache
def _words_facts(gender: str, number: str) -> frozenset[str]:
    return frozenset(fact for fact in (gender, number.lower()) if fact)


def _facts(argument: Argument) -> frozenset[str]:
    """What the row of a paradigm may depend on."""
    noun = argument.noun
    if noun is None:
        return _words_facts(argument.gender, argument.number)
    return _noun_facts(noun, argument.number)


@lru_cache(maxsize=10_000)
def _noun_facts(noun: Noun, number: Number) -> frozenset[str]:
    return _words_facts(noun.gender, number) | noun.facts | {"animate" if noun.animate else "inanimate"}
