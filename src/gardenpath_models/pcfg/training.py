"""Training PCFGs: `gardenpath train pcfg`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from gardenpath.errors import UsageError, unknown_name
from gardenpath.phrase import scheme as known_scheme
from gardenpath.systems import Outcome, PhrasePlan, PhraseTrainer

from .model import learn, save
from .preparation import GAPS, RAISE
from .treebank_grammar import BACKOFF, LEAST


@dataclass(frozen=True)
class PCFGSettings:
    """The options, with what was measured to be best on 2,000 trees of TIGER's kind as defaults."""

    functions: bool = False
    vertical: int = 2
    horizontal: int = 2
    """1 with functions: there are many more symbols then. With `latent`, a rule sees one category and no sister."""
    gaps: str = RAISE
    scheme: str = ""
    backoff: float = BACKOFF
    least: float = LEAST
    latent: int = 0
    """How often every symbol is split into two; 0 is a grammar that only counts."""


PRESETS: dict[str, dict[str, str]] = {
    "tiny": {"vertical": "1", "horizontal": "1"},
    "default": {},
    "paper": {"least": "0.0001"},
}
"""Small and fast; the defaults; fewer rules left out."""
MOST_ROUNDS = 6
"""64 subsymbols at most."""
_YES, _NO = ("yes", "true", "1"), ("no", "false", "0")


class PCFGTrainer(PhraseTrainer[PCFGSettings]):
    """Counts have no seed: the same trees and options make the same file. Splits begin with a little chance."""

    folder = False

    def seeded(self, settings: PCFGSettings) -> bool:
        return settings.latent > 0

    def settings(self, preset: str, options: Mapping[str, str]) -> PCFGSettings:
        return settings_of(preset, options)

    def learn(self, plan: PhrasePlan[PCFGSettings], target: Path) -> Outcome:
        trees, options = plan.train.trees, asdict(plan.settings)
        plan.tell(f"training pcfg on {len(trees)} tree{'s' * (len(trees) != 1)}")
        model = learn(trees, **options, seed=plan.seed, tell=plan.tell)
        size = model.size
        plan.tell(", ".join(f"{count} {name}" for name, count in size.items()))
        save(model, target)
        log = {"grammar": size, "words": len(model.vocabulary.tables[False].at)}
        return Outcome(options, log, len(trees), plan.train.words)


def settings_of(preset: str, options: Mapping[str, str]) -> PCFGSettings:
    """The options over those of the preset."""
    known = PCFGSettings.__dataclass_fields__
    for name in options:
        if name not in known:
            raise unknown_name("option of pcfg", name, known)
    given = {**PRESETS[preset], **options}
    default = PCFGSettings()
    gaps = given.get("gaps", default.gaps)
    if gaps not in GAPS:
        raise unknown_name("treatment of gaps", gaps, GAPS)
    scheme = given.get("scheme", default.scheme)
    if scheme:
        known_scheme(scheme)
    text = given.get("functions", "no")
    if text not in (*_YES, *_NO):
        raise UsageError(f"{text!r} is neither yes nor no", where="functions")
    functions = text in _YES
    latent = _number(given.get("latent", "0"), "latent", 0, MOST_ROUNDS)
    generations = "1" if latent else str(default.vertical)
    sisters = "0" if latent else "1" if functions else str(default.horizontal)
    return PCFGSettings(
        functions,
        _number(given.get("vertical", generations), "vertical", 1, 4),
        _number(given.get("horizontal", sisters), "horizontal", 0, 4),
        gaps,
        scheme,
        _share(given.get("backoff", str(default.backoff)), "backoff", 1e-6, 1e3),
        _share(given.get("least", str(default.least)), "least", 0.0, 0.5),
        latent,
    )


def _number(text: str, name: str, low: int, high: int) -> int:
    if not text.isdecimal() or not low <= int(text) <= high:
        raise UsageError(f"{text!r} is not a number from {low} to {high}", where=name)
    return int(text)


def _share(text: str, name: str, low: float, high: float) -> float:
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not low <= value <= high:
        raise UsageError(f"{text!r} is not a number from {low:g} to {high:g}", where=name)
    return value
