"""Triples of subject, verb and object in a treebank, by frequency or association, as a lexicon to edit."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import log, log2
from pathlib import PurePath

from gardenpath.errors import InputError, unknown_name
from gardenpath.treebank import Treebank, parse_feats

from .language import Language, language_folder
from .lexicon import Lexicon, read_lexicon

PATTERN = (
    "pattern { V [upos=VERB]; V -[nsubj]-> S; V -[obj]-> O; S [upos=NOUN]; O [upos=NOUN] } "
    "without { V -[compound:prt]-> P }"
)
_VARIED = ("amb", "aux", "oneg", "opron", "pp", "spron")
"""Properties that make sense whatever the words are."""
_MARKED = ("Number", "VerbForm")
"""Features without which a form does not count; others may be left out by the annotation."""
RANKS = ("frequency", "pmi", "likelihood")
Forms = Mapping[tuple[str, str], Counter[tuple[str, str]]]
"""How often each form has which features, by UPOS and lemma."""


@dataclass(frozen=True, slots=True)
class Found:
    """A triple of lemmas: how often it occurs, and how far that is from chance."""

    subject: str
    verb: str
    object: str
    frequency: int
    pmi: float
    """Log2 of observed over expected if the three words were independent."""
    likelihood: float
    """G² of the eight cells (each word is there or not) against independence of the three."""


def triples_of(treebank: Treebank, rank: str = "likelihood") -> list[Found]:
    """Return the triples of nouns around a verb without a particle, the highest rank first."""
    if rank not in RANKS:
        raise unknown_name("rank", rank, RANKS)
    matches = treebank.search(PATTERN)
    counts = {
        (subject, verb, object): count
        for (subject, verb, object), count in matches.counts("S.lemma", "V.lemma", "O.lemma").items()
        if subject and verb and object
    }
    sums: Counter[tuple[str, ...]] = Counter()
    for words, count in counts.items():
        for kept in range(7):  # which of the three words are named
            sums[tuple(word if kept >> place & 1 else "" for place, word in enumerate(words))] += count
    found = [Found(*words, count, *_association(words, count, sums)) for words, count in counts.items()]
    return sorted(found, key=lambda one: (-getattr(one, rank), -one.likelihood, one.subject, one.verb, one.object))


def _association(words: tuple[str, str, str], count: int, sums: Mapping[tuple[str, ...], int]) -> tuple[float, float]:
    s, v, o = words
    total = sums["", "", ""]
    one = {"s": sums[s, "", ""], "v": sums["", v, ""], "o": sums["", "", o]}
    two = {"sv": sums[s, v, ""], "so": sums[s, "", o], "vo": sums["", v, o]}
    cells = {
        "svo": count, "sv": two["sv"] - count, "so": two["so"] - count, "vo": two["vo"] - count,
        "s": one["s"] - two["sv"] - two["so"] + count, "v": one["v"] - two["sv"] - two["vo"] + count,
        "o": one["o"] - two["so"] - two["vo"] + count,
    }  # fmt: skip
    cells[""] = total - sum(cells.values())

    def expected(named: str) -> float:
        sides = (one[word] if word in named else total - one[word] for word in "svo")
        first, second, third = sides
        return first * second * third / total**2

    likelihood = 2 * sum(seen * log(seen / expected(named)) for named, seen in cells.items() if seen)
    return log2(count / expected("svo")), likelihood


def triples_lexicon(treebank: Treebank, code: str, rank: str = "likelihood", limit: int = 20) -> str:
    """Write a lexicon that extends the one of the language by the first `limit` triples and the words they lack.

    Triples are passed over if a noun or verb of the lexicon does not fit its place, or the treebank lacks its forms.
    """
    home = language_folder(code)
    language, lexicon = home.language, read_lexicon(home.lexicon)
    found = triples_of(treebank, rank)
    people = {one.subject for one in found}
    forms = _forms(treebank, {word for one in found for word in (one.subject, one.verb, one.object)})
    entries: dict[str, dict[str, str]] = {"human": {}, "object": {}, "accusative": {}}
    lines: list[str] = []
    properties = json.dumps([name for name in _VARIED if name not in language.absent["part"]])
    for one in found:
        words = _words(one, language, lexicon, forms, people)
        if words is None:
            continue
        for name, lemma, entry in words:
            if entry:
                entries[name][lemma] = entry
        named = ", ".join(f"{role} = {json.dumps(getattr(one, role), ensure_ascii=False)}"
                          for role in ("subject", "verb", "object"))  # fmt: skip
        lines += [
            f"  # {one.frequency} times, PMI {one.pmi:.2f}, G² {one.likelihood:.1f}",
            f"  {{ {named}, properties = {properties} }},",
        ]
        if len(lines) == 2 * limit:
            break
    if not lines:
        what = f"none of {len(found):,} triples of nouns and verbs has the words or forms that are needed"
        raise InputError(
            what, where=treebank.name, todo="take a larger treebank of this language, with lemmas and FEATS"
        )
    lists = {
        name: [f"{name} = [", *(f"  {entry}," for entry in words.values()), "]"] for name, words in entries.items()
    }
    return "\n".join([
        f"# Subject, verb and object in {json.dumps(PurePath(treebank.name).name)} by {rank}. Delete what makes no "
        "sense,",
        "# correct the words (forms that the treebank lacks are missing), and choose the properties of each; then:",
        "# gardenpath suites generate roles --lexicon THIS_FILE",
        f'extends = "{code}"', "", "[nouns]",
        "# Subjects: move what is neither a person nor an animal to another class, and delete its triples.",
        *lists["human"], *lists["object"], "", "[verbs]", *lists["accusative"], "", "[constructions]",
        "triples = [", *lines, "]", "",
    ])  # fmt: skip


def _words(
    one: Found, language: Language, lexicon: Lexicon, forms: Forms, people: Iterable[str]
) -> list[tuple[str, str, str]] | None:
    """Class, lemma and entry of the three words, the entry empty where the lexicon has it; None: they do not fit."""
    nouns = {noun.lemma: noun for noun in lexicon.nouns}
    verb = next((verb for verb in lexicon.verbs if verb.lemma == one.verb), None)
    subject, object = nouns.get(one.subject), nouns.get(one.object)
    if (subject and not subject.animate) or (object and object.animate) or (one.object in people):
        return None
    if verb and (verb.case != "acc" or verb.psych):
        return None
    words = [
        ("human", one.subject, "" if subject else _noun(one.subject, language, forms)),
        ("accusative", one.verb, "" if verb else _verb(one.verb, language, forms)),
        ("object", one.object, "" if object else _noun(one.object, language, forms)),
    ]
    return None if any(entry is None for _, _, entry in words) else [(a, b, c or "") for a, b, c in words]


def _forms(treebank: Treebank, lemmas: set[str]) -> Forms:
    forms: dict[tuple[str, str], Counter[tuple[str, str]]] = defaultdict(Counter)
    names = ("lemma", "upos", "form", "feats")
    for lemma, upos, form, feats in zip(*(treebank.column(name).strings() for name in names), strict=True):
        if upos in ("NOUN", "VERB") and lemma in lemmas:
            forms[upos, lemma][form if upos == "NOUN" else form.casefold(), feats] += 1
    return forms


def _form(counted: Counter[tuple[str, str]], **asked: str) -> str:
    """The most frequent form with these features."""
    found: Counter[str] = Counter()
    for (form, feats), count in counted.items():
        known = parse_feats(feats)
        if all(known.get(name, "" if name in _MARKED else value) == value for name, value in asked.items()):
            found[form] += count
    return found.most_common(1)[0][0] if found else ""


def _noun(lemma: str, language: Language, forms: Forms) -> str | None:
    counted, rules = forms["NOUN", lemma], language.nouns
    fields: dict[str, str] = {}
    for number, names in (("Sing", rules.sing), ("Plur", rules.plur)):
        for case, name in zip(language.cases, names, strict=True):
            fields.setdefault(name, _form(counted, Number=number, Case=case.capitalize()))
    genders: Counter[str] = Counter()
    for (_, feats), count in counted.items():
        genders[parse_feats(feats).get("Gender", "").casefold()] += count
    gender = genders.most_common(1)[0][0] if genders else ""
    if language.genders and gender not in language.genders:
        return None
    return _entry({"lemma": lemma, "gender": gender}, fields, rules.fields.needed, rules.fields.optional)


def _verb(lemma: str, language: Language, forms: Forms) -> str | None:
    counted, rules, fields = forms["VERB", lemma], language.verbs, dict[str, str]()
    for condition, name in rules.finite.rows:
        tense = "Pres" if "present" in condition.holds else "Past"
        number = "Plur" if "plur" in condition.holds else "Sing"
        fields[name] = _form(counted, VerbForm="Fin", Tense=tense, Number=number, Person="3", Mood="Ind")
    fields |= {rule.main: _form(counted, VerbForm="Part") for rule in rules.complex.values() if rule.main != "lemma"}
    return _entry({"lemma": lemma}, fields, rules.fields.needed, rules.fields.optional)


def _entry(
    first: Mapping[str, str], fields: Mapping[str, str], needed: Iterable[str], optional: Iterable[str]
) -> str | None:
    """The entry in TOML, several forms of a field in one text; None where a form that is needed was not seen."""
    forms: dict[str, list[str]] = {}
    for name, form in sorted(fields.items()):
        forms.setdefault(name.partition(".")[0], []).append(form)
    whole = {name: " ".join(some) for name, some in forms.items() if all(some)}
    if not set(needed) <= whole.keys():
        return None
    kept = {name: text for name, text in whole.items() if name in (*needed, *optional) and text != first["lemma"]}
    parts = {**{name: text for name, text in first.items() if text}, **kept}
    return "{ " + ", ".join(f"{name} = {json.dumps(text, ensure_ascii=False)}" for name, text in parts.items()) + " }"
