"""The systems under test and the scheme of each: what was said before `=`, or UD of a dependency parser."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...formats import TREEBANKS, bare
from ...phrase.schemes.ud import UD
from ...suites.constructions.model import SCHEMES
from ...systems.entrants import Entrant, entrants_of, is_file_name, split_label
from ...systems.protocol import PARSER, PHRASE_PARSER
from ...systems.registry import METHODS, kind_of
from ...systems.trained import Trained
from ...treebank.treebank import Treebank


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
        roles = kind.known_roles
        return PARSER if PARSER in roles and PHRASE_PARSER not in roles else PHRASE_PARSER
    parses = hasattr(system, METHODS[PARSER]) and not hasattr(system, METHODS[PHRASE_PARSER])
    return PARSER if isinstance(system, Treebank) or parses else PHRASE_PARSER
