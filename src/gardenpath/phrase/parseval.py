"""PARSEVAL: the brackets of a parser against those of gold, as counts per sentence.

A bracket is a category and the set of its tokens, so that nodes with gaps are brackets like any other. Equal brackets
are matched one to one (EVALB's way); the virtual root is no bracket.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

from ..errors import InputError
from .evalb import ALL, Parameters
from .gap_kinds import gap_kind
from .leaf_ancestor import lineages, similarity
from .tree import NO_FUNCTION, PhraseTree


@dataclass(frozen=True, slots=True)
class Matched:
    """Brackets of gold, of the system, and those in both."""

    right: int
    gold: int
    system: int


@dataclass(frozen=True, slots=True)
class SentenceScore:
    """The counts of one sentence."""

    length: int
    """Words that count for the length."""
    labelled: Matched
    unlabelled: Matched
    functions: Matched
    """Of brackets with category and function."""
    discontinuous: Matched
    """Of labelled brackets with gaps."""
    crossing: int
    """Brackets of the system that cross one of gold."""
    words: int
    """Words that count: those whose tag is not deleted in gold."""
    tags: int
    """Words whose tag is right."""
    leaf_ancestor: float
    """The sum over words."""
    leaf_ancestor_discodop: float
    """The mean over words, by disco-dop's definition."""
    parsed: bool = True

    @property
    def exact(self) -> bool:
        """Are all labelled brackets right, and no others there?"""
        return self.labelled.right == self.labelled.gold == self.labelled.system


def score_trees(
    gold: Sequence[PhraseTree], system: Sequence[PhraseTree | None], parameters: Parameters = ALL
) -> list[SentenceScore]:
    """The counts of every sentence; `None` stands for a sentence without a parse."""
    if len(gold) != len(system):
        raise InputError(f"{len(system)} trees for {len(gold)} gold trees", todo="align them first")
    return [score_tree(one, other, parameters) for one, other in zip(gold, system, strict=True)]


def score_tree(gold: PhraseTree, system: PhraseTree | None, parameters: Parameters = ALL) -> SentenceScore:
    """The counts of one sentence. No tree is scored as one without brackets and tags, in which all is wrong."""
    length = sum(tag not in parameters.delete_for_length for tag in gold.tags)
    kept = kept_tokens(gold, parameters)
    words = kept.bit_count()
    wanted = brackets(gold, parameters, kept)
    if system is None:
        nothing, broken = Matched(0, len(wanted), 0), Matched(0, len(_broken(wanted, kept)), 0)
        return SentenceScore(length, nothing, nothing, nothing, broken, 0, words, 0, 0.0, 0.0, parsed=False)
    _check_words(gold, system, parameters)
    proposed = brackets(system, parameters, kept)
    spans = {mask for mask, _, _ in wanted}
    tokens = [token for token in range(len(gold)) if kept >> token & 1]
    alike = _alike(gold, system, parameters, kept)
    with_gaps = _alike(gold, system, parameters, kept, gaps=True, replacing=1)
    return SentenceScore(
        length,
        _matched([(mask, label) for mask, label, _ in wanted], [(mask, label) for mask, label, _ in proposed]),
        _matched([mask for mask, _, _ in wanted], [mask for mask, _, _ in proposed]),
        _matched(wanted, proposed),
        _matched(_broken(wanted, kept), _broken(proposed, kept)),
        sum(any(crosses(mask, other) for other in spans) for mask, _, _ in proposed),
        words,
        sum(parameters.label(gold.tags[token]) == parameters.label(system.tags[token]) for token in tokens),
        sum(alike[token] for token in tokens),
        sum(with_gaps[token] for token in tokens) / max(words, 1),
    )


def _alike(
    gold: PhraseTree, system: PhraseTree, parameters: Parameters, kept: int, *, gaps: bool = False, replacing: int = 2
) -> list[float]:
    """How alike the lineages of each token are."""
    pairs = zip(*(lineages(tree, parameters, kept, gaps=gaps) for tree in (gold, system)), strict=True)
    return [similarity(one, other, replacing) for one, other in pairs]


Bracket = tuple[int, str, str]
"""Tokens as bits, category, function."""


def brackets(tree: PhraseTree, parameters: Parameters = ALL, kept: int | None = None) -> list[Bracket]:
    """The brackets that count, over the tokens that count (`kept`; without it, by the tags of this tree)."""
    kept = kept_tokens(tree, parameters) if kept is None else kept
    size = len(tree)
    listed = []
    for place, label in enumerate(tree.labels):
        mask = tree.masks[size + place] & kept
        if mask and label not in parameters.delete_labels:
            function = tree.functions[size + place]
            listed.append((mask, parameters.label(label), "" if function in NO_FUNCTION else function))
    return listed


def gap_brackets(tree: PhraseTree, parameters: Parameters, kept: int, scheme: str = "") -> list[Bracket]:
    """Tokens, category and `gap_kind` of each bracket with a gap."""
    listed = []
    for place, label in enumerate(tree.labels, len(tree)):
        kind = gap_kind(tree[place], kept, scheme) if label not in parameters.delete_labels else ""
        if kind:
            listed.append((tree.masks[place] & kept, parameters.label(label), kind))
    return listed


def _broken(every: Iterable[Bracket], kept: int) -> list[tuple[int, str]]:
    """The labelled brackets with gaps: tokens that count stand between theirs. What does not count makes no gap."""
    return [(mask, label) for mask, label, _ in every if kept & ((1 << mask.bit_length()) - (mask & -mask)) != mask]


def crosses(one: int, other: int) -> bool:
    """Do two sets of tokens overlap, with neither inside the other?"""
    both = one & other
    return bool(both) and both not in (one, other)


def _matched(gold: Iterable[Hashable], system: Iterable[Hashable]) -> Matched:
    wanted, proposed = Counter(gold), Counter(system)
    return Matched((wanted & proposed).total(), wanted.total(), proposed.total())


def kept_tokens(tree: PhraseTree, parameters: Parameters) -> int:
    """The tokens that count, by the tags of gold: a wrong tag of the system must not move brackets."""
    mask = 0
    for token, (word, tag) in enumerate(zip(tree.words, tree.tags, strict=True)):
        if tag not in parameters.delete_labels and word not in parameters.delete_words:
            mask |= 1 << token
    return mask


def _check_words(gold: PhraseTree, system: PhraseTree, parameters: Parameters) -> None:
    where = f"sentence {gold.sent_id}" if gold.sent_id else ""
    if len(gold) != len(system):
        raise InputError(f"{len(system)} words in the tree of the system, {len(gold)} in gold", where=where)
    for number, (one, other) in enumerate(zip(gold.words, system.words, strict=True), 1):
        if one != other and parameters.word(one) != parameters.word(other):
            raise InputError(f"token {number} is {one!r} in gold and {other!r} in the system's tree", where=where)
