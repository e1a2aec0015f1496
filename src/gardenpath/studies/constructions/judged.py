"""The verdicts on all items of a suite by one system."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from ...errors import InputError, UsageError
from ...phrase.tree import PhraseTree
from ...suites.constructions.model import ConstructionSuite
from .entrants import Entrant, check_scheme_of, scheme_of
from .judging import WITHOUT_FUNCTIONS, has_functions, judge
from .verdict import NOPARSE, UNDECIDED, Decisions, Verdict


@dataclass(frozen=True)
class Judged:
    """What one system made of one suite, item by item."""

    suite: ConstructionSuite
    system: str
    trees: Sequence[PhraseTree | None]
    verdicts: Sequence[Verdict]

    @property
    def failures(self) -> dict[str, int]:
        """Items that have no parse, and those whose form of trees does not show what is asked."""
        counts = Counter(verdict.primary for verdict in self.verdicts)
        bare = sum("no-functions" in verdict.flags for verdict in self.verdicts)
        found = {"items without a parse": counts[NOPARSE], "of these trees without functions": bare}
        found["items not decided (n/a)"] = counts[UNDECIDED]
        return {kind: count for kind, count in found.items() if count}


def judge_trees(
    suite: ConstructionSuite,
    system: str,
    trees: Sequence[PhraseTree | None],
    *,
    form: str = "discontinuous",
    decisions: Decisions | None = None,
) -> Judged:
    """Judges a tree (or None) for each item of the suite."""
    if len(trees) != len(suite.items):
        raise UsageError(f"{len(trees)} trees for {len(suite.items)} items", where=system)
    there = [tree for tree in trees if tree is not None and tree.labels]
    if there and not any(map(has_functions, there)):
        raise UsageError(
            "these trees have no functions, and without them no error class can be told",
            where=system,
            todo=WITHOUT_FUNCTIONS,
        )
    verdicts = []
    for item, tree in zip(suite.items, trees, strict=True):
        if tree is not None and tree.labels and not has_functions(tree):
            verdicts.append(Verdict((), NOPARSE, ("no-functions",), "a tree without functions"))
            continue
        try:
            verdicts.append(judge(item.tree, item.construction, tree, suite.scheme, form, decisions))
        except InputError as error:
            where = f"{system}: item {item.item}" + (f", {error.where}" if error.where else "")
            raise InputError(error.what, where=where, todo=error.todo) from None
    return Judged(suite, system, trees, verdicts)


def judge_all(
    suites: Sequence[ConstructionSuite],
    systems: Sequence[Entrant],
    *,
    form: str = "discontinuous",
    decisions: Decisions | None = None,
    jobs: int = 1,
    cluster: str | None = None,
) -> list[Judged]:
    """Every system on every suite of its scheme. A system without a scheme is of that which its trees show."""
    _check(suites, systems)
    found: list[Judged] = []
    for one in systems:
        wanted = one.scheme
        if wanted and all(suite.scheme != wanted for suite in suites):
            raise UsageError(f"no suite is in the scheme {wanted}", where=one.name, todo="leave out the scheme")
        for suite in suites:
            if wanted and suite.scheme != wanted:
                continue
            trees = one.trees(suite, jobs=jobs, cluster=cluster)
            if not wanted and len({each.scheme for each in suites}) > 1:
                wanted = scheme_of(trees)
                if not wanted:
                    todo = f"write tiger={one.name} or tuebadz={one.name}"
                    raise UsageError("its trees do not tell their scheme", where=one.name, todo=todo)
                if suite.scheme != wanted:
                    continue
            check_scheme_of(one, suite, trees)
            found.append(judge_trees(suite, one.name, trees, form=form, decisions=decisions))
        if not any(judged.system == one.name for judged in found):
            raise UsageError(f"no suite is in its scheme, {wanted}", where=one.name, todo="name a suite in this scheme")
    return found


def _check(suites: Sequence[ConstructionSuite], systems: Sequence[Entrant]) -> None:
    if not suites:
        raise UsageError("no suite to judge", todo="name a suite of constructions")
    if not systems:
        raise UsageError("no system to judge", todo="name a phrase parser or a file of trees, such as trees:FILE")
    for suite in suites:
        if not suite.items:
            raise InputError("this suite has no items", where=suite.name)
    names = [(suite.name, suite.scheme) for suite in suites]
    twice = next((name for name, scheme in names if names.count((name, scheme)) > 1), None)
    if twice is not None:
        raise UsageError(f"two suites are called {twice}", todo="name each suite once")
