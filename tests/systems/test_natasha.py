"""natasha, with the weights of its wheel, on the real Russian treebank: any tool fits."""

from __future__ import annotations

from pathlib import Path

import pytest

from gardenpath.errors import UsageError
from gardenpath.systems import parse_with, system, text_treebank
from gardenpath.treebank import Treebank, score

pytest.importorskip("natasha", reason="needs natasha (in the extra dev)")


def test_it_knows_russian(shared: Path) -> None:
    files = sorted((shared / "ud" / "UD_Russian-Taiga@r2.7").glob("*.conllu"))
    data = files[0].read_bytes()[:300_000]
    gold = Treebank(data[: data.rindex(b"\n\n") + 2])[:80]
    result = parse_with("natasha:news", gold)
    assert score(gold, result.treebank).f1("LAS") > 50
    assert sum(result.failures.values()) == sum("gardenpath_failure" in s.metadata for s in result.treebank)
    assert not {"unparsed", "other-tokens", "malformed", "surplus"} & result.failures.keys()


@pytest.mark.parametrize("mode", ["sentences", "text"])
def test_it_cuts_text_itself(mode: str) -> None:
    bank = text_treebank("Мама мыла раму. Он ушёл домой.\n\nОна ждёт.", by_line=mode == "sentences")
    result = parse_with(system("natasha:news"), bank, mode=mode)
    assert not result.failures.keys() - {"two-roots", "cycle"}
    assert len(result.treebank) == (2 if mode == "sentences" else 3)
    assert [word.form for word in result.treebank[-1]] == ["Она", "ждёт", "."]
    assert result.treebank[-1].words[1].no_space_after


def test_other_models_are_not_known() -> None:
    with pytest.raises(UsageError, match="did you mean news"):
        system("natasha:new")
