"""Personal pronouns: all pronouns of one person in a sentence become another person, where agreement is kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from .agreement import agreeing, agrees, fits_before
from .edit import Change, Proposal, Refusal, Replacement, capitalised, editable
from .lexicon import raw_lists, script_of

if TYPE_CHECKING:
    from ..format.sentence import Node, Sentence
    from .registry import PerturbationSettings


_BETWEEN = frozenset(
    "between among amongst zwischen mellan bland между среди меж між поміж серед посеред з-поміж з-посеред".split()
)
_OF = frozenset("of von av из изо з із зі".split())
_QUANTITIES = frozenset(
    "none some all most many few one each both either neither any several half rest majority couple lot part number "
    "несколько много мало сколько большинство часть кілька багато скільки більшість декілька".split()
)
_ALL = frozenset("all both each together alle beide alla båda все весь оба усі увесь всі обидва обоє разом".split())
_EACH_OTHER = frozenset({"einander", "varandra"})
_RECIPROCAL = ((("each", "one"), ("other", "another")), (("друг", "один"), ("друга", "другу", "другом", "одного")))
_NOMINATIVE_OBJECTS = frozenset("mich dich sich uns euch ihn".split())
_NOMINATIVES = frozenset("ich du er wir ihr man wer".split())
_ALONE = frozenset({"один", "сам"})
_SLAVIC = ("ru", "uk")


def pronoun_stays(word: Node, old: Mapping[str, str], new: Mapping[str, str], form: str, language: str) -> bool:
    """Must this pronoun stay what it is, whatever its own predicate says?"""
    # `he or she`.
    pairs = [child for child in word.children if child.udeprel == "conj"]
    pairs += [word.parent] if word.udeprel == "conj" and word.parent is not None else []
    is_paired = any(pair.upos == "PRON" and pair.feats.get("Person") == word.feats.get("Person") for pair in pairs)
    return (
        is_paired
        or (old.get("Number") == "Plur" and new.get("Number") != "Plur" and _is_many(word, language))
        or (language in _SLAVIC and _is_agreed_with(word, old, new, language))
        or (language == "de" and form.lower() == "sie" and _reads_otherwise(word))
        or (language == "sv" and _is_told_to(word))
        or (language == "en" and _is_bound(word))
        or (language == "ja" and _is_partner(word))
    )


def _siblings(word: Node) -> list[Node]:
    head = word.parent
    return [] if head is None or head.is_root() else [child for child in head.children if child != word]


def _is_many(word: Node, language: str) -> bool:
    """`between them`, `none of us`, `they all`, `each other`: no single person can stand there."""
    marks = {child.form.lower() for child in word.children if child.udeprel == "case"}
    if marks & _BETWEEN:
        return True
    head = word.parent
    if marks & _OF and _is_quantity(head):
        return True
    near = [node for node in (word.prev_node, word.next_node) if node is not None]
    around = [*near, *word.children, *_siblings(word)]
    if any(node.lemma.lower() in _ALL or node.form.lower() in _ALL | _EACH_OTHER for node in around):
        return True
    if language in _SLAVIC and any(node.upos == "NUM" or node.lemma.lower() in _QUANTITIES for node in near):
        return True
    if word.feats.get("Case") == "Gen" and word.udeprel in ("nsubj", "obj"):
        return True  # их было три
    if word.udeprel == "nsubj" and head is not None and any(child.udeprel == "nummod" for child in head.children):
        return True  # они как две сестры
    forms = [node.form.lower() for node in word.sentence.words]
    return any(this in first and then in second for first, second in _RECIPROCAL for this, then in pairwise(forms))


def _is_quantity(word: Node | None) -> bool:
    if word is None or word.is_root():
        return False
    return word.upos in ("NUM", "PRON", "DET", "ADJ", "ADV") or word.lemma.lower() in _QUANTITIES


def _is_agreed_with(word: Node, old: Mapping[str, str], new: Mapping[str, str], language: str) -> bool:
    """Does something beside it agree with it: `самому ему`, `видел ее слабой`, a verb that gold does not link to it?"""
    case = word.feats.get("Case", "")
    if case == "Nom" and word.udeprel not in ("nsubj", "root"):
        return True
    if word.udeprel == "xcomp" and old.get("Number") != new.get("Number"):
        return True
    head = word.parent
    noun = head if word.udeprel == "nsubj" and head is not None and head.upos == "NOUN" else None
    if noun is not None and noun.form == noun.lemma and noun.lemma.endswith(("ый", "ий", "ой")):
        return new.get("Gender") != "Masc"  # она русский
    near = [node for node in (word.prev_node, word.next_node) if node is not None]
    beside = [node for node in {*_siblings(word), *near} if node.feats.get("Case") in (case, "Ins")]
    beside = [node for node in beside if node.upos in ("ADJ", "DET") or node.feats.get("VerbForm") == "Part"]
    beside = [node for node in beside if node.parent is None or node.parent.upos not in ("NOUN", "PROPN")]
    beside += [node for node in near if node.lemma in _ALONE]
    beside += [node for node in word.sentence.words if _is_predicative(node)]
    return not all(agrees(node, old, new, language) for node in beside)


def _is_predicative(word: Node) -> bool:
    """`вийде з школи розумною`: an adjective that says what the subject becomes."""
    return (
        word.upos == "ADJ"
        and word.feats.get("Case") == "Ins"
        and word.parent is not None
        and word.parent.upos == "VERB"
    )


def _reads_otherwise(word: Node) -> bool:
    """`sie` has one form as subject and object: could the reader take the one for the other?"""
    head = word.parent
    if head is None or head.is_root():
        return False
    verbs = [head, *(child for child in head.children if child.udeprel in ("aux", "cop"))]
    several = any(verb.feats.get("Number") == "Plur" for verb in verbs)
    if word.udeprel == "obj":
        subject = next((child for child in head.children if child.udeprel == "nsubj"), None)
        if subject is None:
            return False
        clear = subject.form.lower() in _NOMINATIVES or subject.feats.get("Gender") == "Masc"
        unsure = several or subject.upos == "PRON" or subject.ord > word.ord
        return unsure and not (clear and not several) and subject.form.lower() not in _NOMINATIVES
    if word.udeprel == "nsubj":
        thing = next((child for child in head.children if child.udeprel == "obj" and child.ord < word.ord), None)
        if thing is None or thing.form.lower() in _NOMINATIVE_OBJECTS:
            return False
        return thing.feats.get("Number") != "Plur" and thing.feats.get("Gender") != "Masc"
    return False


def _is_partner(word: Node) -> bool:
    """`私の彼女`, `彼がいる`: a girlfriend or a boyfriend."""
    owned = any(child.udeprel in ("nmod", "acl", "det") for child in word.children)
    head = word.parent
    return owned or (head is not None and head.lemma in ("いる", "できる", "出来る", "ほしい", "欲しい"))


def _is_told_to(word: Node) -> bool:
    """`rör på dig`: the object of an imperative is often the one who is told to."""
    head = word.parent
    return word.feats.get("Case") == "Acc" and head is not None and head.feats.get("Mood") == "Imp"


def _is_bound(word: Node) -> bool:
    """`those who have lost their way`: the possessive is that of the relative pronoun."""
    if word.feats.get("Poss") != "Yes":
        return False
    node = word.parent
    while node is not None and not node.is_root():
        if any(child.udeprel == "nsubj" for child in node.children):
            return any(child.udeprel == "nsubj" and child.feats.get("PronType") == "Rel" for child in node.children)
        node = node.parent
    return False


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
            if not fits_before(word, form, self.language):
                return Refusal("agreement")
            if pronoun_stays(word, old.feats, new.feats, form, self.language):
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
    return capitalised(new) if capital else new


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
