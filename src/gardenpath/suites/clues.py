"""What the lines and words of a file tell: a row of CoNLL, the first line, the language, the ambiguity."""

from __future__ import annotations

import re
from collections.abc import Sequence


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
