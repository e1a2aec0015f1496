"""Mixed models of the observations of a run, or of any table, as findings and tables."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

from ...errors import InputError, UsageError, unknown_name
from ...plugins import plugins
from ...runs.record.signatures import describe_input, signature
from ...runs.result.layout import P
from ...runs.result.result import Finding, Result, Table, Value, joined_results

if TYPE_CHECKING:
    import polars

    from ...stats.mixed import Family, Fit, Freedom

STUDY = "stats"
AUTO = "auto"
PAPER_TABLES = "gardenpath.models"
"""The group of entry points: the tables of a paper, each a function from observations to its models."""
_ACCURACY = "accuracy"
"""As a response: the mean of the values of one suite, system and seed."""


def mixed_models(
    source: str | Path,
    formula: str,
    larger: str = "",
    *,
    by: str = "",
    marks: Iterable[str] = (),
    family: str = AUTO,
    freedom: Freedom = "normal",
) -> Result:
    """Fit a formula to the observations of a run or to a table, or test it against a `larger` one.

    A formula such as `mandarin:table1` names the models of a paper's table, which are fitted to a run.
    `by` names a column: one model for each of its values. `marks` are columns made of systems (`syntax=RNNG,PLM`).
    The family `auto` is binomial where the response has two values, and gaussian elsewhere.
    """
    from ...stats.mixed import read_formula

    frame, name, content = _table(Path(source))
    if _PRESET.fullmatch(formula):
        if larger or by or marks or family != AUTO or freedom != "normal":
            raise UsageError(f"{formula} says which models are fitted", todo="remove the other options")
        return _preset_models(frame, formula, f"{name}#{content}")
    frame, marked = _with_marks(frame, marks)
    if by and by not in frame.columns:
        raise unknown_name("column", by, frame.columns, where="--by")
    response = read_formula(formula, [*frame.columns, _ACCURACY]).response
    frame, ties = _decided(_with_items(frame), response)
    if response == _ACCURACY and _ACCURACY not in frame.columns:
        frame = _accuracies(frame, [formula, larger], by, marked)
    chosen = cast("Family", family)
    if family == AUTO:
        chosen = "binomial" if frame[response].drop_nulls().n_unique() == 2 else "gaussian"
    groups: list[Value] = frame[by].drop_nulls().unique(maintain_order=True).to_list() if by else [None]
    if not groups:
        raise UsageError(f"the column {by} is empty", where="--by", todo="name another column")
    parts = []
    for group in groups:
        part = frame.filter(frame[by] == group) if by else frame
        keys = {by: group} if by else {}
        if larger:
            parts.append(_ratio(part, formula, larger, chosen, name, keys))
        else:
            parts.append(_model(part, formula, chosen, freedom, name, keys))
    signed = signature(
        ("study", STUDY), ("table", f"{name}#{content}"), *parts[0].details["facts"], ("by", by or None),
        ("marks", marked or None), ("n", sum(part.details["n"] for part in parts)),
    )  # fmt: skip
    return _together(parts, signed, ties)


def _together(parts: Sequence[Result], signed: str, ties: int) -> Result:
    """Return the result of several models, with what makes any of them doubtful."""
    result = joined_results(parts)
    failures: dict[str, int] = {"ties left out of models": ties} if ties else {}
    for model in parts:
        for kind, count in model.failures.items():
            failures[kind] = failures.get(kind, 0) + count
    fits = [fit for part in parts for fit in part.details["fits"]]
    details = {
        "converged": all(fit.converged for fit in fits), "singular": any(fit.singular for fit in fits),
        "warnings": list(dict.fromkeys(warning for fit in fits for warning in fit.warnings)),
    }  # fmt: skip
    return replace(result, signature=signed, failures=failures, details=details)


def _table(source: Path) -> tuple[polars.DataFrame, str, str]:
    """Return the table, its name, and the beginning of a hash of its content."""
    from ...runs.record.run import OBSERVATIONS, Run

    if source.is_dir():
        run = Run.load(source)
        if not run.has_observations:
            raise InputError("this run has no observations", where=str(source), todo="name another run, or a table")
        return run.observations(), source.name, str(run.record["files"][OBSERVATIONS]["sha256"])[:8]
    import polars as pl

    try:
        table = pl.read_csv(source, separator="\t", quote_char=None, infer_schema_length=None)
    except (pl.exceptions.PolarsError, OSError, UnicodeDecodeError) as error:
        reason = str(error).splitlines()[0]
        raise InputError(f"cannot read this table: {reason}", where=str(source), todo="check the path") from error
    return table, source.name, str(describe_input(source)["sha256"])[:8]


def _with_marks(frame: polars.DataFrame, marks: Iterable[str]) -> tuple[polars.DataFrame, list[str]]:
    """Add the columns that marks ask for: 1 for the systems that are named, 0 for the others."""
    names = []
    for text in marks:
        name, equals, listed = text.partition("=")
        members = [part.strip() for part in listed.split(",") if part.strip()]
        if not equals or not name.strip().isidentifier() or not members:
            raise UsageError(f"{text!r} marks nothing", where="--mark", todo="write it as syntax=RNNG,PLM")
        if "system" not in frame.columns:
            raise InputError("this table has no column system to mark", where="--mark", todo="leave out --mark")
        systems = frame["system"].drop_nulls().unique(maintain_order=True).to_list()
        for member in members:
            if member not in systems:
                raise unknown_name("system", member, systems, where=f"--mark {text}")
        if name.strip() in frame.columns:
            raise UsageError(f"there is a column {name.strip()} already", where="--mark", todo="take another name")
        frame = frame.with_columns(frame["system"].is_in(members).cast(int).alias(name.strip()))
        names.append(name.strip())
    return frame, names


def _with_items(frame: polars.DataFrame) -> polars.DataFrame:
    """Return the judgements of a run with items that are unique over its suites.

    Items of one id in several suites are one item only where the study sampled them together, as suites that differ
    in a modifier do. In a suite of regions each prediction is an item of its own, as in the paper on Mandarin suites;
    `test` has all predictions of an item of a suite.
    """
    import polars as pl

    if not {"study", "suite", "item", "unit"} <= set(frame.columns):
        return frame
    sampled_in = "cluster" if "cluster" in frame.columns else "suite"
    own = pl.concat_str(sampled_in, "item", separator="/", ignore_nulls=True)
    by_unit = pl.concat_str(own, "unit", separator=" ", ignore_nulls=True)
    item = pl.when(pl.col("study") == "surprisal").then(by_unit).otherwise(own)
    return frame.with_columns(item=item, test=pl.concat_str("suite", "item", separator="/", ignore_nulls=True))


def _decided(frame: polars.DataFrame, response: str) -> tuple[polars.DataFrame, int]:
    """Return the judgements for a response, and how many ties were left out.

    With `outcome` a tie is neither right nor wrong, and an item that failed is wrong.
    """
    import polars as pl

    if response != "outcome":
        return frame, 0
    decided = frame.filter(pl.col("outcome") != "tie")
    return decided.with_columns(pl.col("outcome").replace("failed", "wrong")), len(frame) - len(decided)


def _accuracies(frame: polars.DataFrame, formulas: Sequence[str], by: str, marked: Sequence[str]) -> polars.DataFrame:
    """Return one row for each suite, system and seed, and each value of the other columns that the formulas name."""
    import polars as pl

    from ...stats.mixed import read_formula

    named = {column for text in formulas if text for column in read_formula(text, [*frame.columns, _ACCURACY]).columns}
    keys = [name for name in frame.columns if name in {"suite", "system", "seed", by, *marked, *named}]
    return frame.group_by(keys, maintain_order=True).agg(pl.col("value").mean().alias(_ACCURACY))


def _model(
    frame: polars.DataFrame, formula: str, family: Family, freedom: Freedom, suite: str, by: Mapping[str, Value]
) -> Result:
    """Return estimate, standard error, statistic and p of every fixed effect, the variances, the log likelihood."""
    from ...stats.mixed import fit_mixed

    fit = fit_mixed(frame, formula, family, freedom=freedom)
    findings = []
    for effect in fit.effects:
        values = {
            "estimate": effect.estimate, "se": effect.se, "statistic": effect.statistic, "p": effect.p,
            "df": effect.freedom,
        }  # fmt: skip
        findings += [
            Finding(STUDY, suite, "", name, value, fit.n, by={**by, "effect": effect.name})
            for name, value in values.items()
            if value is not None
        ]
    for term in fit.variances:
        keys: dict[str, Value] = {**by, "group": term.group, "term": term.term}
        findings.append(Finding(STUDY, suite, "", "variance", term.variance, fit.levels.get(term.group), by=keys))
    findings.append(Finding(STUDY, suite, "", "loglik", fit.loglik, fit.n, by=by))
    letter = "z" if all(effect.freedom is None for effect in fit.effects) else "t"
    columns = ["effect", "estimate", "se", *(["df"] if letter == "t" else []), letter, "p"]
    effects = [
        (
            effect.name,
            effect.estimate,
            effect.se,
            *([effect.freedom] if letter == "t" else []),
            effect.statistic,
            effect.p,
        )
        for effect in fit.effects
    ]
    variances = [
        (variance.group, variance.term, variance.variance, variance.deviation, fit.levels.get(variance.group))
        for variance in fit.variances
    ]
    title = _titled(f"{fit.formula} ({fit.family}, {fit.n} rows)", by)
    kinds = [P if column == "p" else "" for column in columns]
    tables = [
        Table(title, columns, effects, 4, kinds=kinds),
        Table("Random effects", ("group", "term", "variance", "sd", "levels"), variances, 4, "\n".join(fit.warnings)),
    ]
    facts = [("model", fit.formula), ("family", fit.family), ("p", freedom), ("engine", fit.engine)]
    return _of_fits([fit], findings, tables, facts)


def _ratio(
    frame: polars.DataFrame, smaller: str, larger: str, family: Family, suite: str, by: Mapping[str, Value]
) -> Result:
    """Return the likelihood-ratio test of two formulas: do the terms that only the larger has explain anything?"""
    from ...stats.mixed import likelihood_ratio

    test = likelihood_ratio(frame, smaller, larger, family)
    keys: dict[str, Value] = {**by, "smaller": test.smaller.formula, "larger": test.larger.formula}
    findings = [
        Finding(STUDY, suite, "", name, value, test.larger.n, by=keys)
        for name, value in (("chi2", test.chi2), ("freedom", test.freedom), ("p", test.p))
    ]
    first, second = test.smaller, test.larger
    rows = [
        (first.formula, first.parameters, first.loglik, None, None, None),
        (second.formula, second.parameters, second.loglik, test.chi2, test.freedom, f"{test.p:.4g}"),
    ]
    columns = ("model", "parameters", "log likelihood", "χ²", "df", "p")
    warnings = "\n".join(dict.fromkeys([*first.warnings, *second.warnings]))
    tables = [Table(_titled("Likelihood ratio", by), columns, rows, 3, warnings)]
    facts = [("test", "likelihood-ratio"), ("family", family), ("engine", second.engine)]
    return _of_fits([first, second], findings, tables, facts)


def _titled(title: str, by: Mapping[str, Value]) -> str:
    return f"{next(iter(by.values()))}: {title}" if by else title


def _of_fits(
    fits: Sequence[Fit], findings: Sequence[Finding], tables: Sequence[Table], facts: Sequence[tuple[str, str]]
) -> Result:
    """Return a result that counts what makes its fits doubtful."""
    failures: dict[str, int] = {}
    for fit in fits:
        if not fit.converged:
            failures["models that did not converge"] = 1
        if fit.singular:
            failures["singular fits"] = 1
    details = {"fits": fits, "facts": facts, "n": fits[-1].n}
    return Result(findings=findings, tables=tables, failures=failures, details=details)


_PRESET = re.compile(r"([a-z][\w-]*):([\w-]+)")
_STARS = (0.05, 0.01, 0.001)


@dataclass(frozen=True)
class TableModel:
    """A model of a paper's table: its row and column there, the observations, and the effect that the cell shows.

    Where `effect` is a column with several levels, each level is a row of its own.
    """

    row: str
    column: str
    observations: polars.DataFrame
    formula: str
    effect: str


def _preset_models(frame: polars.DataFrame, preset: str, table: str) -> Result:
    """Fit the models of a paper's table, which its package plans, and lay out their effects as there."""
    from ...stats.mixed import read_formula

    name, _, wanted = preset.partition(":")
    papers = {plugin.name: plugin for plugin in plugins(PAPER_TABLES)}
    if name not in papers:
        raise unknown_name("paper with mixed models", name, list(papers))
    tables: Mapping[str, Callable[[polars.DataFrame], Iterable[TableModel]]] = papers[name].load()
    if wanted not in tables:
        raise unknown_name(f"table of {name}", wanted, [f"{name}:{one}" for one in tables])
    parts, cells, formulas = list[Result](), dict[tuple[str, str], str](), dict[str, None]()
    failures, ties = dict[str, int](), 0
    for planned in tables[wanted](_with_items(frame)):
        response = read_formula(planned.formula, [*planned.observations.columns, _ACCURACY]).response
        rows, tied = _decided(planned.observations, response)
        rows = _accuracies(rows, [planned.formula], "", []) if response == _ACCURACY else rows
        ties, formulas = ties + tied, {**formulas, planned.formula: None}
        keys: dict[str, Value] = {"row": planned.row, "model": planned.column}
        family: Family = "binomial" if response == "outcome" else "gaussian"
        try:
            part = _model(rows, planned.formula, family, "normal", table.partition("#")[0], keys)
        except UsageError as error:  # such as one outcome only
            cells[planned.row, planned.column] = "–"
            kind = f"models that could not be fitted ({error.what})"
            failures[kind] = failures.get(kind, 0) + 1
            continue
        parts.append(part)
        fit: Fit = part.details["fits"][0]
        for effect in fit.effects:
            label, equals, level = effect.name.partition("=")
            if label == planned.effect:
                stars = "*" * sum(effect.p <= limit for limit in _STARS)
                sure = ("✓" if effect.estimate > 0 else "✗") + stars if stars else "" if fit.converged else "?"
                cells[planned.row or (level if equals else label), planned.column] = f"{effect.estimate:+.3f} {sure}"
    columns = list(dict.fromkeys(column for _, column in cells))
    body = [[row, *(cells.get((row, column)) for column in columns)] for row in dict.fromkeys(row for row, _ in cells)]
    marks = "✓ above or ✗ below zero: * p ≤ .05, ** p ≤ .01, *** p ≤ .001; ? no convergence."
    note = f"{'; '.join(formulas)}. Effect, {marks}"
    signed = signature(
        ("study", STUDY), ("table", table), ("models", preset), ("n", sum(p.details["n"] for p in parts))
    )
    result = _together(parts, signed, ties)
    shown = Table(preset, ["", *columns], body, note=note)
    return replace(result, tables=[shown], failures={**failures, **result.failures})
