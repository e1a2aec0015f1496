"""`gardenpath stats`: mixed models of the observations of a run, or of any table."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .options import Format, FormatOption, OutputOption
from .output import check_target, emit

if TYPE_CHECKING:
    import polars

    from ..stats.mixed import Fit

STUDY = "stats"


class Family(StrEnum):
    """What is explained: a number, or one of two outcomes."""

    gaussian = "gaussian"
    binomial = "binomial"


class Freedom(StrEnum):
    """Where p comes from."""

    normal = "normal"
    satterthwaite = "satterthwaite"


SourceArgument = Annotated[
    Path,
    typer.Argument(metavar="RUN_OR_TSV", help="Folder of a finished run, or a table with a header, tab-separated."),
]
FamilyOption = Annotated[Family, typer.Option(help="gaussian: a number; binomial: one of two outcomes.")]


def model(
    source: SourceArgument,
    formula: Annotated[str, typer.Argument(help="As in lme4: outcome ~ system + (1|item).")],
    family: FamilyOption = Family.gaussian,
    p: Annotated[
        Freedom, typer.Option("--p", help="normal: by the normal distribution; satterthwaite: by t (gaussian only).")
    ] = Freedom.normal,
    format: FormatOption = Format.table,
    output: OutputOption = None,
) -> None:
    """Fit a mixed model: estimate, standard error and p of every fixed effect, and whether the fit can be trusted.

    Example: gardenpath stats model run "outcome ~ system + (1|item)" --family binomial

    Example: gardenpath stats model table.tsv "accuracy ~ modifier + (1+modifier|seed)" --p satterthwaite
    """
    from ..runs.record.signatures import signature
    from ..runs.result.result import Result
    from ..stats.mixed import fit_mixed
    from ..studies.engine.mixed_models import model_failures, model_findings, model_tables

    check_target(output)
    table, suite, content = _table(source)
    fit = fit_mixed(table, formula, family.value, freedom=p.value)
    signed = signature(
        ("study", STUDY), ("table", f"{suite}#{content}"), ("model", fit.formula), ("family", fit.family),
        ("p", p.value), ("engine", fit.engine), ("n", fit.n),
    )  # fmt: skip
    findings = model_findings(fit, STUDY, suite)
    emit(Result(signed, findings, model_tables(fit), model_failures(fit), _details(fit)), format, output)


def ratio(
    source: SourceArgument,
    smaller: Annotated[str, typer.Argument(help="The formula without the terms in question.")],
    larger: Annotated[str, typer.Argument(help="The formula with them.")],
    family: FamilyOption = Family.gaussian,
    format: FormatOption = Format.table,
    output: OutputOption = None,
) -> None:
    """Likelihood-ratio test of two mixed models: do the terms that only the larger has explain anything?

    Example: gardenpath stats ratio run "outcome ~ 1 + (1|item)" "outcome ~ system + (1|item)" --family binomial
    """
    from ..runs.record.signatures import signature
    from ..runs.result.result import Finding, Result, Table
    from ..stats.mixed import likelihood_ratio
    from ..studies.engine.mixed_models import model_failures

    check_target(output)
    table, suite, content = _table(source)
    test = likelihood_ratio(table, smaller, larger, family.value)
    by: dict[str, str | int | float | bool | None] = {"smaller": test.smaller.formula, "larger": test.larger.formula}
    findings = [
        Finding(STUDY, suite, "", name, value, test.larger.n, by=by)
        for name, value in (("chi2", test.chi2), ("freedom", test.freedom), ("p", test.p))
    ]
    fits = (test.smaller, test.larger)
    rows = [
        (fit.formula, fit.parameters, fit.loglik, None, None, None)
        if fit is test.smaller
        else (fit.formula, fit.parameters, fit.loglik, test.chi2, test.freedom, f"{test.p:.4g}")
        for fit in fits
    ]
    columns = ("model", "parameters", "log likelihood", "χ²", "df", "p")
    shown = Table(
        "Likelihood ratio", columns, rows, 3, "\n".join(dict.fromkeys(w for fit in fits for w in fit.warnings))
    )
    signed = signature(
        ("study", STUDY), ("table", f"{suite}#{content}"), ("test", "likelihood-ratio"), ("family", family.value),
        ("engine", test.larger.engine), ("n", test.larger.n),
    )  # fmt: skip
    failures = {kind: count for fit in fits for kind, count in model_failures(fit).items()}
    emit(Result(signed, findings, [shown], failures), format, output)


def _table(source: Path) -> tuple[polars.DataFrame, str, str]:
    """The table, its name, and the beginning of a hash of its content."""
    from ..errors import InputError
    from ..runs.record.run import OBSERVATIONS, Run
    from ..runs.record.signatures import describe_input

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


def _details(fit: Fit) -> dict[str, object]:
    return {"converged": fit.converged, "singular": fit.singular, "warnings": list(fit.warnings)}
