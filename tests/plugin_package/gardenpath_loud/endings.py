"""The study `endings`: are the last words of a sentence attached as in gold? What it declares, and how it judges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from gardenpath.runs import Finding, Observations, Result, with_hash
from gardenpath.stats import Clusters, share
from gardenpath.studies import (
    Form,
    Kept,
    Measure,
    Notes,
    ParsedSystems,
    ParserSettings,
    PythonFunction,
    Study,
    StudyCommand,
    Work,
    ask_parsers,
    failures_of,
    first_is_source,
    kept_trees,
    option,
    source_and_systems,
)
from gardenpath.systems import PARSER, Entrant
from gardenpath.treebank import Treebank, paths, read


@dataclass(frozen=True, kw_only=True)
class EndingSettings(ParserSettings):
    """Of `gardenpath endings`."""

    last: int = option(1, "How many words of each sentence are judged, from the end.", least=1)


@dataclass(frozen=True)
class JudgedEndings:
    """Gold, the trees of all systems, and for each whether a word has its head: by system, sentence and word."""

    gold: Treebank
    parsed: ParsedSystems
    right: Mapping[str, list[list[bool]]]


class Endings(Study[EndingSettings, Treebank, ParsedSystems, JudgedEndings]):
    """Are the last words of a sentence attached as in gold?"""

    name = "endings"
    settings = EndingSettings
    role = PARSER
    measures = ("attached",)
    unit = "word"

    def files(self, source: Any, settings: EndingSettings) -> list[str]:
        return [] if isinstance(source, Treebank) else paths(source)

    def read(self, source: Any, settings: EndingSettings) -> Treebank:
        return source if isinstance(source, Treebank) else read(source)

    def facts(self, material: Treebank, settings: EndingSettings) -> list[tuple[str, object]]:
        return [("gold", with_hash(material.name, material.to_bytes())), ("sentences", len(material))]

    def clusters(self, material: Treebank, settings: EndingSettings) -> Clusters:
        return Clusters.independent(len(material), "sentence")

    def ask(
        self, material: Treebank, entrants: Sequence[Entrant], settings: EndingSettings, work: Work
    ) -> ParsedSystems:
        return ask_parsers(material, entrants, settings, work)

    def judge(self, material: Treebank, answers: ParsedSystems, settings: EndingSettings) -> JudgedEndings:
        right = {}
        for system, parsed in answers.items():
            right[system] = [
                [
                    word.head == own.head
                    for word, own in zip(gold.words[-settings.last :], tree.words[-settings.last :], strict=True)
                ]
                for gold, tree in zip(material, parsed.treebank, strict=True)
            ]
        return JudgedEndings(material, answers, right)

    def findings(self, judged: JudgedEndings, settings: EndingSettings) -> Result:
        findings = []
        for system, right in judged.right.items():
            findings.append(self._share(judged, system, right, {}))
            for place in range(1, settings.last + 1):
                there = [sentence[-place:][:1] if len(sentence) >= place else [] for sentence in right]
                findings.append(self._share(judged, system, there, {"place": f"{place} from the end"}))
        return Result(findings=findings, failures=failures_of(judged.parsed))

    def _share(
        self, judged: JudgedEndings, system: str, right: Sequence[Sequence[bool]], by: Mapping[str, str]
    ) -> Finding:
        words = [len(sentence) for sentence in right]
        estimate = share([sum(sentence) for sentence in right], words)
        value = None if estimate.value is None else 100 * estimate.value
        return Finding(
            self.name, PurePath(judged.gold.name).name, system, "attached", value, sum(words), *estimate.percent, by
        )

    def kept(self, judged: JudgedEndings, settings: EndingSettings) -> Kept:
        rows = [
            (system, name, len(sentence) - at, value)
            for system, right in judged.right.items()
            for name, sentence in zip(judged.gold.sentence_names, right, strict=True)
            for at, value in enumerate(sentence)
        ]
        columns = {
            "study": self.name, "suite": PurePath(judged.gold.name).name,
            "item": [name for _, name, *_ in rows], "condition": "",
            "system": [system for system, *_ in rows], "seed": 0, "unit": [f"{at} from the end" for *_, at, _ in rows],
            "outcome": ["right" if value else "wrong" for *_, value in rows], "value": [int(row[-1]) for row in rows],
        }  # fmt: skip
        return Kept(Observations(columns), kept_trees(judged.gold, judged.parsed))


ENDINGS = Endings()
COMMAND = StudyCommand(
    name="endings",
    about="Does a parser attach the last words of a sentence as gold does?",
    arguments="GOLD SYSTEM...",
    arguments_help="A treebank, then parsed files or parsers.",
    forms={
        "": Form(
            "gardenpath_loud.endings:ENDINGS",
            EndingSettings,
            Notes(
                "endings", "Endings", "The share of last words whose head is that of gold.", "Nobody yet.",
                main=("attached",), observed="attached",
                measures={"attached": Measure("endings attached", "last words with the right head, %")},
            ),
        )
    },
    divide=first_is_source,
    python={
        "endings": PythonFunction(
            source_and_systems,
            """
            >>> import gardenpath as gp
            >>> gp.endings("bundled:de-test", "baseline:right-branching").value("attached")
            18.0
            """,
        )
    },
    examples=("gardenpath endings gold.conllu parsed.conllu --last 2",),
)  # fmt: skip
