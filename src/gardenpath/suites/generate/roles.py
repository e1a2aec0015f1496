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
from .dutch import Dutch
from .entries import Lexicon
from .frames import Base
from .german import German
from .grammar import SentenceGrammar, Tense, rows
from .lexicon import bundled_lexicon, read_lexicon
from .plan import Plan, Set
from .properties import written

AMBIGUITIES = ("full", "part", "none")
TENSES = ("present", "past")
_GRAMMARS: dict[str, type[SentenceGrammar]] = {"de": German, "nl": Dutch}
_PER_BASE = (1, 3, 8, 20, 1000)
"""Combinations of properties that a base sentence gets: few, so that there are many base sentences; more if need be."""
_SMALL = 500
_MOST = 1_000_000
_PLACE = {order: number for number, order in enumerate(ORDERS, 1)}


@dataclass(frozen=True, slots=True)
class Generated:
    """A suite as CoNLL-U, and what was built."""

    data: bytes
    language: str
    sentences: int
    bases: int
    pairs: int
    """Minimal pairs: items of one base sentence that differ in exactly one of order or property."""

    def suite(self, name: str = "<generated>") -> RoleSuite:
        """The suite, read from the bytes."""
        return from_conll(self.data, name, format=CONLLU, language=self.language)


def generate_roles(
    language: str = "de",
    *,
    size: int = 2000,
    ambiguity: str = "part",
    lexicon: str | Path | Lexicon | None = None,
    seed: int = 0,
    tense: str = "present",
) -> Generated:
    """A suite of exactly `size` sentences; the same arguments give the same bytes."""
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
    words = lexicon if isinstance(lexicon, Lexicon) else read_lexicon(lexicon or bundled_lexicon(language))
    if language not in _GRAMMARS:
        bundled_lexicon(language)
    if words.language != language:
        todo = f"say --language {words.language}, or take another lexicon"
        raise UsageError(f"the lexicon is in {words.language!r}, not in {language!r}", where=words.name, todo=todo)
    header = f"language:{language}|ambiguity:{ambiguity}|size:{size}|seed:{seed}|tense:{tense}|lexicon:{words.digest}"
    past: Tense = "past" if tense == "past" else "present"
    most = 0
    for per_base in _PER_BASE[size > _SMALL :]:
        plan = Plan(words, _GRAMMARS[language](), ambiguity, seed, per_base)
        bases = plan.fill(size)
        total = sum(len(one.orders) for _, sets in bases for one in sets)
        if total >= size:
            return _written(plan, _cut(bases, total, size), header, past)
        most = max(most, total)
    what = f"{size:,} sentences were asked for, this lexicon gives {most:,}"
    raise InputError(what, where=words.name, todo="ask for fewer, or add nouns and verbs to a lexicon (--lexicon)")


def _cut(bases: list[tuple[Base, list[Set]]], total: int, size: int) -> list[tuple[Base, list[Set]]]:
    """Exactly `size` sentences: the last base sentence gives some of its own, but never all but one."""
    base, sets = bases.pop()
    room = size - (total - sum(len(one.orders) for one in sets))
    if room == 1 and bases:
        other, before = bases[-1]
        bases[-1] = (other, _shorter(before, sum(len(one.orders) for one in before) - 1))
        room = 2
    return [*bases, (base, _shorter(sets, room))]


def _shorter(sets: list[Set], room: int) -> list[Set]:
    kept = []
    for one in sets:
        if room > 0:
            kept.append(one._replace(orders=one.orders[:room]))
            room -= len(one.orders)
    return kept


def _written(plan: Plan, bases: list[tuple[Base, list[Set]]], header: str, tense: Tense) -> Generated:
    """CoNLL-U: order, properties and base in comments, fields in MISC."""
    full, language = plan.full, plan.lexicon.language
    pieces = [f"# generated = {header}\n# ambiguity = {'full' if full else 'part'}\n"]
    stop, question = (plan.grammar.uninflected(form, "PUNCT") for form in ".?")
    number = pairs = 0
    for count, (base, sets) in enumerate(bases, 1):
        orders = {one.properties: set(one.orders) for one in sets}
        for one in sets:
            props = written(one.properties)
            pairs += len(one.orders) * (len(one.orders) - 1) // 2
            for name in one.properties:
                pairs += len(orders[one.properties] & orders.get(one.properties - {name}, set()))
            for order in one.orders:
                number += 1
                mark = question if order.startswith("LK") else stop
                slots = plan.grammar.lay_out(one.clause, order, base.adverb, base.conjunction, tense)
                forms = [word.form for slot in slots for word in slot.phrase]
                text = " ".join(forms) + mark.form
                pieces.append(
                    f"# sent_id = {language}-{count:04d}-{props}-{_PLACE[order]}\n"
                    f"# text = {text[0].upper()}{text[1:]}\n"
                    f"# base = {count:04d}\n# order = {order}\n# props = {props}\n"
                )
                pieces += rows(slots, mark)
                pieces.append("\n")
    return Generated("".join(pieces).encode("utf-8"), language, number, len(bases), pairs)
