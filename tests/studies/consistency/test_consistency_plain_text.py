"""Plain text without gold: the first system says where the years are, and nothing is called right."""

from __future__ import annotations

from pathlib import Path

import pytest

from gardenpath.errors import UsageError
from gardenpath.studies.consistency.declaration import ConsistencySettings
from gardenpath.studies.consistency.study import CONSISTENCY
from gardenpath.studies.engine import study as engine
from gardenpath.systems.asking.request import Request

TEXT = "She came in 1998 .\nIt was built in 1745 and burnt .\nNobody knows .\nThe war of 1866 was short .\n"


class _Flat:
    """Everything hangs on the first word; a year that begins with 2 hangs on the word before it."""

    modes = ("tokens", "sentences", "text")

    def __init__(self, name: str, moves: str) -> None:
        self.name, self.moves, self.signature = name, moves, f"flat:{moves}"

    def parse(self, request: Request) -> str:
        return "".join(self._tree(text.split()) for text in request.texts)

    def _tree(self, words: list[str]) -> str:
        rows = []
        for number, word in enumerate(words, 1):
            head = 0 if number == 1 else number - 1 if word.isdigit() and word[0] == self.moves else 1
            upos = "NUM" if word.isdigit() else "X"
            rows.append(f"{number}\t{word}\t{word}\t{upos}\t_\t_\t{head}\t{'root' if not head else 'dep'}\t_\t_")
        return "\n".join([*rows, "", ""])


@pytest.fixture
def sentences(tmp_path: Path) -> Path:
    path = tmp_path / "en_three.txt"
    path.write_text(TEXT, encoding="utf-8")
    return path


def test_a_system_is_compared_with_itself(sentences: Path) -> None:
    settings = ConsistencySettings(perturb=("years",), mode="text", by=("questions",))
    systems = {"twenties": _Flat("twenties", "2"), "never": _Flat("never", "0")}
    carried = engine.run(CONSISTENCY, sentences, systems, settings)
    result = carried
    of = {(one.system, one.measure): one for one in result.findings if set(one.by) == {"perturbation", "order"}}
    assert of["twenties", "originals"].value == of["never", "originals"].value == 3
    assert of["never", "changed"].value == 0
    variants = [one for one in result.findings if one.measure == "differs_from_original" and one.system == "twenties"]
    later = {str(one.by["replacement"]) for one in variants if one.value and "replacement" in one.by}
    assert later
    assert all(year.startswith("20") for year in later)  # the same years for all
    assert of["twenties", "consistent"].value == 0
    assert of["never", "consistent"].value == 100
    assert not [one for one in result.findings if "right" in one.measure or "complete" in one.measure]
    assert not [table for table in result.tables for row in table.rows if "right" in str(row[0])]
    assert "analysis:first system" in result.signature
    kept = CONSISTENCY.kept(carried.judged, settings)
    assert b"\tNUM\t" not in kept.trees["gold"]  # words alone: the analysis is no gold
    assert b"\tNUM\t" in kept.trees["never"]
    assert kept.observations is not None
    assert set(kept.observations.columns["outcome"]) == {"same as original", "other"}
    questions = next(table for table in result.tables if table.title.startswith("Questions") and not table.folded)
    assert questions.rows[0][0] == "clusters (Q4)"


@pytest.mark.parametrize(
    ("given", "what"),
    [
        ({}, "no gold tokens"),
        ({"mode": "text", "stages": ("tokens",)}, "no gold tokens and tags"),
        ({"mode": "text", "examples": "broken"}, "right or wrong"),
    ],
)
def test_what_needs_gold_is_refused(sentences: Path, given: dict[str, object], what: str) -> None:
    settings = ConsistencySettings(perturb=("years",), **given)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match=what):
        engine.run(CONSISTENCY, sentences, {"x": _Flat("x", "2")}, settings)
