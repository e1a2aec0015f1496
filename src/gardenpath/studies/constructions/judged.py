"""The verdicts on all items of a suite by one system."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from ...errors import InputError, UsageError
from ...phrase.functions import has_functions
from ...phrase.tree import PhraseTree
from ...suites.constructions.model import ConstructionSuite
from .judging import judge
from .verdict import NOPARSE, UNDECIDED, Decisions, Verdict


@dataclass(frozen=True)
class JudgedConstructions:
    """What one system made of one suite, item by item."""

    suite: ConstructionSuite
    system: str
    trees: Sequence[PhraseTree | None]
    verdicts: Sequence[Verdict]
    parsing: Mapping[str, int] = field(default_factory=dict)
    """What failed while its sentences were parsed."""

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
    return JudgedConstructions(suite, system, trees, verdicts, parsing or {})
