"""The flow of docs/architecture.md as a rule on imports: from data to report, left to right, then the satellites.

The satellites (`gardenpath_models`, `gardenpath_generate`, `gardenpath_papers`) import what third parties may import:
names that packages of gardenpath report. gardenpath never imports them, and they do not import each other.
"""

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
GROUND = ("boundary", "errors", "_lazy", "plugins", "_text", "_version", "formats")
"""Modules that everything may import and that import at most each other."""
MODULES = sorted(SOURCE.rglob("*.py"))
SATELLITES = {package.name: package for package in sorted(SOURCE.parent.glob("gardenpath_*")) if package.is_dir()}
SATELLITE_MODULES = [module for package in SATELLITES.values() for module in sorted(package.rglob("*.py"))]
OPEN = ("gardenpath.errors", "gardenpath.formats", "gardenpath.plugins")
"""Modules that other packages may import; of packages they may import the names in `__all__`."""
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


def foreign(module: Path) -> list[tuple[str, str]]:
    """(module, name) of all that a module imports from packages called gardenpath…, not relative to itself."""
    found = []
    for node, _ in imports_of(module):
        if isinstance(node, ast.Import):
            found += [(alias.name, "") for alias in node.names]
        elif not node.level:
            found += [(node.module or "", alias.name) for alias in node.names]
    return [(base, name) for base, name in found if base.split(".")[0].startswith("gardenpath")]


def test_there_are_three_satellites() -> None:
    assert set(SATELLITES) == {"gardenpath_generate", "gardenpath_models", "gardenpath_papers"}


@pytest.mark.parametrize("module", MODULES, ids=lambda module: ".".join(place(module)) or "gardenpath")
def test_gardenpath_imports_no_satellite(module: Path) -> None:
    assert {base.split(".")[0] for base, _ in foreign(module)} <= {"gardenpath"}
    named = [node.value for node in ast.walk(ast.parse(module.read_text("utf-8"))) if isinstance(node, ast.Constant)]
    assert [text for text in named if isinstance(text, str) and text.startswith(tuple(SATELLITES))] == []


@pytest.mark.parametrize(
    "module", SATELLITE_MODULES, ids=lambda module: ".".join(module.relative_to(SOURCE.parent).with_suffix("").parts)
)
def test_satellites_import_what_is_exported(module: Path) -> None:
    own = module.relative_to(SOURCE.parent).parts[0]
    assert [reason for base, name in foreign(module) if (reason := not_exported(own, base, name))] == []


def not_exported(own: str, base: str, name: str) -> str:
    """Why another package may not import this; empty where it may."""
    package = base.split(".")[0]
    if package != "gardenpath":
        return "" if package == own else f"{base} is of another satellite"
    if base in OPEN:
        return ""
    if not name or base.count(".") > 1:
        return f"{base} is not a package that exports names"
    return "" if name in getattr(import_module(base), "__all__", ()) else f"{base} does not export {name}"


def test_what_a_satellite_may_not_import_is_seen(tmp_path: Path) -> None:
    module = tmp_path / "x.py"
    module.write_text(
        "import gardenpath.phrase.model\nfrom gardenpath import read\nfrom gardenpath.errors import A\n"
        "from gardenpath.phrase import PhraseTree, nothing\nfrom gardenpath_papers import x\nif TYPE_CHECKING:\n"
        "    from gardenpath.phrase.model import PhraseTree\ndef f():\n    from gardenpath_models import y\n"
    )
    wrong = [(base, name) for base, name in foreign(module) if not_exported("gardenpath_models", base, name)]
    assert wrong == [
        ("gardenpath.phrase.model", ""), ("gardenpath.phrase", "nothing"), ("gardenpath_papers", "x"),
        ("gardenpath.phrase.model", "PhraseTree"),
    ]  # fmt: skip


def modules_imported(module: Path) -> set[str]:
    """The modules that a module imports, anywhere in it but for type checkers; names of lazy packages are followed."""
    package = list(module.relative_to(SOURCE.parent).parent.parts)
    names: set[str] = set()
    for node, for_types in imports_of(module):
        if not isinstance(node, ast.ImportFrom) or for_types:
            continue
        base = [*package[: len(package) - node.level + 1]] if node.level else []
        base += filter(None, (node.module or "").split("."))
        if base[0].startswith("gardenpath"):
            names |= {_home(SOURCE.parent.joinpath(*base), alias.name) for alias in node.names}
    return names - {"", full_name(module)}


def full_name(module: Path) -> str:
    return ".".join(module.relative_to(SOURCE.parent).with_suffix("").parts).removesuffix(".__init__")


def _home(path: Path, name: str) -> str:
    """The module in which a name of a module or package lives."""
    if (path / f"{name}.py").exists() or (path / name / "__init__.py").exists():
        return full_name(path / name)
    if path in LAZY:
        own = getattr(getattr(import_module(full_name(path)), name, None), "__module__", "") or ""
        return own if own.startswith("gardenpath") else ""
    return full_name(path) if path.with_suffix(".py").exists() or path.is_dir() else ""


def test_no_module_imports_itself_by_way_of_others() -> None:
    """No cycle, whether imports stand at the top of a module or inside a function."""
    from graphlib import CycleError, TopologicalSorter

    graph = {full_name(module): modules_imported(module) for module in [*MODULES, *SATELLITE_MODULES]}
    try:
        order = list(TopologicalSorter(graph).static_order())
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))
    assert {"gardenpath.treebank.format.treebank", "gardenpath_models.pcfg.model"} <= set(order)


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
    modules = [*MODULES, *SATELLITE_MODULES]
    assert [module for module in modules if drawers & {*module.relative_to(SOURCE.parent).with_suffix("").parts}] == []


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
