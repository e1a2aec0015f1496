"""Who is examined: what kind of system it is and which language it is of, and how that is known."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any

from ...boundary.structured import read_object
from ...boundary.texts import file_bytes
from ...data import bundled, bundled_names
from ...errors import InputError, UsageError
from ...systems.card import read_card
from ...systems.entrants import FILE_KINDS, Entrant, entrants_of, split_label
from ...systems.language import covers
from ...systems.registry import kind_of
from ...treebank import read

LANGUAGES = {
    "ar": "arabic", "cs": "czech", "de": "german", "en": "english", "es": "spanish", "fi": "finnish", "fr": "french",
    "he": "hebrew", "hi": "hindi", "hu": "hungarian", "id": "indonesian", "it": "italian", "ja": "japanese",
    "ko": "korean", "la": "latin", "nl": "dutch", "pl": "polish", "pt": "portuguese", "ru": "russian", "sv": "swedish",
    "tr": "turkish", "uk": "ukrainian", "vi": "vietnamese", "zh": "chinese",
}  # fmt: skip
"""Languages that a model's name may name, by their codes."""
_CODE = re.compile(r"([a-z]{2,3})[_-].+")
_FRONT = re.compile(r"language:[ \t]*(?:\n[ \t]*-[ \t]*)?['\"]?([a-z]{2,3})\b(?![^\n]*,)(?!\n[ \t]*-)")
_SMALL = 1 << 20


@dataclass(frozen=True, slots=True)
class Examinee:
    """The system under examination."""

    entrant: Entrant
    roles: tuple[str, ...]
    language: str
    known_by: str
    """How its language is known."""

    @property
    def language_name(self) -> str:
        return LANGUAGES.get(self.language, self.language).capitalize()


def examinee(system: str, language: str = "") -> Examinee:
    """The system of this name; an error where it answers from a file, or its language cannot be told."""
    name = split_label(system)[1]
    kind, argument = kind_of(name)
    if kind.name in FILE_KINDS.values():
        what = "a file has answers to what was asked once, and cannot be examined"
        raise UsageError(what, where=system, todo="name the system that wrote it, or use evaluate, roles or surprisal")
    roles = kind.known_roles if len(kind.known_roles) == 1 else tuple(_played(system, kind.known_roles))
    entrant = entrants_of([system], roles[0] if roles else kind.known_roles[0])[0]
    if language:
        return Examinee(entrant, roles, language.lower(), "as it was said")
    for code, known_by in _clues(entrant, argument):
        if code:
            return Examinee(entrant, roles, code, known_by)
    raise UsageError("its language is not known", where=system, todo="name it: --language en")


def _played(system: str, roles: Iterable[str]) -> Iterator[str]:
    """Of the roles of its kind those that this system plays."""
    for role in roles:
        try:
            _ = entrants_of([system], role)[0].members
        except UsageError:
            continue
        yield role


def _clues(entrant: Entrant, argument: str) -> Iterator[tuple[str, str]]:
    """Languages by what tells them, the surest first."""
    place = Path(argument if Path(argument).exists() else argument.partition("#")[0])
    try:
        card = read_card(place) if place.exists() else {}
    except InputError:
        card = {}
    trained_on = PurePath(str((card.get("train") or {}).get("name", ""))).name
    if match := _CODE.match(trained_on):
        yield match[1], f"by its training data, {trained_on}"
    yield _by_words(card), "by the frequent words of its training data"
    yield _by_its_files(place), "by the description in its folder"
    own = getattr(getattr(entrant.members[0], "models", None), "language", "")
    yield str(own), "by its models"
    yield _by_name(PurePath(argument.partition("#")[0]).name.lower()), "by its name"


def _by_words(card: dict[str, Any]) -> str:
    """The bundled treebank whose words are those that the training data had most of, if there is such a one."""
    known = card.get("profile")
    if not isinstance(known, dict):
        return ""
    samples = [name for name in bundled_names() if name.endswith("-test")]
    fitting = [name for name in samples if covers(known, read(bundled(name)))]
    return fitting[0].partition("-")[0] if len(fitting) == 1 else ""


def _by_its_files(place: Path) -> str:
    """The one language that the card of a model on a hub (README.md) or a spaCy pipeline (meta.json) names."""
    readme, meta = place / "README.md", place / "meta.json"
    if readme.is_file():
        front = readme.read_bytes()[:_SMALL].decode("utf-8", "replace").split("---")
        if len(front) > 2 and not front[0].strip() and (match := _FRONT.search(front[1])):
            return match[1]
    if meta.is_file():
        return str(read_object(file_bytes(meta), str(meta)).get("lang", ""))
    return ""


def _by_name(name: str) -> str:
    """`de`, `de_core_news_sm`, `bert-base-german-cased`: a code at the beginning, or the name of a language."""
    words = re.split(r"[^a-z]+", name)
    named = [code for code, language in LANGUAGES.items() if language in words]
    return named[0] if len(named) == 1 else words[0] if words[0] in LANGUAGES else ""
