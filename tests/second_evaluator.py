"""A second evaluator of SyntaxGym's formulas, by another method: two stacks and a table of ranks (Dijkstra)."""

from __future__ import annotations

import re
from collections.abc import Mapping

RANKS = {"&": 1, "|": 1, "<": 2, ">": 2, "=": 2, "+": 3, "-": 3}


def evaluated(formula: str, values: Mapping[tuple[int, str], float]) -> bool:
    """True or false, with `=` as numpy.isclose(rtol=1e-5, atol=1e-3); region 0 is `*`."""
    text = formula.replace("[", "(").replace("]", ")")
    text = re.sub(
        r"\(\s*(\d+|\*)\s*;\s*%([^%]+)%\s*\)", lambda m: f" {values[0 if m[1] == '*' else int(m[1]), m[2]]!r} ", text
    )
    operands: list[float | bool] = []
    signs: list[str] = []

    def reduce() -> None:
        sign, right, left = signs.pop(), operands.pop(), operands.pop()
        operands.append(
            {
                "+": left + right,
                "-": left - right,
                "<": right - left >= 1e-9,  # less is what rounding leaves between equal sums
                ">": left - right >= 1e-9,
                "=": abs(left - right) <= 1e-3 + 1e-5 * abs(right),
                "&": bool(left and right),
                "|": bool(left or right),
            }[sign]
        )

    for token in re.findall(r"\d+(?:\.\d+)?(?:e-?\d+)?|[-+<>=&|()]", text):
        if token == "(":
            signs.append(token)
        elif token == ")":
            while signs[-1] != "(":
                reduce()
            signs.pop()
        elif token in RANKS:
            while signs and signs[-1] != "(" and RANKS[signs[-1]] >= RANKS[token]:
                reduce()
            signs.append(token)
        else:
            operands.append(float(token))
    while signs:
        reduce()
    assert len(operands) == 1
    return bool(operands[0])
