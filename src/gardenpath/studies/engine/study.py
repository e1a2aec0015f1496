"""What a study is, and how one is carried out: read, ask, judge, find, keep."""

from __future__ import annotations

import shlex
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from ...errors import UsageError, unknown_name
from ...runs.record.signatures import signature
from ...runs.result.layout import standard_tables
from ...runs.result.result import Result
from ...runs.result.verdict import MOST, ranked
from ...runs.work.where import HERE, Where, Workplace
from ...systems.asking.entrants import Entrant, system_signatures
from ...systems.asking.protocol import PARSER
from ...treebank.format.treebank import Treebank
from .declaration import META, GroupedSettings, ParserSettings, StudySettings, flag_of
from .doubts import doubtful, with_doubts
from .registry import all_measures, study_command, study_names

if TYPE_CHECKING:
    from ...runs.record.run import Run
    from ...runs.record.signatures import Input
    from ...runs.result.observations import Observations
    from ...runs.result.result import Finding, Verdict
    from ...stats.sampling import Clusters
    from .grouping import ColumnGroups


S = TypeVar("S", bound=StudySettings)
"""Settings."""
M = TypeVar("M")
"""Material: what was read."""
A = TypeVar("A")
"""Answers of the systems."""
J = TypeVar("J")
"""Judgements: counts, item by item."""


@dataclass(frozen=True)
class Kept:
    """What a run keeps beside the findings: observations, the trees that were judged, and further files."""

    observations: Observations
    trees: Mapping[str, bytes] = field(default_factory=dict)
    attached: Mapping[str, bytes] = field(default_factory=dict)


@dataclass(frozen=True)
class Work:
    """Where the asking is done, in which run, and who is told how it goes."""

    place: Workplace
    run: Run | None = None
    tell: Callable[[str], None] = lambda _: None

    def __post_init__(self) -> None:
        self.place.queries_again = True

    def tell_notes(self, system: str, notes: Iterable[str]) -> None:
        """What a system said about its work."""
        for note in notes:
            self.tell(f"{system}: {note}")


def check_asked(entrants: Sequence[Entrant], settings: ParserSettings) -> None:
    """What parsers are given decides nothing where all trees are there already, or where there are no systems."""
    given = {
        "--gold": settings.gold,
        "--input": settings.input != "tokens",
        "--set any_language": settings.any_language,
    }
    flags = [flag for flag, value in given.items() if value]
    if flags and all(isinstance(getattr(entrant.system, "treebank", None), Treebank) for entrant in entrants):
        what = f"{flags[0]} is for parsers that are asked now, and here are only trees that are there already"
        raise UsageError(what, where=flags[0], todo=f"leave out {flags[0]}, or name a parser")


def baseline_of(named: str, systems: Iterable[str]) -> str:
    """The name of the system that is the baseline: the first where none is named."""
    from ...systems.asking.entrants import split_label

    names = list(systems)
    if not named:
        return names[0]
    baseline = named if named in names else split_label(named)[0] or named
    if baseline not in names:
        raise unknown_name("baseline", baseline, names, where="--baseline")
    return baseline


def check_baseline(named: str, entrants: Sequence[Entrant]) -> None:
    """A baseline that is named is a system, and not the only one."""
    if named:
        baseline = baseline_of(named, (entrant.name for entrant in entrants))
        if len(entrants) == 1:
            what = f"{baseline} is the only system: there is nothing to compare it with"
            raise UsageError(what, where="--baseline", todo="name another system, or leave out --baseline")


class Study(ABC, Generic[S, M, A, J]):
    """One study. Its settings decide the result; the place of work does not."""

    name: ClassVar[str]
    """As findings, signatures and folders have it."""
    settings: ClassVar[type[StudySettings]]
    role: ClassVar[str] = ""
    """Which systems it asks: parsers, phrase parsers or language models; empty: none."""
    needs_systems: ClassVar[bool] = True
    measures: ClassVar[Sequence[str]] = ()
    """Overall scores, the main one first."""
    unit: ClassVar[str] = "item"
    """What the first measure is a share of, as the tables and verdicts that the engine makes say it."""

    def entrants(self, systems: Any) -> list[Entrant]:
        """The systems under test, by name; a study may read more from their names."""
        from ...systems.asking.entrants import entrants_of

        return entrants_of(systems, self.role) if self.role else []

    def is_overall(self, finding: Finding) -> bool:
        """Return whether this is a score over everything, and not of a group."""
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
        if isinstance(settings, ParserSettings):
            check_asked([entrant for entrant in entrants if entrant.role == PARSER], settings)
        if baseline := getattr(settings, "baseline", ""):
            check_baseline(baseline, entrants)

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

    taken: ClassVar[Sequence[str]] = ()
    """Keys of the study's findings, which a column of that name must not pass for."""

    def columns(self, material: M) -> Mapping[str, Sequence[Any]]:
        """Return what items can be grouped by beside the tables of the study: a value for each item."""
        return {}

    def groups(self, material: M, settings: S) -> ColumnGroups | None:
        """Return the groups of items by the columns that are asked for; None where none are."""
        if not isinstance(settings, GroupedSettings) or not settings.columns:
            return None
        from .grouping import asked_groups

        return asked_groups(settings.columns, self.columns(material), settings.groupings, self.taken)

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
    def findings(self, judged: J, settings: S) -> Result:
        """Return what the judgements come to: findings, failures, details, and tables if the usual ones do not do."""

    def verdicts(self, findings: Sequence[Finding], judged: J, settings: S) -> Iterable[Verdict]:
        """Return what the findings say, in sentences: by default how good each system is, and which is better."""
        from .verdicts import MeasureWords, score_verdicts

        if not self.measures:
            return ()
        measure, baseline = self.measures[0], getattr(settings, "baseline", "")
        return score_verdicts(findings, MeasureWords(measure, self.headings()[measure], self.unit, self.unit), baseline)

    def headings(self) -> dict[str, str]:
        """Return what the measures of the study are called in tables and sentences."""
        defined = all_measures()
        return {name: defined[name].title if name in defined else name for name in self.measures}

    @abstractmethod
    def kept(self, judged: J, settings: S) -> Kept:
        """Return what a run keeps beside the findings: at least the observations, which `compare` works on."""


def run(
    study: Study[Any, Any, Any, Any],
    source: Any,
    systems: Any = (),
    settings: StudySettings | None = None,
    *,
    where: Where | Workplace = HERE,
    folder: str | Path | None = None,
    tell: Callable[[str], None] | None = None,
) -> Result:
    """Carry out a study on a source and systems, and keep it in `folder` if one is named.

    A finished run in that folder is read, and nothing is done again; an interrupted one goes on. A function of Python
    is asked in any case: nobody knows whether it is the same before it answers.
    """
    chosen = settings if settings is not None else study.settings()
    entrants = study.entrants(systems)
    study.check(source, entrants, chosen)
    notify = tell or (lambda _: None)
    if folder is None:
        return _work(study, source, entrants, chosen, where, None, notify)
    inputs = [*study.files(source, chosen), *(file for entrant in entrants for file in entrant.files)]
    if "-" in inputs:
        raise UsageError("a run cannot go on with standard input", where="-", todo="name a file, or leave out --run")
    asked = None
    if any(entrant.known_by_answers for entrant in entrants):
        asked = _work(study, source, entrants, chosen, where, None, notify)
    kept = {**chosen.kept(), "systems": {entrant.name: entrant.signature for entrant in entrants}}
    if not _is_named(source):  # an object is known by its content
        kept["source"] = [f"{key}:{value}" for key, value in study.facts(study.read(source, chosen), chosen)]

    from ...runs.record.run import Run

    call = command_line(study, source, entrants, chosen)
    with Run.open(
        folder, command=study.name, settings=kept, inputs=inputs, seed=chosen.seed, call=call,
        source=_kept_name(source),
    ) as record:  # fmt: skip
        if record.finished:
            return replace(record.result(), made_by=study, settings=chosen, folder=record.folder)
        if asked is None:
            return _work(study, source, entrants, chosen, where, record, notify)
        keep(asked, record)
        return replace(asked, folder=record.folder)


def _kept_name(source: Any) -> Any:
    """Return a source as a record keeps it: a name, a list of them, or None of an object."""
    if not _is_named(source):
        return None
    return str(source) if isinstance(source, str | Path) else [_kept_name(part) for part in source]


def _is_named(source: Any) -> bool:
    """Is the source a path or a name, or several of them, and not an object?"""
    if isinstance(source, str | Path):
        return True
    return isinstance(source, list | tuple) and all(map(_is_named, source))


def _work(
    study: Study[Any, Any, Any, Any],
    source: Any,
    entrants: Sequence[Entrant],
    settings: StudySettings,
    where: Where | Workplace,
    record: Run | None,
    tell: Callable[[str], None],
) -> Result:
    with where.opened() as place:
        work = Work(place, record, tell)
        material = study.material(source, entrants, settings, work)
        study.groups(material, settings)  # an unknown column is an error before anything is asked
        answers = study.ask(material, entrants, settings, work)
    judged = study.judge(material, answers, settings)
    result = study.findings(judged, settings)
    doubts = doubtful(study.name, result.findings, entrants, work.place.seen)
    said_doubts = [doubt for doubt in doubts if doubt.text]
    for doubt in said_doubts:
        tell(f"{doubt.finding.system}: warning: {doubt.text}")
    if not result.tables and study.measures:
        result = replace(result, tables=standard_tables(result.findings, study.headings(), f"{study.unit}s"))
    result = with_doubts(result, doubts)
    signatures = system_signatures(entrants)
    systems = [(f"system{n}" if len(signatures) > 1 else "system", text) for n, text in enumerate(signatures, 1)]
    clusters = study.clusters(material, settings)
    sampled = [("clusters", clusters.counted)] if clusters is not None else []
    signed = signature(
        ("study", study.name), *study.facts(material, settings), *sampled, *systems, *settings.facts(),
        *settings.random_facts(),
    )  # fmt: skip
    said = study.verdicts(result.findings, judged, settings)
    verdicts = (*(doubt.verdict for doubt in said_doubts), *ranked(said))[:MOST]
    result = replace(
        result, signature=signed, verdicts=verdicts, made_by=study, settings=settings, judged=judged,
        folder=None if record is None else record.folder,
    )  # fmt: skip
    if record is not None:
        keep(result, record)
    return result


def keep(result: Result, record: Run) -> None:
    """Write the result of a study into an open run."""
    kept = result.made_by.kept(result.judged, result.settings)
    record.finish(result, kept.observations, kept.trees, kept.attached)


def command_line(
    study: Study[Any, Any, Any, Any], source: Any, entrants: Sequence[Entrant], settings: StudySettings
) -> str:
    """What to type; empty where an object of Python was studied or asked, which has no name to type.

    >>> from gardenpath.studies.evaluation.declaration import EvaluationSettings
    >>> from gardenpath.studies.evaluation.study import EVALUATION
    >>> from gardenpath.systems.asking.entrants import entrants_of
    >>> systems = entrants_of(["baseline:nearest-head"], "parser")
    >>> command_line(EVALUATION, "bundled:de-test", systems, EvaluationSettings(gold=("tags",)))
    'gardenpath evaluate bundled:de-test baseline:nearest-head --gold tags'
    """
    called = _called(study)
    systems = list(dict.fromkeys(map(_typed, entrants)))  # the checkpoints of a model are one system with an axis
    sources = list(source) if isinstance(source, list | tuple) else [source]
    if called is None or None in systems or not all(isinstance(part, str | Path) for part in sources):
        return ""
    command, _ = called
    words = [*command.split(), *map(str, [*sources, *systems])]
    for flag, value in _options(settings):
        words += [flag] if value is None else [flag, value]
    return shlex.join(["gardenpath", *words])


def _called(study: Study[Any, Any, Any, Any]) -> tuple[str, str] | None:
    """The command, and the form of it, that is this study."""
    for name in study_names():
        for form, declared in study_command(name).forms.items():
            if declared.notes.study == study.name and declared.load() is study:
                return name, form
    return None


def _typed(entrant: Entrant) -> str | None:
    """`NAME=SYSTEM` where a name that can be typed was given, else the system; None of an object."""
    if not all(isinstance(member, str) for member in entrant.given):
        return None
    label = "" if any(char in entrant.label for char in ":/\\,") else entrant.label
    system = entrant.whole or ",".join(entrant.given)
    return f"{label}={system}" if label else system


def _options(settings: StudySettings) -> Iterator[tuple[str, str | None]]:
    """Flags with their values, of what is not as by default."""
    for setting in fields(settings):
        value = getattr(settings, setting.name)
        if META not in setting.metadata or value == setting.default:
            continue
        declared = setting.metadata[META]
        flag = flag_of(setting.name, declared)
        every = tuple(declared.choices or declared.every)
        text = ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
        if every and value == every:
            text = "all"
        if declared.rest:
            yield from (("--set", f"{declared.rest}{part}") for part in value)
        elif declared.rare:
            yield "--set", f"{setting.name}={('no', 'yes')[value] if isinstance(value, bool) else text}"
        elif isinstance(value, bool):
            yield flag, None
        elif declared.repeated:
            yield from ((flag, str(part)) for part in value)
        else:
            yield flag, text
