"""The systems under test: a name, one or several seeds of a model behind it, and the files they are read from."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePath
from typing import Any

from ...errors import UsageError
from ...runs.record.signatures import digest, signature
from ...treebank.format.treebank import Treebank
from ..files.models import at_step, seeds_of, systems_by_step
from .protocol import LANGUAGE_MODEL, PARSER, PHRASE_PARSER, System
from .registry import METHODS, kind_of, kinds, made
from .repeatability import MARK, UNKNOWN, Repeatability, repeatability_of


@dataclass(frozen=True)
class Trained:
    """A model on the disk, its name as a system, and its card; of several seeds, the folder of their models.

    It stands wherever the name of a system does: `gp.evaluate(gold, trained)`.
    """

    path: Path
    system: str
    card: Mapping[str, Any] = field(repr=False)
    """How it was made; a folder of several seeds has none, its models do."""
    seeds: tuple[Trained, ...] = ()
    """The model of each seed, where several were asked for."""


FILE_KINDS = {PARSER: "conllu", PHRASE_PARSER: "trees", LANGUAGE_MODEL: "surprisals"}
"""The kind of a system that is named by a file alone, by role."""
_COMMA = re.compile(r",(?![^{}]*\})")
_DATA = ("bundled", "ud")
"""Data by name looks like a kind of system, and is a file."""


@dataclass(frozen=True)
class Entrant:
    """One system under test. A model that was trained with several seeds has a member for each."""

    name: str
    """As tables show it."""
    role: str
    given: tuple[Any, ...]
    """Names (`kind:argument`) or objects, one for each seed."""
    label: str = ""
    """What stood before `=`."""
    axis: str = ""
    """The system of which this is one checkpoint, as tables show it."""
    step: int | None = None
    """The step of the checkpoint."""
    whole: str = ""
    """The name with an axis, such as lstm:news@all, that this is one checkpoint of."""
    _made: dict[int, System] = field(default_factory=dict, compare=False, repr=False)

    def __len__(self) -> int:
        return len(self.given)

    @property
    def members(self) -> list[System]:
        """The systems themselves, made when they are first asked for."""
        for number, system in enumerate(self.given):
            if number not in self._made:
                self._made[number] = made(system, self.role) if isinstance(system, str) else system
        return [self._made[number] for number in range(len(self.given))]

    @property
    def system(self) -> Any:
        """The one system; several seeds are refused where a study does not know what to do with them."""
        if len(self.given) > 1:
            todo = "name each of them as a system of its own"
            raise UsageError(f"{len(self.given)} seeds of a {self.role}", where=self.name, todo=todo)
        return self.members[0]

    @property
    def signature(self) -> str:
        """What decides the answers: the signatures of all members."""
        return "+".join(member.signature for member in self.members)

    @property
    def repeatability(self) -> Repeatability:
        """What is known of all members that were made, once they were queried."""
        return sum(map(repeatability_of, self._made.values()), UNKNOWN)

    @property
    def known_by_answers(self) -> bool:
        """Does only what it answers tell it from others, as with a function of Python?"""
        return any(getattr(member, "known_by_answers", False) for member in self.members)

    @property
    def files(self) -> list[str]:
        """Files whose content is the answer; a model is known by its signature."""
        return [str(file) for member in self.members for file in getattr(member, "answer_files", ())]


def only_system(system: Any, role: str) -> Any:
    """The first system that was named or given, where only one is asked for."""
    entrants = entrants_of(system, role)
    if not entrants:
        raise UsageError("no system is named", todo="give a name, a path or an object")
    return entrants[0].system


def entrants_of(systems: Any, role: str) -> list[Entrant]:
    """The systems that were named or given: one or many, names, paths, objects, or a mapping of names to these.

    A mapping of steps to them, in such a mapping, is a system with an axis: the checkpoints of a model.

    >>> [entrant.name for entrant in entrants_of(["baseline:right-branching"], "parser")]
    ['baseline:right-branching']
    """
    plays_a_role = any(hasattr(systems, method) for method in METHODS.values())
    if isinstance(systems, Mapping):
        given = [(str(name), system) for name, system in systems.items()]
    elif isinstance(systems, str | Path | Treebank | Entrant | Trained) or callable(systems) or plays_a_role:
        given = [("", systems)]
    elif isinstance(systems, Iterable):
        given = [("", system) for system in systems]
    else:
        what = f"{type(systems).__name__} is not a system"
        raise UsageError(what, todo="give names, paths, a trained model, or objects and functions that parse or score")
    by_argument = [_entrants(label, system, role) for label, system in given]
    entrants = _told_apart([entrant for members in by_argument for entrant in members])
    names = [entrant.name for entrant in entrants]
    names += [
        members[0].axis
        for (_, system), members in zip(given, by_argument, strict=True)
        if members[0].axis and not isinstance(system, Entrant)
    ]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        todo = "name each system once, or several seeds as NAME=A,B"
        raise UsageError(f"named twice: {', '.join(twice)}", todo=todo)
    return entrants


def _entrants(label: str, system: Any, role: str) -> list[Entrant]:
    """What one argument stands for: a system, or one with an axis: an entrant for each checkpoint."""
    if isinstance(system, Mapping):
        if not system or not all(isinstance(step, int) and step >= 0 for step in system):
            todo = 'write them as {"NAME": {1: model, 2: model}}'
            raise UsageError("checkpoints are known by their steps", todo=todo)
        return [
            replace(_entrant(f"{label}@{step}", system[step], role), axis=label, step=step) for step in sorted(system)
        ]
    if isinstance(system, Trained):
        system = system.system
    if isinstance(system, Path):
        system = str(system)
    if not isinstance(system, str):
        return [_entrant(label, system, role)]
    own, text = (label, system) if label else split_label(system)
    parts = _parts(text)
    by_step = [systems_by_step(part) for part in parts]
    if not any(by_step):
        members = [_system_name(member, role) for part in parts for member in seeds_of(part)]
        return [Entrant(own or text, role, tuple(members), own)]
    if len(set(map(tuple, by_step))) > 1:
        todo = "name the same steps of each"
        raise UsageError("the models of one system have different checkpoints", where=system, todo=todo)
    return [
        Entrant(
            f"{own}@{step}" if own else at_step(text, step), role,
            tuple(member for of_part in by_step for member in of_part[step]), own, own or text, step, text,
        )
        for step in by_step[0]
    ]  # fmt: skip


def _entrant(label: str, system: Any, role: str) -> Entrant:
    if isinstance(system, Entrant):
        return system
    if isinstance(system, list | tuple) and not _are_trees(system):
        return Entrant(label, role, tuple(_member(member, role) for member in system), label)
    return Entrant(label or _name_of(system), role, (_member(system, role),), label)


def system_signatures(entrants: Sequence[Entrant]) -> list[str]:
    """The signature of each system; the checkpoints of one have one, of all of them.

    One that was found not to be repeatable is marked.
    """
    of_axis: dict[str, list[Entrant]] = {}
    for entrant in entrants:
        of_axis.setdefault(entrant.axis or f"\0{entrant.name}", []).append(entrant)
    signatures = []
    for members in of_axis.values():
        own = members[0].signature
        if members[0].axis:
            own = signature(
                ("steps", ",".join(str(entrant.step) for entrant in members)),
                ("models", digest(*(entrant.signature for entrant in members))[:12]),
            )
        is_marked = any(entrant.repeatability.changed for entrant in members)
        signatures.append(f"{own}|{MARK}" if is_marked else own)
    return signatures


def split_label(text: str) -> tuple[str, str]:
    """`NAME=SYSTEM` as its two parts; a name has no colon, slash or comma in it."""
    label, equals, rest = text.partition("=")
    is_label = bool(equals and label and rest) and not any(char in label for char in ":/\\,")
    return (label, rest) if is_label and not Path(text).exists() else ("", text)


def _parts(text: str) -> list[str]:
    """`kind:A,kind:B` as the two of them; a comma in braces is between steps."""
    cut = [part for part in _COMMA.split(text) if part]
    several = len(cut) > 1 and all(part.partition(":")[0] in kinds() for part in cut)
    return cut if several else [text]


def _system_name(text: str, role: str) -> str:
    """`kind:argument`; a file alone is of the kind that reads files for this role."""
    return f"{FILE_KINDS[role]}:{text}" if role in FILE_KINDS and is_file_name(text) else text


def role_of_name(text: str, roles: Sequence[str]) -> str:
    """Which of these roles a system plays that is named on the command line; the first where it plays none of them.

    >>> role_of_name("GPT=hf:gpt2", ["parser", "language model"])
    'language model'
    """
    name = _parts(split_label(text)[1])[0]
    if is_file_name(name):
        todo = f"write {' or '.join(f'{FILE_KINDS[role]}:{name}' for role in roles)}"
        raise UsageError("a file alone does not say what wrote it", where=text, todo=todo)
    known = kind_of(name)[0].roles
    return next((role for role in roles if role in known), roles[0])


def is_file_name(text: str) -> bool:
    """Does this name a file (or data by name), and not a system of a kind?"""
    kind, colon, _ = text.partition(":")
    return not colon or kind in _DATA or Path(text).exists() or (len(kind) == 1 and kind.isalpha())


def is_system_name(text: str) -> bool:
    """Is this the name of a system (`kind:…`, `NAME=kind:…`), and not that of a file?"""
    return not is_file_name(split_label(text)[1])


def _member(system: Any, role: str) -> Any:
    """A name, or an object that plays the role: as it is, or behind an adapter."""
    if isinstance(system, Trained):
        return system.system
    if isinstance(system, str | Path):
        return _system_name(str(system), role)
    if hasattr(system, METHODS[role]) and hasattr(system, "signature"):
        return system
    from .objects import adapted

    return adapted(system, role)


def _are_trees(system: Sequence[Any]) -> bool:
    """Are these phrase trees, and not the seeds of a model?"""
    from ...phrase.tree import PhraseTree

    return bool(system) and all(tree is None or isinstance(tree, PhraseTree) for tree in system)


def _name_of(system: Any) -> str:
    if isinstance(system, Treebank):
        return PurePath(system.name).name or "trees"
    if isinstance(system, list | tuple):
        return "trees"
    return str(getattr(system, "name", "") or getattr(system, "__name__", "") or type(system).__name__)


def _told_apart(entrants: Sequence[Entrant]) -> list[Entrant]:
    """Objects of one name get numbers; names that a person gave twice are an error of theirs."""
    seen: dict[str, int] = {}
    numbered = []
    for entrant in entrants:
        seen[entrant.name] = seen.get(entrant.name, 0) + 1
        is_object = not entrant.label and not isinstance(entrant.given[0], str)
        if is_object and seen[entrant.name] > 1:
            entrant = Entrant(f"{entrant.name} {seen[entrant.name]}", entrant.role, entrant.given)
        numbered.append(entrant)
    return numbered
