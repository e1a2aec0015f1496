"""`gardenpath constructions`: on suites, or with --scheme on a gold treebank."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...suites.constructions.model import SCHEMES
from ..command import Call, Form, StudyCommand
from .settings import ConstructionsSettings


def divide(arguments: list[str], options: Mapping[str, Any]) -> Call:
    """What holds a suite is one, wherever it stands; with --scheme the first argument is a treebank."""
    from ...errors import UsageError
    from .source import is_suite

    if options["scheme"] and arguments:
        return Call("", arguments[0], arguments[1:])
    suites = [argument for argument in arguments if is_suite(argument)]
    if not suites:
        todo = "name the folder of a suite (gardenpath constructions find makes suites), or a treebank with --scheme"
        raise UsageError("no suite of constructions is named", where="".join(arguments[:1]), todo=todo)
    return Call("", suites, [argument for argument in arguments if argument not in suites])


COMMAND = StudyCommand(
    name="constructions",
    about="Does a parser get the hard constructions, and what kind of error does it make?",
    arguments="SUITE... SYSTEM...",
    arguments_help="Suites (folders, or bundled:de-constructions; with --scheme a treebank), then phrase parsers, "
    "dependency parsers or files of parsed trees, also as NAME=SYSTEM; "
    f"{', '.join(f'{name}=SYSTEM' for name in SCHEMES)} say which scheme a system is of. The first is the baseline.",
    forms={"": Form("constructions.study:CONSTRUCTIONS", ConstructionsSettings)},
    divide=divide,
    examples=(
        "gardenpath constructions suite trees:parsed.export --examples wrong:erc",
        "gardenpath constructions bundled:de-constructions tiger=pcfg:tiger.npz udpipe:de.udpipe",
    ),
)
