"""Mixed models with lme4's formulas: linear (Gaussian) and logistic (binomial), crossed and nested random effects.

What may be wrong with a fit is part of it: `converged`, `singular` and `warnings`. In formulas only names, 0 and 1 and
the operators of formulas are known; a call of a function is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import isfinite
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ..errors import MissingPackage, UsageError, unknown_name

_TOKEN = re.compile(r"\s*(?:([^\W\d][\w.]*)|(\d+)|(\|\||[~+\-*:/|()]))", re.UNICODE)
_EXAMPLE = "write it as in: outcome ~ system + (1|item) + (1+system|seed)"


@dataclass(frozen=True, slots=True)
class Formula:
    """A checked formula: what is explained, by what, and which groups have effects of their own."""

    text: str
    response: str
    fixed: tuple[str, ...]
    """Columns among the fixed effects."""
    slopes: tuple[str, ...]
    """Columns whose effect differs between groups."""
    groups: tuple[str, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys([self.response, *self.fixed, *self.slopes, *self.groups]))


def read_formula(text: str, known: Iterable[str]) -> Formula:
    """The formula, all of its columns known; else an error that names the place or the nearest column."""
    tokens = _tokens(text)
    if [token for token, _ in tokens].count("~") != 1 or len(tokens) < 3 or tokens[1][0] != "~":
        raise UsageError("a formula is RESPONSE ~ TERMS", where=text, todo=_EXAMPLE)
    response = tokens[0][0]
    if not _is_name(response):
        raise UsageError(f"{response!r} is not a column to explain", where=text, todo=_EXAMPLE)
    fixed, slopes, groups = list[str](), list[str](), list[str]()
    inside = past_bar = False
    before = "+"
    for token, place in tokens[2:]:
        if token == "(":
            if inside or before not in ("+", "-", "~"):
                raise _unexpected(text, token, place, "functions and nested brackets are not known")
            inside, past_bar = True, False
        elif token == ")":
            if not inside or not past_bar or not _is_name(before):
                raise _unexpected(text, token, place, "a bracket holds a random effect: (1|item)")
            inside = False
        elif token in ("|", "||"):
            if not inside or past_bar or not (_is_name(before) or before in "01"):
                raise _unexpected(text, token, place, "a bar stands between effect and group: (1|item)")
            past_bar = True
        elif _is_name(token) or token.isdigit():
            if _is_name(before) or before.isdigit() or before == ")":
                raise _unexpected(text, token, place, "terms are joined by +")
            if token.isdigit() and (token not in ("0", "1") or past_bar):
                raise _unexpected(text, token, place, "the only numbers are 0 and 1, for the intercept")
            if _is_name(token):
                (groups if inside and past_bar else slopes if inside else fixed).append(token)
            if not inside and past_bar:
                past_bar = False
        elif token == "~" or (not (_is_name(before) or before.isdigit() or before == ")") and token not in "+-"):
            raise _unexpected(text, token, place, "a term is missing before it")
        before = token
    if inside or not (_is_name(before) or before.isdigit() or before == ")"):
        raise UsageError("the formula ends in the middle of a term", where=text, todo=_EXAMPLE)
    if not groups:
        raise UsageError("no random effect in the formula", where=text, todo="add one, such as (1|item)")
    names = list(known)
    for name in (response, *fixed, *slopes, *groups):
        if name not in names:
            raise unknown_name("column", name, names, where=text)
    unique = (tuple(dict.fromkeys(one)) for one in (fixed, slopes, groups))
    return Formula(text.strip(), response, *unique)


def _tokens(text: str) -> list[tuple[str, int]]:
    tokens, place = [], 0
    stripped = text.rstrip()
    while place < len(stripped):
        match = _TOKEN.match(stripped, place)
        if match is None:
            at = place + len(stripped[place:]) - len(stripped[place:].lstrip())
            raise _unexpected(text, stripped[at], at, "formulas have names, 0, 1 and the signs ~ + - * : / | ( )")
        token = next(group for group in match.groups() if group)
        tokens.append((token, match.end() - len(token)))
        place = match.end()
    return tokens


def _is_name(token: str) -> bool:
    return token[0].isalpha() or token[0] == "_"


def _unexpected(text: str, token: str, place: int, todo: str) -> UsageError:
    return UsageError(f"unexpected {token!r} at character {place + 1} of the formula", where=text, todo=todo)


@dataclass(frozen=True, slots=True)
class Effect:
    """A fixed effect; p is two-sided, by the normal distribution or by Student's t with `freedom` degrees."""

    name: str
    estimate: float
    se: float
    statistic: float
    p: float
    freedom: float | None = None


@dataclass(frozen=True, slots=True)
class Variance:
    """How much an effect (`term`) differs between the levels of a group; `group` is Residual for the rest."""

    group: str
    term: str
    variance: float

    @property
    def deviation(self) -> float:
        return float(self.variance**0.5)


@dataclass(frozen=True, slots=True)
class Fit:
    """A fitted model with all that says whether to trust it."""

    formula: str
    family: str
    engine: str
    effects: tuple[Effect, ...]
    variances: tuple[Variance, ...]
    loglik: float
    parameters: int
    n: int
    levels: Mapping[str, int]
    converged: bool
    singular: bool
    warnings: tuple[str, ...] = field(default=())

    def effect(self, name: str) -> Effect:
        from ..errors import unknown_name

        for candidate in self.effects:
            if candidate.name == name:
                return candidate
        raise unknown_name("fixed effect", name, [effect.name for effect in self.effects])


def make_effect(name: str, estimate: float, se: float, freedom: float | None = None) -> Effect:
    from scipy.special import ndtr, stdtr

    if not (isfinite(estimate) and isfinite(se) and se > 0):
        raise UsageError(
            f"the effect of {name} has no standard error ({estimate:g} ± {se:g})", todo="simplify the model"
        )
    statistic = estimate / se
    p = 2 * float(ndtr(-abs(statistic)) if freedom is None else stdtr(freedom, -abs(statistic)))
    return Effect(name, estimate, se, statistic, p, freedom)


Family = Literal["gaussian", "binomial"]
Freedom = Literal["normal", "satterthwaite"]
_SURE = 10.0
"""Log odds of an effect from which on it is called a separation."""
_SINGULAR = 1e-4


def fit_mixed(
    table: Any, formula: str, family: Family = "gaussian", *, freedom: Freedom = "normal", reml: bool = True
) -> Fit:
    """Fits `formula` on a table (a mapping of columns or a Polars frame); rows with an empty cell are left out.

    `freedom` says how p is found for linear models: by the normal distribution, or by Satterthwaite's t.
    """
    if family not in ("gaussian", "binomial"):
        raise UsageError(f"unknown family {family!r}", todo="known: gaussian, binomial")
    if freedom not in ("normal", "satterthwaite"):
        raise UsageError(f"unknown kind of p {freedom!r}", todo="known: normal, satterthwaite")
    if freedom == "satterthwaite" and family == "binomial":
        raise UsageError("Satterthwaite's degrees of freedom are for linear models")
    given = {name: table[name] for name in (table.columns if hasattr(table, "columns") else table)}
    wanted = read_formula(formula, given)
    columns, notes = _prepared(given, wanted, family)
    return (
        _binomial(columns, wanted, notes) if family == "binomial" else _gaussian(columns, wanted, freedom, reml, notes)
    )


@dataclass(frozen=True, slots=True)
class LikelihoodRatio:
    """Twice what the larger model gains in log likelihood, and how likely so much is without the added terms."""

    chi2: float
    freedom: int
    p: float
    smaller: Fit
    larger: Fit


def likelihood_ratio(table: Any, smaller: str, larger: str, family: Family = "gaussian") -> LikelihoodRatio:
    """Tests the terms that one formula has more than another, on the same rows, by maximum likelihood."""
    from scipy.special import chdtrc

    names = list(table.columns if hasattr(table, "columns") else table)
    one, two = read_formula(smaller, names), read_formula(larger, names)
    if one.response != two.response:
        raise UsageError(f"the formulas explain different columns: {one.response} and {two.response}")
    missing = set(one.columns) - set(two.columns)
    if missing:
        raise UsageError(
            f"the larger formula has no {', '.join(sorted(missing))}", where=larger, todo="name the smaller one first"
        )
    kept = _complete({name: np.asarray(table[name], dtype=object) for name in two.columns})
    fits = [fit_mixed(kept, text, family, reml=False) for text in (smaller, larger)]
    more = fits[1].parameters - fits[0].parameters
    if more < 1:
        raise UsageError("the larger formula has no more parameters", where=larger, todo="name the smaller one first")
    chi2 = max(0.0, 2 * (fits[1].loglik - fits[0].loglik))
    return LikelihoodRatio(chi2, more, float(chdtrc(more, chi2)), *fits)


def _prepared(given: Mapping[str, Any], formula: Formula, family: str) -> tuple[dict[str, NDArray[Any]], list[str]]:
    """The formula's columns without incomplete rows; the response as numbers."""
    whole = {name: np.asarray(given[name], dtype=object) for name in formula.columns}
    columns = _complete(whole)
    rows = len(columns[formula.response])
    left = len(whole[formula.response]) - rows
    notes = [f"{left} rows with an empty cell are left out"] if left else []
    if rows < 3:
        raise UsageError(f"{rows} complete rows are too few for a model", where=formula.text)
    columns[formula.response], more = _response(columns[formula.response], formula.response, family)
    notes += more
    for name in formula.groups:
        levels = np.unique(columns[name].astype(str)).size
        if levels < 2:
            raise UsageError(f"the group {name} has one level only", where=formula.text, todo="leave it out")
        if levels == rows and family == "gaussian" and len(formula.groups) == 1:
            raise UsageError(
                f"every row is a level of {name} of its own: nothing is left for the residual", where=formula.text
            )
        if levels < 5:
            notes.append(f"{name} has {levels} levels only: its variance is hardly known")
        columns[name] = columns[name].astype(str).astype(object)
    for name in {*formula.fixed, *formula.slopes} - set(formula.groups):
        if all(value == columns[name][0] for value in columns[name]):
            raise UsageError(
                f"the column {name} has the same value everywhere", where=formula.text, todo="leave it out"
            )
        numeric = all(isinstance(value, int | float | np.number) for value in columns[name])
        columns[name] = columns[name].astype(np.float64) if numeric else columns[name].astype(str).astype(object)
    return columns, notes


def _complete(columns: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    kept = np.ones(len(next(iter(columns.values()))), dtype=bool)
    for values in columns.values():
        kept &= [value is not None and value == value for value in values]
    return {name: values[kept] for name, values in columns.items()}


def _response(values: NDArray[Any], name: str, family: str) -> tuple[NDArray[np.float64], list[str]]:
    different = sorted({str(value) for value in values})
    if len(different) == 1:
        raise UsageError(f"all rows have the same {name} ({different[0]})", todo="there is nothing to explain")
    if family == "gaussian":
        try:
            return values.astype(np.float64), []
        except (TypeError, ValueError):
            raise UsageError(f"{name} is not numbers", todo="take --family binomial for two outcomes") from None
    if len(different) > 2:
        shown = ", ".join(different[:5])
        raise UsageError(f"{name} has {len(different)} values ({shown}), a binomial model needs two")
    try:
        if {float(value) for value in different} == {0.0, 1.0}:
            return values.astype(np.float64), []
    except ValueError:
        pass
    yes = next((word for word in ("right", "true", "True", "yes") if word in different), different[1])
    note = f"{name}: 1 is {yes!r}, 0 is {next(one for one in different if one != yes)!r}"
    return np.array([float(str(value) == yes) for value in values]), [note]


def _matrices(columns: Mapping[str, NDArray[Any]]) -> Any:
    try:
        import mixedlm
        import pandas
    except ImportError:
        raise MissingPackage.extra("mixedlm", "mixed") from None
    return mixedlm, pandas.DataFrame(dict(columns))


def _names(matrices: Any, names: list[str]) -> list[str]:
    """`modifier.1` as `modifier=adj`: mixedlm numbers the levels."""

    def part(text: str) -> str:
        column, _, number = text.rpartition(".")
        levels = matrices.category_levels.get(column)
        return f"{column}={levels[int(number)]}" if levels and number.isdigit() else text

    return [":".join(part(piece) for piece in name.split(":")) for name in names]


def _binomial(columns: Mapping[str, NDArray[Any]], formula: Formula, notes: list[str]) -> Fit:
    from .laplace import Block, fit_binomial

    mixedlm, frame = _matrices(columns)
    matrices = mixedlm.glFormula(formula.text, frame, family=mixedlm.families.Binomial()).matrices
    names = _names(matrices, matrices.fixed_names)
    _check_rank(matrices.X, names, formula)
    blocks = [
        Block(structure.n_levels, structure.n_terms, structure.correlated) for structure in matrices.random_structures
    ]
    optimum = fit_binomial(matrices.y, matrices.X, matrices.Z, blocks)
    warnings = list(notes)
    converged = optimum.converged
    reach = np.abs(optimum.beta) * np.maximum(np.abs(matrices.X).max(axis=0), 1e-12)
    for name in [name for name, size in zip(names, reach, strict=True) if size > _SURE]:
        converged = False
        warnings.append(f"{name} separates the outcomes (almost) wholly: its estimate and standard error mean nothing")
    if not optimum.converged:
        warnings.append(f"the optimiser did not converge: {optimum.message}")
    variances, begin, singular = list[Variance](), 0, False
    for grouping, block in zip(matrices.random_structures, blocks, strict=True):
        lower = block.factor(optimum.theta[begin : begin + block.parameters])
        begin += block.parameters
        singular |= bool((np.diag(lower) < _SINGULAR).any())
        terms = _names(matrices, grouping.term_names)
        spread = np.diag(lower @ lower.T).tolist()
        variances += [
            Variance(str(grouping.grouping_factor), term, value) for term, value in zip(terms, spread, strict=True)
        ]
    if singular:
        warnings.append("singular fit: a variance is (nearly) zero")
    effects = tuple(
        make_effect(name, float(value), float(error))
        for name, value, error in zip(names, optimum.beta, optimum.errors, strict=True)
    )
    levels = {str(structure.grouping_factor): structure.n_levels for structure in matrices.random_structures}
    count = len(optimum.theta) + len(effects)
    return Fit(
        formula.text, "binomial", f"mixedlm {mixedlm.__version__} + Laplace", effects, tuple(variances), optimum.loglik,
        count, len(matrices.y), levels, converged, singular, tuple(warnings),
    )  # fmt: skip


def _gaussian(
    columns: Mapping[str, NDArray[Any]], formula: Formula, freedom: Freedom, reml: bool, notes: list[str]
) -> Fit:
    from warnings import catch_warnings, simplefilter

    mixedlm, frame = _matrices(columns)
    design = mixedlm.lFormula(formula.text, frame).matrices
    _check_rank(design.X, _names(design, design.fixed_names), formula)
    with catch_warnings():  # what they say is asked of the fit below, and told
        simplefilter("ignore")
        try:
            model = mixedlm.lmer(formula.text, frame, REML=reml)
            degrees = mixedlm.satterthwaite_df(model).df.tolist() if freedom == "satterthwaite" else None
        except (ValueError, ArithmeticError, np.linalg.LinAlgError) as error:
            raise UsageError(f"the model cannot be fitted: {error}", where=formula.text, todo="simplify it") from error
    matrices = model.matrices
    errors = np.sqrt(np.diag(np.asarray(model.vcov())))
    names = _names(matrices, matrices.fixed_names)
    effects = tuple(
        make_effect(name, float(value), float(errors[i]), None if degrees is None else float(degrees[i]))
        for i, (name, value) in enumerate(zip(names, model.beta, strict=True))
    )
    correlation = model.VarCorr()
    variances = [
        Variance(str(group.grouping_factor), term, float(value))
        for group in correlation.groups.values()
        for term, value in zip(_names(matrices, group.term_names), group.variance.values(), strict=True)
    ]
    variances.append(Variance("Residual", "", float(model.sigma) ** 2))
    singular = bool(model.isSingular())
    warnings = [*notes, *([] if model.converged else [f"the optimiser did not converge: {model.message}"])]
    warnings += ["singular fit: a variance is (nearly) zero, or effects are fully correlated"] if singular else []
    levels = {str(structure.grouping_factor): structure.n_levels for structure in matrices.random_structures}
    return Fit(
        formula.text, "gaussian", f"mixedlm {mixedlm.__version__}", effects, tuple(variances),
        float(model.logLik().value), len(model.theta) + len(effects) + 1, len(matrices.y), levels,
        bool(model.converged), singular, tuple(warnings),
    )  # fmt: skip


def _check_rank(x: NDArray[np.float64], names: list[str], formula: Formula) -> None:
    scaled = x / np.maximum(np.linalg.norm(x, axis=0), 1e-300)
    if np.linalg.matrix_rank(scaled, tol=1e-9) < x.shape[1]:
        raise UsageError(
            f"the fixed effects {', '.join(names)} say the same", where=formula.text, todo="leave one of them out"
        )
