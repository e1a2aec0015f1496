"""Ordinals in words before the noun they count: first, zweite, tredje, пятый, шоста."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..node import Node

# Series whose words take each other's endings: the third of Russian and Ukrainian has endings of its own, Swedish
# `andra` means others too.
_SERIES = {
    "en": ("first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth",),
    "de": ("erst zweit dritt viert fünft sechst siebt acht neunt zehnt",),
    "sv": ("första tredje fjärde femte sjätte sjunde åttonde nionde tionde",),
    "ru": ("перв четверт пят девят десят", "втор шест седьм восьм"),
    "uk": ("перш друг четверт шост сьом восьм десят",),
}
_ENDINGS = {
    "de": "e en er es em".split(),
    "ru": "ый ой ого ому ым ом ая ую ое ые ых ыми".split(),
    "uk": "ий ого ому им ім а ої ій у ою е і их ими".split(),
}
_FIXED = frozenset(
    "half quarter couple name lady aid class hand person sight glance base cousin world party impression "
    "hälfte halbzeit halbjahr linie hilfe klasse blick stelle sahne halvår halvåret värld "
    "världen världens tid tiden stund половина половинка очередь план взгляд дело черга погляд світова "
    "півріччя".split()
)
"""Nouns that stand with one ordinal only: first aid, in erster Linie, i första hand, в первую очередь."""
_WITH_DETERMINER, _WITHOUT = frozenset("thing step thought".split()), frozenset({"place"})
"""The first thing, but `first thing tomorrow`; in first place, but `in the first place`."""
_CLOSE = frozenset("few ever such".split())
_EVERY = frozenset("every var vart jede jeder jedes jeden jedem каждый каждая каждую кожен кожна кожну".split())


def ordinal_words(word: Node, language: str, split: str) -> list[tuple[str, str]]:
    """Forms and lemmas that could stand there; empty where the word is no ordinal, or has to stay."""
    parts = _parsed(word.form.lower(), language)
    if parts is None or not _counts_its_noun(word):
        return []
    series, stem, ending = parts
    if word.prev_node is not None and word.prev_node.form.lower() in _EVERY:
        series = series[1:]  # every second, not every first
    values = []
    for number, new in enumerate(series):
        if new != stem and number % 2 == (split != "test"):
            form, lemma = new + ending, word.lemma
            if lemma.lower().startswith(stem):
                lemma = new + lemma[len(stem) :]
            elif lemma != "_":
                return []
            values.append((form.capitalize() if word.form[:1].isupper() else form, lemma))
    return values


def _parsed(form: str, language: str) -> tuple[list[str], str, str] | None:
    for words in _SERIES.get(language, ()):
        series = words.split()
        for stem in series:
            for ending in _ENDINGS.get(language, [""]):
                if form == stem + ending:
                    return series, stem, ending
    return None


def _is_free_with(noun: Node) -> bool:
    determined = any(child.udeprel == "det" or child.deprel == "nmod:poss" for child in noun.children)
    return not (noun.lemma in _WITH_DETERMINER and not determined) and not (noun.lemma in _WITHOUT and determined)


def _counts_its_noun(word: Node) -> bool:
    """`the second meeting`, not `the first few meetings`, `Second World War`, `the second largest`, `first aid`."""
    noun, after = word.parent, word.next_node
    if word.upos != "ADJ" or word.udeprel != "amod" or word.children or noun is None or after is None:
        return False
    if noun.upos != "NOUN" or noun.ord < word.ord or noun.feats.get("Number") != "Sing":
        return False
    if {noun.lemma.lower(), noun.form.lower()} & _FIXED or after.form.lower() in _CLOSE:
        return False
    if after.upos in ("NUM", "PUNCT", "SYM") or not _is_free_with(noun):
        return False
    if after != noun and (after.parent != noun or after.feats.get("Degree") == "Sup"):
        return False
    letters_before = any(earlier.form[:1].isalpha() for earlier in word.sentence.words[: word.ord - 1])
    return word.form.islower() or (word.form[1:].islower() and not letters_before)
