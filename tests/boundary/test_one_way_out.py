"""Nothing that comes from a file steers what it is written to: a terminal, a log, a page, a table, a spreadsheet."""

from __future__ import annotations

import csv
import json
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gardenpath._text import terminal
from gardenpath.runs.result.encoding import cell, cells, unescape

ESC, CSI, TURN = "\x1b[31m", "\x9b2J", "\u202e"
NAME = f"y\n::error title=pwned::{ESC}x{TURN}.conllu"
LABEL = f"=cmd|'/C calc'!A0{ESC}"
COLUMN = "![x](http://evil/a.png) [y](javascript:alert) <img src=x onerror=alert(1)> `z` ##[error]"
STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
COMMAND = re.compile(r"^\s*::|##\[", re.MULTILINE)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A treebank whose name, genre, labels, words and ids are hostile, and a parser's output for it."""
    place = tmp_path_factory.mktemp("hostile")
    for name, label in ((NAME, LABEL), ("parsed.conllu", "obj")):
        sentences = []
        for number in range(3):
            word = f"w{ESC}{number}"
            rows = [
                f"1\t{word}\tw\tNOUN\t_\t_\t2\t{label}\t_\t_",
                f"2\t{COLUMN.replace(' ', '_')}\tv\tVERB\t_\t_\t0\troot\t_\t_",
            ]
            comments = [
                f"# sent_id = {COLUMN}{number}",
                f"# text = {word} {COLUMN.replace(' ', '_')}",
                f"# genre = {COLUMN}",
            ]
            sentences.append("\n".join([*comments, *rows]) + "\n\n")
        (place / name).write_text("".join(sentences), encoding="utf-8")
    return place


def call(folder: Path, *arguments: str) -> tuple[int, str, str]:
    """The program as a process of its own; what it writes as bytes."""
    command = [sys.executable, "-m", "gardenpath", *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, check=False, timeout=120)
    return done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8")


def evaluated(folder: Path, format: str, *more: str) -> str:
    system = f"{ESC}me=conllu:parsed.conllu"
    code, out, err = call(folder, "evaluate", NAME, system, "--by", "label,genre", "--format", format, *more)
    assert code == 0, err
    assert not STEERING.search(err)
    assert not COMMAND.search(err)
    return out


@pytest.mark.parametrize("format", ["table", "tsv", "json", "markdown", "latex"])
def test_no_format_has_a_character_that_steers(format: str, folder: Path) -> None:
    out = evaluated(folder, format)
    assert "evil" in out
    assert not STEERING.search(out)


def test_markdown_has_no_link_picture_or_tag(folder: Path) -> None:
    markdown = pytest.importorskip("markdown")
    html = markdown.markdown(evaluated(folder, "markdown"), extensions=["tables"])
    assert not re.search(r"<(a|img|script)\b", html)
    assert "evil" in html


def test_no_cell_is_a_formula(folder: Path) -> None:
    rows = list(csv.reader(evaluated(folder, "tsv").splitlines(), delimiter="\t"))
    assert any("cmd|" in value for row in rows for value in row)
    assert not any(value.startswith(("=", "@")) for row in rows for value in row)


def test_json_says_what_the_file_says(folder: Path) -> None:
    findings = json.loads(evaluated(folder, "json"))["findings"]
    assert {finding["genre"] for finding in findings if "genre" in finding} == {COLUMN}


@pytest.mark.parametrize(
    "command", [["evaluate", f"nowhere{NAME}", "baseline:right-branching"], ["roles", NAME, f"x:{NAME}"]]
)
def test_errors_do_not_steer(command: list[str], folder: Path) -> None:
    code, out, err = call(folder, *command)
    assert code == 2
    assert not STEERING.search(out + err)
    assert not COMMAND.search(err)
    assert "pwned" in err


@pytest.mark.parametrize("format", ["junit", "sarif", "github"])
def test_formats_of_ci(format: str, folder: Path) -> None:
    run = folder / f"run-{format}"
    evaluated(folder, "table", "--run", str(run), "--quiet")
    _, out, err = call(folder, "check", str(run), "--min", "evaluation.las>=100", "--format", format)
    assert out, err
    assert not STEERING.search(out)
    if format == "junit":
        ElementTree.fromstring(out)
    if format == "sarif":
        json.loads(out)
    if format == "github":
        assert all(line.startswith("::") for line in out.splitlines())
        assert "title=pwned" not in out


@given(st.text())
def test_cells_come_back_and_are_one_line(text: str) -> None:
    written = cell(text)
    assert unescape(written) == text
    assert not re.search("[\t\n]", written)
    assert not STEERING.search(written)
    assert cells([text]) == [written]


@given(st.text(alphabet=st.sampled_from([*"a \n\t:#[]e", ESC[0], TURN, "\r", "\u2028"])))
def test_messages_neither_steer_nor_command(text: str) -> None:
    shown = terminal(text)
    assert not STEERING.search(shown)
    assert not COMMAND.search(shown)
    assert terminal("an ordinary line: 3 of 4\n  do this") == "an ordinary line: 3 of 4\n  do this"
