"""The phrase trees of the systems under test, each in the scheme it was trained on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import Any

from ...errors import UsageError
from ...phrase.schemes.registry import scheme_of, title_of
from ...phrase.tree import PhraseTree
from ...suites.constructions.model import SCHEMES, ConstructionSuite
from ...systems.entrants import Entrant, entrants_of, split_label
from ...systems.protocol import PHRASE_PARSER
from ..phrase_trees import phrase_trees_of
from ..study import Work
from .judged import lack_functions


@dataclass(frozen=True)
class ParsedSuite:
    """The trees of one system for the items of one suite, None where there is no parse, and what failed."""

    suite: ConstructionSuite
    system: str
    trees: Sequence[PhraseTree | None]
    failures: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class SchemeEntrant(Entrant):
    """A system whose label is a scheme: it is judged on suites in that scheme alone, and signed with it."""

    @property
    def signature(self) -> str:
        return f"scheme:{self.label}|{super().signature}"


def scheme_entrants(systems: Any) -> list[Entrant]:
    """The systems; `tiger=SYSTEM` is one of that scheme, shown by its own name where no other has it."""
    listed = [systems] if isinstance(systems, str | Path) else systems
    if isinstance(listed, list | tuple):
        entrants = [entrant for system in listed for entrant in _labelled(system)]
    else:
        entrants = [_of_scheme(entrant, entrant.label) for entrant in entrants_of(listed, PHRASE_PARSER)]
    names = [entrant.name for entrant in entrants]
    told_apart = [
        SchemeEntrant(f"{entrant.label}={entrant.name}", entrant.role, entrant.given, entrant.label)
        if isinstance(entrant, SchemeEntrant) and names.count(entrant.name) > 1
        else entrant
        for entrant in entrants
    ]
    return entrants_of(told_apart, PHRASE_PARSER)


def _labelled(system: Any) -> list[Entrant]:
    label, text = split_label(system) if isinstance(system, str) else ("", system)
    if label not in SCHEMES:
        return [_of_scheme(entrant, entrant.label) for entrant in entrants_of([system], PHRASE_PARSER)]
    return [_of_scheme(entrant, label) for entrant in entrants_of([text], PHRASE_PARSER)]


def _of_scheme(entrant: Entrant, label: str) -> Entrant:
    return SchemeEntrant(entrant.name, entrant.role, entrant.given, label) if label in SCHEMES else entrant


def parsed_suites(entrant: Entrant, suites: Sequence[ConstructionSuite], work: Work) -> Iterator[ParsedSuite]:
    """A system's trees of every suite in its scheme: the scheme that was said, or that its trees show."""
    wanted = entrant.label if isinstance(entrant, SchemeEntrant) else ""
    if wanted and all(suite.scheme != wanted for suite in suites):
        raise UsageError(f"no suite is in the scheme {wanted}", where=entrant.name, todo="leave out the scheme")
    is_parallel = len({suite.scheme for suite in suites}) > 1
    is_parsed = False
    for suite in suites:
        if wanted and suite.scheme != wanted:
            continue
        parsed = _parsed(entrant, suite, work)
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
        raise UsageError(f"no suite is in its scheme, {wanted}", where=entrant.name, todo=todo)


def _parsed(entrant: Entrant, suite: ConstructionSuite, work: Work) -> ParsedSuite:
    """The tree of each item's sentence; a sentence of several items is parsed once."""
    sentences = list({id(item.tree): item.tree for item in suite.items}.values())
    answer = phrase_trees_of(entrant, sentences, where=work.place)
    for note in answer.notes:
        work.tell(f"{entrant.name}: {note}")
    parses = {id(gold): parse for gold, parse in zip(sentences, answer.trees, strict=True)}
    return ParsedSuite(suite, entrant.name, [parses[id(item.tree)] for item in suite.items], answer.failures)


def _shown_scheme(parsed: ParsedSuite) -> str:
    shown = scheme_of(parsed.trees)
    if shown is None:
        todo = f"write {' or '.join(f'{name}={parsed.system}' for name in SCHEMES)}"
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
