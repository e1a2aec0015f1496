"""Systems by name: `kind:argument`. A kind is loaded when it is used; third parties add kinds by entry points."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import import_module, metadata
from importlib.util import find_spec
from typing import Any

from ..errors import GardenpathError, MissingPackage, SystemFailure, UsageError, unknown_name
from .protocol import Parser

GROUP = "gardenpath.systems"
"""The group of entry points: `kind = "package.module:Class"`, a class that takes the argument."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of system: where its class is, what it needs, and what it is."""

    name: str
    target: str
    """`module:Class`; a module with a dot before it is of this package."""
    argument: str
    about: str
    package: str = ""
    """The module it needs, and the extra that brings it (both empty: nothing)."""
    extra: str = ""
    trainer: str = ""
    """`module:function` that trains one."""
    what: str = "parser"
    source: str = "gardenpath"

    @property
    def installed(self) -> bool:
        try:
            return not self.package or find_spec(self.package) is not None
        except (ImportError, ValueError):
            return False

    @property
    def install(self) -> str:
        """What to type to have it."""
        if self.installed:
            return ""
        return f'pip install "gardenpath[{self.extra}]"' if self.extra else f"pip install {self.package}"

    def load(self, target: str = "") -> Any:
        """Its class (or trainer); an error of one sentence where the package is missing or broken."""
        if not self.installed:
            raise MissingPackage(
                f"{self.package} is not installed", where=f"{self.name}:", todo=f"install it with: {self.install}"
            )
        module, _, attribute = (target or self.target).partition(":")
        try:
            return getattr(import_module(module, __package__ if module.startswith(".") else None), attribute)
        except (ImportError, AttributeError) as error:
            raise SystemFailure(f"the kind {self.name} of {self.source} cannot be loaded: {error}") from error


KINDS = (
    Kind(
        "udpipe", ".udpipe:UDPipe", "MODEL", "UDPipe 1: trains and parses offline", "ufal.udpipe",
        trainer=".udpipe_training:train_udpipe",
    ),
    Kind(
        "stanza", ".stanza_parser:StanzaParser", "FOLDER", "Stanza: graph-based or transition-based, neural", "stanza",
        "stanza", ".stanza_training:train_stanza",
    ),
    Kind(
        "spacy", ".spacy_parser:SpacyParser", "FOLDER", "spaCy: transition-based, neural", "spacy", "spacy",
        ".spacy_training:train_spacy",
    ),
    Kind("natasha", ".natasha_parser:NatashaParser", "news", "natasha: Russian, weights in its wheel", "natasha"),
    Kind("udpipe-rest", ".udpipe_rest:UDPipeRest", "URL#MODEL", "a server that speaks UDPipe's REST protocol"),
    Kind("conllu", ".conllu_file:ConlluFile", "FILE", "a file that a parser wrote"),
    Kind("command", ".command:Command", "PROGRAM …", "a program that reads CoNLL-U or text and writes CoNLL-U"),
    Kind("baseline", ".baselines:baseline", "NAME", "subject-first, nearest-head or right-branching"),
)  # fmt: skip


def kinds() -> dict[str, Kind]:
    """All kinds by name, those of other packages included; ours cannot be replaced."""
    found = {kind.name: kind for kind in KINDS}
    for entry in metadata.entry_points(group=GROUP):
        source = f"{entry.dist.name} {entry.dist.version}" if entry.dist else entry.value
        found.setdefault(entry.name, Kind(entry.name, entry.value, "…", f"from {source}", source=source))
    return found


def kind_of(name: str) -> tuple[Kind, str]:
    """The kind and the argument of `kind:argument`."""
    kind, colon, argument = name.partition(":")
    known = kinds()
    if kind not in known:
        error = unknown_name("kind of system", kind, known)
        todo = error.todo + "; gardenpath systems lists them"
        raise UsageError(error.what, where=name, todo=todo)
    if not colon or not argument:
        raise UsageError(f"{kind} needs an argument", where=name, todo=f"write {kind}:{known[kind].argument}")
    return known[kind], argument


def system(name: str) -> Parser:
    """The system of this name, ready to work: its model is there and can be read."""
    kind, argument = kind_of(name)
    make = kind.load()
    try:
        made = make(argument)
    except GardenpathError:
        raise
    except Exception as error:
        raise SystemFailure(f"it cannot be started: {type(error).__name__}: {error}", where=name) from error
    if not isinstance(made, Parser):
        raise SystemFailure(
            f"{kind.target} of {kind.source} is no parser", where=name, todo="see gardenpath.systems.Parser"
        )
    return made


@cache
def package_version(package: str) -> str:
    """The version of an installed distribution, for signatures."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "unknown"
