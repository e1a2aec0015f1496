"""Records of all public data by name: the catalogue, the UD treebanks, and the samples in the package."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any

from ..errors import UsageError, unknown_name

STUDIES = {"roles": "roles", "surprisal": "surprisal", "pairs": "surprisal", "constructions": "constructions"}
"""The study that a folder of the mirror, or a bundled sample, is for."""


@dataclass(frozen=True, slots=True)
class Record:
    """One set of data: what it is, where it comes from, who made it, and where it lies in a mirror."""

    name: str
    title: str
    about: str
    urls: tuple[str, ...]
    licence: str
    citation: str
    place: str
    sha256: str | None = None
    """Hash of the content (see `tree.tree_hash`); None: the first download is trusted and remembered."""
    moves: Mapping[str, str] = field(default_factory=dict)
    expects: tuple[str, ...] = ()
    keeps: tuple[str, ...] = ()
    """Patterns of the files that are the data; empty: all of them."""
    layout: str = ""
    """Of suites: their format, as `formats` names it."""
    language: str = ""
    """ISO 639-1, several with commas; empty where it is of many languages."""
    exams: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Of suites: by language, the files or folders in it that a score card takes; empty: all, if of one language."""
    by_hand: str = ""
    """For data that no address serves: what to put into a mirror, and where it is from."""

    @property
    def study(self) -> str:
        """The study that it is a suite for; empty of all other data."""
        return STUDIES.get(self.place.partition("/")[0], "")

    @property
    def folder(self) -> str:
        """The name of its folder in the store: the name without what a file system may refuse."""
        return self.name.replace(":", "_")


@cache
def _catalogue() -> dict[str, Record]:
    text = (Path(__file__).parent / "catalogue.toml").read_text(encoding="utf-8")
    return {name: _record(name, entry) for name, entry in tomllib.loads(text).items()}


def _record(name: str, entry: dict[str, Any]) -> Record:
    values: dict[str, Any] = {key: tuple(one) if isinstance(one, list) else one for key, one in entry.items()}
    values["citation"] = entry["citation"].strip() + "\n"
    values["exams"] = {language: tuple(parts) for language, parts in entry.get("exams", {}).items()}
    return Record(name, **{"urls": (), **values})


def records() -> list[Record]:
    """All records of the catalogue, by name; UD treebanks are a family of their own, see `ud.treebanks`."""
    return [record for _, record in sorted(_catalogue().items())]


def find(name: str, *, unlisted: bool = False) -> Record:
    """The record of a name: `sorts`, `sorts@2020`, `ud:German-GSD`, `ud:German-GSD@2.14`.

    `unlisted` lets UD treebanks pass that are not in the list of known ones (a mirror may have them).
    """
    if name.lower().startswith("ud:"):
        return treebank_record(name, unlisted=unlisted)
    catalogue = _catalogue()
    if name not in catalogue:
        raise unknown_name("data", name, [*catalogue, "ud:LANGUAGE-TREEBANK"])
    return catalogue[name]


def is_data_name(name: str) -> bool:
    """Does this name data of the catalogue (or `bundled:`, `ud:`) or a part of it, and no file that is here?

    >>> is_data_name("sorts"), is_data_name("ud:English-EWT/test"), is_data_name("my/sorts")
    (True, True, False)
    """
    data, _ = divided(name)
    return not _is_here(name) and (data.startswith(("bundled:", "ud:")) or data in _catalogue())


def divided(name: str) -> tuple[str, str]:
    """The name of the data, and which part of it is meant: `sorts/german/german_amb_gold.conll`, `ud:English-EWT/test`.

    >>> divided("ud:English-EWT@2.14/test"), divided("blimp")
    (('ud:English-EWT@2.14', 'test'), ('blimp', ''))
    """
    data, _, part = name.partition("/")
    return data, part


def _is_here(name: str) -> bool:
    try:
        return Path(name).exists()
    except (OSError, ValueError):  # a name that no file can have
        return False


def cite(*names: str) -> str:
    """BibTeX entries for these data, each entry once."""
    entries: dict[str, None] = {}
    for name in names:
        entries.update(dict.fromkeys(find(divided(name)[0]).citation.strip().split("\n\n")))
    return "\n\n".join(entries) + "\n"


DEFAULT_RELEASE = "2.18"
"""What a name without a release means (May 2026)."""

_NAME = re.compile(r"ud:(?P<treebank>[A-Z][A-Za-z_]*-[A-Za-z0-9]+)(?:@r?(?P<release>[0-9]+\.[0-9]+))?")

_PAPER = """\
@article{de-marneffe-etal-2021-universal,
  title = {{U}niversal {D}ependencies},
  author = {de Marneffe, Marie-Catherine and Manning, Christopher D. and Nivre, Joakim and Zeman, Daniel},
  journal = {Computational Linguistics},
  volume = {47},
  number = {2},
  year = {2021},
  pages = {255--308},
  doi = {10.1162/coli_a_00402},
}
"""

_TREEBANK = """\
@misc{{ud-{key},
  title = {{{{UD}} {words} (Universal Dependencies {release})}},
  author = {{{{The contributors of UD\\_{tex}}}}},
  howpublished = {{https://github.com/UniversalDependencies/UD_{treebank}}},
  note = {{Release r{release}; its README names the authors}},
}}
"""


@cache
def treebanks() -> tuple[str, ...]:
    """Known treebanks, such as `German-GSD`: for `did you mean`; the list grows with every release of UD."""
    text = (Path(__file__).parent / "ud_treebanks.txt").read_text(encoding="utf-8")
    return tuple(text.split())


def treebank_record(name: str, *, unlisted: bool = False) -> Record:
    """The record of `ud:German-GSD` or `ud:German-GSD@2.14`.

    A treebank that is not in the list passes when its release is named: it may be newer than the list.
    """
    asked = re.sub(r"^ud:(UD_)?", "ud:", name.strip().replace(" ", "_"), flags=re.IGNORECASE)
    match = _NAME.fullmatch(asked)
    treebank = match["treebank"] if match else asked.removeprefix("ud:").partition("@")[0]
    if match is None or (treebank not in treebanks() and not unlisted and match["release"] is None):
        near = did_you_mean(treebank)
        if treebank in treebanks():
            raise UsageError(f"the release in {name!r} is not like 2.14", todo=f"write ud:{treebank}@2.14")
        if near:
            raise UsageError(f"unknown treebank {name!r}", todo=near)
        form = "write ud:LANGUAGE-TREEBANK or ud:LANGUAGE-TREEBANK@RELEASE, such as ud:German-GSD@2.14"
        if match is not None:
            form = f"if it is newer than gardenpath's list, name its release: {name}@{DEFAULT_RELEASE}"
        raise UsageError(f"unknown treebank {name!r}", todo=form)
    return _treebank(treebank, match["release"])


def did_you_mean(treebank: str) -> str:
    """The known treebanks whose names are nearest, as advice; empty when none is near."""
    known = {candidate.lower(): candidate for candidate in treebanks()}
    asked = treebank.lower()
    near = [asked] if asked in known else get_close_matches(asked, known, n=3, cutoff=0.7)
    return "did you mean " + " or ".join(f"ud:{known[one]}" for one in near) + "?" if near else ""


def _treebank(treebank: str, release: str | None) -> Record:
    version = release or DEFAULT_RELEASE
    words = treebank.replace("_", " ").replace("-", " ", 1)
    note = "" if release else f" (no release was named: {version})"
    own = _TREEBANK.format(
        key=f"{treebank.lower().replace('_', '-')}-{version}", words=words, release=version,
        tex=treebank.replace("_", "\\_"), treebank=treebank,
    )  # fmt: skip
    return Record(
        name=f"ud:{treebank}@{version}",
        title=f"UD {words}, release {version}",
        about=f"Universal Dependencies treebank{note}",
        urls=(f"https://github.com/UniversalDependencies/UD_{treebank}/archive/refs/tags/r{version}.zip",),
        licence="see its LICENSE.txt",
        citation=f"{_PAPER}\n{own}",
        place=f"ud/UD_{treebank}" + (f"@r{release}" if release else ""),
    )


SAMPLES = Path(__file__).parent / "samples"
_SUFFIXES = (".conllu", ".txt", ".toml", ".grammar")
_GARDEN = re.compile(r"(?P<language>[a-z]+)_garden-(?P<part>[a-z]+)(?:\.conllu|\.txt|\.toml|\.grammar)?")


def bundled(name: str) -> Path:
    """The file or folder of this sample, by its short name (`de-train`) or its own name."""
    files = _files()
    if name in files:
        return files[name]
    for path in files.values():
        if path.name == name:
            return path
    raise unknown_name("bundled sample", name, files)


def bundled_names() -> list[str]:
    """The short names of all samples."""
    return sorted(_files())


def _files() -> dict[str, Path]:
    if not SAMPLES.is_dir():
        return {}
    paths = (path for path in sorted(SAMPLES.iterdir()) if path.suffix in _SUFFIXES or path.is_dir())
    return {_short(path.name): path for path in paths}


def _short(file_name: str) -> str:
    match = _GARDEN.fullmatch(file_name)
    return f"{match['language']}-{match['part']}" if match else file_name
