"""Where a synonym would not do although the list has one: fixed company, degrees, other senses of the word."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..node import Node

_NOMINAL = ("nsubj", "obj", "obl", "nmod", "iobj", "appos", "vocative")
_ENGLISH_COMPANY = frozenset("morning evening afternoon night day luck deal faith will food friday grief".split())
"""Nouns after which an adjective of the list is part of a fixed expression: good luck, fast food."""
_BY_CHANCE = frozenset("in by along on upon".split())
"""We happened in on a whim: nothing occurs there."""
_NOT_NEARLY = frozenset("no any never nothing none nobody".split())
_GERMAN_DEGREES = frozenset("so zu wie ebenso genauso".split())
_SLAVIC_BEFORE = frozenset(
    "не ни ні как так очень слишком столь более менее самое а если як так дуже занадто надто більш менш якщо".split()
)
_PARTICLES = frozenset("же ж бы б".split())
_GRADED = frozenset({"очень", "дуже"})
"""Groups that go with adjectives and adverbs only, although `very` alone goes with verbs too."""


def stays(word: Node, group: str, language: str) -> bool:
    """Is this word, which is in a group of synonyms, better left alone where it stands?"""
    guard = _GUARDS.get(language)
    return guard is not None and guard(word, group)


def _form(word: Node | None) -> str:
    return "" if word is None or word.is_root() else word.form.lower()


def _english(word: Node, group: str) -> bool:
    if word.upos == "NOUN":  # film and company are things that one has, too: take 35mm film, keep company
        owned = any(child.udeprel == "det" or child.deprel == "nmod:poss" for child in word.children)
        return word.feats.get("Number") == "Sing" and word.udeprel != "compound" and not owned
    if word.upos == "ADJ":
        graded = any(child.udeprel == "advmod" for child in word.children)
        head = word.parent
        fixed = head is not None and not head.is_root() and head.lemma.lower() in _ENGLISH_COMPANY
        return graded or word.udeprel in _NOMINAL or fixed or _form(word.prev_node) == "at"  # at large
    if word.upos == "VERB":
        needs = {child.udeprel for child in word.children}
        moved = any(child.form.lower() in _BY_CHANCE for child in word.children)
        return (word.lemma == "start" and "obj" in needs) or (group == "happen" and ("xcomp" in needs or moved))
    after = word.next_node
    if group == "however":
        return after is not None and after.upos in ("ADJ", "ADV")  # however hard
    return group == "almost" and _form(after) in _NOT_NEARLY


def _german(word: Node, group: str) -> bool:
    if group == "verschieden":
        return word.udeprel != "amod"
    if group in ("wichtig", "schnell"):
        return False
    if group == "sehr" and (_form(word.prev_node) in _GERMAN_DEGREES or not _grades(word)):
        return True
    if group == "nur" and word.sentence.words[-1].form == "?":
        return True  # Wie kann man nur
    return word.udeprel != "advmod"


def _grades(word: Node) -> bool:
    """Does it belong to an adjective or adverb?"""
    head = word.parent
    return head is not None and (head.upos in ("ADJ", "ADV", "DET") or head.feats.get("VerbForm") == "Part")


def _swedish(word: Node, group: str) -> bool:
    if _form(word.prev_node) in ("så", "hur", "lika", "alltför"):
        return True
    if group == "helt":
        return _form(word.next_node) == "enkelt"
    return group == "därför" and word.udeprel != "advmod"  # det är därför som


def _slavic(word: Node, group: str) -> bool:
    if _form(word.prev_node) in _SLAVIC_BEFORE or _form(word.next_node) in _PARTICLES:
        return True
    return any(child.udeprel == "advmod" for child in word.children) or (group in _GRADED and not _grades(word))


def _chinese(word: Node, group: str) -> bool:
    before, after = _form(word.prev_node), _form(word.next_node)
    if group == "always":  # 一直到, 一直打到: until
        second = word.next_node.next_node if word.next_node is not None else None
        return after[:1] in ("到", "至") or after.endswith("到") or _form(second)[:1] == "到"
    if group == "only":
        return after in ("不过", "不過")
    if group == "important":
        return before in ("至关", "至關")
    return group == "but" and before in ("只", "仅", "僅", "再")


def _japanese(word: Node, group: str) -> bool:
    if _form(word.next_node) in ("の", "と", "な"):
        return True
    head = word.parent
    helpers = [] if head is None or head.is_root() else head.children
    return group == "very" and any(child.lemma in ("ない", "ん", "ぬ", "まい") for child in helpers)  # とても…ない


_GUARDS: dict[str, Callable[[Node, str], bool]] = {
    "en": _english, "de": _german, "sv": _swedish, "ru": _slavic, "uk": _slavic, "zh": _chinese, "ja": _japanese,
}  # fmt: skip
