"""The dependency trees of the systems under test: read from a file, given as objects, or parsed now."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from ..errors import UsageError
from ..runs.where import HERE, Where, Workplace
from ..systems.entrants import Entrant
from ..systems.parse_result import ParseResult, counts_text
from ..treebank.treebank import Treebank
from .label_guard import LABELS, Layer, guard
from .settings import ParserSettings
from .study import Work


@dataclass(frozen=True)
class ParsedSystems:
    """The trees of all systems by name, and what went wrong on the way."""

    trees: Mapping[str, Treebank]
    failures: Mapping[str, int] = field(default_factory=dict)

    def kept(self, gold: Treebank) -> dict[str, bytes]:
        """Gold and all trees as a run keeps them."""
        return {"gold": gold.to_bytes(), **{name: trees.to_bytes() for name, trees in self.trees.items()}}


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
        failures, several = dict(self.parsed.failures), len(self.by_system) > 1
        for name, judgement in self.by_system.items():
            kinds = judgement.failures.items()
            failures |= {f"{name}: {kind}" if several else kind: count for kind, count in kinds}
        return failures


def check_asked(entrants: Sequence[Entrant], settings: ParserSettings) -> None:
    """What parsers are given decides nothing where all trees are there already, or where there are no systems."""
    given = {"--gold": settings.gold, "--mode": settings.mode != "tokens", "--any-language": settings.any_language}
    flags = [flag for flag, value in given.items() if value]
    if flags and all(isinstance(getattr(entrant.system, "treebank", None), Treebank) for entrant in entrants):
        what = f"{flags[0]} is for parsers that are asked now, and here are only trees that are there already"
        raise UsageError(what, where=flags[0], todo=f"leave out {flags[0]}, or name a parser")


def ask_parsers(
    gold: Treebank,
    entrants: Sequence[Entrant],
    settings: ParserSettings,
    work: Work,
    layers: Sequence[Layer] = (LABELS,),
) -> ParsedSystems:
    """Every system's trees of these sentences; `layers` are those that are scored, and guarded."""
    trees, failures = dict[str, Treebank](), dict[str, int]()
    # Rules take no time: what they lack (tags, say) is told before a parser has worked for an hour.
    for entrant in sorted(entrants, key=lambda entrant: not entrant.name.startswith("baseline:")):
        result = trees_of(
            entrant, gold, mode=settings.mode, layers=settings.gold, any_language=settings.any_language,
            where=work.place,
        )  # fmt: skip
        work.tell_notes(entrant.name, [*result.notes, *([counts_text(result.counts)] if result.counts else [])])
        trees[entrant.name] = result.treebank
        counted = guarded(entrant.name, gold, result.treebank, settings, work, layers)
        failed = {**result.failures, **result.repairs, **counted, **unbridged(entrant, result.treebank, work)}
        failures |= {f"{entrant.name}: {kind}": count for kind, count in failed.items()}
    return ParsedSystems({entrant.name: trees[entrant.name] for entrant in entrants}, failures)


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
            raise labels.refusal(name)
        work.tell(f"{name}: {labels.warning()}")
    return {labels.failure: labels.words for labels in foreign}


def unbridged(entrant: Entrant, trees: Treebank, work: Work) -> dict[str, int]:
    """Counts arcs of a system behind a label bridge whose label has no counterpart, and says which they are."""
    bridge = getattr(entrant.system, "bridge", None)
    if bridge is None:
        return {}
    from ..systems.label_bridges import note_on, without_counterpart

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
    from ..systems.parsing import parse_with  # with all that a parser is asked with

    return parse_with(system, gold, mode=mode, gold=layers, any_language=any_language or None, where=where)
