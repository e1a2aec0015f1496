"""Vocabulary of role suites: orders, properties and earlier names, and what lines and words of a file tell."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from ...errors import InputError

ORDERS: Mapping[str, str] = {
    "LK[V]MF[SO]": "verb first, subject before object",
    "VF[S]LK[V]MF[O]": "verb second, subject first",
    "VF[ADV]LK[V]MF[SO]": "verb second, adverb first, subject before object",
    "MF[SO]VC[V]": "verb last, subject before object",
    "LK[V]MF[OS]": "verb first, object before subject",
    "VF[O]LK[V]MF[S]": "verb second, object first",
    "VF[ADV]LK[V]MF[OS]": "verb second, adverb first, object before subject",
    "MF[OS]VC[V]": "verb last, object before subject",
}
"""The eight orders of SORTS (paper, Table 3), in the order of its Table 7."""

ROLE_PROPERTIES: Mapping[str, str] = {
    "acc": "No variation",
    "dat": "Dative object",
    "amb": "Case syncretism",
    "spron": "Pronoun subject",
    "opron": "Pronoun object",
    "oneg": "Negated object",
    "aux": "Auxiliary verb",
    "pp": "PP",
    "sinan": "Inanimate subject",
    "oan": "Animate object",
    "invan": "Inverted animacy",
    "regpol": "Regular polysemy",
    "sname": "Proper name subject",
    "semas": "Semantic asymmetry",
    "noref": "Non-referential object",
    "psy": "Psych verb",
    "vlight": "Light verb",
    "syn": "Synonymous verb",
    "prov": "Idiom",
}
"""The properties of SORTS, named as in the paper's Tables 7 and 9 and in their order."""

PP_PROPERTIES: Mapping[str, str] = {
    "1head": "One possible head",
    "2head": "Two possible heads (no variation)",
    "3head": "Three possible heads",
    "4head": "Four possible heads",
    "5head": "Five possible heads",
    "pn": "Preposition and noun alone",
    "pdan": "PP with determiner and adjective",
    "pppossnp": "PP with a genitive noun phrase",
    "pppp": "PP with another PP",
    "ppfronted": "Fronted PP",
    "objp": "Prepositional object",
    "idm": "Idiom",
    "nounheadedpp": "PP of a noun",
}
"""The properties of PPATS; its authors have published no names for people, these are ours."""

BASE = frozenset(["acc", "2head"])
"""Properties that say: this is the base case. They vary nothing."""

PROPERTIES: Mapping[str, Mapping[str, str]] = {"roles": ROLE_PROPERTIES, "pp": PP_PROPERTIES}

_OLD_ORDERS = {
    "LK[V]MF[SO]": "VF[ADV]LK[V]MF[SO]",
    "LK[V]MF[OS]": "VF[ADV]LK[V]MF[OS]",
    "LK[V]MF[SO]Q": "LK[V]MF[SO]",
    "LK[V]MF[OS]Q": "LK[V]MF[OS]",
}
_OLD_PROPERTIES = {"sinst": "regpol", "sodir": "semas", "oempt": "noref", "idm": "prov"}
_IN_PRINT = {"subject_pronoun": "spron", "light_verb": "vlight"}
"""Properties as the paper's Figure 1 names them."""
RELEASES = ("2020", "2026")


def has_own_names(orders: Collection[str]) -> bool:
    """Does a suite name orders, and none of them as SORTS does? Its author then says what orders and properties are."""
    named = {order for order in orders if order}
    return bool(named) and named.isdisjoint(ORDERS) and named.isdisjoint(_OLD_ORDERS)


def split_properties(text: str) -> tuple[str, ...]:
    """`base-X` is the property X; `X-Y` are both."""
    parts = text.split("-") if text else []
    return tuple(parts[1:] if parts[:1] == ["base"] else parts)


def release_of(orders: Collection[str], properties: Collection[str], where: str) -> str:
    """Return the release whose names these are; today's if the names do not tell.

    The paper's Appendix A has names of both. That is an error only where an order means something else in each.
    """
    parts = {part for text in properties for part in split_properties(text)}
    old = sorted({order for order in orders if order.endswith("]Q")} | (parts & set(_OLD_PROPERTIES)))
    new = sorted({order for order in orders if order.startswith("VF[ADV]")} | (parts & set(_OLD_PROPERTIES.values())))
    unclear = sorted(set(orders) & set(ORDERS) & set(_OLD_ORDERS))
    if old and new and unclear:
        what = f"names of two releases in one suite: {old[0]} is of 2020, {new[0]} of 2026"
        todo = f"{unclear[0]} means another order in each: say which with --release 2020 or --release 2026"
        raise InputError(what, where=where, todo=todo)
    return "2020" if old else "2026"


def order_today(order: str, release: str) -> str:
    return _OLD_ORDERS.get(order, order) if release == "2020" else order


def properties_today(text: str, release: str) -> str:
    """Return `base-regpol` for `base-sinst`; `base-acc` and `base-aux` for `base` and `aux` (Table 5 of the paper)."""
    old = _OLD_PROPERTIES if release == "2020" else {}
    parts = [_IN_PRINT.get(part, old.get(part, part)) for part in text.split("-")]
    if parts == ["base"]:
        return "base-acc"
    return "-".join(parts if len(parts) > 1 or not text else ["base", *parts])


ROLES_HEADER = ("Word Order", "Other Properties", "Subject Position", "Object Position", "Sentence")
PRINTED_HEADER = ("Word Order", "Properties", "S", "O", "Sentence")
"""The same columns as the paper's Appendix A names them."""
PP_HEADER = ("features", "head_distance", "prep_position", "prep_obj_position", "head_pos", "relation", "sentence")
HEADERS = (ROLES_HEADER, PP_HEADER, PRINTED_HEADER)
"""The headers of suites as TSV."""


def is_row(fields: Sequence[str]) -> bool:
    """Are these the fields of a word in CoNLL, FEATS included?"""
    return len(fields) >= 6 and fields[0][:1].isdigit()


def first_line(data: bytes) -> tuple[int, int, str]:
    """Number, place and text of the first line that is neither empty nor a comment; a header of TSV counts as one."""
    begin, number = 3 if data.startswith(b"\xef\xbb\xbf") else 0, 0
    while begin < len(data):
        end = data.find(b"\n", begin)
        end = len(data) if end < 0 else end
        number += 1
        line = data[begin:end].rstrip(b"\r")
        if line.strip() and not line.startswith(b"#"):
            return number, begin, line.decode("utf-8", "replace")
        begin = end + 1
    return number, begin, ""


FREQUENT = {
    "de": frozenset(
        "der die das den dem des ein eine einen einem einer kein keine keinen er sie es ihn ihm wird werden "
        "weil deshalb nicht und in".split()
    ),
    "nl": frozenset("de het een geen hij zij ze hem haar hen zal zullen omdat daarom niet en".split()),
    "cs": frozenset("on ona ono oni ony ho ji je žádný žádnou žádné žádného nic nikdo nikoho bude budou být v".split()),
    "tr": frozenset("bir bu o onu onlar onları hiçbir kimse kimseyi boyunca sonra önce".split()),
}
"""Words that tell the language, and that do not tell one sentence from another."""


def language_of(forms: Sequence[str], counts: Sequence[int]) -> str:
    """The language by its most frequent words; empty where they do not tell."""
    occurrences = {
        language: sum(count for form, count in zip(forms, counts, strict=True) if form.casefold() in words)
        for language, words in FREQUENT.items()
    }
    best = max(occurrences, key=lambda language: occurrences[language])
    others = max(count for language, count in occurrences.items() if language != best)
    return best if occurrences[best] > 2 * others else ""


def ambiguity_of(name: str, properties: Sequence[tuple[str, ...]]) -> str:
    """`part` where some items carry `amb` or `dat`, else what the name of the file says."""
    from pathlib import PurePath

    if any("amb" in names or "dat" in names for names in properties):
        return "part"
    stem = PurePath(name).name.casefold()
    if re.search(r"part[-_ ]?amb", stem):
        return "part"
    return "full" if re.search(r"(^|[-_. ])amb(ig|[-_. ]|$)", stem) else ""
