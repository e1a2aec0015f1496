"""Systems by name: `kind:argument`. A kind is loaded when it is used; third parties add kinds by entry points."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import import_module, metadata
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from ..errors import GardenpathError, MissingPackage, SystemFailure, UsageError, unknown_name
from .protocol import Parser

if TYPE_CHECKING:
    from .language_model import LanguageModel

GROUP = "gardenpath.systems"
"""The group of entry points: `kind = "package.module:Class"`, a class that takes the argument."""
PARSER, LANGUAGE_MODEL = "parser", "language model"


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
    what: str = PARSER
    """What it is; empty of a kind of another package, whose class is not loaded yet."""
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

    @property
    def role(self) -> str:
        """A parser or a language model; to know it of a kind of another package its class is looked at."""
        if self.what:
            return self.what
        try:
            return LANGUAGE_MODEL if hasattr(self.load(), "surprisals") else PARSER
        except GardenpathError:
            return "cannot be loaded"

    def load(self, target: str = "") -> Any:
        """Its class (or trainer); an error of one sentence where the package is missing or broken."""
        if not self.installed:
            raise MissingPackage(
                f"{self.package} is not installed", where=self.name, todo=f"install it with: {self.install}"
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
    Kind(
        "ngram", ".ngram.system:NGram", "FILE", "n-gram language model: trained here, or an ARPA file",
        trainer=".ngram.training:train_ngram", what=LANGUAGE_MODEL,
    ),
    Kind(
        "surprisals", ".surprisal_file:SurprisalFiles", "FILE or FOLDER", "surprisals that another program wrote",
        what=LANGUAGE_MODEL,
    ),
)  # fmt: skip


def kinds() -> dict[str, Kind]:
    """All kinds by name, those of other packages included; ours cannot be replaced."""
    found = {kind.name: kind for kind in KINDS}
    for entry in metadata.entry_points(group=GROUP):
        source = f"{entry.dist.name} {entry.dist.version}" if entry.dist else entry.value
        found.setdefault(entry.name, Kind(entry.name, entry.value, "…", f"from {source}", what="", source=source))
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
    """The parser of this name, ready to work: its model is there and can be read."""
    made = _made(name, PARSER)
    if not isinstance(made, Parser):
        raise _misfit(name, PARSER, "gardenpath.systems.Parser")
    return made


def language_model(name: str) -> LanguageModel:
    """The language model of this name; a large one may be loaded only when it is first used."""
    from .language_model import LanguageModel

    made = _made(name, LANGUAGE_MODEL)
    if not isinstance(made, LanguageModel):
        raise _misfit(name, LANGUAGE_MODEL, "gardenpath.systems.LanguageModel")
    return made


def _made(name: str, wanted: str) -> Any:
    kind, argument = kind_of(name)
    if kind.what and kind.what != wanted:
        raise _wrong_role(name, kind.what, wanted)
    make = kind.load()
    try:
        made = make(argument)
    except GardenpathError:
        raise
    except Exception as error:
        raise SystemFailure(f"it cannot be started: {type(error).__name__}: {error}", where=name) from error
    if wanted == PARSER and hasattr(made, "surprisals") and not hasattr(made, "parse"):
        raise _wrong_role(name, LANGUAGE_MODEL, wanted)
    if wanted == LANGUAGE_MODEL and isinstance(made, Parser) and not hasattr(made, "surprisals"):
        raise _wrong_role(name, PARSER, wanted)
    return made


_USES = {PARSER: "gardenpath parse and evaluate", LANGUAGE_MODEL: "gardenpath score and surprisal"}


def _wrong_role(name: str, found: str, wanted: str) -> UsageError:
    fitting = ", ".join(kind.name for kind in kinds().values() if kind.what == wanted)
    return UsageError(
        f"this is a {found}, and a {wanted} is needed here",
        where=name,
        todo=f"{_USES[found]} take it; kinds of {wanted}s: {fitting}",
    )


def _misfit(name: str, wanted: str, protocol: str) -> SystemFailure:
    kind, _ = kind_of(name)
    return SystemFailure(f"{kind.target} of {kind.source} is no {wanted}", where=name, todo=f"see {protocol}")


@cache
def package_version(package: str) -> str:
    """The version of an installed distribution, for signatures."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "unknown"
