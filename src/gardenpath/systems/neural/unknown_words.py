"""The shape of an unknown word, as `UNK-LC-s`: case, digits, dash and ending, or script and number of characters."""

from __future__ import annotations

import unicodedata
from collections.abc import Container

COARSEST = "UNK"
_ENDINGS = ("ed", "ing", "ion", "er", "est", "ly", "ity", "y", "al")
"""Of the Berkeley parser, whose classes RNNG and its successors use; the first that fits."""
_NUMERALS = frozenset("零〇一二三四五六七八九十百千万亿两萬億兩壹贰叁肆伍陆柒捌玖拾佰仟")
_BESIDE = frozenset("第点點.%·")
"""What stands in a number beside numerals: 第三, 三点五."""
_LONGEST = 4


def word_class(word: str, known: Container[str] = ()) -> str:
    """The class of a word that is not known; `known` are the words that are (of an initial capital: is it known
    without it?).

    With Han characters: `UNK-HAN-2` (two characters; 4 stands for more), `-NUM` if all are numerals or digits,
    `-MIX` if there are letters or digits among them. Without a letter or digit: `UNK-SYM`. Else the Berkeley classes.
    """
    if not word:
        return COARSEST
    if any(_is_han(char) for char in word):
        return _han(word)
    if not any(char.isalnum() for char in word):
        return f"{COARSEST}-SYM"
    return _alphabetic(word, known)


def coarser(name: str) -> str:
    """The class that holds this one: without its last part; the coarsest holds itself."""
    return name.rpartition("-")[0] or COARSEST


def _han(word: str) -> str:
    numeral = [char in _NUMERALS or char.isdigit() for char in word]
    if any(numeral) and all(is_one or char in _BESIDE for is_one, char in zip(numeral, word, strict=True)):
        return f"{COARSEST}-HAN-NUM"
    if any(char.isalnum() and not _is_han(char) for char in word):
        return f"{COARSEST}-HAN-MIX"
    return f"{COARSEST}-HAN-{min(len(word), _LONGEST)}"


def _is_han(char: str) -> bool:
    return "㐀" <= char <= "鿿" or char == "〇" or (char > "￿" and unicodedata.name(char, "").startswith("CJK"))


def _alphabetic(word: str, known: Container[str]) -> str:
    capitals = sum(char.isupper() for char in word)
    digit = any(char.isdigit() for char in word)
    dash = "-" in word
    lower = word.lower()
    parts = [COARSEST]
    if word[0].isupper():
        parts += ["CAPS"] if capitals > 1 else ["INITC", "KNOWNLC"] if lower in known else ["INITC"]
    elif not word[0].isalpha() and capitals:
        parts.append("CAPS")
    elif any(char.islower() for char in word):
        parts.append("LC")
    if digit:
        parts.append("NUM")
    if dash:
        parts.append("DASH")
    if lower.endswith("s") and len(lower) >= 3:
        if lower[-2] not in "siu":
            parts.append("s")
    elif len(lower) >= 5 and not dash and not (digit and capitals):
        parts += [ending for ending in _ENDINGS if lower.endswith(ending)][:1]
    return "-".join(parts)
