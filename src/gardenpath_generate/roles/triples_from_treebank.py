"""Triples of subject, verb and object in a treebank, by frequency or association, as a lexicon to edit."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Mapping
from math import log2
from pathlib import PurePath
from typing import NamedTuple

import numpy as np

from gardenpath.errors import InputError, unknown_name
from gardenpath.treebank import Treebank, parse_feats

from .language import EntryFields, Language, language_folder
from .lexicon import Lexicon, read_lexicon

PATTERN = (
    "pattern { V [upos=VERB]; V -[nsubj]-> S; V -[obj]-> O; S [upos=NOUN]; O [upos=NOUN] } "
    "without { V -[compound:prt]-> P }"
)
RANKS = ("frequency", "pmi", "likelihood")
_VARIED = ("amb", "aux", "oneg", "opron", "pp", "spron")
"""Properties that make sense whatever the words are."""
_MARKED = ("Number", "VerbForm")
"""Features without which a form does not count; others may be left out by the annotation."""
Forms = Mapping[tuple[str, str], Counter[tuple[str, str]]]
"""How often each form has which features, by UPOS and lemma."""


class Found(NamedTuple):
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
    counted = treebank.search(PATTERN).counts("S.lemma", "V.lemma", "O.lemma")
    triples = [[str(word) for word in words] for words in counted]
    counts = np.array(list(counted.values()), dtype=np.float64)
    codes = [np.unique(column, return_inverse=True)[1] for column in zip(*triples, strict=True)]
    found = []
    for place, ((subject, verb, object), count) in enumerate(zip(triples, counts, strict=True)):
        cell = sum((column == column[place]) << bit for column, bit in zip(codes, (2, 1, 0), strict=True))
        cells = np.bincount(cell, counts, 8).reshape(2, 2, 2)
        sides = [cells.sum(axis=others) for others in ((1, 2), (0, 2), (0, 1))]
        expected = np.einsum("i,j,k->ijk", *sides) / counts.sum() ** 2
        seen = cells > 0
        likelihood = 2 * float((cells[seen] * np.log(cells[seen] / expected[seen])).sum())
        found.append(Found(subject, verb, object, int(count), log2(count / expected[1, 1, 1]), likelihood))
    return sorted(found, key=lambda one: (-getattr(one, rank), -one.likelihood, one[:3]))


def triples_lexicon(treebank: Treebank, code: str, rank: str = "likelihood", limit: int = 20) -> str:
    """Write a lexicon that extends the one of the language by the first `limit` triples and the words they lack.

    Triples are passed over if a noun or verb of the lexicon does not fit its place, or the treebank lacks its forms.
    """
    home = language_folder(code)
    language, lexicon = home.language, read_lexicon(home.lexicon)
    found = triples_of(treebank, rank)
    people = {one.subject for one in found}
    forms = _forms(treebank, {word for one in found for word in one[:3]})
    entries: dict[str, dict[str, str]] = {"human": {}, "object": {}, "accusative": {}}
    lines: list[str] = []
    properties = json.dumps([name for name in _VARIED if name not in language.absent["part"]])
    for one in found:
        words = None if one.object in people else _words(one, language, lexicon, forms)
        if words is None or len(lines) == 2 * limit:
            continue
        for some, lemma, entry in zip(entries.values(), (one.subject, one.object, one.verb), words, strict=True):
            some |= {lemma: f"  {entry},"} if entry else {}
        named = ", ".join(f"{role} = {_quoted(getattr(one, role))}" for role in ("subject", "verb", "object"))
        lines += [
            f"  # {one.frequency} times, PMI {one.pmi:.2f}, G² {one.likelihood:.1f}",
            f"  {{ {named}, properties = {properties} }},",
        ]
    if not lines:
        what = f"none of {len(found):,} triples of nouns and verbs has the words or forms that are needed"
        raise InputError(what, where=treebank.name, todo="take a larger treebank, with lemmas and features")
    human, objects, verbs = ([f"{name} = [", *some.values(), "]"] for name, some in entries.items())
    return "\n".join([
        f"# Subject, verb and object in {_quoted(PurePath(treebank.name).name)} by {rank}. Delete what makes no sense,",
        "# correct the words (forms that the treebank lacks are missing), and choose the properties of each; then:",
        "# gardenpath suite make roles --grammar THIS_FILE",
        f'extends = "{code}"', "", "[nouns]",
        "# Subjects: move what is neither a person nor an animal to another class, and delete its triples.",
        *human, *objects, "", "[verbs]", *verbs, "", "[constructions]", "triples = [", *lines, "]", "",
    ])  # fmt: skip


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _words(one: Found, language: Language, lexicon: Lexicon, forms: Forms) -> list[str] | None:
    """Entries of subject, object and verb, empty if the lexicon has the word; None if a word does not fit."""
    nouns = {noun.lemma: noun for noun in lexicon.nouns}
    subject, object = nouns.get(one.subject), nouns.get(one.object)
    verb = next((verb for verb in lexicon.verbs if verb.lemma == one.verb), None)
    if (subject and not subject.animate) or (object and object.animate):
        return None
    if verb and (verb.case != "acc" or verb.psych):
        return None
    entries = [
        "" if subject else _noun(one.subject, language, forms),
        "" if object else _noun(one.object, language, forms),
        "" if verb else _verb(one.verb, language, forms),
    ]
    return [entry for entry in entries if entry is not None] if None not in entries else None


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
    counted, rules, fields = forms["NOUN", lemma], language.nouns, dict[str, str]()
    for number, names in (("Sing", rules.sing), ("Plur", rules.plur)):
        for case, name in zip(language.cases, names, strict=True):
            fields.setdefault(name, _form(counted, Number=number, Case=case.capitalize()))
    fitting = [name for name in language.genders if _form(counted, Gender=name.capitalize())]
    if language.genders and len(fitting) != 1:
        return None
    return _entry({"lemma": lemma, "gender": "".join(fitting)}, fields, rules.fields)


def _verb(lemma: str, language: Language, forms: Forms) -> str | None:
    counted, rules, fields = forms["VERB", lemma], language.verbs, dict[str, str]()
    for condition, name in rules.finite.rows:
        tense = "Pres" if "present" in condition.holds else "Past"
        number = "Plur" if "plur" in condition.holds else "Sing"
        fields[name] = _form(counted, VerbForm="Fin", Tense=tense, Number=number, Person="3", Mood="Ind")
    fields |= {rule.main: _form(counted, VerbForm="Part") for rule in rules.complex.values() if rule.main != "lemma"}
    return _entry({"lemma": lemma}, fields, rules.fields)


def _entry(first: Mapping[str, str], fields: Mapping[str, str], rules: EntryFields) -> str | None:
    """The entry in TOML, several forms of a field in one text; None where a form that is needed was not seen."""
    forms: dict[str, list[str]] = {}
    for name, form in sorted(fields.items()):
        forms.setdefault(name.partition(".")[0], []).append(form)
    whole = {name: " ".join(some) for name, some in forms.items() if all(some)}
    if not set(rules.needed) <= whole.keys():
        return None
    kept = {name: whole.get(name, "") for name in (*rules.needed, *rules.optional)}
    more = {name: text for name, text in kept.items() if text not in ("", first["lemma"])}
    parts = {**first, **more}
    return "{ " + ", ".join(f"{name} = {_quoted(text)}" for name, text in parts.items()) + " }"
