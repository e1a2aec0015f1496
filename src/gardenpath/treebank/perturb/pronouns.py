"""Personal pronouns: all pronouns of one person in a sentence become another person, where agreement is kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .agreement import agreeing, agrees, fits_before
from .edit import Change, Proposal, Refusal, Replacement
from .lexicon import raw_lists
from .places import editable
from .pronoun_guards import stays
from .script import script_of

if TYPE_CHECKING:
    from ..node import Node
    from ..sentence import Sentence
    from .registry import PerturbationSettings

_INFLECTED_RELATIVES = ("de", "ru", "uk")
_OF_A_PERSON = ("Gender", "Number", "Person")


@dataclass(frozen=True)
class Person:
    """`he`: its features, and its form in every row of the paradigm."""

    name: str
    feats: Mapping[str, str]
    forms: Mapping[str, str]
    xpos: str = ""
    """The part of the XPOS that says which person it is."""


class Pronouns:
    """he, him, his, himself → she, her, her, herself; persons that agree with the same predicate only."""

    name = "pronouns"

    def __init__(self, settings: PerturbationSettings) -> None:
        self.language = settings.language
        table = raw_lists(settings.language)["pronouns"]
        self.rows: dict[str, dict[str, str]] = table["rows"]
        self.sets: list[list[str]] = table["sets"]
        self.possessed = frozenset(table.get("possessed", ()))
        """Rows whose gender and number are those of the thing possessed, not of the person."""
        self.persons = {
            name: Person(name, person["feats"], _forms(person["forms"], self.rows), person.get("xpos", ""))
            for name, person in table["persons"].items()
        }
        self.speakers = frozenset(table.get("speakers", "").split())
        """Persons that meet themselves in no sentence."""
        self.signature = f"pronouns(language={self.language})"

    def propose(self, sentence: Sentence) -> Proposal | Refusal:
        reasons, seen = Counter[str](), set[str]()
        known = [(word, known_person) for word in sentence.words if (known_person := self._person(sentence, word))]
        free = editable(sentence)
        for word, (person, _) in known:
            if person.name in seen:
                continue
            seen.add(person.name)
            same = [(one, row) for one, (who, row) in known if who is person]
            if any(one.ord not in free for one, _ in same):
                reasons["multiword token"] += 1
                continue
            others = {who.name for _, (who, _) in known if who is not person}
            outcome = self._proposed(sentence, word, person, same, others)
            if isinstance(outcome, Proposal):
                return outcome
            reasons[outcome.reason] += 1
        return Refusal(next(iter(reasons), "no match"))

    def _person(self, sentence: Sentence, word: Node) -> tuple[Person, str] | None:
        """The person and the row that this word is, by its form and its features."""
        if word.upos != "PRON":
            return None
        feats = {**word.feats, "Relation": word.deprel}
        if self.language == "zh":
            feats["Script"] = script_of(sentence.text)
        form = word.form.lower()
        for person in self.persons.values():
            is_person = person.feats.items() <= feats.items()
            for row, wanted in self.rows.items():
                fits = person.forms[row].lower() == form and wanted.items() <= feats.items()
                if fits and (is_person or row in self.possessed):
                    return person, row
        return None

    def _proposed(
        self, sentence: Sentence, first: Node, old: Person, same: Sequence[tuple[Node, str]], present: set[str]
    ) -> Proposal | Refusal:
        numbers = tuple(word.ord for word, _ in same)
        if any(row == "reflexive" and not _bound(word, numbers) for word, row in same):
            return Refusal("agreement")  # Anna … herself
        reflexive = old.forms.get("reflexive")
        if any(word.form.lower() == reflexive and word.ord not in numbers for word in sentence.words):
            return Refusal("agreement")  # she … herself, tagged as something else
        if self.language in _INFLECTED_RELATIVES and any(
            child.udeprel == "acl" for word, _ in same for child in word.children
        ):
            return Refusal("agreement")  # er, der
        if self.language == "uk" and any(_resumes(word) for word, _ in same):
            return Refusal("agreement")
        skipped, done = Counter[str](), []
        others = (name for one in self.sets if old.name in one for name in one if name != old.name)
        for name in dict.fromkeys(others):
            if any(name in (near, near[:1]) or near == name[:1] for near in present & self.speakers):
                skipped["agreement"] += 1  # `I will not go with you`: nobody goes with himself
                continue
            outcome = self._changes(sentence, same, old, self.persons[name])
            if isinstance(outcome, Refusal):
                skipped[outcome.reason] += 1
            else:
                done.append(Replacement(name, outcome, name))
        if not done:
            return Refusal(next(iter(skipped), "no value"))
        return Proposal(first.form, numbers, done, skipped)

    def _changes(
        self, sentence: Sentence, same: Sequence[tuple[Node, str]], old: Person, new: Person
    ) -> dict[int, Change] | Refusal:
        changes = {}
        for word, row in same:
            form = _styled(new.forms[row], word)
            around = agreeing(sentence, word, self.language)
            if not all(agrees(one, old.feats, new.feats, self.language) for one in around):
                return Refusal("agreement")
            if not fits_before(word, form, self.language) or stays(word, old.feats, new.feats, form, self.language):
                return Refusal("agreement")
            lemma = _lemma(word, row, old, new)
            if lemma is None:
                return Refusal("lemma")
            feats = {name: new.feats.get(name) for name in _OF_A_PERSON if old.feats.get(name) != new.feats.get(name)}
            xpos = word.xpos.replace(old.xpos, new.xpos, 1) if old.xpos else None
            changes[word.ord] = Change(form, lemma, xpos, feats)
        return changes


def _forms(forms: str, rows: Mapping[str, object]) -> dict[str, str]:
    cells = forms.split()
    if len(cells) != len(rows):
        raise ValueError(f"{forms!r} has {len(cells)} forms for {len(rows)} rows")
    return dict(zip(rows, cells, strict=True))


def _resumes(word: Node) -> bool:
    """`люди, що їх бачили`: the pronoun stands for the noun that the clause modifies."""
    before, head = word.prev_node, word.parent
    return before is not None and before.form.lower() == "що" and head is not None and head.udeprel == "acl"


def _bound(word: Node, numbers: Sequence[int]) -> bool:
    """Is the subject of the reflexive's clause one of the pronouns that change with it?"""
    head = word.parent
    return head is not None and any(child.udeprel == "nsubj" and child.ord in numbers for child in head.children)


def _styled(new: str, word: Node) -> str:
    """In the capitals of the old pronoun; `I` has its own, so there the place in the sentence decides."""
    if word.form.isupper() and len(word.form) > 1:
        return new.upper()
    letters_before = any(one.form[:1].isalpha() for one in word.sentence.words[: word.ord - 1])
    capital = not letters_before if word.form == "I" else word.form[:1].isupper()
    return new[:1].upper() + new[1:] if capital else new


def _lemma(word: Node, row: str, old: Person, new: Person) -> str | None:
    """The lemma in its old role: the pronoun's own form, or the nominative."""
    nominative = next(iter(old.forms))
    for role in (row, nominative):
        if word.lemma.lower() == old.forms[role].lower():
            return new.forms[role]
    stem, new_stem = (person.forms[row].removesuffix("们").removesuffix("們") for person in (old, new))
    if word.lemma == stem:  # 他 as the lemma of 他们
        return new_stem
    return "_" if word.lemma == "_" else None
