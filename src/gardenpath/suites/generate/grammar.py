"""What the languages share: phrases of tagged words, clauses, and how a clause is laid out in each order."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from .entries import Adjunct, Fixed, Name, Noun, Number, Verb

Kind = Literal["noun", "name", "pronoun", "negative", "nothing", "nobody", "fixed"]
Tense = Literal["present", "past"]
SUBJECT_FIRST = ("VF[S]LK[V]MF[O]", "VF[ADV]LK[V]MF[SO]", "LK[V]MF[SO]", "MF[SO]VC[V]")
OBJECT_IN_FRONT = "VF[O]LK[V]MF[S]"
OBJECT_FIRST = ("VF[ADV]LK[V]MF[OS]", "LK[V]MF[OS]", "MF[OS]VC[V]")
"""Object before subject in the middle field."""


class Token(NamedTuple):
    form: str
    columns: str
    """LEMMA, UPOS, XPOS and FEATS with tabs between."""
    deprel: str = ""
    """Empty for the head of the phrase: the clause says what it is."""


Phrase = tuple[Token, ...]
"""Words; the last one without a deprel is the head of the others."""


@dataclass(frozen=True, slots=True)
class Argument:
    """A subject or object before it has a case."""

    kind: Kind
    number: Number = "Sing"
    noun: Noun | None = None
    article: Literal["def", "indef", "neg", "none"] = "def"
    name: Name | None = None
    fixed: Fixed | None = None

    @property
    def pronominal(self) -> bool:
        """A personal pronoun: it stands at the left edge of the middle field."""
        return self.kind == "pronoun"


@dataclass(frozen=True, slots=True)
class Clause:
    """Subject, verb and object, with what the properties added."""

    subject: Argument
    verb: Verb
    object: Argument
    auxiliary: bool = False
    adjunct: Adjunct | None = None
    inverted: bool = False
    """The object is the more agentive one (psych verbs and the like): it may come first in the middle field."""


class Slot(NamedTuple):
    """A phrase in a clause: what its head is to the main verb (empty: it is the main verb), and its field."""

    phrase: Phrase
    label: str
    field: str


class SentenceGrammar(ABC):
    """The morphology of a language and what its word order allows."""

    language: str
    dative: bool
    """Whether there are verbs with dative objects."""
    future: str
    """The auxiliary of the future."""
    auxiliaries: Mapping[tuple[str, str], str]
    """Their finite forms, by lemma and number."""
    tags: Mapping[str, str] = {}
    """XPOS of verbs by form (finite, auxiliary, infinitive, participle), and of ADV, SCONJ and PUNCT."""
    agreement: str
    """Features of a finite verb, with places for number and tense."""

    # ---- words

    @abstractmethod
    def phrase(self, argument: Argument, case: str) -> Phrase:
        """The words of an argument in nom, acc or dat."""

    @abstractmethod
    def adjunct(self, adjunct: Adjunct) -> Phrase: ...

    def finite(self, verb: Verb, number: Number, tense: Tense) -> Token:
        form = verb.past[number == "Plur"] if tense == "past" else verb.present if number == "Sing" else verb.lemma
        return self._verb(form, verb.lemma, "VERB", "finite", self._agreement(number, tense))

    def complex(self, verb: Verb, number: Number, tense: Tense) -> tuple[Token, Token]:
        """Auxiliary and main verb: the future of the present, the perfect of the past."""
        helper = self.future if tense == "present" else verb.auxiliary
        agreement = self._agreement(number, "present")
        auxiliary = self._verb(self.auxiliaries[helper, number], helper, "AUX", "auxiliary", agreement)
        if tense == "present":
            return auxiliary, self._verb(verb.lemma, verb.lemma, "VERB", "infinitive", "VerbForm=Inf")
        return auxiliary, self._verb(verb.participle, verb.lemma, "VERB", "participle", "VerbForm=Part")

    def _verb(self, form: str, lemma: str, upos: str, kind: str, feats: str) -> Token:
        return Token(form, f"{lemma}\t{upos}\t{self.tags.get(kind, '_')}\t{feats}")

    def _agreement(self, number: Number, tense: Tense) -> str:
        return self.agreement.format(number, "Pres" if tense == "present" else "Past")

    def uninflected(self, form: str, upos: str) -> Token:
        """An adverb (ADV), a conjunction (SCONJ) or a mark (PUNCT), which have one form."""
        return Token(form, f"{form}\t{upos}\t{self.tags.get(upos, '_')}\t_")

    # ---- what tells subject from object

    @abstractmethod
    def numbers(
        self, subject: Noun, object: Noun, ambiguous: bool, plural: bool
    ) -> Iterator[tuple[Noun, Number, Noun, Number]]:
        """Forms in which the nouns may appear, the preferred first; `plural`: a plural subject is preferred."""

    @abstractmethod
    def pronoun(self, noun: Noun, number: Number, role: str, ambiguous: bool) -> Argument | None:
        """The personal pronoun for a noun as subject or object; None where no form does what is asked."""

    @abstractmethod
    def tells(self, clause: Clause) -> bool:
        """Whether the forms of subject and object (in Dutch: also of the verb) say which is which."""

    def undecided(self, clause: Clause) -> bool:
        """Whether neither case nor agreement says which is which."""
        return not self.tells(clause) and clause.subject.number == clause.object.number

    @abstractmethod
    def orders(self, clause: Clause, ambiguous: bool) -> tuple[str, ...]:
        """The orders in which the clause is grammatical."""

    # ---- layout

    verb_cluster: Literal["main-first", "auxiliary-first"]

    def lay_out(self, clause: Clause, order: str, adverb: str, conjunction: str, tense: Tense) -> list[Slot]:
        """The phrases of the clause in this order, without the final mark."""
        subject = Slot(self.phrase(clause.subject, "nom"), "nsubj", "")
        object = Slot(self.phrase(clause.object, clause.verb.case), "obj", "")
        front = {"VF[S]": subject, "VF[O]": object}.get(order[:5])
        inner = [(subject, clause.subject), (object, clause.object)]
        if order in OBJECT_FIRST:
            inner.reverse()
        middle = self._middle([(slot, one) for slot, one in inner if slot is not front], clause, order)
        if clause.auxiliary:
            helper, main = self.complex(clause.verb, clause.subject.number, tense)
            finite, cluster = Slot((helper,), "aux", ""), [Slot((main,), "", "VC")]
        else:
            finite, cluster = Slot((self.finite(clause.verb, clause.subject.number, tense),), "", ""), []
        if order.startswith("MF"):
            last = finite._replace(field="VC")
            cluster = [*cluster, last] if self.verb_cluster == "main-first" else [last, *cluster]
            return [Slot((self.uninflected(conjunction, "SCONJ"),), "mark", "C"), *middle, *cluster]
        opening = [front._replace(field="VF")] if front else []
        if order.startswith("VF[ADV]"):
            opening = [Slot((self.uninflected(adverb, "ADV"),), "advmod", "VF")]
        return [*opening, finite._replace(field="LK"), *middle, *cluster]

    def _middle(self, inner: list[tuple[Slot, Argument]], clause: Clause, order: str) -> list[Slot]:
        middle = [slot._replace(field="MF") for slot, _ in inner]
        if clause.adjunct is not None:
            place = self.adjunct_place([one for _, one in inner], order)
            middle.insert(place, Slot(self.adjunct(clause.adjunct), "obl", "MF"))
        return middle

    def adjunct_place(self, inner: list[Argument], order: str) -> int:
        """Before the last argument; personal pronouns and names do not let it pass."""
        if inner[-1].pronominal or (len(inner) == 1 and inner[0].kind == "name"):
            return len(inner)
        return len(inner) - 1


def rows(slots: list[Slot], mark: Token) -> list[str]:
    """CoNLL-U rows with heads, relations and fields; the last word before the mark has no space after it."""
    root, at = 0, 0
    for slot in slots:
        if not slot.label:
            root = at + len(slot.phrase)
        at += len(slot.phrase)
    lines, at = [], 0
    for slot in slots:
        head = at + len(slot.phrase)
        for word in slot.phrase:
            at += 1
            form = word.form[0].upper() + word.form[1:] if at == 1 else word.form
            if word.deprel:
                arc = f"{head}\t{word.deprel}"
            else:
                arc = f"{root}\t{slot.label}" if slot.label else "0\troot"
            lines.append(f"{at}\t{form}\t{word.columns}\t{arc}\t_\tTopo={slot.field}\n")
    lines[-1] = lines[-1].replace("\tTopo=", "\tSpaceAfter=No|Topo=")
    lines.append(f"{at + 1}\t{mark.form}\t{mark.columns}\t{root}\tpunct\t_\t_\n")
    return lines
