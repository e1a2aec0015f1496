"""What a joint study says in sentences: garden paths, effects, and whether errors and surprise go together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ...runs.layout import FindingIndex
from ...runs.result import Finding, Value, Verdict
from ...runs.verdict import NOT_SHOWN, SHOWN, clusters_text, count_text, difference_text, needed
from ..verdicts import MeasureWords, SystemVerdicts, effect_of

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
    size = f"{count_text(effect.finding.n, 'item')}, {clusters_text(effect.p.n, cluster)} in the smaller group"
    weight = abs(effect.size) + (0.0 if where else _OVERALL)
    if effect.sure == NOT_SHOWN:
        text = f"No association between the errors of {names[parser]} and the surprise of {names[model]} is shown: "
        enough = needed(effect.finding, effect.p.n)
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
