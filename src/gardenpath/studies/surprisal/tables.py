"""The tables and verdicts of the surprisal study."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ...runs.result.layout import (
    INTERVAL,
    SIGNED,
    WITH_INTERVALS,
    Column,
    FindingIndex,
    P,
    measured,
    short_names,
    systems_by_measures,
    table,
    unfolded,
)
from ...runs.result.result import Finding, Table, Value, Verdict
from ...runs.result.verdict import MEASURED, SHOWN, difference_text, listed
from ...suites.regions.model import RegionSuite
from ..engine.grouping import ColumnGroups, column_table
from ..engine.verdicts import MeasureWords, SystemVerdicts, against_chance, by_chance, effect_of
from .declaration import SurprisalSettings
from .findings import (
    EFFECT,
    HUMAN,
    OVER_ITEMS,
    are_pairs,
    directed_comparisons,
    needs_comparisons,
    suite_keys,
    suites_name,
)
from .scores import SuiteScores, groups_of, ladders_of

_ACROSS = 8
"""So many groups stand side by side; more stand below each other."""
_NORMALISED = {
    "accuracy": "over paradigms", OVER_ITEMS: "over pairs", "accuracy_per_token": "per token",
    "accuracy_per_character": "per character", "accuracy_per_byte": "per byte", "ties": "ties",
}  # fmt: skip
_MODIFIED = {"": "all", "no": "without modifier", "yes": "with modifier"}


def surprisal_tables(
    findings: Sequence[Finding], suites: Sequence[RegionSuite], by: Sequence[str], scores: SuiteScores,
    by_column: ColumnGroups | None = None,
) -> list[Table]:  # fmt: skip
    """The systems, then the tables of each grouping that there is, folded if nobody asked for them."""
    layout = _Layout(findings, suites, scores)
    makers = {
        "class": layout.classes, "modifier": layout.modifiers, "suite": layout.by_suite,
        "prediction": layout.predictions, "kind": layout.kinds, "complexity": layout.steps,
        "difference": layout.differences, "effect": layout.effects,
    }  # fmt: skip
    shown = [layout.overall(), *([layout.columns(by_column)] if by_column else [])]
    return [*shown, *(made for name, maker in makers.items() for made in unfolded(maker(), name in by))]


class _Layout:
    """The findings of all systems, and the suites they are of."""

    def __init__(self, findings: Sequence[Finding], suites: Sequence[RegionSuite], scores: SuiteScores) -> None:
        self.over, self.few = scores.clusters.name, scores.clusters.note
        self.seeds = {system: len(by_suite[0]) for system, by_suite in scores.outcomes.items()}
        self.crossed = not scores.independent
        self.index, self.suites, self.whole = FindingIndex(findings), suites, suites_name(suites)
        self.systems = self.index.systems
        self.names = short_names(self.systems)
        self.several = len(self.systems) > 1

    def overall(self) -> Table:
        measures = {"seeds": "seeds", "accuracy": "accuracy"}
        if {len(suite.predictions) for suite in self.suites} != {1}:
            measures["items_right"] = "items right"
        measures |= {f"accuracy_per_{kind}": f"per {kind}" for kind in ("token", "character", "byte")}
        ties = [self.index.get("ties", system, suite=self.whole) for system in self.systems]
        if any(finding is not None and finding.value for finding in ties):
            measures["ties"] = "ties"
        measures |= {"accuracy_known": "known words", "oov_items": "OOV items"}
        columns = systems_by_measures(self.index, measures, systems=self.systems, intervals=["accuracy"])
        items = self.index.get("accuracy", self.systems[0], suite=self.whole)
        title = f"{self.whole}: {items.n if items else 0:,} items"
        note = "Per cent of the predictions that hold, the mean over the suites"
        over = self._over() if any(column.kind == INTERVAL for column in columns) else ""
        return table(title, columns, note="; ".join(part for part in (f"{note}{over}", self.few) if part))

    def _over(self) -> str:
        """What intervals are over; who has one seed only, so that nothing is known of another."""
        single = [self.names[system] for system, seeds in self.seeds.items() if seeds == 1]
        if not self.crossed:
            return "; intervals are over items, not over seeds"
        if len(single) == len(self.seeds):
            return f"; intervals are over {self.over}s (one seed)"
        alone = f" (one seed: {', '.join(single)})" if single else ""
        return f"; intervals are over {self.over}s and seeds{alone}"

    def columns(self, by: ColumnGroups) -> Table:
        """One row for each group of items, whatever suites they are of."""
        note = f"The mean over items{self._over()}"
        return column_table(self.index, by, "accuracy", "accuracy", "items", more={"ties": "ties"}, note=note)

    def classes(self) -> list[Table]:
        """Of a benchmark of pairs the table that is published; else the layout of the paper on Mandarin."""
        if not are_pairs(self.suites) or len(self.suites) == 1 or self.index.groups("class", "word", measure=EFFECT):
            return self._across("class", "Accuracy by class")
        return self._phenomena()

    def _phenomena(self) -> list[Table]:
        """Phenomena down: their size, people, and the systems; then each system under every normalisation."""
        groups: list[dict[str, Value]] = self.index.groups("class", measure="accuracy")
        if not groups:
            return []
        groups = [*groups, {}]
        sizes = [
            sum(suite.property_of("class") == group.get("class") or not group for suite in self.suites)
            for group in groups
        ]
        head = [Column("phenomenon", [group.get("class", "all") for group in groups]), Column("paradigms", sizes)]
        first = [self.index.get("accuracy", self.systems[0], group, self.whole) for group in groups]
        columns = [*head, *measured("pairs", first, of="n")]
        people = [self.index.get(HUMAN, "", group, self.whole) for group in groups]
        columns += measured("human", people) if any(people) else []
        for system in self.systems:
            findings = [self.index.get("accuracy", system, group, self.whole) for group in groups]
            shown = self.names[system] if self.several else "accuracy"
            columns += measured(shown, findings, interval=len(self.systems) <= WITH_INTERVALS)
        note = f"The mean over paradigms{self._over()}; guessing gives 50"
        made = [table("Accuracy by phenomenon", columns, note=note, name="by-phenomenon")]
        rows = [(group, system) for group in groups for system in self.systems]
        columns = [Column("phenomenon", [group.get("class", "all") for group, _ in rows])]
        columns += [Column("system", [self.names[system] for _, system in rows])] if self.several else []
        for measure, title in _NORMALISED.items():
            scores = [self.index.get(measure, system, group, self.whole) for group, system in rows]
            if measure == OVER_ITEMS:  # one paradigm has one mean
                own = [self.index.get("accuracy", system, group, self.whole) for group, system in rows]
                scores = [score or alone for score, alone in zip(scores, own, strict=True)]
            columns += measured(title, scores) if any(scores) else []
        note = "Over paradigms: the mean of the means of paradigms; over pairs: the mean of all pairs"
        if self.index.get("accuracy_per_token", self.systems[0], suite=self.whole):
            note += "; per token, character and byte: surprisal divided by the length of the sentence, over paradigms"
        return [*made, table("Other ways to count", columns, note=note, name="normalised")]

    def modifiers(self) -> list[Table]:
        return self._across("modifier", "Accuracy by modifier")

    def _across(self, key: str, title: str) -> list[Table]:
        """Systems down, groups across: the layout of the paper's Table 6; the other way round where that is wide."""
        groups = self.index.groups(key, measure="accuracy")
        cells = {
            (system, group[key]): self.index.get("accuracy", system, group, self.whole)
            for system in self.systems
            for group in groups
        }
        values = [group[key] for group in groups]
        if not values:
            return []
        if len(values) > _ACROSS:
            columns = [Column(key, values)]
            for system in self.systems:
                columns += measured(self.names[system], [cells[system, value] for value in values])
        else:
            columns = [Column("system", list(self.names.values()))]
            for value in values:
                columns += measured(str(value), [cells[system, value] for system in self.systems])
        return [table(title, columns)]

    def by_suite(self) -> list[Table]:
        rows = {
            system: [self.index.get("accuracy", system, suite_keys(suite), suite.title) for suite in self.suites]
            for system in self.systems
        }
        columns = [Column("suite", [suite.title for suite in self.suites])]
        columns += measured("items", rows[self.systems[0]], of="n")
        columns += self._accuracies(rows)
        note = "; ".join(f"{number}: {name}" for number, name in enumerate(self.names.values(), 1))
        return [table("Accuracy by suite", columns, note=note if self.several else "")]

    def _accuracies(self, rows: dict[str, list[Finding | None]]) -> list[Column]:
        """The accuracy of each system with its interval, side by side."""
        columns = []
        for number, findings in enumerate(rows.values(), 1):
            columns += measured(f"accuracy {number}" if self.several else "accuracy", findings, interval=True)
        return columns

    def predictions(self) -> list[Table]:
        asked = [
            (suite, number, prediction)
            for suite in self.suites
            for number, prediction in enumerate(suite.predictions, 1)
        ]
        columns = [
            Column("suite", [suite.title for suite, _, _ in asked]),
            Column("prediction", [number for _, number, _ in asked]),
            Column("formula", [" ".join(prediction.formula.split()) for _, _, prediction in asked]),
        ]
        for system in self.systems:
            findings = [
                self.index.get("accuracy", system, {**suite_keys(suite), "prediction": number}, suite.title)
                for suite, number, _ in asked
            ]
            columns += measured(self.names[system] if self.several else "accuracy", findings)
        return [table("Accuracy by prediction", columns)]

    def kinds(self) -> list[Table]:
        groups = [group.by for group in groups_of(self.suites) if "kind" in group.by]
        groups.sort(key=lambda group: list(_MODIFIED).index(str(group.get("modified", ""))))
        if not groups:
            return []
        columns = [
            Column("kind", [group["kind"] for group in groups]),
            Column("suites of it", [_MODIFIED[str(group.get("modified", ""))] for group in groups]),
            *measured("suites", [self.index.get("suites", "", group, self.whole) for group in groups]),
        ]
        columns += self._accuracies(
            {system: [self.index.get("accuracy", system, group, self.whole) for group in groups]
             for system in self.systems}
        )  # fmt: skip
        made = [table("Syntactic and semantic classes", columns)]
        against: dict[str, Value] = {"kind": "syntactic", "against": "semantic"}
        gaps = [self.index.get("accuracy_gap", system, against, self.whole) for system in self.systems]
        if any(gaps):
            columns = [Column("system", list(self.names.values()))]
            columns += measured("difference", gaps, interval=True, kind=SIGNED)
            made.append(table("Accuracy of syntactic minus semantic classes", columns))
        return made

    def steps(self) -> list[Table]:
        ladders = ladders_of(self.suites)
        if not ladders:
            return []
        groups = self.index.groups("class", "complexity", "modifier", measure="accuracy")
        rows = [(group, system) for group in groups for system in self.systems]
        columns = [Column(key, [group[key] for group, _ in rows]) for key in ("class", "complexity", "modifier")]
        columns.append(Column("system", [self.names[system] for _, system in rows]))
        columns += measured(
            "accuracy", [self.index.get("accuracy", system, group, self.whole) for group, system in rows], interval=True
        )
        columns += measured(
            "difference", [self.index.get("difference", system, group, self.whole) for group, system in rows]
        )
        note = "Difference: mean surprisal, worse minus better."
        climbs = [(name, system) for name in ladders for system in self.systems]
        slopes = [self.index.get("accuracy_per_step", system, {"class": name}, self.whole) for name, system in climbs]
        changes = [
            Column("class", [name for name, _ in climbs]),
            Column("system", [self.names[system] for _, system in climbs]),
            *measured("change", slopes, interval=True, kind=SIGNED),
        ]  # fmt: skip
        return [
            table("By complexity of the modifier", columns, note=note),
            table("Change of accuracy per step of complexity", changes),
        ]

    def differences(self) -> list[Table]:
        """Mean differences with t-tests, by class where there are classes, else by suite and comparison."""
        classes = self.index.groups("class", measure="difference")
        places: list[tuple[Value, str, dict[str, Value]]] = [(group["class"], self.whole, group) for group in classes]
        for suite in self.suites if not classes else ():
            directed = directed_comparisons(suite)
            if not needs_comparisons(suite):
                places.append((suite.title, suite.title, {}))
                continue
            for number, part in directed:
                label = f"{suite.title}, {number}.{part}" if len(directed) > 1 else suite.title
                places.append((label, suite.title, {"prediction": number, "comparison": part}))
        rows = [(label, suite, group, system) for system in self.systems for label, suite, group in places]
        if not rows:
            return []

        def found(measure: str) -> list[Finding | None]:
            return [self.index.get(measure, system, group, suite) for _, suite, group, system in rows]

        columns = [
            Column("class" if classes else "suite", [label for label, *_ in rows]),
            Column("system", [self.names[system] for *_, system in rows]),
            *measured("items", found("difference"), of="n"),
            *measured("difference", found("difference"), interval=True),
            *measured("t", found("difference_t")),
            *measured("p", found("difference_p"), kind=P),
        ]
        note = "Surprisal where it should be greater minus where it should be less, mean over seeds; t-test"
        note += self._over().replace("; intervals are", "")
        return [table("Mean surprisal difference at the target", columns, digits=3, note=note)]

    def effects(self) -> list[Table]:
        """A row for each class and system, the words from the disambiguating one on side by side."""
        groups = self.index.groups("class", "word", measure=EFFECT)
        words = list(dict.fromkeys(group["word"] for group in groups))
        rows = [(name, system) for name in dict.fromkeys(group["class"] for group in groups) for system in self.systems]
        if not rows:
            return []
        columns = [Column("class", [name for name, _ in rows])]
        columns += [Column("system", [self.names[system] for _, system in rows])] if self.several else []
        for place, word in enumerate(words):
            findings = [
                self.index.get(EFFECT, system, {"class": name, "word": word}, self.whole) for name, system in rows
            ]
            columns += measured("items", findings, of="n") if not place else []
            columns += measured(str(word), findings, interval=True, kind=SIGNED)
        note = "Bits in the harder condition minus bits in the easier one, over items with the same word in both"
        return [table("Effects word by word", columns, note=f"{note}{self._over()}", name="effects")]


_LEAST = 10
"""Items of a class before it is called the best or the worst."""
_TIES, _UNKNOWN, _ALL = 1.0, 5.0, 100.0
"""Per cent of ties, and of items with unknown words, that are worth a sentence."""
_TIE = {"half": "each counts as half right", "coin": "each is decided by a coin flip", "strict": "each counts as wrong"}


def surprisal_verdicts(findings: Sequence[Finding], cluster: str, settings: SurprisalSettings) -> Iterator[Verdict]:
    """Accuracy against chance, differences to the first system, best and worst class, ties, and what is not known."""
    counts = {finding.system: finding.value for finding in findings if finding.measure == "seeds"}
    seeds = {} if settings.independent else {name: n for name, n in counts.items() if isinstance(n, int)}
    verdicts = SystemVerdicts(findings, MeasureWords("accuracy", "accuracy", "item", cluster, seeds=seeds))
    index = verdicts.index
    tested = {
        system: chance
        for system in index.systems
        if (chance := against_chance(verdicts, system, lost=_lost(index, system, settings)))
    }
    yield from by_chance(list(tested.values()))
    unknown = {verdicts.names[system] for system in index.systems if system not in tested}
    yield from verdicts.scores({name: score for name, score in verdicts.overall().items() if name in unknown})
    first = index.systems[0] if index.systems else ""
    yield from verdicts.differences(index.systems, first)
    for system in index.systems:
        yield from verdicts.group_differences(system, first)
        yield from _classes(verdicts, system, settings)
        yield from _not_scored(verdicts.names[system], index.get("items_failed", system))
    for system in index.systems:
        yield from _effects(verdicts, system)
    yield from _reservations(findings, cluster, settings.ties)


def _effects(verdicts: SystemVerdicts, system: str) -> Iterator[Verdict]:
    """How many bits more the first word that was asked for costs, in the classes in which that is shown."""
    groups = verdicts.index.groups("class", "word", measure=EFFECT, system=system)
    first = [group for group in groups if group["word"] == groups[0]["word"]]
    effects = [effect for group in first if (effect := effect_of(verdicts.index, EFFECT, f"{EFFECT}_p", system, group))]
    shown = sorted((effect for effect in effects if effect.sure == SHOWN), key=lambda effect: -effect.size)
    if shown:
        bits = listed([f"{effect.finding.by['class']} {difference_text(effect.finding)}" for effect in shown])
        text = f"{verdicts.names[system]}: effect at the {groups[0]['word']} in bits, where one is shown: {bits}."
        rests_on = tuple(finding for effect in shown for finding in effect.rests_on)
        yield Verdict(text, SHOWN, rests_on, weight=max(abs(effect.size) for effect in shown))


def _lost(
    index: FindingIndex, system: str, settings: SurprisalSettings, by: Mapping[str, Value] | None = None
) -> float:
    """Points that a system would have by chance in what counts as wrong without being so: ties, if they do, and
    items that could not be scored."""
    ties, failed = index.get("ties", system, by), index.get("items_failed", system, by)
    tied = float(ties.value or 0) if ties is not None and settings.ties == "strict" else 0.0
    unscored = 100 * float(failed.value or 0) / failed.n if failed is not None and failed.n else 0.0
    return (tied + unscored) / 2


def _classes(verdicts: SystemVerdicts, system: str, settings: SurprisalSettings) -> Iterator[Verdict]:
    """The worst class (below chance, if it is), and the best; suites where there are no classes."""
    index = verdicts.index
    classes = {f"class {by['class']}": by for by in index.groups("class", measure="accuracy", system=system)}
    lost = {name: _lost(index, system, settings, by) for name, by in classes.items()}
    tests = {
        name: test for name, by in classes.items() if (test := against_chance(verdicts, system, by, lost=lost[name]))
    }
    below = [name for name, test in tests.items() if test.side == "below"]
    overall = index.get("accuracy", system)
    if below:
        worst = min(below, key=lambda name: tests[name].gap)
        yield from by_chance([tests[worst]], f" at {worst}")
    scores = {name: score for name, by in classes.items() if (score := index.get("accuracy", system, by))} or {
        f"suite {score.suite}": score
        for score in index.findings
        if score.measure == "accuracy" and score.system == system and overall and score.suite != overall.suite
        and "prediction" not in score.by
    }  # fmt: skip
    if not below:
        examples = {name: f"wrong:{name.partition(' ')[2]}" for name in scores}
        yield from verdicts.extreme(verdicts.names[system], overall, scores, least=_LEAST, examples=examples)
    yield from verdicts.extreme(verdicts.names[system], overall, scores, least=_LEAST, low=False)


def _not_scored(system: str, failed: Finding | None) -> Iterator[Verdict]:
    if failed is not None and failed.value:
        text = f"{system}: {failed.value:,} of {failed.n:,} items could not be scored, and count as wrong."
        yield Verdict(text, MEASURED, (failed,), weight=100 * float(failed.value) / (failed.n or 1))


def _reservations(findings: Sequence[Finding], cluster: str, worth: str) -> Iterator[Verdict]:
    """How many predictions are ties, and the accuracy on items without unknown words, where there are many."""
    alone = "{system}: {value} % {interval} of the predictions are ties (mean over suites), {size}"
    tied = SystemVerdicts(findings, MeasureWords("ties", "per cent of ties", "item", cluster, alone=alone))
    yield from tied.scores(
        {name: ties for name, ties in tied.overall().items() if float(ties.value or 0) >= _TIES},
        f"; {_TIE[worth]}", weight=1.0,
    )  # fmt: skip
    name = "accuracy where all words are known"
    known = SystemVerdicts(findings, MeasureWords("accuracy_known", name, "item", cluster))
    unknown = {system: known.index.get("oov_items", system) for system in known.index.systems}
    many = {known.names[name] for name, share in unknown.items() if share and float(share.value or 0) >= _UNKNOWN}
    yield from known.scores({name: score for name, score in known.overall().items() if name in many}, weight=0.0)
    for system, share in unknown.items():
        if share and float(share.value or 0) >= _ALL:
            text = (
                f"{known.names[system]}: every item has a word that the model does not know. "
                "--tokens punctuation splits punctuation off."
            )
            yield Verdict(text, MEASURED, (share,), weight=50.0)
