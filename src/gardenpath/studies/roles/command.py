"""`gardenpath roles`: on a suite, or with --treebank on the clauses of a treebank."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..command import Call, Form, StudyCommand
from .settings import RolesSettings, WordOrderSettings


def divide(arguments: list[str], options: Mapping[str, Any]) -> Call:
    """A suite and systems; with --treebank, systems alone."""
    from ...errors import UsageError
    from ..baseline import with_baseline

    if options["treebank"]:
        return Call("treebank", options["treebank"], arguments)
    if not arguments:
        raise UsageError("no suite is named", todo="gardenpath roles SUITE SYSTEM..., or --treebank GOLD")
    suite, *systems = arguments
    return Call("suite", suite, with_baseline(systems, options["baseline"]))


COMMAND = StudyCommand(
    name="roles",
    about="Does a parser find subject and object, and which order or property of the sentence makes it fail?",
    arguments="SUITE SYSTEM...",
    arguments_help="A suite (SORTS or PPATS, CoNLL or TSV), then parsed files or parsers, also as NAME=SYSTEM; with "
    "--treebank, systems only.",
    forms={
        "suite": Form("roles.study:ROLES", RolesSettings, "suites"),
        "treebank": Form("roles.word_order:WORD_ORDER", WordOrderSettings, "treebanks"),
    },
    divide=divide,
    examples=(
        "gardenpath roles suite.conll parsed.conllu --baseline baseline:subject-first --by order,pairs",
        "gardenpath roles --treebank gold.conllu udpipe:de.udpipe",
    ),
)
