"""Paradigms of words, from a treebank and from UniMorph: which forms a lexeme has."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

import numpy as np

from gardenpath.boundary import file_text
from gardenpath.errors import InputError
from gardenpath.treebank import Treebank, parents, parse_feats

Cell = Mapping[str, str]
"""The features by which forms of a lexeme differ, and their values."""
_NO_INFLECTION = ("Abbr", "ExtPos", "Foreign", "NumForm", "Style", "Typo")
_ODD = ("Abbr", "Foreign", "Typo")


class Words:
    """Words are numbered from 0 over the whole treebank; a relation is without its subtype."""

    def __init__(self, treebank: Treebank) -> None:
        self.treebank = treebank
        self.forms = treebank.column("form").strings()
        self.lemmas = treebank.column("lemma").strings()
        self.tags = treebank.column("upos").strings()
        self.labels = treebank.column("deprel").strings()
        self._relations = treebank.column("deprel").mapped(lambda label: label.partition(":")[0])
        self.relations = self._relations.strings()
        feats = treebank.column("feats")
        self.feats_codes: list[int] = feats.codes.tolist()
        raw = [parse_feats(value) for value in feats.values]
        self._cells = [{key: value for key, value in features.items() if key not in _NO_INFLECTION} for features in raw]
        self._odd = [any(key in features for key in _ODD) for features in raw]
        self.parents: list[int] = parents(treebank.heads, treebank.offsets).tolist()
        self.sentences: list[int] = treebank.sentence_of.tolist()
        self.offsets: list[int] = treebank.offsets.tolist()
        self._texts: dict[int, tuple[str, list[int]]] = {}

    def __len__(self) -> int:
        return len(self.forms)

    def cell(self, word: int) -> Cell:
        return self._cells[self.feats_codes[word]]

    def is_odd(self, word: int) -> bool:
        """An abbreviation, a foreign word or a typo: its form says nothing about the language."""
        return self._odd[self.feats_codes[word]]

    @cached_property
    def _children(self) -> tuple[list[int], list[int]]:
        """(begins, words): the children of word i are words[begins[i]:begins[i + 1]], from left to right."""
        above = np.array(self.parents, dtype=np.int64)
        child = np.flatnonzero(above != np.arange(len(above)))
        order = child[np.argsort(above[child], kind="stable")]
        begins = np.searchsorted(above[order], np.arange(len(above) + 1))
        return begins.tolist(), order.tolist()

    def children(self, word: int, *relations: str) -> list[int]:
        """The dependents of a word; with `relations` only those in one of them."""
        begins, order = self._children
        below = order[begins[word] : begins[word + 1]]
        return [child for child in below if self.relations[child] in relations] if relations else below

    def between(self, first: int, second: int) -> range:
        """The words strictly between two."""
        return range(min(first, second) + 1, max(first, second))

    def with_relation(self, relation: str) -> list[int]:
        places: list[int] = np.flatnonzero(self._relations.codes == self._relations.code(relation)).tolist()
        return places

    def text(self, sentence: int) -> tuple[str, list[int]]:
        """The sentence as it is written, and where each of its words begins in it: -1 inside a multiword token."""
        if sentence not in self._texts:
            self._texts[sentence] = self._aligned(sentence)
        return self._texts[sentence]

    @cached_property
    def _written(self) -> list[str]:
        """`# text` where the treebank has it."""
        return self.treebank.texts

    @cached_property
    def _tokens(self) -> tuple[list[int], list[bool], list[str]]:
        """The token of each word, whether that has several words, and the forms of the tokens."""
        surface = self.treebank.surface
        return surface.token_of.tolist(), surface.multiword.tolist(), surface.forms.strings()

    def _aligned(self, sentence: int) -> tuple[str, list[int]]:
        begin, end = self.offsets[sentence : sentence + 2]
        text = self._written[sentence] or self.treebank[sentence].text
        token_of, multiword, forms = self._tokens
        places, at, last = [-1] * (end - begin), 0, -1
        for word in range(begin, end):
            token = token_of[word]
            if token == last:
                continue
            form = forms[token]
            place = text.find(form, at)
            if place < 0 or text[at:place].strip():
                return text, [-1] * (end - begin)
            if not multiword[word]:
                places[word - begin] = place
            at, last = place + len(form), token
        return text, places


_TAGS = {"V": "VERB", "V.PTCP": "VERB", "V.CVB": "VERB", "V.MSDR": "VERB", "AUX": "AUX", "N": "NOUN", "PROPN": "PROPN",
         "ADJ": "ADJ", "DET": "DET", "ART": "DET", "PRO": "PRON", "NUM": "NUM"}  # fmt: skip
_FORMS = {"V.PTCP": "Part", "V.CVB": "Conv", "V.MSDR": "Vnoun", "NFIN": "Inf"}
_FEATURES = {
    "Number": {"SG": "Sing", "PL": "Plur", "DU": "Dual"},
    "Person": {"0": "0", "1": "1", "2": "2", "3": "3", "4": "4"},
    "Gender": {"MASC": "Masc", "FEM": "Fem", "NEUT": "Neut"},
    "Animacy": {"ANIM": "Anim", "INAN": "Inan"},
    "Case": {"NOM": "Nom", "ACC": "Acc", "DAT": "Dat", "GEN": "Gen", "INS": "Ins", "ABL": "Abl", "VOC": "Voc",
             "ERG": "Erg", "ABS": "Abs", "PRT": "Par", "ESS": "Ess", "TRANS": "Tra", "LOC": "Loc", "ALL": "All",
             "COM": "Com"},
    "Tense": {"PRS": "Pres", "PST": "Past", "FUT": "Fut"},
    "Mood": {"IND": "Ind", "SBJV": "Sub", "IMP": "Imp", "COND": "Cnd", "OPT": "Opt"},
    "Definite": {"DEF": "Def", "INDF": "Ind"},
    "Voice": {"PASS": "Pass"},
    "Degree": {"CMPR": "Cmp", "SPRL": "Sup"},
}  # fmt: skip
_KNOWN = {tag: (feature, value) for feature, values in _FEATURES.items() for tag, value in values.items()}


def unimorph_rows(path: str | Path) -> list[tuple[str, str, str, dict[str, str]]]:
    """(lemma, form, part of speech, features) of every line; a tag that UD has no feature for is left out."""
    rows = list(_rows(file_text(path, todo="name a UniMorph file"), str(path)))
    if not rows:
        raise InputError("no word with a known part of speech", where=str(path), todo="name a UniMorph file")
    return rows


def _rows(text: str, name: str) -> Iterator[tuple[str, str, str, dict[str, str]]]:
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        columns = line.split("\t")
        if len(columns) < 3:
            todo = "write lemma, form and tags with tabs between: go<TAB>goes<TAB>V;PRS;3;SG"
            raise InputError("this is not a line of UniMorph", where=f"{name}:{number}", todo=todo)
        lemma, form, tags = columns[:3]
        first, *rest = tags.split(";")
        if first not in _TAGS or " " in form:
            continue
        cell = dict(_KNOWN[tag] for tag in rest if tag in _KNOWN)
        if _TAGS[first] in ("VERB", "AUX"):
            finite = "Fin" if "Person" in cell or "Mood" in cell else ""
            verb_form = next((_FORMS[tag] for tag in (first, *rest) if tag in _FORMS), finite)
            if verb_form:
                cell["VerbForm"] = verb_form
        yield lemma, form, _TAGS[first], cell


Key = tuple[tuple[str, str], ...]
"""A cell as something that can be a key."""
LEFT_OUT = frozenset(["Gender", "Animacy", "Person"])
"""Features that a cell may lack where its neighbour has them: a Russian plural has no gender."""
NOISE = 0.01
"""An analysis that is rarer than this among those of a form is taken for a slip of the annotators."""
_USUAL = 0.6
"""The share of its cell that a form must have: where French *mes*, *vos* and *ses* are one cell, none is the one."""
_SHARED, _ENOUGH = 0.3, 2
"""Two cells are syncretic when this share of the lexemes that have both, and at least so many, have one form."""


@dataclass(frozen=True, slots=True)
class Realised:
    """A form of a lexeme, and the cell that it fills."""

    form: str
    cell: Cell


def group_of(tag: str) -> str:
    """Full verbs and auxiliaries share their paradigms."""
    return "VERB" if tag == "AUX" else tag


def plain(form: str) -> str:
    """With one kind of apostrophe."""
    return form.replace("’", "'").replace("ʼ", "'")


def alike(form: str, other: str) -> bool:
    """The same word, whatever its capitals and apostrophes."""
    return plain(form.lower()) == plain(other.lower())


def verb_form(cell: Cell) -> str:
    """Finite, participle, …; what has a person or a mood is finite, whether the treebank says so or not."""
    return cell.get("VerbForm", "Fin" if "Person" in cell or "Mood" in cell else "")


def agrees(cell: Cell, features: Cell, *but: str) -> bool:
    """Do the two differ in no feature that both have? `Fem,Masc` is either of the two."""
    return all(
        not set(cell[key].split(",")).isdisjoint(value.split(","))
        for key, value in features.items()
        if key in cell and key not in but
    )


class Paradigms:
    """Cells and forms by lexeme, a lexeme being a lemma and a part of speech."""

    def __init__(self, *, sparse: bool = False) -> None:
        """`sparse`: some cells name fewer features than others, as those of UniMorph do."""
        self._sparse = sparse
        # Plain dictionaries: a counter of its own for each of tens of thousands of forms takes longer than counting.
        self._lexemes: dict[tuple[str, str], dict[Key, dict[str, int]]] = defaultdict(dict)
        self._readings: dict[tuple[str, str], dict[Key, int]] = defaultdict(dict)
        self._cells: dict[Key, Cell] = {}
        self._with_cell: dict[tuple[str, Key], set[str]] = defaultdict(set)
        # Asked for the same word again and again, once all forms are in.
        self._shared, self._forms = cache(self._count_shared), cache(self._list_forms)
        self._read_as, self._other_form = cache(self._list_readings), cache(self._find_form)
        self.values = cache(self._list_values)

    def add(self, lemma: str, tag: str, cell: Cell, form: str, count: int = 1) -> None:
        """One more use of a form; its case is that of the lemma, for a sentence may begin with it."""
        self.count_form(lemma, group_of(tag), self.key(cell), form, count)

    def key(self, cell: Cell) -> Key:
        """A cell as what forms are kept under."""
        key = tuple(sorted(cell.items()))
        self._cells.setdefault(key, cell)
        return key

    def count_form(self, lemma: str, group: str, key: Key, form: str, count: int) -> None:
        """The same, by the group of the tag and the key of the cell."""
        form = plain(form.lower() if lemma[:1].islower() else form)
        forms = self._lexemes[lemma, group].setdefault(key, {})
        forms[form] = forms.get(form, 0) + count
        readings = self._readings[form.lower(), group]
        readings[key] = readings.get(key, 0) + count
        self._with_cell[group, key].add(lemma)

    def forms(self, lemma: str, tag: str) -> list[tuple[Cell, str, int]]:
        """The cells of a lexeme with their forms and how often they occur."""
        return self._forms(lemma, group_of(tag))

    def _list_forms(self, lemma: str, group: str) -> list[tuple[Cell, str, int]]:
        cells = self._lexemes.get((lemma, group), {})
        return [(self._cells[key], form, count) for key, forms in cells.items() for form, count in forms.items()]

    def readings(self, form: str, tag: str) -> list[Cell]:
        """What a form may be, whatever its lemma; slips of the annotators are left out."""
        return self._read_as(plain(form.lower()), group_of(tag))

    def _list_readings(self, form: str, group: str) -> list[Cell]:
        counts = self._readings.get((form, group), {})
        total = sum(counts.values())
        return [self._cells[key] for key, count in counts.items() if count > NOISE * total]

    def realised(self, lemma: str, tag: str, cell: Cell, feature: str, value: str, controller: Cell) -> Realised | None:
        """The form of a lexeme with another value of one feature; it fits the controller in all other features."""
        return self._other_form(lemma, tag, tuple(cell.items()), feature, value, tuple(controller.items()))

    def _find_form(
        self, lemma: str, tag: str, key: Key, feature: str, value: str, controller_key: Key
    ) -> Realised | None:
        cell, controller = dict(key), dict(controller_key)
        best: tuple[int, int, str] | None = None
        chosen: Cell = {}
        for other, form, count in self.forms(lemma, tag):
            if other.get(feature) != value or not agrees(other, cell, feature):
                continue
            missing = (other.keys() ^ cell.keys()) - {feature}
            left_out = LEFT_OUT if group_of(tag) == "VERB" else LEFT_OUT - {"Person"}
            if (missing - left_out and not self._sparse) or not agrees(other, controller, feature):
                continue
            rank = (len(missing), -count, form)
            if best is None or rank < best:
                best, chosen = rank, other
        if best is None:
            return None
        counts = self._lexemes[lemma, group_of(tag)][tuple(sorted(chosen.items()))]
        return Realised(best[2], chosen) if counts[best[2]] >= _USUAL * sum(counts.values()) else None

    def may_be(self, lemma: str, tag: str, realised: Realised, features: Cell) -> bool:
        """Can the form also stand for these features? By its own readings, or by those of other lexemes.

        Where German *mache* is known as a first person only, other verbs show that the third person of the
        subjunctive has the same form; a lexeme that has another form there is an exception.
        """
        wanted = verb_form(realised.cell)
        for cell in self.readings(realised.form, tag):
            if verb_form(cell) == wanted and agrees(cell, features):
                return True
        group, own = group_of(tag), self._lexemes.get((lemma, group_of(tag)), {})
        for key in self._shared(group, tuple(sorted(realised.cell.items()))):
            cell = self._cells[key]
            if verb_form(cell) != wanted or not agrees(cell, features):
                continue
            if key not in own or any(alike(realised.form, form) for form in own[key]):
                return True
        return False

    def _count_shared(self, group: str, key: Key) -> list[Key]:
        """The cells whose form is often that of this cell."""
        lemmas, same = self._with_cell[group, key], Counter[Key]()
        for lemma in lemmas:
            cells = self._lexemes[lemma, group]
            # What else any lexeme has such a form for, and this one has it for, too.
            same.update({
                syncretic
                for form in cells[key]
                for syncretic in self._readings[form.lower(), group]
                if syncretic != key and form in cells.get(syncretic, ())
            })  # fmt: skip
        often = [cell for cell, count in same.items() if count >= _ENOUGH]
        return [cell for cell in often if same[cell] >= _SHARED * len(lemmas & self._with_cell[group, cell])]

    def share_alike(self, group: str, cell: Cell, other: Cell) -> float:
        """Of the lexemes that have both cells, the share that has the same form in them; 0 where they are few."""
        key, other_key = (tuple(sorted(features.items())) for features in (cell, other))
        lemmas = self._with_cell[group, key] & self._with_cell[group, other_key]
        same = sum(
            not self._lexemes[lemma, group][key].keys().isdisjoint(self._lexemes[lemma, group][other_key])
            for lemma in lemmas
        )
        return same / len(lemmas) if len(lemmas) >= _ENOUGH else 0.0

    def count(self, form: str, tag: str) -> int:
        """How often a form occurs."""
        return sum(self._readings.get((plain(form.lower()), group_of(tag)), {}).values())

    def _list_values(self, lemma: str, tag: str, feature: str) -> list[str]:
        """The values of a feature for which a lexeme has forms."""
        return sorted({cell[feature] for cell, _, _ in self.forms(lemma, tag) if feature in cell})


def paradigms_of(words: Words, unimorph: str | Path | None = None) -> Paradigms:
    """The forms that a treebank attests, and those of a UniMorph file; odd words and those without lemma are not."""
    uses: Counter[tuple[str, str, int, str]] = Counter(
        zip(words.lemmas, words.tags, words.feats_codes, words.forms, strict=True)
    )
    example: Mapping[int, int] = {code: word for word, code in enumerate(words.feats_codes)}
    paradigms = Paradigms(sparse=unimorph is not None)
    keys = {code: paradigms.key(words.cell(word)) for code, word in example.items() if not words.is_odd(word)}
    for (lemma, tag, code, form), count in uses.items():
        if lemma != "_" and code in keys and tag not in ("PUNCT", "SYM", "X", "_"):
            paradigms.count_form(lemma, group_of(tag), keys[code], form, count)
    for lemma, form, tag, cell in unimorph_rows(unimorph) if unimorph is not None else ():
        paradigms.add(lemma, tag, cell, form)
    return paradigms
