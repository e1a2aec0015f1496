"""The surprisal study: does a language model expect what the grammar demands, in which class, across which modifier?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...errors import InputError, UsageError, unknown_name
from ...runs.result import Finding, Result, Value
from ...runs.signature import digest, signature
from ...runs.where import HERE, Where
from ...stats.corrections import holm
from ...suites.regions.model import METRICS, RegionSuite
from ...suites.regions.syntaxgym import to_syntaxgym
from .curves import word_bits
from .difference import mean_difference
from .entrants import Entrant
from .outcomes import TIES, Outcome, comparison_names, judged
from .regions import TOKENS, Asked, Floats, measured
from .scores import Scores, groups_of, ladders_of

STUDY = "surprisal"
GROUPINGS = ("class", "modifier", "suite", "prediction", "kind", "complexity", "difference")
"""What `by` may name: the tables that are shown. Findings have all of it."""
MEASURES = (
    "accuracy", "items_right", "ties", "accuracy_known", "oov_items", "accuracy_per_token", "accuracy_per_character",
    "accuracy_per_byte",
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Judged:
    """What every system made of every suite, seed by seed."""

    suites: Sequence[RegionSuite]
    outcomes: Mapping[str, Sequence[Sequence[Outcome]]]
    """By system, suite and seed."""
    seeds: Mapping[str, Sequence[int]]
    failures: Mapping[str, int] = field(default_factory=dict)
    asked: Sequence[Asked] = ()
    bits: Mapping[str, Sequence[Sequence[Floats]]] = field(default_factory=dict)
    """Of every word: by system, suite and sentence (as `asked` has them), mean over seeds."""


def judge(
    suites: Sequence[RegionSuite],
    systems: Sequence[Entrant],
    *,
    metric: str = "",
    ties: str = "half",
    tokens: str = "",
    seed: int = 0,
    where: Where = HERE,
) -> Judged:
    """Asks every seed of every system for the surprisals of every suite, and judges the predictions.

    `metric`: instead of the suite's own; `tokens`: suite, punctuation or characters.
    """
    _check(suites, systems, metric, ties, tokens)
    asked = [Asked(suite, tokens) for suite in suites]
    for one in asked:
        one.check()
    outcomes: dict[str, list[list[Outcome]]] = {}
    bits: dict[str, list[list[Floats]]] = {}
    failures: dict[str, int] = {}
    with where.opened() as place:  # the same from suite to suite: a model is loaded once by each
        for system in systems:
            outcomes[system.name], bits[system.name] = [], []
            for one in asked:
                chosen = metric or one.suite.metric
                found = []
                sums: list[Floats] = []
                for number in range(len(system.seeds)):
                    said = system.ask(number, one.suite.title, one.sentences, one.texts, place)
                    words = word_bits(one, said)
                    sums = [a + b for a, b in zip(sums, words, strict=True)] if sums else words
                    found.append(judged(one.suite, measured(one, said, chosen), ties, seed + number))
                outcomes[system.name].append(found)
                bits[system.name].append([total / len(system.seeds) for total in sums])
                other = sum(outcome.other_text for outcome in found)
                if other:
                    key = f"{system.name}: sentences scored in other words, outside the regions asked"
                    failures[key] = failures.get(key, 0) + other
    return Judged(suites, outcomes, {one.name: one.seed_numbers for one in systems}, failures, asked, bits)


def _check(suites: Sequence[RegionSuite], systems: Sequence[Entrant], metric: str, ties: str, tokens: str) -> None:
    if not suites:
        raise UsageError("no suite to judge", todo="name a suite, or a folder of suites")
    if not systems:
        raise UsageError("no system to judge", todo="name a language model after the suites, such as ngram:MODEL")
    for kind, given, known in (("metric", metric, METRICS), ("kind of tokens", tokens, TOKENS)):
        if given and given not in known:
            raise unknown_name(kind, given, known)
    if ties not in TIES:
        raise unknown_name("way to count ties", ties, TIES)
    titles = [suite.title for suite in suites]
    twice = next((title for title in titles if titles.count(title) > 1), None)
    if twice is not None:
        where = ", ".join(suite.name for suite in suites if suite.title == twice)
        raise InputError(f"two suites are called {twice}", where=where, todo="name each suite once")


def surprisal(
    suites: Sequence[RegionSuite],
    systems: Sequence[Entrant],
    *,
    by: Sequence[str] = ("class",),
    metric: str = "",
    ties: str = "half",
    tokens: str = "",
    draws: int = 1000,
    seed: int = 0,
    where: Where = HERE,
) -> tuple[Result, Judged]:
    """The whole study: findings of all groups, tables of those in `by`."""
    for grouping in by:
        if grouping not in GROUPINGS:
            raise unknown_name("grouping", grouping, GROUPINGS)
    found = judge(suites, systems, metric=metric, ties=ties, tokens=tokens, seed=seed, where=where)
    scores = Scores(suites, found.outcomes, draws, seed)
    findings = list(_findings(scores, found))
    from .tables import tables

    content = digest(*(to_syntaxgym(suite) for suite in suites))[:8]
    names = [("system" if len(systems) == 1 else f"system{n}", one.signature) for n, one in enumerate(systems, 1)]
    random = bool(draws) or ties == "coin"
    made = signature(
        ("study", STUDY), ("suites", f"{suites_name(suites)}#{content}"), ("items", sum(map(len, suites))),
        ("metric", metric or sorted({suite.metric for suite in suites})), ("ties", ties),
        ("tokens", sorted({Asked(suite, tokens).mode for suite in suites})), *names,
        ("draws", draws or None), ("seed", seed if random else None),
    )  # fmt: skip
    return Result(made, findings, tables(scores, found, by), found.failures), found


def suites_name(suites: Sequence[RegionSuite]) -> str:
    """The title of one suite, or how many they are."""
    return suites[0].title if len(suites) == 1 else f"{len(suites)} suites"


def _findings(scores: Scores, found: Judged) -> Iterator[Finding]:
    everything = tuple(range(len(scores.suites)))
    whole = suites_name(scores.suites)
    groups = groups_of(scores.suites)
    for system in found.outcomes:
        yield from _scored(scores, system, whole, {}, everything)
        for group in groups:
            yield from _scored(scores, system, whole, group.by, group.places)
        for place, suite in enumerate(scores.suites):
            by = {key: value for key in ("class", "modifier") if (value := suite.property_of(key))}
            yield from _scored(scores, system, suite.title, {"suite_of": whole, **by}, (place,))
            for number in range(1, len(suite.predictions) + 1):
                score = scores.score(system, (place,), f"prediction {number}")
                keys: dict[str, Value] = {**by, "prediction": number}
                yield Finding(STUDY, suite.title, system, "accuracy", score.value, score.n, score.low, score.high, keys)
        yield from _kinds(scores, system, whole)
        yield from _steps(scores, system, whole)
    yield from _tested(scores, found, whole)


def _scored(
    scores: Scores, system: str, suite: str, by: Mapping[str, Value], places: Sequence[int]
) -> Iterator[Finding]:
    keys = {key: value for key, value in by.items() if key != "suite_of"}
    for measure in MEASURES:
        score = scores.score(system, places, measure)
        if score.value is not None:
            yield Finding(STUDY, suite, system, measure, score.value, score.n, score.low, score.high, keys)


def _kinds(scores: Scores, system: str, whole: str) -> Iterator[Finding]:
    """Syntactic against semantic classes (Section 4 and Appendix D.1)."""
    sides = {
        kind: [place for place, one in enumerate(scores.suites) if one.property_of("kind") == kind]
        for kind in ("syntactic", "semantic")
    }
    if all(sides.values()):
        gap = scores.gap(system, sides["syntactic"], sides["semantic"])
        by: dict[str, Value] = {"kind": "syntactic", "against": "semantic"}
        yield Finding(STUDY, whole, system, "accuracy_gap", gap.value, gap.n, gap.low, gap.high, by)


def _steps(scores: Scores, system: str, whole: str) -> Iterator[Finding]:
    """Accuracy and difference by complexity of the modifier, and what a step changes (Section 4.1)."""
    for name, ladder in ladders_of(scores.suites).items():
        for step, place in ladder:
            by: dict[str, Value] = {
                "class": name, "complexity": _plain(step), "modifier": scores.suites[place].property_of("modifier"),
            }  # fmt: skip
            score = scores.score(system, (place,), "accuracy")
            yield Finding(STUDY, whole, system, "accuracy", score.value, score.n, score.low, score.high, by)
            test = scores.difference(system, (place,))
            yield Finding(STUDY, whole, system, "difference", test.mean, test.n, test.low, test.high, by)
        slope = scores.slope(system, [place for _, place in ladder], [step for step, _ in ladder])
        by = {"class": name}
        yield Finding(STUDY, whole, system, "accuracy_per_step", slope.value, slope.n, slope.low, slope.high, by)


def _plain(step: float) -> float | int:
    return int(step) if step.is_integer() else step


def _tested(scores: Scores, found: Judged, whole: str) -> Iterator[Finding]:
    """Mean differences with their t-tests: by class, by suite, by comparison; p corrected within each level."""
    for level in ("class", "suite", "comparison"):
        rows: list[tuple[str, str, dict[str, Value], Any]] = []
        for system in found.outcomes:
            if level == "class":
                groups = [one for one in groups_of(scores.suites) if tuple(one.by) == ("class",)]
                rows += [(whole, system, dict(one.by), scores.difference(system, one.places)) for one in groups]
                continue
            for place, suite in enumerate(scores.suites):
                names = [(number, part) for number, part, directed in comparison_names(suite) if directed]
                if level == "suite" and len(names) == len(suite.predictions):
                    rows.append((suite.title, system, {}, scores.difference(system, (place,))))
                elif level == "comparison" and len(names) > 1:
                    columns = scores.differences(system, place)
                    rows += [
                        (
                            suite.title,
                            system,
                            {"prediction": number, "comparison": part},
                            mean_difference(columns[:, at]),
                        )
                        for at, (number, part) in enumerate(names)
                    ]
        corrected = iter(holm([test.p for *_, test in rows if test.p is not None]))
        for suite_name, system, keys, test in rows:
            common = {"study": STUDY, "suite": suite_name, "system": system, "n": test.n, "by": keys}
            yield Finding(**common, measure="difference", value=test.mean, low=test.low, high=test.high)
            if test.p is not None:
                yield Finding(**common, measure="difference_t", value=test.t)
                yield Finding(**common, measure="difference_p", value=test.p)
                yield Finding(**common, measure="difference_p_holm", value=next(corrected))
