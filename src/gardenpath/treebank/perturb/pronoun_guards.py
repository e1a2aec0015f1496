"""Where a pronoun cannot become another person although its predicate would agree: what else depends on it."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import TYPE_CHECKING

from .agreement import agrees

if TYPE_CHECKING:
    from ..node import Node

_BETWEEN = frozenset(
    "between among amongst zwischen mellan bland между среди меж між поміж серед посеред з-поміж з-посеред".split()
)
_OF = frozenset("of von av из изо з із зі".split())
_QUANTITIES = frozenset(
    "none some all most many few one each both either neither any several half rest majority couple lot part number "
    "несколько много мало сколько большинство часть кілька багато скільки більшість декілька".split()
)
_ALL = frozenset("all both each together alle beide alla båda все весь оба усі увесь всі обидва обоє разом".split())
_EACH_OTHER = frozenset({"einander", "varandra"})
_RECIPROCAL = ((("each", "one"), ("other", "another")), (("друг", "один"), ("друга", "другу", "другом", "одного")))
_NOMINATIVE_OBJECTS = frozenset("mich dich sich uns euch ihn".split())
_NOMINATIVES = frozenset("ich du er wir ihr man wer".split())
_ALONE = frozenset({"один", "сам"})
_SLAVIC = ("ru", "uk")


def stays(word: Node, old: Mapping[str, str], new: Mapping[str, str], form: str, language: str) -> bool:
    """Must this pronoun stay what it is, whatever its own predicate says?"""
    return (
        _is_paired(word)
        or (old.get("Number") == "Plur" and new.get("Number") != "Plur" and _is_many(word, language))
        or (language in _SLAVIC and _is_agreed_with(word, old, new, language))
        or (language == "de" and form.lower() == "sie" and _reads_otherwise(word))
        or (language == "sv" and _is_told_to(word))
        or (language == "en" and _is_bound(word))
        or (language == "ja" and _is_partner(word))
    )


def _siblings(word: Node) -> list[Node]:
    head = word.parent
    return [] if head is None or head.is_root() else [child for child in head.children if child != word]


def _is_paired(word: Node) -> bool:
    """`he or she`."""
    pairs = [child for child in word.children if child.udeprel == "conj"]
    pairs += [word.parent] if word.udeprel == "conj" and word.parent is not None else []
    return any(pair.upos == "PRON" and pair.feats.get("Person") == word.feats.get("Person") for pair in pairs)


def _is_many(word: Node, language: str) -> bool:
    """`between them`, `none of us`, `they all`, `each other`: no single person can stand there."""
    marks = {child.form.lower() for child in word.children if child.udeprel == "case"}
    if marks & _BETWEEN:
        return True
    head = word.parent
    if marks & _OF and _is_quantity(head):
        return True
    near = [node for node in (word.prev_node, word.next_node) if node is not None]
    around = [*near, *word.children, *_siblings(word)]
    if any(node.lemma.lower() in _ALL or node.form.lower() in _ALL | _EACH_OTHER for node in around):
        return True
    if language in _SLAVIC and any(node.upos == "NUM" or node.lemma.lower() in _QUANTITIES for node in near):
        return True
    if word.feats.get("Case") == "Gen" and word.udeprel in ("nsubj", "obj"):
        return True  # их было три
    if word.udeprel == "nsubj" and head is not None and any(child.udeprel == "nummod" for child in head.children):
        return True  # они как две сестры
    forms = [node.form.lower() for node in word.sentence.words]
    return any(this in first and then in second for first, second in _RECIPROCAL for this, then in pairwise(forms))


def _is_quantity(word: Node | None) -> bool:
    if word is None or word.is_root():
        return False
    return word.upos in ("NUM", "PRON", "DET", "ADJ", "ADV") or word.lemma.lower() in _QUANTITIES


def _is_agreed_with(word: Node, old: Mapping[str, str], new: Mapping[str, str], language: str) -> bool:
    """Does something beside it agree with it: `самому ему`, `видел ее слабой`, a verb that gold does not link to it?"""
    case = word.feats.get("Case", "")
    if case == "Nom" and word.udeprel not in ("nsubj", "root"):
        return True
    if word.udeprel == "xcomp" and old.get("Number") != new.get("Number"):
        return True
    head = word.parent
    noun = head if word.udeprel == "nsubj" and head is not None and head.upos == "NOUN" else None
    if noun is not None and noun.form == noun.lemma and noun.lemma.endswith(("ый", "ий", "ой")):
        return new.get("Gender") != "Masc"  # она русский
    near = [node for node in (word.prev_node, word.next_node) if node is not None]
    beside = [node for node in {*_siblings(word), *near} if node.feats.get("Case") in (case, "Ins")]
    beside = [node for node in beside if node.upos in ("ADJ", "DET") or node.feats.get("VerbForm") == "Part"]
    beside = [node for node in beside if node.parent is None or node.parent.upos not in ("NOUN", "PROPN")]
    beside += [node for node in near if node.lemma in _ALONE]
    beside += [node for node in word.sentence.words if _is_predicative(node)]
    return not all(agrees(node, old, new, language) for node in beside)


def _is_predicative(word: Node) -> bool:
    """`вийде з школи розумною`: an adjective that says what the subject becomes."""
    return (
        word.upos == "ADJ"
        and word.feats.get("Case") == "Ins"
        and word.parent is not None
        and word.parent.upos == "VERB"
    )


def _reads_otherwise(word: Node) -> bool:
    """`sie` has one form as subject and object: could the reader take the one for the other?"""
    head = word.parent
    if head is None or head.is_root():
        return False
    verbs = [head, *(child for child in head.children if child.udeprel in ("aux", "cop"))]
    several = any(verb.feats.get("Number") == "Plur" for verb in verbs)
    if word.udeprel == "obj":
        subject = next((child for child in head.children if child.udeprel == "nsubj"), None)
        if subject is None:
            return False
        clear = subject.form.lower() in _NOMINATIVES or subject.feats.get("Gender") == "Masc"
        unsure = several or subject.upos == "PRON" or subject.ord > word.ord
        return unsure and not (clear and not several) and subject.form.lower() not in _NOMINATIVES
    if word.udeprel == "nsubj":
        thing = next((child for child in head.children if child.udeprel == "obj" and child.ord < word.ord), None)
        if thing is None or thing.form.lower() in _NOMINATIVE_OBJECTS:
            return False
        return thing.feats.get("Number") != "Plur" and thing.feats.get("Gender") != "Masc"
    return False


def _is_partner(word: Node) -> bool:
    """`私の彼女`, `彼がいる`: a girlfriend or a boyfriend."""
    owned = any(child.udeprel in ("nmod", "acl", "det") for child in word.children)
    head = word.parent
    return owned or (head is not None and head.lemma in ("いる", "できる", "出来る", "ほしい", "欲しい"))


def _is_told_to(word: Node) -> bool:
    """`rör på dig`: the object of an imperative is often the one who is told to."""
    head = word.parent
    return word.feats.get("Case") == "Acc" and head is not None and head.feats.get("Mood") == "Imp"


def _is_bound(word: Node) -> bool:
    """`those who have lost their way`: the possessive is that of the relative pronoun."""
    if word.feats.get("Poss") != "Yes":
        return False
    node = word.parent
    while node is not None and not node.is_root():
        if any(child.udeprel == "nsubj" for child in node.children):
            return any(child.udeprel == "nsubj" and child.feats.get("PronType") == "Rel" for child in node.children)
        node = node.parent
    return False
