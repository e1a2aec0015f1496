"""The flow of docs/architecture.md as a rule on imports: from data to report, left to right."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

import gardenpath

SOURCE = Path(gardenpath.__file__).parent
FLOW = ("data", "treebank", "phrase", "suites", "systems", "studies", "report", "library", "demo", "pytest_plugin")
"""The folders of the flow; `demo`, which shows them all, and the plugin for other people's tests come last."""
BESIDE = ("stats", "runs")
GROUND = ("boundary", "errors", "_lazy", "_packages", "_text", "_version", "formats")
"""Modules that everything may import and that import at most each other."""
MODULES = sorted(SOURCE.rglob("*.py"))
LAZY = [m.parent for m in MODULES if m.name == "__init__.py" and "lazy_exports(" in m.read_text("utf-8")]


def place(module: Path) -> list[str]:
    """`gardenpath/treebank/tree.py` as ["treebank", "tree"]."""
    parts = list(module.relative_to(SOURCE).with_suffix("").parts)
    return parts[:-1] if parts[-1] == "__init__" else parts


def statements(nodes: Iterable[ast.AST], for_types: bool = False) -> Iterator[tuple[ast.AST, bool]]:
    """Each statement with those inside it, and whether it is there for type checkers alone."""
    for node in nodes:
        yield node, for_types
        inner = for_types or (isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING")
        for part in ("body", "orelse", "finalbody", "handlers", "cases"):
            yield from statements(getattr(node, part, ()), inner)


@cache
def imports_of(module: Path) -> list[tuple[ast.Import | ast.ImportFrom, bool]]:
    """Every import of a module, at its top or inside a function, and whether it is for type checkers alone."""
    inside = statements(ast.parse(module.read_text("utf-8")).body)
    return [(node, for_types) for node, for_types in inside if isinstance(node, ast.Import | ast.ImportFrom)]


def imported(module: Path) -> set[str]:
    """What of gardenpath a module imports, anywhere in it: the first name below the package."""
    package = list(module.relative_to(SOURCE).parent.parts)
    found: set[str] = set()
    for node, _ in imports_of(module):
        if isinstance(node, ast.Import):
            paths = [alias.name.split(".") for alias in node.names]
        elif node.level:
            base = package[: len(package) - node.level + 1]
            paths = [["gardenpath", *base, *(node.module or alias.name).split(".")] for alias in node.names]
        else:
            paths = [[*(node.module or "").split("."), alias.name] for alias in node.names]
        found |= {path[1] for path in paths if path[0] == "gardenpath" and len(path) > 1}
    return found


def allowed(folder: str) -> set[str]:
    if folder in GROUND:
        return set(GROUND)
    if folder in BESIDE:
        return {folder, *GROUND}
    if folder in FLOW:
        return {*FLOW[: FLOW.index(folder) + 1], *BESIDE, *GROUND}
    if folder == "cli":
        return {"cli", *FLOW, *BESIDE, *GROUND}
    return {"__main__": {"cli"}, "": {*FLOW, *BESIDE, *GROUND}}.get(folder, set())


@pytest.mark.parametrize("module", MODULES, ids=lambda module: ".".join(place(module)) or "gardenpath")
def test_imports_run_from_left_to_right(module: Path) -> None:
    folder = (place(module) or [""])[0]
    assert folder in {"", "__main__", "cli", *FLOW, *BESIDE, *GROUND}, "a folder that is not in docs/architecture.md"
    assert imported(module) <= allowed(folder)


def modules_imported(module: Path) -> set[str]:
    """The modules that a module imports, anywhere in it but for type checkers; names of lazy packages are followed."""
    package = list(module.relative_to(SOURCE).parent.parts)
    names: set[str] = set()
    for node, for_types in imports_of(module):
        if not isinstance(node, ast.ImportFrom) or for_types:
            continue
        if node.level:
            base = [*package[: len(package) - node.level + 1], *(node.module or "").split(".")]
        elif (node.module or "").split(".")[0] == "gardenpath":
            base = (node.module or "").split(".")[1:]
        else:
            continue
        names |= {name for alias in node.names if (name := _home(SOURCE.joinpath(*filter(None, base)), alias.name))}
    return names - {".".join(place(module))}


def _home(path: Path, name: str) -> str:
    """The module in which a name of a module or package lives."""
    if (path / f"{name}.py").exists() or (path / name / "__init__.py").exists():
        return ".".join((path / name).relative_to(SOURCE).parts)
    if path in LAZY:
        exports = import_module(".".join(["gardenpath", *path.relative_to(SOURCE).parts]))
        own = getattr(getattr(exports, name, None), "__module__", "") or ""
        return own.removeprefix("gardenpath.") if own.startswith("gardenpath.") else ""
    return ".".join(path.relative_to(SOURCE).parts) if path.with_suffix(".py").exists() or path.is_dir() else ""


def test_no_module_imports_itself_by_way_of_others() -> None:
    """No cycle, whether imports stand at the top of a module or inside a function."""
    from graphlib import CycleError, TopologicalSorter

    graph = {".".join(place(module)): modules_imported(module) for module in MODULES}
    try:
        order = list(TopologicalSorter(graph).static_order())
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))
    assert "treebank.treebank" in order


def test_the_reader_of_imports_sees_them_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("test_flow.SOURCE", tmp_path)
    module = tmp_path / "treebank" / "validate" / "x.py"
    module.parent.mkdir(parents=True)
    module.write_text(
        "import numpy, gardenpath.cli.main\nfrom gardenpath import report\nfrom ...errors import A\n"
        "from ... import runs\nfrom .. import tree\nfrom . import y\ndef f():\n    from ...systems.x import z\n"
    )
    assert imported(module) == {"cli", "report", "errors", "runs", "treebank", "systems"}


def test_no_module_is_a_drawer() -> None:
    drawers = {"utils", "util", "helpers", "helper", "common", "misc"}
    assert [module for module in MODULES if drawers & set(place(module))] == []


@pytest.mark.parametrize("package", LAZY, ids=lambda package: package.name)
def test_exported_names_exist_and_hide_no_module(package: Path) -> None:
    # Importing a module sets its name in the package: a function of the same name would be gone.
    exports = import_module(".".join(["gardenpath", *package.relative_to(SOURCE).parts]))
    names = set(exports.__all__)
    for name in names & {file.stem for file in package.iterdir()}:
        import_module(f"{exports.__name__}.{name}")
    modules = [getattr(exports, name) for name in names if isinstance(getattr(exports, name), ModuleType)]
    assert [module for module in modules if not callable(module)] == []  # a package may be called like a function
    assert set(dir(exports)) <= names
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = exports.nothing
