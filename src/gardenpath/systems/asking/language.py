"""Is a model asked about the language it was trained on? Its card keeps a profile of its training data."""

from __future__ import annotations

import os
import re
import unicodedata
import warnings
from collections import Counter
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from ...errors import InputError, UsageError
from ...treebank import Treebank
from ..files.models import read_card
from .request import surface

FREQUENT = 500
"""So many of the most frequent words are kept: most of them are function words, which tell languages apart."""
FOREIGN, RARE = 0.5, 0.05
"""Another script: more than this share of the letters is of scripts that make less than that in training."""
LOW = 0.3
"""Another language, maybe: the frequent words make less than this part of what they make in held-out data.

Measured on the 35 shared treebanks, each as training data and as input: of 1,821 pairs of different languages 1,057
have another script, 721 are doubted and 43 pass (relatives, and small training data); of 104 pairs of the same
language one is doubted (learners' Chinese and traditional characters).
"""
_LETTERS, _WORDS, _SENTENCES = 20, 50, 2000
_UNSPACED = {"CJK", "HIRAGANA", "KATAKANA", "THAI", "LAO", "KHMER", "MYANMAR", "TIBETAN"}
_CODE = re.compile(r"(?:^|[/\\ ])([a-z]{2,3})_[a-z0-9]+-(?:ud-)?(?:train|dev|test)\b")


def profile(train: Treebank, dev: Treebank | None) -> dict[str, Any]:
    """What of the training data is kept: scripts, frequent words, and how much of held-out data these make.

    Without dev data it is measured between the two halves of the training data.
    """
    middle = len(train) // 2
    seen, judge = (train, dev) if dev is not None else (train[:middle], train[middle:])
    frequent = _frequent(_counts(train))
    held_out = _frequent(_counts(seen)) if dev is None else frequent
    shares = {script: round(share, 4) for script, share in _shares(_scripts(train)).items()}
    return {
        "scripts": shares,
        "words": "|".join(frequent),
        "covered": round(_covered(_counts(judge), frozenset(held_out)), 4),
    }


class LanguageCheck:
    """Compares an input with the profile of a model: another script is an error, another language a warning.

    `anyway` makes the error a warning too; by default GARDENPATH_ANY_LANGUAGE decides. A system without a card
    of ours is not judged: nothing is known of it.
    """

    def __init__(self, name: str, anyway: bool | None = None, tell: Callable[[str], None] | None = None) -> None:
        self.notes: tuple[str, ...] = ()
        self._name, self._tell = name, tell
        self._anyway = anyway if anyway is not None else os.environ.get("GARDENPATH_ANY_LANGUAGE", "") not in ("", "0")
        self._card = _card(name)

    @property
    def fact(self) -> str:
        """For the signature: was a difference seen?"""
        return "|language:differs" if self.notes else ""

    def see(self, treebank: Treebank, mode: str = "tokens") -> None:
        """Judges by the first stretch of the input that has enough letters."""
        known = self._card.get("profile")
        if not isinstance(known, dict) or (scripts := _scripts(treebank[:_SENTENCES])).total() < _LETTERS:
            return
        name = str((self._card.get("train") or {}).get("name", "")) or "other data"
        data = f"{code_of(name)} data ({Path(name).name})" if code_of(name) else Path(name).name
        trained = f"this model was trained on {data}"
        shares = known.get("scripts")
        given = shares.items() if isinstance(shares, dict) else ()
        own = {str(script): float(share) for script, share in given if isinstance(share, int | float)}
        self._card = {**self._card, "profile": None}
        foreign = {s: share for s, share in _shares(scripts).items() if own.get(s, 0.0) < RARE}
        if own and sum(foreign.values()) > FOREIGN:
            what = (
                f"{trained} in {_listed(own)} script; {sum(foreign.values()):.0%} of the letters of "
                f"{treebank.name} are {_listed(foreign)}"
            )
            if not self._anyway:
                todo = "take another model, or go on with --set any_language=yes or GARDENPATH_ANY_LANGUAGE=1"
                raise UsageError(what, where=self._name, todo=todo)
            self._warn(what)
        elif doubt := self._doubt(known, treebank, mode, own):
            self._warn(f"{trained}; {doubt}")

    def _doubt(self, known: Mapping[str, Any], treebank: Treebank, mode: str, own: Mapping[str, float]) -> str:
        codes = [code_of(str((self._card.get("train") or {}).get("name", ""))), code_of(treebank.name)]
        if all(codes) and codes[0] != codes[1]:
            return f"by its name the input is {codes[1]}"
        counts, expected = _counts(treebank[:_SENTENCES]), known.get("covered")
        unjudged = counts.total() < _WORDS or (mode != "tokens" and _UNSPACED & own.keys())
        if all(codes) or unjudged or not isinstance(expected, float):
            return ""
        share = _covered(counts, frozenset(str(known.get("words", "")).split("|")))
        if share >= LOW * expected:
            return ""
        return (
            f"its {FREQUENT} most frequent words make {share:.0%} of the words of {treebank.name}, and {expected:.0%} "
            "of held-out data of its own: is this another language?"
        )

    def _warn(self, what: str) -> None:
        self.notes = (f"warning: {what}",)
        if self._tell is not None:
            self._tell(self.notes[0])
        else:
            warnings.warn(what, stacklevel=6)


def covers(known: Mapping[str, Any], treebank: Treebank) -> bool:
    """Do the frequent words of a profile make as much of this treebank as of data of the same language?"""
    expected, words = known.get("covered"), frozenset(str(known.get("words", "")).split("|"))
    return isinstance(expected, float) and _covered(_counts(treebank[:_SENTENCES]), words) >= LOW * expected > 0


def code_of(name: str) -> str:
    """The language of a treebank that is named as in Universal Dependencies: `hu_szeged-ud-test` is hu."""
    codes = set(_CODE.findall(name))
    return codes.pop() if len(codes) == 1 else ""


def _card(name: str) -> dict[str, Any]:
    path = Path(name.partition(":")[2])
    if not path.exists():  # with options behind it
        path = Path(str(path).partition("#")[0])
    try:
        return read_card(path) if path.exists() else {}
    except (InputError, OSError, ValueError):
        return {}


def _counts(treebank: Treebank) -> Counter[str]:
    """Words with letters, without case and the punctuation that plain text has on them; multiword tokens too."""
    counts = Counter[str]()
    for sentence in treebank:
        rows = sentence.rows
        forms = [row[1] for row in rows if row[0].isdecimal()]
        if any("-" in row[0] for row in rows):
            forms += [form for form, _ in surface(rows)]
        counts.update(word for form in forms if (word := _word(form)))
    return counts


@lru_cache(maxsize=50_000)
def _word(form: str) -> str:
    bare = re.sub(r"^\W+|\W+$", "", form.casefold())
    return bare if any(map(str.isalpha, bare)) and "|" not in bare else ""


def _frequent(counts: Counter[str]) -> list[str]:
    return [word for word, _ in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))[:FREQUENT]]


def _covered(counts: Counter[str], frequent: frozenset[str]) -> float:
    return sum(count for word, count in counts.items() if word in frequent) / max(1, counts.total())


def _scripts(treebank: Treebank) -> Counter[str]:
    """Letters by script."""
    letters = Counter[str]()
    for form, count in Counter(treebank.column("form").strings()).items():
        for char in form:
            if char.isalpha():
                letters[char] += count
    scripts = Counter[str]()
    for char, count in letters.items():
        scripts[unicodedata.name(char, "OTHER").partition(" ")[0]] += count
    return scripts


def _shares(scripts: Counter[str]) -> dict[str, float]:
    return {script: count / scripts.total() for script, count in scripts.most_common()}


def _listed(shares: Mapping[str, float]) -> str:
    return " and ".join(script.capitalize() for script in list(shares)[:2])
