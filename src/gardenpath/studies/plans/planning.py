"""Plans: a study or a grid of studies as a folder with one line for each piece of work, and scripts for schedulers."""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import chdir
from dataclasses import dataclass, fields, replace
from functools import cached_property
from pathlib import Path, PurePath
from typing import Any

from ..._version import __version__
from ...boundary.structured import read_object, read_toml
from ...boundary.texts import file_bytes, file_text, reading
from ...errors import InputError, UsageError, unknown_name
from ...runs.record.cache import ResultCache
from ...runs.record.signatures import describe_input
from ...runs.record.writing import write_text
from ...runs.result.encoding import to_text
from ...systems.asking.entrants import Entrant, split_label
from ..engine.declaration import META, Call, Form, StudySettings, check_kinds, made
from ..engine.registry import STUDIES, study_command, study_of
from ..engine.study import Study

PLAN, PIECES = "plan.json", "pieces.tsv"
WHOLE = -1
"""The entrant of a piece that is a whole study."""
_NEVER_FULL = 1 << 60


@dataclass(frozen=True)
class PlannedStudy:
    """One call of a study, as a plan keeps it: it becomes one run."""

    command: str
    form: str
    source: Any
    systems: tuple[str, ...]
    settings: Mapping[str, Any]
    """Those that are not as by default."""
    name: str = ""
    """The folder of its run."""
    inputs: tuple[str, ...] = ()
    """SHA-256 of what it reads."""

    @classmethod
    def of(cls, command: str, form: str, source: Any, systems: Sequence[Any], settings: StudySettings) -> PlannedStudy:
        if not all(isinstance(system, str) for system in systems):
            raise UsageError("a plan names its systems", where=command, todo="name models, not objects")
        kept = {
            setting.name: getattr(settings, setting.name)
            for setting in fields(settings)
            if META in setting.metadata and getattr(settings, setting.name) != setting.default
        }
        return cls(command, form, json.loads(to_text(source)), tuple(systems), json.loads(to_text(kept)))

    @cached_property
    def _form(self) -> Form:
        return study_command(self.command).forms[self.form]

    @cached_property
    def study(self) -> Study[Any, Any, Any, Any]:
        return self._form.load()  # type: ignore[no-any-return]

    @cached_property
    def chosen(self) -> StudySettings:
        settings: StudySettings = made(self._form.settings, dict(self.settings))
        return settings

    @cached_property
    def entrants(self) -> list[Entrant]:
        return self.study.entrants(list(self.systems))

    def hashes(self) -> tuple[str, ...]:
        """SHA-256 of what it reads, as it is now."""
        return tuple(describe_input(file)["sha256"] for file in self.study.files(self.source, self.chosen))


@dataclass(frozen=True, slots=True)
class PlanPiece:
    """One line of a plan: which member of which system of which study."""

    number: int
    study: int
    entrant: int
    member: int
    model: str


@dataclass(frozen=True)
class StudyPlan:
    """A plan in its folder; `base` is the folder in which its names are to be read."""

    folder: Path
    base: Path
    studies: tuple[PlannedStudy, ...]
    pieces: tuple[PlanPiece, ...]

    @property
    def cache(self) -> ResultCache:
        return ResultCache(self.folder / "cache", limit=_NEVER_FULL)

    def run_folder(self, study: int) -> Path:
        return self.folder / "runs" / self.studies[study].name

    def entrant_of(self, piece: PlanPiece) -> Entrant:
        """Return the system of a piece."""
        entrants = self.studies[piece.study].entrants
        if not (0 <= piece.entrant < len(entrants) and 0 <= piece.member < len(entrants[piece.entrant])):
            todo = "make the plan again"
            raise InputError(f"piece {piece.number} is of no system", where=str(self.folder), todo=todo)
        return entrants[piece.entrant]

    def of_study(self, study: int) -> list[PlanPiece]:
        return [piece for piece in self.pieces if piece.study == study]


def make_plan(folder: str | Path, studies: Sequence[PlannedStudy]) -> StudyPlan:
    """Writes a plan into a new folder; what does not go together is said now, and nothing is asked yet."""
    place = Path(folder).absolute()
    if place.exists() and (not place.is_dir() or any(place.iterdir())):
        raise UsageError("a plan needs a new or empty folder", where=str(folder), todo="name another one")
    if not studies:
        raise UsageError("there is nothing to plan", todo="name a study, or a grid of them")
    named = []
    for number, planned in enumerate(studies, 1):
        planned.study.check(planned.source, planned.entrants, planned.chosen)
        name = f"{number:03}-{_slug(planned.command)}-{_slug(_source_name(planned.source))}"
        named.append(replace(planned, name=name, inputs=planned.hashes()))
    plan = StudyPlan(place, Path.cwd(), tuple(named), tuple(_pieces(named)))
    place.mkdir(parents=True, exist_ok=True)
    plan.cache.put("plan", b"")  # makes the key, before several processes need one
    lines = ["piece\tstudy\tsystem\tmember\tmodel"]
    lines += [f"{piece.number}\t{piece.study}\t{piece.entrant}\t{piece.member}\t{piece.model}" for piece in plan.pieces]
    write_text(place / PIECES, "\n".join(lines) + "\n")
    stored = {
        "gardenpath": __version__, "base": os.path.relpath(plan.base, place),
        "studies": [{setting.name: getattr(planned, setting.name) for setting in fields(planned)} for planned in named],
    }  # fmt: skip
    write_text(place / PLAN, to_text(stored, indent=1) + "\n")
    return plan


def read_plan(folder: str | Path) -> StudyPlan:
    """The plan in a folder; the record comes last when one is made, so that it is whole."""
    place = Path(folder).absolute()
    if not (place / PLAN).exists():
        raise InputError("this folder holds no plan", where=str(folder), todo="make one: gardenpath batch plan")
    with reading("this plan cannot be read", str(folder), "make it again"):
        stored = read_object(file_bytes(place / PLAN), str(place / PLAN))
        lines = file_text(place / PIECES).splitlines()[1:]
        studies = [_planned(study) for study in stored["studies"]]
        rows = [line.split("\t", 4) for line in lines]
        pieces = [PlanPiece(int(row[0]), int(row[1]), int(row[2]), int(row[3]), row[4]) for row in rows]
        if not all(0 <= piece.study < len(studies) for piece in pieces):
            raise ValueError("a piece is of no study")
        version, base = stored["gardenpath"], (place / stored["base"]).resolve()
    if version != __version__:
        raise UsageError(
            f"this plan was made by {version}, this is {__version__}", where=str(folder), todo="make it again"
        )
    return StudyPlan(place, base, tuple(studies), tuple(pieces))


def _planned(stored: Mapping[str, Any]) -> PlannedStudy:
    """Return a study of a plan, which somebody may have changed: its run must stay in the folder of the plan."""
    planned = PlannedStudy(**{setting.name: stored[setting.name] for setting in fields(PlannedStudy)})
    if _slug(planned.name) != planned.name or len(planned.name) > _LONGEST_NAME:
        raise ValueError(f"{planned.name!r} is not the name of a run")
    if planned.form not in study_command(planned.command).forms:
        raise ValueError(f"{planned.command} has no form {planned.form!r}")
    if not all(isinstance(system, str) for system in planned.systems):
        raise ValueError("its systems are not names")
    return replace(planned, systems=tuple(planned.systems), inputs=tuple(planned.inputs))


class PlanWorker:
    """Does pieces of a plan, one after the other: material and model stay until others are needed."""

    def __init__(self, plan: StudyPlan) -> None:
        self.plan = plan
        self._materials: dict[int, Any] = {}
        self._model: tuple[str, str, Entrant] | None = None

    def do(self, piece: PlanPiece, where: Any) -> dict[str, Any]:
        """The answers of one piece go to the cache of `where`; what is said of it comes back."""
        from ..engine.study import Work, run

        planned = self.plan.studies[piece.study]
        with chdir(self.plan.base):
            if piece.entrant == WHOLE:
                run(
                    planned.study,
                    planned.source,
                    (),
                    planned.chosen,
                    where=where,
                    folder=self.plan.run_folder(piece.study),
                )
                return {"signature": ""}
            entrant = self._entrant(piece)
            with where.opened() as place:
                planned.study.ask(self._material(piece.study), [entrant], planned.chosen, Work(place))
            return {"signature": entrant.signature}

    def _material(self, number: int) -> Any:
        if number not in self._materials:
            planned = self.plan.studies[number]
            check_inputs(planned)
            while len(self._materials) >= 16:
                self._materials.pop(next(iter(self._materials)))
            self._materials[number] = planned.study.read(planned.source, planned.chosen)
        return self._materials[number]

    def _entrant(self, piece: PlanPiece) -> Entrant:
        """The one model of a piece; the model of the piece before, where it is the same."""
        whole = self.plan.entrant_of(piece)
        key = (whole.role, str(whole.given[piece.member]))
        if self._model is None or self._model[:2] != key:
            self._model = (*key, replace(whole, given=(whole.given[piece.member],), _made={}))
        return replace(self._model[2], name=whole.name, label=whole.label, axis=whole.axis, step=whole.step)


def check_inputs(planned: PlannedStudy) -> None:
    """What a study reads must be what was planned."""
    if planned.hashes() != planned.inputs:
        todo = "put the files back, or make the plan again"
        raise InputError("its files are not those that were planned", where=str(planned.source), todo=todo)


def _pieces(studies: Sequence[PlannedStudy]) -> Iterator[PlanPiece]:
    """All pieces, those of one model together, in the order in which models are first named."""
    by_model: dict[str, list[tuple[int, int, int]]] = {}
    for number, planned in enumerate(studies):
        if not planned.study.role:
            by_model.setdefault("", []).append((number, WHOLE, 0))
        for entrant_number, entrant in enumerate(planned.entrants):
            for member, model in enumerate(entrant.given):
                by_model.setdefault(str(model), []).append((number, entrant_number, member))
    ordered = [(model, place) for model, places in by_model.items() for place in places]
    for number, (model, place) in enumerate(ordered):
        yield PlanPiece(number, *place, model)


def _source_name(source: Any) -> str:
    first = source[0] if isinstance(source, list) and source else source
    return PurePath(str(first).rpartition(":")[2]).name.split(".")[0]


_LONGEST_NAME = 200


def _slug(text: str) -> str:
    return re.sub(r"[^\w-]+", "-", text)[:_LONGEST_NAME].strip("-") or "study"


_KEYS = ("command", "sources", "systems", "seeds", "revisions", "settings")


def read_grid(path: str | Path) -> list[PlannedStudy]:
    """One planned study for each source of each `[[study]]`; all its systems are in one run, to be compared."""
    tables = read_toml(file_bytes(path, "the grid", "check the path"), str(path)).get("study")
    if not isinstance(tables, list) or not tables or not all(isinstance(table, dict) for table in tables):
        raise InputError("no [[study]] in this grid", where=str(path), todo="see docs/commands/batch.md")
    return [planned for number, table in enumerate(tables, 1) for planned in _studies(table, f"{path}: study {number}")]


def planned_study(command: str, source: Any, systems: list[str], settings: dict[str, Any]) -> PlannedStudy:
    """A call of a study, by its command, as on the command line."""
    declared = study_command(command)
    options = {name: settings.get(name, "") for form in declared.forms.values() for name, _ in form.settings.options()}
    sources = list(source) if isinstance(source, list | tuple) else [str(source)]
    call: Call = declared.divide([*sources, *systems], options)
    form = declared.forms[call.form]
    check_kinds(form.settings, settings)
    return PlannedStudy.of(command, call.form, call.source, call.systems, made(form.settings, settings))


def _studies(table: dict[str, Any], where: str) -> Iterator[PlannedStudy]:
    for key in table:
        if key not in _KEYS:
            raise unknown_name("key", key, _KEYS, where=where)
    sources, settings = _texts(table, "sources", where), table.get("settings", {})
    if not isinstance(settings, dict):
        raise InputError("settings is not a table", where=where, todo='write settings = {by = "class"}')
    if not sources:
        raise UsageError("a study has no sources", where=where, todo='add sources = ["suite.json"]')
    revisions, seeds = _texts(table, "revisions", where), _texts(table, "seeds", where)
    systems = [expanded(system, seeds, revisions, where) for system in _texts(table, "systems", where)]
    for source in sources:
        with reading("this source cannot be read", where):
            command = str(table.get("command") or study_of(source))
        if command not in STUDIES:
            raise unknown_name("study", command, STUDIES, where=where)
        with reading("this study cannot be planned", where, "see docs/commands/batch.md"):
            yield planned_study(command, source, systems, settings)


def expanded(system: str, seeds: list[str], revisions: list[str], where: str = "") -> str:
    """`{seed}` stands for the seeds of one system, `{revision}` for its checkpoints.

    >>> expanded("mine=lstm:models/seed-{seed}", ["1", "2"], [])
    'mine=lstm:models/seed-1,lstm:models/seed-2'
    >>> expanded("hf:NAME@{revision}", [], ["step1", "step2"])
    'hf:NAME@{step1,step2}'
    """
    for name, values in (("{seed}", seeds), ("{revision}", revisions)):
        if name in system and not values:
            raise UsageError(f"{system} has {name}, and there are none", where=where, todo=f"add {name[1:-1]}s = […]")
    label, model = split_label(system)
    model = model.replace("{revision}", f"{{{','.join(revisions)}}}")
    members = ",".join(model.replace("{seed}", seed) for seed in seeds) if "{seed}" in model else model
    return f"{label}={members}" if label else members


def _texts(table: dict[str, Any], key: str, where: str) -> list[str]:
    values = table.get(key, [])
    if not isinstance(values, list) or not all(isinstance(value, str | int) for value in values):
        raise InputError(f"{key} is not a list of names", where=where, todo=f'write {key} = ["a", "b"]')
    return [str(value) for value in values]


def slurm_script(plan: Path, base: Path, shards: int) -> str:
    """For `sbatch`: each task of the array does its shard; sent again, it does only what is missing."""
    return f"""#!/bin/bash
#SBATCH --job-name=gardenpath
#SBATCH --array=1-{shards}
#SBATCH --cpus-per-task=1
#SBATCH --output={plan}/slurm-%a.log
cd {shlex.quote(str(base))}
exec gardenpath batch run {shlex.quote(str(plan))} --shard "$SLURM_ARRAY_TASK_ID/{shards}"
"""


def kubernetes_manifest(plan: Path, shards: int, image: str = "gardenpath") -> str:
    """For `kubectl apply`: an indexed job whose pods share the volume `work`, in which the plan lies."""
    command = f'exec gardenpath batch run {shlex.quote(str(plan))} --shard "$((JOB_COMPLETION_INDEX + 1))/{shards}"'
    return f"""apiVersion: batch/v1
kind: Job
metadata:
  name: gardenpath
spec:
  completionMode: Indexed
  completions: {shards}
  parallelism: {shards}
  backoffLimitPerIndex: 2
  template:
    spec:
      restartPolicy: Never
      containers:
        - name: shard
          image: {image}
          command: ["/bin/sh", "-c"]
          args:
            - {command!r}
          volumeMounts:
            - name: work
              mountPath: {plan.parent}
      volumes:
        - name: work
          persistentVolumeClaim:
            claimName: work
"""
