"""What parsers are asked: every sentence that a perturbation changes, and each of its variants, once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import PurePath

from ...errors import UsageError
from ...runs.signature import with_hash
from ...stats.sampling import Clusters
from ...treebank.perturb.batch import Batch, Tally, perturb
from ...treebank.perturb.edit import Refusal
from ...treebank.perturb.registry import Perturbation
from ...treebank.treebank import Treebank

NO_TREE = "not a tree"
"""Why a sentence has no batch, beside the reasons of perturbations: its gold is not a tree."""


@dataclass(frozen=True, slots=True)
class Case:
    """A batch and where its sentences stand among those that are asked. A value that is repeated is asked once."""

    batch: Batch
    original: int
    variants: tuple[int, ...]
    """Of each different value, in the order of the first occurrence."""
    values: tuple[str, ...]
    groups: tuple[str, ...]
    times: tuple[int, ...]
    """How often the value is in the batch: of the 50 published years four come twice."""
    asides: tuple[frozenset[int], ...] = ()
    """Of the original and of each variant: the words that not all of them have."""

    @property
    def size(self) -> int:
        return sum(self.times)


@dataclass(frozen=True)
class AskedVariants:
    """The batches of a treebank by all perturbations, and the sentences they are made of, gold trees included."""

    name: str
    cases: Sequence[Case]
    tallies: dict[str, Tally] = field(default_factory=dict)
    data: bytes = b""
    signatures: tuple[str, ...] = ()
    """Of the perturbations: everything that decides their values."""
    has_gold: bool = True
    """Are the trees gold, and not the analysis of a system? Else no parse is called right."""

    @cached_property
    def treebank(self) -> Treebank:
        """All different sentences; a sentence that several perturbations change stands here once."""
        return Treebank(self.data, name=self.name)

    @property
    def treebank_name(self) -> str:
        """The treebank's name without its folder."""
        return PurePath(self.name).name

    @property
    def release(self) -> str:
        """The name with the start of its hash, for signatures."""
        return with_hash(self.name, self.data)

    @property
    def perturbations(self) -> list[str]:
        """Those that found a sentence."""
        return [name for name in self.tallies if any(case.batch.perturbation == name for case in self.cases)]

    def clusters(self, independent: bool = False, perturbation: str = "") -> Clusters:
        """What was sampled: original sentences with all their variants; or every variant for itself."""
        cases = [case for case in self.cases if perturbation in ("", case.batch.perturbation)]
        originals = [case.original for case in cases for _ in case.values]
        if independent:
            return Clusters.independent(len(originals), "variant")
        return Clusters.of(original_sentence=originals)

    def reasons(self) -> str:
        """Why sentences have no batch, for people."""
        return ", ".join(
            f"{name}: {reason} ({count})"
            for name, tally in self.tallies.items()
            for reason, count in tally.refused.most_common()
        )


def ask(
    treebank: Treebank,
    perturbations: Sequence[Perturbation],
    *,
    sentences: int | None = None,
    per_sentence: int | None = None,
    has_gold: bool = True,
) -> AskedVariants:
    """The batches of the first sentences that each perturbation finds, with `per_sentence` variants at most."""
    names = [one.name for one in perturbations]
    if not names:
        raise UsageError("no perturbation is named", todo="name one, such as numerals")
    if twice := [name for name, count in Counter(names).items() if count > 1]:
        raise UsageError(f"named twice: {', '.join(twice)}", todo="name each perturbation once")
    collected = _Collected()
    tallies = {name: Tally() for name in names}
    for sentence in treebank:
        for perturbation in perturbations:
            tally = tallies[perturbation.name]
            if sentences is not None and tally.batches >= sentences:
                continue
            outcome = perturb(perturbation, sentence, per_sentence)
            if isinstance(outcome, Batch) and not sentence.is_tree:
                outcome = Refusal(NO_TREE)
            tally.add(outcome)
            if isinstance(outcome, Batch):
                collected.add(outcome)
    signatures = tuple(perturbation.signature for perturbation in perturbations)
    data = "".join(collected.texts).encode("utf-8")
    return AskedVariants(treebank.name, collected.cases, tallies, data, signatures, has_gold)


class _Collected:
    def __init__(self) -> None:
        self.cases: list[Case] = []
        self.texts: list[str] = []
        self._places: dict[int, int] = {}

    def add(self, batch: Batch) -> None:
        number = batch.sentence.number
        if number not in self._places:
            self._places[number] = self._put(batch.sentence.to_conllu())
        distinct = batch.distinct
        self.cases.append(
            Case(
                batch,
                self._places[number],
                tuple(self._put(one.conllu) for one in distinct),
                tuple(one.value for one in distinct),
                tuple(one.group for one in distinct),
                tuple(batch.multiplicity[one.value] for one in distinct),
                (batch.aside, *(variant.aside for variant in distinct)) if batch.has_aside else (),
            )
        )

    def _put(self, conllu: str) -> int:
        self.texts.append(conllu.rstrip("\n") + "\n\n")
        return len(self.texts) - 1
