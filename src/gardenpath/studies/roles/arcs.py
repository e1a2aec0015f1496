"""The arcs that a suite tests, what a system made of each, and what went wrong in an item as a whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError
from ...suites.roles.model import OBJECTS, SUBJECT, RoleSuite
from ...treebank.format.columns import Column
from ...treebank.format.treebank import Treebank
from ...treebank.trees.alignment import Alignment, SentenceKey, align, match
from ...treebank.trees.scores import universal
from ...treebank.trees.tree import cyclic_mask, parents, root_counts
from .declaration import Plain

_TODO = "gold and system must have the same sentences, in any order; was another file or release parsed?"


def aligned(gold: Treebank, system: Treebank, lines: Sequence[int] = ()) -> Alignment:
    """Words of both; tokens may differ, characters may not. `lines` says where the sentences of gold begin in a file
    that was no CoNLL."""
    try:
        return align(gold, system)
    except InputError as error:
        raise _by_sentence(gold, system, lines) or error from None


def _by_sentence(gold: Treebank, system: Treebank, lines: Sequence[int]) -> InputError | None:
    """The first sentence of gold that the system does not have, or the first that it has beside those of gold."""
    mine, theirs = (
        [
            SentenceKey(text, sent_id)
            for text, sent_id in zip(treebank.surface.sentences(), treebank.sent_ids, strict=True)
        ]
        for treebank in (gold, system)
    )
    places = match(mine, theirs)
    missing = next((number for number, place in enumerate(places) if place is None), None)
    surplus = sorted(set(range(len(system))) - set(places))
    if missing is None:
        extra = _text(system, surplus[0])
        what = f"{system.name} has {len(system):,} sentences and gold {len(gold):,}; gold does not have {extra}"
        return InputError(what, where=_place(system, surplus[0]), todo=_TODO)
    place = f"{gold.name}:{lines[missing]}" if lines else _place(gold, missing)
    if not surplus:
        what = f"{system.name} has {len(system):,} of {len(gold):,} sentences; {_text(gold, missing)} is missing"
        return InputError(what, where=place, todo=_TODO)
    instead = missing if missing in surplus else surplus[0]
    left, right = str(mine[missing].content), str(theirs[instead].content)
    if left.startswith(right) or right.startswith(left):
        return None  # cut elsewhere: where the text itself differs, the alignment says
    name = mine[missing].sent_id or missing + 1
    what = f"sentence {name} differs: gold has {_text(gold, missing)}, the system {_text(system, instead)}"
    return InputError(what, where=f"{place} and {_place(system, instead)}", todo=_TODO)


def _text(treebank: Treebank, number: int) -> str:
    return repr(treebank[number].text[:60])


def _place(treebank: Treebank, number: int) -> str:
    return treebank.place(int(treebank.index.starts[treebank.index.rows[number]]))


Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]

ROOT, UNKNOWN = -2, -1
"""Heads that are no word: the artificial root, and one that gold does not say."""
OUTCOMES = ("right", "swapped", "other label", "wrong head", "no head", "not found")
RIGHT, SWAPPED, OTHER_LABEL, WRONG_HEAD, NO_HEAD, NOT_FOUND = range(6)


@dataclass(frozen=True, eq=False)
class GoldArcs:
    """Arcs over the words of a gold treebank, by item (sentence) and position."""

    gold: Treebank
    item: Ints
    word: Ints
    """Number of the dependent among all words."""
    head: Ints
    """The same of its head, or ROOT."""
    label: Column
    """As it is compared: see `plain`."""
    labels_only: bool = False
    """Gold has no heads (SORTS as TSV): only the label of each word can be judged."""
    failures: Mapping[str, int] = field(default_factory=dict)
    """What of a suite cannot be judged: arcs that say no head while others do, and items without any arc."""
    lines: Sequence[int] = ()
    """Where the items begin in the file."""
    plain: Plain = universal
    """Labels as they are compared, those of systems too."""

    def __len__(self) -> int:
        return len(self.word)

    @cached_property
    def is_first(self) -> Bools:
        """Is this arc the subject (in a PP suite: the preposition)?"""
        return _in(self.label, (SUBJECT, "case"))

    @cached_property
    def counts(self) -> Ints:
        """Arcs per item."""
        return np.bincount(self.item, minlength=len(self.gold))

    def per_item(self, which: Bools) -> Ints:
        """How many of these arcs each item has."""
        return np.bincount(self.item[which], minlength=len(self.gold))

    @classmethod
    def of_suite(cls, suite: RoleSuite, plain: Plain = universal) -> GoldArcs:
        arcs, gold = suite.arcs, suite.treebank
        lengths = gold.lengths[arcs.item]
        outside = (arcs.dependent < 1) | (arcs.dependent > lengths) | (arcs.head > lengths)
        if outside.any():
            at = int(np.flatnonzero(outside)[0])
            item = int(arcs.item[at])
            what = f"the gold arc {arcs.dependent[at]} ← {arcs.head[at]} leaves a sentence of {lengths[at]} words"
            where = f"{suite.name}:{suite.lines[item]} (item {suite.sent_ids[item]})"
            raise InputError(what, where=where, todo=f"gardenpath suite check {suite.name} names all such items")
        if len(arcs) == 0:
            raise InputError("no gold arc in this suite", where=suite.name, todo="is it the file with gold?")
        unknown = arcs.head < 0
        labels_only = bool(unknown.all())
        kept = np.ones(len(arcs), dtype=bool) if labels_only else ~unknown
        begins = gold.offsets[arcs.item]
        heads = np.where(arcs.head == 0, ROOT, np.where(unknown, UNKNOWN, begins + arcs.head - 1))
        label = arcs.label.mapped(plain)
        failures = {
            "gold arcs without head, left out": int((~kept).sum()),
            "items without gold arc": len(gold) - len(np.unique(arcs.item[kept])),
        }
        return cls(
            gold, arcs.item[kept], (begins + arcs.dependent - 1)[kept], heads[kept],
            Column(label.codes[kept], label.values), labels_only, failures, suite.lines, plain,
        )  # fmt: skip


@dataclass(frozen=True, eq=False)
class JudgedArcs:
    """What one system made of the arcs; arrays run over the arcs."""

    arcs: GoldArcs
    alignment: Alignment
    partner: Ints
    """The system's word, -1 where it has none."""
    head_right: Bools
    """All True where gold says labels only."""
    label_right: Bools
    predicted: Column
    """The system's label as it is compared; empty where it has no such word."""
    outcome: NDArray[np.int8]
    """Index into OUTCOMES."""
    failures: Mapping[str, int]

    @property
    def right(self) -> Bools:
        """Head and label (label alone, where gold has no heads)."""
        right: Bools = self.outcome == RIGHT
        return right

    def per_item(self, which: Bools) -> Ints:
        """How many of these arcs each item has."""
        return self.arcs.per_item(which)


def judge(arcs: GoldArcs, system: Treebank) -> JudgedArcs:
    """Judges a system's trees over the same text; other text, or trees without any head, is an error."""
    _check_parsed(system, arcs.labels_only)
    alignment = aligned(arcs.gold, system, arcs.lines)
    partner = alignment.system_of[arcs.word]
    has_partner = partner >= 0
    theirs = alignment.system.column("deprel").mapped(arcs.plain)
    pool = {value: number for number, value in enumerate(theirs.values)}
    for value in ("", *arcs.label.values):
        pool.setdefault(value, len(pool))
    codes = np.where(has_partner, theirs.codes[partner], pool[""]).astype(np.int32)
    wanted = np.array([pool[value] for value in arcs.label.values], dtype=np.int64)[arcs.label.codes]
    label_right: Bools = codes == wanted
    predicted = Column(codes, tuple(pool))
    if arcs.labels_only:
        has_head = head_right = np.ones(len(arcs), dtype=bool)
    else:
        has_head = has_partner & (alignment.system.heads[partner] >= 0)
        head_right = has_head & _same_head(arcs, alignment, partner)
    swapped = np.where(arcs.is_first, _in(predicted, OBJECTS), _in(predicted, (SUBJECT,))) & _is_role(arcs)
    outcome = np.select(
        [~has_partner, ~has_head, ~head_right, label_right, swapped],
        [NOT_FOUND, NO_HEAD, WRONG_HEAD, RIGHT, SWAPPED],
        OTHER_LABEL,
    ).astype(np.int8)
    head_right = head_right & has_partner
    failures = _failures(arcs, alignment, outcome)
    return JudgedArcs(arcs, alignment, partner, head_right, label_right & has_partner, predicted, outcome, failures)


def _check_parsed(system: Treebank, labels_only: bool) -> None:
    """A file with words alone would score 0, and it would not be the parser's fault."""
    if labels_only:
        empty, missing = set(system.column("deprel").values) <= {"_"}, "relation"
    else:
        empty, missing = not bool((system.heads >= 0).any()), "head"
    if empty:
        todo = "parse it first: gardenpath parse SYSTEM FILE -o PARSED"
        raise InputError(f"no word has a {missing}: this file is not parsed", where=system.name, todo=todo)


def _same_head(arcs: GoldArcs, alignment: Alignment, partner: Ints) -> Bools:
    system = alignment.system
    wanted = np.where(arcs.head >= 0, alignment.system_of[arcs.head], UNKNOWN)
    above = parents(system.heads, system.offsets)[partner]
    is_root = system.heads[partner] == 0
    same: Bools = np.where(arcs.head == ROOT, is_root, ~is_root & (wanted >= 0) & (wanted == above))
    return same


def _is_role(arcs: GoldArcs) -> Bools:
    return _in(arcs.label, (SUBJECT, *OBJECTS))


def _in(column: Column, values: tuple[str, ...]) -> Bools:
    mask: Bools = np.array([value in values for value in column.values], dtype=bool)[column.codes]
    return mask


def _failures(arcs: GoldArcs, alignment: Alignment, outcome: NDArray[np.int8]) -> dict[str, int]:
    """What is wrong with gold or output, whatever the score. Partial trees are no failure of their own."""
    gold, system = alignment.gold, alignment.system
    failures = {
        **arcs.failures,
        "words split or merged": int(gold.word_count - len(alignment.gold_words)),
        "tested words split or merged": int((outcome == NOT_FOUND).sum()),
    }
    if arcs.labels_only:
        return failures
    heads, offsets = system.heads, system.offsets
    with_head = np.bincount(system.sentence_of[heads >= 0], minlength=len(system))
    roots = root_counts(heads, offsets)
    return failures | {
        "tested words without head": int((outcome == NO_HEAD).sum()),
        "sentences without any head": int((with_head == 0).sum()),
        "sentences without root": int(((roots == 0) & (with_head == system.lengths)).sum()),
        "sentences with several roots": int((roots > 1).sum()),
        "sentences with a cycle": int(cyclic_mask(heads, offsets).sum()),
    }
