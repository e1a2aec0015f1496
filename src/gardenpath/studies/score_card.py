"""The score card: the suites, treebanks and changes that fit a system, carried out within a time budget."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import zip_longest
from pathlib import Path, PurePath
from time import monotonic
from typing import Any

from ..boundary.structured import read_object
from ..boundary.texts import file_bytes
from ..data import bundled, bundled_names, records, whereabouts
from ..data.catalogue import STUDIES
from ..data.store import local, mirror
from ..errors import GardenpathError, InputError, OutOfTime, UsageError
from ..runs.record.run import Run
from ..runs.record.signatures import short, signature
from ..runs.result.layout import Column, measured, table
from ..runs.result.result import Finding, Result, Verdict
from ..runs.work.where import HERE, Where
from ..suites.roles.reader import read_suite
from ..systems.asking.entrants import FILE_KINDS, Entrant, entrants_of, split_label, system_signatures
from ..systems.asking.language import covers
from ..systems.asking.protocol import JUDGE, LANGUAGE_MODEL, PARSER, PHRASE_PARSER
from ..systems.asking.registry import kind_of
from ..systems.files.models import read_card
from ..treebank import read
from .engine.registry import study_of
from .engine.study import Study, run
from .plans.planning import planned_study

LANGUAGES = {
    "ar": "arabic", "cs": "czech", "de": "german", "en": "english", "es": "spanish", "fi": "finnish", "fr": "french",
    "he": "hebrew", "hi": "hindi", "hu": "hungarian", "id": "indonesian", "it": "italian", "ja": "japanese",
    "ko": "korean", "la": "latin", "nl": "dutch", "pl": "polish", "pt": "portuguese", "ru": "russian", "sv": "swedish",
    "tr": "turkish", "uk": "ukrainian", "vi": "vietnamese", "zh": "chinese",
}  # fmt: skip
"""Languages that a model's name may name, by their codes."""
_CODE = re.compile(r"([a-z]{2,3})[_-].+")
_FRONT = re.compile(r"language:[ \t]*(?:\n[ \t]*-[ \t]*)?['\"]?([a-z]{2,3})\b(?![^\n]*,)(?!\n[ \t]*-)")
_SMALL = 1 << 20


@dataclass(frozen=True, slots=True)
class Examinee:
    """The system under examination."""

    entrant: Entrant
    roles: tuple[str, ...]
    language: str
    known_by: str
    """How its language is known."""

    @property
    def language_name(self) -> str:
        return LANGUAGES.get(self.language, self.language).capitalize()


def examinee(system: str, language: str = "") -> Examinee:
    """The system of this name; an error where it answers from a file, or its language cannot be told."""
    name = split_label(system)[1]
    kind, argument = kind_of(name)
    if kind.name in FILE_KINDS.values():
        what = "a file has answers to what was asked once, and cannot be examined"
        raise UsageError(what, where=system, todo="name the system that wrote it, or use evaluate, roles or surprisal")
    roles = kind.roles if len(kind.roles) == 1 else tuple(_played(system, kind.roles))
    entrant = entrants_of([system], roles[0] if roles else kind.roles[0])[0]
    if language:
        return Examinee(entrant, roles, language.lower(), "as it was said")
    for code, known_by in _clues(entrant, argument):
        if code:
            return Examinee(entrant, roles, code, known_by)
    raise UsageError("its language is not known", where=system, todo="name it: --language en")


def _played(system: str, roles: Iterable[str]) -> Iterator[str]:
    """Of the roles of its kind those that this system plays."""
    for role in roles:
        try:
            _ = entrants_of([system], role)[0].members
        except UsageError:
            continue
        yield role


def _clues(entrant: Entrant, argument: str) -> Iterator[tuple[str, str]]:
    """Languages by what tells them, the surest first."""
    place = Path(argument if Path(argument).exists() else argument.partition("#")[0])
    try:
        card = read_card(place) if place.exists() else {}
    except InputError:
        card = {}
    trained_on = PurePath(str((card.get("train") or {}).get("name", ""))).name
    if match := _CODE.match(trained_on):
        yield match[1], f"by its training data, {trained_on}"
    yield _by_words(card), "by the frequent words of its training data"
    yield _by_its_files(place), "by the description in its folder"
    own = getattr(getattr(entrant.members[0], "models", None), "language", "")
    yield str(own), "by its models"
    yield _by_name(PurePath(argument.partition("#")[0]).name.lower()), "by its name"


def _by_words(card: dict[str, Any]) -> str:
    """The bundled treebank whose words are those that the training data had most of, if there is such a one."""
    known = card.get("profile")
    if not isinstance(known, dict):
        return ""
    samples = [name for name in bundled_names() if name.endswith("-test")]
    fitting = [name for name in samples if covers(known, read(bundled(name)))]
    return fitting[0].partition("-")[0] if len(fitting) == 1 else ""


def _by_its_files(place: Path) -> str:
    """The one language that the card of a model on a hub (README.md) or a spaCy pipeline (meta.json) names."""
    readme, meta = place / "README.md", place / "meta.json"
    if readme.is_file():
        front = readme.read_bytes()[:_SMALL].decode("utf-8", "replace").split("---")
        if len(front) > 2 and not front[0].strip() and (match := _FRONT.search(front[1])):
            return match[1]
    if meta.is_file():
        return str(read_object(file_bytes(meta), str(meta)).get("lang", ""))
    return ""


def _by_name(name: str) -> str:
    """`de`, `de_core_news_sm`, `bert-base-german-cased`: a code at the beginning, or the name of a language."""
    words = re.split(r"[^a-z]+", name)
    named = [code for code, language in LANGUAGES.items() if language in words]
    return named[0] if len(named) == 1 else words[0] if words[0] in LANGUAGES else ""


ROLES = {
    "evaluate": (PARSER,), "roles": (PARSER,), "consistency": (PARSER,), "surprisal": (LANGUAGE_MODEL, JUDGE),
    "constructions": (PHRASE_PARSER,),
}  # fmt: skip
"""Whom the exams of a study are for."""
_BASELINES = {"roles": "baseline:subject-first", "pp": "baseline:nearest-candidate"}
"""What stands beside a parser on a suite of each kind."""
_CHANGED, _VARIANTS = 60, 5
"""Sentences of each change, and variants of a sentence."""
_SETTINGS: Mapping[str, Mapping[str, Any]] = {
    "evaluate": {"by": "label,bundled:ud-phenomena"},
    "roles": {"by": "order,property,pairs"},
    "surprisal": {"by": "class"},
}


@dataclass(frozen=True)
class Exam:
    """One study to carry out; `name` is that of its run."""

    name: str
    command: str
    source: str
    settings: Mapping[str, Any] = field(default_factory=dict)

    @property
    def also(self) -> list[str]:
        """What stands beside the system, so that its score means something."""
        return [str(self.settings["baseline"])] if "baseline" in self.settings else []


def programme(who: Examinee, sources: Sequence[str] = ()) -> list[Exam]:
    """All exams that fit: those that the user names, what is bundled, and what mirror and store have, small ones first.

    Of a system in two roles both are examined.
    """
    named = [(study_of(source), source) for source in sources]
    at_hand = [*named, *_bundled(who.language)]
    exams = [exam for command, source in at_hand if (exam := _exam(who, command, source)) is not None]
    if len(exams) < len(at_hand) and (unfit := [pair for pair in named if _exam(who, *pair) is None]):
        command, source = unfit[0]
        what = f"this does not fit a {' and '.join(who.roles)}"
        raise UsageError(what, where=source, todo=f"leave it out: it is for a {ROLES[command][0]}")
    if PARSER in who.roles:
        exams += _changes(who.language, exams)
    elsewhere = sorted(_local(who.language), key=lambda found: _size(found[1]))
    exams += [exam for command, source in elsewhere if (exam := _exam(who, command, source)) is not None]
    if not exams:
        what = f"there is no suite and no treebank here for a {' and '.join(who.roles)} of {who.language_name}"
        todo = "name suites or treebanks after the system, or fetch some: gardenpath data list"
        raise UsageError(what, where=who.entrant.name, todo=todo)
    names = [exam.name for exam in exams]
    return [
        replace(exam, name=f"{exam.name}-{names[:at].count(exam.name) + 1}") if exam.name in names[:at] else exam
        for at, exam in enumerate(exams)
    ]


def _exam(who: Examinee, command: str, source: str) -> Exam | None:
    """The exam on this source; none where it is not for such a system."""
    if not set(ROLES[command]) & set(who.roles):
        return None
    settings = dict(_SETTINGS.get(command, {}))
    if command == "roles":
        settings["baseline"] = _BASELINES[read_suite(local(source)).kind]
    if settings.get("baseline") in who.entrant.given:
        del settings["baseline"]
    return Exam(f"{command}-{_slug(source)}", command, source, settings)


def _bundled(language: str) -> Iterator[tuple[str, str]]:
    parts = {f"{language}-{part}": study for part, study in {"test": "evaluate", **STUDIES}.items()}
    for name, study in parts.items():
        if name in bundled_names():
            yield study, f"bundled:{name}"


def _local(language: str) -> Iterator[tuple[str, str]]:
    """Suites and test sets of the language that the mirror has or the store."""
    for record in records():
        study = record.study
        here = whereabouts(record.name) if study else None
        if here is None:
            continue
        whole = ("",) if record.language == language and study == "surprisal" and not record.exams else ()
        for part in record.exams.get(language, whole):
            if (here.path / part).exists():
                yield study, str(here.path / part)
    root = mirror()
    if root is not None:
        for path in sorted(root.glob(f"ud/*/{language}_*-ud-test.conllu")):
            yield "evaluate", str(path)


def _changes(language: str, exams: Sequence[Exam]) -> Iterator[Exam]:
    """Every change that is there for the language, on the largest of these sources of trees."""
    from ..treebank.perturb.registry import heeds_language, kinds

    fitting = [kind for kind in kinds().values() if kind.languages is None or language in kind.languages]
    changes = [kind.name for kind in fitting]
    trees = [exam.source for exam in exams if exam.command in ("roles", "evaluate")]
    if changes and trees:
        source = max(trees, key=_size)
        settings = {"change": ",".join(changes), "sentences": _CHANGED, "per_sentence": _VARIANTS}
        yield Exam(
            f"consistency-{_slug(source)}", "consistency", source,
            {**settings, "language": language} if any(heeds_language(kind) for kind in fitting) else settings,
        )  # fmt: skip


def _size(source: str) -> int:
    """Bytes, as a guess at how long it takes."""
    path = whereabouts(source).path if source.startswith("bundled:") else Path(source)  # type: ignore[union-attr]
    files = path.rglob("*") if path.is_dir() else [path]
    return sum(file.stat().st_size for file in files if file.is_file())


def _slug(source: str) -> str:
    name = source.partition(":")[2] if source.startswith("bundled:") else PurePath(source).name.split(".")[0]
    return re.sub(r"[^\w-]+", "-", name).strip("-").lower() or "suite"


STUDY = "card"
DONE, NOT_FITTED, FAILED = "done", "did not fit", "could not be carried out"
MINUTES = 5.0


@dataclass(frozen=True)
class ExamReport:
    """What became of an exam."""

    exam: Exam
    state: str
    seconds: float
    why: str = ""
    result: Result | None = None
    score: Finding | None = None
    """The main score of the examinee over all items; of changes that of the worst."""


@dataclass(frozen=True)
class Card:
    """A finished card: its result and its folder."""

    result: Result
    folder: Path


def card(
    system: str,
    sources: Sequence[str] = (),
    *,
    language: str = "",
    budget: float = MINUTES,
    where: Where = HERE,
    folder: str | Path = "",
    tell: Callable[[str], None] = lambda _: None,
) -> Card:
    """Examines a system within so many minutes; the folder holds a run for each exam, and is a run of them.

    An exam that the time runs out for is named; what was answered is in the cache, and is not asked again.
    """
    if not budget > 0:
        raise UsageError(f"{budget:g} is not a budget", where="--budget", todo="give minutes, more than 0")
    who = examinee(system, language)
    exams = programme(who, sources)
    place = Path(folder or card_folder(who.entrant.name))
    settings = {
        "system": who.entrant.signature, "name": who.entrant.name, "language": who.language, "budget": budget,
        "exams": [asdict(exam) for exam in exams],
    }  # fmt: skip
    words = [system, *sources, *(["--language", language] if language else [])]
    call = shlex.join(["gardenpath", "card", *words, *([] if budget == MINUTES else ["--budget", f"{budget:g}"])])
    with Run.open(place, command=STUDY, settings=settings, call=call) as record:
        if record.finished:
            return Card(record.result(), place)
        tell(f"{who.entrant.name}: {' and '.join(who.roles)} of {who.language_name}, {who.known_by}")
        begin = monotonic()
        timed = replace(where, until=begin + 60 * budget)
        reports = list(_examined(who, exams, place, timed, tell))
        result = _result(who, reports, budget, monotonic() - begin)
        for report in reports:
            if report.state != DONE:  # its answers are in the cache
                shutil.rmtree(place / report.exam.name, ignore_errors=True)
        record.finish(result, runs=[report.exam.name for report in reports if report.state == DONE])
    return Card(result, place)


def card_folder(name: str) -> str:
    """`card-de-udpipe` of `udpipe:models/de.udpipe`."""
    last = re.split(r"[:/\\]", name.partition("#")[0])[-1]
    return "card-" + re.sub(r"[^\w-]+", "-", last).strip("-")


def _examined(
    who: Examinee, exams: Sequence[Exam], place: Path, where: Where, tell: Callable[[str], None]
) -> Iterator[ExamReport]:
    for number, exam in enumerate(exams, 1):
        begin = monotonic()
        if where.until is not None and begin > where.until:
            yield ExamReport(exam, NOT_FITTED, 0.0)
            continue
        tell(f"{number}/{len(exams)}  {exam.command} {exam.source}")
        given = who.entrant.given
        system = f"{who.entrant.name}={','.join(given)}" if who.entrant.label else ",".join(given)
        try:
            planned = planned_study(exam.command, exam.source, [system, *exam.also], dict(exam.settings))
            result = run(
                planned.study, planned.source, planned.systems, planned.chosen, where=where, folder=place / exam.name
            )
        except OutOfTime:
            yield ExamReport(exam, NOT_FITTED, monotonic() - begin)
        except GardenpathError as error:
            tell(f"  not carried out: {error}")
            yield ExamReport(exam, FAILED, monotonic() - begin, f"{error.what}; {error.todo}".rstrip("; "))
        else:
            score = _main_score(planned.study, result, planned.entrants[0].name)
            yield ExamReport(exam, DONE, monotonic() - begin, "", result, score)


def _main_score(study: Study[Any, Any, Any, Any], result: Result, system: str) -> Finding | None:
    overall = [
        finding
        for finding in result.findings
        if finding.system == system and isinstance(finding.value, float) and study.is_overall(finding)
    ]
    changes = [finding for finding in overall if finding.measure == "changed"]
    if changes:  # of trees, by changes that should change nothing
        return max(changes, key=lambda finding: float(finding.value or 0))
    own = [finding for finding in overall if finding.measure == study.measures[0]]
    return max(own, key=lambda finding: finding.n or 0, default=None)


def _result(who: Examinee, reports: Sequence[ExamReport], budget: float, seconds: float) -> Result:
    done = [(report, report.result) for report in reports if report.result is not None]
    if not done:
        fits = next((report for report in reports if report.state == FAILED), None)
        what = fits.why if fits is not None else f"nothing fits into {budget:g} minutes"
        raise UsageError(what, where=who.entrant.name, todo="give it more time (--budget), or name other suites")
    signed = signature(
        ("study", STUDY), ("system", system_signatures([who.entrant])[0]), ("language", who.language),
        ("exams", [f"{report.exam.name}={short(result.signature)}" for report, result in done]),
    )  # fmt: skip
    failures = {
        f"{report.exam.name}: {kind}": count
        for report, result in done
        for kind, count in result.failures.items()
        if count
    }
    for state in (NOT_FITTED, FAILED):
        if count := sum(report.state == state for report in reports):
            failures[f"exams that {state}"] = count
    details = {
        "system": who.entrant.name, "kind": list(who.roles), "language": who.language, "language_known": who.known_by,
        "minutes": round(seconds / 60, 2), "budget": budget,
        "exams": [
            {
                "name": report.exam.name, "study": report.exam.command, "source": _shown(report.exam.source),
                "state": report.state, "why": report.why, "seconds": round(report.seconds, 1),
            }
            for report in reports
        ],
    }  # fmt: skip
    findings = [finding for _, result in done for finding in result.findings]
    return Result(
        signed, findings, [_overview(reports, budget)], failures, details, list(verdicts_by_turns([r for _, r in done]))
    )


def verdicts_by_turns(results: Sequence[Result]) -> Iterator[Verdict]:
    """The first sentence of every exam, then the second, and so on."""
    for row in zip_longest(*(result.verdicts for result in results)):
        yield from (verdict for verdict in row if verdict is not None)


def _overview(reports: Sequence[ExamReport], budget: float) -> Any:
    scores = [report.score for report in reports]
    columns = [
        Column("exam", [report.exam.command for report in reports]),
        Column("on", [_shown(report.exam.source) for report in reports]),
        Column("measure", [score.measure if score else None for score in scores]),
        *measured("score", scores, interval=True, digits=1),
        *measured("n", scores, of="n"),
        Column("state", [report.state for report in reports]),
    ]
    note = f"budget: {budget:g} minutes"
    if any(score is not None and "perturbation" in score.by for score in scores):
        note += "; changed: variants with another tree than the original's, of the change that changes most"
    return table("Score card", columns, note=note, name="card")


def _shown(source: str) -> str:
    """A name, or the last two parts of a path."""
    return source if source.startswith("bundled:") else "/".join(Path(source).parts[-2:])
