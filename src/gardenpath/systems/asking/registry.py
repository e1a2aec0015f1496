"""Systems by name, `kind:argument#option=value`, loaded when used; other packages add kinds by entry points."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any
from weakref import WeakValueDictionary

from ...errors import GardenpathError, MissingPackage, SystemFailure, UsageError, unknown_name
from ...plugins import Plugin, plugins, version_of
from .protocol import JUDGE, LANGUAGE_MODEL, PARSER, PHRASE_PARSER, ChatModel, LanguageModel, Parser, PhraseParser

GROUP = "gardenpath.systems"
"""The group of entry points: `kind = "package.module:NAME"`, a `Kind`, or a class that takes the argument."""
METHODS = {PARSER: "parse", LANGUAGE_MODEL: "surprisals", PHRASE_PARSER: "parse_trees", JUDGE: "replies"}
"""The method that a system of each role has."""
TREES, TEXT, PHRASES = "dependency trees", "text", "phrase trees"


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of system: where its class is, what it needs, and what it is."""

    name: str
    target: str
    """`module:Class`; a module with a dot before it is of `gardenpath.systems`."""
    argument: str
    about: str
    package: str = ""
    """The module it needs, and the extra that brings it (both empty: nothing)."""
    extra: str = ""
    trainer: str = ""
    """`module:Trainer`, the class that trains one (see `trainer.Trainer`)."""
    roles: tuple[str, ...] = (PARSER,)
    """What it is, in one role or more; empty where its class cannot be loaded."""
    source: str = "gardenpath"
    beside: str = ""
    """Another module that it needs, which comes with the extra and not with the package."""

    @property
    def missing(self) -> str:
        """The first module that it needs and that is not there; empty: all are."""
        return next((name for name in (self.package, self.beside) if name and not _is_there(name)), "")

    @property
    def installed(self) -> bool:
        return not self.missing

    @property
    def install(self) -> str:
        """What to type to have it."""
        if self.installed:
            return ""
        return f'pip install "gardenpath[{self.extra}]"' if self.extra else f"pip install {self.package}"

    @property
    def role(self) -> str:
        """Its roles in words."""
        return " and ".join(self.roles) or "cannot be loaded"

    @property
    def learns_from(self) -> str:
        """What one is trained on: TREES (of dependencies), PHRASES or TEXT."""
        if PHRASE_PARSER in self.roles and PARSER not in self.roles:
            return PHRASES
        return TEXT if LANGUAGE_MODEL in self.roles else TREES

    def load(self, target: str = "") -> Any:
        """Its class (or trainer); an error of one sentence where the package is missing or broken."""
        if not self.installed:
            raise MissingPackage(
                f"{self.missing} is not installed", where=self.name, todo=f"install it with: {self.install}"
            )
        module, _, attribute = (target or self.target).partition(":")
        try:
            return getattr(import_module(module, "gardenpath.systems" if module.startswith(".") else None), attribute)
        except (ImportError, AttributeError) as error:
            raise SystemFailure(f"the kind {self.name} of {self.source} cannot be loaded: {error}") from error


KINDS = (
    Kind(
        "udpipe", ".parsers.udpipe:UDPipe", "MODEL", "UDPipe 1: trains and parses offline", "ufal.udpipe",
        trainer=".training.udpipe_training:UDPipeTrainer",
    ),
    Kind(
        "stanza", ".parsers.stanza_parser:StanzaParser", "LANGUAGE or FOLDER",
        "Stanza: its own pipelines, or trained here", "stanza", "stanza", ".training.stanza_training:StanzaTrainer",
    ),
    Kind(
        "spacy", ".parsers.spacy_parser:SpacyParser", "PACKAGE or FOLDER",
        "spaCy: its own pipelines, or trained here", "spacy", "spacy", ".training.spacy_training:SpacyTrainer",
    ),
    Kind(
        "natasha", ".parsers.natasha_parser:NatashaParser", "news", "natasha: Russian, weights in its wheel", "natasha",
    ),
    Kind("udpipe-rest", ".parsers.udpipe_rest:UDPipeRest", "URL#MODEL", "a server that speaks UDPipe's REST protocol"),
    Kind(
        "llm", ".parsers.llm_parser:LlmParser", "URL#model=NAME",
        "a chat model on a server, asked for heads and labels",
    ),
    Kind("conllu", ".files.conllu_file:ConlluFile", "FILE", "a file that a parser wrote"),
    Kind(
        "command", ".parsers.command:command", "PROGRAM …", "a program that reads CoNLL-U or text and writes trees",
        roles=(PARSER, PHRASE_PARSER),
    ),
    Kind(
        "vote", "gardenpath.studies.consistency.voting:voting", "KIND:SYSTEM",
        "any parser, with variants of each sentence that vote",
    ),
    Kind(
        "baseline", ".parsers.baselines:baseline", "NAME", "a rule, such as subject-first or nearest-candidate",
        roles=(PARSER, PHRASE_PARSER),
    ),
    Kind(
        "hf", ".language_models.hf.system:HFModel", "MODEL",
        "causal or masked language model of Transformers, over running text", "transformers", "hf",
        roles=(LANGUAGE_MODEL,), beside="torch",
    ),
    Kind(
        "openai", ".language_models.completions:CompletionsModel", "URL#model=NAME",
        "a server that gives log-probabilities of prompts, examined first", roles=(LANGUAGE_MODEL,),
    ),
    Kind(
        "chat", ".language_models.chat:Chat", "URL#model=NAME", "a chat model on a server, asked to judge sentences",
        roles=(JUDGE,),
    ),
    Kind(
        "surprisals", ".files.surprisal_file:SurprisalFiles", "FILE or FOLDER", "surprisals that another program wrote",
        roles=(LANGUAGE_MODEL,),
    ),
    Kind(
        "trees", ".files.tree_file:TreeFile", "FILE", "phrase trees that a parser wrote", roles=(PHRASE_PARSER,),
    ),
)  # fmt: skip


def _is_there(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except (ImportError, ValueError):
        return False


def kinds() -> dict[str, Kind]:
    """Return all kinds by name, those of other packages included; a built-in kind cannot be replaced."""
    known = {kind.name: kind for kind in KINDS}
    return known | {plugin.name: _added(plugin) for plugin in plugins(GROUP) if plugin.name not in known}


@cache
def _added(plugin: Plugin) -> Kind:
    """Return the kind that another package declares, or that its class is of."""
    try:
        declared = plugin.load()
    except Exception:  # said when the kind is used, so that one broken package does not hide all others
        return Kind(plugin.name, plugin.target, "…", f"from {plugin.source}", roles=(), source=plugin.source)
    if isinstance(declared, Kind):
        return replace(declared, name=plugin.name, source=plugin.source)
    roles = _roles_of(declared) or (PARSER,)
    return Kind(plugin.name, plugin.target, "…", f"from {plugin.source}", roles=roles, source=plugin.source)


def kind_of(name: str) -> tuple[Kind, str]:
    """The kind and the argument of `kind:argument`."""
    kind, colon, argument = name.partition(":")
    known = {built_in.name: built_in for built_in in KINDS}
    if kind not in known:
        known |= {plugin.name: _added(plugin) for plugin in plugins(GROUP) if plugin.name == kind}
    if kind not in known:
        known = kinds()
        error = unknown_name("kind of system", kind, known)
        todo = error.todo + "; gardenpath systems lists them"
        raise UsageError(error.what, where=name, todo=todo)
    if not colon or not argument:
        raise UsageError(f"{kind} needs an argument", where=name, todo=f"write {kind}:{known[kind].argument}")
    return known[kind], argument


def system(name: str) -> Parser:
    """The parser of this name, ready to work: its model is there and can be read."""
    parser: Parser = made(name, PARSER)
    return parser


def language_model(name: str) -> LanguageModel:
    """The language model of this name; a large one may be loaded only when it is first used."""
    model: LanguageModel = made(name, LANGUAGE_MODEL)
    return model


def phrase_parser(name: str) -> PhraseParser:
    """The phrase parser of this name; a large one may be loaded only when it is first used."""
    parser: PhraseParser = made(name, PHRASE_PARSER)
    return parser


def chat_model(name: str) -> ChatModel:
    """The chat model of this name."""
    model: ChatModel = made(name, JUDGE)
    return model


PROTOCOLS: dict[str, Any] = {
    PARSER: Parser,
    LANGUAGE_MODEL: LanguageModel,
    PHRASE_PARSER: PhraseParser,
    JUDGE: ChatModel,
}


def made(name: str, role: str) -> Any:
    """The system of this name for a role; an error that says what else it is, or what it lacks."""
    kind, argument = kind_of(name)
    if kind.roles and role not in kind.roles:
        raise _wrong_role(name, kind.roles, role)
    make = kind.load()
    try:
        system = make(argument)
    except GardenpathError:
        raise
    except Exception as error:
        raise SystemFailure(f"it cannot be started: {type(error).__name__}: {error}", where=name) from error
    roles = _roles_of(system)
    if roles and role not in roles:
        raise _wrong_role(name, roles, role)
    if not isinstance(system, PROTOCOLS[role]):
        protocol = f"gardenpath.systems.{PROTOCOLS[role].__name__}"
        raise SystemFailure(f"{kind.target} of {kind.source} is not a {role}", where=name, todo=f"see {protocol}")
    _named[id(system)] = system
    return system


_named: WeakValueDictionary[int, Any] = WeakValueDictionary()


def made_by_name(system: object) -> bool:
    """Was this system made from its name, so that another process can make it too?"""
    return _named.get(id(system)) is system


def _roles_of(made: Any) -> tuple[str, ...]:
    """The roles that a class or a system can play, by its methods."""
    return tuple(role for role, method in METHODS.items() if hasattr(made, method))


_USES = {
    PARSER: "gardenpath parse and evaluate",
    LANGUAGE_MODEL: "gardenpath score and surprisal",
    PHRASE_PARSER: "gardenpath constructions and evaluate (with phrase trees as gold)",
    JUDGE: "gardenpath surprisal",
}


def _wrong_role(name: str, roles: tuple[str, ...], wanted: str) -> UsageError:
    fitting = ", ".join(kind.name for kind in kinds().values() if wanted in kind.roles)
    uses = ", ".join(_USES[role] for role in roles)
    return UsageError(
        f"this is a {' and '.join(roles)}, and a {wanted} is needed here",
        where=name,
        todo=f"{uses} take it; kinds of {wanted}s: {fitting}",
    )


@cache
def package_version(package: str) -> str:
    """The version of an installed distribution, for signatures."""
    return version_of(package) or "unknown"


_TYPO = re.compile(r"[a-z]+=[A-Za-z0-9]*")
"""What looks like an option, also where its name is unknown."""


def split_options(
    kind: str, argument: str, choices: Mapping[str, Sequence[str]], others: Mapping[str, str] | None = None
) -> tuple[str, dict[str, str]]:
    """The argument without its options, and those that are given. A `#` that no `option=` follows is part of it.

    `others` has a pattern for options that take more than their choices.

    >>> split_options("hf", "models/gpt2#bos=none", {"bos": ("auto", "none")})
    ('models/gpt2', {'bos': 'none'})
    """
    parts = argument.split("#")
    cut, known = len(parts), tuple(f"{name}=" for name in choices)
    while cut > 1 and (_TYPO.fullmatch(parts[cut - 1]) or parts[cut - 1].startswith(known)):
        cut -= 1
    where, given = f"{kind}:{argument}", dict[str, str]()
    for part in parts[cut:]:
        name, _, value = part.partition("=")
        if name not in choices:
            raise unknown_name("option", name, choices, where=where)
        pattern = (others or {}).get(name)
        if value not in choices[name] and not (pattern and re.fullmatch(pattern, value)):
            raise unknown_name(f"value of {name}", value, choices[name], where=where)
        if name in given:
            raise UsageError(f"the option {name} is given twice", where=where)
        given[name] = value
    return "#".join(parts[:cut]), given


def parsed_options(given: Iterable[str]) -> dict[str, str]:
    """`name=value` as a dictionary.

    >>> parsed_options(["parser.iterations=3", "tagger = none"])
    {'parser.iterations': '3', 'tagger': 'none'}
    """
    pairs = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            raise UsageError(f"{text!r} is not an option", todo="write it as name=value")
        pairs[name.strip()] = value.strip()
    return pairs
