"""Mixed models of the judgements: Table 1 of the paper (`outcome`), Table 5 and Section 4 (`accuracy`), any other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ...errors import UsageError, unknown_name
from ...runs.result.observations import COLUMNS, Observations
from ...runs.result.result import Finding, Table
from ...stats.mixed import Formula, read_formula
from ..engine.mixed_models import model_failures, model_findings, model_tables
from .declaration import STEP, STUDY
from .outcomes import PROPERTIES

if TYPE_CHECKING:
    import polars

_ACCURACY = ("suite", *PROPERTIES, "system", "seed")
"""What one accuracy is of, where the response of a model is `accuracy`: all items of a suite, by one seed."""


def checked_formula(text: str, marks: Iterable[str] = ()) -> Formula:
    """The formula; a typo, or a column that judgements do not have, is an error before anything is scored."""
    return read_formula(text, [*COLUMNS, *PROPERTIES, "accuracy", "difference", "oov", *marks])


def parsed_marks(given: Iterable[str], systems: Sequence[str]) -> dict[str, list[str]]:
    """`syntax=RNNG,PLM` as a column and the systems that have 1 in it."""
    marks: dict[str, list[str]] = {}
    for text in given:
        name, equals, listed = text.partition("=")
        members = [part.strip() for part in listed.split(",") if part.strip()]
        if not equals or not name.strip().isidentifier() or not members:
            raise UsageError(f"{text!r} marks nothing", where="--mark", todo="write it as syntax=RNNG,PLM")
        for member in members:
            if member not in systems:
                raise unknown_name("system", member, systems, where=f"--mark {text}")
        marks[name.strip()] = members
    return marks


def modelled(
    observed: Observations,
    formulas: Sequence[str],
    suite: str,
    *,
    by: str = "",
    marks: Mapping[str, Sequence[str]] | None = None,
) -> tuple[list[Finding], list[Table], dict[str, int]]:
    """Findings, tables and failures of each formula, for each group of `by`.

    The response `outcome` makes a binomial model (a tie is neither right nor wrong: it is left out and counted; an
    item that failed is wrong), `accuracy` a linear one of the accuracies of suites, any other column a linear one of
    the judgements.
    """
    import polars as pl

    frame = observed.frame()
    for name, members in (marks or {}).items():
        if name in frame.columns:
            raise UsageError(f"there is a column {name} already", where="--mark", todo="take another name")
        frame = frame.with_columns(pl.col("system").is_in(list(members)).cast(pl.Int64).alias(name))
    # The comparisons of an item are items of their own, as in the paper.
    frame = frame.with_columns(pl.concat_str("item", "unit", separator=" ").alias("item"))
    groups = frame[by].drop_nulls().unique(maintain_order=True).to_list() if by else [""]
    if not groups:
        raise UsageError(f"no suite has a {by}", where="--model-by")
    findings, tables, failures = list[Finding](), list[Table](), dict[str, int]()
    for formula in formulas:
        for group in groups:
            part = frame.filter(pl.col(by) == group) if by else frame
            made, ties = _fit(part, formula, list(marks or {}))
            keys = {"model": made.formula, **({by: group} if by else {})}
            findings += model_findings(made, STUDY, suite, keys)
            shown = model_tables(made, str(group))
            tables += shown
            for kind, count in [*model_failures(made).items(), ("ties left out of models", ties)]:
                if count:
                    failures[kind] = failures.get(kind, 0) + count
    return findings, tables, failures


def _fit(frame: polars.DataFrame, formula: str, marks: list[str]) -> tuple[Any, int]:
    import polars as pl

    from ...stats.mixed import fit_mixed

    more = [*marks, *({STEP} & set(frame.columns))]
    response = checked_formula(formula, more).response
    if response == "accuracy":
        keys = [*_ACCURACY, *more]
        table = frame.group_by(keys, maintain_order=True).agg(pl.col("value").mean().alias("accuracy"))
        return fit_mixed(table, formula), 0
    if response == "outcome":
        decided = frame.filter(pl.col("outcome") != "tie")
        decided = decided.with_columns(pl.col("outcome").replace("failed", "wrong"))
        return fit_mixed(decided, formula, "binomial"), len(frame) - len(decided)
    return fit_mixed(frame, formula), 0
