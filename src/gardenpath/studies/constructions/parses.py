"""The trees of the systems under test, each in the scheme it was trained on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath

from ...errors import UsageError
from ...phrase.schemes.registry import SCHEMES as PHRASE_SCHEMES
from ...phrase.schemes.registry import scheme as known_scheme
from ...phrase.schemes.registry import scheme_of, title_of
from ...phrase.tree import PhraseTree
from ...suites.constructions.model import ConstructionSuite
from ...systems.entrants import Entrant
from ...systems.protocol import PARSER
from ..parsed import guarded, unbridged
from ..phrase_trees import phrase_trees_of
from ..settings import ParserSettings
from ..study import Work
from .entrants import SchemeEntrant
from .judged import lack_functions


@dataclass(frozen=True)
class ParsedSuite:
    """The trees of one system for the items of one suite, None where there is no parse, and what failed."""

    suite: ConstructionSuite
    system: str
    trees: Sequence[PhraseTree | None]
    failures: Mapping[str, int] = field(default_factory=dict)


def parsed_suites(
    entrant: Entrant, suites: Sequence[ConstructionSuite], layers: Sequence[str], work: Work
) -> Iterator[ParsedSuite]:
    """A system's trees of every suite in its scheme: the scheme that was said, or that its trees show.

    `layers` are those of gold that it may see.
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
    for suite in suites if wanted else phrases:
        if wanted and suite.scheme != wanted:
            continue
        if entrant.role == PARSER:
            yield _parsed_arcs(entrant, suite, layers, work)
            is_parsed = True
            continue
        parsed = _parsed(entrant, suite, layers, work)
        if not wanted and is_parallel:
            wanted = _shown_scheme(parsed)
            if suite.scheme != wanted:
                continue
        _check_scheme(parsed)
        if lack_functions(parsed.trees):
            work.tell(f"{entrant.name}: its trees have no functions; what needs them is not asked")
        is_parsed = True
        yield parsed
    if not is_parsed:
        todo = "name a suite in this scheme"
        scheme = f"its scheme, {wanted}" if wanted else "a scheme of phrase trees"
        raise UsageError(f"no suite is in {scheme}", where=entrant.name, todo=todo)


def _parsed(entrant: Entrant, suite: ConstructionSuite, layers: Sequence[str], work: Work) -> ParsedSuite:
    """The tree of each item's sentence; a sentence of several items is parsed once."""
    sentences = suite.trees
    answer = phrase_trees_of(entrant, sentences, tagged="tags" in layers, where=work.place)
    work.tell_notes(entrant.name, answer.notes)
    parses = {id(gold): parse for gold, parse in zip(sentences, answer.trees, strict=True)}
    return ParsedSuite(suite, entrant.name, [parses[id(item.tree)] for item in suite.items], answer.failures)


def _parsed_arcs(entrant: Entrant, suite: ConstructionSuite, layers: Sequence[str], work: Work) -> ParsedSuite:
    """The dependency tree of each item's sentence, written as phrases as gold is; None where there is none."""
    from ...phrase.dependency_phrases import from_sentence, to_treebank
    from ...systems.parsing import parse_with
    from ...systems.reconcile import MARK

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


def _shown_scheme(parsed: ParsedSuite) -> str:
    shown = scheme_of(parsed.trees)
    if shown is None:
        todo = f"write {' or '.join(f'{name}={parsed.system}' for name in PHRASE_SCHEMES)}"
        raise UsageError("its trees do not tell their scheme", where=parsed.system, todo=todo)
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
