"""The tables of options and settings in docs/commands, from the commands themselves.

`PYTHONPATH=src python docs_build/options.py` writes them into the pages: the whole of each section `Options`.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Mapping
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any

PAGES = Path(__file__).resolve().parents[1] / "docs" / "commands"
SHARED = ("jobs", "run", "format", "output", "set", "config", "quiet")
SHARED_SETTINGS = ("independent",)
"""Those that docs/index.md describes, in so far as a command means the same by them."""
_SECTION = re.compile(r"^(#+ Options)\n.*?(?=\n#|\Z)", re.MULTILINE | re.DOTALL)
_COMMAND = re.compile(r"^#+ gardenpath (.+)$", re.MULTILINE)


def refreshed(page: str, commands: Mapping[str, Any]) -> str:
    """The page of a command, with every table of options as the command has them now."""

    def section(match: re.Match[str]) -> str:
        name = _COMMAND.findall(page, 0, match.start())[-1]
        return f"{match[1]}\n\n{table(name, commands[name])}"

    return _SECTION.sub(section, page)


def table(name: str, command: Any) -> str:
    """The table of the arguments and options of a command, and that of its rare settings."""
    lines = ["| argument or option | default | meaning |", "| --- | --- | --- |"]
    shared: list[str] = []
    for parameter in sorted(command.params, key=lambda one: one.param_type_name != "argument"):
        if parameter.name == "help":
            continue
        names = ", ".join(f"`{option}`" for option in (*parameter.opts, *parameter.secondary_opts))
        if parameter.param_type_name == "argument":
            lines.append(f"| `{_metavar(parameter)}` |  | {_cell(parameter.help)} |")
        elif parameter.name in SHARED and parameter.help == _shared_help()[parameter.name]:
            shared.append(names)
        else:
            lines.append(f"| {names} | {_default(parameter.default)} | {_cell(parameter.help)} |")
    settings = list(_settings(name))
    shared += [f"`--set {setting.name}`" for setting in settings if setting.name in SHARED_SETTINGS]
    if shared:
        lines.append(
            f"| {', '.join(shared)} |  | as in [every command](../index.md#options-that-many-commands-share) |"
        )
    own = [setting for setting in settings if setting.name not in SHARED_SETTINGS]
    if own:
        lines += ["", "| `--set` | default | meaning |", "| --- | --- | --- |"]
    for setting in own:
        choices = f" One of: {', '.join(setting.rare.choices)}." if setting.rare.choices else ""
        lines.append(f"| `{setting.name}` | {_default(setting.default)} | {_cell(setting.rare.help + choices)} |")
    return "\n".join(lines) + "\n"


@cache
def _shared_help() -> Mapping[str, str]:
    return {parameter.name: parameter.help for parameter in _commands()["evaluate"].params if parameter.name in SHARED}


def _settings(name: str) -> Iterator[Any]:
    from gardenpath.cli.main import _function, all_commands
    from gardenpath.cli.settings import Rare, Setting
    from gardenpath.plugins import Command

    function = _function(name, all_commands().get(name, Command()))
    for parameter in inspect.signature(function, eval_str=True).parameters.values():
        for mark in getattr(parameter.annotation, "__metadata__", ()):
            if isinstance(mark, Rare):
                yield Setting(parameter.name, None, parameter.default, mark)


def _metavar(parameter: Any) -> str:
    return str(parameter.metavar or parameter.name.upper()).replace("|", r"\|")


def _cell(text: str | None) -> str:
    return " ".join((text or "").split()).replace("|", r"\|").replace("*", r"\*").replace("<", "&lt;")


def _default(value: Any) -> str:
    if isinstance(value, Enum):
        value = value.value
    if isinstance(value, list | tuple):
        value = ",".join(map(str, value))
    if value in (None, "", False) or callable(value):
        return ""
    return f"`{'yes' if value is True else value}`"


@cache
def _commands() -> Mapping[str, Any]:
    """Every command by its name, such as `treebank stats`."""
    import typer

    from gardenpath.cli.main import build

    def walk(command: Any, path: str) -> Iterator[tuple[str, Any]]:
        inner = getattr(command, "commands", {})
        if path and not inner:
            yield path.removesuffix(" study"), command
        for name, below in inner.items():
            yield from walk(below, f"{path} {name}".strip())

    return dict(walk(typer.main.get_command(build()), ""))


if __name__ == "__main__":
    for file in sorted(PAGES.glob("*.md")):
        file.write_text(refreshed(file.read_text(encoding="utf-8"), _commands()), encoding="utf-8")
