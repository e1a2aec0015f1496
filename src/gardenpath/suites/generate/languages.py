"""The languages that suites are generated in: those of the package, of other packages, and folders of one's own."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from pathlib import Path

from ..._packages import plugins
from ...errors import InputError, UsageError, unknown_name
from .grammar_file import read_language
from .language import GRAMMAR, LEXICON, Language

BUNDLED = ("de", "nl", "cs", "tr")
DEFAULT = "de"
GROUP = "gardenpath.languages"
"""The group of entry points: `is = "package.module"`, a package whose folder has the two files."""
_FOLDER = Path(__file__).parent.parent / "languages"


@dataclass(frozen=True, eq=False)
class LanguageFolder:
    """A grammar, and the path of the lexicon beside it."""

    language: Language
    lexicon: Path


def language_codes() -> tuple[str, ...]:
    return (*BUNDLED, *(name for name, _, _ in plugins(GROUP) if name not in BUNDLED))


def language_folder(code: str) -> LanguageFolder:
    """The grammar and lexicon of a language by its code."""
    if code in BUNDLED:
        return bundled_language(code)
    for name, value, package in plugins(GROUP):
        if name == code:
            return _installed(value, package)
    for known in BUNDLED:
        if code.casefold() in bundled_language(known).language.aliases:
            raise UsageError(f"unknown language {code!r}", todo=f"did you mean {known}?")
    raise unknown_name("language", code, language_codes())


def chosen_language(code: str, folder: str | Path | None) -> LanguageFolder:
    """The language of a folder of one's own, which says its language itself, else the one of this code."""
    if folder is None:
        return language_folder(code)
    home = grammar_folder(Path(folder))
    if code not in (DEFAULT, home.language.code):
        what = f"the grammar is of {home.language.code!r}, not of {code!r}"
        raise UsageError(what, where=str(folder), todo="leave out --language")
    return home


@lru_cache(maxsize=8)
def bundled_language(code: str) -> LanguageFolder:
    """One of those that come with gardenpath."""
    return grammar_folder(_FOLDER / code)


def grammar_folder(folder: Path) -> LanguageFolder:
    """A folder with `grammar.toml` and `lexicon.toml`."""
    for name in (GRAMMAR, LEXICON):
        if not (folder / name).is_file():
            todo = "docs/grammars.md shows a folder that is complete"
            raise InputError(f"there is no {name} in this folder", where=str(folder), todo=todo)
    return LanguageFolder(read_language(folder), folder / LEXICON)


def _installed(value: str, package: str) -> LanguageFolder:
    try:
        module = import_module(value.partition(":")[0])
    except ImportError as error:
        raise UsageError(f"the grammar of {package} cannot be loaded: {error}", todo="install it again") from None
    return grammar_folder(Path(str(module.__path__[0])))
