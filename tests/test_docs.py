"""The documentation: its commands run, its links lead somewhere, and it leaves nothing out."""

from __future__ import annotations

import re
import tomllib
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

from pages import blocks, program, refreshed, run_page, same_output

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
README = ROOT / "README.md"
PAGES = sorted(DOCS.rglob("*.md"))
RUN_AS = ("console", "pycon", "python")
RUN = [page for page in (README, *PAGES) if any(block.language in RUN_AS for block in blocks(page))]


def text_of(page: str) -> str:
    return (DOCS / page).read_text(encoding="utf-8")


def tool(name: str) -> Any:
    """Return a module of docs_build."""
    spec = spec_from_file_location(name, ROOT / "docs_build" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("page", RUN, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_the_commands_of_a_page_print_what_it_shows(page: Path, tmp_path: Path) -> None:
    assert run_page(page, tmp_path / "page") == []


@pytest.mark.parametrize(
    ("shown", "real", "varies", "same"),
    [
        ("a\nb\n", "a\nb\n", False, True),
        ("a\n", "a\nb\n", False, False),
        ("a\n…\n", "a\nb\nc\n", False, True),
        ("a\n…\nd\n", "a\nb\nc\n", False, False),
        ("took … s\n", "took 1.25 s\n", False, True),
        ("LAS  77.83\n", "LAS  77.84\n", False, False),
        ("LAS  77.83\n", "LAS   7.84\n", True, True),
        ("LAS  77.83\n", "UAS  77.83\n", True, False),
        ("", "a\n", False, False),
    ],
)
def test_output_is_compared_line_by_line(shown: str, real: str, varies: bool, same: bool) -> None:
    """The comparison itself: gaps match anything, all else must be there."""
    assert same_output(shown, real, varies) is same


def test_gaps_stay_when_a_page_is_written_anew() -> None:
    shown = "metric  F1\n------  --\n…\nLAS  77.83\ntook … s\n"
    real = "metric   F1\n------  ---\nUAS  80.00\nLAS  78.10\ntook 3 s\n"
    assert refreshed(shown, real) == "metric   F1\n------  ---\n…\nLAS  78.10\ntook … s\n"


# ---- links


def prose(text: str) -> str:
    """A page without its code."""
    return re.sub(r"`[^`\n]*`", "", re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL))


def anchors(page: Path) -> set[str]:
    """The headings of a page as MkDocs names them."""
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", heading).strip().lower()) for heading in headings}


@pytest.mark.parametrize("page", [README, *PAGES], ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_internal_link_leads_somewhere(page: Path) -> None:
    broken = []
    for target in re.findall(r"\]\(([^)\s]+)\)", prose(page.read_text(encoding="utf-8"))):
        if "://" in target:
            continue
        file, _, anchor = target.partition("#")
        place = (page.parent / file).resolve() if file else page
        if not place.exists() or (anchor and anchor not in anchors(place)):
            broken.append(target)
    assert broken == []


def test_every_page_is_in_the_navigation_and_every_included_file_exists() -> None:
    settings = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    notebooks = [page.with_suffix(".md") for page in DOCS.rglob("*.ipynb")]  # made by docs_build/hooks.py
    assert sorted(re.findall(r": (\S+\.md)$", settings, re.MULTILINE)) == sorted(
        page.relative_to(DOCS).as_posix() for page in (*PAGES, *notebooks)
    )
    included = [
        name for page in PAGES for name in re.findall(r'^--8<-- "(.+)"', page.read_text(encoding="utf-8"), re.M)
    ]
    assert {"CHANGELOG.md", "CONTRIBUTING.md"} <= set(included)
    assert all((ROOT / name).is_file() for name in included)


# ---- nothing is left out


COMMANDS = program()


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_a_page_with_its_exit_codes(name: str) -> None:
    page = text_of(f"commands/{name.split()[0]}.md")
    heading = re.search(rf"^#+ gardenpath {name}$", page, re.MULTILINE)
    assert heading, f"no heading for gardenpath {name}"
    assert "exit" in page.lower()


@pytest.mark.parametrize("page", sorted((DOCS / "commands").glob("*.md")), ids=lambda page: page.stem)
def test_the_tables_of_options_and_settings_are_those_of_the_command(page: Path) -> None:
    """`PYTHONPATH=src python docs_build/options.py` writes the tables anew."""
    text = page.read_text(encoding="utf-8")
    assert tool("options").refreshed(text, COMMANDS) == text
    assert len(re.findall(r"^#+ Options$", text, re.MULTILINE)) == sum(
        name.split()[0] == page.stem for name in COMMANDS
    )


def test_every_check_of_the_validator_is_described() -> None:
    from gardenpath.treebank.validate.report import checks

    page = text_of("commands/treebank.md")
    assert [one.id for one in checks() if f"| `{one.id}` | {one.level} |" not in page] == []


def test_every_measure_is_in_the_glossary(samples: Path) -> None:
    from gardenpath.treebank import read
    from gardenpath.treebank.trees.measures import measure
    from gardenpath.treebank.trees.scores import METRICS

    page = text_of("measures.md")
    names = [name for name, _, _ in measure(read(samples / "en_garden-test.conllu")).values()]
    assert len(names) > 30
    assert [name for name in names if f"`{name}`" not in page] == []
    assert [metric for metric in METRICS if f"| {metric} |" not in page] == []


def test_every_kind_of_system_and_failure_is_described() -> None:
    from gardenpath.systems import FAILURES
    from gardenpath.systems.asking.registry import KINDS

    page = text_of("systems.md")
    assert [kind.name for kind in KINDS if f"`{kind.name}:" not in page] == []
    assert [kind for kind in FAILURES if f"| `{kind}` |" not in page] == []
    assert [kind for kind in FAILURES if f"| `{kind}` |" not in text_of("commands/parse.md")] == []


def test_every_grouping_of_the_evaluation_is_described() -> None:
    from gardenpath.studies.evaluation.declaration import GROUPINGS

    page = text_of("commands/evaluate.md")
    assert [one for one in GROUPINGS if f"| `{one}` |" not in page] == []


def test_every_name_of_public_data_is_described() -> None:
    from gardenpath.data import bundled_names, records

    page = text_of("data.md")
    names = [*(one.name for one in records()), *(f"bundled:{name}" for name in bundled_names() if "." not in name)]
    assert [name for name in names if f"`{name}`" not in page] == []


# ---- tutorials, glossary, gallery

TUTORIALS = sorted((DOCS / "tutorials").glob("*.md"))


def test_every_study_has_a_tutorial() -> None:
    from gardenpath.studies.engine.registry import study_groups

    assert {*study_groups(), "compare"} == {page.stem for page in TUTORIALS}


@pytest.mark.parametrize("page", TUTORIALS, ids=lambda page: page.stem)
def test_a_tutorial_gets_to_a_result_in_twenty_lines_then_reads_it(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    parts = [part.split()[0] for part in re.findall(r"^## (.+)$", text, re.MULTILINE)]
    assert [part for part in parts if part != "Keep"] == ["Get", "Read", "See", "Next"]
    result = text.partition("## Get a result")[2].partition("\n## ")[0]
    typed = re.findall(r"^(?:\$|>>>|\.\.\.|>) ", result, re.MULTILINE)
    assert 1 <= len(typed) <= 20
    assert f"commands/{page.stem}.md" in text


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_page_has_usage_and_an_example_before_the_options(name: str) -> None:
    page = text_of(f"commands/{name.split()[0]}.md")
    section = page[page.index(f"# gardenpath {name}\n") :]
    usage, _, after = section.partition("\n\n")[2].partition("\n```\n")
    assert usage.startswith(f"```text\ngardenpath {name}")
    example, options, _ = after.partition("Options\n\n| argument or option |")
    assert options
    assert "## gardenpath" not in example
    assert re.search(rf"gardenpath {name}\b", example), "no example"


def test_the_glossary_has_every_definition_of_the_page() -> None:
    """`PYTHONPATH=src python docs_build/glossary.py` writes the tables anew."""
    from gardenpath.studies.engine.registry import all_notes

    glossary = tool("glossary")
    page = text_of("glossary.md")
    assert glossary.refreshed(page) == page
    measures = [f"measures of {name}" for name, notes in all_notes().items() if notes.measures]
    assert sorted(glossary.parts(page)) == sorted([*measures, *glossary.CODES, "endings", "classes"])


def test_the_gallery_has_a_small_figure_for_every_study() -> None:
    figures = re.findall(r"\]\((images/gallery/\S+)\)", text_of("gallery.md"))
    assert sorted(figures) == sorted(path.relative_to(DOCS).as_posix() for path in (DOCS / "images/gallery").iterdir())
    assert len(figures) == len(TUTORIALS) - 1  # a comparison draws none
    assert [name for name in figures if (DOCS / name).stat().st_size > 60_000] == []


# ---- README


def test_the_readme_says_how_to_begin_and_names_every_extra() -> None:
    text = README.read_text(encoding="utf-8")
    commands = [command for block in blocks(README) for command, _ in block.commands() if block.language == "console"]
    assert all(name in text for name in ("make demo", "make test", "pip install ."))
    assert len(commands) >= 5
    assert len(text.splitlines()) <= 220
    assert text.index("<!-- bench:begin -->") < text.index("<!-- bench:end -->")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = [extra for extra in project["optional-dependencies"] if extra != "bench"]
    assert [extra for extra in extras if f"`{extra}`" not in text] == []
