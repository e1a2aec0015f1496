"""What fits a system: the suites, treebanks and changes that there are for its kind and its language."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePath
from typing import Any

from ...data import bundled_names, records, whereabouts
from ...data.names import local
from ...data.record import STUDIES
from ...data.store import mirror
from ...errors import UsageError
from ...suites.reader import read_suite
from ...systems.protocol import JUDGE, LANGUAGE_MODEL, PARSER, PHRASE_PARSER
from ..recognition import study_of
from .examinee import Examinee

ROLES = {
    "evaluate": (PARSER,), "roles": (PARSER,), "consistency test": (PARSER,), "surprisal": (LANGUAGE_MODEL,),
    "judge": (JUDGE,), "constructions": (PHRASE_PARSER,),
}  # fmt: skip
"""Whom the exams of a study are for."""
_BASELINES = {"roles": "baseline:subject-first", "pp": "baseline:nearest-candidate"}
"""What stands beside a parser on a suite of each kind."""
_CHANGED, _VARIANTS = 60, 5
"""Sentences of each change, and variants of a sentence."""
_SETTINGS: Mapping[str, Mapping[str, Any]] = {
    "evaluate": {"by": "label", "queries": ["bundled:ud-phenomena"]},
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
        todo = "name suites or treebanks after the system, or fetch some: gardenpath suites list"
        raise UsageError(what, where=who.entrant.name, todo=todo)
    names = [exam.name for exam in exams]
    return [
        replace(exam, name=f"{exam.name}-{names[:at].count(exam.name) + 1}") if exam.name in names[:at] else exam
        for at, exam in enumerate(exams)
    ]


def _exam(who: Examinee, command: str, source: str) -> Exam | None:
    """The exam on this source; none where it is not for such a system."""
    asked = "judge" if command == "surprisal" and JUDGE in who.roles else command
    if not set(ROLES[asked]) & set(who.roles):
        return None
    settings = dict(_SETTINGS.get(asked, {}))
    if asked == "roles":
        settings["baseline"] = _BASELINES[read_suite(local(source)).kind]
    if settings.get("baseline") in who.entrant.given:
        del settings["baseline"]
    return Exam(f"{asked}-{_slug(source)}", asked, source, settings)


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
    from ...treebank.perturb.registry import heeds_language, kinds

    fitting = [kind for kind in kinds().values() if kind.languages is None or language in kind.languages]
    changes = [kind.name for kind in fitting]
    trees = [exam.source for exam in exams if exam.command in ("roles", "evaluate")]
    if changes and trees:
        source = max(trees, key=_size)
        settings = {"perturb": ",".join(changes), "sentences": _CHANGED, "per_sentence": _VARIANTS}
        yield Exam(
            f"consistency-{_slug(source)}", "consistency test", source,
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
