"""Errors: how they read, that they cross process borders, and what they suggest."""

from __future__ import annotations

import pickle
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest

from gardenpath.errors import GardenpathError, InputError, MissingPackage, SystemFailure, UsageError, unknown_name

KINDS = [GardenpathError, InputError, UsageError, SystemFailure, MissingPackage]


def fail(kind: type[GardenpathError]) -> None:
    raise kind("it broke", where="a.conllu:3", todo="mend it")


def test_an_error_says_what_where_and_what_to_do() -> None:
    assert str(InputError("it broke")) == "it broke"
    assert str(InputError("it broke", where="a:3")) == "a:3: it broke"
    assert str(InputError("it broke", todo="mend it")) == "it broke\n  mend it"
    assert str(InputError("it broke", where="a:3", todo="mend it")) == "a:3: it broke\n  mend it"


@pytest.mark.parametrize("kind", KINDS)
def test_an_error_survives_pickling(kind: type[GardenpathError]) -> None:
    error = pickle.loads(pickle.dumps(kind("it broke", where="a:3", todo="mend it")))  # noqa: S301 (our own bytes)
    assert type(error) is kind
    assert (error.what, error.where, error.todo) == ("it broke", "a:3", "mend it")


def test_an_error_crosses_the_border_of_a_process() -> None:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        for kind in KINDS:
            with pytest.raises(kind) as caught:
                pool.submit(fail, kind).result()
            assert str(caught.value) == "a.conllu:3: it broke\n  mend it"


def test_a_near_name_is_suggested() -> None:
    error = unknown_name("system", "udpip", ["stanza", "udpipe", "spacy"], where="call")
    assert isinstance(error, UsageError)
    assert str(error) == "call: unknown system 'udpip'\n  did you mean udpipe?"
    assert "udpipe or udpipes" in unknown_name("system", "udpip", ["udpipes", "udpipe"]).todo


def test_a_name_with_nothing_near_gets_the_list() -> None:
    assert unknown_name("system", "qqq", iter(["b", "a"])).todo == "known: a, b"
    many = [f"name{i:02}" for i in range(40)]
    assert unknown_name("system", "qqq", many).todo == "40 are known, such as " + ", ".join(many[:8])


def test_a_missing_package_says_how_to_install_it() -> None:
    error = MissingPackage.extra("stanza", "stanza")
    assert str(error) == 'stanza is not installed\n  install it with: pip install "gardenpath[stanza]"'
