"""A pytest plugin: a test marked `gardenpath_suite` carries out a study, or reads a run, and fails where it must.

    @pytest.mark.gardenpath_suite("suite.conll", "udpipe:de.udpipe", min="roles.las[order=OVS]>=40", against="runs/old")
    def test_grammar(): ...

    @pytest.mark.gardenpath_suite(run="runs/mine", min=["roles.las>=75"])
    def test_a_run(): ...

Paths are relative to pytest's root folder. What the marker does not know is a setting of the study.
"""

from __future__ import annotations

from contextlib import ExitStack, chdir
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from .runs.record.run import Run

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
    """What does not hold, in lines; conditions first, then what got worse."""
    from .errors import UsageError
    from .runs.record.run import Run
    from .studies.compare.conditions import check
    from .studies.compare.gate import gate

    named = dict(mark.kwargs)
    conditions, against, margin = named.pop("min", ()), named.pop("against", None), named.pop("margin", 0.0)
    if not conditions and against is None:
        raise UsageError("the marker takes min= or against=", todo=_HOW)
    with ExitStack() as stack:
        run = _run(mark.args, named, stack)
        failed = []
        if conditions:
            texts = [conditions] if isinstance(conditions, str) else list(conditions)
            failed = [str(checked) for checked in check(run.result(), texts)[1] if not checked.holds]
        if against is not None:
            for change in gate(run, Run.load(against), margin=margin).worse:
                failed += change.lines
    return failed


def _run(arguments: tuple[object, ...], named: dict[str, Any], stack: ExitStack) -> Run:
    """The run in a folder; or that of a study, which is kept there if a folder is named too."""
    from .errors import UsageError
    from .library.studies import study_on
    from .runs.record.run import Run

    if not arguments:
        if set(named) != {"run"}:
            raise UsageError("the marker takes a suite and systems, or run=", todo=_HOW)
        return Run.load(Path(str(named["run"])))
    if len(arguments) < 2:
        raise UsageError("the marker takes systems after the suite", where=str(arguments[0]), todo=_HOW)
    suite, *systems = arguments
    return stack.enter_context(study_on(suite, systems, **named).as_run())
