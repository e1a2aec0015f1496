"""Where money has to stay as it is: no number beside it, its country named, the sum stated twice, or with coins."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from .agreement import is_number

if TYPE_CHECKING:
    from ..node import Node

COUNTRY, SHORT = "country", "short"
"""Groups of the lists: the country of a currency as a word of its own (美 元), and abbreviations (грн)."""
_NEAR = 4
"""Words from a currency within which another one, or a coin of it, belongs to the same sum."""
_COINS = frozenset(
    "cent cents pence penny pennies pfennig rappen groschen kopeken öre копеек копейки копейка коп. копійок копійки "
    "копійка цент цента центов центів центи".split()
)
_CHINESE_COINS = frozenset("毫角仙")
_SIGNS = ("$", "€", "£", "¥", "US$", "HK$")
_COUNTED = ("NOUN", "PROPN", "SYM", "X")
"""Parts of speech of what may stand between a number and its currency: millions, T, Mrd."""
_BULK = frozenset(
    "ten hundred thousand million billion trillion hunderte tausende million milliarde billion miljon miljard "
    "tusentals hundratals тысяча миллион миллиард тисяча мільйон мільярд".split()
)
"""Numbers that are nouns, and count without a numeral: millions of dollars, Milliarden Euro."""
_NAMES = (
    re.compile(r"[a-z]*\$|usd|dollars?|bucks?|доллар\w*|долар\w*|美元|ドル"),
    re.compile(r"€|eur|euro[sn]?|евро|євро|欧元|歐元|ユーロ"),
    re.compile(r"£|gbp|pounds?|pfund|pund|фунт\w*|英镑|英鎊|ポンド"),
    re.compile(r"¥|jpy|yen|иен\w{,3}|єн\w{,3}|日元|円"),
    re.compile(r"₽|руб.*|roubles?|rubels?|рубл\w*"),
    re.compile(r"₴|uah|грн|гривн\w*|гривень"),
    re.compile(r"kr|sek|kron(?:a|or|an|orna)"),
)
"""What one currency is called: a sign, a code, a word."""


def money_stays(word: Node, group: str, language: str) -> str | None:
    """The reason why this word of the list of currencies cannot be replaced where it stands, if there is one."""
    if group == COUNTRY:
        return None if is_country_of_money(word) and not _is_named_again(word) else "no number"
    if any(_names_its_kind(child, word) for child in word.children) or _names_its_country(word, language):
        return "modified"
    return None if _has_number(word) else "no number"


def is_country_of_money(word: Node | None) -> bool:
    """美 in `500 美 元`, where the currency is cut in two."""
    return word is not None and _form(word.next_node) == "元" and is_number(word.prev_node)


def has_second_money(word: Node, listed: Mapping[str, str], own_forms: Collection[str]) -> bool:
    """Is the sum stated twice, or with coins: `$70 billion dollars`, `$0: the dollars spent`, `a crown and five öre`?

    `listed`: all forms of the list as a text may write them, with the form in the list.
    """
    near = [one for one in _around(word, _NEAR, _NEAR) if not (one.form == "元" and is_country_of_money(one.prev_node))]
    forms = [one.form.lower() for one in near]
    if any(form in _COINS or form[-1:] in _CHINESE_COINS or form[:-1].startswith(_SIGNS) for form in forms):
        return True
    if any(one.form in listed and listed[one.form] not in own_forms for one in near):
        return True
    names = next((names for names in _NAMES if names.fullmatch(word.form.lower())), None)
    rest = [one.form.lower() for one in word.sentence.words if listed.get(one.form) not in own_forms]
    return names is not None and any(map(names.fullmatch, rest))


def is_modifier(word: Node) -> bool:
    return word.udeprel in ("amod", "compound", "flat") and word.upos in ("ADJ", "PROPN", "NOUN", "X")


def _names_its_kind(modifier: Node, money: Node) -> bool:
    """`US dollars`, `50 Canadian dollars`; not `an extra $50` nor `another fifty dollars`."""
    if not is_modifier(modifier):
        return False
    if modifier.upos != "ADJ" or not modifier.form.islower():
        return True
    between = money.sentence.words[modifier.ord : money.ord - 1]
    return money.form.isalpha() and not any(map(is_number, between))


def _form(word: Node | None) -> str:
    return "" if word is None else word.form


def _around(word: Node, before: int, after: int) -> Sequence[Node]:
    near = word.sentence.words[max(0, word.ord - 1 - before) : word.ord + after]
    return [one for one in near if one.ord != word.ord]


def _has_number(word: Node) -> bool:
    """`20 Euro`, `85 Millionen Dollar`, `$ 16,250`, `thousands of dollars`; not `Euro Disney`."""
    before = word.prev_node
    if _form(before) == "多":
        return False  # 多元化
    if any(child.udeprel == "nummod" for child in word.children) or is_number(before):
        return True
    if not word.form.isalpha() and is_number(word.next_node):
        return True
    if before is not None and before.form == "of":
        before = before.prev_node
    if before is None:
        return False
    return before.lemma.lower() in _BULK or (before.upos in _COUNTED and is_number(before.prev_node))


def has_full_stop(word: Node) -> bool:
    """`грн .` within the sentence: another abbreviation may not have one."""
    after = word.next_node
    return after is not None and after.form == "." and after.next_node is not None


def _is_named_again(word: Node) -> bool:
    """港幣一億元, 四萬元美金, $7.08港元."""
    return any(one.form[-1:] in "币幣$" or one.form == "美金" for one in _around(word, 5, 3))


def _names_its_country(word: Node, language: str) -> bool:
    """美 元, cut in two, or 元 人民币; in Japanese 米 ドル."""
    if language == "ja":
        return word.form.isalpha() and not is_number(word.prev_node)
    if language != "zh":
        return False
    before = word.prev_node
    named = any(one.form[-1:] in "币幣$" or one.form in ("美", "美金") for one in _around(word, 5, 2))
    beside = _form(word.next_node).startswith("人民")
    return named or beside or (before is not None and before.upos == "PROPN")
