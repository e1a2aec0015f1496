"""The notebooks of the docs run from the first cell to the last, and show what a notebook can show."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import notebooks

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
MACHINE = re.compile(r"/(?:home|root|tmp|work|Users|usr|var|opt)/|[A-Z]:\\\\|0x[0-9a-f]{8,}")


def name(notebook: Path) -> str:
    return notebook.stem


@pytest.fixture(scope="module")
def trained_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """`gp.train` of the same arguments trains once; the other notebooks get a copy of the model."""
    from gardenpath.systems.training import training

    really, models = training.train, dict[str, Any]()
    kept = tmp_path_factory.mktemp("models")

    def train(*args: Any, output: str, **options: Any) -> Any:
        key = repr((args, options))
        if key not in models:
            models[key] = really(*args, output=kept / f"{len(models)}-{output}", **options)
        for file in kept.glob(f"{models[key].path.name}*"):
            shutil.copy(file, file.name.replace(models[key].path.name, output))
        kind = models[key].system.partition(":")[0]
        return training.Trained(Path(output), f"{kind}:{output}", models[key].card)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(training, "train", train)
        yield


@pytest.mark.usefixtures("trained_once")
@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=name)
def test_a_notebook_runs(notebook: Path, tmp_path: Path) -> None:
    shown = notebooks.run(notebook, tmp_path)
    forms = [cell.forms for cell in shown if cell.forms]
    assert any("text/html" in form for form in forms)
    assert any("image/svg+xml" in form for form in forms)
    assert all(text.strip() for form in forms for text in form.values())
    text_shown = "".join(text for cell in shown for text in (cell.printed, *cell.forms.values()))
    assert MACHINE.findall(text_shown.replace("http://www.w3.org/", "")) == []


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=name)
def test_a_notebook_is_short_and_names_no_machine(notebook: Path) -> None:
    stored = notebooks.read(notebook)
    cells = stored["cells"]
    texts = [notebooks.source(cell) for cell in cells]
    assert len({cell["id"] for cell in cells}) == len(cells)
    assert 6 <= len(cells) <= 18
    assert max(text.count("\n") for text in texts) < 20
    assert texts[0].startswith("# ")
    assert "bundled:" in "".join(texts)
    assert "What this does not show" in texts[-1]
    assert "gardenpath " in texts[-1]
    assert MACHINE.findall(notebook.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=name)
def test_a_notebook_becomes_a_page(notebook: Path) -> None:
    page = hooks().page_of(notebooks.read(notebook))
    assert page.startswith("# ")
    assert page.count("```python") == sum(cell["cell_type"] == "code" for cell in notebooks.read(notebook)["cells"])
    assert "<svg" in page
    assert "<table" in page


def test_settings_of_studies_are_listed() -> None:
    page = "\n".join(hooks().settings_tables())
    assert "### RolesSettings" in page
    assert "| `independent` | `False` | Compute intervals and tests over single items" in page


def hooks() -> ModuleType:
    """What MkDocs loads, which is no package."""
    spec = spec_from_file_location("hooks", FOLDER.parents[1] / "docs_build" / "hooks.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_study_has_its_notebook() -> None:
    studies = {"evaluate", "roles", "constructions", "surprisal", "joint", "displacement", "consistency"}
    assert {notebook.stem for notebook in NOTEBOOKS} == studies


# ---- the runner itself


def written(folder: Path, *sources: str) -> Path:
    import json

    cells = [
        {"cell_type": "code", "id": str(place), "metadata": {}, "outputs": [], "source": [text]}
        for place, text in enumerate(sources)
    ]
    path = folder / "small.ipynb"
    path.write_text(json.dumps({"cells": cells}), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("source", "printed", "text"),
    [("1 + 1", "", "2"), ("x = 1", "", ""), ("print('a')\n'b'", "a\n", "'b'"), ("None", "", "")],
)
def test_the_last_expression_is_shown(tmp_path: Path, source: str, printed: str, text: str) -> None:
    (shown,) = notebooks.run(written(tmp_path, source), tmp_path)
    assert (shown.printed, shown.forms.get("text/plain", "")) == (printed, text)


def test_an_error_names_notebook_and_cell(tmp_path: Path) -> None:
    with pytest.raises(notebooks.CellError, match=r"small\.ipynb, cell 2:\nx / 0"):
        notebooks.run(written(tmp_path, "x = 1", "x / 0"), tmp_path)


def test_what_was_shown_is_stored(tmp_path: Path) -> None:
    path = written(tmp_path, "x = 1", "print(x)\nx")
    notebooks.store(path, notebooks.run(path, tmp_path))
    outputs: Callable[[int], Any] = lambda place: notebooks.read(path)["cells"][place]["outputs"]  # noqa: E731
    assert outputs(0) == []
    assert [output["output_type"] for output in outputs(1)] == ["stream", "display_data"]
