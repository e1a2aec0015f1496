"""What a package exports lazily is what its stub tells type checkers, and all of it can be loaded."""

from __future__ import annotations

import ast
from importlib import import_module
from pathlib import Path

import pytest

import gardenpath

ROOT = Path(gardenpath.__file__).parent
LAZY = [path for path in ROOT.rglob("__init__.py") if "lazy_exports(" in path.read_text(encoding="utf-8")]


def package_of(path: Path) -> str:
    return ".".join(["gardenpath", *path.parent.relative_to(ROOT).parts])


def told(path: Path) -> dict[str, str]:
    """Name to module, as a type checker reads the stub; a package that is exported itself has none."""
    tree = ast.parse(path.with_suffix(".pyi").read_text(encoding="utf-8"))
    names: dict[str, str] = {}
    for node in tree.body:
        assert isinstance(node, ast.ImportFrom)
        assert node.level == 1
        for alias in node.names:
            assert alias.asname == alias.name, "a stub exports only what it imports as itself"
            assert alias.name not in names
            names[alias.name] = node.module or ""
    return names


def test_every_stub_is_of_a_package_with_lazy_exports() -> None:
    assert sorted(path.with_suffix(".pyi") for path in LAZY) == sorted(ROOT.rglob("*.pyi"))
    assert len(LAZY) > 8


@pytest.mark.parametrize("path", LAZY, ids=package_of)
def test_exports(path: Path) -> None:
    package = import_module(package_of(path))
    expected = told(path)
    assert set(package.__all__) == set(expected) - {"__version__"}
    for name, module in expected.items():
        if not module:
            assert getattr(package, name) is import_module(f"{package_of(path)}.{name}")
            continue
        assert getattr(package, name) is getattr(import_module(f"{package_of(path)}.{module}"), name)


def test_unknown_export() -> None:
    with pytest.raises(AttributeError, match="no attribute 'reed'"):
        gardenpath.reed  # noqa: B018
