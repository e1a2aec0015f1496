"""The same models by R's lme4, where Rscript and lme4 are installed: slower to start, and the field's standard."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping
from typing import Any

from numpy.typing import NDArray

from ..errors import MissingPackage, SystemFailure
from .fitted_model import Fit, Variance, make_effect
from .formula import Formula

_SCRIPT = r"""
given <- commandArgs(trailingOnly = TRUE)
if (!requireNamespace("lme4", quietly = TRUE)) { cat("missing\n"); quit(status = 0) }
input <- file("stdin")
open(input)
formula <- as.formula(readLines(input, n = 1, encoding = "UTF-8", warn = FALSE))
table <- read.delim(input, quote = "", comment.char = "", check.names = FALSE, stringsAsFactors = TRUE,
                    encoding = "UTF-8", na.strings = character(0))
problems <- character(0)
keep <- function(condition) problems <<- c(problems, conditionMessage(condition))
model <- withCallingHandlers(
  if (given[1] == "binomial") lme4::glmer(formula, data = table, family = binomial())
  else lme4::lmer(formula, data = table, REML = given[2] == "reml"),
  warning = function(w) { keep(w); invokeRestart("muffleWarning") },
  message = function(m) { keep(m); invokeRestart("muffleMessage") })
line <- function(...) cat(paste(..., sep = "\t"), "\n", sep = "")
number <- function(value) formatC(value, digits = 17, format = "g")
line("version", as.character(packageVersion("lme4")))
effects <- coef(summary(model))
for (name in rownames(effects)) line("effect", name, number(effects[name, 1]), number(effects[name, 2]))
spread <- as.data.frame(lme4::VarCorr(model))
for (row in seq_len(nrow(spread))) if (is.na(spread$var2[row]))
  line("variance", spread$grp[row], ifelse(is.na(spread$var1[row]), "", spread$var1[row]), number(spread$vcov[row]))
line("loglik", number(as.numeric(logLik(model))), attr(logLik(model), "df"))
line("n", nobs(model))
levels <- lme4::ngrps(model)
for (name in names(levels)) line("levels", name, levels[[name]])
line("singular", lme4::isSingular(model))
line("code", model@optinfo$conv$opt)
for (problem in c(problems, unlist(model@optinfo$conv$lme4$messages))) line("warning", gsub("[\t\r\n]+", " ", problem))
"""


def fit_with_r(columns: Mapping[str, NDArray[Any]], formula: Formula, family: str, reml: bool, notes: list[str]) -> Fit:
    """Fits the model in an R of its own; formula and data go through a pipe, and nothing is left on the disk."""
    program = shutil.which("Rscript")
    if program is None:
        raise MissingPackage("Rscript is not on the PATH", todo="install R with lme4, or leave out --engine lme4")
    command = [program, "--vanilla", "-e", _SCRIPT, family, "reml" if reml else "ml"]
    asked = f"{formula.text}\n{_table(columns)}"
    done = subprocess.run(command, input=asked, capture_output=True, text=True, encoding="utf-8", check=False)
    if done.returncode:
        last = [line for line in done.stderr.splitlines() if line.strip()][-3:]
        raise SystemFailure(f"R could not fit the model: {' '.join(last)}", where=formula.text)
    if done.stdout.strip() == "missing":
        raise MissingPackage("R has no lme4", todo='install it with install.packages("lme4") in R')
    return _read(done.stdout, formula, family, notes, _level_names(columns, formula))


def _level_names(columns: Mapping[str, NDArray[Any]], formula: Formula) -> dict[str, str]:
    """How R calls the levels of a column (`systemRNNG`), and how we do (`system=RNNG`)."""
    texts = (name for name in {*formula.fixed, *formula.slopes} if columns[name].dtype == object)
    return {f"{name}{level}": f"{name}={level}" for name in texts for level in set(columns[name].tolist())}


def _read(output: str, formula: Formula, family: str, notes: list[str], names: Mapping[str, str]) -> Fit:
    def called(term: str) -> str:
        return ":".join(names.get(part, part) for part in term.split(":"))

    rows: dict[str, list[list[str]]] = {}
    for line in output.splitlines():
        kind, *values = line.split("\t")
        rows.setdefault(kind, []).append(values)
    try:
        effects = tuple(make_effect(called(name), float(value), float(error)) for name, value, error in rows["effect"])
        variances = tuple(Variance(group, called(term), float(value)) for group, term, value in rows["variance"])
        (loglik, parameters), (version,), (n,) = rows["loglik"][0], rows["version"][0], rows["n"][0]
        levels = {name: int(count) for name, count in rows["levels"]}
        singular = rows["singular"][0][0] == "TRUE"
        warnings = tuple(dict.fromkeys([*notes, *(one[0] for one in rows.get("warning", []))]))
        converged = rows["code"][0][0] == "0" and not any("converge" in warning for warning in warnings)
        return Fit(
            formula.text, family, f"lme4 {version}", effects, variances, float(loglik), int(parameters), int(n), levels,
            converged, singular, warnings,
        )  # fmt: skip
    except (KeyError, ValueError, IndexError) as error:
        raise SystemFailure(f"cannot read the answer of R: {error!r}", where=formula.text) from error


def _table(columns: Mapping[str, NDArray[Any]]) -> str:
    """Tab-separated; R keeps tabs and line breaks apart from text by not having any."""
    rows = ["\t".join(columns)]
    for values in zip(*columns.values(), strict=True):
        cells = [repr(float(value)) if isinstance(value, float) else " ".join(str(value).split()) for value in values]
        rows.append("\t".join(cells))
    return "\n".join(rows) + "\n"
