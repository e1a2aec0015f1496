"""Verdicts: how sure they are, how they are ranked, and that they come back from a run as they were."""

from __future__ import annotations

import numpy as np
import pytest

from gardenpath.runs.result.encoding import to_text
from gardenpath.runs.result.result import Finding, Result, Verdict
from gardenpath.runs.result.verdict import (
    MEASURED,
    NOT_SHOWN,
    SHOWN,
    SUGGESTED,
    clusters_text,
    count_text,
    difference_text,
    listed,
    loss_text,
    needed,
    outlying,
    ranked,
    score_text,
    share_text,
    sureness,
)
from gardenpath.stats.sampling import wilson_bounds


def difference(value: float, low: float | None, high: float | None, n: int = 50) -> Finding:
    return Finding("evaluation", "gold", "b", "las_difference", value, n, low, high, {"baseline": "a"})


@pytest.mark.parametrize(
    ("p", "corrected", "sure"),
    [(0.001, 0.003, SHOWN), (0.02, 0.08, SUGGESTED), (0.2, 0.6, NOT_SHOWN), (0.05, 0.05, NOT_SHOWN)],
)
def test_correction_may_take_a_verdict_away(p: float, corrected: float, sure: str) -> None:
    assert sureness(p, corrected, 20) == sure


def test_nothing_is_shown_by_fewer_than_twenty_clusters() -> None:
    assert [sureness(1e-9, 1e-9, clusters) for clusters in (20, 19, 9)] == [SHOWN, SUGGESTED, SUGGESTED]
    assert sureness(0.2, 0.2, 5) == NOT_SHOWN


def group(value: float, low: float | None, high: float | None, n: int = 60) -> Finding:
    return Finding("evaluation", "gold", "a", "las", value, n, low, high)


WHOLE = group(80, 75, 84, 900)


def test_outlying_groups_are_those_whose_interval_and_corrected_p_say_so() -> None:
    groups = {"obj": group(50, 40, 60), "iobj": group(45, 25, 68), "det": group(95, 92, 97), "obl": group(78, 70, 85)}
    assert outlying(groups, WHOLE, least=30) == ["iobj", "obj"]
    assert outlying(groups, WHOLE, least=30, low=False) == ["det"]
    assert outlying({"obj": group(50, 40, 60, 29)}, WHOLE, least=30) == []  # too few
    assert outlying({"obj": group(60, 45, 76)}, WHOLE, least=30) == []  # the intervals meet
    assert outlying({"obj": group(60, None, None)}, WHOLE, least=30) == []  # nothing is known of it
    assert outlying({"obj": group(50, 40, 60)}, group(80, None, None), least=30) == []


def test_the_more_groups_the_farther_out_one_must_lie() -> None:
    """z = 1.96 · 14/√(8² + 5²) = 2.91, so p = .0036: below 5 % of one group, not of fourteen (.051)."""
    far = group(66, 58, 74)
    others = {f"{number}": group(80, 70, 88) for number in range(13)}
    assert outlying({"far": far}, WHOLE, least=30) == ["far"]
    assert outlying({"far": far, **dict(list(others.items())[:12])}, WHOLE, least=30) == ["far"]
    assert outlying({"far": far, **others}, WHOLE, least=30) == []


def test_what_is_shown_comes_first_and_there_are_no_more_than_seven() -> None:
    verdicts = [Verdict(f"{sure} {weight}", sure, (), weight) for sure in (NOT_SHOWN, MEASURED, SUGGESTED, SHOWN)
                for weight in (1, 9, 5)]  # fmt: skip
    assert [verdict.text for verdict in ranked(verdicts)] == [
        "shown 9", "shown 5", "shown 1", "suggested 9", "suggested 5", "suggested 1", "measured 9",
    ]  # fmt: skip


def test_that_two_are_not_told_apart_is_said_before_the_last_of_many_scores() -> None:
    scores = [Verdict(f"measured {weight}", MEASURED, (), weight) for weight in range(9, 1, -1)]
    apart = [Verdict(f"not shown {weight}", NOT_SHOWN, (), weight) for weight in (3, 8)]
    assert [verdict.text for verdict in ranked([*scores, *apart])] == [
        "measured 9", "measured 8", "measured 7", "measured 6", "measured 5", "measured 4", "not shown 8",
    ]  # fmt: skip
    assert ranked(scores) == tuple(scores[:7])


def test_how_many_would_be_needed() -> None:
    """Standard error 1 from 50 clusters, difference 1: (1.96 + 0.84)² · 50 ≈ 392."""
    assert needed(difference(1.0, 1 - 1.96, 1 + 1.96), 50) == 393
    assert needed(difference(0.0, -1, 1), 50) is None  # no number of items shows that there is none
    assert needed(difference(1.0, None, None), 50) is None


def test_groups_that_are_all_alike_are_rarely_called_outlying() -> None:
    """46 values in 50 sentences each, all with the same share: intervals alone would name one in 63 % of cases."""
    chance, named = np.random.default_rng(0), 0
    for _ in range(200):
        counts = chance.binomial(50, 0.5, 46)
        shares = [(int(count), 50) for count in counts] + [(int(counts.sum()), 46 * 50)]
        *groups, whole = (
            group(100 * count / n, *(100 * end for end in wilson_bounds(count / n, n)), n) for count, n in shares
        )
        numbered = {str(number): one for number, one in enumerate(groups)}
        named += any(outlying(numbered, whole, least=30, low=low) for low in (True, False))
    assert named / 200 <= 0.08


def test_numbers_have_the_places_that_an_interval_bears() -> None:
    assert score_text(Finding("x", "", "", "las", 55.751, 9, 51.42, 60.0)) == "55.8 [51.4, 60.0]"
    assert score_text(Finding("x", "", "", "las", 55.751)) == "55.8"
    assert score_text(Finding("x", "", "", "edv", 0.2834, 9, 0.1, 0.4), 2) == "0.28 [0.10, 0.40]"
    assert share_text(Finding("x", "", "", "changed", 41.04, 9, 36.2, 46.1)) == "41.0 % [36.2, 46.1]"
    assert difference_text(difference(-0.564, -0.91, -0.2)) == "-0.56 [-0.91, -0.20]"
    assert difference_text(difference(12.0, 3.0, 21.0)) == "+12.0 [3.0, 21.0]"
    assert loss_text(difference(-53.0, -57.0, -49.0)) == "loses 53.0 points [49.0, 57.0]"
    assert loss_text(difference(0.4, -0.1, 0.9)) == "gains 0.40 points [-0.10, 0.90]"
    assert [count_text(n, "document") for n in (1, 1200)] == ["1 document", "1,200 documents"]
    assert clusters_text(47, "base sentence×noun") == "47 clusters (base sentence×noun)"
    assert [listed(["a", "b", "c"][:n]) for n in (1, 2, 3)] == ["a", "a and b", "a, b and c"]


def test_a_result_comes_back_with_its_verdicts() -> None:
    import json

    finding = difference(-2.0, -3.0, -1.0)
    verdict = Verdict("b is worse than a.", SHOWN, (finding,), 2.0, "nsubj")
    result = Result("study:x", [finding], verdicts=[verdict])
    again = Result.from_json({**json.loads(to_text(result.as_json())), "tables": []})
    assert again.verdicts == [verdict]
    assert "verdicts" not in Result("study:x", [finding]).as_json()
