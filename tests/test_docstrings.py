"""What is exported has a docstring, what `gardenpath` itself exports has an example, and every example runs."""

from __future__ import annotations

import doctest
import inspect
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import gardenpath

PACKAGES = ("treebank", "phrase", "suites", "systems", "runs", "stats", "report", "data")
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
SOURCE = Path(gardenpath.__file__).resolve().parents[1]


def exported() -> Iterator[tuple[str, Any]]:
    for package in ("gardenpath", *(f"gardenpath.{name}" for name in PACKAGES)):
        module = import_module(package)
        names = getattr(module, "__all__", None) or [name for name in vars(module) if not name.startswith("_")]
        yield from ((f"{package}.{name}", getattr(module, name)) for name in names)


DOCUMENTED = (inspect.isfunction, inspect.isclass, inspect.ismodule)
EXPORTED = [(name, value) for name, value in exported() if any(kind(value) for kind in DOCUMENTED)]
OWN = [(name, value) for name, value in EXPORTED if name.count(".") == 1]


def doc(value: Any) -> str:
    """The docstring of a function, a class or a package; the one that dataclasses write themselves is none."""
    text = value.__doc__ or ""
    return "" if inspect.isclass(value) and text.startswith(f"{value.__name__}(") else text


def examples(name: str, value: Any) -> doctest.DocTest | None:
    """All lines after `>>>` of a docstring."""
    text = inspect.cleandoc(doc(value))
    test = doctest.DocTestParser().get_doctest(text, {"__name__": "__docs__"}, name, None, None)
    if not inspect.ismodule(value):
        test.globs.update(vars(import_module(value.__module__)))
    return test if test.examples else None


def test_there_is_something_to_look_at() -> None:
    assert len(EXPORTED) > 150
    assert len(OWN) == len(gardenpath.__all__)


def test_all_that_is_exported_has_a_docstring() -> None:
    assert [name for name, value in EXPORTED if not doc(value).strip()] == []


def test_all_that_gardenpath_exports_has_an_example() -> None:
    assert [name for name, value in OWN if examples(name, value) is None] == []


@pytest.mark.parametrize(
    ("name", "value"),
    [
        pytest.param(name, value, id=name.removeprefix("gardenpath."))
        for name, value in dict(EXPORTED).items()
        if examples(name, value) is not None
    ],
)
def test_examples(name: str, value: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    test = examples(name, value)
    assert test is not None
    assert_runs(test)


def assert_runs(test: doctest.DocTest) -> None:
    failures: list[str] = []
    doctest.DocTestRunner(optionflags=FLAGS).run(test, out=failures.append)
    if failures:
        pytest.fail("".join(failures), pytrace=False)


WITH_EXAMPLES = [
    ".".join(path.relative_to(SOURCE).with_suffix("").parts)
    for path in sorted((SOURCE / "gardenpath").rglob("*.py"))
    if path.name != "__init__.py" and ">>> " in path.read_text(encoding="utf-8")
]


@pytest.mark.parametrize("module", WITH_EXAMPLES)
def test_examples_of_what_is_not_exported(module: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader of the code trusts them as much; what is exported has its own test above."""
    monkeypatch.chdir(tmp_path)
    exported_too = {f"{value.__module__}.{value.__qualname__}" for _, value in EXPORTED if not inspect.ismodule(value)}
    for test in doctest.DocTestFinder().find(import_module(module), module):
        if test.examples and test.name not in exported_too:
            assert_runs(test)
