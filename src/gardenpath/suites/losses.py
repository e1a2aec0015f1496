"""What is lost when a suite goes from one format to another."""

from __future__ import annotations

import numpy as np

from .model import RoleSuite


def head_distance(suite: RoleSuite, number: int) -> int:
    return next((abs(at - head) for at, head, label in suite.arcs_of(number) if label != "case"), -1)


def what_tsv_lacked(suite: RoleSuite) -> list[str]:
    """What another form has a place for and a suite from TSV does not tell."""
    lines = []
    unknown = int(np.count_nonzero(suite.arcs.head < 0))
    if unknown:
        lines.append(f"heads of subject and object, which TSV does not have (HEAD is _): {unknown:,}")
    outside = int(np.count_nonzero(suite.arcs.dependent > suite.treebank.lengths[suite.arcs.item]))
    if outside:
        lines.append(f"positions outside the sentence: {outside:,}")
    misstated = sum(
        suite.distances[number] != head_distance(suite, number) for number in range(len(suite)) if suite.distances
    )
    if misstated:
        lines.append(f"head_distance that is not the distance of noun and head: {misstated:,}")
    return lines
