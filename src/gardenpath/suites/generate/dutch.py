"""Dutch: no case on nouns; agreement in number and the forms of pronouns tell subject from object."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache

from .entries import Adjunct, Fixed, Noun, Number
from .grammar import OBJECT_IN_FRONT, SUBJECT_FIRST, Argument, Clause, Phrase, SentenceGrammar, Token

_AUXILIARIES = {
    ("zullen", "Sing"): "zal", ("zullen", "Plur"): "zullen", ("hebben", "Sing"): "heeft", ("hebben", "Plur"): "hebben",
    ("zijn", "Sing"): "is", ("zijn", "Plur"): "zijn",
}  # fmt: skip
_DETERMINERS = {
    "de": "de\tDET\t_\tDefinite=Def", "het": "het\tDET\t_\tDefinite=Def", "een": "een\tDET\t_\tDefinite=Ind",
    "geen": "geen\tDET\t_\tPronType=Ind", "veel": "veel\tDET\t_\tPronType=Ind", "vele": "veel\tDET\t_\tPronType=Ind",
}  # fmt: skip
_EMPTY = {"nothing": "niets", "nobody": "niemand"}


class Dutch(SentenceGrammar):
    language = "nl"
    dative = False
    verb_cluster = "auxiliary-first"
    future = "zullen"
    auxiliaries = _AUXILIARIES
    agreement = "Number={}|Tense={}|VerbForm=Fin"

    # ---- words

    @lru_cache(maxsize=100_000)  # noqa: B019 (one grammar lives as long as the process)
    def phrase(self, argument: Argument, case: str) -> Phrase:
        if argument.fixed is not None:
            return _fixed(argument.fixed)
        if argument.name is not None:
            return (Token(argument.name.lemma, f"{argument.name.lemma}\tPROPN\t_\tNumber=Sing"),)
        if argument.kind in _EMPTY:
            form = _EMPTY[argument.kind]
            return (Token(form, f"{form}\tPRON\t_\tPronType=Ind"),)
        noun, number = argument.noun, argument.number
        assert noun is not None
        if argument.kind == "pronoun":
            return (_pronoun(noun, number, case, weak=argument.article == "none"),)
        feats = f"Gender={noun.gender.capitalize()}|Number=Sing" if number == "Sing" else "Number=Plur"
        word = Token(noun.lemma if number == "Sing" else noun.plural, f"{noun.lemma}\tNOUN\t_\t{feats}")
        if argument.article == "none" or (argument.article == "indef" and number == "Plur"):
            return (word,)
        definite = "het" if noun.gender == "neut" and number == "Sing" else "de"
        form = {"def": definite, "indef": "een", "neg": "geen"}[argument.article]
        return Token(form, _DETERMINERS[form], "det"), word

    @cache  # noqa: B019
    def adjunct(self, adjunct: Adjunct) -> Phrase:
        gender = adjunct.gender.capitalize()
        return (
            Token(adjunct.preposition, f"{adjunct.preposition}\tADP\t_\t_", "case"),
            Token(adjunct.determiner, f"{adjunct.determiner}\tDET\t_\tPronType=Dem", "det"),
            Token(adjunct.noun, f"{adjunct.noun}\tNOUN\t_\tGender={gender}|Number=Sing"),
        )

    # ---- what tells subject from object

    def numbers(
        self, subject: Noun, object: Noun, ambiguous: bool, plural: bool
    ) -> Iterator[tuple[Noun, Number, Noun, Number]]:
        of_subject: Number = "Plur" if plural else "Sing"
        of_object: Number = of_subject if ambiguous else "Sing" if plural else "Plur"
        if (subject.plural or of_subject == "Sing") and (object.plural or of_object == "Sing"):
            yield subject, of_subject, object, of_object
        if (
            not plural and subject.plural
        ):  # a noun without plural is the object of a plural, or not told from a singular
            yield from self.numbers(subject, object, ambiguous, True)

    def pronoun(self, noun: Noun, number: Number, role: str, ambiguous: bool) -> Argument | None:
        """Where nothing may tell, the weak form ze: of plurals, and of women as subjects; or het."""
        if not ambiguous or (noun.gender == "neut" and not noun.animate):
            return Argument("pronoun", number, noun)
        if number == "Plur" or (role == "subject" and noun.animate):
            return Argument("pronoun", number, noun, article="none")
        return None

    def tells(self, clause: Clause) -> bool:
        return clause.subject.number != clause.object.number or any(
            self.phrase(one, "nom")[0].form != self.phrase(one, "acc")[0].form
            for one in (clause.subject, clause.object)
            if one.pronominal
        )

    def orders(self, clause: Clause, ambiguous: bool) -> tuple[str, ...]:
        weak = clause.object.pronominal and self.phrase(clause.object, "acc")[0].form in ("het", "ze")
        things = clause.object.pronominal and clause.object.noun is not None and not clause.object.noun.animate
        if weak or things:  # an unstressed pronoun cannot come first
            return SUBJECT_FIRST
        return (SUBJECT_FIRST[0], OBJECT_IN_FRONT, *SUBJECT_FIRST[1:])

    def adjunct_place(self, inner: list[Argument], order: str) -> int:
        """In Dutch the subject does not let it pass either."""
        return len(inner) if order == OBJECT_IN_FRONT else super().adjunct_place(inner, order)


def _pronoun(noun: Noun, number: Number, case: str, *, weak: bool) -> Token:
    """Strong forms show case; ze and het do not."""
    nominative = case == "nom"
    if weak or (number == "Plur" and not noun.animate):
        form = "ze"
    elif number == "Plur":
        form = "zij" if nominative else "hen"
    elif noun.gender == "neut" and not noun.animate:
        form = "het"
    elif noun.sex == "fem":
        form = "zij" if nominative else "haar"
    else:
        form = "hij" if nominative else "hem"
    case_mark = "" if form in ("het", "ze") else f"Case={'Nom' if nominative else 'Acc'}|"
    return Token(form, f"{form}\tPRON\t_\t{case_mark}Person=3|PronType=Prs")


def _fixed(fixed: Fixed) -> Phrase:
    *before, (form, lemma) = fixed.words
    words = [
        Token(word, _DETERMINERS[word], "det")
        if number == 0 and word in _DETERMINERS
        else Token(word, f"{base}\tADJ\t_\tDegree=Pos", "amod")
        for number, (word, base) in enumerate(before)
    ]
    gender = f"Gender={fixed.gender.capitalize()}|" if fixed.gender and fixed.number == "Sing" else ""
    return (*words, Token(form, f"{lemma}\tNOUN\t_\t{gender}Number={fixed.number}"))
