"""The tables of the joint study: parsers, models, both together, by construction and by item."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ...runs.layout import (
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
from ...runs.result import Finding, Table, Value
from ...stats.sampling import Clusters
from ..grouping import ColumnGroups, column_table
from .findings import CONDITIONS


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
