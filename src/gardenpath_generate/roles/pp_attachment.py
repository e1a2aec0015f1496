"""Suites of PP attachment, like PPATS: the same words before the PP, and a noun in it that says what it belongs to.

*Er öffnet den Koffer mit dem Schlüssel*: done with the key. *Er öffnet den Koffer mit dem Henkel*: the suitcase has
the handle. Only the meaning of one noun differs, and with it the head of the PP.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from random import Random
from typing import NamedTuple

from gardenpath.errors import InputError, UsageError
from gardenpath.suites import FREQUENT, changed_words, content_words

from .grammar import Argument, Clause, Phrase, SentenceGrammar, Slot, Token
from .language import AttachmentRules, chosen_language
from .lexicon import Action, Attachments, Noun, read_lexicon
from .subject_object import Generated

ATTACHMENT = "attachment.toml"
_MARK = "."
_SEQUENCE = ("1head", "3head", "ppfronted", "pdan", "nounheadedpp")
_APART = (frozenset(["1head", "3head"]), frozenset(["1head", "nounheadedpp"]), frozenset(["ppfronted", "nounheadedpp"]))
"""What cannot be together: a PP without another noun, or in front, belongs to the verb."""
PROPERTY_SETS = (
    frozenset[str](),
    *(frozenset([name]) for name in _SEQUENCE),
    *(frozenset(pair) for pair in combinations(_SEQUENCE, 2) if frozenset(pair) not in _APART),
)


class _Base(NamedTuple):
    """A base sentence: its words, and those that its variants have."""

    action: Action
    subject: Noun
    part: Noun
    recipient: Noun
    adjective: tuple[str, str]


def generate_pp(
    language: str = "de",
    *,
    size: int = 500,
    lexicon: str | Path | None = None,
    grammar: str | Path | None = None,
    seed: int = 0,
) -> Generated:
    """A suite of exactly `size` sentences; the same arguments give the same bytes."""
    home = chosen_language(language, grammar)
    # One's own, else the file beside the grammar's lexicon, else that lexicon itself.
    beside = home.lexicon.with_name(ATTACHMENT)
    path = lexicon or (beside if beside.is_file() else home.lexicon)
    words = read_lexicon(path, home if bool(grammar) else None)
    rules = home.language
    if words.attachments is None or rules.attachment is None:
        missing = "lexicon" if rules.attachment else "grammar"
        todo = f"add [attachment] to its {missing}: docs/grammars.md shows how"
        raise UsageError(f"{rules.name} has no PP attachment", todo=todo)
    if size < 2:
        raise UsageError(f"a suite of {size} sentences has no pair", todo="ask for two or more")
    maker = _Maker(SentenceGrammar(rules), rules.attachment, words.attachments)
    made = maker.suite(_bases(words.attachments, Random(f"{seed}/pp/{rules.code}")), size)
    if made.sentences < size:
        what = f"{size:,} sentences were asked for, this lexicon gives {made.sentences:,}"
        raise InputError(what, where=words.name, todo="ask for fewer, or add actions and parts to a lexicon")
    facts = f"kind:pp|size:{size}|seed:{seed}|grammar:{rules.digest}|lexicon:{words.digest}"
    return replace(made, data=f"# generated = language:{rules.code}|{facts}\n".encode() + made.data)


def _bases(words: Attachments, chance: Random) -> Iterator[_Base]:
    """Every action with each subject, in an order that chance decides; things without parts have no pair."""
    actions = [action for action in words.actions if action.object.lemma in words.parts]
    chance.shuffle(actions)
    for turn in range(len(words.subjects)):
        for number, action in enumerate(actions):
            subject = words.subjects[(number + turn) % len(words.subjects)]
            parts = [part for part in words.parts[action.object.lemma] if part != action.instrument]
            recipients = [noun for noun in words.recipients if noun != subject] or [subject]
            yield _Base(action, subject, chance.choice(parts), chance.choice(recipients),
                        chance.choice(words.adjectives or (("", ""),)))  # fmt: skip


def _fitting(base: _Base) -> Iterator[frozenset[str]]:
    for properties in PROPERTY_SETS:
        if "1head" in properties and not base.action.omits:
            continue
        if "3head" in properties and not base.action.recipient:
            continue
        if "pdan" not in properties or base.adjective[0]:
            yield properties


def _lemmas(slots: Iterable[Slot]) -> Iterator[str]:
    return (word.lemma.casefold() for slot in slots for word in slot.phrase)


class _Maker:
    """Makes the clauses of a base sentence."""

    def __init__(self, grammar: SentenceGrammar, rules: AttachmentRules, words: Attachments) -> None:
        self.grammar, self.rules, self.words = grammar, rules, words
        self.frequent = FREQUENT.get(grammar.language.code, frozenset[str]())

    def suite(self, bases: Iterable[_Base], size: int) -> Generated:
        """So many sentences of these base sentences, fewer where there are no more; none of them twice."""
        pieces, seen = list[str](), set[str]()
        sentences = pairs = several = used = 0
        for base in bases:
            room = size - sentences
            if not room:
                break
            made = {properties: self.slots(base, properties) for properties in _fitting(base)}
            new = [properties for properties, slots in made.items() if self.text(slots) not in seen]
            kept = new[: len(new) - 1 if len(new) == room - 1 else room]  # a last sentence alone would have no pair
            used += 1
            contents = {properties: content_words(_lemmas(made[properties]), self.frequent) for properties in kept}
            for properties in kept:
                changed = {
                    name: changed_words(contents[properties - {name}], contents[properties])
                    for name in sorted(properties)
                    if properties - {name} in contents
                }
                pairs += len(changed)
                several += sum(count > 1 for count in changed.values())
                seen.add(self.text(made[properties]))
                pieces += self.written(made[properties], used, properties, changed)
            sentences += len(kept)
        data = "".join(pieces).encode("utf-8")
        return Generated(data, self.grammar.language.code, sentences, used, pairs, several)

    def slots(self, base: _Base, properties: frozenset[str]) -> list[Slot]:
        """The phrases of the sentence; the PP of a noun is in the noun's phrase."""
        grammar, action, first = self.grammar, base.action, self.grammar.language.cases[0]
        subject = grammar.pronoun(base.subject, "Sing", "subject", False)
        assert subject is not None
        things = {noun: Argument("noun", "Sing", noun, "def") for noun in (action.object, base.recipient)}
        clause = Clause(subject, action.verb, things[action.object])
        of_noun = "nounheadedpp" in properties
        phrase = self._pp(base.part if of_noun else action.instrument, base.adjective, "pdan" in properties)
        object = grammar.phrase(things[action.object], action.verb.case)
        receiving = "dat" if "dat" in grammar.language.cases else "acc"
        if of_noun:
            object = (*object, *_nested(phrase))
        parts = {
            "S": (grammar.phrase(subject, first), "nsubj"), "V": (grammar.verbs(clause), ""),
            "O": (object, "obj"), "P": (phrase, "obl"),
            "I": (grammar.phrase(things[base.recipient], receiving), self.rules.recipient),
        }  # fmt: skip
        absent = {"P"} if of_noun else set[str]()
        absent |= {"I"} if "3head" not in properties else set()
        absent |= {"O"} if "1head" in properties else set()
        layout = self.rules.fronted if "ppfronted" in properties else self.rules.layout
        return [Slot(*parts[name], field) for field, name in layout if name not in absent]

    def _pp(self, noun: Noun, adjective: tuple[str, str], with_adjective: bool) -> Phrase:
        *determiner, head = self.grammar.phrase(Argument("noun", "Sing", noun, "def"), self.words.case)
        preposition = self.grammar.preposition(self.words.preposition)
        between = [self.grammar.adjective(adjective, noun, self.words.case)] if with_adjective else []
        return (preposition, *determiner, *between, head)

    def written(
        self, slots: list[Slot], base: int, properties: frozenset[str], changed: Mapping[str, int]
    ) -> Iterator[str]:
        """A sentence as CoNLL-U."""
        names = sorted(properties, key=_SEQUENCE.index)
        props = "-".join(names if len(names) > 1 else ("base", *(names or ["2head"])))
        yield f"# sent_id = {self.grammar.language.code}-pp-{base:04d}-{props}\n"
        yield f"# text = {self.text(slots)}\n# base = {base:04d}\n"
        if changed:
            yield f"# changed = {' '.join(f'{name}:{count}' for name, count in changed.items())}\n"
        yield f"# props = {props}\n"
        yield from self.grammar.rows(slots, _MARK)
        yield "\n"

    def text(self, slots: list[Slot]) -> str:
        return self.grammar.text(slots, _MARK)


def _nested(phrase: Phrase) -> Iterator[Token]:
    """The words of a PP inside the phrase of a noun."""
    last = len(phrase) - 1
    for place, word in enumerate(phrase):
        yield word._replace(up=last - place) if place < last else word._replace(deprel="nmod")
