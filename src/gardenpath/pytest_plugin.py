"""A pytest plugin: a test marked `gardenpath_suite` carries out a study, or reads a run, and fails where it must.

    @pytest.mark.gardenpath_suite("suite.conll", "udpipe:de.udpipe", min="roles.las[order=OVS]>=40", against="runs/old")
    def test_grammar(): ...

    @pytest.mark.gardenpath_suite(run="runs/mine", min=["roles.las>=75"])
    def test_a_run(): ...

Paths are relative to pytest's root folder. What the marker does not know is a setting of the study.
"""

from __future__ import annotations

from contextlib import chdir

import pytest

MARKER = "gardenpath_suite"
_HOW = 'such as ("suite.conll", "udpipe:de.udpipe", min="roles.las>=40"), or run="runs/mine", against="runs/old"'


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        f"{MARKER}(suite, system, ..., run, study, min, against, margin): a study, or the run in a folder, meets "
        "conditions such as roles.las[order=OVS]>=40, and is not worse than an earlier run",
    )


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_call(item: pytest.Item) -> None:
    """At the beginning of the test itself, whose body may be empty: a condition that does not hold is a failure."""
    from .errors import GardenpathError

    for mark in item.iter_markers(MARKER):
        try:
            with chdir(item.config.rootpath):
                failed = _failed(mark)
        except GardenpathError as error:
            pytest.fail(f"{MARKER}: {error}", pytrace=False)
        if failed:
            pytest.fail("\n".join(failed), pytrace=False)


def _failed(mark: pytest.Mark) -> list[str]:
    """Return what does not hold, in lines; conditions first, then what got worse."""
    from .errors import UsageError
    from .library.run_tools import check

    named = dict(mark.kwargs)
    if not named.get("min") and named.get("against") is None:
        raise UsageError("the marker takes min= or against=", todo=_HOW)
    given = mark.args
    if not given:
        if "run" not in named:
            raise UsageError("the marker takes a suite and systems, or run=", todo=_HOW)
        given = (str(named.pop("run")),)
    elif len(given) < 2:
        raise UsageError("the marker takes systems after the suite", where=str(given[0]), todo=_HOW)
    checks = check(*given, **named)
    return [*(line for line in checks.failed if line not in checks.lost), *checks.lost]
