"""Perturbations by name, alone or combined; third parties add their own by entry points."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import PurePath
from typing import Protocol, runtime_checkable

from ...errors import GardenpathError, SystemFailure, UsageError, unknown_name
from ...plugins import plugins
from ..format.sentence import Sentence
from .edit import Proposal, Refusal, Replacement

SIGN = "+"
"""What joins the names of kinds: `names+years`."""


class Combined:
    """Every variant has a value of each kind: the first of all, then the second of all; a short list begins anew."""

    def __init__(self, parts: Sequence[Perturbation]) -> None:
        self.parts = list(parts)
        self.name = SIGN.join(part.name for part in parts)
        self.signature = SIGN.join(part.signature for part in parts)

    def propose(self, sentence: Sentence) -> Proposal | Refusal:
        proposals = []
        for part in self.parts:
            proposal = part.propose(sentence)
            if isinstance(proposal, Refusal):
                return proposal
            proposals.append(proposal)
        words = [word for proposal in proposals for word in _touched(proposal)]
        if len(set(words)) < len(words):
            return Refusal("overlap")
        count = max(len(proposal.replacements) for proposal in proposals)
        done: dict[str, Replacement] = {}
        for number in range(count):
            chosen = [proposal.replacements[number % len(proposal.replacements)] for proposal in proposals]
            together = _together(chosen)
            done.setdefault(together.value, together)
        skipped = sum((Counter(proposal.skipped) for proposal in proposals), Counter[str]())
        old = f" {SIGN} ".join(proposal.old for proposal in proposals)
        edited = tuple(sorted({word for proposal in proposals for word in proposal.words}))
        return Proposal(old, edited, list(done.values()), skipped)


def _touched(proposal: Proposal) -> set[int]:
    own = {number for replacement in proposal.replacements for number in replacement.changes}
    return own.union(*(replacement.structure.touched for replacement in proposal.replacements))


def _together(chosen: Sequence[Replacement]) -> Replacement:
    value = f" {SIGN} ".join(replacement.value for replacement in chosen)
    changes = {number: change for replacement in chosen for number, change in replacement.changes.items()}
    structure = chosen[0].structure
    for replacement in chosen[1:]:
        structure |= replacement.structure
    return Replacement(value, changes, structure=structure)


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


_ALL = ("de", "en", "ja", "ru", "sv", "uk", "zh")
KINDS = (
    Kind("numerals", ".numerals:Numerals", "the first four-digit number between blanks, as published"),
    Kind("years", ".numerals:Years", "years, five of every century from the 12th to the 21st", _ALL),
    Kind("amounts", ".amounts:Amounts", "counted things and money: as many digits, the same plural", _ALL),
    Kind("ordinals", ".numerals:Ordinals", "3. 3rd 3:e 3-й 第三", _ALL),
    Kind("names", ".wordlists:names", "given names by gender, family names", _ALL),
    Kind("places", ".wordlists:places", "cities and countries", _ALL),
    Kind("currencies", ".wordlists:currencies", "money by gender, number and case, and its signs", _ALL),
    Kind("pronouns", ".pronouns:Pronouns", "personal pronouns where agreement is kept", _ALL),
    Kind("synonyms", ".wordlists:synonyms", "words that mean nearly the same and stand in the same places", _ALL),
    Kind("adverbs", ".function_words:Adverbs", "an adverb put in that belongs to the main predicate", _ALL),
    Kind("articles", ".function_words:Articles", "indefinite articles become definite", ("de", "en")),
    Kind("digits", ".numerals:NumberWords", "small numbers in words and digits", ("de", "en", "ja", "sv", "zh")),
    Kind("contractions", ".function_words:Contractions", "contractions written out, and made", ("en",)),
    Kind("capitals", ".noise:Capitals", "all small, all capitals, a capital in every word"),
    Kind("punctuation", ".noise:FinalMark", "the mark at the end: another one, none, or one more"),
    Kind("quotes", ".noise:Quotes", "quotation marks of another shape"),
    Kind("typos", ".noise:Typos", "one slip of the keyboard"),
)


def is_file(name: str) -> bool:
    """A list of one's own: `mine.toml`."""
    return name.endswith(".toml")


def kinds() -> dict[str, Kind]:
    """All perturbations by name, those of other packages included; ours cannot be replaced."""
    by_name = {kind.name: kind for kind in KINDS}
    for plugin in plugins(GROUP):
        added = Kind(plugin.name, plugin.target, f"from {plugin.source}", source=plugin.source)
        by_name.setdefault(plugin.name, added)
    return by_name


def check_perturbation(name: str, where: str = "") -> None:
    """A kind that there is, several joined by +, or a file with a list."""
    known = kinds()
    for part in name.split(SIGN):
        if part not in known and not is_file(part):
            raise unknown_name("perturbation", part, known, where=where)
    if len(set(name.split(SIGN))) < len(name.split(SIGN)):
        raise UsageError(f"{name} has a kind twice", where=where, todo="name each kind once")


def heeds_language(kind: Kind) -> bool:
    """Does it matter in which language its words are? Of kinds from elsewhere it is not known."""
    return bool(kind.languages) or kind.source != "gardenpath"


def check_language(names: Iterable[str], language: str) -> None:
    """A language that is named must mean something to one of these; a list of one's own has none."""
    known = kinds()
    parts = [part for name in names for part in name.split(SIGN)]
    if language and not any(part not in known or heeds_language(known[part]) for part in parts):
        what = f"{', '.join(parts) or 'a list of your own'}: the same in every language"
        raise UsageError(what, where=f"--language {language}", todo="leave out --language")


def perturbation(name: str, settings: PerturbationSettings | None = None) -> Perturbation:
    """The perturbation of this name, ready to work."""
    settings = settings or PerturbationSettings()
    check_perturbation(name)
    if SIGN in name:
        return Combined([perturbation(part, settings) for part in name.split(SIGN)])
    if is_file(name):
        from .wordlists import list_from_file

        return list_from_file(name, settings)
    known = kinds()
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
    codes = {match[1] if (match := _NAME.match(PurePath(path).name)) else "" for path in paths}
    return codes.pop() if len(codes) == 1 else ""


_NAME = re.compile(r"([a-z]{2,3})[_-]")
