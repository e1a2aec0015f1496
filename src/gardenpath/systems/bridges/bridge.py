"""Label bridges: trees of another scheme as Universal Dependencies, by a plain table and a few rules for heads."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from itertools import groupby
from typing import TYPE_CHECKING

from ...errors import InputError

if TYPE_CHECKING:
    from ...treebank.format.treebank import Treebank


ROOT = "root"
FINAL = "="
"""What a label begins with that is one of Universal Dependencies already."""
NOMINAL = frozenset("NOUN PROPN PRON NUM SYM DET X".split())


class ArcTree:
    """Words are counted from 1; position 0 of each list stands for the place above the root."""

    def __init__(self, rows: Sequence[Sequence[str]]) -> None:
        """`rows` are the CoNLL-U columns of the words, which are a tree."""
        self.forms = ["", *(row[1].lower() for row in rows)]
        self.upos = ["", *(row[3] for row in rows)]
        self.xpos = ["", *(row[4] for row in rows)]
        self.feats = ["", *(row[5] for row in rows)]
        self.heads = [-1, *(int(row[6]) for row in rows)]
        self.labels = ["", *(row[7].lower() if row[6] != "0" else ROOT for row in rows)]

    @property
    def words(self) -> range:
        return range(1, len(self.heads))

    def labelled(self, *labels: str) -> list[int]:
        """The words with one of these labels."""
        return [word for word in self.words if self.labels[word] in labels]

    def children(self, head: int, *labels: str) -> list[int]:
        """The dependents of a word from left to right: all, or those with one of these labels."""
        return [word for word in self.words if self.heads[word] == head and (not labels or self.labels[word] in labels)]

    def attach(self, word: int, head: int, label: str = "") -> None:
        """Draws a new arc; without a label the word keeps its own."""
        self.heads[word] = head
        self.labels[word] = label or self.labels[word]

    def promote(
        self, word: int, label: str, *, place: str = "", moves: Callable[[int], bool] = lambda child: True
    ) -> None:
        """The word takes the place of its head, which becomes its dependent with this label.

        `place` is the word's new label (none: that of the old head). The old head's other dependents go to the word,
        if `moves` is true of them.
        """
        old = self.heads[word]
        for child in self.children(old):
            if child != word and moves(child):
                self.heads[child] = word
        self.attach(word, self.heads[old], place or self.labels[old])
        self.attach(old, word, label)

    def bottom_up(self) -> list[int]:
        """The words, each before its head."""
        depths = [0] * len(self.heads)
        for word in self.words:
            above = self.heads[word]
            while above > 0:
                depths[word] += 1
                above = self.heads[above]
        return sorted(self.words, key=lambda word: -depths[word])


_PAIRS = {")": "(", "]": "[", "}": "{", "”": "“", "»": "«", "’": "‘", "-rrb-": "-lrb-", "''": "``", '"': '"'}
"""Closing marks and those that open for them."""


def hang_punctuation(tree: ArcTree, label: str) -> None:
    """A pair of marks hangs below the head of what it encloses, a final mark below the head of all before it, and
    one between two units below the lower of their heads."""
    marks = {word for word in tree.labelled(label) if not tree.children(word)}
    enclosing = _enclosing(tree, marks)
    for mark in marks:
        tree.heads[mark] = enclosing.get(mark) or _parted(tree, mark, marks) or tree.heads[mark]


def _enclosing(tree: ArcTree, marks: set[int]) -> dict[int, int]:
    """For both marks of a pair the head of what is between them, where that has one head."""
    heads: dict[int, int] = {}
    opened: list[int] = []
    for mark in sorted(marks):
        if opened and tree.forms[opened[-1]] == _PAIRS.get(tree.forms[mark]):
            begin = opened.pop()
            inside = [word for word in range(begin + 1, mark) if word not in marks]
            tops = [word for word in inside if not begin < tree.heads[word] < mark]
            if len(tops) == 1:
                heads[begin] = heads[mark] = tops[0]
        elif tree.forms[mark] in _PAIRS.values():
            opened.append(mark)
    return heads


def _parted(tree: ArcTree, mark: int, marks: set[int]) -> int:
    """The lower of the heads of what ends and of what begins at the mark; 0 where there is neither."""
    before, after = mark - 1, mark + 1
    while before in marks:
        before -= 1
    while after in marks:
        after += 1
    while before and 0 < tree.heads[before] < mark:
        before = tree.heads[before]
    if after == len(tree.heads):
        return before
    while tree.heads[after] > mark:
        after = tree.heads[after]
    return before if before and tree.heads[before] > mark and not _is_above(tree, before, after) else after


def _is_above(tree: ArcTree, upper: int, word: int) -> bool:
    """Is the one an ancestor of the other? *the dog, which barks, sleeps*: the dog of what begins at the mark."""
    while word and word != upper:
        word = tree.heads[word]
    return word == upper


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
