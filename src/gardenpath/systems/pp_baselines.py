"""Where a prepositional phrase goes by rule: to the nearest candidate, or always to the verb.

Both see gold heads, keep all of them but that of the PP's noun, and say `nmod` below a noun and `obl` below a verb.
Candidates are nouns and verbs by their tags (UPOS). Without tags a noun is known by its capital letter, as in German,
and a verb only where gold has the PP below it.
"""

from __future__ import annotations

from typing import NamedTuple

from ..errors import InputError
from ..treebank import Sentence, Treebank

Rows = list[list[str]]
_NOUNS, _VERBS = frozenset({"NOUN", "PROPN"}), frozenset({"VERB"})


class _Phrase(NamedTuple):
    """The first PP of a sentence with gold: places count from 0, of the head -1 for the root."""

    preposition: int
    noun: int
    head: int
    is_verbal: bool
    """Is it below a verb in gold?"""


def nearest_candidate(sentence: Sentence) -> Rows:
    """The noun or verb nearest before the preposition; a PP with neither before it goes to the first verb after it."""
    rows, phrase = word_rows(sentence), _phrase(sentence)
    verbs, nouns = _verbs(rows, phrase), _nouns(rows)
    head = _nearest(verbs | nouns, verbs, phrase)
    rows[phrase.noun][6:8] = [str(head + 1), "nmod" if head in nouns - verbs else "obl"]
    return rows


def always_verb(sentence: Sentence) -> Rows:
    """The nearest verb before the preposition, else the first one after it; where gold shows no verb, the root."""
    rows, phrase = word_rows(sentence), _phrase(sentence)
    verbs = _verbs(rows, phrase) or {place for place, row in enumerate(rows) if row[6] == "0" and place != phrase.head}
    rows[phrase.noun][6:8] = [str(_nearest(verbs, verbs, phrase) + 1), "obl"]
    return rows


def _nearest(before: set[int], after: set[int], phrase: _Phrase) -> int:
    """The last of `before` that stands before the preposition, else the first of `after` behind the noun; else -1."""
    left = [place for place in before if place < phrase.preposition]
    return max(left) if left else min((place for place in after if place > phrase.noun), default=-1)


def check_phrases(tokens: Treebank) -> None:
    """Refuses sentences without a PP whose place gold tells."""
    for sentence in tokens:
        _phrase(sentence)


def check_candidates(tokens: Treebank) -> None:
    """Refuses sentences whose nouns cannot be told: no tags, and nouns are not written with a capital letter."""
    for sentence in tokens:
        rows, phrase = word_rows(sentence), _phrase(sentence)
        if not _is_tagged(rows) and not rows[phrase.noun][1][:1].isupper():
            what = "its nouns cannot be told: there are no tags, and nouns are not capitalised"
            todo = "give the suite tags (UPOS), or take baseline:always-verb"
            raise InputError(what, where=repr(sentence.text), todo=todo)


def _phrase(sentence: Sentence) -> _Phrase:
    """The first preposition and its noun; where gold has the preposition elsewhere, the first noun of a PP."""
    rows = word_rows(sentence)
    relations = [row[7].partition(":")[0] for row in rows]
    nouns = [place for place, name in enumerate(relations) if name in ("obl", "nmod") and rows[place][6].isdecimal()]
    if "case" in relations and nouns:
        preposition = relations.index("case")
        noun = next((place for place in nouns if str(place + 1) == rows[preposition][6]), nouns[0])
        return _Phrase(preposition, noun, int(rows[noun][6]) - 1, relations[noun] == "obl")
    todo = "nearest-candidate and always-verb are rules for PP suites, such as PPATS"
    raise InputError("no PP with gold: case, and obl or nmod", where=repr(sentence.text), todo=todo)


def _is_tagged(rows: Rows) -> bool:
    return any(row[3] != "_" for row in rows)


def _nouns(rows: Rows) -> set[int]:
    if _is_tagged(rows):
        return {place for place, row in enumerate(rows) if row[3] in _NOUNS}
    return {place for place, row in enumerate(rows) if place and row[1][:1].isupper()}


def _verbs(rows: Rows, phrase: _Phrase) -> set[int]:
    if _is_tagged(rows):
        return {place for place, row in enumerate(rows) if row[3] in _VERBS}
    return {phrase.head} if phrase.is_verbal else set()


def word_rows(sentence: Sentence) -> Rows:
    """The rows of the words, to be changed: without those of multiword tokens and empty nodes."""
    return [row.copy() for row in sentence.rows if row[0].isdecimal()]
