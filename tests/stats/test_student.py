"""Student's t against SciPy and, for one and two degrees of freedom, its closed forms."""

from __future__ import annotations

from math import atan, inf, pi, sqrt

import pytest

from gardenpath.stats.student import student_bound, student_p

special = pytest.importorskip("scipy.special")


@pytest.mark.parametrize("freedom", [1, 2, 3, 4, 9, 19, 50, 99, 199, 1000])
def test_p_and_bound_are_those_of_scipy(freedom: int) -> None:
    for value in (0.001, 0.1, 0.5, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0, 30.0, 1000.0):
        wanted = 2 * float(special.stdtr(freedom, -value))
        if wanted > 1e-290:
            assert student_p(value, freedom) == pytest.approx(wanted, rel=1e-9)
            assert student_p(-value, freedom) == student_p(value, freedom)
    assert student_bound(freedom) == pytest.approx(float(special.stdtrit(freedom, 0.975)), rel=1e-11)


@pytest.mark.parametrize("value", [1e-8, 0.3, 1.0, 4.0, 1e4])
def test_closed_forms(value: float) -> None:
    assert student_p(value, 1) == pytest.approx(2 * atan(1 / value) / pi, rel=1e-12)
    root = sqrt(2 + value * value)
    assert student_p(value, 2) == pytest.approx(2 / (root * (root + value)), rel=1e-12)


def test_ends() -> None:
    assert student_p(0.0, 5) == student_p(3.0, 0) == 1.0
    assert student_p(inf, 5) == 0.0
    assert student_bound(0) == inf


def test_a_t_whose_square_is_no_number_has_a_p() -> None:
    assert [student_p(value, 3) for value in (1e-200, -1e-200, 1e200)] == [1.0, 1.0, 0.0]
