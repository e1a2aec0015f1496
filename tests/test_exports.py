"""What a package exports lazily is what type checkers are told, and all of it can be loaded."""

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
    """Name to module, from the imports under TYPE_CHECKING; a package that is exported itself has none."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    block = next(node for node in tree.body if isinstance(node, ast.If))
    return {
        str(alias.asname): node.module or ""
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


@pytest.mark.parametrize("path", LAZY, ids=package_of)
def test_exports(path: Path) -> None:
    package = import_module(package_of(path))
    expected = told(path)
    assert set(package.__all__) == set(expected)
    for name, module in expected.items():
        if not module:
            assert getattr(package, name) is import_module(f"{package_of(path)}.{name}")
            continue
        assert getattr(package, name) is getattr(import_module(f"{package_of(path)}.{module}"), name)


def test_unknown_export() -> None:
    with pytest.raises(AttributeError, match="no attribute 'reed'"):
        gardenpath.reed  # noqa: B018
