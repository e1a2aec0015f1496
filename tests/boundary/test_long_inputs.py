"""Long inputs take time in proportion to their length: where a pattern is tried from every place, with its square.

The bound is that of fuzzing, ten seconds of the processor; what was mended takes milliseconds, and took more.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from fuzz.attack import TooLongError, attack
from fuzz.targets import TARGETS, Target

from gardenpath.errors import GardenpathError
from gardenpath.studies.evaluation.breakdown import as_phenomenon
from gardenpath.treebank.drawing import MOST_WORDS, Tree, Word, drawn

LENGTH = 60_000
LINE = b"#1:1.[0] NP(Head:Nab:a)"
LONG = {
    "many ends of a tree": ("sinica", LINE + b"#" * LENGTH),
    "many ends, and a mark": ("sinica", LINE + b"#" * LENGTH + b"x(aa)"),
    "blanks before a mark": ("sinica", LINE + b"#" + b" " * LENGTH + b"x(aa)"),
    "a part without an end": ("sinica", b"#1:1.[0] NP(Head:Nab:" + b"." * LENGTH + b"#"),
    "many numbers": ("sinica", b"#" + b"[1]" * (LENGTH // 3) + b"#"),
    "open brackets": ("penn", b"(" * LENGTH),
    "empty sentences": ("conllu", b"\n" * LENGTH),
}


@pytest.mark.parametrize("case", LONG)
def test_readers(case: str) -> None:
    name, data = LONG[case]
    target = Target(name, lambda: [TARGETS[name].seeds()[0]], (lambda *_: data,), TARGETS[name].read)
    tally = attack(target, 1)
    assert tally.faults == {}
    assert tally.refused == 1


def test_the_limit_is_there(tmp_path: Path) -> None:
    def endless(data: bytes, path: Path) -> None:
        if data == b"endless":
            raise TooLongError

    tally = attack(Target("x", lambda: [b"seed"], (lambda *_: b"endless",), endless), 1)
    assert [kind.split(" at ")[0] for kind in tally.faults] == ["TooLongError"]


def test_a_query_of_blanks() -> None:
    with pytest.raises(GardenpathError):
        as_phenomenon("a" + " " * LENGTH + "x")


def test_a_tree_that_is_too_long_for_a_terminal() -> None:
    """Every edge finds its place beside all others: 30,000 words took more than a minute."""
    words = tuple(Word("a", "X", place, "x") for place in range(MOST_WORDS + 1))
    with pytest.raises(GardenpathError, match="too long for a terminal"):
        drawn(Tree("s", "a", words))
    assert drawn(Tree("s", "a", words[:9]))
