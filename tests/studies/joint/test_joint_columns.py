"""Garden paths, effects and their association by a column of the suites, counted by hand."""

from __future__ import annotations

from pathlib import Path

import pytest
from joint_cases import model, parsed, suites

import gardenpath as gp
from group_checks import group


def test_joint(tmp_path: Path) -> None:
    keys = [(name, number) for name in ("a", "b") for number in range(1, 5)]
    wrong = {("a", 1): "hard", ("a", 2): "hard", ("b", 2): "hard"}
    effects = dict(zip(keys, [5.0, 3.0, 1.0, 2.0, 12.0, 10.0, 9.0, 11.0], strict=True))
    result = gp.joint(suites(tmp_path / "all", keys), {"p": parsed(wrong, keys)}, {"m": model(effects)}, by="lexeme")
    assert group(result, "astray", lexeme="m1").value == 50.0
    assert group(result, "astray", lexeme="m2").value == 100.0
    assert group(result, "effect", lexeme="m1").value == pytest.approx((5 + 12) / 2)
    assert group(result, "effect_astray", lexeme="m2", parser="p").value == pytest.approx((3 + 10) / 2)
    shown = [table.name for table in result.tables if not table.folded]
    assert shown == ["parsers", "association", "by-lexeme", "effect-by-lexeme"]
