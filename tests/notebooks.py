"""The notebooks of the docs, run as a reader would: cell after cell, in one namespace and one empty folder.

No Jupyter is needed: code cells are plain Python, and the last expression of a cell is what it shows.

`PYTHONPATH=src python tests/notebooks.py docs/notebooks/*.ipynb` runs them and stores what they show; look at the
difference before you keep it.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import os
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

MIME = {"_repr_html_": "text/html", "_repr_svg_": "image/svg+xml"}
"""What Jupyter asks an object for, and what it then shows."""


class CellError(AssertionError):
    """A cell that does not run; the message names notebook and cell."""


@dataclass(frozen=True)
class Shown:
    """What a cell showed: printed text, and its last expression in all its forms."""

    printed: str = ""
    forms: dict[str, str] = field(default_factory=dict)

    def outputs(self) -> list[dict[str, Any]]:
        """As a notebook stores it."""
        stored: list[dict[str, Any]] = []
        if self.printed:
            stored.append({"name": "stdout", "output_type": "stream", "text": _lines(self.printed)})
        if self.forms:
            forms = {mime: _lines(text) for mime, text in self.forms.items()}
            stored.append({"data": forms, "metadata": {}, "output_type": "display_data"})
        return stored


def read(path: Path) -> dict[str, Any]:
    stored: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return stored


def source(cell: dict[str, Any]) -> str:
    return "".join(cell["source"])


def run(path: Path, folder: Path) -> list[Shown]:
    """Runs all code cells in the folder; what each of them showed."""
    names: dict[str, Any] = {"__name__": "__notebook__"}
    cells, shown = read(path)["cells"], []
    with contextlib.chdir(folder):
        for number, cell in enumerate(cells, 1):
            if cell["cell_type"] == "code":
                shown.append(_run_cell(source(cell), names, f"{path.name}, cell {number}"))
    return shown


def _run_cell(text: str, names: dict[str, Any], where: str) -> Shown:
    try:
        *statements, last = ast.parse(text, where).body
        printed, forms = io.StringIO(), dict[str, str]()
        with contextlib.redirect_stdout(printed):
            if isinstance(last, ast.Expr):
                exec(compile(ast.Module(statements, []), where, "exec"), names)  # noqa: S102 (our own notebooks)
                forms = shown_forms(eval(compile(ast.Expression(last.value), where, "eval"), names))  # noqa: S307
            else:
                exec(compile(ast.Module([*statements, last], []), where, "exec"), names)  # noqa: S102
    except Exception:
        raise CellError(f"{where}:\n{text}\n\n{traceback.format_exc()}") from None
    return Shown(printed.getvalue(), forms)


def shown_forms(value: Any) -> dict[str, str]:
    """The forms in which a notebook would show a value: HTML or SVG where it has them, and its text."""
    if value is None:
        return {}
    makers: dict[str, Callable[[], str]] = {
        mime: getattr(value, method) for method, mime in MIME.items() if hasattr(value, method)
    }
    return {**{mime: make() for mime, make in makers.items()}, "text/plain": repr(value)}


def store(path: Path, shown: list[Shown]) -> None:
    """Writes what the cells showed into the notebook."""
    notebook = read(path)
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    for number, (cell, seen) in enumerate(zip(cells, shown, strict=True), 1):
        cell["outputs"], cell["execution_count"] = seen.outputs(), number
    path.write_text(json.dumps(notebook, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


if __name__ == "__main__":
    import tempfile

    os.environ["POLARS_FMT_MAX_COLS"] = "12"
    for name in sys.argv[1:]:
        with tempfile.TemporaryDirectory() as temporary:
            store(Path(name), run(Path(name), Path(temporary)))
