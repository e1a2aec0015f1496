"""The abstract German clause: words, phrases with roles, topological fields; and how it is laid out as a sentence.

One such structure is realised as a TIGER tree, as a TüBa-D/Z tree and as a UD tree.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

Role = Literal[
    "subject", "object", "indirect", "predicate", "oblique", "agent", "adverbial", "complement", "extraposed"
]


class Word:
    """A word form with its tags; its place and its UD head are set when the sentence is laid out and realised."""

    __slots__ = ("at", "deprel", "feats", "form", "head", "lemma", "upos", "xpos")

    def __init__(self, form: str, lemma: str, upos: str, xpos: str, feats: str = "_", deprel: str = "") -> None:
        self.form, self.lemma, self.upos, self.xpos, self.feats = form, lemma, upos, xpos, feats
        self.deprel = deprel
        """Set beforehand for auxiliaries, which differ in it: aux, aux:pass, cop."""
        self.at = -1
        self.head: Word | None = None

    def __repr__(self) -> str:
        return f"<{self.form}/{self.xpos}>"


@dataclass(slots=True, eq=False)
class Adjective:
    """Attributive or predicative, with an adverb of degree or without."""

    head: Word
    degree: Word | None = None


@dataclass(slots=True, eq=False)
class Adverb:
    head: Word


@dataclass(slots=True, eq=False)
class Nominal:
    """A noun or pronoun with what belongs to it. An extraposed relative clause also stands in the Nachfeld."""

    head: Word
    determiner: Word | None = None
    adjectives: list[Adjective | Coordination] = field(default_factory=list)
    genitive: Nominal | None = None
    attributes: list[Prepositional] = field(default_factory=list)
    relative: Clause | None = None
    extraposed: bool = False


@dataclass(slots=True, eq=False)
class Prepositional:
    preposition: Word
    nominal: Nominal | Coordination
    possessive: bool = False
    """A von-phrase that stands for a genitive: die Bürgermeisterin von Jena."""


@dataclass(slots=True, eq=False)
class Coordination:
    """Like conjuncts: nominals or adjectives."""

    conjuncts: list[Phrase]
    conjunction: Word


@dataclass(slots=True, eq=False)
class Verbal:
    """A verb phrase without a finite verb: a participle or an infinitive with zu."""

    parts: list[Part]
    verb: Word
    zu: Word | None = None


@dataclass(slots=True, eq=False)
class Unlike:
    """Coordination of unlike constituents: of a nominal, an adjective, a verb phrase or a clause, two of them."""

    conjuncts: list[Phrase]
    conjunction: Word


@dataclass(slots=True, eq=False)
class Clause:
    """A clause by its topological fields."""

    order: Literal["v2", "v1", "vl"]
    finite: Word
    middle: list[Part]
    front: Part | None = None
    """Of verb-second clauses: the Vorfeld."""
    complementiser: Word | None = None
    relative: Part | None = None
    """Of relative clauses: the phrase with the relative pronoun."""
    verbs: list[Word] = field(default_factory=list)
    """Without a finite one, the lexical verb first: gebaut worden."""
    particle: Word | None = None
    after: list[Part] = field(default_factory=list)
    """The Nachfeld."""
    passive: bool = False
    statal: bool = False
    """A passive with sein: ist geschlossen."""
    conjunction: Word | None = None
    later: Clause | None = None
    """A second conjunct that shares the subject and what else it lacks: a front, a complementiser."""

    def parts(self) -> list[Part]:
        """All parts in their order but what is extraposed, which belongs to its antecedent."""
        first = [part for part in (self.front, self.relative) if part is not None]
        return [*first, *self.middle, *(part for part in self.after if part.role != "extraposed")]

    @property
    def subject(self) -> Part | None:
        return next((part for part in self.parts() if part.role == "subject"), None)


@dataclass(slots=True, eq=False)
class Clauses:
    """Two whole clauses."""

    conjuncts: list[Clause]
    conjunction: Word


Phrase = Nominal | Prepositional | Adjective | Adverb | Coordination | Verbal | Unlike | Clause


@dataclass(slots=True, eq=False)
class Part:
    """A phrase in a field, with its role in the clause."""

    role: Role
    phrase: Phrase
    level: Literal["verb", "sentence"] = "verb"
    """What an adverbial belongs to: the verb and its phrase, or the sentence."""
    antecedent: Part | None = None
    """Of what is extraposed: the part that it belongs to."""


@dataclass(slots=True, eq=False)
class Sentence:
    root: Clause | Clauses
    words: list[Word]
    """All words and marks from left to right."""


def head(phrase: Phrase) -> Word:
    """The lexical head: of a PP its noun, of a coordination its first conjunct's."""
    if isinstance(phrase, Prepositional):
        return head(phrase.nominal)
    if isinstance(phrase, Coordination | Unlike):
        return head(phrase.conjuncts[0])
    if isinstance(phrase, Verbal):
        return phrase.verb
    if isinstance(phrase, Clause):
        return main(phrase)
    return phrase.head


def main(clause: Clause) -> Word:
    """The lexical predicate of a clause: after a copula the predicative, else the lowest verb."""
    for part in clause.middle:
        if part.role == "predicate":
            return head(part.phrase)
    return clause.verbs[0] if clause.verbs else clause.finite


def length(root: Clause | Clauses) -> int:
    """Of how many words and marks the sentence will be, nearly: commas that coincide count twice."""
    words: list[Word] = []
    for clause in root.conjuncts if isinstance(root, Clauses) else [root]:
        _clause(clause, words.append)
    return len(words) + 1


def laid_out(root: Clause | Clauses, mark: str = ".") -> Sentence:
    """The sentence: words in order, commas around subordinate clauses, a final mark, a capital at the beginning."""
    words: list[Word] = []
    out = words.append
    if isinstance(root, Clauses):
        first, second = root.conjuncts
        _clause(first, out)
        if root.conjunction.form in _AFTER_COMMA:
            _comma(second, out)
        out(root.conjunction)
        _clause(second, out)
        top = main(first)
    else:
        _clause(root, out)
        top = main(root)
    kept: list[Word] = []
    for word in words:
        if word.xpos != "$," or (kept and kept[-1].xpos != "$,"):
            kept.append(word)
    if kept[-1].xpos == "$,":
        kept.pop()
    stop = Word(mark, mark, "PUNCT", "$.", "_", "punct")
    stop.head = top
    kept.append(stop)
    for at, word in enumerate(kept):
        word.at = at
    first_word = kept[0]
    first_word.form = first_word.form[0].upper() + first_word.form[1:]
    return Sentence(root, kept)


_AFTER_COMMA = ("aber", "denn", "doch")
Out = Callable[[Word], None]


def _comma(clause: Clause | Verbal, out: Out) -> None:
    comma = Word(",", ",", "PUNCT", "$,", "_", "punct")
    comma.head = head(clause)
    out(comma)


def _clause(clause: Clause, out: Out) -> None:
    if clause.front is not None:
        _phrase(clause.front.phrase, out)
    if clause.complementiser is not None:
        out(clause.complementiser)
    if clause.relative is not None:
        _phrase(clause.relative.phrase, out)
    if clause.order != "vl":
        out(clause.finite)
    for part in clause.middle:
        _phrase(part.phrase, out)
    for verb in clause.verbs:
        out(verb)
    if clause.particle is not None:
        out(clause.particle)
    if clause.order == "vl":
        out(clause.finite)
    for part in clause.after:
        _phrase(part.phrase, out)
    if clause.later is not None:
        assert clause.conjunction is not None
        out(clause.conjunction)
        _clause(clause.later, out)


def _phrase(phrase: Phrase, out: Out) -> None:
    if isinstance(phrase, Nominal):
        _nominal(phrase, out)
    elif isinstance(phrase, Prepositional):
        out(phrase.preposition)
        _phrase(phrase.nominal, out)
    elif isinstance(phrase, Adjective):
        if phrase.degree is not None:
            out(phrase.degree)
        out(phrase.head)
    elif isinstance(phrase, Adverb):
        out(phrase.head)
    elif isinstance(phrase, Coordination | Unlike):
        *early, last = phrase.conjuncts
        for part in early:
            _phrase(part, out)
        out(phrase.conjunction)
        if isinstance(last, Clause):  # no comma between und and dass
            _clause(last, out)
            _comma(last, out)
        else:
            _phrase(last, out)
    elif isinstance(phrase, Verbal):
        _verbal(phrase, out)
    else:
        _comma(phrase, out)
        _clause(phrase, out)
        _comma(phrase, out)


def _nominal(nominal: Nominal, out: Out) -> None:
    if nominal.determiner is not None:
        out(nominal.determiner)
    for adjective in nominal.adjectives:
        _phrase(adjective, out)
    out(nominal.head)
    if nominal.genitive is not None:
        _nominal(nominal.genitive, out)
    for attribute in nominal.attributes:
        _phrase(attribute, out)
    if nominal.relative is not None and not nominal.extraposed:
        _phrase(nominal.relative, out)


def _verbal(phrase: Verbal, out: Out) -> None:
    for part in phrase.parts:
        _phrase(part.phrase, out)
    if phrase.zu is not None:
        out(phrase.zu)
    out(phrase.verb)
