"""`gardenpath evaluate`: of dependency trees, or of phrase trees where gold holds these."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..brackets.settings import BracketSettings
from ..command import Call, Form, StudyCommand
from .settings import EvaluationSettings


def divide(arguments: list[str], options: Mapping[str, Any]) -> Call:
    """The first argument is gold, and what it holds decides what is scored."""
    from ...errors import UsageError
    from ...phrase.sniffing import holds_phrases
    from ..baseline import with_baseline

    if not arguments:
        raise UsageError("no gold treebank is named", todo="gardenpath evaluate GOLD SYSTEM...")
    gold, *systems = arguments
    phrases = holds_phrases(gold) or (gold == "-" and bool(options.get("scheme")))
    return Call("phrases" if phrases else "dependencies", gold, with_baseline(systems, options["baseline"]))


COMMAND = StudyCommand(
    name="evaluate",
    about="""Score parsers against gold trees: metrics with intervals, and where the errors are.

    Dependency trees: those of the CoNLL 2018 shared task. Phrase trees (export, TIGER-XML, brackets, …): PARSEVAL,
    leaf-ancestor, and UAS and LAS by heads.""",
    arguments="GOLD SYSTEM...",
    arguments_help="Gold treebank, of dependencies or of phrases (a file, folder, glob or -), then parsed files, or "
    "parsers such as udpipe:MODEL or NAME=SYSTEM.",
    forms={
        "dependencies": Form("evaluation.study:EVALUATION", EvaluationSettings, "dependency trees"),
        "phrases": Form("brackets.study:BRACKETS", BracketSettings, "phrase trees"),
    },
    divide=divide,
    examples=(
        "gardenpath evaluate gold.conllu udpipe:de.udpipe other.conllu --by label --examples nsubj:obj",
        "gardenpath evaluate gold.export trees:parsed.export --scheme tiger --max-length 40",
    ),
)
