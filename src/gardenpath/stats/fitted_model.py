"""A fitted mixed model: effects, variances, and all that says whether to trust it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isfinite

from ..errors import UsageError


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
