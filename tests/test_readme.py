"""README: its commands run and print what it says."""

from __future__ import annotations

from pathlib import Path

import pytest

from pages import blocks, run_page, same_output

README = Path(__file__).resolve().parents[1] / "README.md"


def test_the_commands_of_the_readme_print_what_it_shows(tmp_path: Path) -> None:
    assert run_page(README, tmp_path / "readme") == []


def test_the_readme_says_how_to_begin() -> None:
    text = README.read_text(encoding="utf-8")
    commands = [command for block in blocks(README) for command, _ in block.commands() if block.language == "console"]
    assert all(name in text for name in ("make demo", "make test", "pip install ."))
    assert len(commands) >= 5
    assert len(text.splitlines()) <= 220


def test_the_readme_has_a_place_for_measured_speed() -> None:
    text = README.read_text(encoding="utf-8")
    assert text.index("<!-- bench:begin -->") < text.index("<!-- bench:end -->")


def test_every_extra_is_in_the_readme() -> None:
    import tomllib

    project = tomllib.loads((README.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    text = README.read_text(encoding="utf-8")
    named = [extra for extra in project["optional-dependencies"] if extra != "bench"]
    assert [extra for extra in named if f"`{extra}`" not in text] == []


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
