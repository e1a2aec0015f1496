"""Suites in another form: what the form can hold is kept, and what it cannot is an error or a listed loss."""

from __future__ import annotations

from dataclasses import dataclass

from ..errors import unknown_name
from ..formats import ROLES
from .model import RoleSuite
from .names import order_today, properties_today

NAMES = ("original", "today")


@dataclass(frozen=True, slots=True)
class Written:
    """The bytes of a suite in another form, and what they do not hold, one line each."""

    data: bytes
    losses: tuple[str, ...] = ()


def convert(suite: RoleSuite, to: str, *, names: str = "original", partial: bool = False) -> Written:
    """The suite as `conll` (FEATS with `:`), `conllu-feats` (with `=`), `conllu` (both in comments) or `tsv`.

    `names`: those of the file, or today's; `partial`: only the gold arcs and the verb, where all heads are given.
    """
    write = ROLES.writer(to)
    if names not in NAMES:
        raise unknown_name("choice of names", names, NAMES)
    marked = list(suite.marked)
    if names == "today" and suite.kind == "roles":
        table = {mark: _today(mark, suite.release) for mark in set(marked)}
        marked = [table[mark] for mark in marked]
    written: Written = write(suite, marked, today=names == "today", partial=partial)
    return written


def _today(mark: tuple[str, str], release: str) -> tuple[str, str]:
    return order_today(mark[0], release), properties_today(mark[1], release)
