"""German: case on articles and pronouns, weak masculines, agreement, and the middle field."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache

from .entries import Adjunct, Fixed, Noun, Number
from .grammar import (
    OBJECT_FIRST,
    OBJECT_IN_FRONT,
    SUBJECT_FIRST,
    Argument,
    Clause,
    Phrase,
    SentenceGrammar,
    Token,
)

_CASES = {"nom": 0, "acc": 1, "dat": 2}
_ARTICLES = {
    "def": {"masc": "der den dem", "fem": "die die der", "neut": "das das dem", "Plur": "die die den"},
    "indef": {"masc": "ein einen einem", "fem": "eine eine einer", "neut": "ein ein einem"},
    "neg": {"masc": "kein keinen keinem", "fem": "keine keine keiner", "neut": "kein kein keinem",
            "Plur": "keine keine keinen"},
}  # fmt: skip
_PRONOUNS = {"masc": "er ihn ihm", "fem": "sie sie ihr", "neut": "es es ihm", "Plur": "sie sie ihnen"}
_NEGATIVE = {"masc": "keiner keinen keinem", "fem": "keine keine keiner", "neut": "keines keines keinem",
             "Plur": "keine keine keinen"}  # fmt: skip
_AUXILIARIES = {
    ("werden", "Sing"): "wird", ("werden", "Plur"): "werden", ("haben", "Sing"): "hat", ("haben", "Plur"): "haben",
    ("sein", "Sing"): "ist", ("sein", "Plur"): "sind",
}  # fmt: skip
_TAGS = {
    "finite": "VVFIN", "auxiliary": "VAFIN", "infinitive": "VVINF", "participle": "VVPP", "ADV": "ADV",
    "SCONJ": "KOUS", "PUNCT": "$.",
}  # fmt: skip
_DETERMINERS = {
    **dict.fromkeys(("der", "die", "das", "den", "dem"), ("der", "ART", "Definite=Def", "PronType=Art")),
    **dict.fromkeys("ein eine einen einem einer".split(), ("ein", "ART", "Definite=Ind", "NumType=Card|PronType=Art")),
    **dict.fromkeys(("kein", "keine", "keinen", "keinem", "keiner"), ("kein", "PIAT", "", "PronType=Neg")),
    **dict.fromkeys(("jeder", "jede", "jedes", "jeden", "jedem"), ("jeder", "PIAT", "", "PronType=Tot")),
}
"""Lemma, XPOS and the features around case, gender and number of the determiners in idioms."""


def _feats(*parts: str) -> str:
    return "|".join(part for part in parts if part) or "_"


def _of(case: str, gender: str, number: str) -> tuple[str, str, str]:
    return f"Case={case.capitalize()}", f"Gender={gender.capitalize()}" if gender else "", f"Number={number}"


class German(SentenceGrammar):
    language = "de"
    dative = True
    verb_cluster = "main-first"
    future = "werden"
    auxiliaries = _AUXILIARIES
    tags = _TAGS
    agreement = "Mood=Ind|Number={}|Person=3|Tense={}|VerbForm=Fin"

    # ---- words

    @lru_cache(maxsize=100_000)  # noqa: B019 (one grammar lives as long as the process)
    def phrase(self, argument: Argument, case: str) -> Phrase:
        if argument.fixed is not None:
            return _fixed(argument.fixed, case)
        if argument.name is not None:
            feats = _feats(*_of(case, argument.name.gender, "Sing"))
            return (Token(argument.name.lemma, f"{argument.name.lemma}\tPROPN\tNE\t{feats}"),)
        if argument.kind in ("nothing", "nobody"):
            return (_empty(argument.kind, case),)
        assert argument.noun is not None
        gender, number = argument.noun.gender, argument.number
        row = gender if number == "Sing" else "Plur"
        if argument.kind in ("pronoun", "negative"):
            table = _PRONOUNS if argument.kind == "pronoun" else _NEGATIVE
            form, lemma = table[row].split()[_CASES[case]], _PRONOUNS[row].split()[0]
            marks = _of(case, "" if number == "Plur" else gender, number)
            if argument.kind == "negative":
                return (Token(form, f"kein\tPRON\tPIS\t{_feats(*marks, 'PronType=Neg')}"),)
            return (Token(form, f"{lemma}\tPRON\tPPER\t{_feats(*marks, 'Person=3', 'PronType=Prs')}"),)
        noun = Token(
            _noun_form(argument.noun, number, case),
            f"{argument.noun.lemma}\tNOUN\tNN\t{_feats(*_of(case, gender, number))}",
        )
        article = argument.article
        if article == "none" or (article == "indef" and number == "Plur"):
            return (noun,)
        return _determiner(_ARTICLES[article][row].split()[_CASES[case]], case, gender, number), noun

    @cache  # noqa: B019
    def adjunct(self, adjunct: Adjunct) -> Phrase:
        feats = _feats(*_of("dat", adjunct.gender, "Sing"))
        return (
            Token(adjunct.preposition, f"{adjunct.preposition}\tADP\tAPPR\t_", "case"),
            Token(adjunct.determiner, f"dieser\tDET\tPDAT\t{feats}|PronType=Dem", "det"),
            Token(adjunct.noun, f"{adjunct.noun}\tNOUN\tNN\t{feats}"),
        )

    # ---- what tells subject from object

    def numbers(
        self, subject: Noun, object: Noun, ambiguous: bool, plural: bool
    ) -> Iterator[tuple[Noun, Number, Noun, Number]]:
        if not ambiguous:
            if plural and subject.plural:
                yield subject, "Plur", object, "Sing"
            yield subject, "Sing", object, "Sing"
            return
        hidden = _hidden(subject), _hidden(object)
        singular = [(hidden[0], "Sing", hidden[1], "Sing")] if hidden[0] and hidden[1] else []
        plurals = [(subject, "Plur", object, "Plur")] if subject.plural and object.plural else []
        yield from (*plurals, *singular) if plural else (*singular, *plurals)  # type: ignore[misc]

    def pronoun(self, noun: Noun, number: Number, role: str, ambiguous: bool) -> Argument | None:
        return Argument("pronoun", number, noun)

    def tells(self, clause: Clause) -> bool:
        return clause.verb.case == "dat" or self._shows_case(clause.subject) or self._shows_case(clause.object)

    def _shows_case(self, one: Argument) -> bool:
        """Whether nominative and accusative differ: der and den, er and ihn, a weak masculine."""
        if one.fixed is not None:
            return one.fixed.gender == "masc" and one.fixed.number == "Sing" and len(one.fixed.words) > 1
        return [word.form for word in self.phrase(one, "nom")] != [word.form for word in self.phrase(one, "acc")]

    def orders(self, clause: Clause, ambiguous: bool) -> tuple[str, ...]:
        subject, object = clause.subject, clause.object
        light = object.pronominal and object.noun is not None and self.phrase(object, clause.verb.case)[0].form == "es"
        if ambiguous and object.pronominal and not (clause.inverted and not subject.pronominal):
            return SUBJECT_FIRST  # nobody reads the first of two such phrases as the object
        orders = SUBJECT_FIRST if light else (SUBJECT_FIRST[0], OBJECT_IN_FRONT, *SUBJECT_FIRST[1:])
        if not subject.pronominal and (object.pronominal or clause.inverted):
            return (*orders, *OBJECT_FIRST)
        return orders


def _hidden(noun: Noun) -> Noun | None:
    """The noun, or the word for a woman, if its singular has the same form in nominative and accusative."""
    if noun.gender != "masc":
        return noun
    return _woman(noun) if noun.feminine else None


@cache
def _woman(noun: Noun) -> Noun:
    return Noun(noun.feminine, "fem", noun.feminine + "nen", noun.classes)


def _noun_form(noun: Noun, number: Number, case: str) -> str:
    if number == "Sing":
        return noun.oblique or noun.lemma if case != "nom" else noun.lemma
    return noun.plural + "n" if case == "dat" and noun.plural[-1] not in "ns" else noun.plural


def _determiner(form: str, case: str, gender: str, number: str) -> Token:
    lemma, xpos, before, after = _DETERMINERS[form]
    case_mark, gender_mark, number_mark = _of(case, "" if number == "Plur" else gender, number)
    feats = _feats(case_mark, before, gender_mark, number_mark, after)
    return Token(form, f"{lemma}\tDET\t{xpos}\t{feats}", "det")


def _empty(kind: str, case: str) -> Token:
    form = {"acc": "niemanden", "dat": "niemandem"}.get(case, "niemand") if kind == "nobody" else "nichts"
    lemma, gender = ("niemand", "masc") if kind == "nobody" else ("nichts", "neut")
    return Token(form, f"{lemma}\tPRON\tPIS\t{_feats(*_of(case, gender, 'Sing'), 'PronType=Neg')}")


def _fixed(fixed: Fixed, case: str) -> Phrase:
    """The words as they stand, with tags: an idiom has one form only."""
    *before, (form, lemma) = fixed.words
    marks = _of(case, fixed.gender, fixed.number)
    words = []
    for number, (word, base) in enumerate(before):
        if word in _DETERMINERS and number == 0:
            words.append(_determiner(word, case, fixed.gender, fixed.number))
        else:
            case_mark, gender_mark, number_mark = marks
            feats = _feats(case_mark, "Degree=Pos", gender_mark, number_mark)
            words.append(Token(word, f"{base}\tADJ\tADJA\t{feats}", "amod"))
    return (*words, Token(form, f"{lemma}\tNOUN\tNN\t{_feats(*marks)}"))
