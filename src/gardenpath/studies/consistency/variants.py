"""What parsers are asked: sentences and their variants, from gold trees or plain text, and the stages of a pipeline."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from ...errors import InputError, UsageError
from ...runs.record.signatures import with_hash
from ...runs.result.result import Finding
from ...stats.sampling import Clusters
from ...systems.files.text_input import TEXTS, read_input
from ...systems.parsers.parsing import parse_with
from ...treebank.format.reading import given_files, given_treebank
from ...treebank.format.treebank import Treebank
from ...treebank.perturb.batch import Batch, Tally, perturb
from ...treebank.perturb.edit import Refusal
from ...treebank.perturb.registry import (
    SIGN,
    Perturbation,
    PerturbationSettings,
    check_language,
    check_perturbation,
    is_file,
    language_of,
    perturbation,
)
from ...treebank.perturb.values import own_values
from .declaration import ConsistencySettings, PerturbedSettings

if TYPE_CHECKING:
    from ...runs.work.where import Workplace
    from ...systems.asking.entrants import Entrant


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
        for kind in perturbations:
            tally = tallies[kind.name]
            if sentences is not None and tally.batches >= sentences:
                continue
            outcome = perturb(kind, sentence, per_sentence)
            if isinstance(outcome, Batch) and not sentence.is_tree:
                outcome = Refusal(NO_TREE)
            tally.add(outcome)
            if isinstance(outcome, Batch):
                collected.add(outcome)
    signatures = tuple(kind.signature for kind in perturbations)
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


def bare(conllu: bytes) -> bytes:
    """Return the words of a sentence without their analysis."""
    lines = []
    for line in conllu.strip(b"\n").split(b"\n"):
        cells = line.split(b"\t")
        if len(cells) == 10 and cells[0].isdigit():
            cells[2:9] = [b"_"] * 7
        lines.append(b"\t".join(cells))
    return b"\n".join(lines)


USUAL = "numerals"
"""What is changed where nothing is named."""


def names_of(settings: PerturbedSettings) -> list[str]:
    """The named ones; a list of one's own may stand alone."""
    return list(settings.change) or ([] if settings.values or settings.match or settings.upos else [USUAL])


def check_perturbations(settings: PerturbedSettings) -> None:
    """Known names, each once, and a list with all that it needs."""
    names = names_of(settings)
    for name in names:
        check_perturbation(name, "--change")
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise UsageError(f"named twice: {', '.join(twice)}", where="--change", todo="name each perturbation once")
    check_language(names, settings.language)
    own_values(settings.values, settings.match, settings.upos, query=settings.match_pattern)


def perturbations_of(
    settings: PerturbedSettings, sources: Iterable[Any], split: str = "test", *, divided: bool = False
) -> list[Perturbation]:
    """With their values to test with, or to train with.

    A list of one's own that has to serve for both is divided. The language is that of the sources' names, if it is not
    in the settings.
    """
    language = settings.language or language_of(file for source in sources for file in names_of_files(source))
    made = [perturbation(name, PerturbationSettings(language, split)) for name in names_of(settings)]
    half = split if divided else ""
    own = own_values(settings.values, settings.match, settings.upos, half, settings.match_pattern)
    return [*made, own] if own is not None else made


def names_of_files(source: Any) -> list[str]:
    """The files of a path, or the name of a treebank that is there already."""
    return given_files(source) or [given_treebank(source).name]


def files_of(settings: PerturbedSettings, sources: Iterable[Any]) -> list[str]:
    """All files that are read: treebanks by path, and a list of values."""
    files = [file for source in sources for file in given_files(source)]
    lists = [part for name in settings.change for part in name.split(SIGN) if is_file(part)]
    return [*files, *lists, *([settings.values] if settings.values else [])]


_OF_GOLD = (
    "right", "original_right", "originals_right", "variants_right", "value_right", "complete", "complete_batches",
    "right_per_batch", "consistent_error_batches",
)  # fmt: skip
"""What needs gold trees, with what it is continued by: a difference, a standard deviation."""
_NEEDS_GOLD = {"broken", "repaired"}


def is_plain_text(source: Any) -> bool:
    """Is it a text by its name, such as sentences.txt?"""
    files = [] if isinstance(source, str) and source in ("", "-") else given_files(source)
    return bool(files) and all(path.lower().endswith(TEXTS) for path in files)


def check_plain_text(source: Any, settings: ConsistencySettings) -> None:
    """What cannot be done without gold."""
    if settings.stages:
        raise UsageError("plain text has no gold tokens and tags", where="--set stages", todo="leave it out")
    if settings.examples.partition(":")[0] in _NEEDS_GOLD:
        todo = "name changed or failed"
        raise UsageError("without gold trees no parse is right or wrong", where="--examples", todo=todo)
    if settings.input == "tokens":
        raise UsageError("plain text has no gold tokens", where=str(source), todo="add --input text (or sentences)")


def analysed(source: Any, entrant: Entrant, settings: ConsistencySettings, place: Workplace) -> Treebank:
    """The sentences as this system analyses them, one a line."""
    given, _ = read_input(source, "sentences")
    if isinstance(getattr(entrant.system, "treebank", None), Treebank):
        what = "plain text is analysed by the first system, and this one is a file"
        raise UsageError(what, where=entrant.name, todo="name a parser first")
    result = parse_with(
        entrant.system, given, mode="sentences", any_language=settings.any_language or None, where=place
    )
    if not len(result.treebank):
        raise InputError("nothing came back for this text", where=entrant.name)
    return Treebank(result.treebank.to_bytes(), name=given.name)


def without_gold(findings: Sequence[Finding]) -> list[Finding]:
    """The findings that no gold tree is needed for; batches are not divided by how the original was parsed."""
    return [
        finding
        for finding in findings
        if not any(finding.measure in (name, *(f"{name}_{more}" for more in _MORE)) for name in _OF_GOLD)
        and finding.by.get("original") in (None, "all")
    ]


_MORE = ("difference", "p", "sd", "median", "min", "max")
