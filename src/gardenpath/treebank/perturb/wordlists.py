"""Names, places, currencies, synonyms and lists of users: words replaced by others of their group."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from ...boundary.structured import read_toml
from ...boundary.texts import file_bytes
from ...errors import InputError
from ...runs.record.signatures import digest
from .agreement import fits_before, is_number
from .edit import Change, Proposal, Refusal, Replacement, capitalised, check_value, editable, styled
from .lexicon import NO_FORM, Entry, Lexicon, compatible, lexicon, lexicon_of, script_of

if TYPE_CHECKING:
    from ..format.sentence import Node, Sentence
    from .registry import PerturbationSettings


COUNTRY, SHORT = "country", "short"
"""Groups of the lists: the country of a currency as a word of its own (美 元), and abbreviations (грн)."""
_NEAR = 4  # Words from a currency within which another one, or a coin of it, belongs to the same sum
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


_NOMINAL = ("nsubj", "obj", "obl", "nmod", "iobj", "appos", "vocative")
_ENGLISH_COMPANY = frozenset("morning evening afternoon night day luck deal faith will food friday grief".split())
"""Nouns after which an adjective of the list is part of a fixed expression: good luck, fast food."""
_BY_CHANCE = frozenset("in by along on upon".split())  # We happened in on a whim: nothing occurs there
_NOT_NEARLY = frozenset("no any never nothing none nobody".split())
_GERMAN_DEGREES = frozenset("so zu wie ebenso genauso".split())
_SLAVIC_BEFORE = frozenset(
    "не ни ні как так очень слишком столь более менее самое а если як так дуже занадто надто більш менш якщо".split()
)
_PARTICLES = frozenset("же ж бы б".split())
_GRADED = frozenset({"очень", "дуже"})
"""Groups that go with adjectives and adverbs only, although `very` alone goes with verbs too."""


def synonym_stays(word: Node, group: str, language: str) -> bool:
    """Is this word, which is in a group of synonyms, better left alone where it stands?"""
    guard = _GUARDS.get(language)
    return guard is not None and guard(word, group)


def _small(word: Node | None) -> str:
    return "" if word is None or word.is_root() else word.form.lower()


def _english(word: Node, group: str) -> bool:
    if word.upos == "NOUN":  # film and company are things that one has, too: take 35mm film, keep company
        owned = any(child.udeprel == "det" or child.deprel == "nmod:poss" for child in word.children)
        return word.feats.get("Number") == "Sing" and word.udeprel != "compound" and not owned
    if word.upos == "ADJ":
        graded = any(child.udeprel == "advmod" for child in word.children)
        head = word.parent
        fixed = head is not None and not head.is_root() and head.lemma.lower() in _ENGLISH_COMPANY
        return graded or word.udeprel in _NOMINAL or fixed or _small(word.prev_node) == "at"  # at large
    if word.upos == "VERB":
        needs = {child.udeprel for child in word.children}
        moved = any(child.form.lower() in _BY_CHANCE for child in word.children)
        return (word.lemma == "start" and "obj" in needs) or (group == "happen" and ("xcomp" in needs or moved))
    after = word.next_node
    if group == "however":
        return after is not None and after.upos in ("ADJ", "ADV")  # however hard
    return group == "almost" and _small(after) in _NOT_NEARLY


def _german(word: Node, group: str) -> bool:
    if group == "verschieden":
        return word.udeprel != "amod"
    if group in ("wichtig", "schnell"):
        return False
    if group == "sehr" and (_small(word.prev_node) in _GERMAN_DEGREES or not _grades(word)):
        return True
    if group == "nur" and word.sentence.words[-1].form == "?":
        return True  # Wie kann man nur
    return word.udeprel != "advmod"


def _grades(word: Node) -> bool:
    """Does it belong to an adjective or adverb?"""
    head = word.parent
    return head is not None and (head.upos in ("ADJ", "ADV", "DET") or head.feats.get("VerbForm") == "Part")


def _swedish(word: Node, group: str) -> bool:
    if _small(word.prev_node) in ("så", "hur", "lika", "alltför"):
        return True
    if group == "helt":
        return _small(word.next_node) == "enkelt"
    return group == "därför" and word.udeprel != "advmod"  # det är därför som


def _slavic(word: Node, group: str) -> bool:
    if _small(word.prev_node) in _SLAVIC_BEFORE or _small(word.next_node) in _PARTICLES:
        return True
    return any(child.udeprel == "advmod" for child in word.children) or (group in _GRADED and not _grades(word))


def _chinese(word: Node, group: str) -> bool:
    before, after = _small(word.prev_node), _small(word.next_node)
    if group == "always":  # 一直到, 一直打到: until
        second = word.next_node.next_node if word.next_node is not None else None
        return after[:1] in ("到", "至") or after.endswith("到") or _small(second)[:1] == "到"
    if group == "only":
        return after in ("不过", "不過")
    if group == "important":
        return before in ("至关", "至關")
    return group == "but" and before in ("只", "仅", "僅", "再")


def _japanese(word: Node, group: str) -> bool:
    if _small(word.next_node) in ("の", "と", "な"):
        return True
    head = word.parent
    helpers = [] if head is None or head.is_root() else head.children
    return group == "very" and any(child.lemma in ("ない", "ん", "ぬ", "まい") for child in helpers)  # とても…ない


_GUARDS: dict[str, Callable[[Node, str], bool]] = {
    "en": _english, "de": _german, "sv": _swedish, "ru": _slavic, "uk": _slavic, "zh": _chinese, "ja": _japanese,
}  # fmt: skip


class WordList:
    """The first word of the list that can be replaced, wherever it occurs in the sentence, in whatever case."""

    def __init__(self, name: str, settings: PerturbationSettings, words: Lexicon | None = None) -> None:
        self.name, self.language, self.split = name, settings.language, settings.split
        self.list = lexicon(settings.language, name) if words is None else words
        forms = list(self.list.by_form)
        # A form as the text may write it: in capitals, with one at the begin of a sentence, or as the list has it.
        written = {form.upper(): form for form in forms if len(form) > 1} | {capitalised(form): form for form in forms}
        self._written = written | {form: form for form in forms}
        divided = f"set={settings.split}" if self.list.divided else "set=all"
        self.signature = f"{name}(language={self.language},{divided})"

    def propose(self, sentence: Sentence) -> Proposal | Refusal:
        reasons = Counter[str]()
        free = editable(sentence)
        for word in sentence.words:
            if not self._known(word):
                continue
            if word.ord not in free:
                reasons["multiword token"] += 1
                continue
            outcome = self._proposed(sentence, word, free)
            if isinstance(outcome, Proposal):
                return outcome
            reasons[outcome.reason] += 1
        return Refusal(next(iter(reasons), "no match"))

    def _known(self, word: Node) -> bool:
        """Is its form in the list, for its part of speech?"""
        if word.form not in self._written:
            return False
        entries = self.list.by_form[self._written[word.form]]
        return any(word.upos in self.list.groups[entry.group].upos for entry in entries)

    def _proposed(self, sentence: Sentence, word: Node, free: set[int]) -> Proposal | Refusal:
        own_entry = self._entry(sentence, word)
        if isinstance(own_entry, Refusal):
            return own_entry
        if own_entry.lemma in self.list.groups[own_entry.group].fixed:
            return Refusal("fixed")
        if self.list.bound and any(node.deprel in _FIXED or node.udeprel in _FIXED for node in (word, *word.children)):
            return Refusal("modified")
        if self.name == "synonyms" and synonym_stays(word, own_entry.group, self.language):
            return Refusal("fixed")
        if self.name == "currencies":
            if why := money_stays(word, own_entry.group, self.language):
                return Refusal(why)
        elif self.list.unmodified and any(map(is_modifier, word.children)):
            return Refusal("modified")
        if self.name == "names" and not _is_part(word, own_entry.group, self.language):
            return Refusal("name part")
        if self.name == "places" and self.language == "ja" and _is_followed(word, _DISTRICTS):
            return Refusal("name part")
        same = [one for one in sentence.words if one.ord in free and self._known(one)]
        same = [one for one in same if one.ord == word.ord or self._entry(sentence, one) == own_entry]
        if self.name == "currencies":
            if own_entry.group == COUNTRY:
                same = [one for one in same if is_country_of_money(one)]
            if any(has_second_money(one, self._written, own_entry.forms) for one in same):
                return Refusal("modified")
            if own_entry.group == SHORT and any(map(has_full_stop, same)):
                return Refusal("fixed")
        if self.name == "synonyms":
            group = own_entry.group
            same = [one for one in same if one.ord == word.ord or not synonym_stays(one, group, self.language)]
        skipped, done = Counter[str](), []
        present = {one.form for one in sentence.words} if self.name in ("names", "places") else set[str]()
        for entry in self.list.groups[own_entry.group].entries:
            if entry == own_entry or not self._is_in_set(entry):
                continue
            if present.intersection(entry.forms):  # `Italy and Italy`
                skipped["present"] += 1
                continue
            changes = self._changes(sentence, same, own_entry, entry)
            if isinstance(changes, Refusal):
                skipped[changes.reason] += 1
            else:
                done.append(Replacement(entry.lemma, changes, entry.group))
        if not done:
            return Refusal(next(iter(skipped), "no value"))
        return Proposal(word.form, tuple(one.ord for one in same), done, skipped)

    def _is_in_set(self, entry: Entry) -> bool:
        return not self.list.divided or entry.number % 2 == (0 if self.split == "test" else 1)

    def _entry(self, sentence: Sentence, word: Node) -> Entry | Refusal:
        """The entry that the word is a form of."""
        feats = self._feats(sentence, word)
        form = self._written.get(word.form, "")
        entries = [e for e in self.list.by_form.get(form, ()) if word.upos in self.list.groups[e.group].upos]
        entries = [entry for entry in entries if compatible(self.list.groups[entry.group].feats, feats)]
        entries = [entry for entry in entries if self.list.fitting(entry, form, feats)]
        if not entries:
            return Refusal("agreement")
        if len(entries) > 1:
            entries = [entry for entry in entries if entry.lemma.lower() == word.lemma.lower()]
        return entries[0] if len(entries) == 1 else Refusal("ambiguous")

    def _feats(self, sentence: Sentence, word: Node) -> dict[str, str]:
        """In Chinese the script counts as a feature."""
        script = {"Script": script_of(sentence.text)} if self.language == "zh" else {}
        return {**word.feats, **script}

    def _changes(self, sentence: Sentence, words: list[Node], old: Entry, new: Entry) -> dict[int, Change] | Refusal:
        changes = {}
        for word in words:
            plain = self._written.get(word.form, "")
            form = self.list.form_in(new, self.list.fitting(old, plain, self._feats(sentence, word)))
            if form is None:
                return Refusal("no form")
            form = form if word.form == plain else styled(form, word.form)
            lemma = _lemma(word, old, new, form)
            if lemma is None:
                return Refusal("lemma")
            if not fits_before(word, form, self.language):
                return Refusal("agreement")
            changes[word.ord] = Change(form, lemma)
        return changes


names, places, currencies, synonyms = (
    partial(WordList, name) for name in ("names", "places", "currencies", "synonyms")
)


def _is_followed(word: Node, forms: frozenset[str]) -> bool:
    return word.next_node is not None and word.next_node.form in forms


_DISTRICTS = frozenset("都 道 府 県 市 区 町 村 駅".split())
"""After the name of a Japanese city: what it is, which another city may not be."""
_FIXED = ("fixed", "flat", "goeswith", "compound:prt")
"""Parts of expressions in which no other word will do: start up, due to, a great deal."""


def _is_part(word: Node, group: str, language: str) -> bool:
    """Is it the part of a name that its group says? Not Hermann in Winfried Hermann, nor Jackson in Jackson Pollock."""
    before, after = word.prev_node, word.next_node
    if language == "zh":  # 吴 is no family name in 吴语 and 吴军港
        modifier = word.udeprel in ("compound", "nmod") and after is not None and after == word.parent
        return group != "family" or not modifier
    if language == "ja":  # 田中 in 田中町 is a place
        if after is None or after != word.parent or word.udeprel != "compound" or after.upos != "NOUN":
            return True
        return after.form in _TITLES
    if group == "family":
        return not (after is not None and after.upos == "PROPN" and _belong(word, after))
    return not (before is not None and before.upos == "PROPN" and _belong(before, word))


_TITLES = frozenset(
    "さん 氏 様 君 くん ちゃん 先生 教授 博士 監督 選手 社長 部長 課長 会長 議員 首相 大臣 夫人 夫妻 家".split()
)


def _belong(first: Node, second: Node) -> bool:
    """Are these neighbours parts of one name?"""
    parts = ("flat", "compound", "appos")
    below = second.parent == first and second.udeprel in parts
    above = first.parent == second and first.udeprel in parts
    beside = second.udeprel == first.udeprel == "flat" and second.parent == first.parent
    return below or above or beside


def _lemma(word: Node, old: Entry, new: Entry, form: str) -> str | None:
    """The new lemma, written as the treebank writes lemmas; None where the old one is not what we know."""
    lemma = word.lemma
    if lemma == "_":
        return "_"
    if lemma == old.lemma:
        return new.lemma
    if lemma.lower() == old.lemma.lower():
        return new.lemma.lower() if lemma.islower() else new.lemma
    return form if lemma == word.form else None


_KEYS = frozenset("upos cells feats genitive divided unmodified bound groups note".split())
_GROUP_KEYS = frozenset("upos cells feats values fixed".split())
_TODO = "see docs/perturbations.md, A list of your own"


def list_from_file(path: str, settings: PerturbationSettings) -> WordList:
    """The list as a perturbation, named after its file."""
    data = file_bytes(path, "the list", _TODO)
    table = read_toml(data, path, _TODO)
    _check(table, path)
    try:
        words = lexicon_of(table)
    except (ValueError, TypeError, AttributeError) as error:
        raise InputError(f"the list cannot be used: {error}", where=path, todo=_TODO) from None
    for form in words.by_form:
        check_value(form, path)
    if any(entry.lemma == NO_FORM for group in words.groups.values() for entry in group.entries):
        raise InputError("the first form of a word is missing", where=path, todo=_TODO)
    made = WordList(PurePath(path).stem.replace(" ", "-"), settings, words)
    made.signature = f"{made.name}(file={digest(data)[:12]},set={settings.split if words.divided else 'all'})"
    return made


def _check(table: Mapping[str, Any], path: str) -> None:
    groups = table.get("groups")
    if not isinstance(groups, dict) or not groups or not all(isinstance(group, dict) for group in groups.values()):
        raise InputError("there are no groups of words in it", where=path, todo=_TODO)
    unknown = [key for key in table if key not in _KEYS]
    unknown += [f"{name}.{key}" for name, group in groups.items() for key in group if key not in _GROUP_KEYS]
    if unknown:
        raise InputError(f"unknown: {', '.join(unknown)}", where=path, todo=_TODO)
    for name, group in groups.items():
        values = group.get("values")
        if not isinstance(values, (str, list)) or not all(isinstance(value, str) for value in values):
            raise InputError(f"{name} has no values", where=path, todo="a string of words, or a list of strings")
