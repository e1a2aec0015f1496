"""Numbers: numerals as published (§3 and Appendix A), years by century, ordinals, and small numbers in words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING

from .agreement import fits_before
from .edit import Change, Proposal, Refusal, Replacement, editable
from .lexicon import raw_lists, script_of

if TYPE_CHECKING:
    from ..format.sentence import Node, Sentence
    from .registry import PerturbationSettings


@cache
def _dates(language: str) -> dict[str, frozenset[str]]:
    """Words beside a number that is no count: months, centuries, and those of the clock and the calendar."""
    return {kind: frozenset(words.split()) for kind, words in raw_lists(language)["dates"].items()}


def _says(word: Node | None, language: str, *kinds: str) -> bool:
    if word is None:
        return False
    words = {word.form.lower(), word.lemma.lower()}
    return any(words & _dates(language)[kind] for kind in kinds)


def is_month(word: Node | None, language: str) -> bool:
    return _says(word, language, "months")


def is_century(word: Node | None, language: str) -> bool:
    return _says(word, language, "centuries")


def is_date_or_hour(word: Node | None, language: str) -> bool:
    """A word whose number is a date or an hour."""
    return _says(word, language, "months", "centuries", "clock")


TIES = frozenset("- – — ~ 〜 ～ / x х × to bis till до 至 到 から".split())
"""Between the ends of a range."""
_TIES_OF_TIMES = TIES | frozenset("until through and und och по и і й та まで".split())
_FROM = frozenset("from between von vom zwischen ab från mellan с со от между з із зі від між 从 從 由 自 から".split())
_REACH = 7  # Words between the ends of a range: from the end of the 13th century to about 1600
_CLOSE = 3  # Words from a tie to a year: to the end of 1969
_LONG, _SHORT = re.compile(r"\d{3,4}"), re.compile(r"\d{1,2}")


def is_in_range(ordinal: Node) -> bool:
    """Is it one end of a range that says where it begins, and whose other end is a number too?"""
    words, at = ordinal.sentence.words, ordinal.ord - 1
    before, after = words[max(0, at - _REACH) : at], words[at + 1 : at + 1 + _REACH]
    if not any(word.form.lower() in _FROM for word in before):
        return False
    return any(_is_numeric(word) for word in (*_beyond(after), *_beyond(before[::-1])))


def other_years(year: Node) -> list[int]:
    """The years that this one is tied to: 1505 – 1578, from May 1968 to May 1969."""
    words, at = year.sentence.words, year.ord - 1
    sides = (words[at + 1 : at + 1 + _REACH], words[max(0, at - _REACH) : at][::-1])
    near = [word.form for side in sides for word in list(_beyond(side))[:_CLOSE]]
    return [int(form) for form in near if _LONG.fullmatch(form)]


def is_half_of_season(year: Node) -> bool:
    """2016/17, 1998 – 99: the second half goes with the first; not 2017-02-28."""
    forms = [word.form for word in year.sentence.words[year.ord : year.ord + 3]]
    return len(forms) > 1 and forms[0] in TIES and bool(_SHORT.fullmatch(forms[1])) and forms[0] not in forms[2:]


def keeps_order(old: int, new: int, others: Iterable[int]) -> bool:
    return all(new != one and (new < one) == (old < one) for one in others)


def _beyond(words: Iterable[Node]) -> Iterator[Node]:
    """What comes after the first tie."""
    tied = False
    for word in words:
        if tied:
            yield word
        tied = tied or word.form.lower() in _TIES_OF_TIMES


def _is_numeric(word: Node) -> bool:
    return word.upos == "NUM" or word.feats.get("NumType") == "Ord" or any(map(str.isdigit, word.form))


PATTERN = re.compile(r"(?<= )\d{4}(?= )")
TEST_SEED, TRAIN_SEED = 7919, 7907
"""The 1000th and the 999th prime number."""
LOW, HIGH = 1100, 2100


@cache
def years_to_test(seed: int = TEST_SEED) -> tuple[int, ...]:
    """The 50 values of the study; four of them occur twice."""
    return _drawn(seed, 50)


@cache
def years_to_train(seed: int = TRAIN_SEED) -> tuple[int, ...]:
    """Of 100 values those that are no test years; the study trains with the first 20."""
    held_out = set(years_to_test())
    return tuple(year for year in _drawn(seed, 100) if year not in held_out)


def _drawn(seed: int, size: int) -> tuple[int, ...]:
    import numpy as np

    return tuple(np.random.default_rng(seed).integers(LOW, HIGH, size=size).tolist())


def seed_of(settings: PerturbationSettings) -> int:
    """The published seed of the set, unless another is asked for."""
    if settings.seed is not None:
        return settings.seed
    return TEST_SEED if settings.split == "test" else TRAIN_SEED


class Numerals:
    """The first four-digit number between blanks; all tokens with that form get the value as form and lemma."""

    name = "numerals"

    def __init__(self, settings: PerturbationSettings) -> None:
        seed = seed_of(settings)
        years = years_to_test(seed) if settings.split == "test" else years_to_train(seed)
        self.values: Sequence[str] = [str(year) for year in years]
        self.signature = f"numerals(set={settings.split},seed={seed})"

    def propose(self, sentence: Sentence) -> Proposal | Refusal:
        match = PATTERN.search(sentence.text)
        if match is None:
            return Refusal("no match")
        places = [word.ord for word in sentence.words if word.form == match[0]]
        words = tuple(number for number in places if number in editable(sentence))
        if not words:
            return Refusal("multiword token" if places else "no token")
        return Proposal(match[0], words, [same_form(words, value, value) for value in self.values])


def same_form(words: Sequence[int], value: str, lemma: str | None, group: str = "") -> Replacement:
    """All these words get one form and one lemma."""
    change = Change(value, lemma)
    return Replacement(value, dict.fromkeys(words, change), group)


PER_CENTURY = 5
CENTURIES = range(1100, 2100, 100)
_YEAR = re.compile(r"1[1-9]\d\d|20\d\d")
_MONEY = frozenset("$ € £ ¥ ₽ ₴ % kr".split())
_HOURS = frozenset("kl kl. klockan uhr".split())
_SPANS = frozenset("前 後 間 以上 以内 ぶり".split())  # After 年 in Japanese: so many years, not a year


def years_of(century: int, split: str, seed: int = TEST_SEED) -> list[int]:
    """Five years of a century to test or to train with; under one seed they differ.

    One order of the hundred years is drawn for both: it begins with the test years and ends with the training years.
    """
    import numpy as np

    order = np.random.default_rng([seed, century]).permutation(100)
    chosen = order[:PER_CENTURY] if split == "test" else order[-PER_CENTURY:]
    return [century + int(year) for year in chosen]


class Years:
    """The first number from 1100 to 2099 that is a year, not a count; all tokens with that form."""

    name = "years"

    def __init__(self, settings: PerturbationSettings) -> None:
        self.language = settings.language
        seed = TEST_SEED if settings.seed is None else settings.seed
        # One year of every century, then a second one: the first few of them are of all times too.
        drawn = zip(*(years_of(century, settings.split, seed) for century in CENTURIES), strict=True)
        self.values = [(f"{c}s", str(y)) for years in drawn for c, y in zip(CENTURIES, years, strict=True)]
        self.signature = f"years(set={settings.split},seed={seed})"

    def propose(self, sentence: Sentence) -> Proposal | Refusal:
        free = editable(sentence)
        years = [word for word in sentence.words if _YEAR.fullmatch(word.form) and self._is_year(word)]
        first = next((word for word in years if word.ord in free), None)
        if first is None:
            return Refusal("multiword token" if years else "no match")
        same = [word for word in sentence.words if word.form == first.form and word.ord in free]
        numbers, skipped, done = tuple(word.ord for word in same), Counter[str](), []
        others = [year for word in same for year in other_years(word)]
        for group, value in self.values:
            if value == first.form:
                continue
            if not keeps_order(int(first.form), int(value), others):
                skipped["order"] += 1
                continue
            if all(fits_before(word, value, self.language) for word in same):
                lemma = value if first.lemma == first.form else None
                done.append(same_form(numbers, value, lemma, group))
            else:
                skipped["agreement"] += 1
        if first.lemma not in (first.form, "_"):
            return Refusal("lemma")
        return Proposal(first.form, numbers, done, skipped) if done else Refusal(next(iter(skipped), "agreement"))

    def _is_year(self, word: Node) -> bool:
        """A count has a plural noun above it, or money beside it."""
        if word.upos not in ("NUM", "ADJ", "NOUN") or word.deprel == "nummod:gov" or is_half_of_season(word):
            return False
        if any(near is not None and near.form in _MONEY for near in (word.prev_node, word.next_node)):
            return False
        before, head = word.prev_node, word.parent
        if before is not None and before.form.lower() in _HOURS:
            return False
        if self.language == "zh":
            following = word.next_node
            return following is not None and following.form.startswith("年") and following.form != "年代"
        if self.language == "ja":
            following = word.next_node
            second = following.next_node if following is not None else None
            return following is not None and following.form == "年" and (second is None or second.form not in _SPANS)
        counted = head is not None and not head.is_root() and head.feats.get("Number") == "Plur"
        return not (word.udeprel == "nummod" and counted)


_TRADITIONAL = {"兩": 2}
_CLASSIFIERS = {
    "zh": frozenset("个個位座张張本条條件名次家种種辆輛部只隻间間句天週周场場"),
    "ja": frozenset("つ 冊 本 枚 個 台 回 人 名 匹 頭 羽 軒 杯 隻 通 年間 時間 週間 か月 ヶ月".split()),
}
"""Words between a number and what it counts, where there are such."""
_UNITS = 3  # Letters that a counted noun has at least after digits: km, kg and GB keep theirs


class NumberWords:
    """The first small number that counts a noun after it: three and 3."""

    name = "digits"

    def __init__(self, settings: PerturbationSettings) -> None:
        self.language = settings.language
        words: list[str] = raw_lists(settings.language)["numbers"]["words"].split()
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


_FIXED = frozenset(
    "half quarter couple name lady aid class hand person sight glance base cousin world party impression "
    "hälfte halbzeit halbjahr linie hilfe klasse blick stelle sahne halvår halvåret värld "
    "världen världens tid tiden stund половина половинка очередь план взгляд дело черга погляд світова "
    "півріччя".split()
)
"""Nouns that stand with one ordinal only: first aid, in erster Linie, i första hand, в первую очередь."""
_WITH_DETERMINER, _WITHOUT = frozenset("thing step thought".split()), frozenset({"place"})
"""The first thing, but `first thing tomorrow`; in first place, but `in the first place`."""
_BEFORE_NOUN = frozenset("few ever such".split())
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
    numbers = raw_lists(language).get("numbers", {})
    endings = numbers["endings"].split() if "endings" in numbers else [""]
    for words in numbers.get("ordinals", ()):
        series = words.split()
        for stem in series:
            for ending in endings:
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
    if {noun.lemma.lower(), noun.form.lower()} & _FIXED or after.form.lower() in _BEFORE_NOUN:
        return False
    if after.upos in ("NUM", "PUNCT", "SYM") or not _is_free_with(noun):
        return False
    if after != noun and (after.parent != noun or after.feats.get("Degree") == "Sup"):
        return False
    letters_before = any(earlier.form[:1].isalpha() for earlier in word.sentence.words[: word.ord - 1])
    return word.form.islower() or (word.form[1:].islower() and not letters_before)


FORMATS = {
    "de": re.compile(r"(?P<number>[1-9]\d{0,2})(?P<ending>\.)"),
    "en": re.compile(r"(?P<number>[1-9]\d{0,2})(?P<ending>(?i:st|nd|rd|th))"),
    "sv": re.compile(r"(?P<number>[1-9]\d{0,2})(?P<ending>:[ae])"),
    # Only endings that are the same after every number: третий and пятый, but not перша and друга.
    "ru": re.compile(r"(?P<number>[1-9]\d{0,2})(?P<ending>-(?:й|я|го|му|м|ю|х|ми|е))"),
    "uk": re.compile(r"(?P<number>[1-9]\d{0,2})(?P<ending>-(?:й|го|му|м|х|ми|ї))"),
    "zh": re.compile(r"第(?P<number>[1-9]\d?|[一二三四五六七八九]?十?[一二三四五六七八九]?(?<!第))(?P<ending>)"),
    # 第 is a word of its own.
    "ja": re.compile(r"(?P<number>[1-9]\d?|(?=.)[一二三四五六七八九]?十?[一二三四五六七八九]?)(?P<ending>)"),
}
_UPOS = {
    "de": ("ADJ",),
    "ru": ("ADJ",),
    "uk": ("ADJ",),
    "zh": ("ADJ", "NUM"),
    "ja": ("NUM",),
}  # 2-х is a cardinal, 90-е a noun
_ANY_UPOS = ("ADJ", "NUM", "NOUN", "ADV")
_CHARACTERS = "〇一二三四五六七八九"
_WITH_SIGN = {"zh": "第", "ja": ""}  # Languages that put 第 before the number, and what of it is in the word


class Ordinals:
    """The first ordinal; days stay days, centuries centuries, decades decades; all tokens with that form."""

    name = "ordinals"

    def __init__(self, settings: PerturbationSettings) -> None:
        self.language, self.split = settings.language, settings.split
        self.seed = TEST_SEED if settings.seed is None else settings.seed
        self.signature = f"ordinals(set={settings.split},seed={self.seed})"

    def propose(self, sentence: Sentence) -> Proposal | Refusal:
        free, upos = editable(sentence), _UPOS.get(self.language, _ANY_UPOS)
        pattern = FORMATS[self.language]
        ordinals = [word for word in sentence.words if word.upos in upos and pattern.fullmatch(word.form)]
        ordinals = [word for word in ordinals if not _explains(word) and not is_in_range(word)]
        if self.language == "ja":
            ordinals = [word for word in ordinals if word.prev_node is not None and word.prev_node.form == "第"]
        first = next((word for word in ordinals if word.ord in free), None)
        if first is None:
            return self._in_words(sentence, free) or Refusal("multiword token" if ordinals else "no match")
        match = pattern.fullmatch(first.form)
        assert match is not None
        old, ending = match["number"], match["ending"]
        same = [word for word in ordinals if word.form == first.form and word.ord in free]
        skipped, done, present = Counter[str](), [], {word.form for word in sentence.words}
        for number in self._numbers(self._domain(first, old)):
            new = written(number, self.language, ending, in_digits=old.isdigit())
            if new == first.form:
                continue
            if new in present:  # `the 20th and 20th century`
                skipped["present"] += 1
                continue
            if not all(fits_before(word, new, self.language) for word in same):
                skipped["agreement"] += 1
                continue
            lemma = _lemma(first, old, str(number), new)
            if lemma is None:
                return Refusal("lemma")
            done.append(Replacement(new, {word.ord: Change(new, lemma) for word in same}))
        return Proposal(first.form, tuple(word.ord for word in same), done, skipped) if done else Refusal("agreement")

    def _in_words(self, sentence: Sentence, free: set[int]) -> Proposal | None:
        """The first ordinal in words; it alone, since the next `second` of the sentence may be no ordinal."""
        present = {word.form.lower() for word in sentence.words}
        for word in sentence.words:
            free_word = word.ord in free and not is_in_range(word)
            values = ordinal_words(word, self.language, self.split) if free_word else []
            new_values = [(form, lemma) for form, lemma in values if form.lower() not in present]
            fitting = [(form, lemma) for form, lemma in new_values if fits_before(word, form, self.language)]
            if fitting:
                done = [Replacement(form.lower(), {word.ord: Change(form, lemma)}) for form, lemma in fitting]
                skipped = {"present": len(values) - len(new_values), "agreement": len(new_values) - len(fitting)}
                return Proposal(word.form, (word.ord,), done, {why: count for why, count in skipped.items() if count})
        return None

    def _domain(self, word: Node, old: str) -> Iterable[int]:
        near = [word.parent, word.next_node, *word.children]
        if any(is_century(neighbour, self.language) for neighbour in near):
            return range(10, 22)
        if any(is_month(neighbour, self.language) for neighbour in near):
            return range(1, 29)
        plural = word.feats.get("Number") in ("Plur", "Ptan") or word.form.endswith(("-х", "-ми"))
        if plural and re.fullmatch(r"[1-9]0", old):
            return range(10, 100, 10)
        if word.udeprel != "amod" and old.isdigit() and int(old) <= 31 and self.language not in _WITH_SIGN:
            return range(1, 29)  # on the 20th, without a noun: most often a day
        return range(1, 21) if self.language in _WITH_SIGN else range(1, 100)

    def _numbers(self, domain: Iterable[int]) -> list[int]:
        """In a drawn order; no number is both to test and to train with."""
        import numpy as np

        order = np.random.default_rng(self.seed).permutation(np.array(list(domain)))
        return [int(number) for number in order[0 if self.split == "test" else 1 :: 2]][:50]


def _explains(word: Node) -> bool:
    """`the fifteenth (15th)`."""
    return word.udeprel == "appos" and word.parent is not None and word.parent.feats.get("NumType") == "Ord"


def written(number: int, language: str, ending: str, in_digits: bool = True) -> str:
    """The ordinal as the language writes it; `ending` is the old one's, kept where no number changes it."""
    if language == "en":
        teen = 10 <= number % 100 <= 20
        new = "th" if teen else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
        return f"{number}{new.upper() if ending.isupper() else new}"
    if language == "sv":
        return f"{number}:{'a' if number % 10 in (1, 2) and number % 100 not in (11, 12) else 'e'}"
    if language in _WITH_SIGN:
        return _WITH_SIGN[language] + (str(number) if in_digits else _in_characters(number))
    return f"{number}{ending}"


def _in_characters(number: int) -> str:
    tens, ones = divmod(number, 10)
    ten = "" if not tens else "十" if tens == 1 else f"{_CHARACTERS[tens]}十"
    return ten + (_CHARACTERS[ones] if ones else "")


def _lemma(word: Node, old: str, number: str, new: str) -> str | None:
    """The lemma of the new ordinal; None where the old one was formed in a way we do not know."""
    if word.lemma == "_":
        return "_"
    if word.lemma == word.form:
        return new
    rest = word.lemma.removeprefix(old)
    return number + rest if rest != word.lemma and not rest[:1].isdigit() else None
