"""Formulas: what is read, and where a wrong one is wrong."""

from __future__ import annotations

import pytest

from gardenpath.errors import UsageError
from gardenpath.stats.formula import read_formula

COLUMNS = ["outcome", "system", "modifier", "item", "seed", "length"]


def test_the_parts_of_a_formula() -> None:
    found = read_formula("outcome ~ system * length + (1 + system | item) + (1|seed/modifier) ", COLUMNS)
    assert found.response == "outcome"
    assert found.fixed == ("system", "length")
    assert found.slopes == ("system",)
    assert found.groups == ("item", "seed", "modifier")
    assert found.columns == ("outcome", "system", "length", "item", "seed", "modifier")
    assert read_formula("outcome ~ 0 + system + (0+system||item)", COLUMNS).slopes == ("system",)
    assert read_formula("outcome ~ 1 + (1|item)", COLUMNS).fixed == ()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("outcome ~ sytem + (1|item)", "did you mean system"),
        ("outcome ~ system + (1|itme)", "did you mean item"),
        ("outcom ~ system + (1|item)", "did you mean outcome"),
        ("outcome ~ system", "no random effect"),
        ("outcome system", "RESPONSE ~ TERMS"),
        ("", "RESPONSE ~ TERMS"),
        ("outcome ~ ", "RESPONSE ~ TERMS"),
        ("outcome ~ system + (1|item", "ends in the middle"),
        ("outcome ~ system +", "ends in the middle"),
        ("outcome ~ log(length) + (1|item)", "unexpected '\\(' at character 14"),
        ('outcome ~ system("rm") + (1|item)', "unexpected"),
        ("outcome ~ system; system + (1|item)", "unexpected ';' at character 17"),
        ("outcome ~ system system + (1|item)", "joined by"),
        ("outcome ~ 2 + (1|item)", "only numbers"),
        ("outcome ~ system | item", "a bar stands"),
        ("outcome ~ (system)", "holds a random effect"),
        ("outcome ~ system + * (1|item)", "a term is missing"),
    ],
)
def test_what_is_wrong_with_a_formula(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        read_formula(text, COLUMNS)
