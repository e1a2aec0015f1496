"""The constructions study: which of five hard constructions does a parser get, and what kind of error does it make?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from ...errors import unknown_name
from ...phrase.notation import to_notation
from ...runs.result import Finding, Result, Table, Value
from ...runs.signature import digest, signature
from ...suites.constructions.finding import RULES_VERSION
from ...suites.constructions.model import ConstructionSuite
from .entrants import Entrant
from .examples import find_examples, parse_wanted
from .judged import Judged, judge_all
from .judging import FORMS
from .scores import Difference, Tally, classes_of, differences, tallies
from .tables import class_tables, difference_table, phenomenon_table, short_names, systems_table
from .verdict import Decisions

STUDY = "constructions"
MEASURES = ("accuracy",)
"""What --fail-under may name."""


def constructions(
    suites: Sequence[ConstructionSuite],
    systems: Sequence[Entrant],
    *,
    form: str = "discontinuous",
    decisions: Decisions | None = None,
    example: str = "",
    limit: int = 10,
    draws: int = 1000,
    seed: int = 0,
    jobs: int = 1,
    cluster: str | None = None,
) -> tuple[Result, list[Judged]]:
    """Parses the sentences of all suites with the systems of their scheme, and judges every item.

    The two halves of a parallel suite are two suites of one name: systems are then compared across schemes.
    """
    if form not in FORMS:
        raise unknown_name("form of trees", form, FORMS)
    if example:
        parse_wanted(example)
    chosen = decisions or Decisions()
    judged = judge_all(suites, systems, form=form, decisions=chosen, jobs=jobs, cluster=cluster)
    facts = [("system" if len(systems) == 1 else f"system{n}", one.signature) for n, one in enumerate(systems, 1)]
    result = summary(
        judged, form=form, decisions=chosen, example=example, limit=limit, draws=draws, seed=seed, facts=dict(facts)
    )
    return result, judged


def summary(
    judged: Sequence[Judged],
    *,
    form: str = "discontinuous",
    decisions: Decisions | None = None,
    example: str = "",
    limit: int = 10,
    draws: int = 1000,
    seed: int = 0,
    facts: Mapping[str, object] | None = None,
) -> Result:
    """The result of judged trees; `facts` are further pairs for the signature (how the trees were made)."""
    counted, against = tallies(judged), differences(judged, draws=draws, seed=seed)
    findings = [finding for tally in counted for finding in _findings(tally)]
    findings += [finding for one in against for finding in _compared(judged, one)]
    tables = [systems_table(counted), phenomenon_table(counted), *class_tables(counted)]
    if against:
        tables.append(difference_table(against))
    details: dict[str, Any] = {}
    if example:
        shown, total = find_examples(judged, example, limit)
        details["examples"] = [asdict(one) for one in shown]
        names = short_names(list(dict.fromkeys(one.system for one in judged)))
        rows = [(one.item, names[one.system], one.outcome, one.text, one.reason) for one in shown]
        title = f"{total} item{'s' if total != 1 else ''}: {example}" + (
            f", the first {limit}" if total > limit else ""
        )
        tables.append(Table(title, ("item", "system", "class", "text", "reason"), rows))
    suites = list({(one.suite.name, one.suite.scheme): one.suite for one in judged}.values())
    random = bool(against) and bool(draws)
    changed = (decisions or Decisions()).changed
    signed = signature(
        ("study", STUDY), ("suite", [f"{suite.name}#{content(suite)}" for suite in suites]),
        ("release", sorted({suite.release for suite in suites if suite.release}) or None),
        ("scheme", list(dict.fromkeys(suite.scheme for suite in suites))), ("items", len(suites[0].items) if
        len(suites) == 1 else [len(suite.items) for suite in suites]), ("rules", RULES_VERSION), ("form", form),
        ("decisions", [f"{key}={value}" for key, value in changed.items()] or None), *(facts or {}).items(),
        *([("draws", draws), ("seed", seed)] if random else []),
    )  # fmt: skip
    failures: dict[str, int] = {}
    several = len({one.system for one in judged}) > 1
    for one in judged:
        for kind, count in one.failures.items():
            key = f"{one.system}: {kind}" if several else kind
            failures[key] = failures.get(key, 0) + count
    return Result(signed, findings, tables, failures, details)


def content(suite: ConstructionSuite) -> str:
    """The start of a hash over all items with their gold trees."""
    parts = [f"{item.item}\t{to_notation(item.tree)}\t{item.construction}" for item in suite.items]
    return digest(*parts)[:8]


def _findings(tally: Tally) -> list[Finding]:
    """Accuracy; and for phenomena the items of each class, their share, and all for which the class holds."""
    by: dict[str, Value] = dict(tally.by)
    share = tally.share("right") or (None, None, None)
    found = [Finding(STUDY, tally.suite, tally.system, "accuracy", share[0], tally.n, share[1], share[2], by)]
    for name in classes_of(tally) if by else ():
        keys = {**by, "class": name}
        found.append(Finding(STUDY, tally.suite, tally.system, "items", tally.counts[name], tally.items, by=keys))
        part = tally.share(name)
        if part is not None:
            found.append(Finding(STUDY, tally.suite, tally.system, "share", part[0], tally.n, part[1], part[2], keys))
        if name in tally.held or (name not in ("right", "noparse", "n/a") and "phenomenon" in by):
            found.append(Finding(STUDY, tally.suite, tally.system, "held", tally.held[name], tally.n, by=keys))
    return found


def _compared(judged: Sequence[Judged], one: Difference) -> list[Finding]:
    by: dict[str, Value] = {"phenomenon": one.phenomenon} if one.phenomenon else {}
    by["baseline"] = one.baseline
    suite = ", ".join(dict.fromkeys(each.suite.name for each in judged if each.system == one.system))
    return [
        Finding(STUDY, suite, one.system, "accuracy_difference", one.value, one.n, one.low, one.high, by),
        Finding(STUDY, suite, one.system, "accuracy_p_mcnemar", one.p, one.n, by=by),
        Finding(STUDY, suite, one.system, "accuracy_p_holm", one.p_holm, one.n, by=by),
    ]
