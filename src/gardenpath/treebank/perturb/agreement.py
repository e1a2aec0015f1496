"""What a word asks of its neighbours: articles and prepositions by sound, nouns by number, predicates by subject."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..format.sentence import Node, Sentence

# ---- the word before: a/an, в/во, с/со, о/об, у/в

_CONSONANT = "бвгґджзйклмнпрстфхцчшщ"
_ENGLISH_EXCEPTIONS = re.compile(r"(?:eu|ew|one|once|u(?:[kt]|n[i]|s[aeiu]|r[aou]))|(hour|heir|hono|hones)")


def sound(language: str, before: str, form: str) -> str:
    """The class of sounds of `form` that decides the shape of the word before it; the same class may replace it."""
    before, form = before.lower(), form.lower()
    if language == "en" and before in ("a", "an"):
        if form[0].isdigit():
            digits = re.match(r"[\d,]+", form)
            number = digits[0].replace(",", "") if digits else form
            first = number[: len(number) % 3 or 3] if len(number) != 4 else number[:2]
            return "vowel" if number[0] == "8" or first in ("11", "18") else "consonant"
        if exception := _ENGLISH_EXCEPTIONS.match(form):
            return "vowel" if exception[1] else "consonant"
        return "vowel" if form[0] in "aeiouáéíóúäëïöü" else "consonant"
    if language == "ru" and before in _RUSSIAN:
        return next((name for name, pattern in _RUSSIAN[before].items() if re.match(pattern, form)), "")
    return ""


_VO = {"во": rf"[вф][{_CONSONANT}ь]|льв|2\b|2-"}
_SO = {"со": rf"[сзшжщ][{_CONSONANT}]|льв|2\b|2-"}
_OB = {"об": r"[аоуэи]|11\b|1\b|1-"}
_RUSSIAN = {"в": _VO, "во": _VO, "с": _SO, "со": _SO, "о": _OB, "об": _OB}
_VOWEL, _CLUSTER, _HISS = "[аеєиіїоуюя]", rf"[вф]|льв|[сзтхдцшж]в|[{_CONSONANT}]{{3}}", "[зсцчшщж]"
_UKRAINIAN = {"у": _VOWEL, "в": _CLUSTER, "з": _HISS, "й": _VOWEL, "зі": rf"(?!льв|[зсцчшщж][{_CONSONANT}]|мн)"}
"""What does not sound well after these words: у Одесі, в Львові, з Сергієм, й Іван, зі Києва."""


def fits_before(word: Node, new: str, language: str) -> bool:
    """Can `new` stand after the word that stands before `word`?"""
    before = word.prev_node
    if before is None or before.is_root():
        return True
    if language == "uk":
        bad = _UKRAINIAN.get(before.form.lower())
        return bad is None or not re.match(bad, new.lower()) or bool(re.match(bad, word.form.lower()))
    return sound(language, before.form, word.form) == sound(language, before.form, new)


# ---- numbers and counted nouns


def is_number(word: Node | None) -> bool:
    return word is not None and (word.upos == "NUM" or word.form[:1].isdigit())


def plural_class(language: str, number: int) -> str:
    """The grammatical number that a counted noun has after this number."""
    if language in ("ja", "zh"):
        return "any"
    if language not in ("ru", "uk"):
        return "one" if number == 1 else "many"
    last, two = number % 10, number % 100
    if last == 1 and two != 11:
        return "one"
    return "few" if last in (2, 3, 4) and two not in (12, 13, 14) else "many"


# ---- subjects and predicates

_MODALS = frozenset("can could will would shall should may might must".split())


def agreeing(sentence: Sentence, subject: Node, language: str) -> list[Node]:
    """The words that agree with this word as their subject, or modify it."""
    agreeing_words = list(subject.children)
    if subject.udeprel != "nsubj" or subject.parent is None or subject.parent.is_root():
        return agreeing_words
    waiting = [subject.parent]
    while waiting:
        head = waiting.pop()
        agreeing_words.append(head)
        agreeing_words += [child for child in head.children if child.udeprel in ("aux", "cop", "xcomp")]
        waiting += [child for child in head.children if child.udeprel == "conj" and not _has_subject(child)]
    if language in ("ru", "uk"):  # predicates with a dropped subject may mean this one
        agreeing_words += [word for word in sentence.words if _is_predicate(word) and not _has_subject(word)]
    return agreeing_words


def _has_subject(word: Node) -> bool:
    return any(child.udeprel in ("nsubj", "csubj") for child in word.children)


def _is_predicate(word: Node) -> bool:
    if word.upos in ("VERB", "AUX"):
        return word.udeprel not in ("amod", "acl") or word.feats.get("VerbForm") == "Fin"
    nominative = word.feats.get("Case") == "Nom" or word.feats.get("Variant") == "Short"
    return word.upos in ("ADJ", "DET", "PRON") and nominative and word.udeprel not in ("amod", "det", "nsubj", "nmod")


def agrees(word: Node, old: Mapping[str, str], new: Mapping[str, str], language: str) -> bool:
    """Does this word, which agrees with a subject of the old features, also agree with one of the new features?"""
    feats = word.feats
    checked = ("Number",) if word.upos in ("NOUN", "PROPN") else ("Person", "Number", "Gender")
    if word.upos not in ("NOUN", "PROPN", "VERB", "AUX", "ADJ", "DET", "PRON", "NUM"):
        return True
    for name in checked:
        if name in feats and name in old and old.get(name) != new.get(name):
            wanted = new.get(name)
            if wanted is None and name == "Gender":
                continue  # a subject without gender leaves it to the number
            if wanted not in feats[name].split(","):
                return False
    moved = any(old.get(name) != new.get(name) for name in ("Person", "Number"))
    finite = feats.get("VerbForm") == "Fin" or (word.upos in ("VERB", "AUX") and "VerbForm" not in feats)
    if moved and finite and word.upos in ("VERB", "AUX") and not {"Person", "Number"} & feats.keys():
        # Features do not tell: only where the language or the word itself never agrees.
        return language in ("sv", "zh") or (language == "en" and (word.lemma in _MODALS or _bare_past(word)))
    return True


def _bare_past(word: Node) -> bool:
    return word.feats.get("Tense") == "Past" and word.lemma != "be"
