"""Systems by name: `kind:argument`. A kind is loaded when it is used; third parties add kinds by entry points."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any
from weakref import WeakValueDictionary

from .._packages import plugins, version_of
from ..errors import GardenpathError, MissingPackage, SystemFailure, UsageError, unknown_name
from .protocol import JUDGE, LANGUAGE_MODEL, PARSER, PHRASE_PARSER, ChatModel, LanguageModel, Parser, PhraseParser

GROUP = "gardenpath.systems"
"""The group of entry points: `kind = "package.module:Class"`, a class that takes the argument."""
METHODS = {PARSER: "parse", LANGUAGE_MODEL: "surprisals", PHRASE_PARSER: "parse_trees", JUDGE: "replies"}
"""The method that a system of each role has."""
TREES, TEXT, PHRASES = "dependency trees", "text", "phrase trees"


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
    """`module:Trainer`, the class that trains one (see `trainer.Trainer`)."""
    roles: tuple[str, ...] = (PARSER,)
    """What it is, in one role or more; empty of a kind of another package, whose class is not loaded yet."""
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
    def known_roles(self) -> tuple[str, ...]:
        """Its roles; to know them of a kind of another package its class is looked at."""
        return self.roles or _roles_of(self.load()) or (PARSER,)

    @property
    def role(self) -> str:
        """Its roles in words."""
        try:
            return " and ".join(self.known_roles)
        except GardenpathError:
            return "cannot be loaded"

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
            return getattr(import_module(module, __package__ if module.startswith(".") else None), attribute)
        except (ImportError, AttributeError) as error:
            raise SystemFailure(f"the kind {self.name} of {self.source} cannot be loaded: {error}") from error


KINDS = (
    Kind(
        "udpipe", ".udpipe:UDPipe", "MODEL", "UDPipe 1: trains and parses offline", "ufal.udpipe",
        trainer=".udpipe_training:UDPipeTrainer",
    ),
    Kind(
        "stanza", ".stanza_parser:StanzaParser", "LANGUAGE or FOLDER", "Stanza: its own pipelines, or trained here",
        "stanza", "stanza", ".stanza_training:StanzaTrainer",
    ),
    Kind(
        "spacy", ".spacy_parser:SpacyParser", "PACKAGE or FOLDER", "spaCy: its own pipelines, or trained here", "spacy",
        "spacy", ".spacy_training:SpacyTrainer",
    ),
    Kind("natasha", ".natasha_parser:NatashaParser", "news", "natasha: Russian, weights in its wheel", "natasha"),
    Kind("udpipe-rest", ".udpipe_rest:UDPipeRest", "URL#MODEL", "a server that speaks UDPipe's REST protocol"),
    Kind(
        "llm", ".endpoints.llm_parser:LlmParser", "URL#model=NAME", "a chat model on a server, asked for heads and "
        "labels",
    ),
    Kind("conllu", ".conllu_file:ConlluFile", "FILE", "a file that a parser wrote"),
    Kind(
        "command", ".command:command", "PROGRAM …", "a program that reads CoNLL-U or text and writes trees",
        roles=(PARSER, PHRASE_PARSER),
    ),
    Kind("vote", ".voting:voting", "KIND:SYSTEM", "any parser, with variants of each sentence that vote"),
    Kind(
        "baseline", ".baselines:baseline", "NAME", "a rule, such as subject-first or nearest-candidate",
        roles=(PARSER, PHRASE_PARSER),
    ),
    Kind(
        "ngram", ".ngram.system:NGram", "FILE", "n-gram language model: trained here, or an ARPA file",
        trainer=".ngram.training:NGramTrainer", roles=(LANGUAGE_MODEL,),
    ),
    Kind(
        "lstm", ".neural.system:LSTM", "FOLDER", "LSTM language model over words", "torch", "neural",
        ".neural.training:NeuralTrainer", roles=(LANGUAGE_MODEL,),
    ),
    Kind(
        "transformer", ".neural.system:Transformer", "FOLDER", "Transformer language model over words", "torch",
        "neural", ".neural.training:NeuralTrainer", roles=(LANGUAGE_MODEL,),
    ),
    Kind(
        "rnng", ".structural.system:RNNGModel", "FOLDER", "recurrent neural network grammar: words and trees", "torch",
        "neural", ".structural.training:StructuralTrainer", roles=(LANGUAGE_MODEL, PHRASE_PARSER),
    ),
    Kind(
        "plm", ".structural.system:PLMModel", "FOLDER", "parsing as language modelling: a Transformer over words and "
        "trees", "torch", "neural", ".structural.training:StructuralTrainer", roles=(LANGUAGE_MODEL, PHRASE_PARSER),
    ),
    Kind(
        "hf", ".hf.system:HFModel", "MODEL", "causal or masked language model of Transformers, over running text",
        "transformers", "hf", roles=(LANGUAGE_MODEL,), beside="torch",
    ),
    Kind(
        "gguf", ".gguf.system:GGUFModel", "FILE", "causal language model in a GGUF file, read by llama.cpp",
        "llama_cpp", "gguf", roles=(LANGUAGE_MODEL,),
    ),
    Kind(
        "openai", ".endpoints.completions:CompletionsModel", "URL#model=NAME", "a server that gives log-probabilities "
        "of prompts, examined first", roles=(LANGUAGE_MODEL,),
    ),
    Kind(
        "chat", ".endpoints.chat:Chat", "URL#model=NAME", "a chat model on a server, asked to judge sentences",
        roles=(JUDGE,),
    ),
    Kind(
        "surprisals", ".surprisal_file:SurprisalFiles", "FILE or FOLDER", "surprisals that another program wrote",
        roles=(LANGUAGE_MODEL,),
    ),
    Kind(
        "pcfg", ".pcfg.system:PCFGModel", "FILE", "PCFG, trained here or written: exact trees and surprisals", "numba",
        "pcfg", ".pcfg.training:PCFGTrainer", roles=(LANGUAGE_MODEL, PHRASE_PARSER),
    ),
    Kind(
        "chart", ".chart.system:ChartModel", "FOLDER", "neural span parser: phrase trees with functions and gaps",
        "torch", "neural", ".chart.training:ChartTrainer", roles=(PHRASE_PARSER,),
    ),
    Kind(
        "trees", ".tree_file:TreeFile", "FILE", "phrase trees that a parser wrote", roles=(PHRASE_PARSER,),
    ),
)  # fmt: skip


def _is_there(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except (ImportError, ValueError):
        return False


def kinds() -> dict[str, Kind]:
    """All kinds by name, those of other packages included; ours cannot be replaced."""
    by_name = {kind.name: kind for kind in KINDS}
    for name, value, source in plugins(GROUP):
        by_name.setdefault(name, Kind(name, value, "…", f"from {source}", roles=(), source=source))
    return by_name


def kind_of(name: str) -> tuple[Kind, str]:
    """The kind and the argument of `kind:argument`."""
    kind, colon, argument = name.partition(":")
    known = {ours.name: ours for ours in KINDS}
    if kind not in known:  # of another package, maybe: its entry points are looked through, which takes its time
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
    JUDGE: "gardenpath judge",
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
