"""Suites of subject and object: base sentences from a lexicon, with combinations of properties, in all orders.

The plan says which base sentences a suite has, and which sets of properties each of them gets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import NamedTuple

from gardenpath.errors import InputError, UsageError, unknown_name
from gardenpath.suites import CONLLU, FREQUENT, ORDERS, RoleSuite, changed_words, content_words, from_conll

from .grammar import Clause, SentenceGrammar
from .language import chosen_language
from .lexicon import INSTITUTION, Lexicon, Noun, Triple, Verb, read_lexicon
from .variations import READINGS, TWINS, Base, Varier, combinations, written

_IDIOM_EVERY = 7
_PROV = frozenset(["prov"])


class Set(NamedTuple):
    """A clause with its properties, the orders it comes in, and its content words."""

    properties: frozenset[str]
    clause: Clause
    orders: tuple[str, ...]
    words: Counter[str]


class Plan:
    """Which base sentences there are, and which sets each of them gets."""

    def __init__(
        self, lexicon: Lexicon, grammar: SentenceGrammar, ambiguity: str, seed: int, per_base: int, one_word: bool
    ) -> None:
        self.lexicon, self.grammar, self.per_base, self.one_word = lexicon, grammar, per_base, one_word
        self.frequent = FREQUENT.get(lexicon.language, frozenset[str]())
        readings = READINGS.get(ambiguity, (False,))
        self.full, self.twins = all(readings), ambiguity == TWINS
        self.plural_share = grammar.language.plural_share["part" if self.twins else ambiguity]
        self.varier = Varier(lexicon, grammar, readings)
        self.chance = Random(f"{seed}/{ambiguity}/{lexicon.language}")
        pairs = combinations(ambiguity, grammar.language, grammar.tense)
        self.chance.shuffle(pairs)
        self.pairs = [pair for pair in pairs if "prov" not in pair]
        self.idiom_pairs = [pair for pair in pairs if "prov" in pair and "dat" not in pair]
        self.people = [noun for noun in lexicon.nouns if "human" in noun.classes]
        self.frames = self._frames()
        self.unmade: list[tuple[Base, frozenset[str]]] = []
        """Base sentences without any set, and listed variants of triples that could not be made."""
        self.used: Counter[frozenset[str]] = Counter()
        self.seen: set[tuple[str, ...]] = set()

    def _frames(self) -> list[tuple[Verb, Noun]]:
        """Verbs with an inanimate object that a person can do something to; every verb once, then every one again."""
        things = [noun for noun in self.lexicon.nouns if not noun.animate and INSTITUTION not in noun.classes]
        verbs = [verb for verb in self.lexicon.verbs if verb.case == "acc" and not verb.psych]
        self.chance.shuffle(verbs)
        objects, able = [], {noun.classes for noun in self.people}
        for verb in verbs:
            objects.append([noun for noun in things if any(verb.allows(classes, noun.classes) for classes in able)])
            self.chance.shuffle(objects[-1])
        rounds = range(max(map(len, objects), default=0))
        return [
            (verb, nouns[turn])
            for turn in rounds
            for verb, nouns in zip(verbs, objects, strict=True)
            if turn < len(nouns)
        ]

    def fill(self, size: float) -> list[tuple[Base, list[Set]]]:
        """Base sentences with their sets until there are enough; fewer where the lexicon has no more."""
        filled: list[tuple[Base, list[Set]]] = []
        total = 0
        for base in self._bases():
            sets = self._idiom_sets(base) if base.idiom is not None else self._sets(base)
            if base.triple or len(self.unmade) < _REASONS:
                self.unmade += [(base, names) for names in self._unmade(base, sets)]
            if sets:
                filled.append((base, sets))
                total += sum(len(one.orders) for one in sets)
            if total >= size:
                break
        return filled

    def _unmade(self, base: Base, sets: list[Set]) -> list[frozenset[str]]:
        """Return the missing variants of a base sentence: the plain one, or properties that its triple lists."""
        if not sets:
            return [] if base.idiom else [frozenset()]
        listed = (base.triple and base.triple.properties) or frozenset[str]()
        return [names for name in sorted(listed - ({"amb"} if self.twins else set()))
                if (names := frozenset([name])) not in {one.properties for one in sets}]  # fmt: skip

    def _bases(self) -> Iterator[Base]:
        """The triples of the lexicon; else every verb and object, then with other subjects, and idioms in between."""
        for triple in self.lexicon.triples:
            base = self._base(triple.subject, triple.verb, triple.object, triple)
            if self._set(base, frozenset()) is None:  # the plural may hide what the singular shows
                base.plural = not base.plural
                base.frames.clear()
            yield base
        if self.lexicon.triples or not self.people:
            return
        people = list(self.people)
        self.chance.shuffle(people)
        idioms = [base for base in self._idioms(people) if not self.twins and self._idiom_sets(base)]
        every = min(_IDIOM_EVERY, len(self.frames))
        for turn in range(len(people)):
            for number, (verb, object) in enumerate(self.frames):
                if idioms and number % every == every - 1:
                    yield idioms.pop()
                fitting = [noun for noun in people if verb.allows(noun.classes, object.classes)]
                if turn < len(fitting):
                    yield self._base(fitting[(number + turn) % len(fitting)], verb, object)

    def _idioms(self, people: list[Noun]) -> Iterator[Base]:
        """Base sentences that are idioms; their words are fixed, and nouns only fill the place."""
        idioms = list(self.lexicon.idioms)
        self.chance.shuffle(idioms)
        for idiom in idioms:
            base = self._base(people[0], idiom.verb, people[0])
            base.idiom = idiom
            yield base

    def _base(self, subject: Noun, verb: Verb, object: Noun, triple: Triple | None = None) -> Base:
        chance, lexicon = self.chance, self.lexicon
        base = Base(
            subject, verb, object, chance=chance,
            plural=chance.random() < self.plural_share,
            adverb=chance.choice(lexicon.adverbs or ("",)), conjunction=chance.choice(lexicon.conjunctions or ("",)),
            adjunct=chance.choice(lexicon.adjuncts or (None,)), name=chance.choice(lexicon.names or (None,)),
            triple=triple,
        )  # fmt: skip
        base.name = triple.name if triple and triple.name else base.name
        return base

    def reasons(self) -> list[str]:
        """Say what could not be made, and why, each reason once."""
        if self.unmade or self.lexicon.triples:
            known, reasons = frozenset[str]().union(*self.pairs), dict[str, None]()
            for base, names in self.unmade:
                words = f"{base.subject.lemma} – {base.verb.lemma} – {base.object.lemma}"
                why = self.varier.why_not(base, names) if names <= known else "not in such suites of this language"
                reasons[f"{words}, {written(names)}: {why.removeprefix(f'{words}: ')}"] = None
            return list(reasons)
        if not self.people:
            todo = 'write also = ["human"] at nouns that mean people'
            return [f"no noun is in the class human, of which the subjects of base sentences are: {todo}"]
        faults = []
        for verb in self.lexicon.verbs:
            subjects, objects = (frozenset[str]().union(*(getattr(role, side) for role in verb.roles))
                                 for side in ("subjects", "objects"))  # fmt: skip
            if verb.roles and not any(not subjects.isdisjoint(noun.classes) for noun in self.people):
                todo = 'add human to its roles, or also = ["human"] to nouns of these classes'
                faults.append(f"{verb.lemma}: no noun of {', '.join(sorted(subjects))} is in the class human; {todo}")
            elif verb.roles and not self.frames:
                faults.append(f"{verb.lemma}: {', '.join(sorted(objects))} has no noun that is not animate")
        return faults

    # ---- sets

    def _sets(self, base: Base) -> list[Set]:
        """The base case, and combinations of properties that are rare so far with what they are compared to."""
        plain = self._set(base, frozenset())
        if plain is None:
            return []
        chosen = {frozenset[str](): plain}
        failed: set[frozenset[str]] = set()
        taken = 0
        pairs = self.pairs
        if base.triple is not None:
            singles = [frozenset([name]) for name in sorted(frozenset[str]().union(*pairs))]
            listed = base.triple.properties
            pairs = [pair for pair in (*singles, *pairs) if listed is None or pair <= listed]
        for pair in sorted(pairs, key=self.used.__getitem__):
            if taken == self.per_base:
                break
            new = self._closed(base, pair, chosen, failed)
            if new:
                chosen.update(new)
                self.used[pair] += 1
                taken += 1
        if not taken:
            return []
        sets = [one for properties in chosen for one in self._with_twin(base, properties)]
        self.seen.update(self._key(one.clause) for one in sets)
        return sets

    def _closed(
        self, base: Base, pair: frozenset[str], chosen: dict[frozenset[str], Set], failed: set[frozenset[str]]
    ) -> dict[frozenset[str], Set]:
        """X-Y with X and Y, as far as they are not there; one of the two must be, to compare with."""
        new: dict[frozenset[str], Set] = {}
        for properties in (pair, *(frozenset([one]) for one in sorted(pair))):
            if properties in chosen:
                continue
            made = None if properties in failed else self._set(base, properties)
            if made is not None:
                new[properties] = made
                continue
            failed.add(properties)
            if properties == pair:
                return {}
        if self.one_word and any(_replaces_several(added, {**chosen, **new}) for added in new.values()):
            return {}
        keys = [self._key(one.clause) for name in (*chosen, *new) for one in self._with_twin(base, name)]
        alone = not any(frozenset([one]) in new or frozenset([one]) in chosen for one in pair)
        return {} if alone or len(set(keys)) < len(keys) else dict(sorted(new.items(), key=lambda item: len(item[0])))

    def _idiom_sets(self, base: Base) -> list[Set]:
        assert base.idiom is not None
        dative = base.idiom.verb.case == "dat"
        plain = self._set(base, _PROV | {"dat"} if dative else _PROV)
        if plain is None or (dative and self.full):
            return []
        others = [] if dative else [self._set(base, pair) for pair in self.idiom_pairs]
        return [plain, *(other for other in others if other is not None)]

    def _set(self, base: Base, properties: frozenset[str]) -> Set | None:
        """A set of these properties, which has an ambiguous twin in a suite of twins."""
        return next(iter(self._with_twin(base, properties)), None)

    def _with_twin(self, base: Base, properties: frozenset[str]) -> list[Set]:
        asked = [properties, properties | {"amb"}] if self.twins else [properties]
        made = [one for names in asked if (one := self._realised(base, names)) is not None]
        return made if len(made) == len(asked) else []

    def _realised(self, base: Base, properties: frozenset[str]) -> Set | None:
        clause = self.varier.clause(base, properties)
        if clause is None or self._key(clause) in self.seen:
            return None
        orders = self.grammar.orders(clause, self.full or "amb" in properties)
        if not orders:
            return None
        slots = self.grammar.lay_out(clause, next(iter(self.grammar.language.orders)), "", "")
        lemmas = (word.lemma.casefold() for slot in slots for word in slot.phrase)
        return Set(properties, clause, orders, content_words(lemmas, self.frequent))

    def _key(self, clause: Clause) -> tuple[str, ...]:
        """The words of a clause but for its preposition: no two sets of a suite share all of them."""
        grammar = self.grammar
        subject = grammar.phrase(clause.subject, grammar.language.cases[0])
        phrases = (subject, grammar.phrase(clause.object, clause.verb.case), grammar.verbs(clause))
        forms = (form for phrase in phrases for form in (*(word.form for word in phrase), ">"))
        return (*forms, clause.adjunct.noun if clause.adjunct else "")


def _replaces_several(added: Set, sets: Mapping[frozenset[str], Set]) -> bool:
    """Whether a set lacks more than one word of a set that it is compared to."""
    less = (sets.get(added.properties - {name}) for name in added.properties)
    return any((partner.words - added.words).total() > 1 for partner in less if partner is not None)


AMBIGUITIES = ("full", "part", "none", TWINS)
TENSES = ("present", "past")
_PER_BASE = (1, 3, 8, 20, 1000)
"""Combinations of properties that a base sentence gets: few, so that there are many base sentences; more if need be."""
_SMALL = 500
_USUAL = 2000
_REASONS = 5
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
    unmade: tuple[str, ...] = ()
    """Variants that the lexicon asks for and that cannot be made, with the reason."""

    def suite(self, name: str = "<generated>") -> RoleSuite:
        """The suite, read from the bytes."""
        return from_conll(self.data, name, format=CONLLU, language=self.language)


def generate_roles(
    language: str = "de",
    *,
    size: int | None = None,
    ambiguity: str = "part",
    lexicon: str | Path | Lexicon | None = None,
    grammar: str | Path | None = None,
    seed: int = 0,
    tense: str = "present",
    one_word: bool = False,
) -> Generated:
    """A suite of exactly `size` sentences; the same arguments give the same bytes.

    By default there are 2,000, or all that the triples of the lexicon give.

    `grammar` is a folder with a grammar and a lexicon of one's own; it says its language itself. With `one_word` there
    are only variants that replace at most one content word.
    """
    if ambiguity not in AMBIGUITIES:
        raise unknown_name("ambiguity", ambiguity, AMBIGUITIES)
    if tense not in TENSES:
        raise unknown_name("tense", tense, TENSES)
    if size is not None and size < 2:
        raise UsageError(f"a suite of {size} sentences has no pair", todo="ask for two or more")
    if size is not None and size > _MOST:
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
    wanted = size or (_MOST if words.triples else _USUAL)
    header = (
        f"language:{rules.code}|ambiguity:{ambiguity}|size:{size or ('all' if words.triples else wanted)}|seed:{seed}"
        f"|tense:{tense}|grammar:{rules.digest}|lexicon:{words.digest}" + "|pairs:one-word" * one_word
    )
    most, plan = 0, None
    for per_base in _PER_BASE[-1:] if words.triples else _PER_BASE[wanted > _SMALL :]:
        plan = Plan(words, SentenceGrammar(rules, tense), ambiguity, seed, per_base, one_word)
        bases = plan.fill(wanted)
        total = sum(len(one.orders) for _, sets in bases for one in sets)
        if total >= wanted:
            return _written(plan, _cut(bases, total, wanted), header)
        if bases and size is None and words.triples:
            return _written(plan, bases, header)
        most = max(most, total)
    assert plan is not None
    what = f"{wanted:,} sentences were asked for, this lexicon gives {most:,}"
    if size is None:
        what = "no sentence can be made of the triples" if words.triples else what
    todo = "ask for fewer, or add nouns and verbs to a lexicon (--grammar)"
    raise InputError(what, where=words.name, todo="\n  ".join([*plan.reasons()[:_REASONS], todo]))


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
    unmade = tuple(plan.reasons()) if plan.lexicon.triples else ()
    return Generated("".join(pieces).encode("utf-8"), language, number, len(bases), pairs, several, unmade)
