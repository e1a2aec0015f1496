"""Where a treebank shows agreement or case: the word that may be changed, and the word that decides its form."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from .words import Cell, Words

NOMINAL = frozenset(["NOUN", "PROPN", "PRON"])
VERBAL = frozenset(["VERB", "AUX"])
SUBJECT_VERB, DETERMINER_NOUN, OBJECT_CASE = "subject-verb agreement", "determiner-noun agreement", "case"
_AGREEING = ("Number", "Person", "Gender")


@dataclass(frozen=True, slots=True)
class Site:
    """`target` is the word to change, `controller` the one that demands `value` of `feature`; `kind` is what a rule
    may depend on, as the order of the two and the form of the verb."""

    phenomenon: str
    feature: str
    target: int
    controller: int
    value: str
    kind: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Phenomenon:
    """A phenomenon by name: its class, the feature it turns on, and how its sites are found."""

    name: str
    group: str
    feature: str
    find: Callable[[Words, Phenomenon], Iterator[Site]]

    def sites(self, words: Words) -> Iterator[Site]:
        return self.find(words, self)

    def dependent(self, site: Site) -> int:
        """Which of the two words depends on the other: the subject on its verb, else what is changed."""
        return site.controller if self.group == SUBJECT_VERB else site.target


def demands(words: Words, controller: int) -> dict[str, str]:
    """What a noun or pronoun demands of what agrees with it; a noun is a third person."""
    cell = words.cell(controller)
    agreeing = {key: cell[key] for key in (*_AGREEING, "Animacy") if key in cell}
    if words.tags[controller] in ("NOUN", "PROPN"):
        agreeing.setdefault("Person", "3")
    return agreeing


def is_coordinated(words: Words, word: int) -> bool:
    return words.relations[word] == "conj" or bool(words.children(word, "conj"))


def subject_of(words: Words, predicate: int) -> int | None:
    """The one nominal subject of a predicate; None where there is none, or more, or one that is coordinated."""
    subjects = words.children(predicate, "nsubj", "csubj")
    if len(subjects) != 1 or words.relations[subjects[0]] != "nsubj":
        return None
    subject = subjects[0]
    if words.tags[subject] not in NOMINAL or words.is_odd(subject) or is_coordinated(words, subject):
        return None
    return subject


def _subject_verb(words: Words, phenomenon: Phenomenon) -> Iterator[Site]:
    """A subject, and each verb of its predicate that shows the feature: the verb itself, auxiliaries, the copula."""
    feature = phenomenon.feature
    for subject in words.with_relation("nsubj"):
        predicate = words.parents[subject]
        value = demands(words, subject).get(feature)
        if value is None or "," in value or subject_of(words, predicate) != subject:
            continue
        if is_coordinated(words, predicate) or words.children(predicate, "expl") or _quantified(words, subject):
            continue
        helpers = words.children(predicate, "aux", "cop")
        if words.children(predicate, "cop") and not _same(words.cell(predicate), value, feature):
            continue  # in "the problem is the taxes" the copula may agree with either
        for verb in (predicate, *helpers):
            if words.tags[verb] in VERBAL and feature in words.cell(verb) and not words.is_odd(verb):
                side = "subject first" if subject < verb else "verb first"
                auxiliaries = (
                    " ".join(sorted({words.lemmas[helper] for helper in helpers})) if verb == predicate else ""
                )
                form = words.cell(verb).get("VerbForm", "")
                yield Site(phenomenon.name, feature, verb, subject, value, (side, form, auxiliaries))


def _quantified(words: Words, noun: int) -> bool:
    """A number beside a noun may decide agreement in its stead: five people, много людей."""
    return bool(words.children(noun, "nummod"))


def _same(cell: Cell, value: str, feature: str) -> bool:
    return cell.get(feature, value) == value


def _determiner_noun(words: Words, phenomenon: Phenomenon) -> Iterator[Site]:
    feature = phenomenon.feature
    for determiner in words.with_relation("det"):
        noun = words.parents[determiner]
        value = words.cell(noun).get(feature, "")
        if words.tags[noun] != "NOUN" or words.tags[determiner] != "DET" or feature not in words.cell(determiner):
            continue
        if not value or "," in value or words.is_odd(noun) or words.is_odd(determiner):
            continue
        if len(words.children(noun, "det")) > 1 or is_coordinated(words, noun) or _quantified(words, noun):
            continue
        if words.children(determiner):
            continue
        kind = ("determiner first" if determiner < noun else "noun first", words.lemmas[determiner])
        yield Site(phenomenon.name, feature, determiner, noun, value, kind)


def asks_or_relates(cell: Cell) -> bool:
    """Is this a pronoun of questions or relative clauses, which stands first whatever its role?"""
    return not {"Int", "Rel"}.isdisjoint(cell.get("PronType", "").split(","))


def noun_phrase(words: Words, head: int) -> list[int]:
    """A noun and the words beside it that may show its case."""
    return [head, *words.children(head, "det", "amod", "nummod")]


def _objects(words: Words, phenomenon: Phenomenon) -> Iterator[Site]:
    """Objects without adposition whose verb has an overt subject; questions and relative clauses are left out.

    They should have the case that most objects of their kind have.
    """
    sites = list(_objects_with_case(words, phenomenon))
    cases = Counter((site.kind, site.value) for site in sites)
    usual = {kind: case for (kind, case), _ in reversed(cases.most_common())}
    for site in sites:
        yield replace(site, value=usual[site.kind])


def _objects_with_case(words: Words, phenomenon: Phenomenon) -> Iterator[Site]:
    for head in words.with_relation("obj"):
        verb, cell = words.parents[head], words.cell(head)
        if words.tags[verb] != "VERB" or words.tags[head] not in NOMINAL or words.is_odd(head):
            continue
        case = cell.get("Case", "")
        if not case or "," in case or asks_or_relates(cell) or "Reflex" in cell:
            continue
        if words.children(head, "case") or is_coordinated(words, head) or len(words.children(verb, "obj")) > 1:
            continue
        if is_coordinated(words, verb) or subject_of(words, verb) is None:
            continue
        lemma = words.lemmas[head] if words.tags[head] == "PRON" else ""
        yield Site(phenomenon.name, "Case", head, verb, case, (words.tags[head], lemma))


PHENOMENA = {
    phenomenon.name: phenomenon
    for phenomenon in (
        *(Phenomenon(f"subject-verb-{feature.lower()}", SUBJECT_VERB, feature, _subject_verb) for feature in _AGREEING),
        Phenomenon("object-case", OBJECT_CASE, "Case", _objects),
        Phenomenon("determiner-noun-number", DETERMINER_NOUN, "Number", _determiner_noun),
        Phenomenon("determiner-noun-gender", DETERMINER_NOUN, "Gender", _determiner_noun),
    )
}
