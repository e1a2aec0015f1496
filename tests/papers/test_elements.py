"""docs/paper-elements.tsv: what the papers describe, and the commands that do it."""

from __future__ import annotations

import csv
import re
from collections import Counter
from pathlib import Path

import pytest

from pages import program

FILE = Path(__file__).resolve().parents[2] / "docs" / "paper-elements.tsv"
with FILE.open(encoding="utf-8", newline="") as _stream:
    ROWS = list(csv.DictReader(_stream, delimiter="\t", quoting=csv.QUOTE_NONE))


def test_every_element_is_there_once() -> None:
    assert Counter(row["paper"] for row in ROWS) == {
        "SORTS": 45, "TEPACOC": 25, "Mandarin": 47, "EDV": 42, "Consistency": 27,
    }  # fmt: skip
    assert max(Counter((row["paper"], row["section"], row["element"]) for row in ROWS).values()) == 1


def test_what_is_not_complete_says_why() -> None:
    assert {row["state"] for row in ROWS} <= {"complete", "partly", "missing"}
    assert [row["element"] for row in ROWS if bool(row["why"]) == (row["state"] == "complete")] == []


@pytest.mark.parametrize("call", sorted({row["command"] for row in ROWS} - {""}))
def test_commands_and_their_options_exist(call: str) -> None:
    words = call.split()
    names = [" ".join(words[:size]) for size in (2, 1)]
    command = next((program()[name] for name in names if name in program()), None)
    assert command is not None
    known = {option for parameter in command.params for option in parameter.opts}
    assert set(re.findall(r"(?<=\s)--[\w-]+", call)) <= known
