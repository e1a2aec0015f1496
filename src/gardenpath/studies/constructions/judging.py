"""What a parse made of a construction: right, or of which error class, by the rules of `classes.toml`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ...errors import InputError, UsageError, unknown_name
from ...phrase.edits.gaps import FORMS, as_shown, whole_nodes
from ...phrase.edits.grammar import has_functions, with_conjuncts_alone
from ...phrase.schemes.model import Scheme
from ...phrase.schemes.registry import scheme as known_scheme
from ...phrase.tree import PhraseTree
from ...suites.constructions.model import Construction, ConstructionSuite
from .attachment import judge_prepositional, judge_relative
from .coordination import judge_coordination, judge_unlike
from .dependency import judge_coordination_arcs, judge_prepositional_arc, judge_relative_arc, judge_unlike_arcs
from .error_classes import NOPARSE, RIGHT, SHOWN, UNDECIDED, ConstructionVerdict, Decisions
from .reading import Case, Reading, content_of

_TABLES: Mapping[str, Callable[[Case], ConstructionVerdict]] = {
    "ppn": judge_prepositional,
    "ppv": judge_prepositional,
    "erc": judge_relative,
    "fcr": judge_coordination,
    "sgf": judge_coordination,
    "cuc": judge_unlike,
}

_ARC_TABLES: Mapping[str, Callable[[Case], ConstructionVerdict]] = {
    "ppn": judge_prepositional_arc,
    "ppv": judge_prepositional_arc,
    "erc": judge_relative_arc,
    "fcr": judge_coordination_arcs,
    "sgf": judge_coordination_arcs,
    "cuc": judge_unlike_arcs,
}

_NEEDED = {
    "erc": ("relative", "verb", "noun"),
    "fcr": ("verb1", "verb2", "subject"),
    "sgf": ("verb1", "verb2", "subject"),
}
"""Anchors without which there is nothing to look for."""
_BY_SUBJECT = ("fcr", "sgf")


def judge(
    gold: PhraseTree,
    construction: Construction,
    parse: PhraseTree | None,
    scheme: Scheme | str,
    form: str = "discontinuous",
    decisions: Decisions | None = None,
    functions: bool = True,
) -> ConstructionVerdict:
    """The verdict on one parse of one construction of a gold tree; `parse` None: there is none.

    Gold is always the whole tree; `form` says how the parses show gaps, and `functions` whether they have any. Whether
    an item counts (or is n/a), and for which classes, is decided by gold and these two alone.
    """
    annotated = known_scheme(scheme)
    functions = functions and not annotated.bare
    if form not in FORMS:
        raise unknown_name("form of trees", form, FORMS)
    if construction.phenomenon not in _TABLES:
        raise unknown_name("phenomenon", construction.phenomenon, _TABLES)
    if parse is not None and parse.labels:
        check_words(gold, parse)
        if functions and not has_functions(parse):
            raise UsageError(
                "this parse has no functions",
                where=f"sentence {gold.sent_id}" if gold.sent_id else "",
                todo="functions=False judges what can be told without them",
            )
    absent = [name for name in _NEEDED.get(construction.phenomenon, ()) if construction.anchor(name) < 0]
    if absent:
        return ConstructionVerdict((), UNDECIDED, (), f"the construction has no anchor {absent[0]}")
    if annotated.arcs:
        form = "discontinuous"  # arcs may cross: no form of phrases hides any
    perfect = _perfect(gold, construction, annotated, form, functions, decisions or Decisions())
    table, lost = (_ARC_TABLES if annotated.arcs else _TABLES)[construction.phenomenon], ConstructionVerdict((), RIGHT)
    if perfect.is_reduced:
        best = table(perfect)
        if not best.right:
            return ConstructionVerdict((), UNDECIDED, (), best.reason)
        lost = table(replace(perfect, gold=perfect.whole))
    hidden = lost.codes
    if parse is None or not parse.labels:
        return ConstructionVerdict((), NOPARSE, (), "no parse", hidden=hidden)
    tree = whole_nodes(parse, form)
    if not functions:
        tree = with_conjuncts_alone(tree, annotated)
    verdict = table(replace(perfect, parse=replace(perfect.whole, tree=tree)))
    if hidden and verdict.right:
        return ConstructionVerdict((), SHOWN, verdict.flags, f"not shown by gold itself: {lost.reason}", hidden=hidden)
    return replace(verdict, hidden=hidden)


def _perfect(
    gold: PhraseTree, construction: Construction, scheme: Scheme, form: str, functions: bool, decisions: Decisions
) -> Case:
    """The case of a parser that makes no mistake: its parse is gold as such trees show it."""
    if scheme.bare and construction.phenomenon not in _BY_SUBJECT:
        gold = with_conjuncts_alone(gold, scheme)  # nothing but a subject is asked of functions that are no heads
    whole = Reading(gold, scheme, content_of(gold, scheme))
    tree = as_shown(gold, scheme, form)
    if not functions:
        tree = with_conjuncts_alone(tree, scheme)
    shown = whole if tree == gold else replace(whole, tree=tree)
    return Case(construction, shown, whole, shown, decisions)


def check_words(gold: PhraseTree, parse: PhraseTree) -> None:
    """An error for a parse of other words: where they differ first."""
    if gold.words == parse.words:
        return
    pairs = enumerate(zip(gold.words, parse.words, strict=False), 1)
    place = next((number for number, (one, two) in pairs if one != two), min(len(gold), len(parse)) + 1)
    ours, theirs = (
        repr(tree.words[place - 1]) if place <= len(tree) else "the end of the sentence" for tree in (gold, parse)
    )
    name = gold.sent_id or parse.sent_id
    raise InputError(
        f"the parse has other words than gold: token {place} is {theirs}, gold has {ours}",
        where=f"sentence {name}" if name else "",
        todo="parse the sentences of the suite, with their tokens",
    )


@dataclass(frozen=True)
class JudgedConstructions:
    """What one system made of one suite, item by item."""

    suite: ConstructionSuite
    system: str
    trees: Sequence[PhraseTree | None]
    verdicts: Sequence[ConstructionVerdict]
    parsing: Mapping[str, int] = field(default_factory=dict)
    """What failed while its sentences were parsed."""
    form: str = "discontinuous"
    """How its trees show gaps."""
    people: Mapping[str, Sequence[str | None]] = field(default_factory=dict)
    """The class that each annotator, or the rules, gave to every item."""

    @property
    def failures(self) -> dict[str, int]:
        """What failed while parsing, items that have no parse, and those of which the trees do not show enough."""
        counts = Counter(verdict.primary for verdict in self.verdicts)
        bare = sum("no-functions" in verdict.flags for verdict in self.verdicts)
        kinds = {**self.parsing, "items without a parse": counts[NOPARSE], "of these trees without functions": bare}
        kinds["items not decided (n/a)"] = counts[UNDECIDED]
        return {kind: count for kind, count in kinds.items() if count}


def lack_functions(trees: Sequence[PhraseTree | None]) -> bool:
    """Is there no function in any of these trees?"""
    there = [tree for tree in trees if tree is not None and tree.labels]
    return bool(there) and not any(map(has_functions, there))


def judge_trees(
    suite: ConstructionSuite,
    system: str,
    trees: Sequence[PhraseTree | None],
    *,
    form: str = "discontinuous",
    decisions: Decisions | None = None,
    parsing: Mapping[str, int] | None = None,
) -> JudgedConstructions:
    """Judges a tree (or None) for each item of the suite.

    Where none of the trees has functions, what needs them is not asked.
    """
    if len(trees) != len(suite.items):
        raise UsageError(f"{len(trees)} trees for {len(suite.items)} items", where=system)
    functions = not lack_functions(trees)
    verdicts = []
    for item, tree in zip(suite.items, trees, strict=True):
        bare = functions and tree is not None and tree.labels and not has_functions(tree)
        parse = None if bare else tree
        try:
            verdict = judge(item.tree, item.construction, parse, suite.scheme, form, decisions, functions)
        except InputError as error:
            where = f"{system}: item {item.item}" + (f", {error.where}" if error.where else "")
            raise InputError(error.what, where=where, todo=error.todo) from None
        if bare and verdict.primary == NOPARSE:
            verdict = replace(verdict, flags=("no-functions",), reason="a tree without functions")
        verdicts.append(verdict)
    return JudgedConstructions(suite, system, trees, verdicts, parsing or {}, form)
