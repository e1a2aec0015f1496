"""Marks: the one at the end of a sentence, and the shape of quotation marks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .edit import Change, Proposal, Refusal, Replacement
from .places import editable
from .structure import Insertion, Structure

if TYPE_CHECKING:
    from ..node import Node
    from ..sentence import Sentence
    from .registry import PerturbationSettings

NONE = "none"
_FINAL = {".": "!…", "!": ".…", "?": "…", "…": ".!", "。": "！…", "！": "。…", "？": "…"}
"""What may stand in place of a final mark; a question stays one without its mark, or with a stronger one."""
_STYLES = ('""', "“”", "„“", "«»", "‘’")
_CHINESE_STYLES = ("“”", "「」", "『』")
_OPENING, _CLOSING = frozenset("“„«「『"), frozenset("”»」』")
_QUOTES = _OPENING | _CLOSING | {'"', "``", "''"}


class FinalMark:
    """The mark at the end: another one, or none; and one where there is none."""

    name = "punctuation"

    def __init__(self, settings: PerturbationSettings) -> None:
        self.signature = "punctuation()"

    def propose(self, sentence: Sentence) -> Proposal | Refusal:
        last = sentence.words[-1]
        if last.ord not in editable(sentence):
            return Refusal("multiword token")
        is_mark = last.upos == "PUNCT" and last.form in _FINAL and last.udeprel == "punct"
        if is_mark and not last.children and len(sentence) > 1:
            marks = "" if last.feats else _FINAL[last.form]  # features of a mark are those of this mark
            done = [
                Replacement(mark, {last.ord: Change(mark, mark if last.lemma == last.form else None)}) for mark in marks
            ]
            done.append(Replacement(NONE, {}, structure=Structure(removed=frozenset({last.ord}))))
            return Proposal(last.form, (last.ord,), done)
        root = next((word for word in sentence.words if word.udeprel == "root"), None)
        if root is None or not last.form[-1:].isalpha() or last.upos in ("PUNCT", "SYM", "X"):
            return Refusal("no match")
        marks = "。！" if _is_east_asian(last) else ".!"
        return Proposal(
            NONE, (last.ord,), [Replacement(mark, {}, structure=_with_mark(last, root, mark)) for mark in marks]
        )


def _with_mark(last: Node, root: Node, mark: str) -> Structure:
    word = Insertion(last.ord + 1, mark, mark, "PUNCT", root.ord, "punct", "." if last.xpos not in ("", "_") else "_")
    return Structure(inserted=(word,))


def _is_east_asian(word: Node) -> bool:
    """Does it end in a Chinese character or in kana?"""
    return "\u3040" <= word.form[-1:] <= "\u9fff"


class Quotes:
    """All quotation marks of the sentence in another shape, opening and closing in turn."""

    name = "quotes"

    def __init__(self, settings: PerturbationSettings) -> None:
        self.signature = "quotes()"

    def propose(self, sentence: Sentence) -> Proposal | Refusal:
        words = [word for word in sentence.words if word.upos == "PUNCT" and word.form in _QUOTES]
        if not words:
            return Refusal("no match")
        opening, closing = words[0::2], words[1::2]
        if len(opening) != len(closing):
            return Refusal("ambiguous")
        if any(map(_closes, opening)) or any(map(_opens, closing)):
            return Refusal("ambiguous")  # quotations inside quotations
        done = []
        for style in _CHINESE_STYLES if any(map(_is_east_asian, sentence.words)) else _STYLES:
            changes = {
                word.ord: Change(style[place % 2], style[place % 2] if word.lemma == word.form else None)
                for place, word in enumerate(words)
                if word.form != style[place % 2]
            }
            if changes:
                done.append(Replacement(style, changes))
        return Proposal(words[0].form, tuple(word.ord for word in words), done)


def _opens(mark: Node) -> bool:
    """By its shape, or by what it sticks to; „ … “ closes with a mark that opens in other languages."""
    if mark.form in _OPENING:
        return mark.form != "“" or mark.ord == 1 or not _sticks(mark.prev_node)
    return mark.form not in _CLOSING and _sticks(mark) and not _sticks(mark.prev_node)


def _closes(mark: Node) -> bool:
    if mark.form in _CLOSING:
        return True
    return mark.form not in _OPENING and not _sticks(mark) and mark.ord > 1 and _sticks(mark.prev_node)


def _sticks(word: Node | None) -> bool:
    """Does no blank follow it?"""
    return word is not None and not word.is_root() and word.misc.get("SpaceAfter") == "No"
