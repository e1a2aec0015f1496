"""The joint study: whether parsers err where language models are surprised, with its tables and verdicts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import UsageError
from ...runs.record.signatures import digest
from ...runs.result.layout import (
    SIGNED,
    Column,
    FindingIndex,
    P,
    group_columns,
    groups_by_systems,
    measured,
    short_names,
    table,
    unfolded,
)
from ...runs.result.observations import Observations
from ...runs.result.result import Finding, Result, Table, Value, Verdict
from ...runs.result.verdict import NOT_SHOWN, SHOWN, clusters_text, count_text, difference_text
from ...stats.sampling import Clusters
from ...suites.regions.hierarchy import item_clusters, suite_columns
from ...suites.regions.syntaxgym import to_syntaxgym
from ...systems.asking.entrants import Entrant, entrants_of, role_of_name
from ...systems.asking.protocol import LANGUAGE_MODEL, PARSER
from ..engine.corrections import corrected
from ..engine.grouping import ColumnGroups, column_table
from ..engine.parsers import ParsedSystems, ask_parsers, failures_of, kept_trees
from ..engine.study import Kept, Study, Work
from ..engine.verdicts import MeasureWords, SystemVerdicts, effect_of
from ..roles.arcs import OUTCOMES, JudgedArcs
from ..surprisal.answers import ScoredSystem, ask_model
from ..surprisal.declaration import SurprisalSettings
from ..surprisal.outcomes import suite_outcome
from ..surprisal.scores import seed_mean
from ..surprisal.study import SURPRISAL
from .declaration import STUDY, JointSettings
from .items import CONDITIONS, JointCounts, JointMaterial, with_arcs

_OVERALL = 100.0
"""What is said of all items outweighs what is said of a construction."""


def joint_verdicts(findings: Sequence[Finding], cluster: str) -> Iterator[Verdict]:
    """The association of every parser with every model, what each does by itself, and constructions that stand out."""
    index = FindingIndex(findings)
    parsers = SystemVerdicts(
        [finding for finding in findings if finding.measure == "astray"],
        MeasureWords(
            "astray", "per cent of garden paths taken", "item", cluster,
            alone="{system} takes the garden path in {value} % {interval} of {size}",
        ),
    )  # fmt: skip
    alone = "{system} needs {value} bits {interval} more where an ambiguous sentence is resolved than "
    alone += "in its counterpart, {size}"
    names = SystemVerdicts(findings, MeasureWords("effect", "effect in bits", "item", cluster, alone=alone))
    yield from parsers.scores(parsers.overall())
    yield from names.scores({name: effect for name, effect in names.overall().items() if effect.low is not None})
    for keys in index.groups("parser", measure="effect_elsewhere"):
        for model in index.systems:
            yield from _association(index, names.names, model, keys, cluster)
    for keys in index.groups("construction", "parser", measure="effect_gap"):
        for model in index.systems:
            yield from _association(index, names.names, model, keys, cluster)


def _association(
    index: FindingIndex, names: Mapping[str, str], model: str, keys: Mapping[str, Value], cluster: str
) -> Iterator[Verdict]:
    """More surprised, less surprised, or no association; of a construction only what is shown."""
    parser, elsewhere = str(keys["parser"]), index.get("effect_elsewhere", model, keys)
    if elsewhere is None:
        return
    where = f" at {keys['construction']}" if "construction" in keys else ""
    effect = effect_of(index, "effect_gap", "effect_gap_p", model, keys)
    if effect is None:
        astray = index.get("astray", parser)
        if not where and astray is not None:
            text = (
                f"{names[parser]} and {names[model]} cannot be compared: too few garden paths taken, "
                f"{astray.value:.1f} % of {count_text(astray.n, 'item')}."
            )
            yield Verdict(text, NOT_SHOWN, (astray,), weight=_OVERALL)
        return
    if where and effect.sure != SHOWN:
        return
    bits = f"{difference_text(effect.finding)} bits"
    size = f"{count_text(effect.finding.n, 'item')}, {clusters_text(effect.p, cluster)} in the smaller group"
    weight = abs(effect.size) + (0.0 if where else _OVERALL)
    if effect.sure == NOT_SHOWN:
        text = f"No association between the errors of {names[parser]} and the surprise of {names[model]} is shown: "
        enough = effect.needed
        tail = f"; about {enough:,} would be needed there to show a difference of this size" if enough else ""
        yield Verdict(f"{text}{bits} where it errs, {size}{tail}.", NOT_SHOWN, effect.rests_on, weight)
        return
    more = "more" if effect.size > 0 else "less"
    same = "" if where else " than at other items of the same construction" if _several(index) else " than elsewhere"
    text = (
        f"Where {names[parser]} takes the garden path{where}, {names[model]} is {more} surprised{same}: {bits}, {size}"
    )
    yield Verdict(f"{text} ({effect.sure}).", effect.sure, effect.rests_on, weight)


def _several(index: FindingIndex) -> bool:
    return len(index.groups("construction", measure="astray")) > 1


class JointTables:
    """Findings as tables; `texts` are the ambiguous sentences by construction and item."""

    def __init__(self, findings: Sequence[Finding], clusters: Clusters, texts: Mapping[tuple[str, str], str]) -> None:
        self.index, self.clusters, self.texts = FindingIndex(findings), clusters, texts
        self.parsers = [name for name in self.index.systems if self.index.get("astray", name)]
        self.models = [name for name in self.index.systems if self.index.get("effect", name)]
        self.names = short_names(self.index.systems)
        self.constructions = self.index.groups("construction", measure="astray")

    def all(self, by: Sequence[str], by_column: ColumnGroups | None = None) -> list[Table]:
        detailed = [*self._by_construction(), self._association(self.constructions)]
        shown = [self._parsers(), *unfolded([self._models()], "model" in by), self._association()]
        if by_column:
            title = "Garden paths taken"
            index = self.index
            shown.append(column_table(index, by_column, "astray", "astray", "items", systems=self.parsers, title=title))
            effects = column_table(index, by_column, "effect", "effect", "items", systems=self.models, kind=SIGNED)
            shown.append(replace(effects, name=f"effect-{effects.name}"))
            detailed.append(self._association(by_column.groups))
        return [*shown, *unfolded(detailed, "construction" in by), *unfolded(self._items(), "item" in by)]

    def _parsers(self) -> Table:
        columns = [Column("parser", [self.names[parser] for parser in self.parsers])]
        columns += measured("items", [self.index.get("astray", parser) for parser in self.parsers], of="n")
        for condition in CONDITIONS:
            arcs = [self.index.get("arcs_right", parser, {"condition": condition}) for parser in self.parsers]
            columns += measured(f"right, {condition}", arcs)
        paths = [self.index.get("astray", parser) for parser in self.parsers]
        columns += measured("garden path", paths, interval=True)
        note = (
            "Per cent of items whose decisive arc is right in each sentence; the garden path is taken where it is "
            f"right in the unambiguous one alone. Intervals are over {self.clusters.name}s"
        )
        return table(
            "Parsers", columns, note="; ".join(part for part in (note, self.clusters.note) if part), name="parsers"
        )

    def _models(self) -> Table:
        effects = [self.index.get("effect", model) for model in self.models]
        columns = [Column("model", [self.names[model] for model in self.models]), *measured("items", effects, of="n")]
        columns += measured("effect", effects, interval=True, kind=SIGNED)
        columns += measured("p", [self.index.get("effect_p", model) for model in self.models], kind=P)
        note = "Bits of the disambiguating region: ambiguous minus unambiguous, mean over items and seeds"
        return table("Language models", columns, note=note, name="models")

    def _association(self, groups: Sequence[Mapping[str, Value]] = ({},)) -> Table:
        """A row for each parser and model, in all or in each group."""
        by = list(groups[0])
        rows = [(group, parser, model) for group in groups for parser in self.parsers for model in self.models]

        def paired(measure: str) -> list[Finding | None]:
            return [self.index.get(measure, model, {**group, "parser": parser}) for group, parser, model in rows]

        columns = [
            *group_columns([group for group, _, _ in rows]),
            Column("parser", [self.names[parser] for _, parser, _ in rows]),
            Column("model", [self.names[model] for _, _, model in rows]),
            *measured("astray", paired("effect_astray"), of="n"),
            *measured("bits", paired("effect_astray")),
            *measured("other", paired("effect_elsewhere"), of="n"),
            *measured("bits ", paired("effect_elsewhere")),
            *measured("difference", paired("effect_gap"), interval=True, kind=SIGNED),
            *measured("rank-biserial", paired("rank_biserial"), interval="95 % ", kind=SIGNED),
            *measured("p (Holm)", paired("effect_gap_p_holm"), kind=P),
        ]
        note = (
            "Items on which the parser takes the garden path, and the others, with the mean effect of the model on each"
        )
        if by != ["construction"] and len(self.constructions) > 1:
            note += "; difference and rank-biserial correlation are over pairs of items of the same construction"
        title = "Where the parser errs, is the model more surprised?"
        name = "-".join(("association", *(["by", *by] if by else [])))
        return table(f"The same by {' and '.join(by)}" if by else title, columns, note=note, name=name)

    def _by_construction(self) -> list[Table]:
        head = Column("construction", [group["construction"] for group in self.constructions])
        made = []
        for measure, title, systems, kind in (
            ("astray", "Garden paths taken, by construction", self.parsers, ""),
            ("effect", "Effects by construction", self.models, SIGNED),
        ):
            first = [self.index.get(measure, systems[0], group) for group in self.constructions]
            columns = [head, *measured("items", first, of="n")]
            columns += groups_by_systems(
                self.index, self.constructions, measure, measure, systems=systems, kind=kind, named=True
            )
            made.append(table(title, columns, name=f"{measure}-by-construction"))
        return made

    def _items(self) -> list[Table]:
        groups = self.index.groups("construction", "item")
        if not groups:
            return []
        columns = [Column(key, [group[key] for group in groups]) for key in ("construction", "item")]
        columns.append(
            Column("sentence", [self.texts[str(group["construction"]), str(group["item"])] for group in groups])
        )
        for parser in self.parsers:
            columns += measured(self.names[parser], [self.index.get("item_path", parser, group) for group in groups])
        for model in self.models:
            effects = [self.index.get("item_effect", model, group) for group in groups]
            columns += measured(self.names[model], effects, kind=SIGNED)
        note = "What each parser made of the item, and how many bits more each model needs in this sentence"
        return [table("Items", columns, note=note, name="items")]


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
        failures = {**self.material.left_out, **failures_of(self.answers.parsed)}
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
        super().check(source, entrants, settings)

    def files(self, source: Any, settings: JointSettings) -> list[str]:
        return SURPRISAL.files(source, SurprisalSettings())

    def read(self, source: Any, settings: JointSettings) -> JointMaterial:
        return with_arcs(SURPRISAL.read(source, SurprisalSettings()))

    taken = ("parser", "condition", "item")

    def columns(self, material: JointMaterial) -> dict[str, Sequence[Any]]:
        return {**suite_columns(material.suites), "construction": material.constructions}

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
        arcs = {parser: material.judge(result.treebank) for parser, result in answers.parsed.items()}
        effects = {model: _effects(material, scored) for model, scored in answers.scored.items()}
        return JudgedJoint(material, answers, arcs, effects)

    def findings(self, judged: JudgedJoint, settings: JointSettings) -> Result:
        material = judged.material
        clusters = self.clusters(material, settings)
        names = [item.id for _, _, item in material.items]
        by_column = self.groups(material, settings)
        counts = JointCounts(
            material.title, names, np.array(material.constructions), clusters, judged.paths, judged.effects, by_column
        )
        findings = corrected(counts.findings())
        texts = {
            (construction, item.id): condition.text(suite.joiner)
            for construction, (suite, item, condition, _) in zip(
                material.constructions, material.sentences[::2], strict=True
            )
        }
        tables = JointTables(findings, clusters, texts).all(settings.tables, by_column)
        return Result(findings=findings, tables=tables, failures=judged.failures)

    def verdicts(self, findings: Sequence[Finding], judged: JudgedJoint, settings: JointSettings) -> Iterable[Verdict]:
        return joint_verdicts(findings, self.clusters(judged.material, settings).name)

    def kept(self, judged: JudgedJoint, settings: JointSettings) -> Kept:
        codes = self.clusters(judged.material, settings).codes[0].tolist()
        return Kept(_observations(judged, codes), kept_trees(judged.material.arcs.gold, judged.answers.parsed))


JOINT = Joint()


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
