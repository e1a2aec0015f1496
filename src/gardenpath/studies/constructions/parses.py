"""The systems under test, the scheme of each, and their trees."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePath
from typing import Any

from ...errors import UsageError
from ...formats import TREEBANKS, bare
from ...phrase.edits.gaps import AUTO, form_of
from ...phrase.schemes.model import UD
from ...phrase.schemes.registry import SCHEMES as PHRASE_SCHEMES
from ...phrase.schemes.registry import scheme as known_scheme
from ...phrase.schemes.registry import scheme_of, title_of
from ...phrase.tree import PhraseTree
from ...suites.constructions.model import SCHEMES, ConstructionSuite
from ...systems.asking.entrants import Entrant, Trained, entrants_of, is_file_name, split_label
from ...systems.asking.protocol import PARSER, PHRASE_PARSER
from ...systems.asking.registry import METHODS, kind_of
from ...treebank.format.treebank import Treebank
from ..engine.declaration import ParserSettings
from ..engine.parsers import guarded, unbridged
from ..engine.phrase_trees import phrase_trees_of
from ..engine.study import Work
from .judging import lack_functions


@dataclass(frozen=True)
class SchemeEntrant(Entrant):
    """A system whose label is a scheme: it is judged on suites in that scheme alone, and signed with it."""

    @property
    def signature(self) -> str:
        return f"scheme:{self.label}|{super().signature}"


def scheme_entrants(systems: Any) -> list[Entrant]:
    """The systems; `tiger=SYSTEM` is one of that scheme, shown by its own name where no other has it."""
    if isinstance(systems, Mapping):
        entrants = [entrant for name, system in systems.items() for entrant in _named(str(name), system)]
    else:
        listed = systems if isinstance(systems, list | tuple) else [systems]
        entrants = [entrant for system in listed for entrant in _labelled(system)]
    names = [entrant.name for entrant in entrants]
    told_apart = [
        SchemeEntrant(f"{entrant.label}={entrant.name}", entrant.role, entrant.given, entrant.label)
        if isinstance(entrant, SchemeEntrant) and names.count(entrant.name) > 1
        else entrant
        for entrant in entrants
    ]
    return entrants_of(told_apart, PHRASE_PARSER)


def _named(name: str, system: Any) -> list[Entrant]:
    role = _role(system, name)
    return [_of_scheme(entrant, name) for entrant in entrants_of({name: system}, role)]


def _labelled(system: Any) -> list[Entrant]:
    label, text = split_label(system) if isinstance(system, str) else ("", system)
    role = _role(text, label)
    return [
        _of_scheme(entrant, label or entrant.label)
        for entrant in entrants_of([text if label in SCHEMES else system], role)
    ]


def _of_scheme(entrant: Entrant, label: str) -> Entrant:
    """A dependency parser is one of UD, whatever it is called."""
    scheme = label if label in SCHEMES else UD.name if entrant.role == PARSER else ""
    return SchemeEntrant(entrant.name, entrant.role, entrant.given, scheme) if scheme else entrant


def _role(system: Any, label: str) -> str:
    """Does it parse into dependencies or phrases? What does both is a phrase parser, unless it is called `ud`."""
    if label in SCHEMES:
        return PARSER if label == UD.name else PHRASE_PARSER
    if isinstance(system, Entrant):
        return system.role
    if isinstance(system, Trained):
        system = system.system
    if isinstance(system, str | Path):
        name = str(system)
        if is_file_name(name):
            return PARSER if TREEBANKS.by_suffix(bare(name)) == "conllu" else PHRASE_PARSER
        kind, argument = kind_of(name)
        if kind.name == "command":
            return PHRASE_PARSER if argument.partition(" ")[0] == "trees" else PARSER
        roles = kind.roles
        return PARSER if PARSER in roles and PHRASE_PARSER not in roles else PHRASE_PARSER
    parses = hasattr(system, METHODS[PARSER]) and not hasattr(system, METHODS[PHRASE_PARSER])
    return PARSER if isinstance(system, Treebank) or parses else PHRASE_PARSER


@dataclass(frozen=True)
class ParsedSuite:
    """The trees of one system for the items of one suite, None where there is no parse, and what failed."""

    suite: ConstructionSuite
    system: str
    trees: Sequence[PhraseTree | None]
    failures: Mapping[str, int] = field(default_factory=dict)
    form: str = "discontinuous"
    """How the trees show gaps."""


def parsed_suites(
    entrant: Entrant, suites: Sequence[ConstructionSuite], layers: Sequence[str], form: str, work: Work
) -> Iterator[ParsedSuite]:
    """A system's trees of every suite in its scheme: the scheme that was said, or that its trees show.

    `layers` are those of gold that it may see; `form` is how its trees show gaps, or `auto`.
    """
    if entrant.role != PARSER and (more := [layer for layer in layers if layer != "tags"]):
        todo = "take --gold tags, or a dependency parser"
        raise UsageError(f"a phrase parser cannot be given {' or '.join(more)}", where=entrant.name, todo=todo)
    wanted = entrant.label if isinstance(entrant, SchemeEntrant) else ""
    if wanted and all(suite.scheme != wanted for suite in suites):
        there = " and ".join(dict.fromkeys(title_of(suite.scheme) for suite in suites))
        todo = f"leave out the scheme, or name a suite that has it; here is {there}"
        raise UsageError(f"no suite is in the scheme {wanted}", where=entrant.name, todo=todo)
    phrases = [suite for suite in suites if not known_scheme(suite.scheme).arcs]
    is_parallel = len({suite.scheme for suite in phrases}) > 1
    is_parsed = False
    if is_parallel and not wanted and (trees := getattr(entrant.system, "stored_trees", None)):
        wanted = _shown_scheme(trees, entrant.name)
    for suite in suites if wanted else phrases:
        if wanted and suite.scheme != wanted:
            continue
        if entrant.role == PARSER:
            yield _parsed_arcs(entrant, suite, layers, work)
            is_parsed = True
            continue
        parsed = _parsed(entrant, suite, layers, work)
        if not wanted and is_parallel:
            wanted = _shown_scheme(parsed.trees, parsed.system)
            if suite.scheme != wanted:
                continue
        _check_scheme(parsed)
        if lack_functions(parsed.trees):
            work.tell(f"{entrant.name}: its trees have no functions; what needs them is not asked")
        is_parsed = True
        yield _with_form(parsed, form, work)
    if not is_parsed:
        todo = "name a suite in this scheme"
        scheme = f"its scheme, {wanted}" if wanted else "a scheme of phrase trees"
        raise UsageError(f"no suite is in {scheme}", where=entrant.name, todo=todo)


def _parsed(entrant: Entrant, suite: ConstructionSuite, layers: Sequence[str], work: Work) -> ParsedSuite:
    """The tree of each item's sentence; a sentence of several items is parsed once."""
    sentences = suite.trees
    answer = phrase_trees_of(entrant.system, sentences, tagged="tags" in layers, where=work.place)
    work.tell_notes(entrant.name, answer.notes)
    parses = {id(gold): parse for gold, parse in zip(sentences, answer.trees, strict=True)}
    return ParsedSuite(suite, entrant.name, [parses[id(item.tree)] for item in suite.items], answer.failures)


def _with_form(parsed: ParsedSuite, asked: str, work: Work) -> ParsedSuite:
    """The same with the form of its trees, which is told if it was not asked for."""
    suite = parsed.suite
    try:
        form = form_of(parsed.trees, suite.trees, known_scheme(suite.scheme), asked)
    except UsageError as error:
        raise UsageError(error.what, where=parsed.system, todo=error.todo) from None
    if asked == AUTO and form != parsed.form:
        work.tell(f"{parsed.system}: its trees are judged in the form {form} (--set form)")
    return replace(parsed, form=form)


def _parsed_arcs(entrant: Entrant, suite: ConstructionSuite, layers: Sequence[str], work: Work) -> ParsedSuite:
    """The dependency tree of each item's sentence, written as phrases as gold is; None where there is none."""
    from ...phrase.dependencies import from_sentence, to_treebank
    from ...systems.asking.matching import MARK
    from ...systems.parsers.parsing import parse_with

    sentences = suite.trees
    gold = to_treebank(sentences, name=suite.name)
    result = parse_with(entrant.system, gold, gold=layers, where=work.place)
    work.tell_notes(entrant.name, result.notes)
    foreign = guarded(entrant.name, gold, result.treebank, ParserSettings(), work)
    parses = {
        id(tree): None if MARK in sentence.metadata or not sentence.is_tree else from_sentence(sentence)
        for tree, sentence in zip(sentences, result.treebank, strict=True)
    }
    failures = {**result.failures, **result.repairs, **foreign, **unbridged(entrant, result.treebank, work)}
    return ParsedSuite(suite, entrant.name, [parses[id(item.tree)] for item in suite.items], failures)


def _shown_scheme(trees: Sequence[PhraseTree | None], system: str) -> str:
    shown = scheme_of(trees)
    if shown is None:
        todo = f"write {' or '.join(f'{name}={system}' for name in PHRASE_SCHEMES)}"
        raise UsageError("its trees do not tell their scheme", where=system, todo=todo)
    return shown.name


def _check_scheme(parsed: ParsedSuite) -> None:
    """An error for trees of one scheme that would be judged by gold of another."""
    shown, suite = scheme_of(parsed.trees), parsed.suite
    if shown is not None and shown.name != suite.scheme:
        raise UsageError(
            f"these trees are in the scheme of {shown.title}, and the suite {PurePath(suite.name).name} is in that of "
            f"{title_of(suite.scheme)}",
            where=parsed.system,
            todo=f"take a suite in the scheme {shown.name}, or a parallel one",
        )
