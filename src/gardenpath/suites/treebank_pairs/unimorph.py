"""UniMorph files: lemma, form and tags, as features of Universal Dependencies."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ...boundary.texts import file_text
from ...errors import InputError

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
