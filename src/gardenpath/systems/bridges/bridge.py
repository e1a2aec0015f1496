"""Label bridges: trees of another scheme as Universal Dependencies, by a plain table and a few rules for heads."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from itertools import groupby
from typing import TYPE_CHECKING

from ...errors import InputError
from .arcs import FINAL, ROOT, ArcTree

if TYPE_CHECKING:
    from ...treebank.format.treebank import Treebank

LOST = "dep:"
"""What a label without a counterpart becomes, with itself as the subtype, so that it can be counted."""
_TAGGED = re.compile(r"^\d+\t[^\t]*\t[^\t]*\t[^\t_]", re.MULTILINE)
_NO_LABEL = "--"
"""What TIGER has at the root."""
_ANY, _NONE = "*", "-"
_TELLING, _KNOWN = 2, 0.9
"""So many labels that UD has not, and such a share of labels that the table has: then it is this scheme."""


@dataclass(frozen=True)
class LabelBridge:
    """From one scheme to UD: its table is `SCHEME.tsv`, its rules for heads are `redraw` in the module of that name."""

    scheme: str
    telling: frozenset[str]
    """Labels that it has and UD has not."""

    @property
    def name(self) -> str:
        """As a signature has it."""
        return f"{self.scheme}→ud"

    def fits(self, labels: Collection[str]) -> bool:
        """Are these labels of this scheme?"""
        names = {label.lower() for label in labels} - {ROOT, _NO_LABEL}
        known = names & table(self.scheme).keys()
        return len(names & self.telling) >= _TELLING and len(known) >= _KNOWN * len(names)

    def applied(self, conllu: str) -> str:
        """CoNLL-U with all trees redrawn; what is not a tree stays as it is."""
        if conllu.strip() and not _TAGGED.search(conllu):
            todo = "give trees with UPOS, or leave labels as they are: #labels=keep"
            raise InputError(f"the bridge {self.name} needs tags (UPOS), and there are none", todo=todo)
        blocks = [list(lines) for blank, lines in groupby(conllu.split("\n"), lambda line: not line) if not blank]
        return "".join("\n".join(self._sentence(lines)) + "\n\n" for lines in blocks)

    def _sentence(self, lines: list[str]) -> list[str]:
        from ..asking.matching import tree_fault  # with all that parsers are asked with

        places = [place for place, line in enumerate(lines) if line.partition("\t")[0].isdecimal()]
        rows = [lines[place].split("\t") for place in places]
        if not tree_fault([row[6] for row in rows]):
            for place, row, (head, label) in zip(places, rows, self.arcs(rows), strict=True):
                lines[place] = "\t".join([*row[:6], str(head), label, *row[8:]])
        return lines

    def arcs(self, rows: Sequence[Sequence[str]]) -> list[tuple[int, str]]:
        """Head and relation of each word of a tree."""
        tree = ArcTree(rows)
        import_module(f".{self.scheme}", __package__).redraw(tree)
        return [(tree.heads[word], self._relation(tree, word)) for word in tree.words]

    def _relation(self, tree: ArcTree, word: int) -> str:
        label, head = tree.labels[word], tree.heads[word]
        if head == 0:
            return ROOT
        if label.startswith(FINAL):
            return label.removeprefix(FINAL)
        for tags, tags_of_head, relation in table(self.scheme).get(label, ()):
            if _allows(tags, tree.upos[word]) and _allows(tags_of_head, tree.upos[head]) and relation != _NONE:
                return relation
        return LOST + label


def _allows(tags: frozenset[str], tag: str) -> bool:
    return _ANY in tags or tag in tags


@cache
def table(scheme: str) -> dict[str, list[tuple[frozenset[str], frozenset[str], str]]]:
    """The lines of a scheme by label: tags of the word, tags of its head, and the relation of UD."""
    from importlib.resources import files  # 5 ms that only bridged trees need

    lines: dict[str, list[tuple[frozenset[str], frozenset[str], str]]] = {}
    for text in files(__package__).joinpath(f"{scheme}.tsv").read_text(encoding="utf-8").splitlines():
        if not text.startswith("#"):
            label, word, head, relation = text.split("\t")
            lines.setdefault(label, []).append((frozenset(word.split()), frozenset(head.split()), relation))
    return lines


BRIDGES = (
    LabelBridge("clearnlp", frozenset("prep pobj dobj acomp attr nsubjpass auxpass relcl poss".split())),
    LabelBridge("tiger", frozenset("sb oa oc nk mo da pd svp mnr".split())),
)


def fitting(labels: Collection[str]) -> LabelBridge | None:
    """The bridge for trees with these labels, if they need one and there is one."""
    return next((bridge for bridge in BRIDGES if bridge.fits(labels)), None)


def bridge_named(choice: str, labels: Collection[str]) -> LabelBridge | None:
    """What `#labels=` asks for: `auto` (what fits), `keep` (none) or a scheme."""
    if choice == "auto":
        return fitting(labels)
    return next((bridge for bridge in BRIDGES if bridge.scheme == choice), None)


CHOICES = ("auto", "keep", *(bridge.scheme for bridge in BRIDGES))


def without_counterpart(treebank: Treebank) -> Counter[str]:
    """Labels of bridged trees that UD has no relation for, and how many arcs have them."""
    column = treebank.column("deprel")
    counts = {label: int((column.codes == code).sum()) for code, label in enumerate(column.values)}
    return Counter({label.removeprefix(LOST): n for label, n in counts.items() if n and label.startswith(LOST)})


def note_on(bridge: LabelBridge, lost: Counter[str], arcs: int) -> str:
    """What is said of bridged trees: that they are, and what the bridge could not bring over."""
    by_label = ", ".join(f"{label} {count:,}" for label, count in lost.most_common())
    counted = f"{lost.total():,} of {arcs:,} arcs have no counterpart" + (f" ({by_label})" if lost else "")
    return f"labels {bridge.name}: {counted}"
