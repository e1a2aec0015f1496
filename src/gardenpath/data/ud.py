"""The family `ud:LANGUAGE-TREEBANK[@RELEASE]`: a record for each Universal Dependencies treebank."""

from __future__ import annotations

import re
from difflib import get_close_matches
from functools import cache
from pathlib import Path

from ..errors import UsageError
from .record import Record

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
    return _record(treebank, match["release"])


def did_you_mean(treebank: str) -> str:
    """The known treebanks whose names are nearest, as advice; empty when none is near."""
    known = {candidate.lower(): candidate for candidate in treebanks()}
    asked = treebank.lower()
    near = [asked] if asked in known else get_close_matches(asked, known, n=3, cutoff=0.7)
    return "did you mean " + " or ".join(f"ud:{known[one]}" for one in near) + "?" if near else ""


def _record(treebank: str, release: str | None) -> Record:
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
