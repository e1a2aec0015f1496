"""What is counted when brackets are compared: the parameters of EVALB, from its files or by name.

A deleted tag takes its word out of all brackets; a deleted category takes out the bracket alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ..boundary.texts import file_text
from ..errors import InputError, unknown_name
from .schemes.stts import PUNCTUATION

UNUSED = frozenset("DEBUG MAX_ERROR DISC_ONLY DELETE_ROOT_PRETERMS LA TED DEP LABELED SHOW_FUNCTIONS".split())
"""Keys that say how EVALB and disco-dop print and go on; labelled and unlabelled brackets are always both counted."""


@dataclass(frozen=True)
class Parameters:
    """Which labels, tags and words do not count, and which count as the same."""

    name: str = "all"
    delete_labels: frozenset[str] = frozenset()
    """Categories, and tags whose words are taken out."""
    delete_for_length: frozenset[str] = frozenset()
    """Tags of words that do not count for the length of a sentence."""
    delete_words: frozenset[str] = frozenset()
    same_labels: Mapping[str, str] = field(default_factory=dict)
    """The label that stands for a group of equal ones."""
    same_words: Mapping[str, str] = field(default_factory=dict)
    cutoff: int = 40
    """Sentences up to this length are also scored apart."""

    @property
    def described(self) -> dict[str, list[str]]:
        """All that changes a score, in the order of the alphabet, for signatures and records."""
        sets = {"labels": self.delete_labels, "length": self.delete_for_length, "words": self.delete_words}
        settings = {name: sorted(one) for name, one in sets.items()} | {"cutoff": [str(self.cutoff)]}
        same = {"same_labels": self.same_labels, "same_words": self.same_words}
        return settings | {
            name: [f"{one}={other}" for one, other in sorted(pairs.items())] for name, pairs in same.items()
        }

    def label(self, label: str) -> str:
        return self.same_labels.get(label, label)

    def word(self, word: str) -> str:
        return self.same_words.get(word, word)


GERMAN = Parameters("german", delete_labels=PUNCTUATION | {"VROOT", "ROOT", "TOP", "NOPARSE"})
"""No punctuation and no root, as is usual for TIGER, NEGRA and TüBa-D/Z; lengths are with punctuation."""
COLLINS = Parameters(
    "collins",
    delete_labels=frozenset({"TOP", "ROOT", "S1", "-NONE-", ",", ":", "``", "''", ".", "?", "!"}),
    delete_for_length=frozenset({"-NONE-"}),
    same_labels={"PRT": "ADVP"},
)
"""As COLLINS.prm, for trees of the Penn Treebank."""
ALL = Parameters()
"""Everything counts."""
NAMED = {one.name: one for one in (GERMAN, COLLINS, ALL)}


def parameters(name: str) -> Parameters:
    """The parameters of this name, or those of a parameter file."""
    if name in NAMED:
        return NAMED[name]
    path = Path(name).expanduser()
    if path.is_file() or path.suffix:
        return read_parameters(path)
    raise unknown_name("parameters", name, NAMED)


def read_parameters(path: Path) -> Parameters:
    """An EVALB file: lines of a key and its value, `#` before remarks."""
    lines = file_text(path).splitlines()
    sets: dict[str, set[str]] = {"DELETE_LABEL": set(), "DELETE_LABEL_FOR_LENGTH": set(), "DELETE_WORD": set()}
    pairs: dict[str, list[tuple[str, str]]] = {"EQ_LABEL": [], "EQ_WORD": []}
    cutoff = 40
    for number, line in enumerate(lines, 1):
        cells, where = line.split(), f"{path}:{number}"
        if not cells or cells[0].startswith("#"):
            continue
        key, values = cells[0], cells[1:]
        if key in sets and values:
            sets[key].add(values[0])
        elif key in pairs and len(values) >= 2:
            pairs[key].append((values[0], values[1]))
        elif key == "CUTOFF_LEN" and values and values[0].isdecimal():
            cutoff = int(values[0])
        elif key in sets or key in pairs or key == "CUTOFF_LEN":
            raise InputError(f"{key} has no value", where=where, todo=f"write {_FORMS.get(key, key + ' LABEL')}")
        elif key not in UNUSED:
            raise unknown_name("key of an EVALB file", key, [*sets, *pairs, "CUTOFF_LEN", *sorted(UNUSED)], where=where)
    return Parameters(
        path.name,
        frozenset(sets["DELETE_LABEL"]),
        frozenset(sets["DELETE_LABEL_FOR_LENGTH"]),
        frozenset(sets["DELETE_WORD"]),
        _groups(pairs["EQ_LABEL"]),
        _groups(pairs["EQ_WORD"]),
        cutoff,
    )


_FORMS = {"CUTOFF_LEN": "CUTOFF_LEN 40", "EQ_LABEL": "EQ_LABEL ADVP PRT", "EQ_WORD": "EQ_WORD WORD WORD"}


def _groups(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """For each member of a group of equals the one that stands for it: equality goes both ways and on."""
    leaders: dict[str, str] = {}
    for first, second in pairs:
        leader, replaced = leaders.get(first, first), leaders.get(second, second)
        leaders |= {first: leader, second: leader}
        leaders |= {name: leader for name, stands in leaders.items() if stands == replaced}
    return leaders
