"""Suites of subject and object: base sentences from a lexicon, with combinations of properties, in all orders.

Order, properties and base sentence are in the comments of each sentence, topological fields in MISC.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ...errors import InputError, UsageError, unknown_name
from ..conll import CONLLU, from_conll
from ..model import RoleSuite
from ..names import ORDERS
from ..pairs import changed_words
from .entries import Lexicon
from .frames import Base
from .grammar import SentenceGrammar
from .languages import chosen_language
from .lexicon import read_lexicon
from .plan import Plan, Set
from .properties import written

AMBIGUITIES = ("full", "part", "none")
TENSES = ("present", "past")
_PER_BASE = (1, 3, 8, 20, 1000)
"""Combinations of properties that a base sentence gets: few, so that there are many base sentences; more if need be."""
_SMALL = 500
_MOST = 1_000_000
_PLACES = {order: number for number, order in enumerate(ORDERS, 1)}


@dataclass(frozen=True, slots=True)
class Generated:
    """A suite as CoNLL-U, and what was built."""

    data: bytes
    language: str
    sentences: int
    bases: int
    pairs: int
    """Minimal pairs: items of one base sentence that differ in exactly one of order or property."""
    several_words: int
    """Those among them in which more than one content word differs."""

    def suite(self, name: str = "<generated>") -> RoleSuite:
        """The suite, read from the bytes."""
        return from_conll(self.data, name, format=CONLLU, language=self.language)


def generate_roles(
    language: str = "de",
    *,
    size: int = 2000,
    ambiguity: str = "part",
    lexicon: str | Path | Lexicon | None = None,
    grammar: str | Path | None = None,
    seed: int = 0,
    tense: str = "present",
    one_word: bool = False,
) -> Generated:
    """A suite of exactly `size` sentences; the same arguments give the same bytes.

    `grammar` is a folder with a grammar and a lexicon of one's own; it says its language itself. With `one_word` there
    are only variants that replace at most one content word.
    """
    if ambiguity not in AMBIGUITIES:
        raise unknown_name("ambiguity", ambiguity, AMBIGUITIES)
    if tense not in TENSES:
        raise unknown_name("tense", tense, TENSES)
    if size < 2:
        raise UsageError(f"a suite of {size} sentences has no pair", todo="ask for two or more")
    if size > _MOST:
        raise UsageError(
            f"{size:,} sentences are too many at once", todo=f"ask for at most {_MOST:,}, with several seeds"
        )
    home = chosen_language(language, grammar)
    rules = home.language
    if tense not in rules.verbs.tenses:
        raise unknown_name(f"tense of {rules.name}", tense, rules.verbs.tenses)
    words = (
        lexicon if isinstance(lexicon, Lexicon) else read_lexicon(lexicon or home.lexicon, home if grammar else None)
    )
    if words.language != rules.code:
        todo = f"say --language {words.language}, or take another lexicon"
        raise UsageError(f"the lexicon is in {words.language!r}, not in {rules.code!r}", where=words.name, todo=todo)
    header = (
        f"language:{rules.code}|ambiguity:{ambiguity}|size:{size}|seed:{seed}|tense:{tense}|grammar:{rules.digest}"
        f"|lexicon:{words.digest}" + "|pairs:one-word" * one_word
    )
    most = 0
    for per_base in _PER_BASE[size > _SMALL :]:
        plan = Plan(words, SentenceGrammar(rules, tense), ambiguity, seed, per_base, one_word)
        bases = plan.fill(size)
        total = sum(len(one.orders) for _, sets in bases for one in sets)
        if total >= size:
            return _written(plan, _cut(bases, total, size), header)
        most = max(most, total)
    what = f"{size:,} sentences were asked for, this lexicon gives {most:,}"
    raise InputError(what, where=words.name, todo="ask for fewer, or add nouns and verbs to a lexicon (--lexicon)")


def _cut(bases: list[tuple[Base, list[Set]]], total: int, size: int) -> list[tuple[Base, list[Set]]]:
    """Exactly `size` sentences: the last base sentence gives some of its own, but never all but one."""
    base, sets = bases.pop()
    room = size - (total - sum(len(one.orders) for one in sets))
    if room == 1 and bases:
        last_base, before = bases[-1]
        bases[-1] = (last_base, _shorter(before, sum(len(one.orders) for one in before) - 1))
        room = 2
    return [*bases, (base, _shorter(sets, room))]


def _shorter(sets: list[Set], room: int) -> list[Set]:
    kept = []
    for pair_set in sets:
        if room > 0:
            kept.append(pair_set._replace(orders=pair_set.orders[:room]))
            room -= len(pair_set.orders)
    return kept


def _written(plan: Plan, bases: list[tuple[Base, list[Set]]], header: str) -> Generated:
    """CoNLL-U: order, properties, base and how many words each property changed in comments, fields in MISC."""
    full, language = plan.full, plan.lexicon.language
    pieces = [f"# generated = {header}\n# ambiguity = {'full' if full else 'part'}\n"]
    rules = plan.grammar.language.orders
    places = {order: _PLACES.get(order, number) for number, order in enumerate(rules, 1)}
    number = pairs = several = 0
    for count, (base, sets) in enumerate(bases, 1):
        by_properties = {variant.properties: variant for variant in sets}
        for variant in sets:
            props, changed = written(variant.properties), {}
            pairs += len(variant.orders) * (len(variant.orders) - 1) // 2
            for name in sorted(variant.properties):
                if partner := by_properties.get(variant.properties - {name}):
                    shared = len(set(variant.orders) & set(partner.orders))
                    changed[name] = changed_words(partner.words, variant.words)
                    pairs += shared
                    several += shared * (changed[name] > 1)
            counts = " ".join(f"{name}:{count}" for name, count in changed.items())
            counted = f"# changed = {counts}\n" if counts else ""
            for order in variant.orders:
                number += 1
                slots = plan.grammar.lay_out(variant.clause, order, base.adverb, base.conjunction)
                pieces.append(
                    f"# sent_id = {language}-{count:04d}-{props}-{places[order]}\n"
                    f"# text = {plan.grammar.text(slots, rules[order].mark)}\n"
                    f"# base = {count:04d}\n{counted}# order = {order}\n# props = {props}\n"
                )
                pieces += plan.grammar.rows(slots, rules[order].mark)
                pieces.append("\n")
    return Generated("".join(pieces).encode("utf-8"), language, number, len(bases), pairs, several)
