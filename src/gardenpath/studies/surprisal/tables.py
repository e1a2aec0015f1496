"""The tables of the surprisal study for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...runs.result import Table, Value
from .difference import mean_difference
from .entrants import short_names
from .outcomes import comparison_names
from .scores import Score, Scores, groups_of, ladders_of

if TYPE_CHECKING:
    from .study import Judged


def tables(scores: Scores, found: Judged, by: Sequence[str]) -> list[Table]:
    """The systems, then a table for each grouping that was asked for and that there is."""
    made = [_systems(scores, found)]
    for name in by:
        table = {
            "class": _classes, "modifier": _modifiers, "suite": _suites, "prediction": _predictions, "kind": _kinds,
            "complexity": _steps, "difference": _differences,
        }[name](scores, found)  # fmt: skip
        if table is not None:
            made.append(table)
    return made


def span(low: float | None, high: float | None, digits: int = 2) -> str | None:
    return None if low is None or high is None else f"[{low:.{digits}f}, {high:.{digits}f}]"


def _systems(scores: Scores, found: Judged) -> Table:
    everything = range(len(scores.suites))
    names = short_names(list(found.outcomes))
    predictions = {len(suite.predictions) for suite in scores.suites}
    measures = {"accuracy": "accuracy"}
    if predictions != {1}:
        measures["items_right"] = "items right"
    measures |= {f"accuracy_per_{kind}": f"per {kind}" for kind in ("token", "character", "byte")}
    measures |= {"ties": "ties", "accuracy_known": "known words", "oov_items": "OOV items"}
    cells = {(system, key): scores.score(system, everything, key) for system in found.outcomes for key in measures}
    shown = [key for key in measures if any(cells[system, key].value is not None for system in found.outcomes)]
    if not any(cells[system, "ties"].value for system in found.outcomes):
        shown.remove("ties")
    columns = ["#", "system", "seeds", "accuracy", "95 %", *(measures[key] for key in shown[1:])]
    rows: list[list[Value]] = []
    for number, system in enumerate(found.outcomes, 1):
        first = cells[system, "accuracy"]
        rest = [cells[system, key].value for key in shown[1:]]
        row = [number, names[system], len(found.seeds[system]), first.value, span(first.low, first.high), *rest]
        rows.append(row)
    items = sum(map(len, scores.suites))
    title = f"{_what(scores)}: {items:,} items"
    note = "Per cent of the predictions that hold, the mean over the suites; intervals are over items."
    if not scores.draws:
        columns.remove("95 %")
        rows = [[cell for place, cell in enumerate(row) if place != 4] for row in rows]
        note = note.partition(";")[0] + "."
    return Table(title, columns, rows, note=note)


def _what(scores: Scores) -> str:
    return scores.suites[0].title if len(scores.suites) == 1 else f"{len(scores.suites)} suites"


def _cell(score: Score) -> str | None:
    return None if score.value is None else f"{score.value:.2f}"


def _across(scores: Scores, found: Judged, key: str, title: str) -> Table | None:
    """Systems down, groups across: the layout of the paper's Table 6."""
    groups = [one for one in groups_of(scores.suites) if tuple(one.by) == (key,)]
    if not groups:
        return None
    names = short_names(list(found.outcomes))
    columns = ["system", *(str(one.by[key]) for one in groups)]
    if len(groups) > 8:  # too wide: groups down, systems across
        rows: list[list[Value]] = [
            [one.by[key], *(_cell(scores.score(system, one.places, "accuracy")) for system in found.outcomes)]
            for one in groups
        ]
        return Table(title, [key, *names.values()], rows)
    rows = [
        [names[system], *(_cell(scores.score(system, one.places, "accuracy")) for one in groups)]
        for system in found.outcomes
    ]
    return Table(title, columns, rows)


def _classes(scores: Scores, found: Judged) -> Table | None:
    return _across(scores, found, "class", "Accuracy by class")


def _modifiers(scores: Scores, found: Judged) -> Table | None:
    return _across(scores, found, "modifier", "Accuracy by modifier")


def _suites(scores: Scores, found: Judged) -> Table:
    names = short_names(list(found.outcomes))
    several = len(names) > 1
    columns = ["suite", "items"]
    for number, _ in enumerate(names, 1):
        columns += [f"accuracy {number}" if several else "accuracy", *(["95 %"] if scores.draws else [])]
    rows: list[list[Value]] = []
    for place, suite in enumerate(scores.suites):
        row: list[Value] = [suite.title, len(suite)]
        for system in names:
            score = scores.score(system, (place,), "accuracy")
            row += [score.value, *([span(score.low, score.high)] if scores.draws else [])]
        rows.append(row)
    note = "; ".join(f"{number}: {name}" for number, name in enumerate(names.values(), 1)) if several else ""
    return Table("Accuracy by suite", columns, rows, note=note)


def _predictions(scores: Scores, found: Judged) -> Table:
    names = short_names(list(found.outcomes))
    rows: list[list[Value]] = []
    for place, suite in enumerate(scores.suites):
        for number, prediction in enumerate(suite.predictions, 1):
            cells = [scores.score(system, (place,), f"prediction {number}").value for system in names]
            rows.append([suite.title, number, " ".join(prediction.formula.split()), *cells])
    columns = ["suite", "prediction", "formula", *(names.values() if len(names) > 1 else ["accuracy"])]
    return Table("Accuracy by prediction", columns, rows)


def _kinds(scores: Scores, found: Judged) -> Table | None:
    groups = [one for one in groups_of(scores.suites) if next(iter(one.by)) == "kind"]
    if not groups:
        return None
    names = short_names(list(found.outcomes))
    rows: list[list[Value]] = []
    for one in groups:
        modified = {"no": "without modifier", "yes": "with modifier"}.get(str(one.by.get("modified", "")), "all")
        cells: list[Value] = []
        for system in names:
            score = scores.score(system, one.places, "accuracy")
            cells += [score.value, *([span(score.low, score.high)] if scores.draws else [])]
        rows.append([one.by["kind"], modified, len(one.places), *cells])
    order = ["all", "without modifier", "with modifier"]
    rows.sort(key=lambda row: order.index(str(row[1])))
    columns = ["kind", "suites of it", "suites"]
    for number, _ in enumerate(names, 1):
        columns += [f"accuracy {number}" if len(names) > 1 else "accuracy", *(["95 %"] if scores.draws else [])]
    sides = {
        kind: [place for place, one in enumerate(scores.suites) if one.property_of("kind") == kind]
        for kind in ("syntactic", "semantic")
    }
    note = ""
    if all(sides.values()):
        gaps = [scores.gap(system, sides["syntactic"], sides["semantic"]) for system in names]
        told = [
            f"{name} {gap.value:+.2f}{' ' + str(span(gap.low, gap.high)) if scores.draws else ''}"
            for name, gap in zip(names.values(), gaps, strict=True)
        ]
        note = "Syntactic minus semantic: " + "; ".join(told) + "."
    return Table("Syntactic and semantic classes", columns, rows, note=note)


def _steps(scores: Scores, found: Judged) -> Table | None:
    ladders = ladders_of(scores.suites)
    if not ladders:
        return None
    names = short_names(list(found.outcomes))
    rows: list[list[Value]] = []
    slopes = []
    for name, ladder in ladders.items():
        for step, place in ladder:
            modifier = scores.suites[place].property_of("modifier")
            for system, shown in names.items():
                score, test = scores.score(system, (place,), "accuracy"), scores.difference(system, (place,))
                rows.append([name, f"{step:g}", modifier, shown, score.value, span(score.low, score.high), test.mean])
        for system, shown in names.items():
            slope = scores.slope(system, [place for _, place in ladder], [step for step, _ in ladder])
            slopes.append(f"{name}, {shown}: {slope.value:+.2f} {span(slope.low, slope.high) or ''}".rstrip())
    columns = ["class", "complexity", "modifier", "system", "accuracy", "95 %", "difference"]
    note = "Change of accuracy per step: " + "; ".join(slopes) + ". Difference: mean surprisal, worse minus better."
    return Table("By complexity of the modifier", columns, rows, note=note)


def _differences(scores: Scores, found: Judged) -> Table | None:
    """Mean differences with t-tests, by class where there are classes, else by suite and comparison."""
    names = short_names(list(found.outcomes))
    groups = [one for one in groups_of(scores.suites) if tuple(one.by) == ("class",)]
    rows: list[list[Value]] = []
    for system, shown in names.items():
        for one in groups:
            test = scores.difference(system, one.places)
            rows.append([one.by["class"], shown, test.n, test.mean, span(test.low, test.high, 3), test.t, _p(test.p)])
        for place, suite in enumerate(scores.suites) if not groups else ():
            columns = scores.differences(system, place)
            directed = [(number, part) for number, part, yes in comparison_names(suite) if yes]
            for at, (number, part) in enumerate(directed):
                test = mean_difference(columns[:, at])
                label = f"{suite.title}, {number}.{part}" if len(directed) > 1 else suite.title
                rows.append([label, shown, test.n, test.mean, span(test.low, test.high, 3), test.t, _p(test.p)])
    columns_shown = ["class" if groups else "suite", "system", "items", "difference", "95 %", "t", "p"]
    note = "Surprisal where it should be greater minus where it should be less, mean over seeds, t-test over items."
    return Table("Mean surprisal difference at the target", columns_shown, rows, digits=3, note=note) if rows else None


def _p(value: float | None) -> str | None:
    return None if value is None else "< .001" if value < 0.001 else f"{value:.3f}"
