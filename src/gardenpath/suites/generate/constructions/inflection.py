"""German word forms with tags and UD features: articles, nouns, adjectives, pronouns and verbs of the third person."""

from __future__ import annotations

from functools import lru_cache

from ..entries import Noun, Number
from .clause import Word

Columns = tuple[str, str, str, str, str]
"""Form, lemma, UPOS, XPOS, FEATS: what a word is made from."""
_CASES = {"nom": 0, "acc": 1, "dat": 2, "gen": 3}
_ARTICLES = {
    "def": {"masc": "der den dem des", "fem": "die die der der", "neut": "das das dem des", "Plur": "die die den der"},
    "indef": {"masc": "ein einen einem eines", "fem": "eine eine einer einer", "neut": "ein ein einem eines"},
    "dem": {"masc": "dieser diesen diesem dieses", "fem": "diese diese dieser dieser",
            "neut": "dieses dieses diesem dieses", "Plur": "diese diese diesen dieser"},
    "neg": {"masc": "kein keinen keinem keines", "fem": "keine keine keiner keiner",
            "neut": "kein kein keinem keines", "Plur": "keine keine keinen keiner"},
    "rel": {"masc": "der den dem dessen", "fem": "die die der deren", "neut": "das das dem dessen",
            "Plur": "die die denen deren"},
}  # fmt: skip
_ENDINGS = {
    "weak": {"masc": "e en en en", "fem": "e e en en", "neut": "e e en en", "Plur": "en en en en"},
    "mixed": {"masc": "er en en en", "fem": "e e en en", "neut": "es es en en", "Plur": "en en en en"},
    "strong": {"masc": "er en em en", "fem": "e e er er", "neut": "es es em en", "Plur": "e e en er"},
}
_POSSESSIVE = {"masc": "X Xen Xem Xes", "fem": "Xe Xe Xer Xer", "neut": "X X Xem Xes", "Plur": "Xe Xe Xen Xer"}
_PRONOUNS = {"masc": "er ihn ihm", "fem": "sie sie ihr", "neut": "es es ihm", "Plur": "sie sie ihnen"}
_DETERMINERS = {"def": ("der", "ART"), "indef": ("ein", "ART"), "dem": ("dieser", "PDAT"),
                "neg": ("kein", "PIAT"), "rel": ("der", "PRELS")}  # fmt: skip
_MERGED = {"an dem": "am", "in dem": "im", "von dem": "vom", "zu dem": "zum", "zu der": "zur", "bei dem": "beim",
           "in das": "ins", "an das": "ans"}  # fmt: skip
_LONG_GENITIVE = ("s", "ß", "x", "z", "sch")


def _marks(case: str, gender: str, number: str) -> tuple[str, str, str]:
    shown = "" if number == "Plur" else f"Gender={gender.capitalize()}"
    return f"Case={case.capitalize()}", shown, f"Number={number}"


def _feats(*parts: str) -> str:
    return "|".join(part for part in parts if part)


def row(noun: Noun, number: Number) -> str:
    return noun.gender if number == "Sing" else "Plur"


@lru_cache(maxsize=50_000)
def _noun(noun: Noun, case: str, number: Number, proper: bool) -> Columns:
    if number == "Plur":
        form = noun.plural + "n" if case == "dat" and noun.plural[-1] not in "ns" else noun.plural
    elif case == "gen" and not noun.oblique and noun.gender != "fem" and not proper:
        form = noun.lemma + _genitive(noun.lemma)
    else:
        form = noun.lemma if case == "nom" else noun.oblique or noun.lemma
    feats = f"Case={case.capitalize()}|Gender={noun.gender.capitalize()}|Number={number}"
    return form, noun.lemma, "PROPN" if proper else "NOUN", "NE" if proper else "NN", feats


def _genitive(lemma: str) -> str:
    vowels = sum(char in "aeiouäöüy" and lemma[at - 1 : at].lower() not in "aeiouäöüy" for at, char in
                 enumerate(lemma.lower()) if at)  # fmt: skip
    if lemma.endswith(_LONG_GENITIVE):
        return "es"
    short = vowels <= 1 and lemma[0] not in "AEIOUÄÖÜ" and lemma[-1] not in "flr" and not lemma.endswith("ch")
    return "es" if short else "s"


def noun_word(noun: Noun, case: str, number: Number, *, proper: bool = False) -> Word:
    return Word(*_noun(noun, case, number, proper))


@lru_cache(maxsize=10_000)
def _article(kind: str, case: str, gender: str, number: Number) -> Columns:
    form = _ARTICLES[kind][gender if number == "Sing" else "Plur"].split()[_CASES[case]]
    lemma, xpos = _DETERMINERS[kind]
    case_mark, gender_mark, number_mark = _marks(case, gender, number)
    if kind == "rel":
        return form, lemma, "PRON", xpos, _feats(case_mark, gender_mark, number_mark, "PronType=Rel")
    if kind in ("dem", "neg"):
        which = "PronType=Dem" if kind == "dem" else "PronType=Neg"
        return form, lemma, "DET", xpos, _feats(case_mark, gender_mark, number_mark, which)
    definite = "Definite=Def" if kind == "def" else "Definite=Ind"
    numeral = "NumType=Card" if kind == "indef" else ""
    return form, lemma, "DET", xpos, _feats(case_mark, definite, gender_mark, number_mark, numeral, "PronType=Art")


def article(kind: str, case: str, gender: str, number: Number) -> Word:
    """The article, demonstrative (`dem`) or relative pronoun (`rel`)."""
    return Word(*_article(kind, case, gender, number))


@lru_cache(maxsize=2_000)
def _possessive(stem: str, case: str, gender: str, number: Number) -> Columns:
    table = _POSSESSIVE[gender if number == "Sing" else "Plur"]
    form = table.split()[_CASES[case]].replace("X", stem)
    return form, stem, "DET", "PPOSAT", _feats(*_marks(case, gender, number), "Poss=Yes", "PronType=Prs")


def possessive(owner: str, case: str, gender: str, number: Number) -> Word:
    """sein or ihr, by the row (masc, fem, neut, Plur) of the owner."""
    return Word(*_possessive("sein" if owner in ("masc", "neut") else "ihr", case, gender, number))


@lru_cache(maxsize=50_000)
def _attributive(adjective: str, declension: str, case: str, gender: str, number: Number) -> Columns:
    stem, _, plain = adjective.partition(":")
    ending = _ENDINGS[declension][gender if number == "Sing" else "Plur"].split()[_CASES[case]]
    case_mark, gender_mark, number_mark = _marks(case, gender, number)
    return stem + ending, plain or stem, "ADJ", "ADJA", _feats(case_mark, "Degree=Pos", gender_mark, number_mark)


def attributive(adjective: str, declension: str, case: str, gender: str, number: Number) -> Word:
    return Word(*_attributive(adjective, declension, case, gender, number))


def predicative(adjective: str) -> Word:
    stem, _, plain = adjective.partition(":")
    return Word(plain or stem, plain or stem, "ADJ", "ADJD", "Degree=Pos")


def pronoun(gender_row: str, case: str, number: Number) -> Word:
    form = _PRONOUNS[gender_row].split()[_CASES[case]]
    marks = _marks(case, gender_row, number)
    lemma = _PRONOUNS[gender_row].split()[0]
    return Word(form, lemma, "PRON", "PPER", _feats(*marks, "Person=3", "PronType=Prs"))


def preposition(form: str, determiner: Word | None) -> tuple[Word, Word | None]:
    """The preposition and what is left of the article: an and dem are am."""
    if determiner is not None and determiner.xpos == "ART":
        merged = _MERGED.get(f"{form} {determiner.form}")
        if merged is not None:
            return Word(merged, form, "ADP", "APPRART", determiner.feats), None
    return Word(form, form, "ADP", "APPR"), determiner


def adverb(form: str) -> Word:
    return Word(form, form, "ADV", "ADV")


def conjunction(form: str) -> Word:
    return Word(form, form, "CCONJ", "KON")


def subordinator(form: str) -> Word:
    return Word(form, form, "SCONJ", "KOUS")


_AUXILIARIES = {
    "haben": ("hat", "haben", "hatte", "hatten"),
    "sein": ("ist", "sind", "war", "waren"),
    "werden": ("wird", "werden", "wurde", "wurden"),
    "können": ("kann", "können", "konnte", "konnten"),
    "müssen": ("muss", "müssen", "musste", "mussten"),
    "wollen": ("will", "wollen", "wollte", "wollten"),
    "sollen": ("soll", "sollen", "sollte", "sollten"),
}
MODALS = ("können", "müssen", "wollen", "sollen")


def finite_feats(number: str, past: bool) -> str:
    return f"Mood=Ind|Number={number}|Person=3|Tense={'Past' if past else 'Pres'}|VerbForm=Fin"


def auxiliary(lemma: str, number: Number, past: bool, relation: str = "aux") -> Word:
    form = _AUXILIARIES[lemma][2 * past + (number == "Plur")]
    tag = "VMFIN" if lemma in MODALS else "VAFIN"
    return Word(form, lemma, "AUX", tag, finite_feats(number, past), relation)
