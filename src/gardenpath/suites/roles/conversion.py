"""Role suites in another form: what the form can hold is kept; what it cannot is an error or a listed loss."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...errors import unknown_name
from ...formats import ROLES
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
        release = suite.release
        marked = [(order_today(order, release), properties_today(props, release)) for order, props in marked]
    written: Written = write(suite, marked, today=names == "today", partial=partial)
    return written


def head_distance(suite: RoleSuite, number: int) -> int:
    return next((abs(at - head) for at, head, label in suite.arcs_of(number) if label != "case"), -1)


def what_tsv_lacked(suite: RoleSuite) -> list[str]:
    """What another form has a place for and a suite from TSV does not tell."""
    arcs = suite.arcs
    counts = {
        "heads of subject and object, which TSV does not have (HEAD is _)": np.count_nonzero(arcs.head < 0),
        "positions outside the sentence": np.count_nonzero(arcs.dependent > suite.treebank.lengths[arcs.item]),
        "head_distance that is not the distance of noun and head": sum(
            distance != head_distance(suite, number) for number, distance in enumerate(suite.distances)
        ),
    }
    return [f"{what}: {count:,}" for what, count in counts.items() if count]
