"""All studies by the name of their command; a study is its package and a line here."""

from __future__ import annotations

from importlib import import_module
from typing import NamedTuple

from .command import StudyCommand


class Registered(NamedTuple):
    """Where a study says how it is called, and what `gardenpath --help` says of it."""

    target: str
    """`module:NAME` below this package."""
    about: str


STUDIES = {
    "evaluate": Registered("evaluation.command:COMMAND", "Score parsers against gold trees, and see where errors are."),
    "roles": Registered("roles.command:COMMAND", "Does a parser find subject and object, whatever the order?"),
    "constructions": Registered("constructions.command:COMMAND", "Does a parser get the hard constructions?"),
    "displacement pair": Registered("displacement.command:PAIR", "How far is test from training data?"),
    "displacement collection": Registered("displacement.command:COLLECTION", "Does that explain parsers' scores?"),
    "displacement experiment": Registered("displacement.command:EXPERIMENT", "The best and the worst honest split."),
    "consistency test": Registered("consistency.command:TEST", "Does an irrelevant change change the tree?"),
    "consistency remedies": Registered("consistency.command:REMEDIES", "Does other training data help?"),
    "surprisal": Registered("surprisal.command:COMMAND", "Does a language model expect what the grammar demands?"),
    "joint": Registered("joint.command:COMMAND", "Does a parser err where a language model is surprised?"),
    "logs": Registered("logs.command:COMMAND", "Read what other harnesses logged, sample by sample, as a run."),
    "judge": Registered("judgement.command:COMMAND", "Does a chat model take the good sentence of a pair?"),
}
"""A name of two words is a command of a group."""


def study_groups() -> dict[str, str]:
    """Commands with what is said of them; of a group, what is said of its first."""
    groups: dict[str, str] = {}
    for name, study in STUDIES.items():
        groups.setdefault(name.split()[0], study.about)
    return groups


def study_command(name: str) -> StudyCommand:
    """How the study of this name is called."""
    module, _, constant = STUDIES[name].target.partition(":")
    command: StudyCommand = getattr(import_module(f".{module}", __package__), constant)
    return command
