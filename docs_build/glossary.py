"""The tables of docs/glossary.md, from the definitions that the page shows on hover.

`PYTHONPATH=src python docs_build/glossary.py` writes them into the page, between their marks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from gardenpath.report.page.definitions import ENDINGS, MEASURES, RELATIONS
from gardenpath.runs.verdict import SURENESS
from gardenpath.studies.constructions.verdict import CLASSES, UNCLASSED
from gardenpath.studies.roles.confusion import KINDS
from gardenpath.suites.constructions.model import PHENOMENA
from gardenpath.suites.names import ORDERS, PP_PROPERTIES, ROLE_PROPERTIES

PAGE = Path(__file__).resolve().parents[1] / "docs" / "glossary.md"
GROUPS: Mapping[str, str] = {
    "trees": "las uas label attachment clas mlas blex tokens sentences words upos xpos ufeats alltags lemmas confusion",
    "brackets": "f1 precision recall discontinuous_f1 exact crossing tags leaf_ancestor",
    "suites": "accuracy items_right difference ties oov_items accuracy_known accuracy_yes_no effect "
    "effect_gap rank_biserial astray arcs_right items size share share_lead",
    "consistency": "changed sentences_changed changed_words_away consistent original_right right "
    "differs_from_original differs_from_majority value_right "
    "words_changed clusters ncptk training_sentences parses_per_sentence",
    "displacement": "edv edv_heights slv delta_las delta_edv dependency_length las_slope",
}
"""The measures by the part of the glossary they stand in."""
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
    if part in GROUPS:
        yield "| measure | in TSV and JSON | meaning |\n| --- | --- | --- |"
        for name in GROUPS[part].split():
            yield f"| {MEASURES[name].title} | `{name}` | {MEASURES[name].meaning} |"
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
