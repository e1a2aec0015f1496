"""The tables of the consistency study, those of the paper among them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ...errors import UsageError
from ...runs.result.layout import (
    SIGNED,
    WITH_INTERVALS,
    Column,
    FindingIndex,
    P,
    measured,
    short_names,
    table,
    unfolded,
)
from ...runs.result.result import Finding, Table, Value
from ..engine.grouping import ColumnGroups, column_table
from .declaration import AUGMENT, PAPER_LAYOUT, SENTENCES, STAGES, STUDY, SUBSTITUTE, WORD_SCORES, PerturbedSettings
from .numbers import COLUMN_MEASURES, COMPARED, column_groups_of
from .variants import AskedVariants

MOST_VALUES = 10
_NO_TREE = {
    "no_tree": "no tree (no root, two roots, a cycle)",
    "wrong_segmentation": "wrong segmentation",
    "failed": "no answer",
}
ORIGINALS = (
    ("originals", "originals in total"),
    *((f"originals_{outcome}", label) for outcome, label in _NO_TREE.items()),
    ("originals_right", "originals right"),
    ("original_right", "originals right (%)"),
)
_ONE_TREE = "batches with one tree (%)"
_VARIANTS = (
    ("variants", "variants in total"),
    ("variants_distinct", "different variants"),
    *((f"variants_{outcome}", label) for outcome, label in _NO_TREE.items()),
    ("variants_right", "variants right"),
    ("right", "variants right (%)"),
    ("changed", "variants with another tree than the original (%)"),
    ("sentences_changed", "sentences with such a variant (%)"),
    ("consistent", _ONE_TREE),
)
_BOUNDS = (
    ("changed_least", "another tree, if all without one were as the others (%)"),
    ("changed_most", "another tree, if all without one were different (%)"),
    ("consistent_least", "one tree, if all without one were different (%)"),
    ("consistent_most", "one tree, if all without one were as the others (%)"),
)
"""Shown where something has no tree."""
_OF_THE_ORDER = {
    "originals_right",
    "original_right",
    "variants_right",
    "right",
    "changed",
    "consistent",
    "sentences_changed",
    *(measure for measure, _ in _BOUNDS),
}
"""Measures that depend on the order of siblings: these have a row for each."""
_QUESTIONS = (
    ("complete_batches", "completely right (Q1)"),
    ("right_per_batch", "right within a batch (Q2)"),
    ("consistent_error_batches", "with consistent errors (Q3)"),
    ("clusters", "clusters (Q4)"),
    ("clusters_published", "clusters, as published"),
    ("ncptk", "NCPTK between clusters (Q5)"),
    ("ncptk_published", "NCPTK, as published"),
)
_ABOUT_CLUSTERS = 3
"""The first question that needs no gold trees."""
_SPREAD = {"_sd": "SD", "_median": "median", "_min": "min", "_max": "max"}
_OF_VALUES = {
    "differs_from_majority": "not the majority's (%)",
    "differs_from_original": "not the original's (%)",
    "value_right": "right (%)",
}
_CHANGES: tuple[tuple[str, str, Mapping[str, Value]], ...] = (
    ("minority_clusters", "clusters beside the largest", {}),
    ("root_changed", "another root (%)", {}),
    ("edited_word_changed", "the edited word changes (%)", {}),
    ("other_word_changed", "another word changes (%)", {}),
    ("clusters_changed", "a head changes (%)", {"part": "head"}),
    ("clusters_changed", "a label changes (%)", {"part": "deprel"}),
    ("clusters_changed", "UPOS changes (%)", {"part": "upos"}),
    ("clusters_changed", "FEATS changes (%)", {"part": "feats"}),
    ("changed_words_per_cluster", "changed words per cluster", {}),
)
_DISTANCES = {"words_away": "words from the edit", "edges_away": "edges from the edit", "depth": "depth (1: root)"}

Row = tuple[str, str, Mapping[str, Value]]
"""Its label, the measure, and the group that it is of."""


class ChangeTables:
    """The findings of one treebank and one perturbation."""

    def __init__(
        self,
        index: FindingIndex,
        asked: AskedVariants,
        perturbation: str,
        systems: Sequence[str],
        settings: PerturbedSettings,
    ) -> None:
        self.index, self.asked, self.perturbation = index, asked, perturbation
        self.systems, self.names = systems, short_names(systems)
        self.orders, self.independent = settings.orders, settings.independent
        self.by: dict[str, Value] = {"perturbation": perturbation}

    def get(self, measure: str, system: str, **more: Value) -> Finding | None:
        return self.index.get(measure, system, {**self.by, **more})

    def tables(self, wanted: Sequence[str], by_column: ColumnGroups | None) -> Iterator[Table]:
        if by_column:
            first, *others = COLUMN_MEASURES
            yield column_table(
                self.index, by_column, first, COLUMN_MEASURES[first], "variants",
                title=f"Another tree, {self.perturbation},",
                keys={**self.by, "order": self.orders[0]}, more={name: COLUMN_MEASURES[name] for name in others},
                systems=self.systems,
            )  # fmt: skip
        yield from unfolded(map(self.questions, self.systems), "questions" in wanted)
        yield from unfolded(self.groups(), "group" in wanted)
        yield from unfolded(self.values(), "value" in wanted)
        yield from unfolded(self.changes(), "change" in wanted)

    def titled(self, title: str, system: str) -> str:
        """The system is named where there are several."""
        text = f"{title}, {self.perturbation}"
        return f"{text}: {self.names[system]}" if len(self.systems) > 1 else text

    def by_systems(self, rows: Sequence[Row], systems: Sequence[str] | None = None) -> list[Column]:
        """One column for each system, with intervals where there is room."""
        chosen = self.systems if systems is None else systems
        columns = [Column("", [label for label, _, _ in rows])]
        for system in chosen:
            findings = [self.get(measure, system, **by) for _, measure, by in rows]
            columns += measured(self.names[system], findings, interval=len(chosen) <= WITH_INTERVALS)
        return columns

    def rows(self, measures: Sequence[tuple[str, str]]) -> list[Row]:
        """Each measure in the order that comes first; what depends on the order has a row for each."""
        rows: list[Row] = []
        for measure, label in measures:
            for order in self.orders if measure in _OF_THE_ORDER else self.orders[:1]:
                mark = f", {order} order" if measure in _OF_THE_ORDER and len(self.orders) > 1 else ""
                shown = f"{label.removesuffix(' (%)')}{mark}{' (%)' if label.endswith(' (%)') else ''}"
                rows.append((shown, measure, {"order": order}))
        return rows

    def overview(self) -> Table:
        """Table 1 of the paper, one column for each system."""
        tally = self.asked.tallies[self.perturbation]
        note = f"Table 1 of the paper. {tally.sentences:,} sentences, {tally.batches:,} with a batch"
        left = ", ".join(f"{reason} {count:,}" for reason, count in tally.refused.most_common())
        note += f" (others: {left})." if left else "."
        skipped = ", ".join(f"{reason} {count:,}" for reason, count in tally.skipped.most_common())
        note += f" Values not used: {skipped}." if skipped else ""
        clusters = self.asked.clusters(self.independent, self.perturbation)
        note += f" 95 %: by {clusters.name}{'; ' if clusters.note else ''}{clusters.note}."
        broken = self.has_broken()
        measures = [row for row in (*ORIGINALS, *_VARIANTS) if broken or not row[0].endswith(tuple(_NO_TREE))]
        if not self.asked.has_gold:
            measures = [(measure, label) for measure, label in measures if "right" not in measure]
            note += " Without gold trees nothing is right or wrong: a system is compared with itself."
        measures += _BOUNDS if broken else ()
        title = f"{self.asked.treebank_name}, {self.perturbation}"
        return table(title, self.by_systems(self.rows(measures)), digits=1, note=note)

    def has_broken(self) -> bool:
        """Has some system given an original or a variant no tree?"""
        counts = (
            self.get(f"{of}_{outcome}", system, order=self.orders[0])
            for system in self.systems
            for of in ("originals", "variants")
            for outcome in _NO_TREE
        )
        return any(finding is not None and finding.value for finding in counts)

    def questions(self, system: str) -> Table:
        """Tables 2 to 5 of the paper: Q1 to Q5 by how the original was parsed; without gold Q4 and Q5 of all."""
        gold = self.asked.has_gold
        signs = {"right": "+", "wrong": "-"} if gold else {"all": ""}
        rows = [
            (measure, label, order, original, sign)
            for order in self.orders
            for measure, label in (_QUESTIONS if gold else _QUESTIONS[_ABOUT_CLUSTERS:])
            for original, sign in signs.items()
        ]

        def found(more: str) -> list[Finding | None]:
            return [self.get(f"{row[0]}{more}", system, order=row[2], original=row[3]) for row in rows]

        counted = [row[0].endswith("_batches") for row in rows]
        own = found("")
        columns = [Column("question", [label for _, label, _, _, _ in rows])]
        if len(self.orders) > 1:
            columns.append(Column("order", [order for _, _, order, _, _ in rows]))
        columns += [Column("original", [row[4] for row in rows]), *measured("n", own, of="n")]
        columns += measured(
            "batches", [finding if is_count else None for finding, is_count in zip(own, counted, strict=True)]
        )
        columns += measured(
            "mean", [None if is_count else finding for finding, is_count in zip(own, counted, strict=True)]
        )
        for more, header in _SPREAD.items():
            columns += measured(header, found(more))
        note = (
            "As Tables 2 to 5 of the paper; +: the original was parsed right, -: it was not. Q4 and Q5: batches whose "
            "parses are not all alike. Clusters: classes of equal parses; the published count loses those that stand "
            "alone. "
            "NCPTK, as published: what the authors' script reads, which is 0 where the smaller cluster has the later "
            "variant. n: batches, for NCPTK pairs of clusters that are trees. Empty: there is no such batch."
        )
        return table(self.titled("Questions 1 to 5", system), columns, digits=3, note=note)

    def stages(self) -> Iterator[Table]:
        """What of the changes vanishes where a part of the work is done for the parser."""
        stages = [stage for stage in STAGES if self.get("consistent", self.systems[0], stage=stage) is not None]
        rows: list[Row] = [(_ONE_TREE, "consistent", {"order": self.orders[0]})]
        for stage in stages:
            rows += [
                (f"{_ONE_TREE.removesuffix(' (%)')}, {STAGES[stage]} (%)", "consistent", {"stage": stage}),
                ("  difference (points)", "consistent_difference", {"stage": stage}),
                ("  one tree, where it was several (%)", "settled", {"stage": stage}),
                ("  several, where it was one (%)", "unsettled", {"stage": stage}),
            ]
        if stages:
            note = (
                "The difference is what the tokeniser, or tokeniser and tagger together, make worse. With other input "
            )
            note += "the parser also decides anew: compare the last two rows of a stage before you blame a part."
            title = f"Which part of the pipeline changes its mind, {self.perturbation}"
            yield table(title, self.by_systems(rows), digits=1, note=note)

    def word_scores(self) -> Iterator[Table]:
        """What the paper leaves out as minor: UAS, LAS and BLEX before and after the change."""
        rows = [(system, metric) for system in self.systems for metric in WORD_SCORES if self.asked.has_gold]
        if not rows:
            return
        columns = [Column("system", [self.names[system] for system, _ in rows])] if len(self.systems) > 1 else []
        columns.append(Column("measure", [metric.upper() for _, metric in rows]))
        for name in SENTENCES:
            columns += measured(name, [self.get(metric, system, sentences=name) for system, metric in rows])
        for ending, kind in (("difference", SIGNED), ("p", P), ("p_holm", P)):
            found = [self.get(f"{metric}_{ending}", system) for system, metric in rows]
            columns += measured(ending.replace("_h", " H"), found, interval=ending == "difference", kind=kind)
        note = "F1 over words (%). Difference: variants above originals, in points, paired by original sentence."
        yield table(f"UAS, LAS and BLEX, {self.perturbation}", columns, note=note)

    def groups(self) -> Iterator[Table]:
        """By group of values, such as the century: all measures of one system, or one measure of several."""
        names = sorted({str(group["group"]) for group in self.index.groups("perturbation", "group")
                        if group["perturbation"] == self.perturbation})  # fmt: skip
        if len(names) < 2:
            return
        several, first = len(self.systems) > 1, next(iter(_OF_VALUES))
        cells = {
            (system, measure): [self.get(measure, system, group=name) for name in names]
            for system in self.systems
            for measure in (_OF_VALUES if not several else (first,))
        }
        sizes = [max(cell.n or 0 for cell in row if cell is not None) for row in zip(*cells.values(), strict=True)]
        columns = [Column("group", names), Column("variants", sizes)]
        for (system, measure), row in cells.items():
            columns += measured(self.names[system] if several else _OF_VALUES[measure], row)
        note = "Variants whose tree is not that of the largest cluster of its batch (%)." if several else ""
        yield table(f"By group of values, {self.perturbation}", columns, digits=1, note=note)

    def values(self) -> Iterator[Table]:
        """The values that break the parser most often."""
        keys = ("perturbation", "replacement", "group")
        first = next(iter(_OF_VALUES))
        for system in self.systems:
            groups = [group for group in self.index.groups(*keys, measure=first, system=system)
                      if group["perturbation"] == self.perturbation]  # fmt: skip
            ranked = [(group, finding) for group in groups if (finding := self.index.get(first, system, group))]
            ranked.sort(key=lambda pair: (-float(pair[1].value or 0), str(pair[0]["replacement"])))
            breaking = [(group, finding) for group, finding in ranked if finding.value]
            if not breaking:
                continue
            worst = [group for group, _ in breaking[:MOST_VALUES]]
            findings = {measure: [self.index.get(measure, system, group) for group in worst] for measure in _OF_VALUES}
            columns = [Column("value", [group["replacement"] for group in worst])]
            columns += measured("batches", findings[first], of="n")
            for measure, header in _OF_VALUES.items():
                columns += measured(header, findings[measure], interval=measure == first)
            note = f"{len(ranked)} values, {len(breaking)} of them with such a batch; all are in TSV and JSON."
            yield table(self.titled("Values whose tree is most often another", system), columns, digits=1, note=note)

    def changes(self) -> Iterator[Table]:
        """What the other clusters change of the largest one, and where."""
        clusters = {system: self.get("minority_clusters", system) for system in self.systems}
        seen = [system for system, finding in clusters.items() if finding is not None and finding.value]
        if not seen:
            return
        rows: list[Row] = [(label, measure, by) for measure, label, by in _CHANGES]
        note = "Each cluster beside the largest of its batch, counted once."
        yield table(f"What changes between clusters, {self.perturbation}", self.by_systems(rows, seen), note=note)
        for system in seen:
            places = [
                (label, group[kind], group)
                for kind, label in _DISTANCES.items()
                for group in self.index.groups("perturbation", kind, measure="words_changed", system=system)
                if group["perturbation"] == self.perturbation
            ]
            changed = [self.index.get("words_changed", system, group) for _, _, group in places]
            columns = [Column("distance", [label for label, _, _ in places]), Column("", [key for _, key, _ in places])]
            columns += [*measured("words", changed, of="n"), *measured("changed (%)", changed, interval=True)]
            yield table(self.titled("Where trees change", system), columns, digits=1)


_DIFFERENCES = {
    "right": "variants right",
    "changed": "variants with another tree",
    "consistent": "batches with one tree",
}
_OF_KINDS = {
    "right": "variants right",
    "changed": "another tree",
    "consistent": "one tree",
}


def consistency_tables(
    asked: AskedVariants, findings: Sequence[Finding], systems: Sequence[str], settings: PerturbedSettings,
    *, first: bool = True,
) -> list[Table]:  # fmt: skip
    """All tables, folded but for what `by` names and, where they come `first`, Table 1 and stages or differences.

    Of several kinds of change, one table of all of them stands for Table 1.
    """
    index = FindingIndex(finding for finding in findings if finding.suite == asked.treebank_name)
    by_column = column_groups_of(asked, settings)
    views = [ChangeTables(index, asked, perturbation, systems, settings) for perturbation in asked.perturbations]
    several, wanted = len(views) > 1, "perturbation" in settings.tables
    tables = unfolded([_kinds(views, index, systems, settings)] if several else [], first or wanted)
    tables += unfolded((view.overview() for view in views), wanted or (first and not several))
    stages = [shown for view in views for shown in view.stages()]
    tables += unfolded(_differences(views), wanted or (first and not stages))
    tables += unfolded(stages, wanted or not several)
    tables += unfolded((shown for view in views for shown in view.word_scores()), wanted)
    return [*tables, *(shown for view in views for shown in view.tables(settings.tables, by_column))]


def _kinds(
    views: Sequence[ChangeTables], index: FindingIndex, systems: Sequence[str], settings: PerturbedSettings
) -> Table:
    """A row for each kind of change and system, what changes most trees on top."""
    order: dict[str, Value] = {"order": settings.orders[0]}
    rows = [(view.by | order, system) for view in views for system in systems]

    def changed(row: tuple[dict[str, Value], str]) -> float:
        finding = index.get("changed", row[1], row[0])
        return float("inf") if finding is None or finding.value is None else -float(finding.value)

    rows.sort(key=changed)
    names = short_names(systems)
    columns = [Column("change", [by["perturbation"] for by, _ in rows])]
    if len(systems) > 1:
        columns.append(Column("system", [names[system] for _, system in rows]))

    def of(measure: str) -> list[Finding | None]:
        return [index.get(measure, system, by) for by, system in rows]

    columns += measured("variants", of("changed"), of="n")
    for measure, header in _OF_KINDS.items():
        if any(of(measure)):
            columns += measured(header, of(measure), interval=measure == "changed")
    asked = views[0].asked
    note = (
        "another tree: variants whose tree is not the original's (%); one tree: sentences whose variants all have the "
        "same tree (%)"
    )
    note += "; variants right: with the gold tree (%)." if asked.has_gold else "."
    clusters = asked.clusters(settings.independent)
    note += f" 95 %: by {clusters.name}{'; ' if clusters.note else ''}{clusters.note}."
    return table(f"{asked.treebank_name}, {len(views)} kinds of change", columns, digits=1, note=note, name="changes")


def _differences(views: Sequence[ChangeTables]) -> Iterator[Table]:
    """Differences to the first system, in all kinds of change."""
    rows = [
        (view, system, measure)
        for view in views
        for system in view.systems[1:]
        for measure in COMPARED
        if view.get(f"{measure}_difference", system) is not None
    ]
    if not rows:
        return

    def of(ending: str) -> list[Finding | None]:
        return [view.get(f"{measure}_{ending}", system) for view, system, measure in rows]

    view, several = views[0], len(views) > 1
    columns = [Column("change", [view.perturbation for view, _, _ in rows])] if several else []
    columns += [
        Column("system", [view.names[system] for view, system, _ in rows]),
        Column("measure", [_DIFFERENCES[measure] for _, _, measure in rows]),
        *measured("difference", of("difference"), interval=True, kind=SIGNED),
        *measured("p", of("p"), kind=P), *measured("p Holm", of("p_holm"), kind=P),
    ]  # fmt: skip
    unit = view.asked.clusters(view.independent, "" if several else view.perturbation).name
    note = f"Percentage points above {view.names[view.systems[0]]} on the same batches, paired by {unit}."
    yield table("Differences" if several else f"Differences, {view.perturbation}", columns, note=note)


def constant_table(
    asked: AskedVariants, findings: Sequence[Finding], system: str, token: str, settings: PerturbedSettings
) -> Table:
    """Table 7 of the paper: the sentences with the constant in place, as the parser that was trained so does them."""
    index = FindingIndex(finding for finding in findings if finding.suite == asked.treebank_name)
    perturbation = asked.perturbations[0]
    view = ChangeTables(index, asked, perturbation, [system], settings)
    title = f"{asked.treebank_name}, {token} in place of {perturbation}"
    return table(title, view.by_systems(view.rows(ORIGINALS)), digits=1, note="As Table 7 of the paper.")


_KINDS = {"originals": "Original", "variants": "Augmented"}
_PAPER_ROWS = {
    "batches": "Batches considered",
    "complete_batches": "Completely corr. batches (Q1)",
    "right_per_batch": "Corr. parsed sent. within a batch (Q2)",
    "consistent_error_batches": "Batches with consistent errors (Q3)",
    "clusters": "Number of error clusters (Q4)",
    "clusters_published": "the same, as published",
    "ncptk": "Between-cluster NCPTK (Q5)",
    "ncptk_published": "the same, as published",
}
"""What ends in batches is counted, of the others mean, SD and the like are printed."""
_MISSING = "NA"
_WITHOUT_CUT = "which leaves out sentences that were cut in several, and all variants of an original that was."
_REMEDIED = {"Table 6": f" {AUGMENT}", "Table 7": f" {SUBSTITUTE}"}
"""How systems are called that were trained with a remedy."""


class PaperTables:
    """One perturbation and order of siblings in the paper's layout; `columns` are heading, system and treebank."""

    def __init__(
        self, findings: Sequence[Finding], columns: Sequence[tuple[str, str, str]], perturbation: str, order: str
    ) -> None:
        self.index, self.columns, self.perturbation = FindingIndex(findings), columns, perturbation
        self.by: dict[str, Value] = {"perturbation": perturbation, "order": order}

    def get(self, measure: str, system: str, treebank: str, **more: Value) -> Value:
        finding = self.index.get(measure, system, {**self.by, **more}, treebank)
        return None if finding is None else finding.value

    def titled(self, title: str) -> str:
        systems = dict.fromkeys(system for _, system, _ in self.columns)
        return f"{title}, {self.perturbation}" + (f": {next(iter(systems))}" if len(systems) == 1 else "")

    def counts(self, numbers: str, kinds: dict[str, str] | None = None) -> Table:
        """As Tables 1 and 6, or with the constant in place as Table 7: what was right of what was considered."""
        kinds = kinds or _KINDS
        columns = [Column("metric", [label for name in kinds.values() for label in _labels(name)])]
        for header, system, treebank in self.columns:
            columns.append(Column(header, [cell for kind in kinds for cell in self._counted(kind, system, treebank)]))
        note = f"Laid out as {numbers} of the paper, {_WITHOUT_CUT}"
        return table(self.titled("Results of parsing"), columns, note=note, digits=1)

    def _counted(self, kind: str, system: str, treebank: str) -> list[Value]:
        parts = ("", "_wrong_segmentation", "_considered", "_right")
        layout: Mapping[str, Value] = PAPER_LAYOUT if kind == "variants" else {}
        total, cut, considered, right = (self.get(f"{kind}{part}", system, treebank, **layout) for part in parts)
        if not isinstance(considered, int) or not isinstance(right, int):
            return [_MISSING] * 5
        return [total, cut, considered, right, f"{100 * right / considered:.1f}%" if considered else _MISSING]

    def questions(self, numbers: str) -> Table:
        """As Tables 2 to 5 and 8 to 11: Q1 to Q5, Original + and Original - of every treebank."""
        labels = list[str]()
        for measure, label in _PAPER_ROWS.items():
            labels += [label] if measure.endswith("batches") else [label, "  Mean (SD)", "  Median (Min - Max)"]
        columns = [Column("metric", labels)]
        for header, system, treebank in self.columns:
            for original, sign in (("right", "+"), ("wrong", "-")):
                cells = [cell for measure in _PAPER_ROWS for cell in self._cells(measure, system, treebank, original)]
                columns.append(Column(f"{header} {sign}", cells))
        note = f"Laid out as {numbers} of the paper, {_WITHOUT_CUT} +, -: the original was parsed right, or not. "
        note += "Error clusters are classes of equal trees. The published count can be lower: the authors' script "
        note += "looks for cliques among pairs of equal trees, and a tree that equals no other is in no pair."
        return table(self.titled("Detailed analysis"), columns, note=note)

    def _cells(self, measure: str, system: str, treebank: str, original: str) -> list[Value]:
        def got(more: str = "") -> Value:
            return self.get(f"{measure}{more}", system, treebank, original=original, **PAPER_LAYOUT)

        if measure.endswith("batches"):
            value = got()
            none = measure != "batches" and not self.get("batches", system, treebank, original=original, **PAPER_LAYOUT)
            return [_MISSING if value is None or none else value]
        if got() is None:
            return ["", _MISSING, _MISSING]
        ends = f"{_short(got('_min'))} - {_short(got('_max'))}"
        return ["", f"{_short(got())} ({_short(got('_sd'))})", f"{_short(got('_median'))} ({ends})"]


def study_tables(
    findings: Sequence[Finding], treebank: str, systems: Sequence[str], perturbations: Sequence[str], order: str
) -> Iterator[Table]:
    """Tables 1 to 5 of parsers that were asked about one treebank."""
    for perturbation in perturbations:
        for system in systems:
            tables = PaperTables(findings, [(treebank, system, treebank)], perturbation, order)
            yield tables.counts("Table 1")
            yield tables.questions("Tables 2 to 5")


def tables_of_runs(findings: Sequence[Finding]) -> list[Table]:
    """Return Tables 1, 6 and 7 with the treebanks and systems of several runs side by side."""
    groups: dict[tuple[str, str, str], list[tuple[str, str]]] = {}
    for one in findings:
        if one.study == STUDY and one.measure == "originals":
            numbers = next((number for number in _REMEDIED if one.system.endswith(_REMEDIED[number])), "Table 1")
            pairs = groups.setdefault((str(one.by["perturbation"]), str(one.by["order"]), numbers), [])
            if (one.suite, one.system) in pairs:
                where, todo = f"{one.suite}, {one.system}", "name each run once, and give the systems different names"
                raise UsageError("two runs have the same treebank and system", where=where, todo=todo)
            pairs.append((one.suite, one.system))
    if not groups:
        raise UsageError("no run is of consistency", todo="name runs of consistency")
    tables = []
    for (perturbation, order, numbers), pairs in sorted(groups.items(), key=lambda group: group[0][2]):
        suites = [suite for suite, _ in pairs]
        columns = [(suite if suites.count(suite) == 1 else f"{suite}, {name}", name, suite) for suite, name in pairs]
        kinds = {"originals": "Substituted"} if numbers == "Table 7" else None
        tables.append(PaperTables(findings, columns, perturbation, order).counts(numbers, kinds))
    return tables


def _labels(name: str) -> list[str]:
    return [
        f"{name} in total", "Wrong sent. segm.", f"{name} considered", "Corr. parsed sent.", "Corr. parsed sent. (%)",
    ]  # fmt: skip


def _short(value: Value) -> str:
    """Two places, as the paper has them, and none of a whole number."""
    number = float(value or 0)
    return f"{number:.2f}".rstrip("0").rstrip(".")
