"""Names, places and currencies: words of a list give way to other words of their group, in the same form."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from .agreement import fits_before
from .currency_guards import (
    COUNTRY,
    SHORT,
    has_full_stop,
    has_second_money,
    is_country_of_money,
    is_modifier,
    money_stays,
)
from .edit import Change, Proposal, Refusal, Replacement
from .lexicon import Entry, Lexicon, compatible, lexicon
from .places import editable
from .script import script_of
from .synonym_guards import stays

if TYPE_CHECKING:
    from ..node import Node
    from ..sentence import Sentence
    from .registry import PerturbationSettings


class WordList:
    """The first word of the list that can be replaced, wherever it occurs in the sentence, in whatever case."""

    def __init__(self, name: str, settings: PerturbationSettings, words: Lexicon | None = None) -> None:
        self.name, self.language, self.split = name, settings.language, settings.split
        self.list = lexicon(settings.language, name) if words is None else words
        forms = list(self.list.by_form)
        # A form as the text may write it: in capitals, with one at the begin of a sentence, or as the list has it.
        written = {form.upper(): form for form in forms if len(form) > 1} | {_capitalised(form): form for form in forms}
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
        if self.list.bound and _is_bound(word):
            return Refusal("modified")
        if self.name == "synonyms" and stays(word, own_entry.group, self.language):
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
            same = [one for one in same if one.ord == word.ord or not stays(one, own_entry.group, self.language)]
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
            form = _styled(form, word.form, plain)
            lemma = _lemma(word, old, new, form)
            if lemma is None:
                return Refusal("lemma")
            if not fits_before(word, form, self.language):
                return Refusal("agreement")
            changes[word.ord] = Change(form, lemma)
        return changes


def names(settings: PerturbationSettings) -> WordList:
    return WordList("names", settings)


def places(settings: PerturbationSettings) -> WordList:
    return WordList("places", settings)


def currencies(settings: PerturbationSettings) -> WordList:
    return WordList("currencies", settings)


def synonyms(settings: PerturbationSettings) -> WordList:
    return WordList("synonyms", settings)


def _is_followed(word: Node, forms: frozenset[str]) -> bool:
    return word.next_node is not None and word.next_node.form in forms


_DISTRICTS = frozenset("都 道 府 県 市 区 町 村 駅".split())
"""After the name of a Japanese city: what it is, which another city may not be."""
_FIXED = ("fixed", "flat", "goeswith", "compound:prt")
"""Parts of expressions in which no other word will do: start up, due to, a great deal."""


def _is_bound(word: Node) -> bool:
    return any(node.deprel in _FIXED or node.udeprel in _FIXED for node in (word, *word.children))


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


def _styled(new: str, form: str, plain: str) -> str:
    """The new form in the capitals of the old one."""
    if form == plain:
        return new
    return new.upper() if form.isupper() and len(form) > 1 else _capitalised(new)


def _capitalised(form: str) -> str:
    return form[:1].upper() + form[1:]


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
