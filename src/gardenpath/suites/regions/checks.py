"""Checks of region suites: predictions and regions, pairs and their targets, decisive words and arcs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

from ...errors import InputError
from ..registry import Hit, check_of_regions
from .formula import ALL, atoms_of, comparisons_of
from .hierarchy import paradigms_of
from .model import Item, Prediction, RegionSuite
from .pairs import (
    bare_name,
    cell_text,
    columns_of,
    folded,
    has_target,
    is_pairs_file,
    names_target,
    pair_of,
    paired_columns,
    target_words,
)
from .positions import FORMAT, KEY, arc_of, carries_arcs

_NEARLY = 0.9
"""Where a region is the same in two conditions of this share of the items, it is meant to be so in all."""
_ONE_WORD = {"cls": (("good1", "bad1"), ("good2", "bad2")), **dict.fromkeys(("gpo", "gps", "vo"), (("good", "bad"),))}
"""Classes of the Mandarin suites whose conditions differ in one word."""


def _formulas(suite: RegionSuite) -> Iterator[tuple[int, Prediction]]:
    """The predictions whose formula can be read."""
    for number, prediction in enumerate(suite.predictions, 1):
        try:
            _ = prediction.tree
        except InputError:
            continue
        yield number, prediction


@check_of_regions("no-prediction", "a suite that predicts nothing", "add a formula to predictions")
def no_prediction(suite: RegionSuite) -> Iterator[Hit]:
    if not suite.predictions:
        yield Hit(-1, "no prediction: nothing can be right or wrong")


@check_of_regions("wrong-formula", "a formula that cannot be read", "correct it at the place shown")
def wrong_formula(suite: RegionSuite) -> Iterator[Hit]:
    for number, prediction in enumerate(suite.predictions, 1):
        try:
            _ = prediction.tree
        except InputError as error:
            yield Hit(-1, f"prediction {number}: {error.what}", todo=error.todo)


@check_of_regions("unknown-name", "a formula that names no condition or region of the suite", "correct the name")
def unknown_names(suite: RegionSuite) -> Iterator[Hit]:
    from difflib import get_close_matches

    names, numbers = suite.condition_names, {ALL, *suite.region_numbers}
    for number, prediction in _formulas(suite):
        for atom in dict.fromkeys(atoms_of(prediction.tree)):
            if atom.condition not in names:
                near = get_close_matches(atom.condition, names, n=1)
                todo = f"did you mean {near[0]}?" if near else f"known: {', '.join(names)}"
                yield Hit(-1, f"prediction {number}: no condition {atom.condition}", todo=todo)
            if atom.region not in numbers:
                todo = f"regions are {', '.join(map(str, suite.region_numbers))}, or *"
                yield Hit(-1, f"prediction {number}: no region {atom.region}", todo=todo)


@check_of_regions("missing-condition", "an item without a condition that others have, or with one twice", "complete it")
def missing_conditions(suite: RegionSuite) -> Iterator[Hit]:
    for place, item in enumerate(suite.items):
        count = Counter(condition.name for condition in item.conditions)
        for name in suite.condition_names:
            if count[name] != 1:
                yield Hit(place, f"no condition {name}" if not count[name] else f"{count[name]} conditions {name}")


@check_of_regions("region-numbers", "regions that are not counted from 1 to the last, or that have no name", "renumber")
def region_numbers(suite: RegionSuite) -> Iterator[Hit]:
    names = sorted(suite.region_names)
    if names != list(range(1, len(names) + 1)):
        yield Hit(-1, f"region_meta has the numbers {', '.join(map(str, names))}")
    for place, item in enumerate(suite.items):
        for condition in item.conditions:
            numbers = [region.number for region in condition.regions]
            if numbers != names:
                shown = ", ".join(map(str, numbers)) or "none"
                yield Hit(
                    place, f"{condition.name} has the regions {shown}, not {names[0] if names else 0} to {len(names)}"
                )


@check_of_regions("empty-region", "a region without words that a formula asks for", "its surprisal would be 0: fill it")
def empty_regions(suite: RegionSuite) -> Iterator[Hit]:
    asked = {(atom.region, atom.condition) for _, one in _formulas(suite) for atom in atoms_of(one.tree)}
    for place, item in enumerate(suite.items):
        for condition in item.conditions:
            if not condition.words:
                yield Hit(place, f"{condition.name} has no words")
                continue
            for region in condition.regions:
                if (region.number, condition.name) in asked and not region.words:
                    yield Hit(place, f"region {region.number} of {condition.name} is empty")


@check_of_regions(
    "blanks", "regions with blanks at their ends, or two in a row", "remove them; gardenpath does not mind",
    level="note",
)  # fmt: skip
def blanks(suite: RegionSuite) -> Iterator[Hit]:
    for place, item in enumerate(suite.items):
        odd = [
            f"{region.number} of {condition.name}"
            for condition in item.conditions
            for region in condition.regions
            if region.content != " ".join(region.words)
        ]
        if odd:
            more = f" and {len(odd) - 1} more" if len(odd) > 1 else ""
            yield Hit(place, f"region {odd[0]}{more} has extra blanks")


@check_of_regions(
    "target-differs", "a target that differs between conditions though the paradigm fixes it", "correct it"
)
def target_differs(suite: RegionSuite) -> Iterator[Hit]:
    for number, names in suite.fixed:
        yield from _unequal(suite, number, names)


@check_of_regions(
    "words-differ", "a region that differs between two conditions here, though it does not in nearly all items",
    "make it the same, or see whether the item is meant so", level="warning",
)  # fmt: skip
def words_differ(suite: RegionSuite) -> Iterator[Hit]:
    fixed = {(number, name) for number, names in suite.fixed for name in names}
    for first, second in combinations(suite.condition_names, 2):
        for number in suite.region_numbers:
            if (number, first) in fixed and (number, second) in fixed:
                continue
            odd = list(_unequal(suite, number, (first, second)))
            if 0 < len(odd) <= (1 - _NEARLY) * len(suite.items):
                yield from odd


def _unequal(suite: RegionSuite, number: int, names: tuple[str, ...]) -> Iterator[Hit]:
    for place, item in enumerate(suite.items):
        by_condition = {
            name: " ".join(region.words)
            for name in names
            if (condition := item.condition(name)) is not None and (region := condition.region(number)) is not None
        }
        if len(set(by_condition.values())) > 1:
            shown = ", ".join(f"{text or '(nothing)'} in {name}" for name, text in by_condition.items())
            yield Hit(place, f"region {number}: {shown}")


@check_of_regions(
    "not-minimal", "a pair that differs in more than the one word of its paradigm", "keep the rest the same"
)
def not_minimal(suite: RegionSuite) -> Iterator[Hit]:
    for first, second in _ONE_WORD.get(suite.property_of("paradigm"), ()) if suite.segmented else ():
        for place, item in enumerate(suite.items):
            better, worse = item.condition(first), item.condition(second)
            if better is None or worse is None:
                continue
            left, right = better.words, worse.words
            differ = [(a, b) for a, b in zip(left, right, strict=False) if a != b]
            if len(left) != len(right):
                yield Hit(place, f"{first} has {len(left)} words, {second} {len(right)}")
            elif len(differ) > 1:
                shown = ", ".join(f"{a} and {b}" for a, b in differ)
                yield Hit(place, f"{first} and {second} differ in {len(differ)} words: {shown}")


@check_of_regions("same-sentence", "conditions that are compared and are the same sentence", "they cannot differ")
def same_sentence(suite: RegionSuite) -> Iterator[Hit]:
    compared = {
        (left, right)
        for _, one in _formulas(suite)
        for comparison in comparisons_of(one.tree)
        for left in {atom.condition for atom in atoms_of(comparison.left)}
        for right in {atom.condition for atom in atoms_of(comparison.right)}
    }
    for first, second in sorted(compared):
        for place, item in enumerate(suite.items):
            one, other = item.condition(first), item.condition(second)
            if first != second and one is not None and other is not None and one.words == other.words:
                yield Hit(place, f"{first} and {second}: {' '.join(one.words)}")


@check_of_regions(
    "repeated-item", "an item that comes twice, by its number or by its sentences", "remove or renumber it"
)
def repeated_items(suite: RegionSuite) -> Iterator[Hit]:
    ids: dict[object, int] = {}
    texts: dict[object, int] = {}
    groups = paradigms_of(suite)
    for place, item in enumerate(suite.items):
        words = tuple((condition.name, condition.words) for condition in item.conditions)
        number = (groups[place], item.id)  # numbers begin anew in every paradigm
        if number in ids:
            yield Hit(place, f"the number {item.id} is taken (line {suite.items[ids[number]].line})")
        elif words in texts:
            yield Hit(place, f"the same sentences as item {suite.items[texts[words]].id}")
        ids.setdefault(number, place)
        texts.setdefault(words, place)


@check_of_regions(
    "two-positions", "a column of positions from 0 that contradicts the one from 1, which is taken",
    "see which word is meant, and correct the other column", level="warning",
)  # fmt: skip
def two_positions(suite: RegionSuite) -> Iterator[Hit]:
    for place, item in enumerate(suite.items if suite.format == FORMAT else ()):
        column = next((name for name in item.columns if bare_name(name).endswith("_0idx")), None)
        words = item.conditions[0].words
        before = len(item.conditions[0].regions[0].words)
        cell = str(item.columns[column]).partition(".")[0] if column else ""
        if cell.isdigit() and int(cell) != before:
            meant = words[int(cell)] if int(cell) < len(words) else "no word"
            yield Hit(place, f"{column} is {cell}, {meant!r}; the position from 1 is {before + 1}, {words[before]!r}")


@check_of_regions("wrong-arc", "a decisive arc that cannot be read, or leaves its sentence", "correct it")
def wrong_arcs(suite: RegionSuite) -> Iterator[Hit]:
    for place, item in enumerate(suite.items):
        for condition in item.conditions:
            try:
                arc_of(suite, item, condition)
            except InputError as error:
                yield Hit(place, f"{condition.name}: {error.what}", todo=error.todo)


@check_of_regions(
    "missing-arc", "a sentence without a decisive arc, though others of the suite have one",
    "add it: the joint study leaves the item out", level="warning",
)  # fmt: skip
def missing_arcs(suite: RegionSuite) -> Iterator[Hit]:
    for place, item in enumerate(suite.items if carries_arcs(suite) else ()):
        for condition in item.conditions:
            if KEY not in condition.extra:
                yield Hit(place, f"no decisive arc in {condition.name}")


_ONE_WAY, _OFTEN = 0.95, 20
"""Where a word stands for another in this share of the pairs that differ in the two, and in so many, it is a rule."""


@check_of_regions(
    "swapped-pair", "a pair whose sentences are in each other's column: its targets, or another pair, say so",
    "swap the two sentences, or see which one is good",
)  # fmt: skip
def swapped_pairs(suite: RegionSuite) -> Iterator[Hit]:
    if not is_pairs_file(suite):
        return
    pairs = [pair_of(suite, item) for item in suite.items]
    seen = {pair: place for place, pair in reversed(list(enumerate(pairs)))}
    for place, (item, (good, bad)) in enumerate(zip(suite.items, pairs, strict=True)):
        other = seen.get((bad, good))
        if good != bad and other is not None:
            yield Hit(place, f"item {suite.items[other].id} has the same two sentences the other way round")
            continue
        for mine, its in _marked_words(item):
            swapped = _holds(good, its) and _holds(bad, mine)
            if swapped and not _holds(good, mine) and not _holds(bad, its):
                yield Hit(place, f"{mine}, of the good sentence, is in the bad one, and {its} in the good one")
                break


def _marked_words(item: Item) -> Iterator[tuple[str, str]]:
    """What the file says of a word of the good sentence and of its counterpart in the bad one, where they differ."""
    columns = item.columns
    for good_column, bad_column in paired_columns(columns):
        words = cell_text(columns[good_column]), cell_text(columns[bad_column])
        if all(words) and words[0] != words[1]:
            yield words


@check_of_regions(
    "against-the-rule", "a pair that differs in two words the other way round than nearly all pairs that do so",
    "see whether its sentences are swapped", level="note",
)  # fmt: skip
def against_the_rule(suite: RegionSuite) -> Iterator[Hit]:
    changes = [_change(suite, item) for item in suite.items] if is_pairs_file(suite) else []
    count = Counter(change for change in changes if change)
    for place, change in enumerate(changes):
        if not change:
            continue
        own, other = count[change], count[change[1], change[0]]
        if other >= _OFTEN and other >= _ONE_WAY * (own + other):
            yield Hit(
                place, f"{change[0]} is good and {change[1]} bad here; it is the other way round in {other} pairs"
            )


@check_of_regions(
    "lost-target", "a target that a file names and that is not in the sentence, or in several places", "correct it",
    level="warning",
)  # fmt: skip
def lost_targets(suite: RegionSuite) -> Iterator[Hit]:
    columns = columns_of(suite) if is_pairs_file(suite) else None
    if columns is None or not columns.good_target:
        return
    for place, item in enumerate(suite.items):
        if names_target(item, columns) and not has_target(suite, item, columns):
            named = " and ".join(dict.fromkeys(target_words(item, columns)))
            yield Hit(place, f"{named}: not in both sentences, or in several places of one")


def _holds(sentence: str, target: str) -> bool:
    return f" {_words(target)} " in f" {_words(sentence)} "


def _words(text: str) -> str:
    return " ".join(map(folded, text.split()))


def _change(suite: RegionSuite, item: Item) -> tuple[str, str] | None:
    """The word of the good sentence and that of the bad one, where the two differ in one word alone."""
    good, bad = (text.split() for text in pair_of(suite, item))
    differ = [(good_word, bad_word) for good_word, bad_word in zip(good, bad, strict=False) if good_word != bad_word]
    return differ[0] if len(good) == len(bad) and len(differ) == 1 else None
