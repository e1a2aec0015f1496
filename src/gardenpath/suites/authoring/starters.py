"""Templates to begin with, as they come with the package."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from ...errors import InputError, unknown_name

STARTERS = {"pairs": "toml", "surprisal": "toml", "roles": "toml", "perturbation": "txt"}
"""The kinds of suites that can be begun, and the ending of their file."""


_LIST = b'# kind = "perturbation"'
"""What a list of words begins with, so that it is known for one."""


def is_word_list(path: str) -> bool:
    """Is this a list of words that began as our template of a perturbation?"""
    try:
        with Path(path).open("rb") as stream:
            return stream.read(256).removeprefix(b"\xef\xbb\xbf").startswith(_LIST)
    except OSError:
        return False


def starter(kind: str, language: str, name: str) -> str:
    """The text of a commented template for a language (ISO 639), with a name for the suite."""
    if kind not in STARTERS:
        raise unknown_name("kind of suite", kind, STARTERS)
    if not (language.isalpha() and language.isascii() and language.islower() and 2 <= len(language) <= 3):
        raise InputError(f"{language!r} is not a code of a language", where="--language", todo="write en, de, tr, …")
    text = files(__package__).joinpath("starters", f"{kind}.{STARTERS[kind]}").read_text("utf-8")
    return text.replace("{name}", name, 1).replace("{language}", language, 1)
