"""Regular expressions of users: what explodes is stopped, or refused where no timer can stop it."""

from __future__ import annotations

import signal
import threading
import time

import pytest

from gardenpath.boundary import patterns
from gardenpath.boundary.patterns import bounded_matching, compile_pattern
from gardenpath.errors import UsageError
from gardenpath.treebank import Treebank
from gardenpath.treebank.perturb.values import OwnValues

LONG = "a" * 60
TREEBANK = f"# text = {LONG}!\n1\t{LONG}!\t_\tX\t_\t_\t0\troot\t_\t_\n\n".encode()
EXPLOSIVE = ("(a+)+b", "(a|aa)+b", "(a*)*b", "(.*a){20}b", "(a|a)*b", r"(\w+\s?)+b", "(?:(?:a?){30})*b")


@pytest.fixture
def short_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patterns, "SECONDS", 0.05)


@pytest.mark.usefixtures("short_time")
@pytest.mark.parametrize("source", EXPLOSIVE)
def test_what_takes_for_ever_is_stopped(source: str) -> None:
    treebank = Treebank(TREEBANK, name="x")
    begin = time.process_time()
    with pytest.raises(UsageError, match=r"the regular expression of this query takes more than 0\.05 s\n  write it"):
        treebank.search(f'pattern {{ X [form=re"{source}"] }}')
    with pytest.raises(UsageError, match=r"the pattern .* takes more than 0\.05 s"):
        OwnValues(["b"], source).propose(treebank[0])
    assert time.process_time() - begin < 5


def test_the_timer_of_the_caller_is_given_back() -> None:
    before = signal.getsignal(signal.SIGVTALRM)
    with bounded_matching("it"):
        assert signal.getsignal(signal.SIGVTALRM) is not before
    assert signal.getsignal(signal.SIGVTALRM) is before
    assert signal.getitimer(signal.ITIMER_VIRTUAL) == (0.0, 0.0)


def test_outside_of_the_main_thread_such_patterns_are_refused() -> None:
    outcomes: dict[str, bool] = {}

    def compile_all() -> None:
        for source in (*EXPLOSIVE, "a+b*", "(ab)+", "(?i:x)|y{2,5}", "[a-z]+(?=ing)"):
            try:
                compile_pattern(source)
                outcomes[source] = True
            except ValueError as error:
                assert "without a repetition or a choice inside a repetition" in str(error)  # noqa: PT017
                outcomes[source] = False

    thread = threading.Thread(target=compile_all)
    thread.start()
    thread.join()
    assert {source for source, read in outcomes.items() if not read} == set(EXPLOSIVE)


def test_what_is_no_pattern_is_a_value_error() -> None:
    for source in ("(", "a{99999999999}", "(" * 5000 + ")" * 5000):
        with pytest.raises(ValueError):
            compile_pattern(source)
