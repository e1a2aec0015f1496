"""The perturbations that settings ask for: by name, and a list of one's own."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...errors import UsageError
from ...treebank.given import given_files, given_treebank
from ...treebank.perturb.combined import SIGN
from ...treebank.perturb.registry import (
    Perturbation,
    PerturbationSettings,
    check_language,
    check_perturbation,
    is_file,
    language_of,
    perturbation,
)
from ...treebank.perturb.values import own_values
from .settings import PerturbedSettings

USUAL = "numerals"
"""What is changed where nothing is named."""


def names_of(settings: PerturbedSettings) -> list[str]:
    """The named ones; a list of one's own may stand alone."""
    return list(settings.perturb) or ([] if settings.values or settings.match or settings.upos else [USUAL])


def check_perturbations(settings: PerturbedSettings) -> None:
    """Known names, each once, and a list with all that it needs."""
    names = names_of(settings)
    for name in names:
        check_perturbation(name, "--perturb")
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise UsageError(f"named twice: {', '.join(twice)}", where="--perturb", todo="name each perturbation once")
    check_language(names, settings.language)
    own_values(settings.values, settings.match, settings.upos, query=settings.match_pattern)


def perturbations_of(
    settings: PerturbedSettings, sources: Iterable[Any], split: str = "test", *, divided: bool = False
) -> list[Perturbation]:
    """With their values to test with, or to train with.

    A list of one's own that has to serve for both is divided. The language is that of the sources' names, if it is not
    in the settings.
    """
    language = settings.language or language_of(file for source in sources for file in names_of_files(source))
    made = [perturbation(name, PerturbationSettings(language, split)) for name in names_of(settings)]
    half = split if divided else ""
    own = own_values(settings.values, settings.match, settings.upos, half, settings.match_pattern)
    return [*made, own] if own is not None else made


def names_of_files(source: Any) -> list[str]:
    """The files of a path, or the name of a treebank that is there already."""
    return given_files(source) or [given_treebank(source).name]


def files_of(settings: PerturbedSettings, sources: Iterable[Any]) -> list[str]:
    """All files that are read: treebanks by path, and a list of values."""
    files = [file for source in sources for file in given_files(source)]
    lists = [part for name in settings.perturb for part in name.split(SIGN) if is_file(part)]
    return [*files, *lists, *([settings.values] if settings.values else [])]
