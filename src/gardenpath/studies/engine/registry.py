"""The studies by the name of their command, and which of them a source is for."""

from __future__ import annotations

from functools import cache
from os import PathLike
from typing import Any, NamedTuple

from ...plugins import declared, loaded
from .declaration import Measure, Notes, StudyCommand


class Registered(NamedTuple):
    """Where a study says how it is called, and what `gardenpath --help` says of it."""

    target: str
    """`module:NAME` below this package."""
    about: str
    listed: bool = True
    """Is it a command?"""


STUDIES = {
    "evaluate": Registered("evaluation.declaration:COMMAND", "Score parsers against gold trees."),
    "roles": Registered("roles.declaration:COMMAND", "Find subjects and objects, whatever the word order."),
    "constructions": Registered("constructions.declaration:COMMAND", "Judge hard constructions and classify errors."),
    "surprisal": Registered("surprisal.declaration:COMMAND", "Compare a language model's expectations with grammar."),
    "joint": Registered("joint.declaration:COMMAND", "Test a parser and a language model on the same items."),
    "consistency": Registered("consistency.declaration:COMMAND", "Change something irrelevant, and compare the trees."),
    "consistency remedies": Registered("consistency.declaration:REMEDIES", "Retrain a parser against inconsistency."),
    "displacement": Registered("displacement.declaration:COMMAND", "Measure the distance from training to test data."),
    "displacement experiment": Registered(
        "displacement.declaration:EXPERIMENT", "Train on easy, hard and random splits."
    ),
    "logs": Registered("logs.declaration:COMMAND", "Logs of other harnesses, read as runs.", False),
}
"""A name of two words is a command of a group."""


UNREPEATABLE = "unrepeatable"
_UNREPEATABLE = Measure(
    "not repeatable", "sentences of a sample whose output changes when they are queried again unchanged, %", "less"
)
CONTAMINATED = "in_training"
_CONTAMINATED = Measure(
    "trained on", "test sentences that are in the training data of the system, word for word, %", "less"
)
GROUP = "gardenpath.studies"
"""The group of entry points: `name = "package.module:COMMAND"`, a `StudyCommand`."""


def added_studies() -> dict[str, StudyCommand]:
    """Return the studies that other packages declare, by name; a built-in one cannot be replaced."""
    return {name: study for name, study in declared(GROUP, StudyCommand).items() if name not in STUDIES}


def study_names() -> list[str]:
    """Return the names of all studies, those of other packages included."""
    return [*STUDIES, *added_studies()]


def study_groups() -> dict[str, str]:
    """Return the commands of built-in studies with what is said of them; of a group, what is said of its first."""
    groups: dict[str, str] = {}
    for name, study in STUDIES.items():
        if study.listed:
            groups.setdefault(name.split()[0], study.about)
    return groups


def study_command(name: str) -> StudyCommand:
    """Return the declaration of the study of this name."""
    if name in STUDIES:
        command: StudyCommand = loaded(f"gardenpath.studies.{STUDIES[name].target}")
        return command
    return added_studies()[name]


@cache
def _all_notes(names: tuple[str, ...]) -> dict[str, Notes]:
    forms = [form for name in names for form in study_command(name).forms.values()]
    return {form.notes.study: form.notes for form in forms}


def all_notes() -> dict[str, Notes]:
    """Return what readers need beside the numbers, by the name of the study in findings."""
    return _all_notes(tuple(study_names()))


def all_measures() -> dict[str, Measure]:
    """Return the measures that studies define, by their name in findings, and the one that the engine adds."""
    defined = {name: measure for notes in all_notes().values() for name, measure in notes.measures.items()}
    return defined | {UNREPEATABLE: _UNREPEATABLE, CONTAMINATED: _CONTAMINATED}


def study_of(source: Any) -> str:
    """The command for a source, named or held: `constructions`, `surprisal`, `roles` or, of other trees, `evaluate`.

    >>> study_of("bundled:de-roles"), study_of("bundled:de-test")
    ('roles', 'evaluate')
    """
    from ...data.store import local
    from ...errors import InputError
    from ...phrase.formats.sniffing import holds_phrases
    from ...suites.constructions.model import ConstructionSuite
    from ...suites.constructions.storage import is_constructions
    from ...suites.regions.model import RegionSuite
    from ...suites.regions.reader import holds_regions, is_frame
    from ...suites.roles.model import RoleSuite
    from ...suites.roles.reader import read_suite

    if not isinstance(source, str | PathLike):
        if isinstance(source, RegionSuite) or is_frame(source):
            return "surprisal"
        kinds = {ConstructionSuite: "constructions", RoleSuite: "roles"}
        return kinds.get(type(source), "evaluate")
    place = local(str(source))
    if is_constructions(place):
        return "constructions"
    if holds_regions(place):
        return "surprisal"
    if holds_phrases(place):
        return "evaluate"
    try:
        read_suite(place)
    except InputError:
        return "evaluate"
    return "roles"
