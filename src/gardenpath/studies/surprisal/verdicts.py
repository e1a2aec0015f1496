"""What a study of surprisal says in sentences: above chance or not, which is better, where, and what was not scored."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ...runs.layout import FindingIndex
from ...runs.result import Finding, Value, Verdict
from ...runs.verdict import MEASURED, SHOWN, difference_text, listed
from ..chance import against_chance, by_chance
from ..verdicts import MeasureWords, SystemVerdicts, effect_of
from .effects import EFFECT
from .settings import SurprisalSettings

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
