"""A grid of studies from a TOML file: every source with every system, in all their seeds and revisions."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..boundary.faults import reading
from ..boundary.structured import read_toml
from ..boundary.texts import file_bytes
from ..errors import InputError, UsageError, unknown_name
from ..systems.entrants import split_label
from .command import Call
from .planning import PlannedStudy
from .recognition import study_of
from .registry import STUDIES, study_command
from .settings import check_kinds, made

_KEYS = ("command", "sources", "systems", "seeds", "revisions", "settings")


def read_grid(path: str | Path) -> list[PlannedStudy]:
    """One planned study for each source of each `[[study]]`; all its systems are in one run, to be compared."""
    tables = read_toml(file_bytes(path, "the grid", "check the path"), str(path)).get("study")
    if not isinstance(tables, list) or not tables or not all(isinstance(table, dict) for table in tables):
        raise InputError("no [[study]] in this grid", where=str(path), todo="see docs/commands/plan.md")
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
        with reading("this study cannot be planned", where, "see docs/commands/plan.md"):
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
