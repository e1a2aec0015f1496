"""Perturbations by name; third parties add their own by entry points."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module
from pathlib import PurePath
from typing import Protocol, runtime_checkable

from ..._packages import plugins
from ...errors import GardenpathError, SystemFailure, UsageError, unknown_name
from ..sentence import Sentence
from .edit import Proposal, Refusal

GROUP = "gardenpath.perturbations"
"""The group of entry points: `name = "package.module:make"`, called with `PerturbationSettings`, gives a
`Perturbation`."""
SETS = ("test", "train")


@dataclass(frozen=True, slots=True)
class PerturbationSettings:
    """What a perturbation is made with."""

    language: str = ""
    """Its ISO code, such as `de`."""
    split: str = "test"
    """Values to test with or to train with: where there are enough of them, no value is in both."""
    seed: int | None = None
    """For drawn values; None is the seed of the study (7919 for test, 7907 for train)."""


@runtime_checkable
class Perturbation(Protocol):
    """Proposes edits that leave the gold tree as it is, or says why it does not."""

    name: str
    signature: str
    """Everything that decides its values."""

    def propose(self, sentence: Sentence) -> Proposal | Refusal: ...


@dataclass(frozen=True, slots=True)
class Kind:
    """A perturbation that can be asked for: where it is made and what it changes."""

    name: str
    target: str
    about: str
    languages: tuple[str, ...] | None = None
    """None: any language."""
    source: str = "gardenpath"


_ALL = ("de", "en", "ru", "sv", "uk", "zh")
KINDS = (
    Kind("numerals", ".numerals:Numerals", "the first four-digit number between blanks, as published"),
    Kind("years", ".years:Years", "years, five of every century from the 12th to the 21st", _ALL),
    Kind("amounts", ".amounts:Amounts", "counted things and money: as many digits, the same plural", _ALL),
    Kind("ordinals", ".ordinals:Ordinals", "3. 3rd 3:e 3-й 第三", _ALL),
    Kind("names", ".wordlists:names", "given names by gender, family names", _ALL),
    Kind("places", ".wordlists:places", "cities and countries", _ALL),
    Kind("currencies", ".wordlists:currencies", "money by gender, number and case, and its signs", _ALL),
    Kind("pronouns", ".pronouns:Pronouns", "personal pronouns where agreement is kept", _ALL),
)


def kinds() -> dict[str, Kind]:
    """All perturbations by name, those of other packages included; ours cannot be replaced."""
    found = {kind.name: kind for kind in KINDS}
    for name, value, source in plugins(GROUP):
        found.setdefault(name, Kind(name, value, f"from {source}", source=source))
    return found


def check_language(names: Iterable[str], language: str) -> None:
    """A language that is named must mean something to one of these; a list of one's own has none."""
    known = kinds()
    heeds = [name for name in names if name not in known or known[name].languages or known[name].source != "gardenpath"]
    if language and not heeds:
        what = "numerals and a list of your own are the same in every language"
        raise UsageError(what, where=f"--language {language}", todo="leave out --language")


def perturbation(name: str, settings: PerturbationSettings | None = None) -> Perturbation:
    """The perturbation of this name, ready to work."""
    settings = settings or PerturbationSettings()
    known = kinds()
    if name not in known:
        raise unknown_name("perturbation", name, known)
    if settings.split not in SETS:
        raise unknown_name("set of values", settings.split, SETS)
    kind = known[name]
    if kind.languages is not None and settings.language not in kind.languages:
        if settings.language:
            raise unknown_name(f"language of {name}", settings.language, kind.languages)
        raise UsageError(f"{name} needs to know the language", todo="name it, one of " + ", ".join(kind.languages))
    return _made(kind, settings)


def _made(kind: Kind, settings: PerturbationSettings) -> Perturbation:
    module, _, attribute = kind.target.partition(":")
    try:
        make = getattr(import_module(module, __package__ if module.startswith(".") else None), attribute)
        made = make(settings)
    except GardenpathError:
        raise
    except Exception as error:
        what = f"the perturbation {kind.name} of {kind.source} cannot be made: {type(error).__name__}: {error}"
        raise SystemFailure(what) from error
    if not isinstance(made, Perturbation):
        todo = "see gardenpath.treebank.perturb.Perturbation"
        raise SystemFailure(f"{kind.target} of {kind.source} makes no perturbation", todo=todo)
    return made


def language_of(paths: Iterable[str]) -> str:
    """The language that the names of treebank files begin with, `de` for `de_gsd-ud-dev.conllu`; empty if unclear."""
    found = {match[1] if (match := _NAME.match(PurePath(path).name)) else "" for path in paths}
    return found.pop() if len(found) == 1 else ""


_NAME = re.compile(r"([a-z]{2,3})[_-]")
