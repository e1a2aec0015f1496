"""A study as a declaration: what it reads, whom it asks, how it judges, what it finds; `engine.run` does the rest."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from ..errors import UsageError
from .settings import StudySettings

if TYPE_CHECKING:
    from ..runs.inputs import Input
    from ..runs.observations import Observations
    from ..runs.record import Run
    from ..runs.result import Finding, Table, Verdict
    from ..runs.where import Workplace
    from ..stats.sampling import Clusters
    from ..systems.entrants import Entrant

S = TypeVar("S", bound=StudySettings)
"""Settings."""
M = TypeVar("M")
"""Material: what was read."""
A = TypeVar("A")
"""Answers of the systems."""
J = TypeVar("J")
"""Judgements: counts, item by item."""


@dataclass(frozen=True)
class Findings:
    """What judgements come to: numbers, the tables in which a person sees them, what failed, and details."""

    findings: Sequence[Finding]
    tables: Sequence[Table] = ()
    failures: Mapping[str, int] = field(default_factory=dict)
    details: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Kept:
    """What a run keeps beside the findings: observations, the trees that were judged, and further files."""

    observations: Observations | None = None
    trees: Mapping[str, bytes] = field(default_factory=dict)
    attached: Mapping[str, bytes] = field(default_factory=dict)


@dataclass(frozen=True)
class Work:
    """Where the asking is done, in which run, and who is told how it goes."""

    place: Workplace
    run: Run | None = None
    tell: Callable[[str], None] = lambda _: None

    def tell_notes(self, system: str, notes: Iterable[str]) -> None:
        """What a system said about its work."""
        for note in notes:
            self.tell(f"{system}: {note}")


class Study(ABC, Generic[S, M, A, J]):
    """One study. Its settings decide the result; the place of work does not."""

    name: ClassVar[str]
    """As findings, signatures and folders have it."""
    about: ClassVar[str]
    """The question that it answers, in a sentence."""
    settings: ClassVar[type[StudySettings]]
    role: ClassVar[str] = ""
    """Which systems it asks: parsers, phrase parsers or language models; empty: none."""
    needs_systems: ClassVar[bool] = True
    measures: ClassVar[Sequence[str]] = ()
    """Overall scores that --fail-under may name; the first is meant where none is named."""
    absent: ClassVar[str] = ""
    """What to say where a measure that is asked for was not measured."""

    def entrants(self, systems: Any) -> list[Entrant]:
        """The systems under test, by name; a study may read more from their names."""
        from ..systems.entrants import entrants_of

        return entrants_of(systems, self.role) if self.role else []

    def is_overall(self, finding: Finding) -> bool:
        """Is this one of the scores that --fail-under is about?"""
        return not finding.by

    def check(self, source: Any, entrants: Sequence[Entrant], settings: S) -> None:
        """What does not go together, said before anything is read or asked."""
        if self.needs_systems and not entrants:
            named = {
                "parser": "udpipe:MODEL or a parsed file", "language model": "ngram:MODEL",
                "chat model": "chat:URL#model=NAME",
            }  # fmt: skip
            what = named.get(self.role, "trees:FILE")
            raise UsageError("no system is named", where=str(source), todo=f"name a {self.role}, such as {what}")

    @abstractmethod
    def files(self, source: Any, settings: S) -> Sequence[Input]:
        """The files that are read, and (name, bytes) of objects; a run depends on what is in them."""

    @abstractmethod
    def read(self, source: Any, settings: S) -> M:
        """What is true: trees, a suite, or what else is judged by."""

    def material(self, source: Any, entrants: Sequence[Entrant], settings: S, work: Work) -> M:
        """What is read, where it takes no system; a study may have one of them prepare it."""
        return self.read(source, settings)

    @abstractmethod
    def facts(self, material: M, settings: S) -> Iterable[tuple[str, object]]:
        """The pairs of the signature that say what was read: names with the start of their hashes, and sizes."""

    def clusters(self, material: M, settings: S) -> Clusters | None:
        """What was sampled together, which intervals and tests go by and the signature names; None: no intervals."""
        return None

    @abstractmethod
    def ask(self, material: M, entrants: Sequence[Entrant], settings: S, work: Work) -> A:
        """What the systems answer."""

    @abstractmethod
    def judge(self, material: M, answers: A, settings: S) -> J:
        """One judgement for each item and system."""

    @abstractmethod
    def findings(self, judged: J, settings: S) -> Findings:
        """What the judgements come to."""

    def verdicts(self, findings: Sequence[Finding], judged: J, settings: S) -> Iterable[Verdict]:
        """What the findings say, in sentences."""
        return ()

    def kept(self, judged: J, settings: S) -> Kept:
        """What a run keeps beside the findings."""
        return Kept()
