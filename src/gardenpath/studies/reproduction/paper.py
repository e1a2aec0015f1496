"""The papers whose numbers can be computed again: what each needs, and where its lines are made."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import Any

from ...data.tree import tree_hash
from ...errors import unknown_name
from ...runs.result import Result
from ...runs.signature import signature
from .line import Line, tables

Data = Callable[[str], Path]
"""Where the data of a name is: fetched first if it has to be."""


@dataclass(frozen=True, slots=True)
class Paper:
    """`name` is also the module here that has `lines(data)`."""

    name: str
    title: str
    needs: Sequence[str]
    """Names of data, as `gardenpath data get` knows them."""


PAPERS: Mapping[str, Paper] = {
    paper.name: paper
    for paper in (Paper("sorts", "SORTS (Fischer, de Kok and Hinrichs 2020)", ("sorts@2020", "sorts")),)
}


def papers_called(names: Iterable[str]) -> list[Paper]:
    """The papers by name, `all` for every one; a name we do not know is an error."""
    wanted = list(dict.fromkeys(names))
    for name in wanted:
        if name != "all" and name not in PAPERS:
            raise unknown_name("paper", name, (*PAPERS, "all"))
    return list(PAPERS.values()) if "all" in wanted else [PAPERS[name] for name in wanted]


def reproduce(papers: Sequence[Paper], data: Data) -> Result:
    """Every number of these papers that the data allows, beside the published one."""
    findings, shown = [], []
    for paper in papers:
        lines: list[Line] = import_module(f".{paper.name}", __package__).lines(data)
        findings += [line.finding(paper.name) for line in lines]
        shown += tables(paper.title, lines)
    needed = sorted({name for paper in papers for name in paper.needs})
    made = signature(
        ("command", "reproduce"),
        ("papers", [paper.name for paper in papers]),
        ("data", [f"{name}#{tree_hash(data(name))[:8]}" for name in needed]),
    )
    return Result(made, findings, shown)


def published(paper: str) -> dict[str, Any]:
    """The numbers of the paper as printed, by table."""
    text = files(__package__).joinpath("published", f"{paper}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)
