"""A pytest plugin: a test marked `gardenpath_suite` fails where a run does not meet its conditions.

    @pytest.mark.gardenpath_suite(run="runs/mine", min=["roles.las[order=OVS]>=40"])
    def test_grammar(): ...

The run's path is relative to pytest's root folder.
"""

from __future__ import annotations

from pathlib import Path

import pytest

MARKER = "gardenpath_suite"


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", f"{MARKER}(run, min): the run in this folder meets conditions such as roles.las[order=OVS]>=40"
    )


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_call(item: pytest.Item) -> None:
    """At the beginning of the test itself, whose body may be empty: a condition that does not hold is a failure."""
    from .errors import GardenpathError

    for mark in item.iter_markers(MARKER):
        try:
            failed = _failed(item.config.rootpath, mark)
        except GardenpathError as error:
            pytest.fail(f"{MARKER}: {error}", pytrace=False)
        if failed:
            pytest.fail("\n".join(failed), pytrace=False)


def _failed(root: Path, mark: pytest.Mark) -> list[str]:
    from .errors import UsageError
    from .runs.record import Run
    from .studies.comparison.conditions import check

    unknown = sorted(set(mark.kwargs) - {"run", "min"})
    if mark.args or unknown or not {"run", "min"} <= set(mark.kwargs):
        raise UsageError("the marker takes run= and min=", todo='such as run="runs/mine", min=["roles.las>=40"]')
    conditions = mark.kwargs["min"]
    given = [conditions] if isinstance(conditions, str) else list(conditions)
    _, found = check(Run.load(root / mark.kwargs["run"]).result(), given)
    return [f"{one.finding.system}: {one.condition.text} fails with {one.value:.2f}" for one in found if not one.holds]
