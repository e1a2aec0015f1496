"""The consistency study: does an irrelevant change of the input change the tree, how often, and in how many ways?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ...errors import InputError, UsageError
from ...runs.layout import unfolded
from ...runs.result import Finding, Verdict
from ...stats.sampling import Clusters
from ...systems.protocol import PARSER
from ...treebank.given import given_treebank
from ...treebank.treebank import Treebank
from ..parsed import check_asked, guarded, unbridged
from ..study import Findings, Kept, Study, Work
from .answered import VariantAnswers, answers
from .asked import AskedVariants, ask
from .columns import column_groups_of
from .examples import check_examples, variant_examples
from .findings import consistency_findings
from .observed import observations, trees
from .paper_tables import study_tables
from .parts import JudgedVariants, judge_all
from .perturbations import check_perturbations, files_of, perturbations_of
from .plain_text import analysed, check_plain_text, is_plain_text
from .settings import STUDY, ConsistencySettings
from .stages import LAYERS
from .tables import consistency_tables
from .verdicts import consistency_verdicts

if TYPE_CHECKING:
    from ...systems.entrants import Entrant

MEASURES = ("consistent", "right", "original_right")
"""Overall scores, one for each perturbation and order of siblings."""


def is_overall(finding: Finding) -> bool:
    """Is this the score of a perturbation? Every one of them must hold."""
    return set(finding.by) == {"perturbation", "order"}


class Consistency(Study[ConsistencySettings, AskedVariants, Mapping[str, VariantAnswers], JudgedVariants]):
    """Does an irrelevant change of the input (a year, a name, a currency) change the tree, and in how many ways?

    The first system is the one that others are compared with.
    """

    name = STUDY
    about = "Does an irrelevant change of the input (a year, a name, a currency) change the tree, and in how many ways?"
    settings = ConsistencySettings
    role = PARSER
    measures = MEASURES

    def is_overall(self, finding: Finding) -> bool:
        return is_overall(finding)

    def check(self, source: Any, entrants: Sequence[Entrant], settings: ConsistencySettings) -> None:
        if isinstance(source, str) and not source:
            raise UsageError("no treebank is named", todo="gardenpath consistency test TREEBANK SYSTEM...")
        super().check(source, entrants, settings)
        check_asked(entrants, settings)
        check_perturbations(settings)
        check_examples(settings.examples)
        if is_plain_text(source):
            check_plain_text(source, settings)

    def files(self, source: Any, settings: ConsistencySettings) -> list[str]:
        return files_of(settings, [source])

    def read(self, source: Any, settings: ConsistencySettings) -> AskedVariants:
        return self._asked(source, given_treebank(source), settings)

    def material(
        self, source: Any, entrants: Sequence[Entrant], settings: ConsistencySettings, work: Work
    ) -> AskedVariants:
        if not is_plain_text(source):
            return self.read(source, settings)
        return self._asked(source, analysed(source, entrants[0], settings, work.place), settings, has_gold=False)

    def _asked(
        self, source: Any, treebank: Treebank, settings: ConsistencySettings, *, has_gold: bool = True
    ) -> AskedVariants:
        asked = ask(
            treebank, perturbations_of(settings, [source]), sentences=settings.sentences,
            per_sentence=settings.per_sentence, has_gold=has_gold,
        )  # fmt: skip
        if not asked.cases:
            raise InputError("no sentence has a match", where=asked.name, todo=asked.reasons())
        column_groups_of(asked, settings)  # an unknown column is told before anything is parsed
        return asked

    def facts(self, material: AskedVariants, settings: ConsistencySettings) -> Iterable[tuple[str, object]]:
        return [
            ("treebank", material.release), ("analysis", None if material.has_gold else "first system"),
            ("batches", len(material.cases)), ("perturb", list(material.signatures)),
        ]  # fmt: skip

    def clusters(self, material: AskedVariants, settings: ConsistencySettings) -> Clusters:
        return material.clusters(settings.independent)

    def ask(
        self, material: AskedVariants, entrants: Sequence[Entrant], settings: ConsistencySettings, work: Work
    ) -> dict[str, VariantAnswers]:
        variants = sum(len(case.variants) for case in material.cases)
        work.tell(f"{len(material.cases):,} batches, {variants:,} different variants")
        by_system = {}

        def asked(entrant: Entrant, mode: str, gold: Sequence[str]) -> VariantAnswers:
            return answers(
                entrant.system, material.treebank, mode=mode, gold=gold, any_language=settings.any_language,
                where=work.place,
            )  # fmt: skip

        for entrant in entrants:
            answered = asked(entrant, settings.mode, settings.gold)
            stages = {stage: asked(entrant, "tokens", LAYERS[stage]) for stage in settings.stages}
            work.tell_notes(entrant.name, answered.notes)
            trees = Treebank(b"".join(answer.conllu for answer in answered.answers))
            foreign = guarded(entrant.name, material.treebank, trees, settings, work) | unbridged(entrant, trees, work)
            by_system[entrant.name] = replace(answered, stages=stages, foreign=foreign)
        return by_system

    def judge(
        self, material: AskedVariants, answers: Mapping[str, VariantAnswers], settings: ConsistencySettings
    ) -> JudgedVariants:
        return judge_all(material, answers, settings.orders)

    def findings(self, judged: JudgedVariants, settings: ConsistencySettings) -> Findings:
        findings = consistency_findings(judged, settings)
        tables = consistency_tables(judged.asked, findings, judged.systems, settings)
        if judged.asked.has_gold:
            asked = judged.asked
            papers = study_tables(
                findings, asked.treebank_name, judged.systems, asked.perturbations, settings.orders[0]
            )  # fmt: skip
            tables += unfolded(papers, "paper" in settings.tables)
        details: dict[str, Any] = {}
        if settings.examples:
            details["examples"], shown = variant_examples(judged, settings)
            tables += shown
        return Findings(findings, tables, judged.failures(), details)

    def verdicts(
        self, findings: Sequence[Finding], judged: JudgedVariants, settings: ConsistencySettings
    ) -> Iterable[Verdict]:
        clusters = self.clusters(judged.asked, settings)
        return consistency_verdicts(findings, judged.asked.perturbations, settings.orders[0], clusters.name)

    def kept(self, judged: JudgedVariants, settings: ConsistencySettings) -> Kept:
        return Kept(observations(judged, independent=settings.independent), trees(judged))


CONSISTENCY = Consistency()
