"""The joint study: parsers and language models on the same items, and whether they stumble over the same ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import UsageError
from ...runs.observations import Observations
from ...runs.result import Finding, Verdict
from ...runs.signature import digest
from ...stats.sampling import Clusters
from ...suites.regions.clusters import item_clusters
from ...suites.regions.columns import suite_columns
from ...suites.regions.syntaxgym import to_syntaxgym
from ...systems.entrants import Entrant, entrants_of, role_of_name
from ...systems.protocol import LANGUAGE_MODEL, PARSER
from ..grouping import ColumnGroups, asked_groups
from ..parsed import ParsedSystems, ask_parsers, check_asked
from ..roles.arcs import OUTCOMES, JudgedArcs
from ..study import Findings, Kept, Study, Work
from ..surprisal.answers import ScoredSystem, ask_model
from ..surprisal.outcomes import suite_outcome
from ..surprisal.scores import seed_mean
from ..surprisal.settings import SurprisalSettings
from ..surprisal.study import SURPRISAL
from .findings import JointCounts
from .material import JointMaterial, with_arcs
from .settings import GROUPINGS, STUDY, JointSettings
from .tables import JointTables
from .verdicts import joint_verdicts

Floats = NDArray[np.float64]
_ROLES = (PARSER, LANGUAGE_MODEL)


@dataclass(frozen=True)
class JointAnswers:
    """The trees of the parsers, and what the models say of every word."""

    parsed: ParsedSystems
    scored: Mapping[str, ScoredSystem]


@dataclass(frozen=True, eq=False)
class JudgedJoint:
    """What every parser made of every decisive arc, and every model of every disambiguating region."""

    material: JointMaterial
    answers: JointAnswers
    arcs: Mapping[str, JudgedArcs]
    effects: Mapping[str, Floats]
    """By model: bits, harder minus easier, over items; NaN of items that failed."""

    @cached_property
    def paths(self) -> dict[str, NDArray[np.int64]]:
        return {parser: self.material.paths(arcs) for parser, arcs in self.arcs.items()}

    @property
    def failures(self) -> dict[str, int]:
        failures = {**self.material.left_out, **self.answers.parsed.failures}
        for parser, arcs in self.arcs.items():
            failures |= {f"{parser}: {kind}": count for kind, count in arcs.failures.items()}
        for model, scored in self.answers.scored.items():
            for values in (values for by_seed in scored.surprisals for values in by_seed):
                for failure in values.failures.values():
                    kind = f"{model}: items failed ({failure.kind})"
                    failures[kind] = failures.get(kind, 0) + 1
        return {kind: count for kind, count in failures.items() if count}


class Joint(Study[JointSettings, JointMaterial, JointAnswers, JudgedJoint]):
    """Does a parser take the garden path where a language model is surprised?"""

    name = STUDY
    about = "Does a parser take the garden path where a language model is surprised, item by item?"
    settings = JointSettings

    def entrants(self, systems: Any) -> list[Entrant]:
        """Parsers first; which is which, the kind in its name says."""
        named = list(systems) if isinstance(systems, list | tuple) else [systems]
        roles = [system.role if isinstance(system, Entrant) else role_of_name(str(system), _ROLES) for system in named]
        sorts = [[system for system, own in zip(named, roles, strict=True) if own == role] for role in _ROLES]
        entrants = [entrant for role, own in zip(_ROLES, sorts, strict=True) for entrant in entrants_of(own, role)]
        names = [entrant.name for entrant in entrants]
        if twice := next((name for name in names if names.count(name) > 1), None):
            raise UsageError(f"named twice: {twice}", todo="give one of them another name: NAME=SYSTEM")
        return entrants

    def check(self, source: Any, entrants: Sequence[Entrant], settings: JointSettings) -> None:
        for role, example in ((PARSER, "spacy:PACKAGE or conllu:FILE"), (LANGUAGE_MODEL, "hf:MODEL or ngram:MODEL")):
            if not any(entrant.role == role for entrant in entrants):
                raise UsageError(f"no {role} is named, and both sorts are needed", todo=f"name one, such as {example}")
        check_asked([entrant for entrant in entrants if entrant.role == PARSER], settings)

    def files(self, source: Any, settings: JointSettings) -> list[str]:
        return SURPRISAL.files(source, SurprisalSettings())

    def read(self, source: Any, settings: JointSettings) -> JointMaterial:
        material = with_arcs(SURPRISAL.read(source, SurprisalSettings()))
        _groups(material, settings)  # an unknown column is told before anything is asked
        return material

    def facts(self, material: JointMaterial, settings: JointSettings) -> Iterable[tuple[str, object]]:
        content = digest(*(to_syntaxgym(suite) for suite in material.suites))[:8]
        metrics = sorted({suite.metric for suite in material.suites})
        return [("suites", f"{material.title}#{content}"), ("items", len(material)), ("metric", metrics)]

    def clusters(self, material: JointMaterial, settings: JointSettings) -> Clusters:
        return item_clusters(material.suites, settings.independent)

    def ask(
        self, material: JointMaterial, entrants: Sequence[Entrant], settings: JointSettings, work: Work
    ) -> JointAnswers:
        parsers = [entrant for entrant in entrants if entrant.role == PARSER]
        parsed = ask_parsers(material.arcs.gold, parsers, settings, work)
        own = SurprisalSettings(border=settings.border)
        scored = {
            entrant.name: ask_model(material.asked, entrant, own, work)
            for entrant in entrants
            if entrant.role == LANGUAGE_MODEL
        }
        return JointAnswers(parsed, scored)

    def judge(self, material: JointMaterial, answers: JointAnswers, settings: JointSettings) -> JudgedJoint:
        arcs = {parser: material.judge(trees) for parser, trees in answers.parsed.trees.items()}
        effects = {model: _effects(material, scored) for model, scored in answers.scored.items()}
        return JudgedJoint(material, answers, arcs, effects)

    def findings(self, judged: JudgedJoint, settings: JointSettings) -> Findings:
        material = judged.material
        clusters = self.clusters(material, settings)
        names = [item.id for _, _, item in material.items]
        by_column = _groups(material, settings)
        counts = JointCounts(
            material.title, names, np.array(material.constructions), clusters, judged.paths, judged.effects, by_column
        )
        findings = list(counts.findings())
        texts = {
            (construction, item.id): condition.text(suite.joiner)
            for construction, (suite, item, condition, _) in zip(
                material.constructions, material.sentences[::2], strict=True
            )
        }
        tables = JointTables(findings, clusters, texts).all(settings.tables, by_column)
        return Findings(findings, tables, judged.failures)

    def verdicts(self, findings: Sequence[Finding], judged: JudgedJoint, settings: JointSettings) -> Iterable[Verdict]:
        return joint_verdicts(findings, self.clusters(judged.material, settings).name)

    def kept(self, judged: JudgedJoint, settings: JointSettings) -> Kept:
        codes = self.clusters(judged.material, settings).codes[0].tolist()
        return Kept(_observations(judged, codes), judged.answers.parsed.kept(judged.material.arcs.gold))


JOINT = Joint()


def _groups(material: JointMaterial, settings: JointSettings) -> ColumnGroups | None:
    """The groups by the columns that are asked for; None where none are."""
    if not settings.columns:
        return None
    columns = {**suite_columns(material.suites), "construction": material.constructions}
    return asked_groups(settings.columns, columns, GROUPINGS, ("parser", "condition", "item"))


def _effects(material: JointMaterial, scored: ScoredSystem) -> Floats:
    """Harder minus easier condition of every item, mean over the seeds that could score it."""
    by_suite = [
        seed_mean([suite_outcome(asked.suite, values).differences[:, contrast.place] for values in by_seed])
        for asked, contrast, by_seed in zip(material.asked, material.contrasts, scored.surprisals, strict=True)
    ]
    return np.concatenate(by_suite)


def _observations(judged: JudgedJoint, clusters: Sequence[int]) -> Observations:
    """Of parsers a row for each sentence: what became of its arc; of models one for each item: is it more surprised?"""
    material, parts = judged.material, list[Observations]()
    constructions = material.constructions
    pairs = [f"{suite.title} {item.id}" for suite, _, item in material.items]
    for parser, arcs in judged.arcs.items():
        right = np.isin(arcs.outcome, [OUTCOMES.index("right")]).astype(float)
        parts.append(Observations({
            "study": STUDY, "suite": [suite.title for suite, *_ in material.sentences],
            "item": [item.id for _, item, *_ in material.sentences],
            "condition": [condition.name for _, _, condition, _ in material.sentences], "system": parser, "seed": 0,
            "sentence_id": material.sentence_ids, "family": [pair for pair in pairs for _ in range(2)],
            "cluster": np.repeat(clusters, 2).tolist(), "unit": "decisive arc",
            "outcome": [OUTCOMES[code] for code in arcs.outcome.tolist()], "value": right.tolist(),
            "construction": [name for name in constructions for _ in range(2)], "difference": None,
        }))  # fmt: skip
    for model, effects in judged.effects.items():
        words = np.where(np.isnan(effects), "failed", np.where(effects > 0, "right", "wrong"))
        parts.append(Observations({
            "study": STUDY, "suite": [suite.title for suite, _, _ in material.items],
            "item": [item.id for _, _, item in material.items],
            "condition": [f"{contrast.harder} > {contrast.easier}" for _, contrast, _ in material.items],
            "sentence_id": material.sentence_ids[::2], "family": pairs,
            "system": model, "seed": 0, "cluster": list(clusters), "unit": "disambiguating region",
            "outcome": words.tolist(), "value": (effects > 0).astype(float).tolist(), "construction": constructions,
            "difference": [None if np.isnan(effect) else effect for effect in effects.tolist()],
        }))  # fmt: skip
    return Observations.joined(parts)
