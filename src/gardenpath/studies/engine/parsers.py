"""The dependency trees of the systems under test, baselines included, and whether their labels fit those of gold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic, Protocol, TypeVar

import numpy as np

from ...errors import UsageError
from ...runs.work.where import HERE, Where, Workplace
from ...systems.asking.entrants import Entrant
from ...systems.asking.matching import ParseResult, counts_text
from ...treebank.format.treebank import Treebank
from ...treebank.format.universal import RELATIONS, UNIVERSAL_FEATURES, UPOS_TAGS
from ...treebank.trees.scores import universal
from .declaration import ParserSettings
from .study import Work

FOREIGN = 0.25
"""More foreign labels than this, and the guard speaks. ClearNLP's labels against UD are some 40 per cent foreign."""
_SHOWN = 5


@dataclass(frozen=True)
class Layer:
    """What is compared: a column, how its cells are cut into labels, what UD has there, and what to do instead."""

    name: str
    column: str
    labels: Callable[[str], Iterable[str]]
    universal: frozenset[str] = frozenset()
    instead: str = ""


def _features(cell: str) -> list[str]:
    return [pair for pair in cell.split("|") if pair.partition("=")[0] in UNIVERSAL_FEATURES]


LABELS = Layer(
    "labels", "deprel", lambda cell: [universal(cell)], RELATIONS,
    "UAS compares heads alone; for scores with labels bring both to one scheme",
)  # fmt: skip
TAGS = Layer("tags", "upos", lambda cell: [cell], UPOS_TAGS, "do not read UPOS, AllTags and MLAS")
OWN_TAGS = Layer("tags of their own", "xpos", lambda cell: [cell], instead="do not read XPOS and AllTags")
FEATURES = Layer("features", "feats", _features, instead="do not read UFeats, AllTags and MLAS")

_LAYERS = {"UPOS": "upos", "XPOS": "xpos", "UFeats": "feats", "Lemmas": "lemma"}
"""What a parser need not give, with its column."""


def guard(gold: Treebank, system: Treebank, layers: Sequence[Layer] = (LABELS,)) -> list[ForeignLabels]:
    """The layers in which the system hardly has what gold has."""
    compared = [ForeignLabels(layer, _counts(gold, layer), _counts(system, layer)) for layer in layers]
    return [labels for labels in compared if labels.share > FOREIGN]


def missing_layers(gold: Treebank, system: Treebank) -> list[str]:
    """The layers that gold has and the system does not give at all, by the names of their metrics."""
    return [name for name, column in _LAYERS.items() if _has(gold, column) and not _has(system, column)]


def unannotated_layers(gold: Treebank) -> list[str]:
    """The layers that no word of gold has, by the names of their metrics."""
    return [name for name, column in _LAYERS.items() if not _has(gold, column)]


def _has(treebank: Treebank, column: str) -> bool:
    cells = treebank.column(column)
    there = np.bincount(cells.codes, minlength=len(cells.values))  # np.unique would import numpy.ma: 7 ms
    return any(cells.values[code] != "_" for code in np.flatnonzero(there).tolist())


@dataclass(frozen=True)
class ForeignLabels:
    """How often each label is in gold and in the system's trees."""

    layer: Layer
    gold: Mapping[str, int]
    system: Mapping[str, int]

    @property
    def words(self) -> int:
        """How many of the system's labels are foreign."""
        known = set(self.gold)
        if 2 * sum(self.gold[label] for label in known & self.layer.universal) > sum(self.gold.values()):
            known |= self.layer.universal
        return sum(count for label, count in self.system.items() if label not in known)

    @property
    def share(self) -> float:
        total = sum(self.system.values())
        return self.words / total if total and self.gold else 0.0

    @property
    def instead(self) -> str:
        """What to do: cross the bridge where there is one for these labels."""
        from ...systems.bridges.bridge import fitting  # needed where labels are foreign alone

        bridge = fitting(self.system) if self.layer is LABELS and not fitting(self.gold) else None
        if bridge is None:
            return self.layer.instead
        return (
            f"the bridge {bridge.name} brings such trees to UD: spacy:NAME (without #labels=keep) or "
            f"conllu:FILE#labels={bridge.scheme}; {self.layer.instead}"
        )

    @property
    def what(self) -> str:
        return (
            f"{self.share:.0%} of its {self.layer.name} are none that gold knows: "
            f"it has {_listed(self.system)}, gold has {_listed(self.gold)}"
        )


def _counts(treebank: Treebank, layer: Layer) -> dict[str, int]:
    """The labels of all words that have some, most frequent first; a word with a head has one, be it `_`."""
    column = treebank.column(layer.column)
    codes = column.codes[treebank.heads >= 0] if layer is LABELS else column.codes
    counts = Counter[str]()
    for cell, count in zip(column.values, np.bincount(codes, minlength=len(column.values)).tolist(), strict=True):
        if count and (cell != "_" or layer is LABELS):
            for label in layer.labels(cell):
                counts[label] += count
    return dict(counts.most_common())


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(list(counts)[:_SHOWN]) + (", …" if len(counts) > _SHOWN else "")


ParsedSystems = Mapping[str, ParseResult]
"""The trees of all systems by name, and what went wrong on the way."""


def kept_trees(gold: Treebank, parsed: ParsedSystems) -> dict[str, bytes]:
    """Return gold and all trees as a run keeps them."""
    return {"gold": gold.to_bytes(), **{name: result.treebank.to_bytes() for name, result in parsed.items()}}


def failures_of(parsed: ParsedSystems) -> dict[str, int]:
    """Return what failed while parsing, by system and kind."""
    return {f"{name}: {kind}": count for name, result in parsed.items() for kind, count in result.failures.items()}


class Judgement(Protocol):
    """What was made of one system's trees; it knows what failed."""

    @property
    def failures(self) -> Mapping[str, int]: ...


M = TypeVar("M")
J = TypeVar("J", bound=Judgement)


@dataclass(frozen=True)
class JudgedParsers(Generic[M, J]):
    """What was read, the trees of all systems, and the judgement on each."""

    material: M
    parsed: ParsedSystems
    by_system: Mapping[str, J]

    @property
    def failures(self) -> dict[str, int]:
        """What failed while parsing and while judging; the system is named where there are several."""
        failures, several = failures_of(self.parsed), len(self.by_system) > 1
        for name, judgement in self.by_system.items():
            kinds = judgement.failures.items()
            failures |= {f"{name}: {kind}" if several else kind: count for kind, count in kinds}
        return failures


def ask_parsers(
    gold: Treebank,
    entrants: Sequence[Entrant],
    settings: ParserSettings,
    work: Work,
    layers: Sequence[Layer] = (LABELS,),
) -> ParsedSystems:
    """Every system's trees of these sentences; `layers` are those that are scored, and guarded."""
    parsed = dict[str, ParseResult]()
    # Rules take no time: what they lack (tags, say) is told before a parser has worked for an hour.
    for entrant in sorted(entrants, key=lambda entrant: not entrant.name.startswith("baseline:")):
        result = trees_of(
            entrant, gold, mode=settings.input, layers=settings.gold, any_language=settings.any_language,
            where=work.place,
        )  # fmt: skip
        work.tell_notes(entrant.name, [*result.notes, *([counts_text(result.counts)] if result.counts else [])])
        counted = guarded(entrant.name, gold, result.treebank, settings, work, layers)
        failed = {**result.failures, **result.repairs, **counted, **unbridged(entrant, result.treebank, work)}
        parsed[entrant.name] = replace(result, failures=Counter(failed))
    return {entrant.name: parsed[entrant.name] for entrant in entrants}


def guarded(
    name: str,
    gold: Treebank,
    trees: Treebank,
    settings: ParserSettings,
    work: Work,
    layers: Sequence[Layer] = (LABELS,),
) -> dict[str, int]:
    """Counts labels that gold does not know where they are too many, and says so; with `strict` it is an error."""
    foreign = guard(gold, trees, layers)
    for labels in foreign:
        if settings.strict:
            raise UsageError(labels.what, where=name, todo=f"{labels.instead}; without strict this is a warning")
        work.tell(f"{name}: warning: {labels.what}; {labels.instead}")
    return {f"{labels.layer.name} that gold does not know": labels.words for labels in foreign}


def unbridged(entrant: Entrant, trees: Treebank, work: Work) -> dict[str, int]:
    """Counts arcs of a system behind a label bridge whose label has no counterpart, and says which they are."""
    bridge = getattr(entrant.system, "bridge", None)
    if bridge is None:
        return {}
    from ...systems.bridges.bridge import note_on, without_counterpart

    lost = without_counterpart(trees)
    work.tell(f"{entrant.name}: {note_on(bridge, lost, trees.word_count)}")
    return {f"arcs without a counterpart ({bridge.name})": lost.total()} if lost else {}


def trees_of(
    entrant: Entrant,
    gold: Treebank,
    *,
    mode: str = "tokens",
    layers: Sequence[str] = (),
    any_language: bool = False,
    where: Where | Workplace = HERE,
) -> ParseResult:
    """One system's trees of these sentences. Trees that are there already keep their own tokens."""
    system = entrant.system
    if isinstance(trees := getattr(system, "treebank", None), Treebank):
        return ParseResult(trees, Counter(), 0.0, entrant.signature)
    from ...systems.parsers.parsing import parse_blocks  # with all that a parser is asked with

    (result,) = parse_blocks(system, [(gold, mode)], gold=layers, any_language=any_language or None, where=where)
    return result


def with_baseline(systems: Sequence[str], baseline: str) -> list[str]:
    """The systems that were named; the baseline is asked too where it is not one of them."""
    from ...systems.asking.entrants import split_label

    names = {name for system in systems for name in (system, split_label(system)[0])}
    return [*systems, *([baseline] if baseline and baseline not in names else [])]
