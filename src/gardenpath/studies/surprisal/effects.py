"""Effects word by word: how many bits more a word costs in the harder of the two conditions that are compared.

Only the same word can be compared: where the two sentences go on with other words, the item is left out there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ...runs.result import Finding, Value
from ...stats.corrections import holm
from ...stats.sampling import Clusters
from ...suites.regions.decisive import contrasts_of
from ...suites.regions.positions import EFFECTS
from .difference import mean_difference
from .regions import AskedSuite, Floats
from .scores import seed_mean
from .settings import STUDY

if TYPE_CHECKING:
    from .study import JudgedSurprisal

EFFECT = "effect"


def has_effects(asked: AskedSuite) -> bool:
    """Does the suite name words whose effects are wanted, and two conditions to compare?"""
    return bool(asked.suite.said(EFFECTS)) and len(contrasts_of(asked.suite)) == 1


def word_effects(asked: AskedSuite, bits: Sequence[Floats], region: int) -> Floats:
    """Harder minus easier condition for each item; NaN where the words differ or one was not scored.

    bits: (sentences as asked) × (words), of one seed.
    """
    (contrast,) = contrasts_of(asked.suite)
    sides: dict[int, dict[str, tuple[tuple[str, ...], float]]] = {}
    for (item, condition), cut, values in zip(asked.order, asked.cut, bits, strict=True):
        begin = sum(len(words) for number, words in cut.items() if number < region)
        words = cut.get(region, ())
        total = float(values[begin : begin + len(words)].sum()) if words else np.nan
        sides.setdefault(id(item), {})[condition.name] = (words, total)
    effects = np.full(len(asked.suite), np.nan)
    for place, item in enumerate(asked.suite.items):
        harder, easier = (sides[id(item)][name] for name in (contrast.harder, contrast.easier))
        if harder[0] == easier[0]:
            effects[place] = harder[1] - easier[1]
    return effects


def effect_findings(judged: JudgedSurprisal, suite: str, clusters: Clusters, independent: bool) -> Iterator[Finding]:
    """The mean effect at each word by class, with its interval; p of no effect is corrected over all of them.

    n of an effect are items, n of its p clusters. One item alone is no mean.
    """
    begins = np.cumsum([0, *(len(asked.suite) for asked in judged.asked)])
    groups: dict[str, list[int]] = {}
    for place, asked in enumerate(judged.asked):
        if has_effects(asked):
            groups.setdefault(asked.suite.property_of("class") or asked.suite.title, []).append(place)
    rows = []
    for system, answer in judged.answers.items():
        for name, places in groups.items() if not answer.axis else ():
            items = np.concatenate([np.arange(begins[place], begins[place + 1]) for place in places])
            first = judged.asked[places[0]].suite
            for region in first.said(EFFECTS):
                by_seed = [
                    np.concatenate(
                        [word_effects(judged.asked[place], answer.words[place][seed], region) for place in places]
                    )
                    for seed in range(len(answer.seeds))
                ]
                means = seed_mean(by_seed)
                there = ~np.isnan(means)
                if there.sum() < 2:
                    continue
                test = mean_difference(means, None if independent else clusters.at(items), np.stack(by_seed))
                keys: dict[str, Value] = {"class": name, "word": first.region_names.get(region, str(region))}
                rows.append((system, keys, test, clusters.at(items[there]).count))
    corrected = iter(holm([test.p for *_, test, _ in rows if test.p is not None]))
    for system, keys, test, count in rows:
        yield Finding(STUDY, suite, system, EFFECT, test.mean, test.n, test.low, test.high, keys)
        if test.p is not None:
            yield Finding(STUDY, suite, system, f"{EFFECT}_p", test.p, count, by=keys)
            yield Finding(STUDY, suite, system, f"{EFFECT}_p_holm", next(corrected), count, by=keys)
