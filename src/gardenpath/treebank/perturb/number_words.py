"""Small numbers in words become digits, and digits words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .calendar import is_date_or_hour
from .edit import Change, Proposal, Refusal, Replacement
from .places import editable
from .script import script_of

if TYPE_CHECKING:
    from ..node import Node
    from ..sentence import Sentence
    from .registry import PerturbationSettings

_WORDS = {
    "en": "two three four five six seven eight nine ten eleven twelve",
    "de": "zwei drei vier fünf sechs sieben acht neun zehn elf zwölf",
    "sv": "två tre fyra fem sex sju åtta nio tio elva tolv",
    "zh": "两 三 四 五 六 七 八 九 十",
    "ja": "二 三 四 五 六 七 八 九",
}
"""From two on: one is an article too. Languages whose numerals inflect are left out."""
_TRADITIONAL = {"兩": 2}
_CLASSIFIERS = {
    "zh": frozenset("个個位座张張本条條件名次家种種辆輛部只隻间間句天週周场場"),
    "ja": frozenset("つ 冊 本 枚 個 台 回 人 名 匹 頭 羽 軒 杯 隻 通 年間 時間 週間 か月 ヶ月".split()),
}
"""Words between a number and what it counts, where there are such."""
_UNITS = 3
"""Letters that a counted noun has at least after digits: km, kg and GB keep theirs."""


class NumberWords:
    """The first small number that counts a noun after it: three and 3."""

    name = "digits"

    def __init__(self, settings: PerturbationSettings) -> None:
        self.language = settings.language
        words = _WORDS[settings.language].split()
        self.numbers = {word: number for number, word in enumerate(words, 2)}
        if settings.language == "zh":
            self.numbers |= _TRADITIONAL
        self.words = {str(number): word for number, word in enumerate(words, 2)}
        self.signature = f"digits(language={settings.language})"

    def propose(self, sentence: Sentence) -> Proposal | Refusal:
        free, reason = editable(sentence), "no match"
        for word in sentence.words:
            new = self._other(word)
            if not new:
                continue
            if word.ord not in free:
                reason = "multiword token"
            elif word.lemma.lower() not in (word.form.lower(), "_", "2", "兩"):
                reason = "lemma"
            else:
                feats = {"NumForm": "Digit" if new.isdigit() else "Word"} if "NumForm" in word.feats else {}
                lemma = "_" if word.lemma == "_" else new.lower()
                value = "digits" if new.isdigit() else "words"
                change = Change(new, lemma, None, feats)
                return Proposal(word.form, (word.ord,), [Replacement(value, {word.ord: change})])
        return Refusal(reason)

    def _other(self, word: Node) -> str:
        """The number in its other form; empty where it is none or has to stay."""
        number = self.numbers.get(word.form.lower())
        digits = word.form in self.words
        if word.upos != "NUM" or word.udeprel != "nummod" or word.feats.get("NumType", "Card") != "Card":
            return ""
        head, before, after = word.parent, word.prev_node, word.next_node
        if head is None or head.upos != "NOUN" or head.ord < word.ord or after is None or word.children:
            return ""
        if self.language in _CLASSIFIERS and after.form not in _CLASSIFIERS[self.language]:
            return ""  # 五代, 三島: part of a name
        if before is not None and before.form in ("比", "第"):
            return ""  # 貨比三家: a proverb
        if after.upos in ("PUNCT", "SYM", "NUM") or (before is not None and before.upos in ("SYM", "NUM")):
            return ""
        dated = any(is_date_or_hour(near, self.language) for near in (head, before, after))
        if number is not None:
            return str(number)
        if not digits or dated or _is_unit(head, self.language) or _is_part(before):
            return ""
        new = self.words[word.form]
        if new == "两" and script_of(word.sentence.text) == "Hant":
            new = "兩"
        first = not any(token.form[:1].isalpha() for token in word.sentence.words[: word.ord - 1])
        return new.capitalize() if first else new


def _is_unit(noun: Node, language: str) -> bool:
    return language not in _CLASSIFIERS and (len(noun.form) <= _UNITS or not noun.form.isalpha() or noun.form.isupper())


def _is_part(before: Node | None) -> bool:
    """`- 3 men`, `1 / 2`, `No. 3`: part of a list, a fraction or a name."""
    return before is not None and not before.is_root() and before.upos in ("PUNCT", "PROPN", "X")
