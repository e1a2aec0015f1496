"""The roles study on a treebank: how often each order of subject, verb and object is, and how well it is parsed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...errors import InputError
from ...runs.record.signatures import with_hash
from ...runs.result.result import Finding, Result, Verdict
from ...stats.sampling import Clusters
from ...systems.asking.protocol import PARSER
from ...treebank.format.columns import Column
from ...treebank.format.documents import sentence_clusters
from ...treebank.format.reading import given_files, given_treebank
from ..engine.parsers import JudgedParsers, ParsedSystems, ask_parsers, kept_trees
from ..engine.study import Kept, Study, Work
from .arcs import GoldArcs, JudgedArcs, judge
from .case_clues import missing_clues
from .clause_counts import ClauseCounts
from .clause_tables import check_group, clause_examples, clause_tables
from .clauses import CORE, ClauseRules, Clauses, argument_kinds, clauses_of, has_datives, is_verb_second
from .declaration import STUDY, Plain, WordOrderSettings, plain_labels

if TYPE_CHECKING:
    from ...systems.asking.entrants import Entrant

JudgedClauses = JudgedParsers[Clauses, JudgedArcs]
"""The clauses of a treebank with what every system made of their arcs."""


class WordOrder(Study[WordOrderSettings, Clauses, ParsedSystems, JudgedClauses]):
    """How often is each order of subject, verb and object, and how well is it parsed? (paper, Tables 2 and 4)"""

    name = STUDY
    settings = WordOrderSettings
    role = PARSER
    needs_systems = False
    measures = ("las", "uas", "label")

    def is_overall(self, finding: Finding) -> bool:
        return not finding.by and bool(finding.system)

    def files(self, source: Any, settings: WordOrderSettings) -> list[str]:
        return given_files(source)

    def read(self, source: Any, settings: WordOrderSettings) -> Clauses:
        gold = given_treebank(source)
        datives = settings.datives == "yes" or (not settings.datives and has_datives(gold))
        rules = ClauseRules(settings.verb, datives, apart=True)
        clauses = clauses_of(gold, plain_labels(settings.equal), rules)
        if settings.examples:
            check_group(settings.examples)
        if not (argument_kinds(clauses) < CORE).any():
            todo = "expected verbs (UPOS) with nsubj and obj below them: is this a UD treebank?"
            raise InputError("no clause with subject, verb and object", where=gold.name, todo=todo)
        return clauses

    def facts(self, material: Clauses, settings: WordOrderSettings) -> Iterable[tuple[str, object]]:
        gold = material.treebank
        name = with_hash(gold.name, gold.to_bytes())
        datives = settings.datives or ("yes" if has_datives(gold) else "no")
        count = int((argument_kinds(material) < CORE).sum())
        return [("treebank", name), ("clauses", count), ("verb", settings.verb), ("datives", datives),
                ("subtypes", "ignored")]  # fmt: skip

    def clusters(self, material: Clauses, settings: WordOrderSettings) -> Clusters:
        return sentence_clusters(material.treebank, settings.independent)

    def ask(
        self, material: Clauses, entrants: Sequence[Entrant], settings: WordOrderSettings, work: Work
    ) -> ParsedSystems:
        return ask_parsers(material.treebank, entrants, settings, work)

    def judge(self, material: Clauses, answers: ParsedSystems, settings: WordOrderSettings) -> JudgedClauses:
        arcs = _arcs(material, plain_labels(settings.equal))
        return JudgedParsers(material, answers, {name: judge(arcs, own.treebank) for name, own in answers.items()})

    def findings(self, judged: JudgedClauses, settings: WordOrderSettings) -> Result:
        gold = judged.material.treebank
        clusters = self.clusters(judged.material, settings)
        findings = ClauseCounts(judged.material, judged.by_system, clusters).findings()
        tables = clause_tables(
            findings, gold, clusters, settings.by, verb=settings.verb, verb_second=is_verb_second(gold)
        )
        details: dict[str, Any] = {}
        if settings.examples:
            details["examples"], shown = clause_examples(judged.material, settings.examples, settings.shown)
            tables.append(shown)
        return Result(findings=findings, tables=tables, failures=judged.failures, details=details)

    def verdicts(
        self, findings: Sequence[Finding], judged: JudgedClauses, settings: WordOrderSettings
    ) -> Iterable[Verdict]:
        from .tables import order_verdicts

        missing = missing_clues(judged.material.treebank)
        return order_verdicts(findings, self.clusters(judged.material, settings).name, missing)

    def kept(self, judged: JudgedClauses, settings: WordOrderSettings) -> Kept:
        from .study import clause_observations

        rows = clause_observations(judged.material, judged.by_system, self.clusters(judged.material, settings))
        return Kept(rows, kept_trees(judged.material.treebank, judged.parsed))


WORD_ORDER = WordOrder()


def _arcs(clauses: Clauses, plain: Plain) -> GoldArcs:
    """The subject's and the object's arc of each clause, one after the other."""
    gold = clauses.treebank
    words = np.stack([clauses.subject, clauses.object], axis=1).reshape(-1)
    label = gold.column("deprel").mapped(plain)
    labels = Column(label.codes[words], label.values)
    return GoldArcs(gold, gold.sentence_of[words], words, np.repeat(clauses.verb, 2), labels, plain=plain)
