"""What MkDocs does beside building pages: notebooks become pages, and the API page lists the settings of the studies.

A plugin for notebooks would bring Jupyter and pages that load scripts from other servers; ours need neither.
"""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any

SETTINGS = "<!-- settings of the studies -->"
"""Where `docs/api.md` wants the tables."""
ELEMENTS = "<!-- elements of the papers -->"


def on_files(files: Any, config: Any) -> Any:
    """A page for each notebook, made from its text, its code and what it showed when it was last run."""
    from mkdocs.structure.files import File

    for notebook in [file for file in files if file.src_uri.endswith(".ipynb")]:
        page = notebook.src_uri.removesuffix(".ipynb") + ".md"
        files.append(File.generated(config, page, content=page_of(json.loads(notebook.content_string))))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Links to a notebook lead to its page."""
    markdown = re.sub(r"\]\((\S*notebooks/\w+)\.ipynb\)", r"](\1.md)", markdown)
    for mark, tables in ((SETTINGS, settings_tables), (ELEMENTS, element_tables)):
        if mark in markdown:
            markdown = markdown.replace(mark, "\n".join(tables()))
    return markdown


def element_tables() -> Iterator[str]:
    """The elements of each paper from docs/paper-elements.tsv, and how many there are in each state."""
    file = Path(__file__).resolve().parents[1] / "docs" / "paper-elements.tsv"
    with file.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))
    for paper in dict.fromkeys(row["paper"] for row in rows):
        own = [row for row in rows if row["paper"] == paper]
        counts = Counter(row["state"] for row in own)
        yield f"\n## {paper}\n\n" + ", ".join(f"{count} {state}" for state, count in counts.most_common()) + ".\n"
        yield "| section | element | command | state |\n| --- | --- | --- | --- |"
        for row in own:
            command = f"`gardenpath {row['command']}`" if row["command"] else ""
            state = row["state"] + (f": {row['why']}" if row["why"] else "")
            yield f"| {row['section']} | {row['element']} | {command} | {state} |"


def page_of(notebook: dict[str, Any]) -> str:
    """A notebook as Markdown."""
    parts = []
    for cell in notebook["cells"]:
        text = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(text)
            continue
        parts.append(_fenced(text, "python"))
        parts += [_output(output) for output in cell["outputs"]]
    return "\n\n".join(parts) + "\n"


def _output(output: dict[str, Any]) -> str:
    """The best form of what a cell showed: a picture, a table, or text."""
    if "text" in output:
        return _fenced("".join(output["text"]), "text")
    forms = {mime: "".join(lines) for mime, lines in output["data"].items()}
    for mime in ("image/svg+xml", "text/html"):
        if mime in forms:  # one line: a blank line would end the block of HTML
            return f'<div class="output" style="overflow-x:auto">{" ".join(forms[mime].split())}</div>'
    return _fenced(forms["text/plain"], "text")


def _fenced(text: str, language: str) -> str:
    return f"```{language}\n{text.rstrip()}\n```"


def settings_tables() -> Iterator[str]:
    """Every study's settings, as they are declared: names, defaults and what they mean."""
    from gardenpath.studies.engine.registry import STUDIES, study_command

    for name in STUDIES:
        for form in study_command(name).forms.values():
            title = f"`gardenpath {name}`" + (f", {form.title}" if form.title else "")
            yield f"\n### {form.settings.__name__}\n\nOf {title}.\n"
            yield "| setting | default | meaning |\n| --- | --- | --- |"
            for setting in fields(form.settings):
                if "option" not in setting.metadata:  # fixed by the study: nobody sets it
                    continue
                default = "" if setting.default is MISSING else repr(setting.default)
                help = setting.metadata["option"].help.replace("|", "\\|").replace("*", "\\*")
                yield f"| `{setting.name}` | `{default}` | {help} |"
