"""The tables of docs/glossary.md, from the definitions that the page shows on hover.

`PYTHONPATH=src python docs_build/glossary.py` writes them into the page, between their marks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from gardenpath.report.page.definitions import ENDINGS, RELATIONS
from gardenpath.runs.result.verdict import SURENESS
from gardenpath.studies.constructions.error_classes import CLASSES, UNCLASSED
from gardenpath.studies.engine.registry import all_notes
from gardenpath.studies.roles.scores import KINDS
from gardenpath.suites.constructions.model import PHENOMENA
from gardenpath.suites.roles.names import ORDERS, PP_PROPERTIES, ROLE_PROPERTIES

PAGE = Path(__file__).resolve().parents[1] / "docs" / "glossary.md"
CODES: Mapping[str, Mapping[str, str]] = {
    "sureness": SURENESS,
    "orders": ORDERS,
    "properties": ROLE_PROPERTIES,
    "pp properties": PP_PROPERTIES,
    "kinds": KINDS,
    "phenomena": PHENOMENA,
    "relations": RELATIONS,
}
_PART = re.compile(r"(<!-- definitions: (.+?) -->\n).*?(<!-- end -->)", re.DOTALL)


def refreshed(page: str) -> str:
    """The page with every table as the definitions are now."""
    return _PART.sub(lambda match: "\n".join([match[1], *table(match[2]), "", match[3]]), page)


def parts(page: str) -> list[str]:
    """The names of the tables that a page has."""
    return [match[2] for match in _PART.finditer(page)]


def table(part: str) -> Iterator[str]:
    """The lines of one table."""
    if part.startswith("measures of "):
        yield "| measure | in TSV and JSON | meaning |\n| --- | --- | --- |"
        for name, measure in all_notes()[part.removeprefix("measures of ")].measures.items():
            yield f"| {measure.title} | `{name}` | {measure.meaning} |"
    elif part == "endings":
        yield "| ending | shown as | meaning |\n| --- | --- | --- |"
        for ending, (title, meaning, _) in ENDINGS.items():
            yield f"| `…{ending}` | {title.format('…')} | {meaning} |"
    elif part == "classes":
        yield "| construction | class | meaning |\n| --- | --- | --- |"
        for construction, classes in {**CLASSES, "all": UNCLASSED}.items():
            for name, meaning in classes.items():
                yield f"| {'`ppn`, `ppv`' if construction == 'pp' else f'`{construction}`'} | {name} | {meaning} |"
    else:
        yield "| code | meaning |\n| --- | --- |"
        for code, meaning in CODES[part].items():
            yield f"| `{code}` | {meaning} |"


if __name__ == "__main__":
    PAGE.write_text(refreshed(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
